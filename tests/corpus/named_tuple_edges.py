# treatment: replaced
from collections import namedtuple
Edge = namedtuple("Edge", "node grad")


class Var:
    def __init__(self, value, edges=()):
        self.value = value
        self.edges = list(edges)
        self.grad = 0.0

    def __add__(self, o):
        return Var(self.value + o.value, [Edge(self, 1.0), Edge(o, 1.0)])

    def __mul__(self, o):
        return Var(self.value * o.value, [Edge(self, o.value), Edge(o, self.value)])

    def backward(self):
        order, seen = [], set()

        def go(n):
            if n in seen:
                return
            seen.add(n)
            for e in n.edges:
                go(e.node)
            order.append(n)

        go(self)
        self.grad = 1.0
        for n in reversed(order):
            for e in n.edges:
                e.node.grad += e.grad * n.grad


x, y = Var(1.25), Var(-0.5)
z = x * y + x * x * x
z.backward()
print(z.value, x.grad, y.grad)
