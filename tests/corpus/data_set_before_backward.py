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


a = Value(2.0)
b = Value(3.0)
c = a * b + a
a.data = 10.0
c.backward()
print(a.grad, b.grad, c.data)

out = a * b * a
out.backward()
b.data = -1.5
out.backward()
print(a.grad, b.grad)
