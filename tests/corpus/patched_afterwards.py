# treatment: replaced
import math


#: micrograd


def exp(self):
    out = Value(math.exp(self.data), (self,), "exp")

    def push():
        self.grad += out.data * out.grad

    out._backward = push
    return out


Value.exp = exp
Value.__rsub__ = lambda self, other: self * -1 + other


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = 1 - (a * b).exp() * a
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
