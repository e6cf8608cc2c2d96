# treatment: replaced, keeps backward
class Value:
    #: init unlabelled: _backward=_backprop _children=_parents _prev=_parents `lambda` → `lambda node`

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def push(node):
            self.grad += node.grad
            other.grad += node.grad

        out._backprop = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def push(node):
            self.grad += other.data * node.grad
            other.grad += self.data * node.grad

        out._backprop = push
        return out

    def backward(self):
        #: order: _prev=_parents
        self.grad = 1.0
        for v in reversed(order):
            v._backprop(v)
            print(v._op or "leaf", v.data, v.grad)


a, b = Value(2.0), Value(-3.0)
(a * b + a * 4.0).backward()
print(a.grad, b.grad)
