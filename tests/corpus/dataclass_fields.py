# treatment: replaced
from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass(eq=False)
class Value:
    data: float
    inputs: tuple = ()
    op: str = ""
    grad: float = 0.0
    _backward: Callable[[], Any] = field(default=lambda: None, repr=False)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

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
                for child in node.inputs:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
print(sum([Value(1.5), Value(2.0)], Value(0.0)).data)
