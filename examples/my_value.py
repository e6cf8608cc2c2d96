"""A `Value` as one writes it to learn how backpropagation works.

    gradwalk judge examples/my_value.py

Each operation computes its result and leaves behind a function that pushes the gradient one step
back. `backward` sorts the graph, so that a node pushes only after all that reads it has pushed.
"""

import math


class Value:
    def __init__(self, data, inputs=()):
        self.data = float(data)
        self.grad = 0.0
        self.inputs = inputs
        self.push = lambda: None

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other))

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out.push = push
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other))

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.push = push
        return out

    def __pow__(self, n):
        return self.unary(self.data**n, n * self.data ** (n - 1))

    def exp(self):
        e = math.exp(self.data)
        return self.unary(e, e)

    def log(self):
        return self.unary(math.log(self.data), 1 / self.data)

    def tanh(self):
        t = math.tanh(self.data)
        return self.unary(t, 1 - t * t)

    def relu(self):
        return self.unary(max(0.0, self.data), 1.0 if self.data > 0 else 0.0)

    def unary(self, data, local):
        out = Value(data, (self,))

        def push():
            self.grad += local * out.grad

        out.push = push
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + as_value(other) * -1

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return as_value(other) - self

    def __rtruediv__(self, other):
        return as_value(other) / self

    def backward(self):
        order = self.sort()
        for node in order:
            if node.inputs:  # what an earlier backward left there is not ours to push again
                node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node.push()

    def sort(self):
        """Return the graph, inputs first, with a stack of (node, index of its next input)."""
        order, visited, stack = [], {self}, [(self, 0)]
        while stack:
            node, index = stack.pop()
            if index == len(node.inputs):
                order.append(node)
                continue
            stack.append((node, index + 1))
            child = node.inputs[index]
            if child not in visited:
                visited.add(child)
                stack.append((child, 0))
        return order

    def __repr__(self):
        return f"Value({self.data}, grad={self.grad})"


def as_value(x):
    return x if isinstance(x, Value) else Value(x)
