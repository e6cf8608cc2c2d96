# treatment: as written: it depends on CONFIG
import math
CONFIG = {"track": True, "eps": 1e-8}


class Value:
    def __init__(self, data, prev=()):
        self.data, self.grad, self.prev, self.back = data, 0.0, prev, None

    #: unnamed add: GRAD_ENABLED=CONFIG _backward=back other=o `CONFIG` → `CONFIG["track"]`

    #: unnamed mul: GRAD_ENABLED=CONFIG _backward=back other=o `CONFIG` → `CONFIG["track"]`

    def log(self):
        out = Value(math.log(self.data + CONFIG["eps"]), (self,))

        def back():
            self.grad += out.grad / (self.data + CONFIG["eps"])

        out.back = back
        return out

    #: backward where set: _bw=back topo=order vis=seen


a = Value(2.0)
b = (a * 3 + 1).log()
b.backward()
print(a.grad)
CONFIG["track"] = False
a.grad = 0.0
c = a * a
c.backward()
print(a.grad)
