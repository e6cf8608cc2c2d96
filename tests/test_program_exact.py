"""A compiled function computes what Python computes: each case here once came out different.

Every case is run as a single call and by `map`, on the interpreter and on every kernel level that
the processor has, against the function itself on plain floats. `tools/fuzz.py` looks for more.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from mpmath import mpf
from support.bits import same

import gradwalk
from gradwalk.program import backends, compile, interpreter  # noqa: A004

np = pytest.importorskip("numpy")

LEVELS = ["interpreter"]
if backends.replay is not interpreter:
    for _name in ("base", "avx2", "avx512"):
        with suppress(ValueError):  # a level that this processor lacks
            backends.replay.kernels(_name)
            LEVELS.append(_name)
    backends.replay.kernels(None)


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run the test on each kernel level, and on the interpreter."""
    native = backends.replay
    if request.param == "interpreter":
        monkeypatch.setattr(backends, "replay", interpreter)
        yield request.param
        return
    native.kernels(request.param)
    yield request.param
    native.kernels(None)


def results(function: Callable[..., Any], *point: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a compiled function gives at a point, as a call and in every row of a map."""
    compiled = compile(function)
    yield "call", compiled(*point)
    for rows in (1, 7, 33):
        columns = [np.array([number] * rows) for number in point]
        for threads in (1, 2):
            for row in compiled.map(*columns, threads=threads).tolist():
                yield f"map of {rows} by {threads}", row


def listed(result: Any) -> list[float]:
    return list(result) if isinstance(result, list | tuple) else [result]


def total_change(prices: list[float]) -> float:
    total = 0.0
    for before, after in pairwise(prices):
        total += after - before
    return total


def profit(prices: list[float]) -> float:
    held, earned = 1.0, 0.0
    for before, after in pairwise(prices):
        earned = earned + held * (after - before)
        held = 2.0 - held * 0.5
    return earned


PRICES = [1e12 + (i * 7919 % 4001) * 0.0078125 for i in range(1000)]


def kahan(numbers: list[float]) -> float:
    total = lost = 0.0
    for x in numbers:
        y = x - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total


def neumaier(numbers: list[float]) -> float:
    total = lost = 0.0
    for x in numbers:
        t = total + x
        lost += gradwalk.where(abs(total) >= abs(x), (total - t) + x, (x - t) + total)
        total = t
    return total + lost


def two_sum(a: float, b: float) -> list[float]:
    s = a + b
    part = s - a
    return [s, (a - (s - part)) + (b - part)]


def two_product(a: float, b: float) -> list[float]:
    """Dekker's: the product, and what its rounding lost."""
    p = a * b
    u = 134217729.0 * a
    high_a = u - (u - a)
    v = 134217729.0 * b
    high_b = v - (v - b)
    low_a, low_b = a - high_a, b - high_b
    return [p, ((high_a * high_b - p) + high_a * low_b + low_a * high_b) + low_a * low_b]


def remainder(x: float) -> float:
    return x - 49 * gradwalk.floor(x / 49)


def area(a: float, b: float, c: float, d: float) -> float:
    return math.sqrt(a * d - b * c)


def deviation(x: float, y: float) -> float:
    mean, square = (x + y) / 2, (x * x + y * y) / 2
    return math.sqrt(square - mean * mean)


WIDE = [1e100, 1.0, -1e100, 1e-3, *[0.1] * 10]
# What is tried, with its points: written order, compensation, division, what cancels.
CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (lambda x, y: x - y + 1.0, [(1e16, 1e16)]),
    (lambda a, b, c: a - b + c, [(1e308, 1e308, 1e308)]),
    (lambda a, b, c: a + b - c, [(1e308, 1e308, 1e308)]),
    (lambda x: x * 1e200 * 1e200, [(1e-200,)]),
    (lambda x: 1e200 * 1e200 * x, [(1e-200,)]),
    (lambda x, y: x * y * y / y, [(1e200, 1e-200)]),
    (total_change, [([1e15 + 0.125 * i for i in range(1000)],)]),
    (profit, [(PRICES,)]),
    (kahan, [([1e16, *[1.0] * 100],)]),
    (neumaier, [([1.0, 1e100, 1.0, -1e100],)]),
    (two_sum, [(1.0, 1e-20), (0.1, 0.2)]),
    (two_product, [(0.1, 0.1)]),
    (remainder, [(float(n),) for n in range(1, 200, 8)]),
    (lambda x: gradwalk.floor(x / 0.1), [(0.3,)]),
    (lambda x, y: x / y, [(x, y) for x in (1.0, 0.3, 1e308) for y in (3.0, 0.1, 49.0)]),
    (lambda x: gradwalk.floor(math.log10(x)), [(1000.0,)]),
    (lambda x: gradwalk.floor(math.log(x, 2)), [(8.0,)]),
    (lambda x: gradwalk.floor(math.log2(x)), [(8.0,)]),
    (lambda x: gradwalk.floor(math.cbrt(x)), [(64.0,)]),
    (lambda x: math.asinh(x), [(-1e308,)]),  # noqa: PLW0108
    (lambda x: math.fsum(x), [(WIDE,)]),  # noqa: PLW0108
    (area, [(x, 0.3 / x, x, 0.3 / x) for x in (0.1, 0.7, 1 / 3, 123.456)]),
    (deviation, [(x, x) for x in (0.1, 0.7, 1 / 3, 123.456, 1e-3, 7e9)]),
]


@pytest.mark.parametrize(("function", "points"), CASES)
def test_every_form_gives_what_python_gives_to_the_bit(function, points, level: str) -> None:
    for point in points:
        wanted = listed(function(*point))
        for where, found in results(function, *point):
            assert same(listed(found), wanted), (where, point, found, wanted)


def test_differences_inside_a_sum_stay_whole(level: str) -> None:
    numbers = [1e15 + 0.125 * i for i in range(64)]
    wanted = math.fsum([x - 1e15 for x in numbers])
    summed = lambda numbers, shift: sum([x - shift for x in numbers])  # noqa: E731
    assert all(found == wanted for _, found in results(summed, numbers, 1e15))


def test_the_gradient_of_a_quotient_may_pass_through_numbers_beyond_the_doubles(level: str) -> None:
    def logarithm(a: float) -> float:  # its slope is -1/a, and 1 / (5e-324 / a) / a is infinite
        return gradwalk.log(5e-324 / a)

    compiled = gradwalk.compile(logarithm)
    points = np.array([2e-116, 3e-100])
    assert compiled.map.value_and_grad(points)[1]["a"] == pytest.approx(-1 / points, rel=1e-14)
    for point in points:
        assert compiled.value_and_grad(point)[1]["a"] == pytest.approx(-1 / point, rel=1e-14)


def test_a_quotient_passes_on_a_tiny_gradient_by_a_steep_slope(level: str) -> None:
    def square(a: float) -> float:  # of a gradient of 1e-256 along 1e83; 1e-256 / a would be 0
        return a / (-4e261 / a)

    compiled = gradwalk.compile(square)
    for point in (-1.25e89, 2e88):
        points, exact = np.full(3, point), pytest.approx(2 * point / -4e261, rel=1e-14, abs=0.0)
        assert compiled.value_and_grad(point)[1]["a"] == exact
        assert compiled.map.value_and_grad(points)[1]["a"][2] == exact


def test_the_slope_of_a_power_may_pass_through_numbers_beyond_the_doubles(level: str) -> None:
    compiled = gradwalk.compile(lambda a: a**a)  # its slope is a**a · (log a + 1)
    assert compiled.map.value_and_grad(np.array([5e-324]))[1]["a"] == pytest.approx(
        1 + math.log(5e-324), rel=1e-12
    )


# ── Functions at the ends ────────────────────────────────────────────────────────────────────


def ulps(found: float, exact: Any) -> float:
    return float(abs(mpf(found) - exact) / math.ulp(float(exact)))


@pytest.mark.parametrize("size", [1e200, 1e-200, 1.0])
def test_lengths_neither_overflow_nor_vanish(size: float, level: str) -> None:
    x, y, z = 3.0 * size, 4.0 * size, 12.0 * size
    for _, found in results(lambda x, y, z: math.hypot(x, y, z), x, y, z):  # noqa: PLW0108
        assert ulps(found, mpf(math.hypot(x, y, z))) <= 2
    far = compile(lambda x, y, z: math.hypot(x, y, z))  # noqa: PLW0108
    assert [far(0.0, 0.0, 0.0), far(math.inf, 1.0, math.nan)] == [0.0, math.inf]
    here, there = [x, y, z], [0.0, 0.0, size]
    for _, found in results(lambda p, q: math.dist(p, q), here, there):  # noqa: PLW0108
        assert ulps(found, mpf(math.dist(here, there))) <= 2


# ── Everywhere the same ──────────────────────────────────────────────────────────────────────


def test_arithmetic_has_the_same_bits_in_calls_in_maps_and_by_any_number_of_threads(level) -> None:
    def f(a: float, b: float, c: float) -> float:
        d = math.sqrt(abs(a * b - c)) / (1.0 + abs(b))
        return gradwalk.where(d > c, a - b * d + c, gradwalk.maximum(d / c, a) - b) * 3.0 - a

    rng = np.random.default_rng(8)
    rows = np.ldexp(rng.standard_normal((3, 1003)), rng.integers(-40, 40, (3, 1003)))
    compiled = compile(f)
    wanted = [f(*row) for row in rows.T.tolist()]
    for threads in (1, 2, 3):
        assert same(compiled.map(*rows, threads=threads).tolist(), wanted)
    assert same([compiled(*row) for row in rows.T.tolist()], wanted)
