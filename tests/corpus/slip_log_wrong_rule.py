# treatment: replaced, keeps log
import math


#: constructor

    #: arithmetic

    #: exp with a push: exp=log

    #: walk


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * a).log() * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
