# treatment: replaced
class Value:
    def __init__(self, data, _op="", _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self._backward = lambda: None

    #: add: `(self, other), "+"` → `"+", (self, other)`

    #: mul & radd & rmul & backward & repr: `(self, other), "*"` → `"*", (self, other)`


#: program
