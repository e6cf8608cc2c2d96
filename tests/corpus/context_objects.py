# treatment: as written: each instance has a .ctx of its own
# operations as classes with forward and backward, like PyTorch


class Context:
    def save(self, *x):
        self.saved = x


class Function:
    @classmethod
    def apply(cls, *args):
        ctx = Context()
        out = Value(cls.forward(ctx, *[a.data for a in args]))
        out.ctx, out.fn, out.parents = ctx, cls, args
        return out


class Add(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, g):
        return g, g


class Mul(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved
        return y * g, x * g


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.ctx = None
        self.fn = None
        self.parents = ()

    def __add__(self, o):
        return Add.apply(self, o if isinstance(o, Value) else Value(o))

    def __mul__(self, o):
        return Mul.apply(self, o if isinstance(o, Value) else Value(o))

    def backward(self, grad=1.0):
        #: early order: prev=parents topo=order vis=seen
        self.grad = grad
        for v in reversed(order):
            if v.fn:
                for p, g in zip(v.parents, v.fn.backward(v.ctx, v.grad)):
                    p.grad += g


a, b = Value(2.0), Value(5.0)
out = a * b + a * 3
out.backward()
print(out.data, a.grad, b.grad)
