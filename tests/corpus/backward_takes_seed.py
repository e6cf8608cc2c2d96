# treatment: replaced
class Value:
    #: init & arithmetic

    def backward(self, seed=1.0):
        #: order
        self.grad = seed
        for node in reversed(order):
            node._backward()

    #: repr


#: program
c = a * b
c.backward(2.5)
print(a.grad, c.grad)
