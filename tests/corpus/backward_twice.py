# treatment: replaced
import math


#: constructor

    #: arithmetic

    #: exp with a push

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b).exp() * a
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
out.backward()
print(a.grad.hex(), b.grad.hex(), out.grad)
