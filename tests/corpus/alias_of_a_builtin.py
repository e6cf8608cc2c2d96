# treatment: replaced
s, of = isinstance, type


class Value:
    def __init__(self, data, children=(), local_grads=()):
        self.data, self.grad = data, 0
        self.children, self.local_grads = children, local_grads

    def __add__(self, o):
        o = o if s(o, of(self)) else Value(o)
        return Value(self.data + o.data, (self, o), (1, 1))

    def __mul__(self, o):
        o = o if s(o, of(self)) else Value(o)
        return Value(self.data * o.data, (self, o), (o.data, self.data))

    #: backward by local gradients


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a * a) * b + (a + a)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
