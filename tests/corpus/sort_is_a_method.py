# treatment: replaced, keeps sort
class Value:
    #: init & arithmetic

    def sort(self):
        #: order
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.sort()):
            node._backward()

    #: repr


#: program
