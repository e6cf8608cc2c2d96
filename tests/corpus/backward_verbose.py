# treatment: replaced
class Value:
    #: constructor with a tuple

    #: arithmetic

    def backward(self, verbose=False):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
            if verbose:
                print("walked", node.data)


    def __repr__(self):
        return f"Value({self.data})"


#: program
(Value(2.0) + Value(1.0)).backward(verbose=True)
