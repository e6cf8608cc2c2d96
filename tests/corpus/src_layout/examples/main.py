# treatment: replaced
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "src"))

from tinygrad_like import Scalar

a, b = Scalar(2.0), Scalar(-3.0)
out = (a * b + a) * b
out.backward()
print(out.value, a.grad, b.grad)
