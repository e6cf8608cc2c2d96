# treatment: replaced, keeps backward
class Value:
    #: init unlabelled & arithmetic: `= _children` → `= list(_children)`

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

    #: repr


#: program: `a * b + a) * b` → `(a * b + a) * b + a * 0.1) * (b * b + a)`
