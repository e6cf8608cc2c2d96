# treatment: as written: Tensor(3.0).data is of type list
class Tensor:
    def __init__(self, data, children=()):
        self.data = data if isinstance(data, list) else [data]
        self.grad = [0.0] * len(self.data)
        self.children = children

    def __add__(self, other):
        return Tensor([x + y for x, y in zip(self.data, other.data)], (self, other))

    def __mul__(self, other):
        return Tensor([x * y for x, y in zip(self.data, other.data)], (self, other))

    def backward(self):
        self.grad = [1.0] * len(self.data)


print((Tensor([1.0, 2.0]) * Tensor([3.0, 4.0])).data)
