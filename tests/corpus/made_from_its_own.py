# treatment: as written: makes a Value whose .data is a Value
class Value:
    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))

    def backward(self):
        self.grad = 1.0
        for node, other in (self.inputs, self.inputs[::-1]) if self.inputs else ():
            node.grad += other.data * self.grad


a = Value(2.0)
b = Value(a)
c = a * Value(3.0)
c.backward()
print(b.data is a, a.grad)
