# treatment: replaced, keeps backward
class Value:
    #: init & arithmetic

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        print("nodes", len(order))
        for node in reversed(order):
            node._backward()

    #: repr


#: program
