# treatment: replaced, keeps double
class Value:
    #: init & arithmetic

    def double(self):
        return self + self

    #: repr


a, b = Value(2.0), Value(-3.0)
c = a * b
d = c + a
d.grad = 1.0
for node in (d, c):
    node._backward()
print(a.grad, b.grad, d.double().data)
