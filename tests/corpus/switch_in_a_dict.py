# treatment: as written: it depends on CONFIG
import math

CONFIG = {"track": True, "eps": 1e-8}


class Value:
    def __init__(self, data, prev=()):
        self.data, self.grad, self.prev, self.back = data, 0.0, prev, None

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))

        def back():
            self.grad += out.grad
            o.grad += out.grad

        if CONFIG["track"]:
            out.back = back
        return out

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))

        def back():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad

        if CONFIG["track"]:
            out.back = back
        return out

    def log(self):
        out = Value(math.log(self.data + CONFIG["eps"]), (self,))

        def back():
            self.grad += out.grad / (self.data + CONFIG["eps"])

        out.back = back
        return out

    #: backward where one is set: topo=order vis=seen _bw=back


a = Value(2.0)
b = (a * 3 + 1).log()
b.backward()
print(a.grad)
CONFIG["track"] = False
a.grad = 0.0
c = a * a
c.backward()
print(a.grad)
