# treatment: replaced, keeps _push
class Value:
    def __init__(self, data, children=(), op=None):
        self.data = data; self.grad = 0.0; self.children = list(children); self.op = op

    def __add__(self, o): return Value(self.data + o.data, (self, o), "+")

    def __mul__(self, o): return Value(self.data * o.data, (self, o), "*")

    def _push(self):
        if self.op == "+":
            for c in self.children: c.grad += self.grad
        elif self.op == "*":
            x, y = self.children
            x.grad += y.data * self.grad
            y.grad += x.data * self.grad

    def backward(self):
        order, seen = [], set()
        def visit(n):
            if id(n) in seen: return
            seen.add(id(n))
            for c in n.children: visit(c)
            order.append(n)
        visit(self)
        self.grad = 1.0
        for n in reversed(order): n._push()


#: program
