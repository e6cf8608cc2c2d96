# treatment: replaced
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    #: gpt init & gpt add & gpt mul: children=_children local_grads=_local_grads

    #: gpt pow & gpt exp & gpt log & neg & radd & rmul & sub & truediv

    #: gpt backward: children=_children local_grads=_local_grads


w, x = Value(0.7), Value(-1.3)
hidden = (w * x).exp()
for target in (0.5, 1.5, 2.5):
    loss = (hidden - target) ** 2
    loss.backward()
    print(w.grad.hex(), hidden.grad.hex())
