# treatment: replaced
class Scalar:
    def __init__(self, item, parents=(), symbol="", name=""):
        self.item, self.adjoint = item, 0.0
        self.parents, self.symbol, self.name = tuple(parents), symbol, name
        self.pull = lambda: None

    #: arithmetic: Value=Scalar data=item grad=adjoint _backward=pull

    #: backward: backward=backprop _prev=parents grad=adjoint _backward=pull

    def __repr__(self):
        return f"Scalar({self.item})"


#: program: Value=Scalar backward=backprop data=item grad=adjoint
