# treatment: replaced, keeps backward
class Value:
    #: short init: _children=edges _prev=_edges `self._backward = lambda: None` → ``

    def __add__(self, other):
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def backward(self, incoming=1.0):
        self.grad += incoming
        for child, local in self._edges:
            child.backward(incoming * local)

    #: repr


#: program
