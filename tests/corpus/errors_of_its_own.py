# treatment: replaced
import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        assert isinstance(data, (int, float)), "data must be a number"
        self.data = data
        self.grad = 0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __add__(self, other):
        if not isinstance(other, Value):
            if not isinstance(other, (int, float)):
                raise TypeError(f"unsupported operand: {type(other).__name__}")
            other = Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        if not isinstance(other, Value):
            if not isinstance(other, (int, float)):
                raise TypeError(f"unsupported operand: {type(other).__name__}")
            other = Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, k):
        assert isinstance(k, (int, float))
        out = Value(self.data**k, (self,), f"**{k}")

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = _backward
        return out

    #: backward: child=c node=v order=topo seen=visited visit=build `1.0` → `1`


def numeric(f, x, h=1e-5):
    return (f(Value(x + h)).data - f(Value(x - h)).data) / (2 * h)


fs = {
    "square": lambda v: v**2,
    "cube": lambda v: v * v * v,
    "poly": lambda v: v**3 + v * 2 + 1,
    "inv": lambda v: v**-1,
}
for name, f in fs.items():
    v = Value(1.7)
    f(v).backward()
    print(name, "ok" if abs(v.grad - numeric(f, 1.7)) < 1e-6 else "BAD", round(v.grad, 8))
try:
    Value(1.0) + "a"
except TypeError as e:
    print("TypeError", e)
try:
    Value("x")
except AssertionError as e:
    print("AssertionError", e)
