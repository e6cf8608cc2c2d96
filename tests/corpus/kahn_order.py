# treatment: replaced, keeps backward
class Value:
    #: constructor with a tuple: tuple=list

    #: arithmetic

    def backward(self):
        waiting, found = {}, [self]
        for node in found:
            for child in node._prev:
                waiting[child] = waiting.get(child, 0) + 1
                if waiting[child] == 1:
                    found.append(child)
        self.grad = 1.0
        ready = [self]
        while ready:
            node = ready.pop()
            node._backward()
            for child in node._prev:
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)

    def __repr__(self):
        return f"Value({self.data})"


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = ((a * b + a) * b + a * 0.1) * (b * b + a)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
