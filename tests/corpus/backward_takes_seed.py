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


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
c = a * b
c.backward(2.5)
print(a.grad, c.grad)
