# treatment: replaced
from abc import ABC, abstractmethod


class Operators(ABC):
    @abstractmethod
    def backward(self): ...

    #: arithmetic & neg & sub: `isinstance(other, Value)` → `isinstance(other, Operators)`


class Value(Operators):
    #: init & backward & repr


#: program of sets: `+ a * a) * b + (a + a)` → `- a) * b - 2 * b`
