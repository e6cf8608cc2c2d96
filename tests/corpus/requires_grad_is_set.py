# treatment: as written: it depends on .requires_grad, which the script sets
import math, random
from functools import reduce
from operator import add, mul


class Value(object):
    """stores a single scalar value and its gradient"""

    #: init with requires_grad

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other, requires_grad=False)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            if self.requires_grad:
                self.grad += out.grad
            if other.requires_grad:
                other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other, requires_grad=False)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            if self.requires_grad:
                self.grad += other.data * out.grad
            if other.requires_grad:
                other.grad += self.data * out.grad

        out._backward = _backward
        return out

    #: radd & rmul & backward by build topo: build_topo=build child=c


xs = [Value(float(i), requires_grad=bool(i % 2)) for i in range(1, 5)]
p = reduce(mul, xs)
s = reduce(add, [x * x for x in xs])
f = p + s * 0.5
f.backward()
print([x.grad for x in xs], f.data)
