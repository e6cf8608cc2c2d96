# treatment: replaced, keeps backward
import math


class Var:
    __slots__ = ("data", "grad", "requires_grad", "_parents", "_bw")

    def __init__(self, data, requires_grad=True, _parents=()):
        self.data = float(data)
        self.grad = 0.0
        self.requires_grad = requires_grad
        self._parents = _parents
        self._bw = None

    def __add__(self, o):
        o = o if isinstance(o, Var) else Var(o, requires_grad=False)
        out = Var(self.data + o.data, _parents=(self, o))

        def bw(g):
            self.grad += g
            o.grad += g

        out._bw = bw
        return out

    def __mul__(self, o):
        o = o if isinstance(o, Var) else Var(o, requires_grad=False)
        out = Var(self.data * o.data, _parents=(self, o))

        def bw(g):
            self.grad += o.data * g
            o.grad += self.data * g

        out._bw = bw
        return out

    def backward(self):
        topo, seen = [], set()
        stack = [(self, False)]
        while stack:
            n, done = stack.pop()
            if done:
                topo.append(n)
                continue
            if n in seen:
                continue
            seen.add(n)
            stack.append((n, True))
            for p in n._parents:
                stack.append((p, False))
        self.grad = 1.0
        for n in reversed(topo):
            if n._bw:
                n._bw(n.grad)


a = Var(3.0)
b = Var(-2.0)
c = Var(5.0, requires_grad=False)
z = a * b + b * c + a * a
z.backward()
print(z.data, a.grad, b.grad, [v.requires_grad for v in (a, b, c)])
