"""Problems of machine learning: k-means, a Gaussian mixture, a diagonal LSTM."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gradwalk import engine, ops


def least_distance(point: Sequence[Any], centroids: Sequence[Sequence[Any]]) -> Any:
    """The squared distance from a point to its nearest centroid."""
    best: Any = None
    for centroid in centroids:
        apart = [a - b for a, b in zip(centroid, point, strict=True)]
        squared = engine.dot(apart, apart)
        best = squared if best is None else ops.minimum(best, squared)
    return best


def log_likelihood(
    x: Sequence[Any],
    alpha: Sequence[Any],
    mu: Sequence[Sequence[Any]],
    q: Sequence[Sequence[Any]],
    l: Sequence[Sequence[Any]],  # noqa: E741  (the suite's name)
) -> Any:
    """The log-likelihood of one point under a mixture, up to a constant.

    The inverse covariance of component k is QᵀQ. Q has exp(q) on its diagonal, and l below it, by
    columns.
    """
    terms: list[Any] = []
    for k, share in enumerate(alpha):
        apart = [a - b for a, b in zip(x, mu[k], strict=True)]
        rows = [ops.exp(q[k][i]) * apart[i] for i in range(len(x))]
        at = 0
        for i in range(len(x)):
            for j in range(i + 1, len(x)):
                rows[j] = rows[j] + l[k][at] * apart[i]
                at += 1
        terms.append(share + engine.sum(q[k]) - 0.5 * engine.dot(rows, rows))
    return engine.logsumexp(terms) - engine.logsumexp(alpha)


def log_prior(
    q: Sequence[Sequence[Any]],
    l: Sequence[Sequence[Any]],  # noqa: E741
    gamma: float,
    m: int,
) -> Any:
    """The Wishart log-prior of a mixture's covariances."""
    d = len(q[0])
    n = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi)
    log_gamma += sum([math.lgamma(0.5 * n - 0.5 * j) for j in range(d)])
    constant = n * d * (math.log(gamma) - 0.5 * math.log(2.0)) - log_gamma
    total: Any = len(q) * constant
    for diagonal, below in zip(q, l, strict=True):
        squares = engine.sum([ops.exp(2.0 * x) for x in diagonal])
        if below:
            squares = squares + engine.dot(below, below)
        total = total - (0.5 * gamma * gamma * squares - m * engine.sum(diagonal))
    return total


def lstm_loss(
    main: Sequence[Sequence[Any]],
    extra: Sequence[Sequence[Any]],
    state: Sequence[Sequence[Any]],
    sequence: Sequence[Sequence[Any]],
) -> Any:
    """The loss of a diagonal LSTM that predicts the next element of a sequence.

    `main` has two rows a layer, weights and biases, each of four gates; `state` has two rows a
    layer, hidden and cell; `extra` scales the input, and scales and shifts the output.
    """
    width = len(sequence[0])
    layers = len(main) // 2
    hidden = [list(state[2 * k]) for k in range(layers)]
    cell = [list(state[2 * k + 1]) for k in range(layers)]
    into, out_of, shift = extra
    total: Any = 0.0
    for now, after in pairwise(sequence):
        signal = [a * b for a, b in zip(now, into, strict=True)]
        for k in range(layers):
            weight, bias = main[2 * k], main[2 * k + 1]
            for i in range(width):
                g = [i, width + i, 2 * width + i, 3 * width + i]
                forget = ops.sigmoid(signal[i] * weight[g[0]] + bias[g[0]])
                enter = ops.sigmoid(hidden[k][i] * weight[g[1]] + bias[g[1]])
                leave = ops.sigmoid(signal[i] * weight[g[2]] + bias[g[2]])
                change = ops.tanh(hidden[k][i] * weight[g[3]] + bias[g[3]])
                cell[k][i] = cell[k][i] * forget + enter * change
                hidden[k][i] = leave * ops.tanh(cell[k][i])
            signal = hidden[k]
        guess = [a * b + c for a, b, c in zip(signal, out_of, shift, strict=True)]
        norm = ops.log(engine.sum([ops.exp(x) for x in guess]) + 2.0)
        total = total + engine.sum([a * (b - norm) for a, b in zip(after, guess, strict=True)])
    return -(total / (width * (len(sequence) - 1)))
