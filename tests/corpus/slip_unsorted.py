# treatment: as written: 
class Value:
    #: init & arithmetic

    def backward(self):
        self.grad = 1.0
        left = [self]
        while left:
            node = left.pop(0)
            node._backward()
            left.extend(node._prev)

    #: repr


#: program: `a) * b` → `a) * (a * b)`
