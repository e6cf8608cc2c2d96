"""Loops found again: what is found, that a loop written out is the program, and how it prints."""

import importlib
import math
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gradwalk
from gradwalk import ProgramError
from gradwalk.program import backends, compile, inspection  # noqa: A004
from gradwalk.program.loops import (
    Instruction,
    Loop,
    Operand,
    _repeated,
    _Search,
    check_loop,
    find_loops,
)

pytest.importorskip("numpy")
sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
fuzz: Any = importlib.import_module("fuzz")
fuzz_loops: Any = importlib.import_module("fuzz_loops")

COUNT = 100

native = pytest.mark.skipif(
    backends.name != "native", reason="the passes are the native back end's"
)


def horner(x: Any, coefficients: Sequence[Any]) -> Any:
    total = 0.0
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


def leapfrog(x: Any, speed: Any, steps: int) -> Any:
    before, now = x, x + speed
    for _ in range(steps):
        before, now = now, 2.0 * now - before - 0.01 * math.sin(now)
    return now


def schedule(x: Any, steps: int) -> Any:
    for step in range(steps):
        x = x - x * math.exp(-0.1 * step)
    return x


def kinds(loop: Loop) -> list[str]:
    return [operand.kind for instruction in loop.body for operand in instruction.operands]


def test_a_recurrence_is_a_body_with_a_carried_value_and_an_input_per_iteration() -> None:
    program = compile(horner).record(2.0, [float(i) for i in range(20)])
    (loop,) = inspection.loops(program._store, "recorded")
    assert (loop.length, loop.count) == (2, 20)
    assert [instruction.operation for instruction in loop.body] == ["mul", "add"]
    assert kinds(loop) == ["carried", "fixed", "inside", "each"]
    stage = inspection.stage(program._store, "recorded")
    (carried,), (fixed,), (each,) = map(loop.distinct, ["carried", "fixed", "each"])
    assert carried == Operand("carried", 1, 1, (stage.operations.index("const"),))
    assert fixed.ids == (stage.operations.index("input"),)
    slots = [int(stage.numbers[i]) for i in each.ids]
    assert slots == list(range(1, 21))
    assert loop.read_after(stage) == {1: [19]}


def test_inputs_may_be_as_far_apart_as_the_body_is_long() -> None:
    program = compile(lambda x, z: horner(x, z[::2])).record(2.0, [float(i) for i in range(40)])
    (loop,) = inspection.loops(program._store, "recorded")
    assert (loop.length, loop.count) == (2, 20)
    assert kinds(loop) == ["carried", "fixed", "inside", "each"]


def test_a_value_from_two_iterations_ago_is_carried_with_two_first_values() -> None:
    program = compile(lambda x, speed: leapfrog(x, speed, 30)).record(1.0, 0.1)
    (loop,) = inspection.loops(program._store, "recorded")
    assert loop.count >= 28
    carried = loop.distinct("carried")
    assert {operand.back for operand in carried} == {1, 2}
    assert all(len(operand.ids) == operand.back for operand in carried)


def test_constants_may_differ_from_iteration_to_iteration() -> None:
    program = compile(lambda x: schedule(x, 12)).record(1.0)
    (loop,) = inspection.loops(program._store, "recorded")
    stage = inspection.stage(program._store, "recorded")
    (each,) = loop.distinct("each")
    assert [stage.numbers[i] for i in each.ids] == [math.exp(-0.1 * k) for k in range(12)]


@native
def test_the_gradient_of_a_loop_is_a_loop_over_the_results_of_the_first_in_reverse() -> None:
    program = compile(leaky).record(0.5, [0.1 * i for i in range(40)])
    first, second = [
        loop for loop in inspection.loops(program._store, "adjoint") if loop.length > 1
    ][:2]
    assert first.end <= inspection.stage(program._store, "adjoint").forward <= second.start
    reversed_ids = [each.ids for each in second.distinct("each") if {*each.ids} <= {*first.ids}]
    assert reversed_ids
    assert all(ids == sorted(ids, reverse=True) for ids in map(list, reversed_ids))


def leaky(x: Any, z: Sequence[Any]) -> Any:
    for step in z:
        x = gradwalk.tanh(x * 0.9 + step)
    return x


def basket(spots: Sequence[Any], z: Sequence[Sequence[Any]]) -> Any:
    values = list(spots)
    for row in z:
        values = [value * (1.01 + 0.2 * step) for value, step in zip(values, row, strict=True)]
        total = 0.0
        for value in values:
            total = total + value * value * 0.5
        values = [value - 0.001 * total for value in values]
    return sum(values)


def test_of_nested_loops_the_outer_one_is_found() -> None:
    spots, z = [100.0 - k for k in range(8)], [[0.1 * i] * 8 for i in range(30)]
    program = compile(basket).record(spots, z)
    assert (
        len(_repeated(_Search(inspection.stage(program._store, "recorded")))) >= 30
    )  # the inner ones
    (loop,) = inspection.loops(program._store, "recorded")
    assert loop.count == 30
    assert {operand.at for operand in loop.distinct("carried")} == set(
        range(loop.length - 15, loop.length, 2)
    )
    stage = inspection.stage(program._store, "recorded")
    slots = [[int(stage.numbers[i]) for i in each.ids] for each in loop.distinct("each")]
    assert sorted(slots) == [list(range(8 + k, 248, 8)) for k in range(8)]
    assert [(one.count, len(one.body)) for one in loop.inner] == [(8, 3), (8, 3)]


def deep(x: Any, zs: list[list[list[float]]]) -> Any:
    for block in zs:
        for row in block:
            for z in row:
                x = x + gradwalk.sin(x) * z
            x = x * 0.5
        x = gradwalk.exp(-x)
    return x


def test_loops_three_deep_are_written_as_such() -> None:
    zs = [[[0.1 * i + 0.01 * j + 0.001 * k for k in range(6)] for j in range(5)] for i in range(7)]
    program = compile(deep).record(1.0, zs)
    text = re.sub(r" +# .*", "", program.explain("recorded"))
    assert text.endswith(
        """
7 times, %211 … %890:
  5 times, .0 … .94:
    6 times, ..0 … ..17:
      ...0 = sin ...2←..18←.96←%0
      ...1 = mul ...0 %1…%210
      ...2 = add ...2←..18←.96←%0 ...1
    ..18 = mul ..17 %229
  .95 = neg .94
  .96 = exp .95
return %890"""
    )
    for stage in ("tidy", "adjoint"):
        assert max([depth(loop) for loop in inspection.loops(program._store, stage)]) == 3


def depth(loop: Loop) -> int:
    return 1 + max([depth(one) for one in loop.inner], default=0)


def test_an_inner_loop_that_is_not_the_body_is_refused() -> None:
    program = compile(deep).record(1.0, [[[0.5] * 6] * 5] * 7)
    stage = inspection.stage(program._store, "recorded")
    (loop,) = find_loops(stage)
    [one] = loop.inner
    [innermost] = one.inner
    for wrong in (
        replace(one, ids=[name._replace(at=name.at + 1) for name in one.ids]),
        replace(one, body=one.body[::-1]),
        replace(one, inner=(replace(innermost, body=innermost.body[::-1]),)),
    ):
        with pytest.raises(ProgramError, match="the body of a loop is not its loop"):
            check_loop(replace(loop, inner=(wrong,)), stage)


def test_a_program_without_repetition_has_no_loops() -> None:
    def tangle(x: Any) -> Any:
        rng = random.Random(3)
        nodes = [x, 0.5]
        for _ in range(200):
            a, b = rng.choice(nodes), rng.choice(nodes)
            nodes.append(rng.choice([a + b, a * b, a - b, gradwalk.tanh(a)]))
        return nodes[-1]

    assert inspection.loops(compile(tangle).record(1.0)._store, "recorded") == []


# ── Random programs ──────────────────────────────────────────────────────────────────────────


@native
def test_random_programs_with_loops_agree_by_loops_and_by_map() -> None:
    """`python3 x.py fuzz loops` tries 2,000, and JAX too."""
    options = fuzz.options_of(fuzz_loops, ["--no-jax"])
    found = fuzz.fuzz(fuzz_loops, range(COUNT), options=options)
    assert not found.failures, fuzz.told(fuzz_loops, found.failures, options)
    counts = found.counts
    assert counts["in loops"] > 0.6 * COUNT
    assert counts["mapped"] > 0.5 * COUNT
    assert counts["rolled"] > 0.5 * COUNT


def changed(loop: Loop, at: int, operand: int, by: Operand) -> Loop:
    operation, number, operands = loop.body[at]
    operands = (*operands[:operand], by, *operands[operand + 1 :])
    body = (*loop.body[:at], Instruction(operation, number, operands), *loop.body[at + 1 :])
    return replace(loop, body=body)


def test_a_loop_that_is_not_the_programs_is_refused() -> None:
    program = compile(horner).record(2.0, [float(i) for i in range(20)])
    stage = inspection.stage(program._store, "recorded")
    (loop,) = find_loops(stage)
    check_loop(loop, stage)
    each = loop.body[1].operands[1]
    for wrong in [
        changed(loop, 1, 0, loop.body[0].operands[1]),
        changed(loop, 1, 1, each._replace(ids=each.ids[::-1])),
        changed(loop, 0, 0, loop.body[0].operands[0]._replace(at=0)),
        replace(loop, count=loop.count - 1),
        replace(loop, ids=list(reversed(loop.ids))),
        replace(loop, body=(loop.body[1], loop.body[0])),
        Loop(loop.body[:1], loop.count, loop.ids[::2]),
    ]:
        with pytest.raises(ProgramError):
            check_loop(wrong, stage)


def test_the_body_of_a_loop_is_printed_once() -> None:
    program = compile(horner).record(2.0, [float(i) for i in range(20)])
    lines = [line.split("  #")[0].rstrip() for line in program.explain("recorded").split("\n")]
    at = lines.index("20 times, %22 … %61:")
    assert lines[at + 1 : at + 3] == ["  .0 = mul .1←%21 %0", "  .1 = add .0 %1…%20"]
    assert lines[at + 3 :] == ["return %61"]


def test_the_search_takes_time_linear_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [0]
    keeps_stride = _Search.keeps_stride

    def counted(self: _Search, i: int, length: int) -> bool:
        looks[0] += 1
        return keeps_stride(self, i, length)

    monkeypatch.setattr(_Search, "keeps_stride", counted)

    def looks_at(rounds: int) -> int:
        program = compile(fuzz_loops.RandomLoops(5)).record([1.0] * 4, [0.5] * rounds)
        looks[0] = 0
        find_loops(inspection.stage(program._store, "recorded"))
        return looks[0]

    def almost(x: Any, rounds: int) -> Any:  # each stretch breaks off before it is a loop
        for k in range(rounds):
            for step in range(40):
                x = x * 0.5 + (x if step == k % 37 else 1.0)
        return x

    def looks_at_almost(rounds: int) -> float:
        program = compile(lambda x: almost(x, rounds)).record(1.0)
        looks[0] = 0
        find_loops(inspection.stage(program._store, "recorded"))
        return looks[0] / rounds

    assert looks_at(40) > 0
    assert looks_at_almost(80) < 2 * looks_at_almost(20)
