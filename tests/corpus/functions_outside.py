# treatment: replaced
import math
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

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
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Value({self.data})"

def exp(v):
    out = Value(math.exp(v.data), (v,), "exp")
    def push():
        v.grad += out.data * out.grad
    out._backward = push
    return out
def softmax(vs):
    es = [exp(v) for v in vs]
    total = sum(es, Value(0.0))
    inv = Value(1.0 / total.data, (total,), "inv")
    def push():
        total.grad += -inv.data**2 * inv.grad
    inv._backward = push
    return [e * inv for e in es]
a, b = Value(0.3), Value(1.2)
p = softmax([a, b])
p[0].backward()
print(p[0].data.hex(), a.grad.hex(), b.grad.hex())
