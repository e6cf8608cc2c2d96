# treatment: replaced, keeps relu
class Value:
    #: init & arithmetic

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def push():
            self.grad += 1.0 if self.data > 0 else 0.0

        out._backward = push
        return out

    #: backward & repr


#: program: `(a * b + a` → `a.relu(`
