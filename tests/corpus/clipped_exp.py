# treatment: replaced, keeps exp
import math


class Value:
    #: init & arithmetic

    #: exp & backward: `self.data` → `min(self.data, 20.0)`

    #: repr


#: program: `(a * b + a` → `a.exp(`
