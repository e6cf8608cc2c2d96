"""A GPT trained in a loop of your own: forward, zero_grad, backward, step.

python examples/gpt_in_three_lines.py [STEPS]
"""

import random
import sys

from gradwalk.data import names
from gradwalk.gpt import Config, FastGPT, Tokenizer
from gradwalk.optim import Adam, linear_decay

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
rng = random.Random(1)
documents = names()
rng.shuffle(documents)
tokenizer = Tokenizer("".join(documents))
model = FastGPT(Config(vocabulary=len(tokenizer)), rng)
opt = Adam(model.parameters(), linear_decay(0.01, steps), betas=(0.85, 0.99))

for step in range(steps):
    loss = model.loss(tokenizer.encode(documents[step % len(documents)]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(f"step {step:4}  loss {loss.data:.4f}")

for _ in range(10):
    print(tokenizer.decode(model.generate(tokenizer.edge, rng)))
