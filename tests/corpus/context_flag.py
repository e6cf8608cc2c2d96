# treatment: as written: its constructor depends on no_grad.on
class no_grad:
    on = False
    def __enter__(self): no_grad.on = True
    def __exit__(self, *a): no_grad.on = False

class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set() if no_grad.on else set(_children)
        self._op = _op
        self._backward = lambda: None

    #: arithmetic

    #: walk


#: program
with no_grad():
    c = a * b
print(len(c._prev))
