# treatment: replaced
import math


class Value:
    #: gpt init: _children=children _local_grads=local_grads

    #: gpt add & gpt mul: `(self, other), ` → `children=(self, other), local_grads=`

    def __pow__(self, n):
        return Value(self.data**n, children=(self,), local_grads=(n * self.data ** (n - 1),))

    def exp(self):
        return Value(math.exp(self.data), children=(self,), local_grads=(math.exp(self.data),))

    def log(self):
        return Value(math.log(self.data), children=(self,), local_grads=(1 / self.data,))

    #: neg & radd & rmul & sub & truediv & gpt backward


#: program: `a * b + a) * b` → `(a * a + b**2).log() + a.exp()) / 3`
