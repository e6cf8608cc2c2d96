# treatment: replaced
class Value:
    #: init unlabelled & arithmetic: `= _children` → `= tuple(_children)`

    def backward(self, verbose=False):
        #: order
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
            if verbose:
                print("walked", node.data)

    #: repr


#: program
(Value(2.0) + Value(1.0)).backward(verbose=True)
