"""Training on JAX's devices: parameters and the optimiser's memory stay there between steps."""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np

from gradwalk.errors import ProgramError
from gradwalk.optim import SMALLEST, Adam, AdamW, Optimizer
from gradwalk.program.ir import Stage
from gradwalk.program.on_jax.devices import compiled, spread
from gradwalk.program.on_jax.lowering import columns, jax_modules, places, reader

__all__ = ["JaxTrainer"]

_AHEAD = 256  # steps whose numbers of the optimiser are sent at once


class JaxTrainer:
    """What `on_jax.train(optimizer)` returns; `step` moves the parameters by a batch.

    `Trainer.batch` does the same on this machine. The Values and the optimiser follow at `sync()`.
    """

    def __init__(self, on_jax: Any, optimizer: Optimizer, devices: Any) -> None:
        if not isinstance(optimizer, Adam) or type(optimizer) not in (Adam, AdamW):
            raise ProgramError(
                f"on JAX the optimiser is Adam or AdamW, not {type(optimizer).__name__}; "
                "`f.train(optimizer)` takes any, on this machine"
            )
        self._on_jax, self._devices = on_jax, devices
        self.optimizer = optimizer
        moved = {*map(id, optimizer.parameters)}
        self._others = [v for v in on_jax.recording.parameters if id(v) not in moved]
        self._form = on_jax.lowered(self._in_order())
        self._made: dict[Any, Any] = {}
        self._sent: dict[str, tuple[Any, Any]] = {}  # arrays here, and the same on the devices
        # The optimiser's numbers on the devices: a row for each of the next steps.
        self._table: Any = None
        self._row: Any = None  # which one is next
        self._left = 0  # how many are left
        self._next: Any = None  # the step that the next one is for, and its numbers
        self.state: tuple[Any, ...] = ()
        self.steps = 0  # made here; `optimizer.steps` counts those before, too
        self._grads: Any = None
        self.load()

    def _in_order(self) -> Stage:
        """Return the program with the parameters' slots in the optimiser's order.

        The rows of a matrix then follow each other, and JAX reads it without a table.
        """
        recording = self._on_jax.recording
        stage, base = Stage.recorded(recording.program.masked()), recording.argument_slots
        order = {id(value): k for k, value in enumerate(self.optimizer.parameters)}
        keys = map(id, recording.parameters)
        slots = [*range(base), *[base + order.setdefault(key, len(order)) for key in keys]]
        numbers = array("d", stage.numbers)
        for i, name in enumerate(stage.operations):
            if name == "input":
                numbers[i] = slots[int(numbers[i])]
        return Stage(
            stage.operations, stage.starts, stage.args, numbers, stage.origins, stage.results,
            stage.outputs, stage.forward,
        )  # fmt: skip

    @property
    def grads(self) -> list[float]:
        """The gradients that the last step moved the parameters by, in the optimiser's order."""
        return np.asarray(self._grads, np.float64).tolist()

    def load(self) -> None:
        """Go on from the numbers of the Values and of the optimiser's memory."""
        memory = [self.optimizer.memory[name] for name in Adam.memory_names]
        parameters = [value.data for value in self.optimizer.parameters]
        arrays = [np.asarray(x, self._on_jax.dtype) for x in (parameters, *memory)]
        self.state = tuple(spread(arrays, [], self._devices)[0])

    def step(self, /, *args: Any, **named: Any) -> Any:
        """Move the parameters by the mean over scenarios; return that mean from before the move.

        It is a number of JAX's, which may still be computed: `float` waits for it.
        """
        shared, across, varies = self._on_jax.split(args, named, parameters=False)
        others = np.asarray([value.data for value in self._others], self._on_jax.dtype)
        self._send_numbers()
        same = [self._table, self._row, self._send("shared", shared), self._send("others", others)]
        _, across = spread([], across, self._devices)
        key = tuple(varies)
        if key not in self._made:
            self._made[key] = compiled(self._stepping(varies), self._devices)
        moved, (loss, self._grads) = self._made[key]((self.state, *same), across)
        self.state, self._row = moved
        self.optimizer.steps += 1
        self.steps += 1
        return loss

    def _send(self, name: str, array: Any) -> Any:
        """Return an array on the devices; the array sent last under this name is not sent again.

        Sending one to a GPU takes longer than a step of a small model.
        """
        jax, _ = jax_modules()
        if isinstance(array, jax.Array):
            return spread([array], [], self._devices)[0][0]
        before, there = self._sent.get(name, (None, None))
        if before is None or before.tobytes() != array.tobytes():
            (there,), _ = spread([array], [], self._devices)
            there = jax.device_put(there) if self._devices is None else there
            self._sent[name] = array, there
        return there

    def _send_numbers(self) -> None:
        """Send the optimiser's numbers for this step and more, unless the next row has them."""
        optimizer = self.optimizer
        now = (optimizer.steps, optimizer.numbers(optimizer.rate))
        if self._next != now or self._left == 0:
            # A rate that has just changed will change again, and then one row is enough.
            self._left = _AHEAD if self._next in (None, now) else 1
            rows = [optimizer.numbers(optimizer.rate, ahead) for ahead in range(self._left)]
            rows += rows[:1] * (_AHEAD - self._left)  # JAX compiles again for another size
            self._table = self._send("numbers", np.asarray(rows, self._on_jax.dtype))
            self._row = self._send("row", np.zeros((), np.int32))
        self._next = (optimizer.steps + 1, optimizer.numbers(optimizer.rate, 1))
        self._left -= 1

    def _stepping(self, varies: list[bool]) -> Callable[..., Any]:
        """Return the function of one step."""
        jax, jnp = jax_modules()
        every = [*varies, *[False] * (len(self.optimizer.parameters) + len(self._others))]
        place = places(every)

        def step(total: Any, same: Any, across: Any) -> Any:
            state, table, at, shared, others = same
            numbers = jax.lax.dynamic_index_in_dim(table, at, keepdims=False)
            rows = columns(across, self._on_jax.dtype)
            count = total(rows.shape[1])

            def loss(parameters: Any) -> Any:
                row = jnp.concatenate([shared, parameters, others])
                get = reader(every, place, row, rows)
                (found,) = self._form.run_for_gradient(get, rows.shape[1:])
                return found.sum() / count

            value, grads = jax.value_and_grad(loss)(state[0])
            grads = total(grads)
            return (_moved(grads, *state, *numbers), at + 1), (total(value), grads)

        return step

    def sync(self) -> None:
        """Write the numbers back to the Values and the optimiser."""
        parameters, *memory = [np.asarray(x, np.float64) for x in self.state]
        for value, number in zip(self.optimizer.parameters, parameters.tolist(), strict=True):
            value.data, value.grad = number, 0.0
        for name, numbers in zip(Adam.memory_names, memory, strict=True):
            self.optimizer.memory[name] = array("d", numbers.tobytes())


def _moved(
    grads: Any, data: Any, mean: Any, square: Any, rate: Any, beta1: Any, beta2: Any, epsilon: Any,
    bias_correction1: Any, bias_correction2: Any, kept: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Return the parameters after a step of Adam and its memory: `optim.adam_moved` on arrays."""
    _, jnp = jax_modules()

    def flushed(x: Any) -> Any:
        return jnp.where(jnp.abs(x) < SMALLEST, 0.0, x)

    mean = flushed(beta1 * mean + (1 - beta1) * grads)
    square = flushed(beta2 * square + (1 - beta2) * (grads * grads))
    root = jnp.sqrt(square / bias_correction2)
    return data * kept - rate * (mean / bias_correction1) / (root + epsilon), mean, square
