# treatment: replaced, keeps gelu
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    #: gpt init & gpt add & gpt mul: children=_children local_grads=_local_grads

    def __pow__(self, n):
        return Value(self.data**n, (self,), (n * self.data ** (n - 1),))

    #: gpt exp & gpt log & neg & radd & rmul & sub & truediv

    def gelu(self):
        c, x = math.sqrt(2 / math.pi), self.data
        t = math.tanh(c * (x + 0.044715 * x**3))
        local = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x)
        return Value(0.5 * x * (1 + t), (self,), [local])

    #: gpt backward: children=_children local_grads=_local_grads


#: program: `b + a) * b` → `b).gelu() * a`
