# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._children = set(_children)
        self._op = _op

    #: arithmetic

    #: backward: _prev=_children


a, b = Value(2.0), Value(-3.0)
c = a + a
out = (c * b + a * 2.0) * b
out.backward()
print(out.data, a.grad, b.grad, len(c._children), sorted(n.data for n in out._children))
