# treatment: replaced
class Value:
    #: init, push last & arithmetic & backward: label=requires_grad `"")` → `True)`

    #: repr


#: program
