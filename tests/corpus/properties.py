# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        self._value = data
        self._grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
    @property
    def data(self): return self._value
    @data.setter
    def data(self, v): self._value = v
    @property
    def grad(self): return self._grad
    @grad.setter
    def grad(self, v): self._grad = v

    #: arithmetic

    #: walk


#: program
a.data -= 0.5 * a.grad
print(a.data)
a.grad = 0
print(float(a.grad))
