# treatment: as written: it calls TAPE.append()
# the tape is a global list
TAPE = []


class V:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0

    def __add__(self, o):
        r = V(self.data + o.data)
        TAPE.append((r, [(self, 1.0), (o, 1.0)]))
        return r

    def __mul__(self, o):
        r = V(self.data * o.data)
        TAPE.append((r, [(self, o.data), (o, self.data)]))
        return r


def backward(root):
    root.grad = 1.0
    for node, parts in reversed(TAPE):
        for child, local in parts:
            child.grad += local * node.grad


a, b = V(3.0), V(4.0)
c = a * b + a * a
backward(c)
print(c.data, a.grad, b.grad)
