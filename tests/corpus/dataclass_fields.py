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

    #: arithmetic

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
