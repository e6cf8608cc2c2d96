# treatment: replaced
class Value:
    __slots__ = ("data", "grad", "_backward", "_prev", "_op")

    #: init with requires_grad: `, requires_grad=True` → `` `self.requires_grad = requires_grad` → ``

    #: arithmetic & backward & repr


#: program
