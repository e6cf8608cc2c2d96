# treatment: replaced
import copy, pickle
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
        for node in reversed(order):
            node._backward()


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
c = copy.deepcopy(a)
print(c.data, c is a)
l = [a, b]
print(sorted(l, key=lambda v: v.data)[0] is (a if a.data < b.data else b))
