import math

import numba
import numpy as np


@numba.njit
def price(s0, sigma, z):  # numba has no derivatives: these are written by hand
    price = by_s0 = by_sigma = 0.0
    for row in z:
        s, total, slope, total_slope = s0, 0.0, 0.0, 0.0
        for zi in row:
            growth = math.exp(-sigma * sigma / 24 + sigma * math.sqrt(1 / 12) * zi)
            slope = slope * growth + s * growth * (-sigma / 12 + math.sqrt(1 / 12) * zi)
            s = s * growth
            total += s
            total_slope += slope
        if total / 12 > 100.0:
            price += total / 12 - 100.0
            by_s0 += total / 12 / s0
            by_sigma += total_slope / 12
    return price / len(z), by_s0 / len(z), by_sigma / len(z)


z = np.random.default_rng(7).standard_normal((1000, 12))
out, ds0, dsigma = price(100.0, 0.2, z)
print(f"{out:.6f} {ds0:.6f} {dsigma:.6f}")
