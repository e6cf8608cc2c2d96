# treatment: replaced
import math


#: micrograd


#: exp outside: v=self
Value.exp = exp
Value.__rsub__ = lambda self, other: self * -1 + other
#: program: `(a * b + a) * b` → `1 - (a * b).exp() * a`
