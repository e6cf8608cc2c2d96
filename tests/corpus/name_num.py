# treatment: replaced
class Num:
    def __init__(self, _v, _children=(), _op="", label=""):
        self._v = _v
        self._g = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __add__(self, other):
        other = other if isinstance(other, Num) else Num(other)
        out = Num(self._v + other._v, (self, other), "+")

        def push():
            self._g += out._g
            other._g += out._g

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Num) else Num(other)
        out = Num(self._v * other._v, (self, other), "*")

        def push():
            self._g += other._v * out._g
            other._g += self._v * out._g

        out._backward = push
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self._g = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Num({self._v})"


for x in (0.3, -1.7, 2.9):
    a, b = Num(x), Num(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out._v).hex(), float(a._g).hex(), float(b._g).hex())
