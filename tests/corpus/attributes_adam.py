# treatment: replaced
import math


class Value:
    #: gpt init & gpt add & gpt mul: children=_children local_grads=_local_grads

    #: gpt pow & gpt exp & gpt log & neg & radd & rmul & sub & truediv

    #: gpt backward: children=_children local_grads=_local_grads


parameters = [Value(0.5), Value(-1.5)]
for p in parameters:
    p.m = 0
    p.velocity = 0.0
for step in range(3):
    loss = (parameters[0] * parameters[1] - 1.0) ** 2
    loss.backward()
    for index, p in enumerate(parameters):
        p.param_idx = index
        p.m = 0.9 * p.m + 0.1 * p.grad
        p.velocity = 0.9 * p.velocity + p.m
        p.data -= 0.1 * p.velocity
        p.grad = 0
    print(loss.data.hex(), [p.param_idx for p in parameters])
