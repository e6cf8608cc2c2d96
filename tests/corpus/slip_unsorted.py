# treatment: as written: 
#: constructor

    #: arithmetic

    def backward(self):
        self.grad = 1.0
        left = [self]
        while left:
            node = left.pop(0)
            node._backward()
            left.extend(node._prev)

    def __repr__(self):
        return f"Value({self.data})"


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * (a * b)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
