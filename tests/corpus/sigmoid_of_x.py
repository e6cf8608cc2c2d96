# treatment: replaced, keeps sigmoid
import math


class Value:
    #: init & arithmetic

    def sigmoid(self, x):
        return 1 / (1 + math.exp(-x))

    #: backward & repr


#: program: `b + a) * b` → `b) * a`
print(a.sigmoid(0.25))
