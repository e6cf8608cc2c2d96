# treatment: replaced
class Scalar:
    def __init__(self, item, parents=(), symbol="", name=""):
        self.item, self.adjoint = item, 0.0
        self.parents, self.symbol, self.name = tuple(parents), symbol, name
        self.pull = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        out = Scalar(self.item + other.item, (self, other), "+")

        def push():
            self.adjoint += out.adjoint
            other.adjoint += out.adjoint

        out.pull = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        out = Scalar(self.item * other.item, (self, other), "*")

        def push():
            self.adjoint += other.item * out.adjoint
            other.adjoint += self.item * out.adjoint

        out.pull = push
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def backprop(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node.parents:
                    visit(child)
                order.append(node)

        visit(self)
        self.adjoint = 1.0
        for node in reversed(order):
            node.pull()

    def __repr__(self):
        return f"Scalar({self.item})"


for x in (0.3, -1.7, 2.9):
    a, b = Scalar(x), Scalar(x + 1.25)
    out = (a * b + a) * b
    out.backprop()
    print(float(out.item).hex(), float(a.adjoint).hex(), float(b.adjoint).hex())
