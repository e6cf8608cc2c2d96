"""Two half moons, parted by a small network, in micrograd's words.

    gradwalk run examples/micrograd_moons.py [STEPS]

It imports micrograd and knows nothing of gradwalk, which stands in for it, installed or not.
"""

import math
import random
import sys

from micrograd.nn import MLP

random.seed(1337)


def moons(count):
    """Points (x, y), half on each moon, and the side each belongs to, 1 or -1."""
    points, sides = [], []
    for i in range(count):
        angle = math.pi * random.random()
        x, y = math.cos(angle), math.sin(angle)
        if i % 2:
            x, y = 1 - x, 0.5 - y
        points.append((x + random.gauss(0, 0.1), y + random.gauss(0, 0.1)))
        sides.append(-1 if i % 2 else 1)
    return points, sides


points, sides = moons(60)
model = MLP(2, [8, 8, 1])
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 30
print(f"{len(model.parameters())} parameters")

for step in range(steps):
    scores = [model(point) for point in points]
    margins = [(1 + -side * score).relu() for score, side in zip(scores, sides, strict=True)]
    loss = sum(margins) * (1 / len(margins)) + 1e-4 * sum(p * p for p in model.parameters())
    model.zero_grad()
    loss.backward()
    rate = 1.0 - 0.9 * step / steps
    for p in model.parameters():
        p.data -= rate * p.grad
    right = sum((score.data > 0) == (side > 0) for score, side in zip(scores, sides, strict=True))
    print(f"step {step:2d}   loss {loss.data:.4f}   {right} of {len(points)} right")
