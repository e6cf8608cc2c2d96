"""Optimisers: they move a list of Values against their gradients, as in PyTorch.

    opt = Adam(model.parameters(), lr=0.01)
    for document in documents:
        opt.zero_grad()                  # gradients add up until they are set to 0
        loss = model.loss(document)      # forward
        loss.backward()                  # backward
        opt.step()                       # the parameters move, their gradients stay

A learning rate is a number, or a schedule: a function from the step, counted from 0, to a number.
An optimiser's memory is kept in arrays of doubles, one entry per parameter. Entries below 2**-960,
about 1e-289, become 0: they change nothing, and arithmetic on subnormal numbers is many times
slower.

`sgd_moved`, `momentum_moved` and `adam_moved` are the formulas for one parameter. All other loops
give the same bits. The interpreter of programs calls these functions; the loops in C, over Values
(`engine.steps`) and over arrays (`program`), repeat them in engine/native/optimiser_loops.h.
"""

from __future__ import annotations

import math
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
    "adam_moved",
    "clip_grad_norm",
    "clip_grad_value",
    "cosine_decay",
    "grad_norm",
    "linear_decay",
    "momentum_moved",
    "sgd_moved",
    "step_decay",
    "warmup",
]

Schedule = Callable[[int], float]

SMALLEST = 2.0**-960


class Optimizer:
    """The base class: the parameters, the number of steps done, and the memory.

    `memory` maps names to arrays of doubles. A subclass lists the names it needs in `memory_names`
    and implements `_move`. `counter` holds the number of steps: a move in C counts its step, so
    that Ctrl-C cannot come between the two. `settings` names the attributes that a step reads.
    They are checked when they are set, so no step runs with a learning rate of nan.
    """

    memory_names: tuple[str, ...] = ()
    settings: tuple[str, ...] = ("lr",)

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
            raise OperandError("a parameter is in the list twice: each step would move it twice")
        self.lr = lr
        self.counter = array("d", [0.0])
        zeros = bytes(8 * len(self.parameters))
        self.memory = {name: array("d", zeros) for name in self.memory_names}

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.settings:
            _need(name, value, _SETTINGS[name])
        super().__setattr__(name, value)

    @property
    def steps(self) -> int:
        """The number of steps done."""
        return int(self.counter[0])

    @steps.setter
    def steps(self, count: int) -> None:
        self.counter[0] = count

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
            "rate is a finite number of at least 0"
        )

    def step(self) -> None:
        """Move the parameters against their gradients. The gradients stay: see `zero_grad`.

        An error or Ctrl-C leaves a whole step or none.
        """
        if modes.active:
            modes.forbid("step()")
        rate = self.rate
        if self._move_in_c(rate):
            return
        data, count = [value.data for value in self.parameters], self.counter[:]
        memory = {name: numbers[:] for name, numbers in self.memory.items()}
        try:
            self._move(rate)
            self.counter[0] += 1
        except BaseException:
            for value, before in zip(self.parameters, data, strict=True):
                if value.data != before:
                    value.data = before
            for name, numbers in memory.items():
                self.memory[name][:] = numbers
            self.counter[:] = count
            raise

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for value in self.parameters[steps.clear_grads(self.parameters) :]:
            value.grad = 0.0

    def state_dict(self) -> dict[str, Any]:
        """Return the number of steps and the memory, for a later run to continue from."""
        return {"steps": self.steps, "memory": {k: list(v) for k, v in self.memory.items()}}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of an optimiser of the same kind and number of parameters."""
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

    def _move_in_c(self, rate: float) -> bool:
        """Move all parameters and count the step, or return False and touch nothing."""
        return False

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

    settings = ("lr", "weight_decay")

    def __init__(
        self, parameters: Iterable[Value], lr: float | Schedule, weight_decay: float = 0.0
    ) -> None:
        super().__init__(parameters, lr)
        self.weight_decay = weight_decay

    def _move_in_c(self, rate: float) -> bool:
        return steps.sgd(self.parameters, self.counter, rate, self.weight_decay)

    def _move(self, rate: float) -> None:
        decay = self.weight_decay
        for value in self.parameters:
            value.data = sgd_moved(value.data, value.grad, rate, decay)


class Momentum(Optimizer):
    """velocity = momentum·velocity + grad; p -= lr·velocity.

    Nesterov's form looks one step ahead: p -= lr·(grad + momentum·velocity).
    """

    memory_names = ("velocity",)
    settings = ("lr", "momentum", "weight_decay")

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule,
        momentum: float = 0.9,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters, lr)
        self.momentum = momentum
        self.nesterov = nesterov
        self.weight_decay = weight_decay

    def _move_in_c(self, rate: float) -> bool:
        settings = rate, self.momentum, self.weight_decay, self.nesterov
        return steps.momentum(self.parameters, self.counter, self.memory["velocity"], *settings)

    def _move(self, rate: float) -> None:
        momentum, decay, velocity = self.momentum, self.weight_decay, self.memory["velocity"]
        for i, value in enumerate(self.parameters):
            value.data, velocity[i] = momentum_moved(
                value.data, value.grad, velocity[i], rate, momentum, decay, self.nesterov
            )


class Adam(Optimizer):
    """Each parameter moves by its mean gradient over its root mean square: about lr per step.

    Both are running means that start at 0, so each is divided by its bias correction, 1 - beta**t.
    """

    memory_names = ("mean", "square")
    settings = ("lr", "betas", "epsilon")

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(parameters, lr)
        self.betas = betas
        self.epsilon = epsilon

    def numbers(
        self, rate: float, ahead: int = 0
    ) -> tuple[float, float, float, float, float, float, float]:
        """Return the arguments of `adam_moved` that all parameters share, so many steps ahead."""
        beta1, beta2 = self.betas
        step = self.steps + 1 + ahead
        return rate, beta1, beta2, self.epsilon, 1 - beta1**step, 1 - beta2**step, 1.0

    def _move_in_c(self, rate: float) -> bool:
        memory, numbers = self.memory, self.numbers(rate)
        return steps.adam(self.parameters, self.counter, memory["mean"], memory["square"], *numbers)

    def _move(self, rate: float) -> None:
        means, squares, numbers = self.memory["mean"], self.memory["square"], self.numbers(rate)
        for i, value in enumerate(self.parameters):
            value.data, means[i], squares[i] = adam_moved(
                value.data, value.grad, means[i], squares[i], *numbers
            )


class AdamW(Adam):
    """Adam that also shrinks each parameter by the factor 1 - lr·weight_decay per step."""

    settings = ("lr", "betas", "epsilon", "weight_decay")

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(parameters, lr, betas, epsilon)
        self.weight_decay = weight_decay

    def numbers(
        self, rate: float, ahead: int = 0
    ) -> tuple[float, float, float, float, float, float, float]:
        """Return what `adam_moved` takes after a parameter's own numbers, so many steps ahead."""
        return *super().numbers(rate, ahead)[:6], 1 - rate * self.weight_decay


# ── The formulas ─────────────────────────────────────────────────────────────────────────────


def sgd_moved(data: float, grad: float, rate: float, decay: float) -> float:
    """Return one parameter after a step of SGD."""
    return data - rate * (grad + decay * data)


def momentum_moved(
    data: float,
    grad: float,
    velocity: float,
    rate: float,
    momentum: float,
    decay: float,
    nesterov: bool,
) -> tuple[float, float]:
    """Return one parameter after a step of Momentum, and its velocity."""
    grad = grad + decay * data
    velocity = _flushed(momentum * velocity + grad)
    return data - rate * (grad + momentum * velocity if nesterov else velocity), velocity


def adam_moved(
    data: float,
    grad: float,
    mean: float,
    square: float,
    rate: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    bias_correction1: float,
    bias_correction2: float,
    kept: float,
) -> tuple[float, float, float]:
    """Return one parameter after a step of Adam, its mean and its square.

    `kept` is the factor that AdamW's decay multiplies the parameter by; for Adam it is 1.
    """
    mean = _flushed(beta1 * mean + (1 - beta1) * grad)
    square = _flushed(beta2 * square + (1 - beta2) * (grad * grad))
    variance = square / bias_correction2
    root = math.sqrt(variance) if variance >= 0 else math.nan
    return data * kept - rate * (mean / bias_correction1) / (root + epsilon), mean, square


# ── Schedules ────────────────────────────────────────────────────────────────────────────────


def linear_decay(lr: float, steps: int) -> Schedule:
    """From lr in a straight line to 0 after `steps` steps.

    >>> from gradwalk.optim import linear_decay
    >>> [linear_decay(0.5, 4)(step) for step in range(5)]
    [0.5, 0.375, 0.25, 0.125, 0.0]
    """
    _need("steps", steps, _COUNT)
    return lambda step: lr * max(0.0, 1 - step / steps)


def cosine_decay(lr: float, steps: int, lowest: float = 0.0) -> Schedule:
    """From lr along half a cosine to `lowest` after `steps` steps, and that from then on."""
    _need("steps", steps, _COUNT)
    return lambda step: (
        lowest + (lr - lowest) * (1 + math.cos(math.pi * min(1.0, step / steps))) / 2
    )


def step_decay(lr: float, every: int, factor: float = 0.1) -> Schedule:
    """Multiplied by `factor` after each `every` steps."""
    _need("every", every, _COUNT)
    return lambda step: lr * factor ** (step // every)


def warmup(schedule: float | Schedule, steps: int) -> Schedule:
    """Rise linearly over the first `steps` steps to the rate of `schedule`."""
    _need("steps", steps, _COUNT)

    def rate(step: int) -> float:
        later = schedule(step) if callable(schedule) else schedule
        return later * min(1.0, (step + 1) / steps)

    return rate


# ── Clipping ─────────────────────────────────────────────────────────────────────────────────


def grad_norm(parameters: Iterable[Value]) -> float:
    """Return the norm of all gradients taken as one vector."""
    return math.hypot(*[value.grad for value in parameters])


def clip_grad_norm(parameters: Iterable[Value], longest: float) -> float:
    """Scale the gradient down to the norm `longest` if it is longer; return the norm it had.

    A gradient with a nan or an inf is left alone: no scale would make it right.
    """
    _need("the longest norm", longest, _FROM_ZERO)
    values = list(parameters)
    length = grad_norm(values)
    if longest < length < math.inf:
        share = longest / length
        for value in values[steps.scale_grads(values, share) :]:
            value.grad *= share
    return length


def clip_grad_value(parameters: Iterable[Value], most: float) -> None:
    """Bring every gradient into the interval from -most to most; a nan stays one."""
    _need("the largest gradient", most, _FROM_ZERO)
    for value in parameters:
        if abs(value.grad) > most:
            value.grad = math.copysign(most, value.grad)


def _flushed(number: float) -> float:
    return 0.0 if abs(number) < SMALLEST else number


# ── What may be set ──────────────────────────────────────────────────────────────────────────


def _is_from_zero(number: Any) -> bool:
    try:
        return 0 <= number < math.inf
    except TypeError:
        return False


def _is_below_one(number: Any) -> bool:
    return _is_from_zero(number) and number < 1


def _are_betas(betas: Any) -> bool:
    return isinstance(betas, tuple | list) and len(betas) == 2 and all(map(_is_below_one, betas))  # pyright: ignore[reportUnknownArgumentType]


_Check = tuple[Callable[[Any], bool], str]


def _need(name: str, value: Any, check: _Check) -> None:
    is_right, words = check
    if not is_right(value):
        raise OperandError(f"{name} is {words}, not {value!r:.40}")


_FROM_ZERO: _Check = _is_from_zero, "a finite number of at least 0"
_COUNT: _Check = lambda count: count >= 1, "at least 1"
_SETTINGS: dict[str, _Check] = {
    "lr": (lambda rate: callable(rate) or _is_from_zero(rate), _FROM_ZERO[1]),
    "weight_decay": _FROM_ZERO,
    "momentum": (_is_below_one, "a number from 0 up to but not including 1"),
    "betas": (_are_betas, "two numbers from 0 up to but not including 1, such as (0.9, 0.999)"),
    # With 0, a parameter without a gradient so far would move by 0/0.
    "epsilon": (
        lambda number: _is_from_zero(number) and number > 0,
        "a number above 0, such as 1e-8",
    ),
}
