# treatment: replaced
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    #: gpt init & gpt add: children=_children local_grads=_local_grads `(1, 1)` → `[1, 1]`

    #: gpt mul: `(other.data, self.data)` → `[other.data, self.data]`

    def __pow__(self, n):
        return Value(self.data**n, (self,), [n * self.data ** (n - 1)])

    #: gpt exp & gpt log & neg & radd & rmul & sub & truediv

    #: gpt backward: children=_children local_grads=_local_grads


#: program: `a * b + a) * b` → `(a * a + b**2).log() + a.exp()) / 3`
