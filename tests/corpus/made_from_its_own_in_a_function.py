# treatment: as written: makes a Value whose .data is a Value
class Value:
    #: products alone


def wrapped(x):
    return Value(x)


a = Value(2.0)
print(wrapped(3.0).data, wrapped(a).data is a)
