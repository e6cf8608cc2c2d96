# treatment: replaced, keeps backward
class Value:
    #: constructor with a tuple

    #: arithmetic

    def backward(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((child, False) for child in node._prev)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Value({self.data})"


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = ((a * b + a) * b + a * 0.1) * (b * b + a)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
