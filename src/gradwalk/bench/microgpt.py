"""A GPT on scalars, written out: one class, nothing but the standard library.

    python microgpt.py [STEPS] [NAMES]     100 steps on the names in the package, or on a file's

In the known form of such scripts: a `class Value` with data, grad, children and local gradients; a
model that is plain Python over it; Adam as a loop. It knows nothing of gradwalk: `gradwalk run`
runs it with gradwalk's Value, `gradwalk bench eager` measures by it, tests compare every bit.
"""
# ruff: noqa: B905  (as such scripts are written)

import math
import random
import sys
from pathlib import Path

random.seed(42)


class Value:
    __slots__ = ("_children", "_local_grads", "data", "grad")

    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0
        self._children = children
        self._local_grads = local_grads

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, exponent):
        return Value(self.data**exponent, (self,), (exponent * self.data ** (exponent - 1),))

    def log(self):
        return Value(math.log(self.data), (self,), (1 / self.data,))

    def exp(self):
        return Value(math.exp(self.data), (self,), (math.exp(self.data),))

    def relu(self):
        return Value(max(0, self.data), (self,), (float(self.data > 0),))

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

    def backward(self):
        order = []
        visited = set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._children:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1
        for node in reversed(order):
            for child, local in zip(node._children, node._local_grads):
                child.grad += local * node.grad


# ── Names, as tokens: letters are 0 to 25, and 26 begins and ends a name ─────────────────────

END = 26

steps, file = 100, Path(__file__).resolve().parent.parent / "data" / "names.txt"
if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else steps
    file = sys.argv[2] if len(sys.argv) > 2 else file
names = Path(file).read_text("utf-8").split()
random.shuffle(names)


def encode(name):
    return [END] + [ord(letter) - ord("a") for letter in name] + [END]


# ── The model: embeddings, one layer of attention and a relu MLP, logits ─────────────────────

layers, width, block, heads = 1, 16, 16, 4
head_width = width // heads


def matrix(rows, columns, spread=0.08):
    return [[Value(random.gauss(0, spread)) for _ in range(columns)] for _ in range(rows)]


state = {
    "tokens": matrix(27, width),
    "positions": matrix(block, width),
    "output": matrix(27, width),
}
for i in range(layers):
    state[f"{i}.query"] = matrix(width, width)
    state[f"{i}.key"] = matrix(width, width)
    state[f"{i}.value"] = matrix(width, width)
    state[f"{i}.mix"] = matrix(width, width)
    state[f"{i}.up"] = matrix(4 * width, width)
    state[f"{i}.down"] = matrix(width, 4 * width)
params = [p for table in state.values() for row in table for p in row]


def linear(x, table):
    return [sum(w * xi for w, xi in zip(row, x)) for row in table]


def softmax(logits):
    highest = max(logit.data for logit in logits)
    powers = [(logit - highest).exp() for logit in logits]
    total = sum(powers)
    return [power / total for power in powers]


def rmsnorm(x):
    mean_square = sum(xi * xi for xi in x) / len(x)
    scale = (mean_square + 1e-5) ** -0.5
    return [xi * scale for xi in x]


def gpt(token, position, keys, values):
    """Logits for the token that comes next; `keys` and `values` are what came before."""
    x = [t + p for t, p in zip(state["tokens"][token], state["positions"][position])]
    x = rmsnorm(x)
    for i in range(layers):
        before = x
        x = rmsnorm(x)
        query = linear(x, state[f"{i}.query"])
        keys[i].append(linear(x, state[f"{i}.key"]))
        values[i].append(linear(x, state[f"{i}.value"]))
        mixed = []
        for begin in range(0, width, head_width):
            part = slice(begin, begin + head_width)
            q = query[part]
            scores = [
                sum(qj * kj for qj, kj in zip(q, key[part])) / head_width**0.5 for key in keys[i]
            ]
            weights = softmax(scores)
            columns = zip(*[value[part] for value in values[i]])
            mixed += [sum(w * v for w, v in zip(weights, column)) for column in columns]
        x = [a + b for a, b in zip(linear(mixed, state[f"{i}.mix"]), before)]
        before = x
        x = [h.relu() for h in linear(rmsnorm(x), state[f"{i}.up"])]
        x = [a + b for a, b in zip(linear(x, state[f"{i}.down"]), before)]
    return linear(x, state["output"])


def loss_of(tokens):
    """The mean of -log p(next token) over one name."""
    count = min(block, len(tokens) - 1)
    keys, values = [[] for _ in range(layers)], [[] for _ in range(layers)]
    losses = []
    for position in range(count):
        chances = softmax(gpt(tokens[position], position, keys, values))
        losses.append(-chances[tokens[position + 1]].log())
    return (1 / count) * sum(losses)


# ── Training, then a few names of its own ────────────────────────────────────────────────────

rate, beta1, beta2, epsilon = 0.01, 0.85, 0.99, 1e-8
first = [0.0] * len(params)
second = [0.0] * len(params)
history = []

if __name__ == "__main__":
    for step in range(steps):
        loss = loss_of(encode(names[step % len(names)]))
        loss.backward()
        now = rate * (1 - step / steps)
        for i, p in enumerate(params):
            first[i] = beta1 * first[i] + (1 - beta1) * p.grad
            second[i] = beta2 * second[i] + (1 - beta2) * p.grad**2
            mean = first[i] / (1 - beta1 ** (step + 1))
            square = second[i] / (1 - beta2 ** (step + 1))
            p.data -= now * mean / (square**0.5 + epsilon)
            p.grad = 0
        history.append(loss.data)
        print(f"step {step + 1:4d}   loss {loss.data:.6f}")

    for _ in range(3 if steps else 0):
        keys, values = [[] for _ in range(layers)], [[] for _ in range(layers)]
        token, name = END, ""
        for position in range(block):
            chances = softmax([logit / 0.5 for logit in gpt(token, position, keys, values)])
            token = random.choices(range(27), [chance.data for chance in chances])[0]
            if token == END:
                break
            name += chr(ord("a") + token)
        print(f"a name: {name}")
