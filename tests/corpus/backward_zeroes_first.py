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
        for node in order:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    #: repr


#: program
out.backward()
print(a.grad)
