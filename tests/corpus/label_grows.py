# treatment: as written: each instance has a .label
class Value:
    def __init__(self, data, _children=(), _op="", label=None):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        inner = [child.label for child in _children]
        self.label = label or ("(" + _op.join(inner) + ")" if inner else str(data))

    #: arithmetic

    #: backward


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
print(out.label)
