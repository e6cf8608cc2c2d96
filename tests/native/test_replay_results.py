"""Right answers where a pass or a kernel could be wrong: each case names the place it looks at.

The interpreter is the oracle. All go through one scenario, a map by scenario, and a map that shares
all, on every kind of kernel.
"""
# ruff: noqa: E501  (tables, one thing a line)

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from support.raw_replays import Raw

from gradwalk.program import interpreter

native = pytest.importorskip("gradwalk.program._replay")

Case = Callable[[Raw, list[int]], list[int]]


def agree(
    raw: Raw, points: list[list[float]], wrt: list[int] | None = None, seeds: Any = ()
) -> None:
    """Compare C with the interpreter at these points; an index out of range must be one in both."""
    oracle, tool = (raw.replay(k.Replay, wrt, seeds) for k in (interpreter, native))
    slots, outputs = range(raw.slots) if wrt is None else wrt, len(raw.outputs)
    good: list[tuple[list[float], list[float], list[float]]] = []
    for point in points:
        answers: list[Any] = []
        for replay in (oracle, tool):
            out, grads = array("d", bytes(8 * outputs)), array("d", bytes(8 * len(slots)))
            try:
                replay.value_and_grad([array("d", point)], out, grads)
                alone = array("d", bytes(8 * outputs))
                replay.value([array("d", point)], alone)
                answers.append([*out, *grads, *alone])
            except IndexError:
                answers.append(IndexError)
        assert same(answers[1], answers[0]), (point, answers)
        if answers[0] is not IndexError:
            good.append((point, answers[0][:outputs], answers[0][outputs : outputs + len(slots)]))
    n, count = raw.slots, len(good)
    flat = array("d", [x for point, _, _ in good for x in point] or [0.0])
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
    if found is IndexError or wanted is IndexError:
        return found is wanted
    return all(
        (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-12)
        for x, y in zip(found, wanted, strict=True)
    )


@pytest.fixture(params=["base", "avx2", "avx512"], autouse=True)
def kernels(request: pytest.FixtureRequest) -> Any:
    native.kernels(request.param)
    if native.kernels() != request.param:
        pytest.skip(f"this processor has no {request.param}")
    yield request.param
    native.kernels(None)


def add_all(raw: Raw, values: list[int]) -> int:
    total = values[0]
    for value in values[1:]:
        total = raw.add("add", total, value)
    return total


def shared_product(raw: Raw, x: list[int]) -> list[int]:  # a product that is a result stays whole
    product = raw.add("mul", x[0], x[1])
    return [raw.add("add", product, raw.add("mul", x[2], x[3])), product]


def inner_sum(raw: Raw, x: list[int]) -> list[int]:  # a sum inside a sum, wanted twice
    inner = raw.add("add", x[0], x[1])
    return [raw.add("sub", raw.add("add", inner, x[2]), raw.add("add", inner, x[3]))]


def twice(raw: Raw, x: list[int]) -> list[int]:
    inner = raw.add("add", x[0], x[1])
    return [
        raw.add("add", inner, inner),
        raw.add("sub", inner, inner),
        raw.add("neg", raw.add("neg", inner)),
    ]


def signs(raw: Raw, x: list[int]) -> list[int]:  # neg and sub, nested: who is taken away
    a = raw.add("sub", x[0], raw.add("sub", x[1], raw.add("neg", raw.add("sub", x[2], x[3]))))
    return [raw.add("neg", raw.add("sub", raw.add("mul", x[0], x[0]), raw.add("add", a, x[1])))]


def products_away(raw: Raw, x: list[int]) -> list[int]:
    left, right = raw.add("mul", x[0], x[1]), raw.add("mul", x[2], x[2])
    return [raw.add("neg", raw.add("add", left, right)), raw.add("neg", raw.add("mul", x[3], x[1]))]


def largest_flat(raw: Raw, x: list[int]) -> list[int]:  # a largest under floor, without gradient
    top = x[0]
    for value in x[1:]:
        top = raw.add("maximum", top, value)
    return [
        raw.add("mul", raw.add("floor", top), x[0]),
        raw.add("sign", raw.add("maximum", x[1], x[2])),
    ]


def largest_shared(
    raw: Raw, x: list[int]
) -> list[int]:  # under floor and elsewhere: keeps its gradient
    top = raw.add("maximum", raw.add("maximum", x[0], x[1]), x[2])
    return [raw.add("add", raw.add("floor", top), raw.add("mul", top, x[3]))]


def largest_inner(raw: Raw, x: list[int]) -> list[int]:  # its inner part is wanted with a gradient
    inner = raw.add("maximum", x[0], x[1])
    return [raw.add("add", raw.add("floor", raw.add("maximum", inner, x[2])), inner)]


def same_place(
    raw: Raw, x: list[int]
) -> list[int]:  # an entry at two places of one table, and of two
    first = raw.add("take", x[0], x[1], x[2], x[1], x[3])
    second = raw.add("take", x[0], x[3], x[1], x[1], x[1])
    return [raw.add("mul", first, second), first]


def one_entry(raw: Raw, x: list[int]) -> list[int]:
    return [raw.add("mul", raw.add("take", x[0], x[1]), x[2])]


def index_too(raw: Raw, x: list[int]) -> list[int]:  # the index is an entry, and a factor
    return [raw.add("mul", raw.add("take", x[0], x[0], x[1], x[2]), x[0])]


def rows_of_table(raw: Raw, x: list[int]) -> list[int]:  # regular tables: blocks of takes and picks
    more = [raw.add("mul", value, x[1]) for value in x for _ in range(5)]
    taken = [raw.add("take", x[0], *more[k::5]) for k in range(5)]
    return [add_all(raw, [raw.add("sin", value) for value in taken])]


def plain_results(raw: Raw, x: list[int]) -> list[int]:  # inputs and constants, and one twice
    number = raw.add("const", number=7.0)
    return [x[1], number, x[1], x[0], number, raw.add("mul", x[0], number)]


def constants_alone(raw: Raw, x: list[int]) -> list[int]:
    two = raw.add("const", number=2.0)
    return [raw.add("pow", two, raw.add("add", two, two)), raw.add("take", two, two, two, two)]


def one_pair(raw: Raw, x: list[int]) -> list[int]:  # dots of one pair, side by side
    pairs = [raw.add("dot", x[k], x[3 - k]) for k in range(4)]
    return [raw.add("sum", *[raw.add("exp", pair) for pair in pairs])]


def parts(raw: Raw, x: list[int]) -> list[int]:  # dots whose operands change their distance
    y = [raw.add("sin", raw.add("mul", value, other)) for value in x for other in x]
    rows = [[y[(r + k * (1 if k < 5 else 2)) % 16] for k in range(11)] for r in range(6)]
    dots = [raw.add("dot", *[n for k, a in enumerate(row) for n in (a, y[k])]) for row in rows]
    sums = [raw.add("sum", *row[:7]) for row in rows]
    return [raw.add("sum", *[raw.add("tanh", n) for n in dots + sums])]


def turned(raw: Raw, x: list[int]) -> list[int]:  # matrix products in all four orientations
    y = [raw.add("cos", raw.add("mul", value, other)) for value in x for other in x]
    a, b = y[:12], y[4:16]
    found = []
    for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
        for i in range(3):
            for j in range(3):
                row = a[4 * i : 4 * i + 4] if left else a[i::3]
                column = b[4 * j : 4 * j + 4] if right else b[j::3]
                found.append(
                    raw.add("dot", *[n for pair in zip(row, column, strict=True) for n in pair])
                )
    return [raw.add("sum", *[raw.add("sin", n) for n in found])]


def irregular(raw: Raw, x: list[int]) -> list[int]:  # listed rows of every kind
    rng = random.Random(5)
    y = [raw.add(rng.choice(["sin", "cos", "exp"]), rng.choice(x)) for _ in range(9)]
    found = [raw.add("atan2", rng.choice(y), rng.choice(x)), raw.add("hypot", rng.choice(y), x[2])]
    found.append(raw.add("clip", y[0], x[1], x[2]))
    found.append(raw.add("where", raw.add("ge", y[3], y[1]), y[5], y[2]))
    found.append(raw.add("dot", *rng.sample(y, 8)))
    found.append(raw.add("sum", *rng.sample(y, 7)))
    found.append(raw.add("leaky_relu", x[0], y[1]))
    found.append(raw.add("floor", raw.add("maximum", raw.add("maximum", y[8], x[3]), y[2])))
    found.append(raw.add("take", x[0], *rng.sample(y, 4)))
    return [raw.add("sum", *found)]


def by_other(raw: Raw, x: list[int]) -> list[int]:  # outputs that do not depend on what is asked
    return [raw.add("mul", x[2], x[3]), raw.add("sin", x[0])]


def powers(raw: Raw, x: list[int]) -> list[int]:
    made = [
        raw.add("pow", raw.add("abs", x[1]), raw.add("const", number=n))
        for n in (0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, -0.5, 2.5, -3.0)
    ]
    return [raw.add("sum", *made), raw.add("div", x[0], made[7]), made[6]]


def constant_factors(raw: Raw, x: list[int]) -> list[int]:
    a, b = raw.add("const", number=-4.0), raw.add("const", number=3.0)
    inner = raw.add("mul", a, raw.add("neg", x[0]))
    return [
        raw.add("div", raw.add("neg", raw.add("mul", inner, b)), a),
        raw.add("sub", a, raw.add("mul", x[1], b)),
    ]


def gradient_of_zero(raw: Raw, x: list[int]) -> list[int]:  # 0 · inf: a branch that was not taken
    bad = raw.add("log", raw.add("relu", x[0]))
    return [raw.add("where", raw.add("gt", x[0], raw.add("const", number=0.0)), bad, x[1])]


CASES: list[Case] = [
    shared_product, inner_sum, twice, signs, products_away, largest_flat, largest_shared, largest_inner, same_place,
    one_entry, index_too, rows_of_table, plain_results, constants_alone, one_pair, parts, turned, irregular, by_other,
    powers, constant_factors, gradient_of_zero,
]  # fmt: skip

FIRST = [0.0, 1.0, 2.0, 3.0, 0.9, 1.5, 2.999, -0.5, -0.999, -0.0, -1.0, 4.0, 3.999]
FIRST += [math.nan, math.inf, -math.inf, 1e300]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_replay_agrees_with_the_interpreter(case: Case) -> None:
    raw = Raw(4)
    raw.outputs.extend(case(raw, raw.inputs()))
    rng = random.Random(1)
    points = [[first, *[rng.uniform(-2, 2) for _ in range(3)]] for first in FIRST]
    if case is inner_sum:  # its terms are added in another order: 1e300 would drown the rest
        points = [point for point in points if point[0] != 1e300]
    if case is largest_flat:  # what is flat passes nothing on, not even 0 · nan
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
def test_an_index_out_of_range_is_named_as_it_is(index: float) -> None:
    raw = Raw(3)
    x = raw.inputs()
    raw.outputs.append(raw.add("take", x[0], x[1], x[2]))
    replay = raw.replay(native.Replay)
    given = array("d", [index, 10.0, 20.0])
    message = f"index {index!r} of a table of 2".replace("+", r"\+")
    with pytest.raises(IndexError, match=message) as told:
        replay.value_and_grad([given], array("d", [0.0]), array("d", [0.0] * 3))
    assert told.value.instruction == 3
    good = array("d", [1.0, 10.0, 20.0] * 30)
    good[3 * 17] = index
    with pytest.raises(IndexError, match=message) as told:
        replay.map([good], array("i", [0] * 3), array("q", [0, 8, 16]), array("q", [24] * 3), 30,
                   array("d", bytes(240)), array("d", bytes(720)), None, 2)  # fmt: skip
    assert told.value.scenario == 17
