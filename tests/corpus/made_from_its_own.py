# treatment: as written: makes a Value whose .data is a Value
class Value:
    #: products alone


a = Value(2.0)
b = Value(a)
c = a * Value(3.0)
c.backward()
print(b.data is a, a.grad)
