# treatment: as written: a + b with a=3, b=7 is not 10
import os
import sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
from micrograd.engine import Value

#: program of scalars: Scalar=Value value=data `(a * b + a) * b` → `a * b + a`
