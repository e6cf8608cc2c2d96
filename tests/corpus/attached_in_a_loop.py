# treatment: replaced, keeps plus
#: constructor

    #: walk


def add(self, other):
    return made(self, other, self.data + other.data, (1.0, 1.0))


def mul(self, other):
    return made(self, other, self.data * other.data, (other.data, self.data))


def made(a, b, data, local_grads):
    out = Value(data, (a, b))

    def push():
        a.grad += local_grads[0] * out.grad
        b.grad += local_grads[1] * out.grad

    out._backward = push
    return out


for name, method in (("__add__", add), ("__mul__", mul)):
    setattr(Value, name, method)
print("ready")
Value.plus = Value.__add__


for x in (2.0, -3.0, 5.0):  # whole: the order of a set does not show
    a, b = Value(x), Value(x + 1.0)
    out = (a * b + a * a) * b + (a + a)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
