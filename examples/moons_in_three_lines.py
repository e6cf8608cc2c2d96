"""micrograd's demo in a loop of your own: an MLP learns which moon a point is on.

python examples/moons_in_three_lines.py [STEPS]
"""

import random
import sys

from gradwalk.data import moons
from gradwalk.nn import MLP, accuracy, hinge, penalty, uniform
from gradwalk.optim import SGD

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 60
points, signs = moons(100)
model = MLP(2, [16, 16, 1], init=uniform(rng=random.Random(1337)))
opt = SGD(model.parameters(), lambda step: 1.0 - 0.9 * step / 100)

for step in range(steps):
    scores = [model(point) for point in points]
    loss = hinge(scores, signs) + penalty(model.parameters(), 1e-4)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0 or step == steps - 1:
        print(f"step {step:3}  loss {loss.data:.4f}  right {accuracy(scores, signs):.0%}")
