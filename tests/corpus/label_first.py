# treatment: replaced
class Value:
    def __init__(self, data, label="", _children=(), _op=""):
        self.data = float(data)
        self.grad = 0.0
        self.label = label
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    #: arithmetic & backward: `(self, other), ` → `_children=(self, other), _op=`

    #: repr


#: program: `a) ` → `Value(2, "two")) `
print(Value(3.0, "three").label)
