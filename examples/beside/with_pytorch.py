import math

import numpy as np
import torch


def price(s0, sigma, z):
    s, total = s0, 0.0
    for zi in z.T:  # all paths at once
        s = s * torch.exp(-sigma * sigma / 24 + sigma * math.sqrt(1 / 12) * zi)
        total = total + s
    return torch.clamp(total / 12 - 100.0, min=0.0).mean()


z = torch.tensor(np.random.default_rng(7).standard_normal((1000, 12)))
s0 = torch.tensor(100.0, dtype=torch.float64, requires_grad=True)
sigma = torch.tensor(0.2, dtype=torch.float64, requires_grad=True)
out = price(s0, sigma, z)
out.backward()
print(f"{out.item():.6f} {s0.grad.item():.6f} {sigma.grad.item():.6f}")
