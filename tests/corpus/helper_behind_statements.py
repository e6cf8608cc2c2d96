# treatment: replaced
#: constructor

    def __add__(self, other):
        other = as_value(other)
        return node(self.data + other.data, (self, other), "+", (1.0, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        return node(self.data * other.data, (self, other), "*", (other.data, self.data))

    #: walk


print("a tiny engine")
EPSILON = float("1e-9")


def node(data, inputs, op, local_grads):
    out = Value(data, inputs, op)

    def push():
        for child, local in zip(inputs, local_grads):
            child.grad += local * out.grad

    out._backward = push
    return out


as_value = lambda x: x if isinstance(x, Value) else Value(x)


for x in (2.0, -3.0, 5.0):  # whole: the order of a set does not show
    a, b = Value(x), Value(x + 1.0)
    out = (a * b + a * a) * b + (a + a)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
