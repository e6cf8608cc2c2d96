# treatment: replaced, keeps tanh
from enum import Enum
import math


class Op(Enum):
    NONE = 0
    ADD = 1
    MUL = 2
    TANH = 3


class Value:
    def __init__(self, data, prev=(), op=Op.NONE):
        self.data, self.prev, self.op, self.grad = data, prev, op, 0.0
        self._bw = None

    #: add & mul: _backward=_bw other=o out=r push=bw `"+"` → `Op.ADD` `"*"` → `Op.MUL`

    #: exp: _backward=_bw exp=tanh out=r push=bw `"tanh"` → `Op.TANH` `r.data` → `(1 - r.data**2)`

    #: backward where set


x = Value(0.3)
w = Value(-0.7)
b = Value(0.1)
o = (x * w + b).tanh()
o.backward()
print(o.op, o.op is Op.TANH, o.op.name, o.data, x.grad, w.grad, b.grad)
print([p.op.name for p in o.prev])
