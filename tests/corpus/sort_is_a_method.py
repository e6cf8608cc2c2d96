# treatment: replaced, keeps sort
class Value:
    #: init & arithmetic

    def sort(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.sort()):
            node._backward()

    #: repr


#: program
