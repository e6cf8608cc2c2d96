"""An MLP that learns to part points in the plane, and a trace of every step.

The recipe is micrograd's: hinge loss, a small penalty on the parameters, plain gradient descent
with a falling rate, all points in every step.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gradwalk.data import Points
from gradwalk.engine import Buffers, no_grad
from gradwalk.errors import OperandError
from gradwalk.nn import MLP, accuracy, hinge, penalty, uniform
from gradwalk.optim import SGD, grad_norm

__all__ = ["PointStep", "PointsTraining"]


class PointStep(NamedTuple):
    """One step as it stood before the parameters moved. Steps count from 1."""

    step: int
    loss: float
    accuracy: float
    rate: float
    grad_norm: float


@dataclass
class PointsTraining:
    """`for step in training:` trains; `score(x, y)` is what the model says of a place."""

    data: Points
    hidden: Sequence[int] = (16, 16)
    steps: int = 100
    seed: int = 1337
    lr: float = 1.0
    weight_decay: float = 1e-4

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise OperandError(f"steps is at least 1, not {self.steps}")
        if not 0 <= self.lr < math.inf:
            raise OperandError(f"lr is a finite number of at least 0, not {self.lr!r}")
        self.model = MLP(2, [*self.hidden, 1], init=uniform(rng=random.Random(self.seed)))
        # micrograd's schedule: from lr to a tenth of it.
        self.optimizer = SGD(
            self.model.parameters(), lambda step: self.lr * (1.0 - 0.9 * step / self.steps)
        )
        self._buffers = Buffers()

    def __iter__(self) -> Iterator[PointStep]:
        while self.optimizer.steps < self.steps:
            yield self.step()

    def step(self) -> PointStep:
        points, signs = self.data
        parameters = self.optimizer.parameters
        scores: list[Any] = [self.model(point) for point in points]
        loss = hinge(scores, signs) + penalty(parameters, self.weight_decay)
        self.optimizer.zero_grad()
        loss.backward(self._buffers)
        rate, length = self.optimizer.rate, grad_norm(parameters)
        self.optimizer.step()
        share = accuracy(scores, signs)
        return PointStep(self.optimizer.steps, loss.data, share, rate, length)

    def score(self, x: float, y: float) -> float:
        with no_grad():
            return self.model((x, y)).data

    def accuracy(self) -> float:
        """The share of points on their side, now."""
        points, signs = self.data
        with no_grad():
            return accuracy([self.model(point) for point in points], signs)
