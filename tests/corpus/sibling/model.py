from engine import Value


class Neuron:
    def __init__(self, weights):
        self.weights = [Value(weight) for weight in weights]

    def __call__(self, inputs):
        return sum((w * x for w, x in zip(self.weights, inputs)), Value(0.0))
