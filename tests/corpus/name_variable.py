# treatment: replaced
class Variable:
    def __init__(self, value, _children=(), _op="", label=""):
        self.value = value
        self.derivative = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __add__(self, other):
        other = other if isinstance(other, Variable) else Variable(other)
        out = Variable(self.value + other.value, (self, other), "+")

        def push():
            self.derivative += out.derivative
            other.derivative += out.derivative

        out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Variable) else Variable(other)
        out = Variable(self.value * other.value, (self, other), "*")

        def push():
            self.derivative += other.value * out.derivative
            other.derivative += self.value * out.derivative

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
        self.derivative = 1.0
        for node in reversed(order):
            node._backward()

    def __repr__(self):
        return f"Variable({self.value})"


for x in (0.3, -1.7, 2.9):
    a, b = Variable(x), Variable(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.value).hex(), float(a.derivative).hex(), float(b.derivative).hex())
