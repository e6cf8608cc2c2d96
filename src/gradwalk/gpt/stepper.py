"""What moves a model's parameters: tokens of a document in, its loss out.

`Training` decides what is learnt and when; a stepper does it. It may keep the numbers wherever it
is fastest with them. All that others need is to read and set them as plain arrays (`state`,
`load`), and to find them in the model's Values when they ask for these (`refresh`). `FORMS` names
the steppers that there are.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gradwalk.engine import Buffers, zero_grad
from gradwalk.gpt import breaks
from gradwalk.gpt.fast import FastGPT
from gradwalk.gpt.model import GPT
from gradwalk.optim import Adam, linear_decay
from gradwalk.program import backends, compile  # noqa: A004

if TYPE_CHECKING:
    from gradwalk.gpt.training import Run

__all__ = [
    "DEFAULT_FORM",
    "FORMS",
    "MEMORIES",
    "EagerStepper",
    "Form",
    "ReplayStepper",
    "State",
    "Stepper",
]

MEMORIES = Adam.memory_names


class State(NamedTuple):
    """The numbers of a run between two steps, each array in the order of `model.parameters()`."""

    steps: int
    parameters: array[float]
    memory: dict[str, array[float]]  # of the optimiser, by the names in MEMORIES
    gradients: array[float]  # 0, but for the break no-zero-grad


class Stepper(Protocol):
    """One way to train."""

    @property
    def preparing(self) -> float:
        """Seconds spent so far on what is done once, not for every step."""
        ...

    @property
    def steps(self) -> int:
        """How many steps were done."""
        ...

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        ...

    def step(self, tokens: Sequence[int], watch: Callable[[], None] | None = None) -> float:
        """Move the parameters by one document and return its loss.

        `watch` is called in between: the model's Values then hold the parameters as they were and
        the gradients of this document.
        """
        ...

    def state(self) -> State:
        """Return all numbers that decide the steps to come."""
        ...

    def load(self, state: State) -> None:
        """Go on from these numbers."""
        ...

    def refresh(self) -> None:
        """Set the data of the model's Values to the parameters as they are now."""
        ...


class EagerStepper:
    """Forward, backward, step, on the model's own Values: nothing to refresh."""

    preparing = 0.0

    def __init__(self, model: GPT, run: Run) -> None:
        self._model = model
        self._broken = run.broken
        self._optimizer = _adam(model, run)
        self._buffers = Buffers()

    @property
    def steps(self) -> int:
        return self._optimizer.steps

    @property
    def rate(self) -> float:
        return self._optimizer.rate

    def step(self, tokens: Sequence[int], watch: Callable[[], None] | None = None) -> float:
        loss = self._model.loss(tokens)
        if self._broken == "overwrite-grads":
            breaks.backward_overwriting(loss)
        else:
            loss.backward(self._buffers)
        if watch is not None:
            watch()
        self._optimizer.step()
        if self._broken != "no-zero-grad":
            self._optimizer.zero_grad()
        return loss.data

    def state(self) -> State:
        parameters = self._optimizer.parameters
        return State(
            self.steps,
            array("d", [value.data for value in parameters]),
            {name: numbers[:] for name, numbers in self._optimizer.memory.items()},
            array("d", [value.grad for value in parameters]),
        )

    def load(self, state: State) -> None:
        numbers = zip(self._optimizer.parameters, state.parameters, state.gradients, strict=True)
        for value, data, grad in numbers:
            value.data, value.grad = data, grad
        self._optimizer.memory = {name: state.memory[name][:] for name in MEMORIES}
        self._optimizer.steps = state.steps

    def refresh(self) -> None:
        pass


class ReplayStepper:
    """The loss, recorded once for each length of document, then replayed; all numbers in arrays."""

    def __init__(self, model: GPT, run: Run) -> None:
        self._longest = model.config.block_size + 1  # the loss reads no more of a document
        self._optimizer = _adam(model, run)
        # Started for as long as the stepper lives: `refresh` writes back.
        self._trainer = compile(model.loss).train(self._optimizer).start()
        self._shown = True  # until a step, the numbers are those of the Values
        self._lengths: set[int] = set()
        self.preparing = 0.0

    @property
    def steps(self) -> int:
        return self._optimizer.steps

    @property
    def rate(self) -> float:
        return self._optimizer.rate

    def step(self, tokens: Sequence[int], watch: Callable[[], None] | None = None) -> float:
        trainer, tokens = self._trainer, tokens[: self._longest]
        if self._shown:
            self._take_back()
        if len(tokens) not in self._lengths:  # the first of its length: this records and compiles
            began = perf_counter()
            trainer.value_and_grad(tokens)
            self.preparing += perf_counter() - began
            self._lengths.add(len(tokens))
        if watch is None:
            return trainer.step(tokens)
        loss = trainer.value_and_grad(tokens)
        self.refresh()
        for value, grad in zip(self._optimizer.parameters, trainer.grads, strict=True):
            value.grad = grad
        watch()
        zero_grad(self._optimizer.parameters)
        self._take_back()
        trainer.update()
        return loss

    def _take_back(self) -> None:
        """Go on from the Values: while they were shown, someone may have set them."""
        self._trainer.values[:] = array("d", [v.data for v in self._optimizer.parameters])
        self._shown = False

    def state(self) -> State:
        if self._shown:
            self._take_back()
        parameters = self._trainer.values[:]
        memory = {name: numbers[:] for name, numbers in self._optimizer.memory.items()}
        return State(self.steps, parameters, memory, array("d", bytes(8 * len(parameters))))

    def load(self, state: State) -> None:
        self._trainer.values[:] = state.parameters
        self._shown = False
        for name, numbers in self._optimizer.memory.items():
            numbers[:] = state.memory[name]
        self._optimizer.steps = state.steps

    def refresh(self) -> None:
        if not self._shown:
            self._trainer.sync()
            self._shown = True


def _replaying(model: GPT, run: Run) -> Stepper:
    """Return a stepper that replays; two breaks are mistakes in the walk itself, made on Values."""
    by_hand = run.broken in ("overwrite-grads", "no-zero-grad")
    return EagerStepper(model, run) if by_hand else ReplayStepper(model, run)


def _adam(model: GPT, run: Run) -> Adam:
    rate = run.lr if run.broken == "no-decay" else linear_decay(run.lr, run.steps)
    return Adam(model.parameters(), rate, (run.beta1, run.beta2), run.epsilon)


class Form(NamedTuple):
    """One implementation of the model, with its trainer."""

    model: type[GPT]
    stepper: Callable[[GPT, Run], Stepper]
    words: str


FORMS: dict[str, Form] = {
    "scalar": Form(GPT, EagerStepper, "every operation written out"),
    "fast": Form(FastGPT, EagerStepper, "in n-ary operations"),
    "replay": Form(GPT, _replaying, "every operation written out, recorded and replayed in C"),
}

DEFAULT_FORM = "replay" if backends.name == "native" else "fast"
