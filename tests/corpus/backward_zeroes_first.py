# treatment: replaced, keeps backward
#: constructor

    #: arithmetic

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


    def __repr__(self):
        return f"Value({self.data})"


#: program
out.backward()
print(a.grad)
