# treatment: replaced
class Value:
    def __init__(self, data, *, children=(), op=""):
        self.data, self.grad = data, 0.0
        self.children, self.op = children, op
        self._backward = lambda: None

    #: arithmetic: `(self, other), ` → `children=(self, other), op=`

    #: backward & repr: _prev=children


#: program
