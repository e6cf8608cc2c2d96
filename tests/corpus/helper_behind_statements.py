# treatment: replaced
class Value:
    #: init

    def __add__(self, other):
        other = as_value(other)
        return node(self.data + other.data, (self, other), "+", (1.0, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        return node(self.data * other.data, (self, other), "*", (other.data, self.data))

    #: backward & repr


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
#: program of sets
