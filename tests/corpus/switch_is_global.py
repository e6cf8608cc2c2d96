# treatment: as written: its constructor depends on GRAD_ENABLED
import math
from contextlib import contextmanager

GRAD_ENABLED = True


@contextmanager
def no_grad():
    global GRAD_ENABLED
    before, GRAD_ENABLED = GRAD_ENABLED, False
    try:
        yield
    finally:
        GRAD_ENABLED = before


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev if GRAD_ENABLED else ()
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        if GRAD_ENABLED:
            out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        if GRAD_ENABLED:
            out._backward = _backward
        return out

    #: backward: order=topo visit=b node=v child=c


a = Value(3.0)
with no_grad():
    b = a * a
print(b.data, b._prev)
c = a * b
c.backward()
print(a.grad, b.grad)
