# treatment: replaced, keeps tanh
import math


class Value:
    #: short init: `, _children=()` → `` `_children` → `()`

    def __add__(self, other):
        out = Value(self.data + other.data)
        out._prev = (self, other)

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data)
        out._prev = (self, other)

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = push
        return out

    def tanh(self):
        t = (math.exp(2 * self.data) - 1) / (math.exp(2 * self.data) + 1)
        out = Value(t)
        out._prev = (self,)

        def push():
            self.grad += (1 - t**2) * out.grad

        out._backward = push
        return out

    #: backward & repr


#: program: `b + a) * b` → `b).tanh() * a`
