"""A GPT on scalars in the manner of microGPT, and the pure-Python `Value` such scripts bring along.

Written here from the published description, to be what gradwalk is held against: `tests/` compares
numbers bit for bit, `bench/engine.py` compares times. `GPT` runs on any class that is like a Value.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any


class Value:
    """The well-known shape: data, grad, inputs, local gradients, and a recursive sort."""

    __slots__ = ("_children", "_local_grads", "data", "grad")

    def __init__(self, data, children=(), local_grads=()) -> None:
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
        out = math.exp(self.data)
        return Value(out, (self,), (out,))

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

    def backward(self) -> None:
        order = []
        visited = set()

        def build(value) -> None:
            if value not in visited:
                visited.add(value)
                for child in value._children:
                    build(child)
                order.append(value)

        build(self)
        self.grad = 1
        for value in reversed(order):
            for child, local in zip(value._children, value._local_grads, strict=True):
                child.grad += local * value.grad


class GPT:
    """Embeddings, then layers of attention and a relu MLP over rmsnorm, then logits."""

    def __init__(
        self, kind: Any, vocabulary: int, *, width=16, heads=4, layers=1, block=16, seed=42
    ) -> None:
        random = Random(seed)

        def matrix(rows: int, columns: int, spread: float = 0.08) -> list[list[Any]]:
            return [[kind(random.gauss(0, spread)) for _ in range(columns)] for _ in range(rows)]

        self.heads, self.head_width, self.block = heads, width // heads, block
        self.tokens = matrix(vocabulary, width)
        self.positions = matrix(block, width)
        self.output = matrix(vocabulary, width)
        self.layers = [
            {
                "query": matrix(width, width),
                "key": matrix(width, width),
                "value": matrix(width, width),
                "mix": matrix(width, width),
                "up": matrix(4 * width, width),
                "down": matrix(width, 4 * width),
            }
            for _ in range(layers)
        ]
        matrices = [self.tokens, self.positions, self.output]
        matrices += [matrix for layer in self.layers for matrix in layer.values()]
        self.parameters = [p for matrix in matrices for row in matrix for p in row]

    def logits(self, token: int, position: int, cache: list[tuple[list, list]]) -> list[Any]:
        x = [t + p for t, p in zip(self.tokens[token], self.positions[position], strict=True)]
        x = rmsnorm(x)
        for layer, (keys, values) in zip(self.layers, cache, strict=True):
            x = added(x, self.attention(layer, rmsnorm(x), keys, values))
            hidden = [h.relu() for h in linear(layer["up"], rmsnorm(x))]
            x = added(x, linear(layer["down"], hidden))
        return linear(self.output, x)

    def attention(self, layer: dict, x: list, keys: list, values: list) -> list[Any]:
        query = linear(layer["query"], x)
        keys.append(linear(layer["key"], x))
        values.append(linear(layer["value"], x))
        mixed = []
        for head in range(self.heads):
            part = slice(head * self.head_width, (head + 1) * self.head_width)
            scores = [dot(query[part], key[part]) / self.head_width**0.5 for key in keys]
            weights = softmax(scores)
            columns = zip(*[value[part] for value in values], strict=True)
            mixed += [dot(weights, column) for column in columns]
        return linear(layer["mix"], mixed)

    def loss(self, tokens: Sequence[int]) -> Any:
        """The mean of -log p(next token) over one document."""
        count = min(self.block, len(tokens) - 1)
        cache: list[tuple[list, list]] = [([], []) for _ in self.layers]
        losses = []
        for position in range(count):
            chances = softmax(self.logits(tokens[position], position, cache))
            losses.append(-chances[tokens[position + 1]].log())
        return (1 / count) * sum(losses)


class Adam:
    def __init__(self, parameters: list[Any], rate=0.01, beta1=0.85, beta2=0.99) -> None:
        self.parameters, self.rate, self.betas = parameters, rate, (beta1, beta2)
        self.first = [0.0] * len(parameters)
        self.second = [0.0] * len(parameters)

    def step(self, number: int, steps: int) -> None:
        beta1, beta2 = self.betas
        rate = self.rate * (1 - number / steps)
        for i, p in enumerate(self.parameters):
            self.first[i] = beta1 * self.first[i] + (1 - beta1) * p.grad
            self.second[i] = beta2 * self.second[i] + (1 - beta2) * p.grad**2
            first = self.first[i] / (1 - beta1 ** (number + 1))
            second = self.second[i] / (1 - beta2 ** (number + 1))
            p.data -= rate * first / (second**0.5 + 1e-8)
            p.grad = 0


def dot(x: Sequence, y: Sequence) -> Any:
    return sum(a * b for a, b in zip(x, y, strict=True))


def linear(matrix: list[list], x: list) -> list[Any]:
    return [dot(row, x) for row in matrix]


def added(x: list, y: list) -> list[Any]:
    return [a + b for a, b in zip(x, y, strict=True)]


def softmax(x: list) -> list[Any]:
    highest = max(value.data for value in x)
    powers = [(value - highest).exp() for value in x]
    total = sum(powers)
    return [power / total for power in powers]


def rmsnorm(x: list) -> list[Any]:
    scale = (dot(x, x) / len(x) + 1e-5) ** -0.5
    return [value * scale for value in x]


def names() -> list[str]:
    """The names that microGPT trains on where they are at hand, else some made up."""
    file = Path(__file__).parents[3] / "shared" / "data" / "names.txt"
    if file.exists():
        return file.read_text("utf-8").split()
    random = Random(7)
    syllables = [a + b for a in "bdklmnrst" for b in "aeiou"]
    return ["".join(random.choices(syllables, k=random.randint(2, 4))) for _ in range(1000)]


def encode(name: str) -> list[int]:
    """Letters are 0 to 25; 26 begins and ends a name."""
    return [26, *[ord(letter) - ord("a") for letter in name], 26]
