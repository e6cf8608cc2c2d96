# treatment: replaced, keeps __pow__
#: constructor

    #: arithmetic

    def __pow__(self, n):
        out = Value(self.data**n, (self,), f"**{n}")

        def push():
            self.grad += (n * self.data ** (n - 1))

        out._backward = push
        return out

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = a**3 * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
