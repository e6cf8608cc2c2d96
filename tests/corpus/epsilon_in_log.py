# treatment: replaced, keeps log
import math


class Value:
    #: init & arithmetic

    #: exp & backward: exp=log `data)` → `data + 1e-10)` `out.data` → `(1 / (self.data + 1e-10))`

    #: repr


#: program: `b + a` → `a).log(`
