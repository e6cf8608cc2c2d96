# treatment: replaced, keeps tanh
import math


#: constructor

    #: arithmetic

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def push():
            self.grad += 1 - out.data**2

        out._backward = push
        return out

    #: walk


#: program of exp: exp=tanh
