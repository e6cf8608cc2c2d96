# treatment: replaced, keeps wrap
import math


class E:
    """expression node"""

    def __init__(self, v, *args, d=None):
        self.v = v
        self.args = args
        self.d = d or []
        self.g = 0.0

    @staticmethod
    def wrap(x):
        return x if isinstance(x, E) else E(x)

    def __add__(self, o):
        o = E.wrap(o)
        return E(self.v + o.v, self, o, d=[1.0, 1.0])

    def __mul__(self, o):
        o = E.wrap(o)
        return E(self.v * o.v, self, o, d=[o.v, self.v])

    def __sub__(self, o):
        return self + E.wrap(o) * -1.0

    #: radd & rmul: other=o

    def sin(self):
        return E(math.sin(self.v), self, d=[math.cos(self.v)])

    def backprop(self):
        #: early order: p=a prev=args topo=order v=n vis=seen
        self.g = 1.0
        for n in reversed(order):
            for a, d in zip(n.args, n.d):
                a.g += d * n.g


x, y = E(0.7), E(1.9)
z = (x * y).sin() + x * x - 2.0 * y
z.backprop()
print(z.v, x.g, y.g)
