/** Where "write it yourself" begins: the same Python in every language, with its three remarks. */
export const starter = (sum: string, product: string, backward: string): string => `class Value:
    def __init__(self, data, inputs=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.local_grads = local_grads

    def __add__(self, other):
        # ${sum}
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        # ${product}
        return Value(self.data * other.data, (self, other), (0.0, 0.0))

    def backward(self):
        # ${backward}
        self.grad = 1.0
`;
