# treatment: replaced
class Value:
    def __init__(self, data, children=None, op=None):
        self.data = data
        self.grad = 0.0
        self._prev = set(children) if children is not None else set()
        self._op = op
        self._backward = lambda: None

    #: arithmetic

    #: backward


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
