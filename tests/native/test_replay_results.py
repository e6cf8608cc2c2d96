"""Right answers where a pass or a kernel could be wrong: each case names the place it looks at.

The interpreter is the oracle. All go through one scenario, a map by scenario, and a map that shares
all, on every kind of kernel.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from support.raw_replays import Raw

from gradwalk.program import interpreter

native = pytest.importorskip("gradwalk.program._replay")
pytestmark = pytest.mark.usefixtures("level")

Case = Callable[..., list[int]]  # of operations and four inputs, the results


def agree(raw, points, wrt=None, seeds=()) -> None:
    """Compare C with the interpreter at these points."""
    oracle, tool = (raw.replay(k.Replay, wrt, seeds) for k in (interpreter, native))
    slots, outputs = range(raw.slots) if wrt is None else wrt, len(raw.outputs)
    good: list[tuple[list[float], list[float], list[float]]] = []
    for point in points:
        answers: list[Any] = []
        for replay in (oracle, tool):
            out, grads = array("d", bytes(8 * outputs)), array("d", bytes(8 * len(slots)))
            replay.value_and_grad([array("d", point)], out, grads)
            alone = array("d", bytes(8 * outputs))
            replay.value([array("d", point)], alone)
            answers.append([*out, *grads, *alone])
        assert same(answers[1], answers[0]), (point, answers)
        good.append((point, answers[0][:outputs], answers[0][outputs : outputs + len(slots)]))
    n, count = raw.slots, len(good)
    flat = array("d", [x for point, _, _ in good for x in point])
    where, offset = array("i", [0] * n), array("q", range(0, 8 * n, 8))
    out, grads = array("d", bytes(8 * outputs * count)), array("d", bytes(8 * len(slots) * count))
    tool.map([flat], where, offset, array("q", [8 * n] * n), count, out, grads, None, 2)
    assert same(list(out), [x for _, answer, _ in good for x in answer])
    assert same(list(grads), [x for _, _, gradient in good for x in gradient])
    for point, answer, gradient in good[:3]:
        out, sums = array("d", bytes(8 * outputs)), array("d", bytes(8 * len(slots)))
        tool.map([array("d", point)], where, offset, array("q", [0] * n), 1, out, None, sums, 1)
        assert same([*out, *sums], answer + gradient), (point, out, sums, answer, gradient)


def same(found: Any, wanted: Any) -> bool:
    return all(
        (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-12)
        for x, y in zip(found, wanted, strict=True)
    )


class Operations:
    """Adds instructions to a program by their names; a float among the operands is a constant."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw

    def const(self, number: float) -> int:
        return self.raw.add("const", number=number)

    def __getattr__(self, name: str) -> Callable[..., int]:
        def add(*operands: Any) -> int:
            made = [self.const(x) if isinstance(x, float) else x for x in operands]
            return self.raw.add(name, *made)

        return add


def interleaved(left: list[int], right: list[int]) -> list[int]:
    return [node for pair in zip(left, right, strict=True) for node in pair]


def rows_of_table(o: Any, *x: int) -> list[int]:
    more = [o.mul(value, x[1]) for value in x for _ in range(5)]
    taken = [o.take(x[0], *more[k::5]) for k in range(5)]
    return [functools.reduce(o.add, [o.sin(value) for value in taken])]


def parts(o: Any, *x: int) -> list[int]:
    y = [o.sin(o.mul(value, other)) for value in x for other in x]
    rows = [[y[(r + k * (1 if k < 5 else 2)) % 16] for k in range(11)] for r in range(6)]
    nodes = [o.dot(*interleaved(row, y[:11])) for row in rows] + [o.sum(*row[:7]) for row in rows]
    return [o.sum(*map(o.tanh, nodes))]


def turned(o: Any, *x: int) -> list[int]:
    y = [o.cos(o.mul(value, other)) for value in x for other in x]
    a, b, found = y[:12], y[4:16], []
    for left, right, i, j in itertools.product((0, 1), (0, 1), range(3), range(3)):
        row = a[4 * i : 4 * i + 4] if left else a[i::3]
        column = b[4 * j : 4 * j + 4] if right else b[j::3]
        found.append(o.dot(*interleaved(row, column)))
    return [o.sum(*map(o.sin, found))]


def irregular(o: Any, *x: int) -> list[int]:
    rng = random.Random(5)
    y = [rng.choice([o.sin, o.cos, o.exp])(rng.choice(x)) for _ in range(9)]
    found = [o.atan2(rng.choice(y), rng.choice(x)), o.hypot(rng.choice(y), x[2])]
    found += [o.clip(y[0], x[1], x[2]), o.where(o.ge(y[3], y[1]), y[5], y[2])]
    found += [o.dot(*rng.sample(y, 8)), o.sum(*rng.sample(y, 7)), o.leaky_relu(x[0], y[1])]
    found.append(o.floor(o.maximum(o.maximum(y[8], x[3]), y[2])))
    return [o.sum(*found, o.take(x[0], *rng.sample(y, 4)))]


def powers(o: Any, a: int, b: int, *_: int) -> list[int]:
    of = (0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, -0.5, 2.5, -3.0)
    made = [o.pow(o.abs(b), n) for n in of]
    return [o.sum(*made), o.div(a, made[7]), made[6]]


CASES: dict[str, Case] = {
    "a product that is a result stays whole": lambda o, a, b, c, d: [
        o.add(p := o.mul(a, b), o.mul(c, d)), p
    ],
    "a sum inside a sum, wanted twice": lambda o, a, b, c, d: [
        o.sub(o.add(s := o.add(a, b), c), o.add(s, d))
    ],
    "a sum with itself": lambda o, a, b, c, d: [
        o.add(s := o.add(a, b), s), o.sub(s, s), o.neg(o.neg(s))
    ],
    "neg and sub, nested: who is taken away": lambda o, a, b, c, d: [
        o.neg(o.sub(o.mul(a, a), o.add(o.sub(a, o.sub(b, o.neg(o.sub(c, d)))), b)))
    ],
    "products taken away": lambda o, a, b, c, d: [
        o.neg(o.add(o.mul(a, b), o.mul(c, c))), o.neg(o.mul(d, b))
    ],
    "a largest under floor, without gradient": lambda o, a, b, c, d: [
        o.mul(o.floor(o.maximum(o.maximum(o.maximum(a, b), c), d)), a), o.sign(o.maximum(b, c))
    ],
    "a largest under floor and elsewhere": lambda o, a, b, c, d: [
        o.add(o.floor(top := o.maximum(o.maximum(a, b), c)), o.mul(top, d))
    ],
    "a largest whose inner part has a gradient": lambda o, a, b, c, d: [
        o.add(o.floor(o.maximum(inner := o.maximum(a, b), c)), inner)
    ],
    "an entry at two places of one table, and of two": lambda o, a, b, c, d: [
        o.mul(first := o.take(a, b, c, b, d), o.take(a, d, b, b, b)), first
    ],
    "a table of one entry": lambda o, a, b, c, d: [o.mul(o.take(a, b), c)],
    "the index is an entry, and a factor": lambda o, a, b, c, d: [o.mul(o.take(a, a, b, c), a)],
    "regular tables: blocks of takes and picks": rows_of_table,
    "inputs and constants as results, and twice": lambda o, a, b, c, d: [
        b, seven := o.const(7.0), b, a, seven, o.mul(a, seven)
    ],
    "constants alone": lambda o, a, b, c, d: [
        o.pow(two := o.const(2.0), o.add(two, two)), o.take(two, two, two, two)
    ],
    "dots of one pair, side by side": lambda o, a, b, c, d: [
        o.sum(*[o.exp(o.dot(*pair)) for pair in ((a, d), (b, c), (c, b), (d, a))])
    ],
    "dots whose operands change their distance": parts,
    "matrix products in all four orientations": turned,
    "listed rows of every kind": irregular,
    "outputs that do not depend on what is asked": lambda o, a, b, c, d: [o.mul(c, d), o.sin(a)],
    "powers": powers,
    "constant factors": lambda o, a, b, c, d: [
        o.div(o.neg(o.mul(o.mul(m := o.const(-4.0), o.neg(a)), t := o.const(3.0))), m),
        o.sub(m, o.mul(b, t)),
    ],
    "0 · inf: a branch that was not taken": lambda o, a, b, c, d: [
        o.where(o.gt(a, 0.0), o.log(o.relu(a)), b)
    ],
}  # fmt: skip

FIRST = [0.0, 1.0, 2.0, 3.0, 0.9, 1.5, 2.999, -0.5, -0.999, -0.0, -1.0, 4.0, 3.999]
FIRST += [math.nan, math.inf, -math.inf, 1e300]


@pytest.mark.parametrize("name", CASES)
def test_a_replay_agrees_with_the_interpreter(name: str) -> None:
    raw = Raw(4)
    raw.outputs.extend(CASES[name](Operations(raw), *raw.inputs()))
    rng = random.Random(1)
    points = [[first, *[rng.uniform(-2, 2) for _ in range(3)]] for first in FIRST]
    if (
        name == "a sum inside a sum, wanted twice"
    ):  # its terms are added in another order: 1e300 would drown the rest
        points = [point for point in points if point[0] != 1e300]
    if (
        name == "a largest under floor, without gradient"
    ):  # what is flat passes nothing on, not even 0 · nan
        points = [point for point in points if math.isfinite(point[0])]
    points += [[rng.uniform(0, 3) for _ in range(4)] for _ in range(30)]
    points.append([1.0, 2.0, 2.0, 2.0])  # ties
    agree(raw, points)
    agree(raw, points, seeds=[0.5 - k for k in range(len(raw.outputs))])
    agree(raw, points, wrt=[1, 0, 1])
    agree(raw, points, wrt=[0])


def test_a_program_without_slots() -> None:
    raw = Raw(0)
    raw.outputs.append(raw.add("exp", raw.add("const", number=1.0)))
    agree(raw, [[]])
    out = array("d", [0.0] * 5)
    empty = (array("i"), array("q"), array("q"))
    raw.replay(native.Replay).map([], *empty, 5, out, array("d"), array("d"), 3)
    assert out == array("d", [math.e] * 5)


def test_a_slot_that_nothing_reads_has_gradient_0() -> None:
    raw = Raw(3)
    raw.outputs.append(raw.add("sin", raw.add("input", number=1)))
    agree(raw, [[1.0, 2.0, 3.0], [math.nan, 0.5, math.inf]])


def test_a_slot_that_is_read_by_two_instructions_has_one_gradient() -> None:
    raw = Raw(1)
    x, again = raw.add("input", number=0.0), raw.add("input", number=-0.0)
    raw.outputs.append(raw.add("mul", x, again))
    agree(raw, [[3.0], [-0.5]])


@pytest.mark.parametrize("index", [-0.5, -0.999, -0.0, 0.5, 1.999])
def test_an_index_is_cut_towards_0(index: float) -> None:
    raw = Raw(3)
    x = raw.inputs()
    raw.outputs.append(raw.add("take", x[0], x[1], x[2]))
    replay = raw.replay(native.Replay)
    out, grads = array("d", [0.0]), array("d", [0.0] * 3)
    replay.value_and_grad([array("d", [index, 10.0, 20.0])], out, grads)
    assert out[0] == [10.0, 20.0][int(index)]
    assert grads == array("d", [0.0, 1.0 - int(index), float(int(index))])


@pytest.mark.parametrize(
    "index", [-1.0, 2.0, math.nan, math.inf, -math.inf, 1e300, 2.0**31, 2.0**32]
)
def test_an_index_outside_its_table_takes_the_nearest_entry(index: float) -> None:
    raw = Raw(3)
    x = raw.inputs()
    raw.outputs.append(raw.add("take", x[0], x[1], x[2]))
    agree(raw, [[index, 10.0, 20.0], [1.0, 10.0, 20.0]] * 30)
    out = array("d", [0.0])
    raw.replay(native.Replay).value([array("d", [index, 10.0, 20.0])], out)
    assert out[0] == (20.0 if index > 1.0 else 10.0)
