# treatment: replaced, keeps backward
class Value:
    #: init & arithmetic

    def backward(self):
        #: order
        for node in order:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    #: repr


#: program
out.backward()
print(a.grad)
