# treatment: replaced, keeps __pow__
import math as m


class V:
    def __init__(s, d, c=(), l=()):
        s.d, s.g, s.c, s.l = d, 0, c, l

    __add__ = lambda s, o: V(s.d + (o := Y(o)).d, (s, o), (1, 1))
    __mul__ = lambda s, o: V(s.d * (o := Y(o)).d, (s, o), (o.d, s.d))
    __pow__ = lambda s, n: V(s.d**n, (s,), (n * s.d ** (n - 1),))
    __radd__ = lambda s, o: s + o


Y = lambda o: [V(o), o][type(o) == V]


def O(s):
    t, v = [], set()

    def b(n):
        if n not in v:
            v.add(n)
            [b(c) for c in n.c]
            t.append(n)

    b(s)
    s.g = 1
    for n in t[::-1]:
        for c, l in zip(n.c, n.l):
            c.g += l * n.g


P = [V(0.1 * i) for i in (3, -5, 7)]
for s in range(3):
    e = [V((z := m.exp(p.d)), (p,), (z,)) for p in P]
    L = sum(e) * (e[s] ** -1) + 0.5
    O(L)
    for p in P:
        p.d -= 0.1 * p.g
        p.g = 0
    print(float(L.d).hex())
