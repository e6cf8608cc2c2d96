# treatment: as written: each instance has a .depth
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        self.depth = 1 + max((c.depth for c in _children), default=0)

    #: arithmetic & backward & repr


#: program
print(out.depth)
