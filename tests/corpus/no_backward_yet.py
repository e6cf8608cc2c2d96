# treatment: replaced, keeps double
#: constructor

    #: arithmetic

    def double(self):
        return self + self


    def __repr__(self):
        return f"Value({self.data})"


a, b = Value(2.0), Value(-3.0)
c = a * b
d = c + a
d.grad = 1.0
for node in (d, c):
    node._backward()
print(a.grad, b.grad, d.double().data)
