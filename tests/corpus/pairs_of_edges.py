# treatment: replaced
class Value:
    def __init__(self, data, edges=()):
        self.data, self.grad, self.edges = data, 0.0, edges

    #: gpt add: `self, other), (1, 1` → `(self, 1.0), (other, 1.0)`

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))


def backward(root):
    #: order: self=root ` in node._prev` → `, _ in node.edges`
    root.grad = 1.0
    for node in reversed(order):
        for child, local in node.edges:
            child.grad += local * node.grad


a, b = Value(2.0), Value(-3.0)
out = (a * b + a * 4.0) * a + b
backward(out)
print(out.data, a.grad, b.grad, [local for _, local in (a * 4.0).edges])
