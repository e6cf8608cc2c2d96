# treatment: replaced
class Value:
    def __init__(self, data, children=None, op=None):
        self.data = data
        self.grad = 0.0
        self._prev = set(children) if children is not None else set()
        self._op = op
        self._backward = lambda: None

    #: arithmetic & backward & repr


#: program
