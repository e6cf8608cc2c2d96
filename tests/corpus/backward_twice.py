# treatment: replaced
import math


class Value:
    #: init & arithmetic & exp & backward & repr


#: program: `b + a) * b` → `b).exp() * a`
out.backward()
print(a.grad.hex(), b.grad.hex(), out.grad)
