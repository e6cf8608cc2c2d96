# treatment: as written: grad begins as None
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = None
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

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

    #: reflected

    #: walk


#: program
