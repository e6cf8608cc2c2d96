# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        if isinstance(data, Value):
            data = data.data
        self.data = float(data)
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    #: arithmetic & backward & repr


#: program
print(Value(Value(2.0)).data)
