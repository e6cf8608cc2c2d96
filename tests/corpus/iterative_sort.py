# treatment: replaced, keeps backward
class Value:
    #: init unlabelled & arithmetic: `= _children` → `= tuple(_children)`

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

    #: repr


#: program: `a * b + a) * b` → `(a * b + a) * b + a * 0.1) * (b * b + a)`
