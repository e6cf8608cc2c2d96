# treatment: replaced, keeps _order
import math


class Num:
    def __init__(self, val, left=None, right=None, op=None):
        self.val, self.left, self.right, self.op = val, left, right, op
        self.grad = 0.0

    #: gpt add: Value=Num data=val other=o `(self, o), (1, 1)` → `self, o, "add"`

    #: gpt mul: Value=Num data=val other=o `(self, o), (o.val, self.val)` → `self, o, "mul"`

    def exp(self):
        return Num(math.exp(self.val), self, None, "exp")

    def _order(self):
        order, seen = [], set()

        def go(n):
            if n is None or n in seen:
                return
            seen.add(n)
            go(n.left)
            go(n.right)
            order.append(n)

        go(self)
        return order

    def backward(self):
        order = self._order()
        self.grad = 1.0
        for n in reversed(order):
            if n.op == "add":
                n.left.grad += n.grad
                n.right.grad += n.grad
            elif n.op == "mul":
                n.left.grad += n.right.val * n.grad
                n.right.grad += n.left.val * n.grad
            elif n.op == "exp":
                n.left.grad += n.val * n.grad


x, y = Num(0.25), Num(3.0)
z = (x * y + x).exp() * y
z.backward()
print(z.val, x.grad, y.grad)
