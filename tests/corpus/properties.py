# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        self._value = data
        self._grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
    @property
    def data(self): return self._value
    @data.setter
    def data(self, v): self._value = v
    @property
    def grad(self): return self._grad
    @grad.setter
    def grad(self, v): self._grad = v

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = push
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Value({self.data})"


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
a.data -= 0.5 * a.grad
print(a.data)
a.grad = 0
print(float(a.grad))
