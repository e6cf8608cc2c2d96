# treatment: replaced
#: constructor

    #: arithmetic

    def backward(self, seed=1.0):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = seed
        for node in reversed(order):
            node._backward()


    def __repr__(self):
        return f"Value({self.data})"


#: program
c = a * b
c.backward(2.5)
print(a.grad, c.grad)
