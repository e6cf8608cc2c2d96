# treatment: replaced, keeps log
import math


class Value:
    #: init & arithmetic & exp & backward & repr: exp=log


#: program: `b + a` → `a).log(`
