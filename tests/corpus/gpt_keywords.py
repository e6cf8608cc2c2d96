# treatment: replaced
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    #: gpt init & gpt add & gpt mul: `(self, other), ` → `children=(self, other), local_grads=`

    def __pow__(self, n):
        return Value(self.data**n, children=(self,), local_grads=(n * self.data ** (n - 1),))

    def exp(self):
        return Value(math.exp(self.data), children=(self,), local_grads=(math.exp(self.data),))

    def log(self):
        return Value(math.log(self.data), children=(self,), local_grads=(1 / self.data,))

    #: neg & radd & rmul & sub & truediv & gpt backward: children=_children local_grads=_local_grads


#: program: `a * b + a) * b` → `(a * a + b**2).log() + a.exp()) / 3`
