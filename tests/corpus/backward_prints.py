# treatment: replaced, keeps backward
class Value:
    #: init & arithmetic

    def backward(self):
        #: order
        self.grad = 1.0
        print("nodes", len(order))
        for node in reversed(order):
            node._backward()

    #: repr


#: program
