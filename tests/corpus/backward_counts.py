# treatment: replaced, keeps backward
calls = [0]


class Value:
    #: init & arithmetic

    def backward(self):
        calls[0] += 1
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

    #: repr


#: program
print(calls)
