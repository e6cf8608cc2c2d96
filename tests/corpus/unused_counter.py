# treatment: replaced, keeps made
class Value:
    made = 0

    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        Value.made += 1
        self._number = Value.made

    #: arithmetic

    #: walk


#: program
