# treatment: replaced
class Value:
    def __init__(self, data, children=(), local_grads=()):
        self.data, self.grad = data, 0.0
        self.children, self.local_grads = children, local_grads

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data * o.data, (self, o), (o.data, self.data))

    #: backward by local gradients


a = Value(3.0)
print((a * 2.0).local_grads, (a + 2.0).local_grads, (a * a).local_grads)
