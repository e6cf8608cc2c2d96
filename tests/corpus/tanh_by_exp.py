# treatment: replaced, keeps tanh
import math


#: constructor

    #: arithmetic

    def tanh(self):
        t = (math.exp(2 * self.data) - 1) / (math.exp(2 * self.data) + 1)
        out = Value(t, (self,), "tanh")

        def push():
            self.grad += (1 - t**2) * out.grad

        out._backward = push
        return out

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b).tanh() * a
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
