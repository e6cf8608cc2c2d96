# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        """A number and where it comes from."""
        if not isinstance(data, (int, float)):
            raise TypeError("a number, please")
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    #: arithmetic & backward & repr


#: program
try:
    Value("two")
except TypeError:
    print("no number")
