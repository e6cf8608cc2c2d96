# treatment: replaced
class Value:
    def __init__(self, data, *, children=(), op=""):
        self.data, self.grad = data, 0.0
        self.children, self.op = children, op
        self._backward = lambda: None

    #: add and mul by keywords

    #: reflected

    #: walk: _prev=children


#: program
