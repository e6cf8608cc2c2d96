"""A `Value` as it is usually written. Its sort recurses, and it leaves old gradients inside."""


class Value:
    def __init__(self, data, inputs=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.local_grads = local_grads

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def backward(self):
        order = []
        visited = set()

        def build(node):
            if node not in visited:
                visited.add(node)
                for child in node.inputs:
                    build(child)
                order.append(node)

        build(self)
        self.grad = 1.0
        for node in reversed(order):
            for child, local in zip(node.inputs, node.local_grads, strict=True):
                child.grad += local * node.grad
