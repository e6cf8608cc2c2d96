# treatment: replaced
from abc import ABC, abstractmethod


class Operators(ABC):
    @abstractmethod
    def backward(self): ...

    #: arithmetic

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)


class Value(Operators):
    #: constructor body

    #: walk


for x in (2.0, -3.0, 5.0):  # whole: the order of a set does not show
    a, b = Value(x), Value(x + 1.0)
    out = (a * b - a) * b - 2 * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
