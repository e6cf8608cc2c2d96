import math

import numpy as np
from micrograd.engine import Value


def exp(x):  # micrograd has no exp
    out = Value(math.exp(x.data), (x,), "exp")

    def backward():
        x.grad += out.data * out.grad

    out._backward = backward
    return out


def payoff(s0, sigma, z):
    s, total = s0, 0.0
    for zi in z:
        s = s * exp(-sigma * sigma / 24 + sigma * math.sqrt(1 / 12) * zi)
        total += s
    return (total / 12 - 100.0).relu()


z = np.random.default_rng(7).standard_normal((1000, 12))
s0, sigma, price = Value(100.0), Value(0.2), 0.0
for row in z.tolist():
    out = payoff(s0, sigma, row)
    out.backward()
    price += out.data
print(f"{price / 1000:.6f} {s0.grad / 1000:.6f} {sigma.grad / 1000:.6f}")
