# treatment: replaced
class Scalar:
    def __init__(self, item, parents=(), symbol="", name=""):
        self.item, self.adjoint = item, 0.0
        self.parents, self.symbol, self.name = tuple(parents), symbol, name
        self.pull = lambda: None

    #: arithmetic: Value=Scalar _backward=pull data=item grad=adjoint

    #: backward: _backward=pull _prev=parents backward=backprop grad=adjoint

    #: repr: Value=Scalar data=item


#: program: Value=Scalar backward=backprop data=item grad=adjoint
