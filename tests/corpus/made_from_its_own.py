# treatment: as written: makes a Value whose .data is a Value
class Value:
    #: short init: _children=inputs _prev=inputs `self._backward = lambda: None` → ``

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))

    #: backward of products


a = Value(2.0)
b = Value(a)
c = a * Value(3.0)
c.backward()
print(b.data is a, a.grad)
