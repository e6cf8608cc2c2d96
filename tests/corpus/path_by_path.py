# treatment: replaced, keeps backward
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


#: program
