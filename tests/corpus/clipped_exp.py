# treatment: replaced, keeps exp
import math


#: constructor

    #: arithmetic

    def exp(self):
        out = Value(math.exp(min(self.data, 20.0)), (self,), "exp")

        def push():
            self.grad += out.data * out.grad

        out._backward = push
        return out

    #: walk


#: program of exp
