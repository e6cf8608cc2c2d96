# treatment: replaced, keeps exp
import math


class Value:
    #: init & arithmetic & exp & backward & repr


try:
    print(Value(1000.0).exp().data)
except OverflowError:
    print("too large")
