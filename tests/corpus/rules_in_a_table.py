# treatment: replaced, keeps backward
import math
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Node:
    data: float
    op: str = ""
    inputs: tuple = ()
    grad: float = field(default=0.0, repr=False)

    def __add__(self, other):
        return apply("+", self, other)

    def __mul__(self, other):
        return apply("*", self, other)

    #: radd & rmul

    def tanh(self):
        return apply("tanh", self)

    def backward(self):
        backprop(self)


FORWARD = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "tanh": math.tanh}
BACKWARD = {
    "+": lambda g, out, a, b: (g, g),
    "*": lambda g, out, a, b: (g * b, g * a),
    "tanh": lambda g, out, a: (g * (1 - out * out),),
}


def apply(op, *args):
    args = tuple(a if isinstance(a, Node) else Node(float(a)) for a in args)
    return Node(FORWARD[op](*(a.data for a in args)), op, args)


def backprop(root):
    order, seen = [], set()

    def visit(n):
        if id(n) in seen:
            return
        seen.add(id(n))
        for i in n.inputs:
            visit(i)
        order.append(n)

    visit(root)
    root.grad = 1.0
    for n in reversed(order):
        if n.op:
            for i, g in zip(n.inputs, BACKWARD[n.op](n.grad, n.data, *(i.data for i in n.inputs))):
                i.grad += g


a, b = Node(0.25), Node(-1.5)
out = (2 * a * b + a).tanh() + b
out.backward()
print(out.data, a.grad, b.grad)
print(repr(a))
