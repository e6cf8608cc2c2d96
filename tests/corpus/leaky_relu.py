# treatment: replaced, keeps relu
class Value:
    #: init & arithmetic

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.01 * self.data, (self,), "relu")

        def push():
            self.grad += (1.0 if self.data > 0 else 0.01) * out.grad

        out._backward = push
        return out

    #: backward & repr


#: program: `(a * b + a) * b` → `a.relu() * b.relu()`
