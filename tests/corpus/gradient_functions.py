# treatment: replaced, keeps __sub__
import functools, math


def binary(fn):
    @functools.wraps(fn)
    def inner(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return fn(self, other)

    return inner


class Value:
    def __init__(self, data, parents=(), grad_fn=None):
        self.data = data
        self.parents = parents
        self.grad_fn = grad_fn
        self.grad = 0.0

    @binary
    def __add__(self, other):
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    @binary
    def __mul__(self, other):
        return Value(
            self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data)
        )

    @binary
    def __sub__(self, other):
        return Value(self.data - other.data, (self, other), lambda g: (g, -g))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self,), lambda g: (g * e,))

    def backward(self):
        #: order: _prev=parents child=p node=v visit=go
        self.grad = 1.0
        for v in reversed(order):
            if v.grad_fn:
                for p, g in zip(v.parents, v.grad_fn(v.grad)):
                    p.grad += g


a, b = Value(0.4), Value(-1.1)
y = (a * b - b).exp() + a * 2
y.backward()
print(y.data, a.grad, b.grad)
