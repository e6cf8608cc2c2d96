# treatment: replaced
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    #: gpt init & gpt add & gpt mul & gpt pow & gpt exp & gpt log & neg & radd & rmul & sub & truediv

    #: gpt backward: children=_children local_grads=_local_grads


#: program: `(a * b + a) * b` → `((a * a + b**2).log() + a.exp()) / 3`
