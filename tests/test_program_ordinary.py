"""Ordinary programs, compiled, against plain Python in every form.

`fixtures/ordinary_programs.txt` has them as data: a head line `# name: arguments; arguments`, and
the source of `f`. Without arguments they are POINTS. Each program is called on all sides, mapped
over mixed rows, differentiated once and twice, given Values, saved and loaded; each fourth runs on
the interpreter, too. `plain` behind a name: it asks for text, C or complex numbers, so it runs as
plain Python and is refused a gradient. `pinned`: it asks for floats as keys or for the type of an
argument, so each call is recorded.
"""

import contextlib
import copy
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import plain as sources
from support.plain import RUNS_PLAINLY

import gradwalk
from gradwalk import ProgramError, RecordingError, Value, compile  # noqa: A004
from gradwalk.program import backends, interpreter, load

np = pytest.importorskip("numpy")

PRELUDE = """\
import bisect, cmath, collections, contextlib, functools, heapq, itertools, math, random, statistics
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass, replace
from enum import Enum
import numpy as np
"""
POINTS = (
    *((1.25, 0.375), (-1.625, 0.375), (1.25, -2.625), (-0.875, -0.375), (2.375, 3.125)),
    *((3.625, 1.875), (0.125, 2.75), (-2.625, 1.375), (0.625, 0.875), (0.0, 1.0), (2.0, -1.0)),
)
TEXT = (Path(__file__).parent / "fixtures" / "ordinary_programs.txt").read_text("utf-8")
PARTS = re.split(r"^# (\w+)( \w+)?:(.*)\n", TEXT, flags=re.M)[1:]
PROGRAMS = {name: case for name, *case in zip(*[iter(PARTS)] * 4, strict=True)}
WITHOUT_GRADIENT = {name for name, (tag, _, _) in PROGRAMS.items() if tag == " plain"}
PLAINLY = {name for name, (tag, _, _) in PROGRAMS.items() if tag}
BY_IEEE = (ZeroDivisionError, ValueError, OverflowError)


def made(name: str) -> Any:
    return sources.made(PRELUDE + PROGRAMS[name][2])["f"]


def points(name: str) -> list[tuple[Any, ...]]:
    head = PROGRAMS[name][1].strip()
    return [eval(f"({one},)") for one in head.split(";")] if head else list(POINTS)


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    try:
        return function(*copy.deepcopy(given))
    except Exception as error:
        return error


def is_same(found: Any, wanted: Any, raises: bool = True) -> bool:
    """Say whether both are the same numbers or errors; without `raises`, math follows IEEE."""
    if isinstance(wanted, Exception):
        if not raises and isinstance(wanted, BY_IEEE) and isinstance(found, float):
            return not math.isfinite(found)
        return type(found) is type(wanted)
    if isinstance(wanted, (list, tuple)):
        return len(found) == len(wanted) and all(map(is_same, found, wanted))
    if isinstance(found, Exception):
        return False
    if math.isnan(wanted):
        return math.isnan(found)
    return math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-13)


def cases(names: Any) -> list[Any]:
    """Return parameters; only of those that say so may a call run as plain Python."""
    both = [*names, *[f"{one} interpreted" for one in list(names)[::4]]]
    return [
        pytest.param(one, marks=[RUNS_PLAINLY] if one.split()[0] in PLAINLY else []) for one in both
    ]


@pytest.fixture
def name(case: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a case, whose programs run on the back end that it asks for."""
    program, *interpreted = case.split()
    if interpreted:
        monkeypatch.setattr(backends, "replay", interpreter)
    return program


@pytest.mark.parametrize("case", cases(PROGRAMS))
def test_calls_of_all_sides_give_what_python_gives(name: str) -> None:
    given = points(name)
    for order in (given, given[::-1]):
        for errors in ("ieee", "python"):
            compiled, plain = compile(errors=errors)(made(name)), made(name)
            for point in (*order, *order):
                found, wanted = outcome(compiled, point), outcome(plain, point)
                assert is_same(found, wanted, errors == "python"), (point, found, wanted)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", cases(PROGRAMS))
def test_calls_beyond_the_paths_that_are_kept_give_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = compile(made(name))
    wanted = [outcome(usual.value_and_grad, point) for point in points(name)]
    monkeypatch.setattr("gradwalk.program.recordings.MOST_PATHS", 1)
    compiled, plain = compile(errors="python")(made(name)), made(name)
    for point in points(name):
        assert is_same(outcome(compiled, point), outcome(plain, point)), point
    compiled = compile(made(name))
    for point, one in zip(points(name), wanted, strict=True):
        found = outcome(compiled.value_and_grad, point)
        assert type(found) is type(one)
        if not isinstance(one, Exception):
            numbers = [numbers_in(each[1]) for each in (found, one)]
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-12, nan_ok=True), point


def numbers_in(thing: Any) -> list[float]:
    parts = thing.values() if isinstance(thing, dict) else thing
    return [thing] if isinstance(thing, (int, float)) else [n for x in parts for n in numbers_in(x)]


def good(name: str) -> list[tuple[Any, ...]]:
    plain = made(name)
    return [one for one in points(name) if not isinstance(outcome(plain, one), Exception)]


IN_ARRAYS = {"rotate_list"}  # + of two lists, and of two arrays
KINDS = {name for name in PROGRAMS if re.match("int_|bool_is|bool_ma|class_n|type_d", name)}


@pytest.mark.parametrize("case", cases(sorted(PROGRAMS.keys() - IN_ARRAYS - KINDS)))
def test_mixed_rows_give_what_python_gives(name: str) -> None:
    given, plain = good(name), made(name)
    try:
        columns = [np.array(column) for column in zip(*given, strict=True)]
    except ValueError:  # rows of several lengths
        return
    if any(column.dtype == object for column in columns):
        return
    wanted = [plain(*copy.deepcopy(point)) for point in given]
    found = compile(made(name)).map(*columns)
    if isinstance(found, (list, tuple)):
        found = list(zip(*found, strict=True))
    for point, one, other in zip(given, found, wanted, strict=True):
        assert is_same(one, other), (point, one, other)


def slopes(function: Any, point: tuple[float, ...], place: int, step: float) -> Any:
    """Return the slope, or None where it has a kink or a jump."""

    def at(move: float) -> float:
        return float(function(*point[:place], point[place] + move, *point[place + 1 :]))

    try:
        left, right = (at(0.0) - at(-step)) / step, (at(step) - at(0.0)) / step
    except ArithmeticError:
        return None
    flat = abs(left - right) < 1e3 * step * (1.0 + abs(left))
    return (left + right) / 2 if flat else None


FLOATS = [name for name in PROGRAMS if all(type(x) is float for one in points(name) for x in one)]


@pytest.mark.filterwarnings("ignore::gradwalk.GradientDroppedWarning")
@pytest.mark.parametrize("case", cases(FLOATS))
def test_gradients_of_once_and_twice_are_those_of_the_path(name: str) -> None:
    plain, given = made(name), good(name)
    if not given or isinstance(plain(*given[0]), (list, tuple)):
        return
    compiled, twice = compile(made(name)), compile(gradwalk.grad(gradwalk.grad(made(name))))
    if name in WITHOUT_GRADIENT:
        with pytest.raises(RecordingError):
            _ = [compiled.value_and_grad(*point) for point in given]
        return
    rows = compile(made(name)).map.value_and_grad(*map(np.array, zip(*given, strict=True)))[1]
    for k, point in enumerate(given):
        value, grads = compiled.value_and_grad(*point)
        assert is_same(value, plain(*point))
        leaves = [Value(x) for x in point]
        node = compiled(*leaves)
        if isinstance(node, Value):
            node.backward()
            for leaf, grad in zip(leaves, grads.values(), strict=False):
                assert is_same(leaf.grad, grad) or leaf.grad == pytest.approx(grad), point
        for place, (argument, grad) in enumerate(list(grads.items())[: len(point)]):
            assert is_same(rows[argument][k], grad) or grad == pytest.approx(rows[argument][k])
            slope = slopes(plain, point, place, 1e-6)
            if slope is not None and 0.0 not in point:
                assert grad == pytest.approx(slope, rel=1e-4, abs=1e-4), (point, argument)
        slope = slopes(
            lambda *x: next(iter(compiled.value_and_grad(*x)[1].values())), point, 0, 1e-5
        )
        if slope is not None and 0.0 not in point:
            assert twice(*point) == pytest.approx(slope, rel=1e-2, abs=1e-2), point


@pytest.mark.filterwarnings("ignore::gradwalk.GradientDroppedWarning")
@pytest.mark.parametrize("case", cases(sorted({*FLOATS} - WITHOUT_GRADIENT)))
def test_a_shared_argument_gets_the_sum_of_the_gradients_of_the_rows(name: str) -> None:
    plain, compiled = made(name), compile(made(name))
    given = [(points(name)[0][0], *point[1:]) for point in points(name)]
    given = [point for point in given if isinstance(outcome(plain, point), (float, int))]
    if not given or len(given[0]) < 2:
        return
    first, *columns = [np.array(column) for column in zip(*given, strict=True)]
    total, shared = compiled.map.value_and_grad(float(first[0]), *columns, reduce="sum")
    single = [compiled.value_and_grad(*point) for point in given]
    assert total == pytest.approx(sum([value for value, _ in single]), nan_ok=True)
    for argument, grad in shared.items():
        by_rows = sum([grads[argument] for _, grads in single])
        assert grad == pytest.approx(by_rows, nan_ok=True), argument


@pytest.mark.parametrize("case", cases(PROGRAMS))
def test_what_was_recorded_is_saved_and_loaded(name: str, tmp_path: Path) -> None:
    compiled, plain, given = compile(made(name)), made(name), good(name)
    for point in given:
        compiled(*copy.deepcopy(point))
    missing = contextlib.nullcontext()
    if name in PLAINLY:
        missing = pytest.raises(ProgramError, match=r"no recording|not recorded")
    with missing:
        compiled.save(tmp_path / "it.gw")
        loaded = load(tmp_path / "it.gw")
        for point in given:
            assert is_same(loaded(*point), plain(*copy.deepcopy(point))), point


def test_few_programs_are_refused_a_gradient() -> None:
    assert len(PROGRAMS) > 400
    assert len(WITHOUT_GRADIENT) <= len(PROGRAMS) // 10
