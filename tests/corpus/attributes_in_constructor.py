# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        self.m = 0.0
        self.history = []

    #: arithmetic

    #: walk


#: program
a.m += 0.5
a.history.append(a.m)
print(a.m, b.m, a.history, b.history)
