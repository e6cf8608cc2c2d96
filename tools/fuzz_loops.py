"""Random programs with loops, by every back end: `python3 x.py fuzz loops`.

Each seed makes one function: straight code, a loop, straight code, another loop … The bodies are
drawn once, so that the recording repeats itself and the loops can be found again. Compared are

    loops      the loops that were found, run as loops, with the recorded program: bit for bit
    rolled     the same by C, as long programs are kept: written out again the program itself,
               values bit for bit, gradients to 1e-12
    map        scenarios in lanes, with plain Python: bit for bit (without tanh, which has an ulp)
    jax        loops and arrays as JAX operations, with the replay: values and gradients to 1e-12
    kernel     the kernel of a GPU, likewise, where there is one

The scale of a difference is the largest number of the comparison. Start reading at `examine`.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import random
import struct
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from fuzz import Draws, MismatchError

import gradwalk
from gradwalk.program import backends, compile  # noqa: A004
from gradwalk.program.interpreter import FORWARD
from gradwalk.program.ir import CODE, Stage
from gradwalk.program.loops import Loop, find_loops

PROGRAMS = 2_000
ROWS = 70  # a whole block of lanes and a part of one
CLOSE = 1e-12
LARGEST = 160  # operations that XLA is given
# XLA multiplies constants with each other and takes numbers below 1e-308 for 0, so what comes near
# is not compared.
MODEST = 1e-30
NUMPY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "tanh": np.tanh,
    "sqrt": np.sqrt
}  # fmt: skip


# ── Programs ─────────────────────────────────────────────────────────────────────────────────


class RandomLoops:
    """Straight code, a loop, straight code, another loop …: each body is drawn once from a seed."""

    def __init__(self, seed: int, exact: bool = False) -> None:
        rng = random.Random(seed)
        curved = "sqrt" if exact else "tanh"
        operations = ["add", "mul", "sub", "maximum", "each", "const", curved]
        self.values = rng.randint(1, 4)  # what is carried along
        self.loops: list[tuple[int, list[tuple[str, int, int]], list[int]]] = []
        for _ in range(rng.randint(1, 3)):
            rounds = rng.randint(4, 40)
            body = [
                (rng.choice(operations), rng.randrange(6), rng.randrange(9))
                for _ in range(rng.randint(2, 12))
            ]
            after = [rng.randrange(len(body)) for _ in range(self.values)]
            self.loops.append((rounds, body, after))
        self.inputs = max([rounds for rounds, _, _ in self.loops])

    def __call__(self, x: Sequence[Any], z: Sequence[Any]) -> Any:
        state = [x[k] * (k + 1.0) for k in range(self.values)]
        for rounds, body, after in self.loops:
            for step in range(rounds):
                known = [*state, x[0]]
                for operation, a, b in body:
                    left, right = known[a % len(known)], known[b % len(known)]
                    known.append(
                        (left + right) * 0.5 if operation == "add"
                        else left * right * 0.25 if operation == "mul"
                        else (left - right) * 0.5 if operation == "sub"
                        else gradwalk.tanh(left) if operation == "tanh"
                        else math.sqrt(left * left + 0.5) if operation == "sqrt"
                        else gradwalk.maximum(left, right) if operation == "maximum"
                        else left * z[step] if operation == "each"
                        else left * (1.0 / (2 + step))
                    )  # fmt: skip
                state = [known[len(state) + 1 + at] for at in after]
        total = state[0]
        for value in state[1:]:
            total = total + value
        return total


# ── By its loops ─────────────────────────────────────────────────────────────────────────────


def straight(stage: Stage, slots: Sequence[float]) -> list[float]:
    values: list[float] = []
    for i in range(len(stage)):
        values.append(_number(stage, i, slots, [values[x] for x in stage.operands(i)]))
    return values


def by_loops(stage: Stage, loops: list[Loop], slots: Sequence[float]) -> dict[int, float]:
    """Compute a program from its loops: in an iteration, only what the body says is read."""
    values: dict[int, float] = {}
    inside = {i for loop in loops for i in loop.ids}
    starts = {loop.start: loop for loop in loops}
    leaves = [i for i, name in enumerate(stage.operations) if name in ("const", "input")]
    values.update({i: _number(stage, i, slots, []) for i in leaves})
    for i in range(len(stage)):
        if i in starts:
            _run(starts[i], values)
        elif i not in inside and i not in values:
            values[i] = _number(stage, i, slots, [values[x] for x in stage.operands(i)])
    return values


def _run(loop: Loop, values: dict[int, float]) -> None:
    past: list[list[float]] = []
    for iteration in range(loop.count):
        now: list[float] = []
        for operation, _, operands in loop.body:
            numbers = [
                now[at] if kind == "inside"
                else values[ids[0]] if kind == "fixed"
                else values[ids[iteration]] if kind == "each" or iteration < back
                else past[-back][at]
                for kind, at, back, ids in operands
            ]  # fmt: skip
            now.append(FORWARD[CODE[operation]](*numbers))
        past.append(now)
    for k, i in enumerate(loop.ids):
        values[i] = past[k // loop.length][k % loop.length]


def _number(stage: Stage, i: int, slots: Sequence[float], numbers: list[float]) -> float:
    name = stage.operations[i]
    if name == "const":
        return stage.numbers[i]
    return slots[int(stage.numbers[i])] if name == "input" else FORWARD[CODE[name]](*numbers)


def bits(number: float) -> bytes:
    return struct.pack("d", number) if number == number else b"nan"


# ── Comparing ────────────────────────────────────────────────────────────────────────────────


def make(draws: Draws, _options: Any) -> int:
    return int(draws.start)


def examine(seed: int, counts: Counter[str], options: Any, _only: str = "") -> None:
    """Compare the back ends on one program; count how often each was compared."""
    for compare in (by_loops_found, by_rolled, by_map, *([] if options.no_jax else [by_jax])):
        try:
            compare(seed, counts)
        except DifferenceError as error:
            raise MismatchError(compare.__name__, str(error)) from None


class DifferenceError(Exception):
    """Two back ends do not agree."""


def by_loops_found(seed: int, counts: Counter[str]) -> None:
    function = RandomLoops(seed)
    rng = random.Random(-seed)
    x = [rng.uniform(-1.5, 1.5) for _ in range(4)]
    z = [rng.uniform(-1.5, 1.5) for _ in range(function.inputs)]
    stage = Stage.recorded(compile(function).record(x, z).program)
    loops = find_loops(stage)
    values = straight(stage, [*x, *z])
    found = by_loops(stage, loops, [*x, *z])
    wrong = [i for i in range(len(stage)) if bits(found[i]) != bits(values[i])]
    if wrong:
        raise DifferenceError(f"by its loops, instructions {wrong[:5]} have other bits")
    counts["in loops"] += sum([len(loop.ids) for loop in loops]) > 0.5 * len(stage)


def by_rolled(seed: int, counts: Counter[str]) -> None:
    """Compare a program that is kept rolled with itself, written out."""
    function = RandomLoops(seed)
    rng = random.Random(-seed)
    x = [rng.uniform(-1.5, 1.5) for _ in range(function.values)]
    z = [rng.uniform(-1.5, 1.5) for _ in range(function.inputs)]
    p = compile(function).record(x, z).program
    arrays = (p.codes, p.starts, p.args, p.numbers)
    places = array("i", range(2 * len(p)))  # all different: nothing may be rolled
    if backends.replay.roll(*arrays, p.outputs, p.slots, places, 16) is not None:
        raise DifferenceError("instructions of different places were taken for a loop")
    rolled = backends.replay.roll(*arrays, p.outputs, p.slots, array("i", bytes(8 * len(p))), 16)
    if rolled is None:
        return
    if b"".join(rolled.written()) != b"".join(map(bytes, arrays)):
        raise DifferenceError("the rolled program, written out, is another one")
    found: list[array[float]] = []
    for code in (arrays, (rolled, None, None, None)):
        out, grads = array("d", [0.0]), array("d", bytes(8 * p.slots))
        wrt, seeds = array("i", range(p.slots)), array("d", [1.0])
        replay = backends.replay.Replay(*code, p.outputs, p.slots, wrt, seeds)
        replay.value_and_grad([array("d", [*x, *z])], out, grads)
        found += [out, grads]
    if bits(found[0][0]) != bits(found[2][0]):
        raise DifferenceError("the rolled program has other bits")
    scale = terms(Stage.recorded(p), [*x, *z], p.slots)
    if np.isfinite(scale):
        close("gradient of the rolled program", found[3], found[1], scale)
        counts["rolled"] += 1


def by_map(seed: int, counts: Counter[str]) -> None:
    """Compare lanes with plain Python and with single calls, and sums with the rows they add."""
    function = RandomLoops(seed, exact=True)
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(-1.0, 1.0, (ROWS, 4)), rng.uniform(-1.0, 1.0, (ROWS, function.inputs))
    compiled = gradwalk.compile(function)
    values, grads = compiled.map.value_and_grad(x, z)
    slots = [*x.T, *z.T]
    scale = terms(Stage.recorded(compiled.program), slots, len(slots))
    for row in (0, 63, 64, 69):
        point = x[row].tolist(), z[row].tolist()
        one, slopes = compiled.value_and_grad(*point)
        if not bits(values[row]) == bits(function(*point)) == bits(one):
            raise DifferenceError(f"scenario {row} has other bits than plain Python")
        for name in ("x", "z") if np.isfinite(scale) else ():
            close(f"gradient of scenario {row}", grads[name][row], slopes[name], scale)
    each = compiled.map.value_and_grad(x[0].tolist(), z, wrt="x")[1]["x"]
    total = compiled.map.value_and_grad(x[0].tolist(), z, wrt="x", reduce="sum")[1]["x"]
    scale = terms(Stage.recorded(compiled.program), [*x[0], *z.T], 4)
    if np.isfinite(scale):
        close("sum of gradients", total, np.sum(each, axis=0), scale)
        counts["mapped"] += 1


def by_jax(seed: int, counts: Counter[str]) -> None:
    import jax

    from gradwalk.program.on_jax import kernel, lowering, packing

    jax.config.update("jax_enable_x64", True)

    function = RandomLoops(seed)
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1.0, 1.0, function.values).tolist()
    z = rng.uniform(-1.0, 1.0, (ROWS, function.inputs))
    compiled = gradwalk.compile(function)
    value, grads = compiled.map.value_and_grad(x, z, wrt="x", reduce="sum")
    wanted = [value, *grads["x"]]
    scale = terms(Stage.recorded(compiled.program), [*x, *z.T], function.values)
    if not MODEST < scale < 1.0 / MODEST:
        return
    made = compiled.to_jax()
    for form, most in ((lowering.Lowering, LARGEST), (packing.Packed, LARGEST // 2)):
        made._made.clear()
        made._lowering = form(Stage.recorded(compiled.program), "float64")
        if made._lowering.size > most:  # XLA would take seconds
            continue
        found, slopes = made.map_value_and_grad(x, z, wrt="x", reduce="sum")
        close(form.__name__, [float(found), *map(float, slopes["x"])], wanted, scale)
        counts[form.__name__] += 1
        varies = [False] * function.values + [True] * function.inputs
        if form is lowering.Lowering and made._kernel(varies, [*range(function.values)]):
            counts[kernel.Kernel.__name__] += 1


@np.errstate(over="ignore", invalid="ignore")
def terms(stage: Stage, slots: Sequence[Any], wrt: int) -> float:
    """Return the largest of: the absolute terms that a result or a gradient is the sum of.

    Rounding is relative to these, not to the sum, in which they may cancel.
    """
    values: list[Any] = []
    for i, name in enumerate(stage.operations):
        given = [values[x] for x in stage.operands(i)]
        values.append(
            np.float64(stage.numbers[i]) if name == "const"
            else np.asarray(slots[int(stage.numbers[i])]) if name == "input"
            else NUMPY[name](*given)
        )  # fmt: skip
    (result,) = stage.results
    pulled: list[Any] = [0.0] * len(stage)
    pulled[result] = 1.0
    by_slot = [0.0] * wrt
    for i, name in reversed([*enumerate(stage.operations)]):
        operands = stage.operands(i)
        if name == "input" and stage.numbers[i] < wrt:
            by_slot[int(stage.numbers[i])] = np.broadcast_to(pulled[i], (ROWS,)).sum()
        for k, x in enumerate(operands):
            slope = np.abs(values[operands[1 - k]]) if name == "mul" else 1.0
            pulled[x] = pulled[x] + slope * pulled[i]
    return max(np.abs(np.broadcast_to(values[result], (ROWS,))).sum(), *by_slot)


def close(what: str, found: Any, wanted: Any, scale: float) -> None:
    far = np.abs(np.asarray(found) - np.asarray(wanted)).max()
    if not far <= CLOSE * scale:
        raise DifferenceError(f"{what}: off by {far / scale if scale else far:.1e}")


# ── Telling ──────────────────────────────────────────────────────────────────────────────────


def script(seed: int, mismatch: MismatchError, _options: Any) -> str:
    return f"python3 x.py fuzz loops --programs 1 --seed {seed}  # {mismatch.where}"


def arguments(parser: argparse.ArgumentParser) -> None:
    missing = importlib.util.find_spec("jax") is None
    why = ": it is not here, `python3 x.py setup test oracle` brings it" if missing else ""
    parser.add_argument("--no-jax", action="store_true", required=missing, help="without JAX" + why)
