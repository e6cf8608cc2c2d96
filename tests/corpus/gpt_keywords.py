# treatment: replaced
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0
        self._children = children
        self._local_grads = local_grads

    #: local gradients by keywords

    #: gpt others

    #: gpt backward


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = ((a * a + b**2).log() + a.exp()) / 3
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
