"""Functions of compiled programs against mpmath, over all doubles, in single calls and in map.

Then the functions of math that are exact at some points, lists of infinities, and sums and lengths
that plain operations would lose. GRADWALK_POINTS=20000 holds
docs/accuracy.md to as many points as its figures are from.
"""

# ruff: noqa: PLW0108  (a lambda has the signature that is recorded, and a line of its own)

import functools
import math
import os
import random
import re
from pathlib import Path

import pytest

import gradwalk
from gradwalk import compile, ops  # noqa: A004
from gradwalk.program import backends

np = pytest.importorskip("numpy")
accuracy = pytest.importorskip("support.accuracy")

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "accuracy.md"
COUNT = int(os.environ.get("GRADWALK_POINTS", "300"))
native = pytest.mark.skipif(backends.name != "native", reason="the interpreter has the eager rules")


@functools.cache
def sampled(name: str) -> tuple[list[tuple[float, ...]], list["np.ndarray"]]:
    at = accuracy.points(name, COUNT)
    return at, [accuracy.truth(exact, at) for exact in accuracy.CASES[name].exact]


def worst(got: "np.ndarray", name: str, which: int) -> tuple[float, tuple[float, ...]]:
    at, true = sampled(name)
    far = accuracy.units(np.asarray(got), true[which])
    return float(far.max()), at[int(far.argmax())]


def test_every_function_of_the_table_is_measured() -> None:
    steps = {"abs", "relu", "leaky_relu", "maximum", "minimum", "where", "clip", "floor", "sign"}
    assert {op.name for op in ops.TABLE if op.is_function} - steps <= set(accuracy.CASES)


@native
@pytest.mark.parametrize("name", accuracy.CASES)
def test_a_single_call_is_as_near_to_the_truth_as_promised(name: str) -> None:
    got = accuracy.single_calls(name, sampled(name)[0])
    for which, numbers in enumerate(got):
        far, point = worst(numbers, name, which)
        assert far <= accuracy.CASES[name].most, (which, point)


@native
@pytest.mark.parametrize("name", accuracy.CASES)
def test_map_is_as_near_to_the_truth_as_promised(name: str, level: str) -> None:
    got = accuracy.mapped(name, sampled(name)[0])
    for which, numbers in enumerate(got):
        far, point = worst(numbers, name, which)
        assert far <= accuracy.CASES[name].most, (level, which, point)


@native
def test_a_quotient_of_two_rounded_numbers_is_corrected(level: str) -> None:
    at = [(-0.7787880908926645,)]  # 2.04 ulp once, where nothing is fused
    true = accuracy.truth(accuracy.CASES["tan"].exact[0], at)
    assert accuracy.units(accuracy.mapped("tan", at)[0], true).max() <= 1, level


def levels() -> list[str]:
    every = ["base", "avx2", "avx512"]
    return every[: every.index(backends.replay.kernels(None)) + 1]


STEPS = {op.name for op in ops.TABLE if op.arity <= 2} - set(accuracy.CASES)


@native
def test_arithmetic_does_not_depend_on_the_kernels() -> None:
    assert {"add", "mul", "div", "neg", "abs", "maximum", "floor", "relu"} <= STEPS
    rng = random.Random(4)
    for name in [*STEPS, "sqrt"]:
        at = [[any_double(rng) for _ in range(ops.BY_NAME[name].arity)] for _ in range(1001)]
        told: set[bytes] = set()
        for level in levels():
            backends.replay.kernels(level)
            rows = np.array(accuracy.mapped(name, at))
            told.add(np.where(np.isnan(rows), np.nan, rows).tobytes())
        backends.replay.kernels(None)
        assert len(told) == 1, name


def any_double(rng: random.Random) -> float:
    if rng.random() < 0.1:
        return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0])
    return rng.choice([-1, 1]) * math.ldexp(rng.uniform(0.5, 1), rng.choice([0, 3, 900, -900]))


@native
@pytest.mark.parametrize("name", accuracy.CASES)
def test_functions_depend_on_the_kernels_by_2_units_at_most(name: str) -> None:
    told: list[list[np.ndarray]] = []
    for level in levels():
        backends.replay.kernels(level)
        told.append([ordinal(got) for got in accuracy.mapped(name, sampled(name)[0])])
    backends.replay.kernels(None)
    for which, numbers in enumerate(zip(*told, strict=True)):
        apart = np.max(numbers, axis=0) - np.min(numbers, axis=0)
        assert apart.max() <= 2, (which, sampled(name)[0][int(apart.argmax())])


def ordinal(numbers: "np.ndarray") -> "np.ndarray":
    """Number the doubles in their order, 0 being both zeros; all nans have one number."""
    places = np.where(np.isnan(numbers), np.nan, numbers).view(np.int64)
    return np.where(places < 0, np.iinfo(np.int64).min - places, places)


def over_list(function, x):
    return [function(v) for v in x]


@native
@pytest.mark.parametrize("fast", [False, True])
def test_a_list_of_numbers_in_a_single_call_goes_by_vectors_that_are_as_near(fast, level) -> None:
    for name in ("exp", "log", "tanh", "erfc", "gelu", "log10", "cbrt"):
        at, _ = sampled(name)
        function = compile(functools.partial(over_list, ops.BY_NAME[name]), fast=fast)
        far, point = worst(np.array(function([x for (x,) in at])), name, 0)
        assert far <= 2, (level, name, point)


@native
def test_fast_functions_are_as_near() -> None:
    for name in accuracy.CASES:
        got = accuracy.mapped(name, sampled(name)[0], fast=True)
        for which, numbers in enumerate(got):
            far, point = worst(numbers, name, which)
            assert far <= accuracy.CASES[name].most, (name, which, point)


def figures() -> dict[str, list[float]]:
    """Return by function what the page states: of single calls, then of map."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {name: [float(x) for x in numbers.split("|")] for name, numbers in rows}


def test_the_page_has_a_row_for_each_function_and_no_figure_above_what_is_promised() -> None:
    assert set(figures()) == set(accuracy.CASES)
    for name, stated in figures().items():
        assert max(stated) <= accuracy.CASES[name].most


@native
def test_the_figures_of_the_page_hold() -> None:
    for name, (_, _, value, derivatives) in figures().items():
        got = accuracy.mapped(name, sampled(name)[0])
        far, *slopes = [worst(numbers, name, which)[0] for which, numbers in enumerate(got)]
        assert far <= value, name
        assert max(slopes) <= derivatives, name


# ── Exact where Python is exact ──────────────────────────────────────────────────────────────────


def test_logarithms_and_roots_are_exact_at_every_power() -> None:
    powers = np.array([float(10**k) for k in range(23)])
    assert [*compile(lambda x: math.log10(x)).map(powers)] == [*range(23)]
    twos = np.ldexp(1.0, np.arange(-1074, 1024))
    assert [*compile(lambda x: math.log2(x)).map(twos)] == [*range(-1074, 1024)]
    assert [*compile(lambda x: math.exp2(x)).map(np.arange(-1074.0, 1024.0))] == [*twos]
    cubes = np.arange(-2000.0, 2000.0) ** 3
    assert [*compile(lambda x: math.cbrt(x)).map(cubes)] == [*range(-2000, 2000)]


# ── Infinities in lists ──────────────────────────────────────────────────────────────────────────

NOTHING = [-math.inf, -math.inf]


def test_log_of_a_sum_of_nothing_is_minus_infinity() -> None:
    logsumexp = compile(lambda x: gradwalk.logsumexp(x))
    assert logsumexp(NOTHING) == gradwalk.logsumexp(NOTHING).data == -math.inf
    assert [*logsumexp.map(np.array([NOTHING, [0.0, -math.inf]]))] == [-math.inf, 0.0]
    assert logsumexp([math.inf, 1.0]) == gradwalk.logsumexp([math.inf, 1.0]).data == math.inf


@pytest.mark.parametrize(
    ("x", "y"),
    [
        *((-math.inf, -math.inf), (math.inf, math.inf), (-math.inf, 2.0), (2.0, -math.inf)),
        *((math.inf, 1.0), (0.3, 0.4), (0.3, 0.3), (-800.0, 900.0)),
    ],
)
def test_logaddexp_is_numpys_and_its_slopes_are_shares(x: float, y: float) -> None:
    function = compile(lambda x, y: np.logaddexp(x, y))
    value, grads = function.value_and_grad(x, y)
    assert value == pytest.approx(np.logaddexp(x, y), rel=1e-15)
    share = 0.5 if x == y else 1 / (1 + math.exp(min(700.0, y - x)))
    assert [grads["x"], grads["y"]] == pytest.approx([share, 1 - share], abs=1e-15)


# ── Lengths and sums ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1.0, 1e200, 1e307])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_the_length_of_many_is_that_of_math(size: float, count: int) -> None:
    x = [size * (k + 1) / 7 for k in range(count)]
    zero = [0.0] * count
    assert compile(lambda x: math.hypot(*x))(x) == pytest.approx(math.hypot(*x), rel=5e-16)
    value, grads = compile(lambda x, y: math.dist(x, y)).value_and_grad(x, zero)
    assert value == pytest.approx(math.hypot(*x), rel=5e-16, abs=1e-323)
    assert math.hypot(*grads["x"]) == pytest.approx(1.0, rel=1e-14 if size > 1e-300 else 1e-12)


def test_an_exact_sum_has_the_bits_of_maths() -> None:
    drawn = random.Random(3)
    exact = compile(lambda x: math.fsum(x))
    for count in (1, 2, 3, 10, 30):
        for _ in range(40):
            x = [math.ldexp(drawn.uniform(-1, 1), drawn.randint(-50, 50)) for _ in range(count)]
            x[count // 2 :] = [-v for v in x[: count - count // 2]][::-1]  # most of it cancels
            x[0] += 1e-9
            assert exact(x) == math.fsum(x), x
    assert exact([1e16, 1.0, 1e-16]) == math.fsum([1e16, 1.0, 1e-16]) == 1.0000000000000002e16
    assert exact([0.1] * 10) == 1.0
    assert exact([math.inf, 1.0]) == math.inf
    value, grads = exact.value_and_grad([1e16, 1.0, -1e16])
    assert (value, grads["x"]) == (1.0, [1.0, 1.0, 1.0])
