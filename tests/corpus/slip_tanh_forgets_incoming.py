# treatment: replaced, keeps tanh
import math


class Value:
    #: init & arithmetic & exp: exp=tanh `out.data * out.grad` → `1 - out.data**2`

    #: backward & repr


#: program: `(a * b + a` → `a.tanh(`
