# treatment: replaced
import math


class Value:
    #: init & arithmetic & exp & pow & neg & sub & truediv & backward & repr


#: program: `* b + a) * b` → `- b).exp() / (a**2 + 1.5)`
