# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op="", requires_grad=True):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.requires_grad = requires_grad
        self._backward = lambda: None

    #: arithmetic

    #: walk


#: program
