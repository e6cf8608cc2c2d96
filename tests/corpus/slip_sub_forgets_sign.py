# treatment: replaced, keeps __sub__
#: constructor

    #: arithmetic

    def __sub__(self, other):
        out = Value(self.data - other.data, (self, other), "-")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a - b) * a
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
