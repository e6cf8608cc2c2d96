# treatment: as written: its + and * are not gradwalk
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = _children
        self._op = _op
        self.label = label

    #: add: `+=` → `=`

    #: mul: `+` → ``

    #: radd & rmul & backward & repr


#: program: `(a * b + a)` → `a * b + b`
