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
        self.grad = 1.0
        print("nodes", len(order))
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Value({self.data})"


#: program
