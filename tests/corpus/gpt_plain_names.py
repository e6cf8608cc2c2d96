# treatment: replaced
import math


class Value:
    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0
        self.children = children
        self.local_grads = local_grads

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, children=(self, other), local_grads=(1, 1))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, children=(self, other), local_grads=(other.data, self.data))

    def __pow__(self, n):
        return Value(self.data**n, children=(self,), local_grads=(n * self.data ** (n - 1),))

    def exp(self):
        return Value(math.exp(self.data), children=(self,), local_grads=(math.exp(self.data),))

    def log(self):
        return Value(math.log(self.data), children=(self,), local_grads=(1 / self.data,))

    #: gpt others

    #: backward by local gradients: order=topo seen=visited visit=build node=v


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = ((a * a + b**2).log() + a.exp()) / 3
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
