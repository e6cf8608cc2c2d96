# treatment: as written: makes a Value whose .data is a Value
class Value:
    #: short init: _children=inputs _prev=inputs `self._backward = lambda: None` → ``

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))

    #: backward of products


def wrapped(x):
    return Value(x)


a = Value(2.0)
print(wrapped(3.0).data, wrapped(a).data is a)
