# treatment: as written: each instance has a .label
class Value:
    def __init__(self, data, _children=(), _op="", label=None):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        inner = [child.label for child in _children]
        self.label = label or ("(" + _op.join(inner) + ")" if inner else str(data))

    #: arithmetic & backward & repr


#: program
print(out.label)
