# treatment: replaced
class Value:
    #: init: `data ` → `__data `

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.__data + other.__data, (self, other), "+")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.__data * other.__data, (self, other), "*")

        def push():
            self.grad += other.__data * out.grad
            other.grad += self.__data * out.grad

        out._backward = push
        return out

    #: radd & rmul & backward

    def __repr__(self):
        return f"Value({self.__data})"

    @property
    def data(self):
        return self.__data

    @data.setter
    def data(self, x):
        self.__data = x


#: program
a.data = 5.0
print(a.data, (a*b).data)
