# treatment: replaced, keeps topo
class Node:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self._prev = []
        self.op = None
        self._backward = lambda: None

    def __add__(self, other):
        if not isinstance(other, Node):
            other = Node(other)
        out = Node(self.data + other.data)
        out._prev = [self, other]
        out.op = "+"

        def backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = backward
        return out

    def __mul__(self, other):
        if not isinstance(other, Node):
            other = Node(other)
        out = Node(self.data * other.data)
        out._prev = [self, other]
        out.op = "*"

        def backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = backward
        return out

    def topo(self):
        order, seen = [], set()

        def go(n):
            if n in seen:
                return
            seen.add(n)
            for p in n._prev:
                go(p)
            order.append(n)

        go(self)
        return order

    def backward(self):
        self.grad = 1.0
        for n in reversed(self.topo()):
            n._backward()

    def __str__(self):
        return "Node(%.3f, grad=%.3f)" % (self.data, self.grad)


a, b, c = Node(1.5), Node(-2.5), Node(4.0)
f = a * b * c + a * a + b
f.backward()
print(a, b, c, f, len(f.topo()), f.op)
