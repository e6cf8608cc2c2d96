# treatment: replaced
from dataclasses import dataclass


@dataclass
class Value:
    data: float
    _children: tuple = ()
    _local: tuple = ()
    grad: float = 0.0

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def backward(self):
        #: order: _prev=_children `node not in` → `id(node) not in` `seen.add(node)` → `seen.add(id(node))`
        self.grad = 1.0
        for node in reversed(order):
            for child, local in zip(node._children, node._local):
                child.grad += local * node.grad


#: program
print(Value(2.0) == Value(2.0), Value(2.0) == Value(3.0))
