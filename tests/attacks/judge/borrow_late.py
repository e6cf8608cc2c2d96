class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0

    def __add__(self, other):
        return self

    __mul__ = __add__

    def backward(self):
        import importlib

        importlib.import_module("torch.autograd")


#: "gradients": "no"
#: the file imports
