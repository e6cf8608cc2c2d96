# treatment: as written: its + and * are not gradwalk
tape = []


class Var:
    def __init__(self, value):
        self.value = value; self.grad = 0.0

    def __add__(self, o):
        out = Var(self.value + o.value)
        def push():
            self.grad += out.grad; o.grad += out.grad
        tape.append(push)
        return out

    def __mul__(self, o):
        out = Var(self.value * o.value)
        def push():
            self.grad += o.value * out.grad; o.grad += self.value * out.grad
        tape.append(push)
        return out

    def backward(self):
        self.grad = 1.0
        for push in reversed(tape): push()


a, b = Var(2.0), Var(3.0)
c = a * b + a
c.backward()
print(a.grad, b.grad, len(tape))
