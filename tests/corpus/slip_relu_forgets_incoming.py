# treatment: replaced, keeps relu
#: constructor

    #: arithmetic

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def push():
            self.grad += 1.0 if self.data > 0 else 0.0

        out._backward = push
        return out

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = a.relu() * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
