"""An Asian call: the price and its sensitivities, from a scalar function of one path.

    python3 examples/asian_option.py        (needs numpy)

The payoff is on the average of a path, so there is no formula and one simulates. `price` is written
for one path, with plain loops and `math`. It is recorded once; `map` replays it for all paths.
"""

import math
import time

import gradwalk


@gradwalk.compile
def price(z, s0=100.0, k=95.0, r=0.03, sigma=0.2, t=1.0):
    """The discounted payoff of one path, whose random numbers are z."""
    dt = t / len(z)
    drift = (r - 0.5 * sigma * sigma) * dt
    spread = sigma * math.sqrt(dt)
    s, total = s0, 0.0
    for zi in z:
        s = s * math.exp(drift + spread * zi)
        total = total + s
    return math.exp(-r * t) * gradwalk.maximum(total / len(z) - k, 0.0)


def main() -> None:
    import numpy as np

    steps, paths = 12, 2_000
    z = np.random.default_rng(7).standard_normal((paths, steps))
    began = time.perf_counter()
    value, grads = price.map.value_and_grad(z, reduce="mean")
    took = time.perf_counter() - began
    print(f"price {value:.4f}")
    for name, letter in (("s0", "delta"), ("sigma", "vega"), ("r", "rho"), ("k", "strike")):
        print(f"{letter:<7} {grads[name]:.4f}")
    print(f"{paths:,} paths of {steps} steps in {took:.2f} s, recording included")
    print(price.explain())


if __name__ == "__main__":
    main()
