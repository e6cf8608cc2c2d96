# treatment: replaced
import math


#: constructor

    #: arithmetic

    #: exp with a push

    def __pow__(self, n):
        out = Value(self.data**n, (self,), f"**{n}")

        def push():
            self.grad += (n * self.data ** (n - 1)) * out.grad

        out._backward = push
        return out

    def __neg__(self):
        return self * -1


    def __sub__(self, other):
        return self + (-other)


    def __truediv__(self, other):
        return self * other**-1

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a - b).exp() / (a**2 + 1.5)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
