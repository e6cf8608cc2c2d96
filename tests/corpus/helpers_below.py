# treatment: replaced
class Value:
    #: init of local grads: children=parents local_grads=pulls `0` → `0.0`

    def __add__(self, other):
        return add(self, other)

    def __mul__(self, other):
        return mul(self, other)

    def backward(self):
        #: order: _prev=parents child=parent
        self.grad = 1.0
        for node in reversed(order):
            for parent, pull in zip(node.parents, node.pulls):
                parent.grad += pull * node.grad


def add(a, b):
    return Value(a.data + b.data, (a, b), (1.0, 1.0))


def mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, a.data))


#: program
