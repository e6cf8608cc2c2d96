# treatment: replaced, keeps topo
class Node:
    #: short init: `, _children=()` → `` `_children` → `[]` `_backward = lambda:` → `op =`
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
        #: early order: prev=_prev topo=order v=n vis=seen
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
