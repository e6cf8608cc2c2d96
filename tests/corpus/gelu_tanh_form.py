# treatment: replaced, keeps gelu
import math


class Value:
    #: init & arithmetic

    def gelu(self):
        c, x = math.sqrt(2 / math.pi), self.data
        t = math.tanh(c * (x + 0.044715 * x**3))
        out = Value(0.5 * x * (1 + t), (self,), "gelu")

        def push():
            slope = c * (1 + 3 * 0.044715 * x**2)
            self.grad += (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * slope) * out.grad

        out._backward = push
        return out

    #: backward & repr


#: program: `b + a) * b` → `b).gelu() * a`
