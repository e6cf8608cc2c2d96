"""Replay in plain Python: the specification of what `_replay` does in C, and what runs without it.

A back end is a `Replay` and the functions `sgd`, `momentum` and `adam`, over buffers of doubles. It
knows nothing of names, shapes or Values: those are `compiled`'s. Start reading at `value_and_grad`.
"""

from __future__ import annotations

import math
import operator
import struct
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from gradwalk import ops
from gradwalk.errors import ProgramError
from gradwalk.optim import adam_moved, momentum_moved, sgd_moved
from gradwalk.program.ir import CODES, CONST, INPUT, SELECTING, Program, check

__all__ = ["FORWARD", "Replay", "adam", "momentum", "sgd"]

Buffer = Any  # what memoryview takes


class Replay:
    """A program made ready for one set of inputs to differentiate by (`wrt`).

    The gradient is that of the sum of outputs, each times its number in `seeds`.
    """

    stages: tuple[str, ...] = ("recorded",)

    def __init__(
        self,
        codes: Buffer,
        starts: Buffer,
        args: Buffer,
        numbers: Buffer,
        outputs: Buffer,
        slots: int,
        wrt: Buffer,
        seeds: Buffer,
        float32: bool = False,
        slot_of: Buffer | None = None,
        fast: bool = False,
        guarded: bool = False,
    ) -> None:
        """`slot_of`: where the slots lie that the program was recorded with, when elsewhere.

        `fast` allows another order of operations; this back end always keeps the written one.
        `guarded`: the last output is a verdict, which only the short ways of C look at.
        """
        moved = None if slot_of is None else array("i", bytes(slot_of))
        self._program = program = Program(
            bytes(codes),
            array("i", bytes(starts)),
            array("i", bytes(args)),
            array("d", bytes(numbers)),
            array("i", bytes(outputs)),
            slots if moved is None else len(moved),
        )
        check(program)
        program.slots = slots
        if moved is not None:
            for slot in moved:
                if not 0 <= slot < slots:
                    raise ProgramError(f"there is no slot {slot}")
        self._kept: deque[bytes] | None = None  # the slots of the last runs, where they are kept
        self._made = 0
        self._wrt = array("i", bytes(wrt))
        self._seeds = array("d", bytes(seeds))
        self._rounded: Callable[[float], float] = _single if float32 else float
        self._steps = [
            (
                code,
                program.operands(i),
                FORWARD[code],
                0
                if code != INPUT
                else int(program.numbers[i])
                if moved is None
                else moved[int(program.numbers[i])],
            )
            for i, code in enumerate(program.codes)
        ]

    @property
    def sizes(self) -> dict[str, int]:
        """How large the program is."""
        program = self._program
        return {
            "recorded": len(program),
            "slots": program.slots,
            "outputs": len(program.outputs),
            "wrt": len(self._wrt),
            "bytes": 8 * len(program) * (2 if self._wrt else 1),
        }

    # ── One set of inputs ────────────────────────────────────────────────────────────────────

    def value(self, segments: Sequence[Buffer], outputs: Buffer) -> None:
        """Write the outputs for these slots, which are the concatenation of the segments."""
        values = self._run_one(segments)
        _view(outputs)[:] = array("d", [values[i] for i in self._program.outputs])

    def value_and_grad(self, segments: Sequence[Buffer], outputs: Buffer, grads: Buffer) -> None:
        """The same, and the gradient by each slot of `wrt`."""
        values = self._run_one(segments)
        by_slot = self._backward(values)
        _view(outputs)[:] = array("d", [values[i] for i in self._program.outputs])
        _view(grads)[:] = array("d", [by_slot[slot] for slot in self._wrt])

    def keep_calls(self, most: int) -> None:
        """Keep the slots of the last runs of one scenario, so many at most."""
        self._kept, self._made = deque(maxlen=most), 0

    @property
    def calls(self) -> tuple[int, bytes]:
        """How many runs there were since keep_calls, and the rows that are kept."""
        return self._made, b"".join(self._kept or ())

    def _run_one(self, segments: Sequence[Buffer]) -> list[float]:
        slots = _joined(segments, self._program.slots)
        values = self._forward(slots)
        if self._kept is not None:
            self._kept.append(slots.tobytes())
            self._made += 1
        return values

    def run(
        self,
        segments: Sequence[Buffer],
        gradient: bool,
        saw_value: Callable[[int, list[float]], None],
        saw_gradient: Callable[[int, float], None],
    ) -> None:
        """Replay with someone watching each instruction: its value, and each gradient it hands on.

        `saw_value` gets the instruction and the values so far; while one is computed, its own is
        missing. `saw_gradient` gets the instruction and what it makes of an operand's gradient.
        """
        values = self._forward(_joined(segments, self._program.slots), saw_value)
        if gradient:
            self._backward(values, saw_gradient)

    def _forward(
        self,
        slots: Sequence[float],
        saw: Callable[[int, list[float]], None] | None = None,
    ) -> list[float]:
        rounded, numbers = self._rounded, self._program.numbers
        values: list[float] = []
        for i, (code, operands, function, slot) in enumerate(self._steps):
            if code == CONST:
                number = numbers[i]
            elif code == INPUT:
                number = slots[slot]
            else:
                number = function(*[values[operand] for operand in operands])
            values.append(rounded(number))
            if saw is not None:
                saw(i, values)
        return values

    def _backward(
        self, values: list[float], saw: Callable[[int, float], None] | None = None
    ) -> list[float]:
        """Return the gradient by every slot. What receives 0 passes nothing on."""
        rounded = self._rounded
        grads = [0.0] * len(values)
        by_slot = [0.0] * self._program.slots
        for output, seed in zip(self._program.outputs, self._seeds, strict=True):
            grads[output] = rounded(grads[output] + seed)
        for i in range(len(values) - 1, -1, -1):
            incoming = grads[i]
            if incoming == 0.0:
                continue
            code, operands, _, slot = self._steps[i]
            if code == INPUT:
                by_slot[slot] = rounded(by_slot[slot] + incoming)
                continue
            numbers = [values[operand] for operand in operands]
            locals_ = _LOCALS[code](values[i], numbers)
            if code == _DIV and numbers[0] == 0.0 and math.isfinite(incoming):
                operands = operands[:1]  # x / y is x * y**-1, and that power has received 0
            for operand, local in zip(operands, locals_, strict=False):
                if local == 0.0 and code in SELECTING:
                    continue
                if self._steps[operand][0] != CONST:  # 0 · inf towards a constant is no nan
                    grads[operand] = rounded(grads[operand] + rounded(local * incoming))
                    if saw is not None:
                        saw(i, grads[operand])
        return by_slot

    # ── Many scenarios ───────────────────────────────────────────────────────────────────────

    def map(
        self,
        buffers: Sequence[Buffer],
        where: Buffer,
        offset: Buffer,
        stride: Buffer,
        count: int,
        outputs: Buffer,
        grads: Buffer | None,
        sums: Buffer | None,
        threads: int,
    ) -> None:
        """Replay `count` scenarios: slot s of the i-th is at offset[s] + i·stride[s] of its buffer.

        `sums` are the gradients added up over the scenarios. Threads would not help here.
        """
        views: list[Any] = [memoryview(buffer).cast("B") for buffer in buffers]
        places = list(zip(*[memoryview(x).tolist() for x in (where, offset, stride)], strict=True))
        out, width = _view(outputs), len(self._program.outputs)
        rows, columns = _view(grads) if grads is not None else None, len(self._wrt)
        totals = [0.0] * columns
        read = struct.Struct("d").unpack_from
        for i in range(count):
            values = self._forward([read(views[w], o + i * s)[0] for w, o, s in places])
            for k, output in enumerate(self._program.outputs):
                out[i * width + k] = values[output]
            if rows is None and sums is None:
                continue
            by_slot = self._backward(values)
            for k, slot in enumerate(self._wrt):
                totals[k] += by_slot[slot]
                if rows is not None:
                    rows[i * columns + k] = by_slot[slot]
        if sums is not None:
            _view(sums)[:] = array("d", totals)


# ── Instructions ─────────────────────────────────────────────────────────────────────────────


def _place(index: float, count: int) -> int:
    """Return which of so many entries a take takes: the nearest one, and the first for nan."""
    return int(min(max(0.0, index), count - 1.0))


def _take(index: float, *table: float) -> float:
    return table[_place(index, len(table))]


def _sum(*numbers: float) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total


def _dot(*numbers: float) -> float:
    total = 0.0
    for i in range(0, len(numbers), 2):
        total += numbers[i] * numbers[i + 1]
    return total


def _compare(compare: Callable[[float, float], bool]) -> Callable[[float, float], float]:
    return lambda x, y: 1.0 if compare(x, y) else 0.0


def _forward_of(name: str) -> Callable[..., float]:
    if name == "div":  # one division, as Python does it; eagerly it is x * y**-1
        return ops._divide
    if name in ops.BY_NAME:
        return ops.BY_NAME[name].value
    if hasattr(operator, name):
        return _compare(getattr(operator, name))
    return {"take": _take, "sum": _sum, "dot": _dot}.get(name, float)


def _one_at(index: float, count: int) -> list[float]:
    place = int(index) if math.isfinite(index) else -1
    return [1.0 if i == place else 0.0 for i in range(count)]


def _locals_of(name: str) -> Callable[[float, list[float]], list[float]]:
    """Return the function from an instruction's value and operands to its partial derivatives."""
    if name == "div":  # -(x/y)/y, because y**2 may leave the doubles
        return lambda out, x: [ops._divide(1.0, x[1]), -ops._divide(out, x[1])]
    if name in ops.BY_NAME:
        partials = ops.BY_NAME[name].partials
        return lambda out, x: [partial(out, *x) for partial in partials]
    if name == "sum":
        return lambda out, x: [1.0] * len(x)
    if name == "dot":
        return lambda out, x: [x[i ^ 1] for i in range(len(x))]
    if name == "take":
        return lambda out, x: [0.0, *_one_at(x[0], len(x) - 1)]
    return lambda out, x: [0.0] * len(x)


FORWARD = [_forward_of(name) for name in CODES]
_LOCALS = [_locals_of(name) for name in CODES]
_DIV = CODES.index("div")


def _single(number: float) -> float:
    return array("f", [number])[0]


def _view(buffer: Buffer) -> Any:
    view = memoryview(buffer)
    return view if view.format == "d" and view.ndim == 1 else view.cast("B").cast("d")


def _joined(segments: Sequence[Buffer], slots: int) -> array[float]:
    joined = array("d")
    for segment in segments:
        joined.frombytes(memoryview(segment).cast("B"))
    if len(joined) != slots:
        raise ProgramError(f"the program has {slots} slots, the segments {len(joined)}")
    return joined


# ── Optimisers ───────────────────────────────────────────────────────────────────────────────
# The formulas of `gradwalk.optim`, over buffers instead of Values. Each counts its step.


def sgd(counter: Buffer, params: Buffer, grads: Buffer, rate: float, decay: float) -> None:
    p, g = _view(params), _view(grads)
    _view(counter)[0] += 1
    for i in range(len(p)):
        p[i] = sgd_moved(p[i], g[i], rate, decay)


def momentum(
    counter: Buffer,
    params: Buffer,
    grads: Buffer,
    velocity: Buffer,
    rate: float,
    momentum: float,
    nesterov: bool,
    decay: float,
) -> None:
    p, g, v = _view(params), _view(grads), _view(velocity)
    _view(counter)[0] += 1
    for i in range(len(p)):
        p[i], v[i] = momentum_moved(p[i], g[i], v[i], rate, momentum, decay, nesterov)


def adam(
    counter: Buffer, params: Buffer, grads: Buffer, mean: Buffer, square: Buffer, *numbers: float
) -> None:
    """`numbers` are what `Adam.numbers` gives."""
    p, g, m, s = _view(params), _view(grads), _view(mean), _view(square)
    _view(counter)[0] += 1
    for i in range(len(p)):
        p[i], m[i], s[i] = adam_moved(p[i], g[i], m[i], s[i], *numbers)
