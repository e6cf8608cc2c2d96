# treatment: replaced, keeps exp
import math


#: constructor

    #: arithmetic

    #: exp with a push

    #: walk


try:
    print(Value(1000.0).exp().data)
except OverflowError:
    print("too large")
