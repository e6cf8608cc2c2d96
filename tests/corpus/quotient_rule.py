# treatment: replaced, keeps __truediv__
class Value:
    #: init & arithmetic

    def __truediv__(self, other):
        out = Value(self.data / other.data, (self, other), "/")

        def push():
            self.grad += out.grad / other.data
            other.grad += -out.grad * self.data / other.data**2

        out._backward = push
        return out

    #: backward & repr


#: program: `(a * b + a) *` → `a * b / a /`
