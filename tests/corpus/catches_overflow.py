# treatment: replaced, keeps exp
import math


#: constructor

    #: arithmetic

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def push():
            self.grad += out.data * out.grad

        out._backward = push
        return out

    #: walk


try:
    print(Value(1000.0).exp().data)
except OverflowError:
    print("too large")
