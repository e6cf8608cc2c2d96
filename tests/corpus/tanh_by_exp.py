# treatment: replaced, keeps tanh
import math


class Value:
    #: init & arithmetic

    def tanh(self):
        t = (math.exp(2 * self.data) - 1) / (math.exp(2 * self.data) + 1)
        out = Value(t, (self,), "tanh")

        def push():
            self.grad += (1 - t**2) * out.grad

        out._backward = push
        return out

    #: backward & repr


#: program: `b + a) * b` → `b).tanh() * a`
