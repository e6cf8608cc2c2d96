# treatment: replaced, keeps plus
class Value:
    #: init & backward & repr


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
#: program of sets
