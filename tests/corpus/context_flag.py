# treatment: as written: its constructor depends on no_grad.on
class no_grad:
    on = False

    def __enter__(self): no_grad.on = True

    def __exit__(self, *a): no_grad.on = False


class Value:
    #: init unlabelled & add & mul: `= _children` → `= set() if no_grad.on else set(_children)`

    #: radd & rmul & backward & repr


#: program
with no_grad():
    c = a * b
print(len(c._prev))
