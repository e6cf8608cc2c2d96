# treatment: replaced, keeps relu
#: constructor

    #: arithmetic

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.01 * self.data, (self,), "relu")

        def push():
            self.grad += (1.0 if self.data > 0 else 0.01) * out.grad

        out._backward = push
        return out

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = a.relu() * b.relu()
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
