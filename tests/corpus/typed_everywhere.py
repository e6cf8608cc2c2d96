# treatment: replaced, keeps ensure, zero_grad, log
from __future__ import annotations
import math
from typing import Callable, Iterable, Set, Tuple


class Value:
    def __init__(
        self, data: float, _children: Tuple["Value", ...] = (), _op: str = "", label: str = ""
    ) -> None:
        self.data: float = data
        self.grad: float = 0.0
        self._prev: Set["Value"] = set(_children)
        self._op: str = _op
        self.label: str = label
        self._backward: Callable[[], None] = lambda: None

    @classmethod
    def ensure(cls, x: "Value | float") -> "Value":
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, other: "Value | float") -> "Value":
        other = Value.ensure(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: "Value | float") -> "Value":
        other = Value.ensure(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, n: float) -> "Value":
        out = Value(self.data**n, (self,), f"**{n}")

        def _backward() -> None:
            self.grad += n * self.data ** (n - 1) * out.grad

        out._backward = _backward
        return out

    def log(self) -> "Value":
        out = Value(math.log(self.data), (self,), "log")

        def _backward() -> None:
            self.grad += out.grad / self.data

        out._backward = _backward
        return out

    def backward(self) -> None:
        topo: list[Value] = []
        seen: set[Value] = set()

        def build(v: Value) -> None:
            if v not in seen:
                seen.add(v)
                for c in v._prev:
                    build(c)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def zero_grad(self) -> None:
        self.grad = 0.0

    def __radd__(self, o: float) -> "Value":
        return self + o

    def __rmul__(self, o: float) -> "Value":
        return self * o

    def __neg__(self) -> "Value":
        return self * -1.0

    def __sub__(self, o: "Value | float") -> "Value":
        return self + (-Value.ensure(o))

    def __truediv__(self, o: "Value | float") -> "Value":
        return self * Value.ensure(o) ** -1


def mean(vals: Iterable[Value]) -> Value:
    vals = list(vals)
    return sum(vals, Value(0.0)) / len(vals)


x = [Value(float(i) + 1.5, label=f"x{i}") for i in range(5)]
m = mean(x)
var = mean((xi - m) ** 2 for xi in x)
nll = (var.log() + m / var) * 0.5
nll.backward()
print(f"{nll.data:.12f}", [f"{v.grad:.12f}" for v in x], [v.label for v in x])
for v in x:
    v.zero_grad()
print(sum(v.grad for v in x))
