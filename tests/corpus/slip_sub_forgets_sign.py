# treatment: replaced, keeps __sub__
class Value:
    #: init & arithmetic

    def __sub__(self, other):
        out = Value(self.data - other.data, (self, other), "-")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    #: backward & repr


#: program: `* b + a) * b` → `- b) * a`
