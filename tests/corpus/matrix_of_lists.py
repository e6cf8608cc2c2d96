# treatment: as written: Tensor(3.0) raises
class Tensor:
    def __init__(self, data, children=()):
        self.data = [list(row) for row in data]
        self.grad = [[0.0] * len(row) for row in self.data]
        self.children = children

    def __add__(self, other):
        pairs = zip(self.data, other.data)
        return Tensor([[x + y for x, y in zip(p, q)] for p, q in pairs], (self, other))

    def __mul__(self, other):
        pairs = zip(self.data, other.data)
        return Tensor([[x * y for x, y in zip(p, q)] for p, q in pairs], (self, other))

    def backward(self):
        self.grad = [[1.0] * len(row) for row in self.data]


print((Tensor([[1.0, 2.0]]) * Tensor([[3.0, 4.0]])).data)
