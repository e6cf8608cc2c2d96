"""How far functions are from the truth, over the whole range of doubles: points, mpmath, units.

`CASES` has one row per function: its value and its derivatives in mpmath, each from its definition,
and where to look. `truth` gives the exact result as the nearest double and what is left of it, so
that `units` can measure many results at once.
"""

import math
import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from mpmath import mp, mpf

from gradwalk import compile, ops  # noqa: A004

MOST = 1.7976931348623157e308
LEAST = 2.2250738585072014e-308
_HUGE = mpf(2) ** 1100

Sampler = Callable[[Random], float]


class Case(NamedTuple):
    """A function: `exact[0]` is its value, the others its derivatives by each operand."""

    exact: tuple[Callable[..., Any], ...]
    draw: Callable[[Random], tuple[float, ...]]
    most: float = 2.0  # units in the last place that it may be off


# ── Where to look ────────────────────────────────────────────────────────────────────────────────


def any_double(random: Random) -> float:
    """Every exponent alike, subnormals and both signs among them."""
    while True:
        x = struct.unpack("<d", random.randbytes(8))[0]
        if math.isfinite(x):
            return x


def between(low: float, high: float) -> Sampler:
    return lambda random: random.uniform(low, high)


def near(*centres: float) -> Sampler:
    """At any distance from a centre, from its last bit to half of it."""

    def draw(random: Random) -> float:
        centre = random.choice(centres)
        distance = (abs(centre) or 1.0) * math.ldexp(random.uniform(1, 2), random.randint(-55, -2))
        return centre + random.choice((-1, 1)) * distance

    return draw


def small(random: Random) -> float:
    return random.choice((-1, 1)) * math.ldexp(random.uniform(1, 2), random.randint(-60, 0))


def whole(random: Random) -> float:
    """A whole number, or one and a half."""
    return random.choice((1.0, 0.5)) * random.randint(-60, 60)


def unary(*samplers, inside=(-MOST, MOST)) -> Callable[[Random], tuple[float]]:
    def draw(random: Random) -> tuple[float]:
        while True:
            x = random.choice(samplers)(random)
            if inside[0] <= x <= inside[1]:
                return (x,)

    return draw


def _power(random: Random) -> tuple[float, float]:
    """A base and an exponent whose power is a double, most of the time."""
    sample = random.choice((any_double, near(1.0), between(0.0, 10.0), between(0.5, 2.0)))
    x = abs(sample(random)) or 1.0
    kind = random.random()
    if kind < 0.15:
        sign = random.choice((-1.0, 1.0))
        y = float(random.randint(-40, 40)) if sign < 0 else whole(random)
        return sign * min(max(x, 1e-12), 1e12), y
    if kind < 0.2 or x == 1.0:
        return x, any_double(random)
    target = random.choice((random.uniform(-760, 720), random.uniform(-20, 20), small(random)))
    y = target / math.log(x)
    return x, y if math.isfinite(y) else 1.0


def _pair(random: Random) -> tuple[float, float]:
    """Two doubles of any size, half of the time of one size."""
    x = any_double(random)
    if random.random() < 0.4:
        return x, any_double(random)
    y = x * math.ldexp(
        random.uniform(-2, 2), random.randint(-60, 60) if random.random() < 0.5 else 0
    )
    return x, y if math.isfinite(y) else x


# ── The functions ────────────────────────────────────────────────────────────────────────────────


def _exp(x: Any) -> Any:
    return mp.exp(x) if abs(x) < 5000 else (_HUGE**3 if x > 0 else _HUGE**-3)


def _sech2(x: Any) -> Any:
    e = _exp(-2 * abs(x))
    return 4 * e / (1 + e) ** 2


def _sigmoid(x: Any) -> Any:
    e = _exp(-abs(x))
    return (1 if x >= 0 else e) / (1 + e)


def _softplus(x: Any) -> Any:
    return max(x, mpf(0)) + mp.log1p(_exp(-abs(x)))


def _silu_slope(x: Any) -> Any:
    return _sigmoid(x) * (1 + x * _sigmoid(-x))


def _bell(x: Any) -> Any:
    return _exp(-(x**2))


def _erfc(x: Any) -> Any:
    return mp.erfc(x) if abs(x) < 60 else mpf(0 if x > 0 else 2)


def _normal(x: Any) -> Any:
    return _erfc(-x / mp.sqrt(2)) / 2


def _gelu_slope(x: Any) -> Any:
    return _normal(x) + x * _exp(-(x**2) / 2) / mp.sqrt(2 * mp.pi)


def _sinh(x: Any) -> Any:
    return mp.sinh(x) if abs(x) < 5000 else mp.sign(x) * _HUGE


def _cosh(x: Any) -> Any:
    return mp.cosh(x) if abs(x) < 5000 else _HUGE


def _expm1(x: Any) -> Any:
    return mp.expm1(x) if abs(x) < 5000 else (_HUGE if x > 0 else mpf(-1))


def _pow(x: Any, y: Any) -> Any:
    size = y * mp.log(abs(x))
    power = mp.exp(size) if abs(size) < 5000 else (_HUGE**3 if size > 0 else _HUGE**-3)
    return -power if x < 0 and y % 2 == 1 else power


def _pow_by_y(x: Any, y: Any) -> Any:
    return _pow(x, y) * mp.log(x) if x > 0 else mp.nan


_wide: tuple[Sampler, ...] = (any_double, between(-10, 10), small)
_around_0: tuple[Sampler, ...] = (*_wide, between(-760, 760), between(-40, 40))
_angles: tuple[Sampler, ...] = (
    *_wide,
    between(-1e6, 1e6),
    near(*[k * math.pi / 2 for k in range(-60, 60)]),
    near(*[k * math.pi / 2 for k in (10**5, 1234567, 10**9)]),
)
_unit: tuple[Sampler, ...] = (between(-1, 1), small, near(1.0, -1.0, 0.5, -0.5))
_positive: tuple[Sampler, ...] = (
    lambda r: abs(any_double(r)),
    between(0, 10),
    near(1.0),
    near(2.0, 8.0, 1000.0),
)
_factorial: tuple[Sampler, ...] = (*_positive, near(2.0, 1.4616321449683622), between(0, 40))
_inside_1 = (-math.nextafter(1.0, 0.0), math.nextafter(1.0, 0.0))
_tails: tuple[Sampler, ...] = (*_wide, between(-40, 40), between(-28, 28), between(-3, 3))

CASES: dict[str, Case] = {
    "sqrt": Case(
        (mp.sqrt, lambda x: 1 / (2 * mp.sqrt(x))), unary(*_positive, inside=(5e-324, MOST))
    ),
    "exp": Case((_exp, _exp), unary(*_around_0)),
    "expm1": Case((_expm1, _exp), unary(*_around_0)),
    "log": Case((mp.log, lambda x: 1 / x), unary(*_positive, inside=(5e-324, MOST))),
    "log1p": Case(
        (mp.log1p, lambda x: 1 / (1 + x)),
        unary(*_wide, lambda r: abs(any_double(r)), near(-1.0), inside=(_inside_1[0], MOST)),
    ),
    "sin": Case((mp.sin, mp.cos), unary(*_angles)),
    "cos": Case((mp.cos, lambda x: -mp.sin(x)), unary(*_angles)),
    "tan": Case((mp.tan, lambda x: 1 / mp.cos(x) ** 2), unary(*_angles)),
    "asin": Case(
        (mp.asin, lambda x: 1 / mp.sqrt((1 - x) * (1 + x))), unary(*_unit, inside=_inside_1)
    ),
    "acos": Case(
        (mp.acos, lambda x: -1 / mp.sqrt((1 - x) * (1 + x))), unary(*_unit, inside=_inside_1)
    ),
    "atan": Case((mp.atan, lambda x: 1 / (1 + x * x)), unary(*_wide, near(1.0, -1.0))),
    "sinh": Case((_sinh, _cosh), unary(*_around_0)),
    "cosh": Case((_cosh, _sinh), unary(*_around_0)),
    "tanh": Case((mp.tanh, _sech2), unary(*_around_0)),
    "sigmoid": Case((_sigmoid, lambda x: _sech2(x / 2) / 4), unary(*_around_0)),
    "softplus": Case((_softplus, _sigmoid), unary(*_around_0)),
    "silu": Case(
        (lambda x: x * _sigmoid(x), _silu_slope),
        unary(*_around_0, near(-1.2784645427610738), between(-3, 3)),
    ),
    "gelu": Case(
        (lambda x: x * _normal(x), _gelu_slope), unary(*_tails, near(-0.7517915246935645))
    ),
    "erf": Case((mp.erf, lambda x: 2 / mp.sqrt(mp.pi) * _bell(x)), unary(*_tails)),
    "erfc": Case((_erfc, lambda x: -2 / mp.sqrt(mp.pi) * _bell(x)), unary(*_tails)),
    "pow": Case((_pow, lambda x, y: y * _pow(x, y) / x, _pow_by_y), _power),
    "atan2": Case(
        (mp.atan2, lambda y, x: x / (x * x + y * y), lambda y, x: -y / (x * x + y * y)), _pair
    ),
    "hypot": Case(
        (mp.hypot, lambda x, y: x / mp.hypot(x, y), lambda x, y: y / mp.hypot(x, y)), _pair
    ),
    "log2": Case(
        (lambda x: mp.log(x, 2), lambda x: 1 / (x * mp.log(2))),
        unary(*_positive, inside=(5e-324, MOST)),
    ),
    "log10": Case(
        (mp.log10, lambda x: 1 / (x * mp.log(10))), unary(*_positive, inside=(5e-324, MOST))
    ),
    "exp2": Case(
        (lambda x: _exp(x * mp.log(2)), lambda x: _exp(x * mp.log(2)) * mp.log(2)),
        unary(*_around_0, between(-1080, 1024)),
    ),
    "cbrt": Case(
        (lambda x: mp.sign(x) * mp.cbrt(abs(x)), lambda x: 1 / (3 * mp.cbrt(abs(x)) ** 2)),
        unary(*_wide, near(8.0, -27.0)),
    ),
    "asinh": Case((mp.asinh, lambda x: 1 / mp.sqrt(1 + x * x)), unary(*_wide, near(1.0))),
    "acosh": Case(
        (mp.acosh, lambda x: 1 / mp.sqrt((x - 1) * (x + 1))),
        unary(lambda r: abs(any_double(r)), between(1, 10), near(1.0), inside=(1 + 2.0**-52, MOST)),
    ),
    "atanh": Case((mp.atanh, lambda x: 1 / ((1 - x) * (1 + x))), unary(*_unit, inside=_inside_1)),
    "gamma": Case(
        (mp.gamma, lambda x: mp.gamma(x) * mp.digamma(x)),
        unary(between(0, 12), between(0, 171), near(1.0, 2.0), inside=(1e-300, 171.0)),
        6.0,
    ),
    "lgamma": Case((mp.loggamma, mp.digamma), unary(*_factorial, inside=(1e-300, 1e300)), 6.0),
    "digamma": Case(
        (mp.digamma, lambda x: mp.psi(1, x)), unary(*_factorial, inside=(1e-150, 1e300)), 6.0
    ),
    "polygamma": Case(
        (mp.psi, lambda order, x: 0 * x, lambda order, x: mp.psi(order + 1, x)),
        lambda random: (float(random.randint(1, 4)), math.exp(random.uniform(-20, 20))),
        6.0,
    ),
}


# ── The truth, and the distance to it ────────────────────────────────────────────────────────────


def points(name: str, count: int) -> list[tuple[float, ...]]:
    random = Random(name)
    return [CASES[name].draw(random) for _ in range(count)]


def truth(function: Callable[..., Any], at: Sequence[tuple[float, ...]]) -> np.ndarray:
    """Return by point: the nearest double, what is left in its units, and one such unit."""
    rows: list[tuple[float, float, float]] = []
    with mp.workdps(50):
        for point in at:
            exact = function(*map(mpf, point))
            if mp.isnan(exact):
                rows.append((math.nan, 0.0, 1.0))
                continue
            nearest = _to_double(exact)
            if math.isinf(nearest):
                rows.append((nearest, 0.0, 1.0))
                continue
            unit = math.ulp(nearest)
            rows.append((nearest, float((exact - mpf(nearest)) / mpf(unit)), unit))
    return np.array(rows)


def _to_double(exact: Any) -> float:
    if abs(exact) > mpf(MOST) * (1 + mpf(2) ** -54):
        return math.copysign(math.inf, float(mp.sign(exact)))
    if abs(exact) >= mpf(MOST):
        return math.copysign(MOST, float(mp.sign(exact)))
    return float(exact) if abs(exact) > mpf(2) ** -1080 else 0.0


def units(got: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Return how far each result is from the truth, in units in the last place of the truth."""
    nearest, rest, unit = true.T
    with np.errstate(all="ignore"):
        far = np.abs((got - nearest) / unit - rest)
    far = np.where(
        np.isfinite(nearest) & np.isfinite(got), far, np.where(got == nearest, 0.0, np.inf)
    )
    return np.where(np.isnan(nearest), np.where(np.isnan(got), 0.0, np.inf), far)


# ── What a compiled function gives ───────────────────────────────────────────────────────────────


def single_calls(name: str, at: Sequence[tuple[float, ...]]) -> list[np.ndarray]:
    """Return the values and the derivatives by each operand, one call per point."""
    function = _compiled(name, len(at[0]), fast=False)
    rows: list[list[float]] = []
    for point in at:
        value, grads = function.value_and_grad(*point)
        rows.append([value, *grads.values()])
    return [*np.array(rows).T]


def mapped(name: str, at: Sequence[tuple[float, ...]], *, fast: bool = False) -> list[np.ndarray]:
    """Return the values and the derivatives by each operand, by one call of map."""
    function = _compiled(name, len(at[0]), fast=fast)
    value, grads = function.map.value_and_grad(*np.array(at).T)
    return [value, *grads.values()]


def _compiled(name: str, arity: int, *, fast: bool) -> Any:
    op = ops.BY_NAME[name]
    if arity == 1:
        return compile(lambda x: op(x), fast=fast)  # noqa: PLW0108  (with an argument of a name)
    return compile(lambda x, y: op(x, y), fast=fast)  # noqa: PLW0108
