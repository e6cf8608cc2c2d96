# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o), "+")

        def b():
            self.grad += out.grad
            o.grad += out.grad

        out._backward = b
        return out

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o), "*")

        def b():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad

        out._backward = b
        return out

    def backward(self):
        t, s = [], set()

        def go(v):
            if v not in s:
                s.add(v)
                for c in v._prev:
                    go(c)
                t.append(v)

        go(self)
        self.grad = 1.0
        for v in reversed(t):
            v._backward()

    def __format__(self, spec):
        return format(self.data, spec)

    def __str__(self):
        return f"V<{self.data}>"

    def __lt__(self, o):
        return self.data < (o.data if isinstance(o, Value) else o)

    def __gt__(self, o):
        return self.data > (o.data if isinstance(o, Value) else o)

    def __float__(self):
        return self.data


xs = [Value(3.5), Value(1.25), Value(2.0)]
print(f"{xs[0]:.3f} {max(xs)} {min(xs)} {sorted(xs)[1]:>8.2f}", float(xs[1]), [str(x) for x in xs])
(max(xs) * xs[1]).backward()
print([x.grad for x in xs])
