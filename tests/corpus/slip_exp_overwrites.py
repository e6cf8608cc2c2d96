# treatment: replaced, keeps exp
import math


class Value:
    #: init & arithmetic

    #: exp & backward & repr: `+` → ``


#: program: `(a * b + a) *` → `a.exp() * a +`
