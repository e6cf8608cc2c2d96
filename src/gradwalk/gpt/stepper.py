"""What moves a model's parameters: tokens of a document in, its loss out.

`Training` decides what is learnt and when; a stepper does it. It may keep the numbers wherever it
is fastest with them. All that others need is to read and set them as plain arrays (`state`,
`load`), and to find them in the model's Values when they ask for these (`refresh`). `FORMS` names
the steppers that there are.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gradwalk.engine import Buffers
from gradwalk.gpt import breaks
from gradwalk.gpt.fast import FastGPT
from gradwalk.gpt.model import GPT
from gradwalk.optim import Adam, linear_decay

if TYPE_CHECKING:
    from gradwalk.gpt.training import Run

__all__ = ["FORMS", "MEMORIES", "EagerStepper", "Form", "State", "Stepper"]

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

    def __init__(self, model: GPT, run: Run) -> None:
        self._model = model
        self._broken = run.broken
        rate = run.lr if run.broken == "no-decay" else linear_decay(run.lr, run.steps)
        self._optimizer = Adam(model.parameters(), rate, (run.beta1, run.beta2), run.epsilon)
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
        self._optimizer.step(zero_grad=self._broken != "no-zero-grad")
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


class Form(NamedTuple):
    """A way to write the model, and what trains it."""

    model: type[GPT]
    stepper: Callable[[GPT, Run], Stepper]
    words: str


FORMS: dict[str, Form] = {
    "scalar": Form(GPT, EagerStepper, "every operation written out"),
    "fast": Form(FastGPT, EagerStepper, "in n-ary operations"),
}
