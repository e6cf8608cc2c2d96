# treatment: as written: makes a Value whose .data is a Value
class Value:
    #: products alone


xs = [Value(1.0), Value(2.0)]
ys = [Value(x) for x in xs]
print(ys[0].data is xs[0])
