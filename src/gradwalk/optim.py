"""Optimisers: from the gradients of a list of Values, their next numbers.

    opt = Adam(model.parameters(), lr=0.01)
    for document in documents:
        loss = model.loss(document)      # forward
        loss.backward()                  # backward
        opt.step()                       # the parameters move, their gradients are 0 again

A learning rate is a number, or a schedule: a function from the step, counted from 0, to a number.
What an optimiser remembers is in arrays of doubles, one entry for each parameter. Memories smaller
than any normal double become 0: arithmetic with such numbers is many times slower.

The loops below say what a step does. On the native engine the same loops in C come first and leave
nothing to do, but for what they cannot take: see `engine.steps`.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gradwalk.engine import Value, modes, steps
from gradwalk.errors import OperandError

__all__ = [
    "SGD",
    "Adam",
    "AdamW",
    "Momentum",
    "Optimizer",
    "Schedule",
    "clip_grad_norm",
    "clip_grad_value",
    "cosine_decay",
    "grad_norm",
    "linear_decay",
    "step_decay",
    "warmup",
]

Schedule = Callable[[int], float]

_SMALLEST = sys.float_info.min  # of the normal doubles


class Optimizer:
    """What all have in common: the parameters, the count of steps, and what is remembered.

    `memory` has an array of doubles by name; a subclass says which it needs and how it moves.
    """

    memory_names: tuple[str, ...] = ()

    def __init__(self, parameters: Iterable[Value], lr: float | Schedule) -> None:
        if not isinstance(parameters, Iterable):
            raise OperandError(
                f"an optimiser takes a list of parameters, such as model.parameters(), "
                f"not {type(parameters).__name__}"
            )
        self.parameters = list(parameters)
        if not self.parameters:
            raise OperandError("an optimiser takes at least one parameter, got an empty list")
        for value in self.parameters:
            if not isinstance(value, Value):
                raise OperandError(f"a parameter is a Value, not {type(value).__name__}")
        if len(set(self.parameters)) != len(self.parameters):
            raise OperandError("a parameter is in the list twice: it would move twice a step")
        if not callable(lr):
            _at_least_zero("lr", lr)
        self.lr = lr
        self.steps = 0
        zeros = bytes(8 * len(self.parameters))
        self.memory = {name: array("d", zeros) for name in self.memory_names}

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        if not callable(self.lr):
            return self.lr
        rate = self.lr(self.steps)
        try:  # for each step: no call for what is right
            if 0 <= rate < math.inf:
                return rate
        except TypeError:
            pass
        raise OperandError(
            f"the schedule gives {rate!r:.40} for step {self.steps}, counted from 0; a learning "
            "rate is a number from 0 on"
        )

    def step(self, *, zero_grad: bool = True) -> None:
        """Move the parameters against their gradients, and set the gradients to 0 unless told."""
        if modes.active:
            modes.forbid("step()")
        self._move(self.rate)
        self.steps += 1
        if zero_grad:
            self.zero_grad()

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for value in self.parameters[steps.clear_grads(self.parameters) :]:
            value.grad = 0.0

    def state_dict(self) -> dict[str, Any]:
        """Return what a later run needs to go on: the count of steps, and the memory."""
        return {"steps": self.steps, "memory": {k: list(v) for k, v in self.memory.items()}}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a state of the same kind of optimiser over as many parameters."""
        if not isinstance(state, Mapping) or not {"steps", "memory"} <= set(state):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise OperandError(
                f"a state has steps and memory, as state_dict() gives it, not {state!r:.40}"
            )
        memory: Mapping[str, list[float]] = state["memory"]
        if set(memory) != set(self.memory):
            raise OperandError(f"the state remembers {sorted(memory)}, not {sorted(self.memory)}")
        for name, numbers in memory.items():
            if len(numbers) != len(self.parameters):
                raise OperandError(
                    f"{name} has {len(numbers)} entries for {len(self.parameters)} parameters"
                )
        steps = state["steps"]
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 0:
            raise OperandError(f"steps is a count, not {steps!r}")
        try:
            self.memory = {name: array("d", memory[name]) for name in self.memory_names}
        except TypeError as error:
            raise OperandError(f"the memory of an optimiser is numbers: {error}") from None
        self.steps = steps

    def _move(self, rate: float) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        rate = "a schedule" if callable(self.lr) else repr(self.lr)
        return f"{type(self).__name__}(parameters={len(self.parameters)}, lr={rate})"


class SGD(Optimizer):
    """p -= lr·grad.

    >>> from gradwalk import Value
    >>> from gradwalk.optim import SGD
    >>> w = Value(3.0)
    >>> opt = SGD([w], lr=0.1)
    >>> (w * w).backward()
    >>> opt.step()
    >>> w.data
    2.4
    """

    def __init__(
        self, parameters: Iterable[Value], lr: float | Schedule, weight_decay: float = 0.0
    ) -> None:
        super().__init__(parameters, lr)
        self.weight_decay = _at_least_zero("weight_decay", weight_decay)

    def _move(self, rate: float) -> None:
        decay = self.weight_decay
        done = steps.sgd(self.parameters, rate, decay)
        for value in self.parameters[done:]:
            value.data -= rate * (value.grad + decay * value.data)


class Momentum(Optimizer):
    """velocity = momentum·velocity + grad; p -= lr·velocity.

    Nesterov's form looks one step ahead: p -= lr·(grad + momentum·velocity).
    """

    memory_names = ("velocity",)

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule,
        momentum: float = 0.9,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters, lr)
        self.momentum = _below_one("momentum", momentum)
        self.nesterov = nesterov
        self.weight_decay = _at_least_zero("weight_decay", weight_decay)

    def _move(self, rate: float) -> None:
        momentum, decay, velocity = self.momentum, self.weight_decay, self.memory["velocity"]
        done = steps.momentum(self.parameters, velocity, rate, momentum, decay, self.nesterov)
        for i, value in enumerate(self.parameters[done:], done):
            grad = value.grad + decay * value.data
            velocity[i] = speed = _flushed(momentum * velocity[i] + grad)
            value.data -= rate * (grad + momentum * speed if self.nesterov else speed)


class Adam(Optimizer):
    """Each parameter moves by its mean gradient over its root mean square: about lr a step.

    Both means are running ones, divided by what they lack because they started at 0.
    """

    memory_names = ("mean", "square")

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(parameters, lr)
        if not isinstance(betas, tuple | list) or len(betas) != 2:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]
            raise OperandError(f"betas is two numbers, such as (0.9, 0.999), not {betas!r:.40}")
        self.betas = (_below_one("beta 1", betas[0]), _below_one("beta 2", betas[1]))
        self.epsilon = _at_least_zero("epsilon", epsilon)

    def _move(self, rate: float) -> None:
        beta1, beta2 = self.betas
        means, squares, epsilon = self.memory["mean"], self.memory["square"], self.epsilon
        lack1 = 1 - beta1 ** (self.steps + 1)
        lack2 = 1 - beta2 ** (self.steps + 1)
        done = steps.adam(
            self.parameters, means, squares, rate, beta1, beta2, lack1, lack2, epsilon
        )
        for i, value in enumerate(self.parameters[done:], done):
            grad = value.grad
            means[i] = mean = _flushed(beta1 * means[i] + (1 - beta1) * grad)
            squares[i] = square = _flushed(beta2 * squares[i] + (1 - beta2) * (grad * grad))
            value.data -= rate * (mean / lack1) / (math.sqrt(square / lack2) + epsilon)


class AdamW(Adam):
    """Adam, with parameters drawn towards 0 by lr·weight_decay a step, apart from the gradient."""

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(parameters, lr, betas, epsilon)
        self.weight_decay = _at_least_zero("weight_decay", weight_decay)

    def _move(self, rate: float) -> None:
        kept = 1 - rate * self.weight_decay
        for value in self.parameters[steps.scale_data(self.parameters, kept) :]:
            value.data *= kept
        super()._move(rate)


# ── Schedules ────────────────────────────────────────────────────────────────────────────────


def linear_decay(lr: float, steps: int) -> Schedule:
    """From lr in a straight line to 0 after `steps` steps.

    >>> from gradwalk.optim import linear_decay
    >>> [linear_decay(0.5, 4)(step) for step in range(5)]
    [0.5, 0.375, 0.25, 0.125, 0.0]
    """
    _positive("steps", steps)
    return lambda step: lr * max(0.0, 1 - step / steps)


def cosine_decay(lr: float, steps: int, lowest: float = 0.0) -> Schedule:
    """From lr along half a cosine to `lowest` after `steps` steps, and that from then on."""
    _positive("steps", steps)
    return lambda step: (
        lowest + (lr - lowest) * (1 + math.cos(math.pi * min(1.0, step / steps))) / 2
    )


def step_decay(lr: float, every: int, factor: float = 0.1) -> Schedule:
    """Multiplied by `factor` after each `every` steps."""
    _positive("every", every)
    return lambda step: lr * factor ** (step // every)


def warmup(schedule: float | Schedule, steps: int) -> Schedule:
    """Rise in a straight line over the first `steps` steps to what `schedule` says."""
    _positive("steps", steps)

    def rate(step: int) -> float:
        later = schedule(step) if callable(schedule) else schedule
        return later * min(1.0, (step + 1) / steps)

    return rate


# ── Clipping ─────────────────────────────────────────────────────────────────────────────────


def grad_norm(parameters: Iterable[Value]) -> float:
    """Return the length of the gradient as one vector."""
    return math.hypot(*[value.grad for value in parameters])


def clip_grad_norm(parameters: Iterable[Value], longest: float) -> float:
    """Shorten the gradient to `longest` where it is longer; return the length it had.

    A gradient that has a nan or an inf is left as it is: no length would make it right.
    """
    _at_least_zero("the longest norm", longest)
    values = list(parameters)
    length = grad_norm(values)
    if longest < length < math.inf:
        share = longest / length
        for value in values[steps.scale_grads(values, share) :]:
            value.grad *= share
    return length


def clip_grad_value(parameters: Iterable[Value], most: float) -> None:
    """Bring every gradient into the interval from -most to most; a nan stays one."""
    _at_least_zero("the largest gradient", most)
    for value in parameters:
        if abs(value.grad) > most:
            value.grad = math.copysign(most, value.grad)


def _flushed(number: float) -> float:
    return 0.0 if abs(number) < _SMALLEST else number


def _at_least_zero(name: str, number: float) -> float:
    if not _is_from_zero(number):
        raise OperandError(f"{name} is a number from 0 on, not {number!r:.40}")
    return number


def _is_from_zero(number: Any) -> bool:
    try:
        return 0 <= number < math.inf
    except TypeError:
        return False


def _below_one(name: str, number: float) -> float:
    if not _is_from_zero(number) or number >= 1:
        raise OperandError(f"{name} is a number from 0 to below 1, not {number!r}")
    return number


def _positive(name: str, count: int) -> None:
    if count < 1:
        raise OperandError(f"{name} is at least 1, not {count!r}")
