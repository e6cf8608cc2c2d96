# treatment: replaced, keeps sigmoid
import math


#: constructor

    #: arithmetic

    def sigmoid(self, x):
        return 1 / (1 + math.exp(-x))

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b) * a
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
print(a.sigmoid(0.25))
