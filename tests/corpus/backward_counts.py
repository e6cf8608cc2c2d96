# treatment: replaced, keeps backward
calls = [0]


class Value:
    #: init & arithmetic

    def backward(self):
        calls[0] += 1
        #: order
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    #: repr


#: program
print(calls)
