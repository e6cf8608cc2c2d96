# treatment: replaced, keeps _push
import math


class Node:
    def __init__(self, data, op=None, args=()):
        self.data = data
        self.grad = 0.0
        self.op = op
        self.args = args

    def __add__(self, other):
        return Node(self.data + lift(other).data, "add", (self, lift(other)))

    def __mul__(self, other):
        other = lift(other)
        return Node(self.data * other.data, "mul", (self, other))

    def __sub__(self, other):
        return self + lift(other) * -1.0

    __radd__, __rmul__ = __add__, __mul__

    def exp(self):
        return Node(math.exp(self.data), "exp", (self,))

    def _push(self):
        match self.op, self.args:
            case "add", (a, b):
                a.grad += self.grad
                b.grad += self.grad
            case "mul", (a, b):
                a.grad += b.data * self.grad
                b.grad += a.data * self.grad
            case "exp", (a,):
                a.grad += self.data * self.grad
            case _:
                pass

    def backward(self):
        #: order: _prev=args child=a node=n visit=walk
        self.grad = 1.0
        while order:
            order.pop()._push()


def lift(x):
    return x if isinstance(x, Node) else Node(float(x))


a, b = Node(0.5), Node(-1.25)
y = (a * b + 2).exp() * a - b
y.backward()
print(f"{y.data:.12f} {a.grad:.12f} {b.grad:.12f}")
