# treatment: as written: each instance has a ._id
class Value:
    _count = 0

    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        Value._count += 1
        self._id = Value._count

    #: arithmetic

    #: walk


#: program
print(a._id)
