# treatment: replaced, keeps exp
import math


#: constructor

    #: arithmetic

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def push():
            self.grad = out.data * out.grad

        out._backward = push
        return out

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = a.exp() * a + b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
