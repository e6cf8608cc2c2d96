"""One scalar program for every kind of number: the loss of a GPT on one name of seven positions.

The model of `microgpt`, with its functions given, so that plain floats run it too, and whatever
else can add and multiply.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

Weights = dict[str, list[list[Any]]]


Function = Callable[..., Any]


class Arithmetic(NamedTuple):
    """What the program needs beside + - * / **: a plain number of one, and three functions."""

    number: Function
    exp: Function
    relu: Function
    log: Function


def loss(weights: Weights, tokens: list[int], arithmetic: Arithmetic) -> Any:
    # ruff: noqa: B905  (zip as such scripts have it, for all alike)
    number, exp, relu, log = arithmetic
    heads, size = 4, 4
    keys: list[list[Any]] = []
    values: list[list[Any]] = []
    losses: list[Any] = []

    def linear(x: list[Any], w: list[list[Any]]) -> list[Any]:
        return [sum(wi * xi for wi, xi in zip(row, x)) for row in w]

    def softmax(logits: list[Any]) -> list[Any]:
        largest = max(number(v) for v in logits)
        powers = [exp(v - largest) for v in logits]
        total = sum(powers)
        return [power / total for power in powers]

    def rmsnorm(x: list[Any]) -> list[Any]:
        scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
        return [xi * scale for xi in x]

    for position in range(len(tokens) - 1):
        x = [t + p for t, p in zip(weights["wte"][tokens[position]], weights["wpe"][position])]
        residual = x = rmsnorm(x)
        x = rmsnorm(x)
        q = linear(x, weights["wq"])
        keys.append(linear(x, weights["wk"]))
        values.append(linear(x, weights["wv"]))
        mixed: list[Any] = []
        for h in range(0, heads * size, size):
            q_h = q[h : h + size]
            k_h = [k[h : h + size] for k in keys]
            v_h = [v[h : h + size] for v in values]
            scores = [sum(q_h[j] * k[j] for j in range(size)) / size**0.5 for k in k_h]
            share = softmax(scores)
            mixed += [sum(share[t] * v_h[t][j] for t in range(len(v_h))) for j in range(size)]
        x = [a + b for a, b in zip(linear(mixed, weights["wo"]), residual)]
        residual = x
        x = [relu(xi) for xi in linear(rmsnorm(x), weights["fc1"])]
        x = [a + b for a, b in zip(linear(x, weights["fc2"]), residual)]
        chances = softmax(linear(x, weights["lm_head"]))
        losses.append(-log(chances[tokens[position + 1]]))
    return (1 / len(losses)) * sum(losses)


_SHAPES = {"wte": (27, 16), "wpe": (16, 16), "lm_head": (27, 16), "wq": (16, 16), "wk": (16, 16),
           "wv": (16, 16), "wo": (16, 16), "fc1": (64, 16), "fc2": (16, 64)}  # fmt: skip


def weights_and_tokens(make: Callable[[float], Any]) -> tuple[Weights, list[int]]:
    """Return the weights, each number made by `make`, and a name of seven positions."""
    rng = random.Random(7)
    weights = {
        name: [[make(rng.gauss(0, 0.08)) for _ in range(columns)] for _ in range(rows)]
        for name, (rows, columns) in _SHAPES.items()
    }
    return weights, [26, *[rng.randrange(26) for _ in range(6)], 26]
