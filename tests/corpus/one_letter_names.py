# treatment: replaced, keeps acc, w
import math


class V:
    def __init__(s, d, k=(), f=lambda g: None):
        s.d, s.k, s.f, s.g = d, k, f, 0.0

    def __add__(s, o):
        o = V.w(o)
        return V(s.d + o.d, (s, o), lambda g: (s.acc(g), o.acc(g)))

    def __mul__(s, o):
        o = V.w(o)
        return V(s.d * o.d, (s, o), lambda g: (s.acc(g * o.d), o.acc(g * s.d)))

    def exp(s):
        e = math.exp(s.d)
        return V(e, (s,), lambda g: s.acc(g * e))

    def acc(s, g):
        s.g += g

    w = staticmethod(lambda x: x if isinstance(x, V) else V(x))

    def back(s):
        t, seen = [], set()

        def go(n):
            if n not in seen:
                seen.add(n)
                [go(c) for c in n.k]
                t.append(n)

        go(s)
        s.g = 1.0
        for n in reversed(t):
            n.f(n.g)


a, b = V(0.5), V(-2.0)
c = (a * b).exp() + a * 3
c.back()
print(c.d, a.g, b.g)
