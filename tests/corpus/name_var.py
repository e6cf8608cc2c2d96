# treatment: replaced
class Var:
    def __init__(self, val, _children=(), _op="", label=""):
        self.val = val
        self.gradient = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __add__(self, other):
        other = other if isinstance(other, Var) else Var(other)
        out = Var(self.val + other.val, (self, other), "+")

        def push():
            self.gradient += out.gradient
            other.gradient += out.gradient

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Var) else Var(other)
        out = Var(self.val * other.val, (self, other), "*")

        def push():
            self.gradient += other.val * out.gradient
            other.gradient += self.val * out.gradient

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
        self.gradient = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Var({self.val})"


for x in (0.3, -1.7, 2.9):
    a, b = Var(x), Var(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.val).hex(), float(a.gradient).hex(), float(b.gradient).hex())
