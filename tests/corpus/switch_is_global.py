# treatment: as written: its constructor depends on GRAD_ENABLED
import math
from contextlib import contextmanager
GRAD_ENABLED = True


@contextmanager
def no_grad():
    global GRAD_ENABLED
    before, GRAD_ENABLED = GRAD_ENABLED, False
    try:
        yield
    finally:
        GRAD_ENABLED = before


class Value:
    #: short init & unnamed add: _children=_prev `= _prev` → `= _prev if GRAD_ENABLED else ()`

    #: unnamed mul & backward: child=c node=v order=topo visit=b


a = Value(3.0)
with no_grad():
    b = a * a
print(b.data, b._prev)
c = a * b
c.backward()
print(a.grad, b.grad)
