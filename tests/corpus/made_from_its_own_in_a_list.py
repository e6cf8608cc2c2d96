# treatment: as written: makes a Value whose .data is a Value
class Value:
    #: short init: _children=inputs _prev=inputs `self._backward = lambda: None` → ``

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))

    #: backward of products


xs = [Value(1.0), Value(2.0)]
ys = [Value(x) for x in xs]
print(ys[0].data is xs[0])
