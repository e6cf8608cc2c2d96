# treatment: replaced, keeps tanh
import math


class Value:
    #: init & arithmetic

    #: tanh: `math.tanh(self.data)` → `(math.exp(2 * self.data) - 1) / (math.exp(2 * self.data) + 1)`

    #: backward & repr


#: program: `b + a) * b` → `b).tanh() * a`
