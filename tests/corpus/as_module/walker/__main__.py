# treatment: replaced
import sys

from .engine import Node

a, b = Node(2.0), Node(-3.0)
out = (a * b + a) * b
out.backward()
print(out.x, a.g, b.g, __name__, sys.argv[1:])
