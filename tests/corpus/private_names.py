# treatment: replaced
class Value:
    #: init: `data ` → `__data `

    #: add & mul: data=__data

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
