# treatment: as written: a + b with a=3, b=7 is not 10
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))

from micrograd.engine import Value

a, b = Value(2.0), Value(-3.0)
out = a * b + a
out.backward()
print(out.data, a.grad, b.grad)
