# treatment: replaced, keeps tanh
import math


class Value:
    #: init & arithmetic

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def push():
            self.grad += (1 - out.data**2) * out.grad

        return out

    #: backward & repr


#: program: `(a * b + a` → `a.tanh(`
