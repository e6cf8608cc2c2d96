# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    #: add and mul

    #: backward


nodes = [Value(float(i), label=i) for i in range(3)]
out = nodes[0] * nodes[1] + nodes[2]
out.label = 99
out.backward()
print([n.label for n in nodes], out.label, [n.grad for n in nodes], Value(1.0).label == "")
