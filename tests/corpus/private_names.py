# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.__data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    #: arithmetic: data=__data

    #: walk: data=__data

    @property
    def data(self):
        return self.__data
    @data.setter
    def data(self, x):
        self.__data = x


#: program
a.data = 5.0
print(a.data, (a*b).data)
