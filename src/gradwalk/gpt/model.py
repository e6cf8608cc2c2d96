"""The GPT, written out: every parameter is a Value, every step an operation on Values.

Read it from top to bottom; nothing is hidden. A GPT reads one token at a time and says, for each
token it knows, how likely that one comes next. What it has read stays behind as keys and values.
`fast` is the same model in n-ary operations, `training` runs it, `breaks` takes parts out.
"""

# ruff: noqa: B905  (the vectors that are zipped here are all of one length, by their sizes)

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gradwalk.engine import Value, largest, no_grad, take
from gradwalk.errors import AnomalyError, OperandError
from gradwalk.nn import Module

Vector = list[Value]
Matrix = list[list[Value]]


@dataclass(frozen=True, slots=True)
class Config:
    """The sizes of a model. Those here are microGPT's: 4,192 parameters."""

    n_embd: int = 16  # numbers that stand for one token
    n_layer: int = 1
    n_head: int = 4  # attention looks back in so many ways at once
    block_size: int = 16  # tokens it can look back over
    vocabulary: int = 27  # 26 letters, and the token that begins and ends a document

    def __post_init__(self) -> None:
        for name in self.__slots__:
            size = getattr(self, name)
            if not isinstance(size, int) or isinstance(size, bool) or size < 1:
                raise OperandError(f"{name} is a positive whole number, not {size!r}")
        if self.n_embd % self.n_head:
            raise OperandError(f"n_embd {self.n_embd} does not divide into {self.n_head} heads")


# ── Functions on lists of Values ─────────────────────────────────────────────────────────────


def total(terms: Iterable[Value]) -> Value:
    """Add from left to right."""
    result: Any = sum(terms)
    return result


def linear(w: Matrix, x: Vector) -> Vector:
    """Return w·x: each row of the matrix times the vector."""
    return [total(wi * xi for wi, xi in zip(row, x)) for row in w]


def softmax(logits: Vector) -> Vector:
    """Turn any numbers into probabilities: all positive, and 1 in sum."""
    top = largest(logits)  # taken away, so that exp cannot overflow
    powers = [(value - top).exp() for value in logits]
    whole = total(powers)
    return [power / whole for power in powers]


def rmsnorm(x: Vector) -> Vector:
    """Scale a vector so that the mean of its squares is 1."""
    square = total(xi * xi for xi in x) / len(x)
    scale = (square + 1e-5) ** -0.5
    return [xi * scale for xi in x]


# ── The parameters ───────────────────────────────────────────────────────────────────────────


class Weights(Module):
    """The six matrices of one layer."""

    def __init__(self, n: int, matrix: Callable[[int, int], Matrix]) -> None:
        self.wq = matrix(n, n)  # what a token looks for
        self.wk = matrix(n, n)  # what a token can be found by
        self.wv = matrix(n, n)  # what a token hands over when it is found
        self.wo = matrix(n, n)
        self.fc1 = matrix(4 * n, n)
        self.fc2 = matrix(n, 4 * n)


class Past:
    """What one layer keeps of the tokens read so far."""

    def __init__(self) -> None:
        self.keys: list[Vector] = []
        self.values: list[Vector] = []


class GPT(Module):
    """The model. `loss` and `generate` are what one does with it, `logits` is what it is."""

    def __init__(self, config: Config, rng: random.Random) -> None:
        def matrix(rows: int, columns: int) -> Matrix:
            return [[Value(rng.gauss(0, 0.08)) for _ in range(columns)] for _ in range(rows)]

        self.config = config
        self.scale = (config.n_embd // config.n_head) ** 0.5
        self.wte = matrix(config.vocabulary, config.n_embd)
        self.wpe = matrix(config.block_size, config.n_embd)
        self.lm_head = matrix(config.vocabulary, config.n_embd)
        self.layers = [Weights(config.n_embd, matrix) for _ in range(config.n_layer)]

    # ── One token through the model ──────────────────────────────────────────────────────────

    def logits(self, token: int, position: int, past: list[Past]) -> Vector:
        """Read one token; return a number for each token of the vocabulary, larger: likelier."""
        x = self.norm(self.embed(token, position))
        for layer, before in zip(self.layers, past):
            x = self.add(self.attention(layer, self.norm(x), before), x)
            x = self.add(self.mlp(layer, self.norm(x)), x)
        return self.read_out(x)

    def embed(self, token: int, position: int) -> Vector:
        """What the token is, plus where it stands."""
        return [t + p for t, p in zip(take(self.wte, token), self.wpe[position])]

    def norm(self, x: Vector) -> Vector:
        return rmsnorm(x)

    def add(self, change: Vector, x: Vector) -> Vector:
        """The residual connection: a layer changes x, it does not replace it."""
        return [c + xi for c, xi in zip(change, x)]

    def attention(self, layer: Weights, x: Vector, past: Past) -> Vector:
        """Gather from the tokens so far what this token looks for."""
        query = linear(layer.wq, x)
        past.keys.append(linear(layer.wk, x))
        past.values.append(linear(layer.wv, x))
        size = self.config.n_embd // self.config.n_head
        gathered: Vector = []
        for begin in range(0, self.config.n_embd, size):  # each head has its own part of x
            part = slice(begin, begin + size)
            weights = self.look(query[part], [key[part] for key in past.keys])
            values = [value[part] for value in past.values]
            gathered += [total(w * v[j] for w, v in zip(weights, values)) for j in range(size)]
        return linear(layer.wo, gathered)

    def look(self, query: Vector, keys: list[Vector]) -> Vector:
        """Say how much of each token so far one head takes: probabilities, by query · key."""
        return softmax([total(q * k for q, k in zip(query, key)) / self.scale for key in keys])

    def mlp(self, layer: Weights, x: Vector) -> Vector:
        """Think about what was gathered: four times as wide, and back."""
        return linear(layer.fc2, [xi.relu() for xi in linear(layer.fc1, x)])

    def read_out(self, x: Vector) -> Vector:
        """Hold x against each token of the vocabulary."""
        return linear(self.lm_head, x)

    # ── Whole documents ──────────────────────────────────────────────────────────────────────

    def loss(self, tokens: Sequence[int]) -> Value:
        """Return the mean of -log(probability of the token that came), over a document."""
        n = min(self.config.block_size, len(tokens) - 1)
        if n < 1:
            raise OperandError(f"a document has at least 2 tokens, not {len(tokens)}")
        past = [Past() for _ in self.layers]
        losses = [
            self.surprise(self.logits(tokens[position], position, past), tokens[position + 1])
            for position in range(n)
        ]
        return (1 / n) * total(losses)

    def surprise(self, logits: Vector, target: int) -> Value:
        """Return -log(probability of `target`)."""
        return -take(softmax(logits), target).log()

    @no_grad()
    def generate(
        self, end: int, rng: random.Random, temperature: float = 0.5, prompt: Sequence[int] = ()
    ) -> list[int]:
        """Return tokens drawn one by one behind `prompt`, until `end` comes or the block is full.

        `end` also stands before the first. A low temperature favours the likeliest.
        """
        if not temperature > 0:
            raise OperandError(f"the temperature is a positive number, not {temperature!r}")
        past = [Past() for _ in self.layers]
        tokens = [end, *prompt]
        for position in range(self.config.block_size):
            logits = self.logits(tokens[position], position, past)
            if position + 1 == len(tokens):  # the prompt is read
                weights = [p.data for p in softmax([value / temperature for value in logits])]
                if not math.isfinite(sum(weights)):
                    raise AnomalyError("the probabilities are nan: the training has diverged")
                token = rng.choices(range(len(weights)), weights=weights)[0]
                if token == end:
                    break
                tokens.append(token)
        return tokens[1:]
