# treatment: replaced
import random


class Value:
    #: init & arithmetic

    def __sub__(self, other):
        return self + other * -1

    #: backward & repr


random.seed(3)
w, b = Value(random.random()), Value(0.0)
for step in range(30):
    loss = Value(0.0)
    for x in (-1.0, 0.5, 2.0):
        error = w * x + b - (2.0 * x + 1.0)
        loss = loss + error * error
    for p in (w, b):
        p.grad = 0.0
    loss.backward()
    for p in (w, b):
        p.data -= 0.05 * p.grad
print(w.data, b.data, random.random())
