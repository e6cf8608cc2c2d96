# treatment: replaced
class Value:
    #: init unlabelled: grad=_grad `data ` → `_value ` `= _children` → `= set(_children)`

    @property
    def data(self): return self._value

    @data.setter
    def data(self, v): self._value = v

    @property
    def grad(self): return self._grad

    @grad.setter
    def grad(self, v): self._grad = v

    #: arithmetic & backward & repr


#: program
a.data -= 0.5 * a.grad
print(a.data)
a.grad = 0
print(float(a.grad))
