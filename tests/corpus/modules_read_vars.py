# treatment: replaced, keeps tanh
import math, random


class Value:
    #: init unlabelled & add & mul: push=_backward

    #: tanh: push=_backward

    def backward(self):
        topo, seen = [], set()

        def b(v):
            if v not in seen:
                seen.add(v)
                [b(c) for c in v._prev]
                topo.append(v)

        b(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


class Parameter(Value):
    """A Value that is trained."""

    def __init__(self, data, name=""):
        super().__init__(data)
        self.name = name

    def step(self, lr):
        self.data -= lr * self.grad
        self.grad = 0.0

    def __repr__(self):
        return f"{self.name}={self.data:.5f}"


class Module:
    def parameters(self):
        for thing in vars(self).values():
            if isinstance(thing, Parameter):
                yield thing
            elif isinstance(thing, list):
                for one in thing:
                    if isinstance(one, Parameter):
                        yield one
                    elif isinstance(one, Module):
                        yield from one.parameters()


class Linear(Module):
    def __init__(self, n):
        self.w = [Parameter(random.gauss(0, 1), f"w{i}") for i in range(n)]
        self.b = Parameter(0.0, "b")

    def __call__(self, x):
        out = self.b
        for wi, xi in zip(self.w, x):
            out = out + wi * xi
        return out.tanh()


random.seed(0)
m = Linear(3)
for i in range(10):
    e = m([0.2, -1.0, 0.7]) + -0.5
    loss = e * e
    loss.backward()
    for p in m.parameters():
        p.step(0.3)
print(list(m.parameters()), round(loss.data, 9), all(type(p) is Parameter for p in m.parameters()))
