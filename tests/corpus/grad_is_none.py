# treatment: as written: grad begins as None
class Value:
    #: init: `0.0` → `None`

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def push():
            self.grad = (self.grad or 0.0) + out.grad
            other.grad = (other.grad or 0.0) + out.grad

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def push():
            self.grad = (self.grad or 0.0) + other.data * out.grad
            other.grad = (other.grad or 0.0) + self.data * out.grad

        out._backward = push
        return out

    #: radd & rmul & backward & repr


#: program
