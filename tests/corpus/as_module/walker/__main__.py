# treatment: replaced
import sys
from .engine import Node

#: program of scalars: Scalar=Node grad=g value=x `g)` → `g, __name__, sys.argv[1:])`
