"""A call under Heston's model: the price and 8 sensitivities, from a scalar function of one path.

    python3 examples/heston.py        (needs numpy)

The variance moves by itself, so one simulates: Euler steps with full truncation. `price` is written
for one path; it is recorded once, and `map` replays it and its gradient for all of them.
"""

import math
import time

import gradwalk


@gradwalk.compile
def price(model, z):
    """The discounted payoff of one path of a year; z has two normal numbers a step."""
    dt = 1.0 / len(z)
    rho = model["rho"]
    x, v = 0.0, model["v0"]
    for z1, z2 in z:
        # Truncated just above 0, where sqrt still has a slope.
        positive = gradwalk.maximum(v, 1e-10)
        spread = math.sqrt(positive * dt)
        x = x + (model["r"] - 0.5 * positive) * dt + spread * z1
        shock = rho * z1 + math.sqrt(1.0 - rho * rho) * z2
        v = v + model["kappa"] * (model["theta"] - positive) * dt + model["xi"] * spread * shock
    payoff = gradwalk.maximum(model["s0"] * math.exp(x) - model["k"], 0.0)
    return math.exp(-model["r"]) * payoff


MODEL = {"s0": 100.0, "k": 95.0, "r": 0.03, "v0": 0.04, "kappa": 1.5, "theta": 0.04, "xi": 0.3,
         "rho": -0.6}  # fmt: skip


def main() -> None:
    import numpy as np

    steps, paths = 12, 2_000
    z = np.random.default_rng(7).standard_normal((paths, steps, 2))
    began = time.perf_counter()
    value, grads = price.map.value_and_grad(MODEL, z, wrt="model", reduce="mean")
    took = time.perf_counter() - began
    print(f"price   {value:.4f}")
    for name, slope in grads["model"].items():
        print(f"d/d {name:<5} {slope:9.4f}")
    print(f"{paths:,} paths of {steps} steps in {took:.2f} s, recording included")


if __name__ == "__main__":
    main()
