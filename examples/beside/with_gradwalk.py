import math

import numpy as np

import gradwalk


@gradwalk.compile
def payoff(s0, sigma, z):
    s, total = s0, 0.0
    for zi in z:
        s = s * math.exp(-sigma * sigma / 24 + sigma * math.sqrt(1 / 12) * zi)
        total += s
    return max(total / 12 - 100.0, 0.0)


z = np.random.default_rng(7).standard_normal((1000, 12))
price, grads = payoff.map.value_and_grad(100.0, 0.2, z, reduce="mean")
print(f"{price:.6f} {grads['s0']:.6f} {grads['sigma']:.6f}")
