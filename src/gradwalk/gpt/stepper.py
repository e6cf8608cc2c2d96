"""What moves a model's parameters: tokens of documents in, their mean loss out.

`Training` decides what is learnt and when; a stepper does it. It may keep the numbers wherever it
is fastest with them. All that others need is to read and set them as plain arrays (`state`,
`load`), and to find them in the model's Values when they ask for these (`refresh`). `FORMS` names
the steppers that there are.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from operator import add, mul
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk.engine import Buffers, Value, zero_grad
from gradwalk.errors import OperandError, ProgramError
from gradwalk.gpt import breaks
from gradwalk.gpt.fast import FastGPT
from gradwalk.gpt.model import GPT, Past, total
from gradwalk.optim import Adam, linear_decay
from gradwalk.program import backends, compile  # noqa: A004

if TYPE_CHECKING:
    from gradwalk.gpt.training import Run

MEMORIES = Adam.memory_names


class State(NamedTuple):
    """The numbers of a run between two steps, each array in the order of `model.parameters()`."""

    steps: int
    parameters: array[float]
    memory: dict[str, array[float]]  # of the optimiser, by the names in MEMORIES
    gradients: array[float]  # 0, but for the break no-zero-grad


Batch = Sequence[Sequence[int]]  # the tokens of the documents of one step


class Stepper:
    """One way to train: `step`, and the numbers of the run, by default those of the Values."""

    _optimizer: Adam
    _trainer: Any = None  # what has the numbers while the Values do not, and writes them by `sync`
    _shown = True  # whether the numbers are those of the Values
    preparing = 0.0  # seconds spent so far on what is done once, not for every step

    @property
    def steps(self) -> int:
        """How many steps were done."""
        return self._optimizer.steps

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        return self._optimizer.rate

    def step(self, batch: Batch, watch: Callable[[], None] | None = None) -> float:
        """Move the parameters by some documents and return the mean of their losses.

        `watch` is called in between: the model's Values then hold the parameters as they were and
        the gradients of this mean.
        """
        raise NotImplementedError

    def state(self) -> State:
        """Return all numbers that decide the steps to come."""
        self.refresh()
        values = self._optimizer.parameters
        return State(
            self.steps,
            array("d", [value.data for value in values]),
            {name: numbers[:] for name, numbers in self._optimizer.memory.items()},
            array("d", [value.grad for value in values]),
        )

    def load(self, state: State) -> None:
        """Go on from these numbers."""
        numbers = zip(self._optimizer.parameters, state.parameters, state.gradients, strict=True)
        for value, data, grad in numbers:
            value.data, value.grad = data, grad
        for name, memory in self._optimizer.memory.items():
            memory[:] = state.memory[name]
        self._optimizer.steps = state.steps
        self._shown = True

    def refresh(self) -> None:
        """Set the data of the model's Values to the parameters as they are now."""
        if not self._shown:
            self._trainer.sync()
            self._shown = True

    def _look(self, watch: Callable[[], None]) -> None:
        """Call `watch` while the Values have the trainer's gradients."""
        for value, grad in zip(self._optimizer.parameters, self._trainer.grads, strict=True):
            value.grad = grad
        watch()
        zero_grad(self._optimizer.parameters)


class EagerStepper(Stepper):
    """Forward, backward, step, on the model's own Values: nothing to refresh."""

    def __init__(self, model: GPT, run: Run) -> None:
        self._model = model
        self._broken = run.broken
        self._optimizer = _adam(model, run)
        self._buffers = Buffers()

    def step(self, batch: Batch, watch: Callable[[], None] | None = None) -> float:
        loss, *more = [self._model.loss(tokens) for tokens in batch]
        if more:
            loss = (1 / len(batch)) * total([loss, *more])
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


class ReplayStepper(Stepper):
    """The loss, recorded once for each length of document, then replayed; all numbers in arrays."""

    def __init__(self, model: GPT, run: Run) -> None:
        self._longest = model.config.block_size + 1  # the loss reads no more of a document
        self._optimizer = _adam(model, run)
        # Started for as long as the stepper lives: `refresh` writes back.
        self._trainer = compile(model.loss).train(self._optimizer).start()
        self._lengths: set[int] = set()
        self.preparing = 0.0

    def step(self, batch: Batch, watch: Callable[[], None] | None = None) -> float:
        trainer = self._trainer
        if self._shown:
            self._take_back()
        for tokens in batch:
            length = min(len(tokens), self._longest)
            if length not in self._lengths:  # the first of its length: this records and compiles
                began = perf_counter()
                trainer.value_and_grad(tokens[:length])
                self.preparing += perf_counter() - began
                self._lengths.add(length)
        if watch is None and len(batch) == 1:
            return trainer.step(batch[0][: self._longest])
        loss = self._value_and_grad(batch)
        if watch is None:
            trainer.update()
            return loss
        self.refresh()
        self._look(watch)
        self._take_back()
        trainer.update()
        return loss

    def _value_and_grad(self, batch: Batch) -> float:
        """Return the mean of the losses, and leave its gradients with the trainer."""
        trainer, share = self._trainer, 1 / len(batch)
        loss = trainer.value_and_grad(batch[0][: self._longest])
        if len(batch) == 1:
            return loss
        sums = trainer.grads[:]
        for tokens in batch[1:]:
            loss += trainer.value_and_grad(tokens[: self._longest])
            sums = array("d", map(add, sums, trainer.grads))
        trainer.grads[:] = array("d", [share * grad for grad in sums])
        return share * loss

    def _take_back(self) -> None:
        """Go on from the Values: while they were shown, someone may have set them."""
        self._trainer.values[:] = array("d", [v.data for v in self._optimizer.parameters])
        self._shown = False


class JaxStepper(Stepper):
    """The loss, recorded once for the longest document, on JAX's devices.

    Shorter documents are filled up with positions that count for nothing. Each device has its share
    of a batch, and one sum over the devices follows. The numbers agree with the replay's to about
    1e-12, whatever the number of devices.
    """

    def __init__(self, model: GPT, run: Run, devices: int | None = None) -> None:
        if run.broken in _BY_HAND:
            raise OperandError(f"--break {run.broken} is made on Values, not on JAX")
        from gradwalk.program.on_jax.devices import mesh_of

        devices = devices or len(mesh_of(None).devices)
        if run.batch % mesh_of(devices).size:
            raise OperandError(
                f"a batch of {run.batch} does not divide into {devices} equal shares, one per "
                f"device; take a multiple of {devices} documents, or fewer devices"
            )
        self._size = model.config.block_size
        self._optimizer = _adam(model, run)
        self._devices = devices
        self._model = model
        self.preparing = 0.0

    def step(self, batch: Batch, watch: Callable[[], None] | None = None) -> float:
        if self._shown:
            self._take_back()
        if watch is not None:
            self.refresh()
        began, is_first = perf_counter(), not self._trainer.steps
        before = self._trainer.state, self.steps
        try:
            loss = float(self._trainer.step(*self._filled_up(batch)))
        except RuntimeError as error:  # what JAX raises when a device or another process is lost
            self._trainer.state, self._optimizer.steps = before
            reason = str(error).partition("\n")[0]
            raise ProgramError(
                f"JAX failed in step {self.steps + 1}: {reason:.200}; nothing of it was kept. "
                "`gpt train --resume` goes on from the last checkpoint, on any number of devices"
            ) from error
        if is_first:
            self.preparing += perf_counter() - began
        if watch is not None:
            self._look(watch)
        self._shown = False
        return loss

    def _filled_up(self, batch: Batch) -> tuple[Any, Any]:
        """Return tokens and the weight of each position in the loss, a row for each document."""
        import numpy as np  # JAX needs it, so it is there

        tokens = np.zeros((len(batch), self._size + 1))
        shares = np.zeros((len(batch), self._size))
        for row, document in enumerate(batch):
            n = min(len(document) - 1, self._size)
            tokens[row, : n + 1] = document[: n + 1]
            shares[row, :n] = 1 / n
        return tokens, shares

    def _take_back(self) -> None:
        """Read the Values, which may have been set since, and the optimiser's memory."""
        if self._trainer is None:
            began, model = perf_counter(), self._model

            def loss(tokens: Any, shares: Any) -> Value:
                """Return what `model.loss` does, with a weight for each position."""
                past = [Past() for _ in model.layers]
                logits = [model.logits(tokens[k], k, past) for k in range(self._size)]
                return total(map(mul, shares, map(model.surprise, logits, tokens[1:])))

            on_jax = compile(loss).to_jax([0] * (self._size + 1), [0.0] * self._size)
            self._trainer = on_jax.train(self._optimizer, devices=self._devices)
            self.preparing += perf_counter() - began
        else:
            self._trainer.load()
        self._shown = False


_BY_HAND = ("overwrite-grads", "no-zero-grad")  # breaks that are mistakes in the walk itself


def _replaying(model: GPT, run: Run) -> Stepper:
    """Return a stepper that replays; two breaks are made on Values."""
    return (EagerStepper if run.broken in _BY_HAND else ReplayStepper)(model, run)


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
