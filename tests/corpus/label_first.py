# treatment: replaced
class Value:
    def __init__(self, data, label="", _children=(), _op=""):
        self.data = float(data)
        self.grad = 0.0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    #: add and mul by keywords: children=_children op=_op

    #: reflected

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + Value(2, "two")) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
print(Value(3.0, "three").label)
