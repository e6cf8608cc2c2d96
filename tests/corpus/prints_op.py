# treatment: replaced, keeps __sub__
class Value:
    #: init & arithmetic

    def __sub__(self, other):
        return self + other * -1

    #: backward & repr


a, b = Value(2.0), Value(-3.0)
for node in (a, a + b, a * b, a - b, a + 1.0):
    print(node._op or "leaf", len(node._prev))
