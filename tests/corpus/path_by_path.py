# treatment: as written: 
class Value:
    def __init__(self, data, edges=()):
        self.data = data
        self.grad = 0.0
        self._edges = edges

    def __add__(self, other):
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def backward(self, incoming=1.0):
        self.grad += incoming
        for child, local in self._edges:
            child.backward(incoming * local)

    def __repr__(self):
        return f"Value({self.data})"


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
