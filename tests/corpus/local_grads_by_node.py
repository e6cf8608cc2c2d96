# treatment: replaced
class Value:
    def __init__(self, data, local_grads=None):
        self.data = data
        self.grad = 0.0
        self.local_grads = local_grads or {}

    #: gpt add: `(self, other), (1, 1)` → `{self: 1.0, other: 1.0}`

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, {self: other.data, other: self.data})

    def backward(self):
        #: order: _prev=local_grads
        self.grad = 1.0
        for node in reversed(order):
            for child, local in node.local_grads.items():
                child.grad += local * node.grad


for build in (lambda a: a + a, lambda a: a * a, lambda a: (a + a) * a + a * 2.0):
    a = Value(3.0)
    out = build(a)
    out.backward()
    print(out.data, a.grad, len(out.local_grads))  # of a + a, a counts once
