# treatment: replaced
class Node:
    def __init__(self, x, _children=(), _op="", label=""):
        self.x = x
        self.g = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __add__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        out = Node(self.x + other.x, (self, other), "+")

        def push():
            self.g += out.g
            other.g += out.g

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        out = Node(self.x * other.x, (self, other), "*")

        def push():
            self.g += other.x * out.g
            other.g += self.x * out.g

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
        self.g = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Node({self.x})"


for x in (0.3, -1.7, 2.9):
    a, b = Node(x), Node(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.x).hex(), float(a.g).hex(), float(b.g).hex())
