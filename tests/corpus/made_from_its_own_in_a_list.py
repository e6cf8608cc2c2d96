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


xs = [Value(1.0), Value(2.0)]
ys = [Value(x) for x in xs]
print(ys[0].data is xs[0])
