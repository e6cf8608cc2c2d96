# treatment: replaced
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))

        def b():
            self.grad += out.grad
            o.grad += out.grad

        out._backward = b
        return out

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))

        def b():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad

        out._backward = b
        return out

    #: backward: order=t seen=s visit=go node=v child=c


class Net:
    def __init__(self):
        self.w = Value(2.0)
        self.x = Value(3.0)
        self.out = None

    def forward(self):
        self.out = self.w * self.x + self.w
        return self.out

    def noise(self):
        self.w.data = 10.0

    def train(self):
        self.out.backward()


n = Net()
n.forward()
n.noise()
n.train()
print(n.w.grad, n.x.grad)
