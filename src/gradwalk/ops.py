"""The table of operations: one row each, read by everything that needs to know one.

A row holds the value, one partial derivative for each operand, the symbol, the words that explain
the rule, points to probe it at, and what happens at kinks and at the edges of IEEE arithmetic.
The engine, the parser, the walk, the pictures, the docs and the tests all read it from here.

Start reading at `Op`, then at the rows. What is not here: the graph (`engine`), parsing (`expr`).

Two rules for rules:
- A value takes floats, returns a float and never raises: exp(1000) is inf, log(-1) is nan.
- A partial takes (out, *operands) and must work on floats, on Values and on recorded values alike,
  because a derivative of a derivative runs it on these. So it uses + - * and other rows of this
  table, `_over` instead of `/`, which would raise ZeroDivisionError on floats, and `_pick` instead
  of `if`, for a recorded value has no number to ask for.
"""

# A rule takes floats and Values alike, so its parameters have no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

from gradwalk.errors import OperandError

__all__ = ["BY_NAME", "BY_SYMBOL", "TABLE", "Edge", "Op", "real"]

inf, nan = math.inf, math.nan

Value = Callable[..., float]
Partial = Callable[..., Any]


class Edge(NamedTuple):
    """What an operation gives at one point where calculus or real numbers do not settle it."""

    operands: tuple[float, ...]
    value: float
    partials: tuple[float, ...]
    why: str


class _Doc(str):
    """The docstring of `Op`. For an instance it is the row's own: see help(gradwalk.exp)."""

    def __get__(self, row: Op | None, kind: type[Op]) -> str:
        return str(self) if row is None else row.description


class Op:
    __doc__ = _Doc("""One row of the table. Call it on floats for a float, on a Value for a Value.

    `symbol` is what a node's `_op` says and what pictures show. `infix` rows are written between
    their operands, `derived` rows are recorded as the primitives named in `stands_for`. A row that
    `selects` passes nothing to an input whose partial is 0, not even of an infinite gradient.
    """)

    def __init__(
        self,
        name: str,
        operands: str,
        value: Value,
        partials: tuple[Partial, ...],
        formulas: tuple[str, ...],
        reason: str,
        *,
        probes: tuple[tuple[float, ...], ...],
        edges: tuple[Edge, ...] = (),
        symbol: str = "",
        infix: bool = False,
        stands_for: str = "",
        selects: bool = False,
        aliases: tuple[str, ...] = (),
        defaults: tuple[float, ...] = (),
    ) -> None:
        self.name = name
        self.symbol = symbol or name
        self.operands = tuple(operands.split())
        self.value = value
        self.partials = partials
        self.formulas = formulas
        self.reason = reason
        self.probes = probes
        self.edges = edges
        self.infix = infix
        self.derived = bool(stands_for)
        self.stands_for = stands_for
        self.selects = selects
        self.aliases = aliases
        self.defaults = defaults

    @property
    def arity(self) -> int:
        return len(self.operands)

    @property
    def is_function(self) -> bool:
        """Whether it is written name(operands); the others have signs of their own."""
        return not self.infix and self is not neg

    @property
    def is_method(self) -> bool:
        """Whether `value.name(…)` makes sense: not where the first operand only chooses."""
        return self.is_function and self not in (abs_, where, polygamma)

    @property
    def least(self) -> int:
        """How many operands must be given; the rest have defaults."""
        return len(self.operands) - len(self.defaults)

    @property
    def signature(self) -> str:
        """How it is called: leaky_relu(x, slope=0.01)."""
        defaults = (*("",) * self.least, *[f"={default}" for default in self.defaults])
        pairs = zip(self.operands, defaults, strict=True)
        return f"{self.name}({', '.join([name + default for name, default in pairs])})"

    @property
    def description(self) -> str:
        """What it computes, its derivatives and its special points, for help()."""
        written = f" {self.symbol} ".join(self.operands) if self.infix else self.signature
        lines = [f"{written}: {ABOUT.get(self.name, self.reason)}", ""]
        lines += [
            f"d/d{name} = {formula}"
            for name, formula in zip(self.operands, self.formulas, strict=True)
        ]
        lines += ["", f"Backward: {self.reason}."]
        if self.aliases:
            lines += [f"Also called {', '.join(self.aliases)}."]
        for edge in self.edges:
            at = ", ".join([f"{x:g}" for x in edge.operands])
            slopes = ", ".join([f"{x:g}" for x in edge.partials])
            lines.append(f"At {at}: value {edge.value:g}, derivative {slopes} ({edge.why}).")
        return "\n".join(lines)

    def __call__(self, *operands: Any) -> Any:
        operands = self.complete(operands)
        apply = None
        for operand in operands:
            # A Value of either engine, told by what it can do: this module is below both. A value
            # that is being recorded goes first: it knows what to do with a Value beside it.
            kind = type(operand)
            if hasattr(kind, "_apply") and (apply is None or hasattr(kind, "_records")):
                apply = kind._apply
        if apply is not None:
            return apply(self, operands)
        return self.value(*[self.real(operand) for operand in operands])

    def complete(self, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the operands with the defaults filled in; raise when their number is wrong."""
        missing = len(self.operands) - len(operands)
        if missing:
            if missing < 0 or missing > len(self.defaults):
                raise OperandError(
                    f"{self.name} takes {_count(self.least, self.arity)}, got {len(operands)}"
                )
            operands += self.defaults[len(self.defaults) - missing :]
        return operands

    def real(self, operand: object) -> float:
        """Return `operand` as a float, or raise an error that names this operation."""
        number = real(operand)
        if number is None:
            raise OperandError(
                f"{self.name} takes a Value or a real number, "
                f"not {type(operand).__name__}: {_short(operand)}"
            )
        return number

    def __repr__(self) -> str:
        return f"<op {self.name}({', '.join(self.operands)})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return row, (self.name,)


def real(number: Any) -> float | None:
    """Return a real number as a float, or None for anything else.

    int, float, bool, Fraction and numpy scalars are real numbers; str, complex, Decimal and
    arrays are not. A number beyond the doubles is an infinity, as IEEE rounds it.
    """
    if _is_recorded(number):
        return None
    if isinstance(number, (float, int, Real)):
        try:
            return float(number)
        except OverflowError:
            return inf if number > 0 else -inf  # pyright: ignore[reportOperatorIssue]
    if getattr(number, "shape", None) == () and hasattr(number, "item"):  # numpy.bool_
        item: object = number.item()  # pyright: ignore[reportAttributeAccessIssue]
        return float(item) if isinstance(item, (bool, int, float)) else None
    return None


def row(name: str) -> Op:
    """Return the row called `name`."""
    return BY_NAME[name]


def _count(least: int, most: int) -> str:
    number = f"{least}" if least == most else f"{least} to {most}"
    return f"{number} operand{'' if most == 1 else 's'}"


def _short(thing: object) -> str:
    text = repr(thing)
    return text if len(text) <= 40 else text[:39] + "…"


# From 2**-511 to 2**511 both y**-1 and y**-2 are normal doubles.
_LEAST_PLAIN, _MOST_PLAIN = 2.0**-511, 2.0**511
_LEAST_NORMAL, MOST = 2.0**-1022, 1.7976931348623157e308


def divides_plainly(y: Any) -> bool:
    """Return whether x / y is recorded as x * y**-1, as in micrograd.

    Where y**-1 or y**-2 leaves the normal doubles it is recorded as one division.
    """
    return not (
        _MOST_PLAIN < y < inf or -inf < y < -_MOST_PLAIN or (-_LEAST_PLAIN < y < _LEAST_PLAIN and y)
    )


def is_normal(x: float) -> bool:
    return _LEAST_NORMAL <= x < inf or -inf < x <= -_LEAST_NORMAL


def _is_recorded(x: Any) -> bool:
    return hasattr(type(x), "_records")


def _is_plain(x: Any) -> bool:
    """Say whether a thing is a float or an int, which recorded values only call themselves."""
    return isinstance(x, (float, int)) and not _is_recorded(x)


def _pick(condition: Any, yes: Any, no: Any) -> Any:
    """Return one of two results, by a condition on floats or Values or by a recorded one."""
    if _is_recorded(condition):
        return where(condition, yes, no)
    return yes if condition else no


def _unless(condition: Any, result: Callable[[], Any]) -> Any:
    """Return 0 where a condition holds, else a result."""
    if _is_recorded(condition):
        return where(condition, 0.0, result())
    return 0.0 if condition else result()


def _over(x: Any, y: Any) -> Any:
    """Return x / y, by IEEE on floats (1/0 is inf), as a node when either is a Value."""
    if _is_plain(x) and _is_plain(y):
        return _divide(x, y)
    return x / y


# ── Values on floats ─────────────────────────────────────────────────────────────────────────
# Python's math raises where C returns inf or nan; these return what C does. Each is the same
# libm call the C engine makes, so that both engines agree to the last bit.


def _divide(x: float, y: float) -> float:
    if y:
        return x / y
    if x != x or not x or y != y:
        return x / y if y != y else nan
    return math.copysign(inf, x) * math.copysign(1.0, y)


def _is_odd(number: float) -> bool:
    """`number % 2` would round what is just below an odd number up to it."""
    return math.isfinite(number) and abs(math.fmod(number, 2.0)) == 1.0


def _power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except OverflowError:
        return -inf if x < 0 and _is_odd(y) else inf
    except ValueError:  # a negative number to a fraction, or 0 to a negative number
        if x:
            return nan
        return math.copysign(inf, x) if _is_odd(y) else inf


def _quiet(function: Callable[[float], float], overflow: float = inf) -> Callable[[float], float]:
    """Return a libm function that answers nan outside its domain and `overflow` beyond range."""

    def value(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return nan
        except OverflowError:
            return overflow

    return value


def _logarithm(function: Callable[[float], float], pole: float = 0.0) -> Callable[[float], float]:
    def value(x: float) -> float:
        if x > pole:
            return function(x)
        return -inf if x == pole else nan

    return value


_log, _log1p = _logarithm(math.log), _logarithm(math.log1p, -1.0)
_log2, _log10 = _logarithm(math.log2), _logarithm(math.log10)


def _atanh(x: float) -> float:
    if -1 < x < 1:
        return math.atanh(x)
    return math.copysign(inf, x) if abs(x) == 1 else nan


def _sinh(x: float) -> float:
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(inf, x)


def _floor(x: float) -> float:
    # The guards keep what int cannot hold: nan, infinities, -0.0; doubles past 2**52 are whole.
    return float(math.floor(x)) if x and -4503599627370496.0 < x < 4503599627370496.0 else x


def _floor_divide(x: float, y: float) -> float:
    return x // y if y else _divide(x, y)  # Python raises at 0; here it is an infinity, or nan


def _modulo(x: float, y: float) -> float:
    return x % y if y else nan


def _sign(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else x


def _hypot(x: float, y: float) -> float:
    if x != x or y != y:  # abs(complex) may take an errno of long ago for its own there
        return inf if math.isinf(x) or math.isinf(y) else nan
    try:
        return abs(complex(x, y))  # C's hypot; math.hypot rounds by an algorithm of its own
    except OverflowError:
        return inf


_exp = _quiet(math.exp)


def _sigmoid(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + _exp(-x))
    e = _exp(x)
    return e / (1.0 + e)


def _silu(x: float) -> float:
    if x < -700.0:  # the sigmoid is exp(x) here, and too near 0 to keep its digits for x to scale
        half = math.exp(0.5 * x)
        return x * half * half if half else -0.0
    return x * _sigmoid(x)


def _softplus(x: float) -> float:
    return (x if x > 0 else 0.0 if x <= 0 else x) + math.log1p(_exp(-abs(x)))


def _relu(x: float) -> float:
    return 0.0 if x <= 0 else x  # nan stays nan


def _leaky_relu(x: float, slope: float) -> float:
    return x if x > 0 else slope * x


def _maximum(x: float, y: float) -> float:
    return x if x > y or x != x else y


def _minimum(x: float, y: float) -> float:
    return x if x < y or x != x else y


def _clip(x: float, low: float, high: float) -> float:
    return high if x > high else low if x < low else x


_SQRT2_HIGH, _SQRT2_LOW = 0.7071067811865476, -4.833646656726457e-17  # 1/√2 = high + low


def _gelu(x: float) -> float:
    # erfc keeps the left tail, where 1 + erf cancels; the second term mends the rounding of
    # x/√2, which erfc's steepness would otherwise magnify a hundredfold.
    t = -x * _SQRT2_HIGH
    if -30.0 < t < 30.0:
        rest = _product_rest(-x, _SQRT2_HIGH, t) - x * _SQRT2_LOW
        return 0.5 * x * (math.erfc(t) - TWO_OVER_ROOT_PI * math.exp(-t * t) * rest)
    return x if x > 0 else -0.0 if x < 0 else x


def _product_rest(x: float, y: float, product: float) -> float:
    """Return x·y − product, exactly (Dekker's splitting)."""
    a = 134217729.0 * x
    a -= a - x
    b = 134217729.0 * y
    b -= b - y
    return ((a * b - product) + a * (y - b) + (x - a) * b) + (x - a) * (y - b)


TWO_OVER_ROOT_PI = 1.1283791670955126
ROOT_HALF = 0.7071067811865476
ROOT_TAU_INVERSE = 0.3989422804014327
LN_2 = 0.6931471805599453
LOG2_E = 1.4426950408889634
LOG10_E = 0.4342944819032518


# ── The gamma function and its derivatives ───────────────────────────────────────────────────
# From 12 on they are asymptotic series in Bernoulli numbers; below it, products or sums lead there.
# The two tables are Chebyshev interpolants, computed with mpmath in 60 digits.

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
_ROOT_TAU, _ROOT_TAU_REST = 2.5066282746310007, -1.8328579980459167e-16  # √(2π) = both together
_HALF_LOG_TAU = 0.9189385332046728
_DIGAMMA_ZERO, _DIGAMMA_ZERO_REST = 0.46163214496836236, -1.5522348162858677e-17
# lgamma(2 + t) / t for -0.75 <= t <= 0.5, in powers of t.
_LGAMMA = (
    2.760390862919285e-07,
    1.120129975111828e-07,
    4.854598902919292e-08,
    -7.05481421384969e-07,
    9.75857680957378e-07,
    -1.9163118630153526e-06,
    4.38945038046016e-06,
    -9.471111834877157e-06,
    2.0500748418879063e-05,
    -4.492145730911986e-05,
    9.94586563110572e-05,
    -0.00022315519070297175,
    0.0005096694212741989,
    -0.0011927538890680867,
    0.002890510335476359,
    -0.007385551029293381,
    0.02058080842769018,
    -0.06735230105319123,
    0.32246703342411376,
    0.42278433509846713,
)
# digamma(1 + t) / (t - zero) for 0 <= t <= 1, in powers of t - 0.5.
_DIGAMMA = (
    -0.00017312261802727394,
    0.00025968482126430747,
    -0.00015148586836773365,
    0.0002272331660987376,
    -0.0004821990530566789,
    0.0007233266279287554,
    -0.0010376374098418604,
    0.0015566317474486838,
    -0.002345267632540769,
    0.003519006401502276,
    -0.005279964873257405,
    0.007926944646403797,
    -0.011908218001568644,
    0.0179072524394512,
    -0.02697579675613825,
    0.04076083381242074,
    -0.061922133273064534,
    0.09498872445494122,
    -0.14840492305390884,
    0.2405424842407742,
    -0.4236274212814605,
    0.951055876031833,
)


def _gamma(x: float) -> float:
    if x != x or x == inf:
        return x
    if -1e-17 < x < 1e-17:
        return _divide(1.0, x)
    if x < 0.0:
        return _gamma_of_negative(-x)
    if x > 172.0:
        return inf
    y = x
    factor = 1.0
    if x <= 23.0 and x == math.floor(x):  # the factorials that are doubles
        while y > 2.0:
            y -= 1.0
            factor *= y
        return factor
    # x! = y! / factor below 12, y! * factor above 140. `rest` collects relative roundings.
    steps = 0.0
    lost = 0.0
    rest = 0.0
    while y < 12.0:
        product = factor * y
        rest -= (_product_rest(factor, y, product) + factor * lost) / product
        factor = product
        steps += 1.0
        y = x + steps
        lost = x - (y - steps)
    if y > 140.0:
        factor = 2.0**-64
        while y > 140.0:
            y -= 1.0
            product = factor * y
            rest += _product_rest(factor, y, product) / product
            factor = product
    high = math.pow(y, y - 0.5)
    low = math.exp(-y)
    small = high * low
    rest += _product_rest(high, low, small) / small
    scaled = small * _ROOT_TAU
    rest += _product_rest(small, _ROOT_TAU, scaled) / scaled + _ROOT_TAU_REST / _ROOT_TAU
    more = math.expm1(_stirling(y))
    if x < 12.0:
        out = scaled / factor
        rest += lost * (math.log(y) - 0.5 / y) - _product_rest(out, factor, scaled) / scaled
        return out + out * (more + rest + more * rest)
    if x <= 140.0:
        return scaled + scaled * (more + rest)
    out = scaled * factor
    rest += _product_rest(scaled, factor, out) / out
    return (out + out * (more + rest)) * 2.0**64


def _gamma_of_negative(x: float) -> float:
    """Return the gamma function at -x."""
    if x == inf or x == math.floor(x):
        return nan
    sine = _sine_of_half_turns(x)
    if x > 200.0:
        return -0.0 * sine
    if x <= 170.0:
        return _divide(-math.pi, x * sine) / _gamma(x)
    y = x
    out = _divide(-math.pi, x * sine) / _gamma(x - 40.0)
    while y > x - 40.0:
        y -= 1.0
        out /= y
    return out


def _sine_of_half_turns(x: float) -> float:
    """Return sin(pi * x), for x >= 0."""
    rest = math.fmod(x, 2.0)
    sign = 1.0
    if rest >= 1.0:
        rest -= 1.0
        sign = -1.0
    if rest > 0.5:
        rest = 1.0 - rest
    return sign * math.sin(math.pi * rest)


def _stirling(x: float) -> float:
    """Return log(gamma(x)) less its leading terms."""
    power = 1.0 / x
    square = power * power
    total = 0.0
    k = 2.0
    for number in _BERNOULLI:
        total += number / (k * (k - 1.0)) * power
        power *= square
        k += 2.0
    return total


def _lgamma_from_2(t: float) -> float:
    total = 0.0
    for number in _LGAMMA:
        total = total * t + number
    return total * t


def _lgamma(x: float) -> float:
    if x != x:
        return x
    if (x <= 0.0 and x == _floor(x)) or x == inf:
        return inf
    if x < 0.0:
        if x > -1e-17:
            return -math.log(-x)
        return math.log(math.pi / abs(x * _sine_of_half_turns(-x))) - _lgamma(-x)
    if x < 0.5:
        return _lgamma_from_2(x) - math.log1p(x) - math.log(x)
    if x < 1.25:
        return _lgamma_from_2(x - 1.0) - math.log1p(x - 1.0)
    if x < 8.0:
        y = x
        factor = 1.0
        rest = 0.0
        while y >= 2.5:
            y -= 1.0
            product = factor * y
            rest = rest * y + _product_rest(factor, y, product)
            factor = product
        return _lgamma_from_2(y - 2.0) + (math.log(factor) + rest / factor)
    less = math.log(x) - 1.0
    if x > 1e17:
        return x * less
    main = (x - 0.5) * less
    rest = _product_rest(x - 0.5, less, main) + (_HALF_LOG_TAU - 0.5 + _stirling(x))
    return main + rest


def _digamma_from_1(t: float) -> float:
    total = 0.0
    for number in _DIGAMMA:
        total = total * (t - 0.5) + number
    return ((t - _DIGAMMA_ZERO) - _DIGAMMA_ZERO_REST) * total


def _digamma(x: float) -> float:
    if x != x or x == inf:
        return x
    if x == 0.0:
        return _divide(-1.0, x)
    if x < 0.0:
        if x == _floor(x):
            return nan
        rest = math.fmod(-x, 1.0)
        turned = math.pi / math.tan(math.pi * (rest - 1.0 if rest > 0.5 else rest))
        return (_digamma_from_1(-x) if x > -1.0 else _digamma(-x) - 1.0 / x) + turned
    if x < 1.0:
        return _digamma_from_1(x) - 1.0 / x
    total = 0.0
    if x < 12.0:
        y = x
        while y >= 2.0:
            y -= 1.0
            total += 1.0 / y
        return total + _digamma_from_1(y - 1.0)
    square = 1.0 / (x * x)
    power = square
    k = 2.0
    for number in _BERNOULLI:
        total += number / k * power
        power *= square
        k += 2.0
    return math.log(x) - (0.5 / x + total)


def _polygamma(order: float, x: float) -> float:
    if order == 0.0:
        return _digamma(x)
    if x != x or not 1.0 <= order <= 100.0 or order != math.floor(order) or x < -1000.0:
        return nan
    sign = 1.0 if math.fmod(order, 2.0) == 1.0 else -1.0
    if x <= 0.0 and x == math.floor(x):
        return inf if sign > 0.0 else nan
    factorial = 1.0
    k = 2.0
    while k <= order:
        factorial *= k
        k += 1.0
    steps = 0.0
    while x + steps < 12.0 + 2.0 * order:
        steps += 1.0
    y = x + steps
    # The sum from y on, divided by y**-order, by Euler and Maclaurin.
    square = 1.0 / y / y
    rising = 0.5 * (order + 1.0) * square
    tail = 0.0
    k = 2.0
    for number in _BERNOULLI:
        tail += number * rising
        rising *= (order + k) * (order + k + 1.0) / ((k + 1.0) * (k + 2.0)) * square
        k += 2.0
    tail = 1.0 / order + (0.5 / y + tail)
    if steps == 0.0:  # by halves: the power may be below the doubles though the product is not
        half = _power(y, -0.5 * order)
        return sign * (factorial * half * tail) * half
    total = _power(y, -order) * tail
    while steps > 0.0:
        steps -= 1.0
        total += _power(x + steps, -order - 1.0)
    return sign * factorial * total


# ── Partials that need more than one expression ──────────────────────────────────────────────


def _pow_by_base(out: Any, x: Any, y: Any) -> Any:
    if _is_recorded(y):
        lower = pow_(x, y - 1.0)  # of the least doubles it is inf, though its product with y is not
        is_lost = (x != 0) & (abs(x) < _LEAST_NORMAL) & (abs(lower) == inf)
        slope = where(is_lost, _over(y, x) * out, y * lower)
        return _unless((x == 0) & (y == 0), lambda: slope)
    if y == 0 and (_is_recorded(x) or x == 0):
        return 0.0
    lower = pow_(x, y - 1.0)
    if _is_plain(lower) and not is_normal(lower) and x and math.isfinite(x):
        # The product with y may be among the doubles though the power is not: take it by halves.
        half = _power(abs(x), (y - 1.0) * 0.5)
        return lower if lower != lower else math.copysign(1.0, lower) * (y * half) * half
    return y * lower


def _pow_by_exponent(out: Any, x: Any, y: Any) -> Any:
    if _is_recorded(x) or _is_recorded(y):
        return _unless((x == 0) & (y >= 0), lambda: out * log(x))
    if x == 0 and y >= 0:
        return 0.0
    if _is_plain(out) and not is_normal(out) and 0.0 < x < inf:
        half = _power(x, y * 0.5)
        return half * _log(x) * half
    return out * log(x)


# A recorded division is one division.


def _div_by_x(out: Any, x: Any, y: Any) -> Any:
    return _over(1.0, y) if _is_recorded(y) or not divides_plainly(y) else pow_(y, -1.0)


def _div_by_y(out: Any, x: Any, y: Any) -> Any:
    if _is_recorded(y) or not divides_plainly(y):
        return -1.0 * _over(out, y)
    return x * (-1.0 * pow_(y, -2.0))


def _atan_by_x(out: Any, x: Any) -> Any:
    if _is_recorded(x) or -_MOST_PLAIN <= x <= _MOST_PLAIN:
        return _over(1.0, 1.0 + x * x)
    return _over(_over(1.0, x), x)


def _share_of_length(out: Any, x: Any, y: Any) -> Any:
    """Return x / hypot(x, y), also where the length leaves the normal doubles."""
    if _is_plain(out) and not is_normal(out) and math.isfinite(x) and math.isfinite(y):
        if not out:
            return 0.0
        scale = 0.5 if out > 1.0 else 2.0**600
        return _divide(x * scale, _hypot(x * scale, y * scale))
    return _unless(out == 0, lambda: _over(x, out))


def _turn(x: Any, y: Any) -> Any:
    """Return x / (x² + y²), by which atan2 turns."""
    length = hypot(y, x)
    if _is_plain(length) and length == inf and math.isfinite(x) and math.isfinite(y):
        length = _hypot(y * 0.5, x * 0.5)
        return _divide(_divide(x * 0.5, length), length) * 0.5
    return _unless(length == 0, lambda: _over(_over(x, length), length))


def _tanh_by_x(out: Any, x: Any) -> Any:
    if _is_recorded(x):
        inverse = _over(1.0, cosh(clip(x, -400.0, 400.0)))  # its square is 0 from there on
        return inverse * inverse
    if abs(out) < 0.9:
        return 1.0 - out * out
    # Near ±1 the difference above loses its digits; 4e/(1+e)² with e = exp(-2|x|) keeps them.
    e = exp(x * -2.0 if x > 0 else x * 2.0)
    return _over(4.0 * e, (1.0 + e) * (1.0 + e))


def _bell(x: Any, rate: float) -> Any:
    """Return exp(-rate·x²), for |x| <= 64.

    The exponent is in two parts: rounding x² to one double would change the result by x² ulp.
    """
    split = x * 134217729.0
    high = split - (split - x)  # the upper half of the digits, whose square is exact
    return exp(high * high * -rate) * exp((x - high) * (x + high) * -rate)


def _erf_by_x(out: Any, x: Any) -> Any:
    return TWO_OVER_ROOT_PI * _bell(clip(x, -64.0, 64.0), 1.0)


def _gelu_by_x(out: Any, x: Any) -> Any:
    x = clip(x, -64.0, 64.0)  # flat beyond, and inf · 0 would be nan
    return 0.5 * erfc(x * -ROOT_HALF) + x * (ROOT_TAU_INVERSE * _bell(x, 0.5))


def _silu_by_x(out: Any, x: Any) -> Any:
    return sigmoid(x) + clip(out, -MOST, MOST) * sigmoid(-x)


def _inside(x: Any, low: Any, high: Any) -> Any:
    return _pick(x > high, 0.0, _pick(x < low, 0.0, 1.0))


# ── The rows ─────────────────────────────────────────────────────────────────────────────────

add = Op(
    "add",
    "x y",
    lambda x, y: x + y,
    (lambda out, x, y: 1.0, lambda out, x, y: 1.0),
    ("1", "1"),
    "add copies: each input receives the gradient unchanged",
    symbol="+",
    infix=True,
    probes=((2.0, -3.0), (1e16, 1.0), (-0.5, 0.25)),
    edges=(
        Edge((inf, -inf), nan, (1.0, 1.0), "inf - inf has no value"),
        Edge((-0.0, -0.0), -0.0, (1.0, 1.0), "the zeros keep their sign"),
    ),
)

mul = Op(
    "mul",
    "x y",
    lambda x, y: x * y,
    (lambda out, x, y: y, lambda out, x, y: x),
    ("y", "x"),
    "multiply swaps and scales: each input receives the gradient times the other input",
    symbol="*",
    infix=True,
    probes=((2.0, -3.0), (1e-3, 1e3), (-0.5, -7.0)),
    edges=(
        Edge((0.0, inf), nan, (inf, 0.0), "0 · inf has no value"),
        Edge((1e200, 1e200), inf, (1e200, 1e200), "overflow is inf"),
    ),
)

pow_ = Op(
    "pow",
    "x y",
    _power,
    (_pow_by_base, _pow_by_exponent),
    ("y * x**(y - 1)", "x**y * log(x)"),
    "power brings the exponent down and lowers it by one",
    symbol="**",
    infix=True,
    probes=((2.0, 3.0), (0.5, -1.5), (3.0, 0.0), (7.0, -1.0), (1.7, 0.5)),
    edges=(
        Edge((0.0, -1.0), inf, (-inf, -inf), "a pole"),
        Edge((-0.0, -1.0), -inf, (-inf, inf), "an odd pole takes the sign of the zero"),
        Edge((-8.0, 1 / 3), nan, (nan, nan), "no real root of a negative number"),
        Edge((-2.0, 3.0), -8.0, (12.0, nan), "a whole power; the exponent cannot vary there"),
        Edge((0.0, 0.0), 1.0, (0.0, 0.0), "x**0 is 1 everywhere, so flat"),
        Edge((0.0, 2.0), 0.0, (0.0, 0.0), "flat at the origin"),
        Edge((0.0, 1.0), 0.0, (1.0, 0.0), "the identity"),
        Edge((1e200, 2.0), inf, (2e200, inf), "overflow is inf"),
        Edge((-1e200, 3.0), -inf, (inf, nan), "an odd overflow keeps the sign"),
    ),
)

neg = Op(
    "neg",
    "x",
    lambda x: x * -1.0,
    (lambda out, x: -1.0,),
    ("-1",),
    "negate flips the sign of the gradient",
    symbol="neg",
    stands_for="x * -1",
    probes=((2.0,), (-3.0,)),
)

sub = Op(
    "sub",
    "x y",
    lambda x, y: x + y * -1.0,
    (lambda out, x, y: 1.0, lambda out, x, y: -1.0),
    ("1", "-1"),
    "subtract copies to the left and flips the sign to the right",
    symbol="-",
    infix=True,
    stands_for="x + (y * -1)",
    probes=((2.0, -3.0), (5.0, 4.75)),
)

div = Op(
    "div",
    "x y",
    lambda x, y: x * _power(y, -1.0) if divides_plainly(y) else x / y,
    (_div_by_x, _div_by_y),
    ("1 / y", "-x / y**2"),
    "divide scales by 1/y to the left, and by -x/y² to the right",
    symbol="/",
    infix=True,
    stands_for="x * y**-1",
    probes=((2.0, -3.0), (1.0, 8.0)),
    edges=(
        Edge((1.0, 0.0), inf, (inf, -inf), "a pole"),
        Edge((0.0, 0.0), nan, (inf, nan), "0/0 has no value"),
        Edge((1e-310, 1e-310), 1.0, (inf, -inf), "one division: 1/y is beyond the doubles"),
        Edge((1e200, 1e200), 1.0, (1e-200, -1e-200), "one division: y**-2 is below the doubles"),
    ),
)

abs_ = Op(
    "abs",
    "x",
    math.fabs,
    (lambda out, x: sign(x),),
    ("sign(x)",),
    "abs passes the gradient on, with the sign of the input",
    probes=((2.5,), (-1.5,)),
    edges=(Edge((0.0,), 0.0, (0.0,), "kink: the middle of [-1, 1]"),),
)

sqrt = Op(
    "sqrt",
    "x",
    _quiet(math.sqrt),
    (lambda out, x: _over(0.5, out),),
    ("1 / (2 * sqrt(x))",),
    "square root divides the gradient by twice the output",
    probes=((2.0,), (1e-4,), (9.0,)),
    edges=(
        Edge((0.0,), 0.0, (inf,), "a vertical tangent"),
        Edge((-1.0,), nan, (nan,), "no real root"),
        Edge((inf,), inf, (0.0,), "flattens out"),
    ),
)

exp = Op(
    "exp",
    "x",
    _exp,
    (lambda out, x: out,),
    ("exp(x)",),
    "exp scales by its own output",
    probes=((0.5,), (-3.0,), (10.0,)),
    edges=(
        Edge((1000.0,), inf, (inf,), "overflow is inf"),
        Edge((-1000.0,), 0.0, (0.0,), "underflow is 0"),
    ),
)

expm1 = Op(
    "expm1",
    "x",
    _quiet(math.expm1),
    (lambda out, x: exp(x),),
    ("exp(x)",),
    "exp(x) - 1 scales by exp(x)",
    probes=((1e-9,), (0.5,), (-3.0,)),
    edges=(
        Edge((1000.0,), inf, (inf,), "overflow is inf"),
        Edge((-1000.0,), -1.0, (0.0,), "flat on the left"),
    ),
)

log = Op(
    "log",
    "x",
    _log,
    (lambda out, x: _over(1.0, x),),
    ("1 / x",),
    "log divides the gradient by the input",
    probes=((2.0,), (0.01,), (1e5,)),
    edges=(
        Edge((0.0,), -inf, (inf,), "a pole"),
        Edge((-1.0,), nan, (-1.0,), "no real logarithm"),
        Edge((inf,), inf, (0.0,), "flattens out"),
    ),
)

log1p = Op(
    "log1p",
    "x",
    _log1p,
    (lambda out, x: _over(1.0, 1.0 + x),),
    ("1 / (1 + x)",),
    "log(1 + x) divides the gradient by 1 + x",
    probes=((1e-9,), (2.0,), (-0.5,)),
    edges=(
        Edge((-1.0,), -inf, (inf,), "a pole"),
        Edge((-2.0,), nan, (-1.0,), "no real logarithm"),
    ),
)

sin = Op(
    "sin",
    "x",
    _quiet(math.sin),
    (lambda out, x: cos(x),),
    ("cos(x)",),
    "sin scales by the cosine",
    probes=((0.5,), (-2.0,), (30.0,)),
    edges=(Edge((inf,), nan, (nan,), "no angle"),),
)

cos = Op(
    "cos",
    "x",
    _quiet(math.cos),
    (lambda out, x: -sin(x),),
    ("-sin(x)",),
    "cos scales by minus the sine",
    probes=((0.5,), (-2.0,), (30.0,)),
    edges=(Edge((inf,), nan, (nan,), "no angle"),),
)

tan = Op(
    "tan",
    "x",
    _quiet(math.tan),
    (lambda out, x: 1.0 + out * out,),
    ("1 + tan(x)**2",),
    "tan scales by one plus its output squared",
    probes=((0.5,), (-1.2,), (2.0,)),
    edges=(Edge((inf,), nan, (nan,), "no angle"),),
)

asin = Op(
    "asin",
    "x",
    _quiet(math.asin),
    (lambda out, x: _over(1.0, sqrt((1.0 - x) * (1.0 + x))),),
    ("1 / sqrt(1 - x**2)",),
    "asin divides by the cosine of its output",
    aliases=("arcsin",),
    probes=((0.5,), (-0.9,), (0.001,)),
    edges=(
        Edge((1.0,), math.pi / 2, (inf,), "a vertical tangent"),
        Edge((2.0,), nan, (nan,), "no real angle"),
    ),
)

acos = Op(
    "acos",
    "x",
    _quiet(math.acos),
    (lambda out, x: _over(-1.0, sqrt((1.0 - x) * (1.0 + x))),),
    ("-1 / sqrt(1 - x**2)",),
    "acos divides by minus the sine of its output",
    aliases=("arccos",),
    probes=((0.5,), (-0.9,), (0.001,)),
    edges=(
        Edge((1.0,), 0.0, (-inf,), "a vertical tangent"),
        Edge((2.0,), nan, (nan,), "no real angle"),
    ),
)

atan = Op(
    "atan",
    "x",
    math.atan,
    (_atan_by_x,),
    ("1 / (1 + x**2)",),
    "atan divides by one plus the input squared",
    aliases=("arctan",),
    probes=((0.5,), (-3.0,), (100.0,)),
    edges=(Edge((inf,), math.pi / 2, (0.0,), "flattens out"),),
)

atan2 = Op(
    "atan2",
    "y x",
    math.atan2,
    (
        lambda out, y, x: _turn(x, y),
        lambda out, y, x: _turn(-y, x),
    ),
    ("x / (x**2 + y**2)", "-y / (x**2 + y**2)"),
    "the angle turns by the cross component over the distance squared",
    aliases=("arctan2",),
    probes=((1.0, 2.0), (-1.0, -2.0), (3.0, -0.5)),
    edges=(Edge((0.0, 0.0), 0.0, (0.0, 0.0), "no angle at the origin: taken flat"),),
)

sinh = Op(
    "sinh",
    "x",
    _sinh,
    (lambda out, x: cosh(x),),
    ("cosh(x)",),
    "sinh scales by cosh",
    probes=((0.5,), (-2.0,), (6.0,)),
    edges=(Edge((-1000.0,), -inf, (inf,), "overflow keeps the sign"),),
)

cosh = Op(
    "cosh",
    "x",
    _quiet(math.cosh),
    (lambda out, x: sinh(x),),
    ("sinh(x)",),
    "cosh scales by sinh",
    probes=((0.5,), (-2.0,), (6.0,)),
    edges=(Edge((-1000.0,), inf, (-inf,), "overflow is inf"),),
)

tanh = Op(
    "tanh",
    "x",
    math.tanh,
    (_tanh_by_x,),
    ("1 - tanh(x)**2",),
    "tanh scales by one minus its output squared: the flatter, the less passes",
    probes=((0.8813735870195432,), (-0.25,), (4.0,), (-9.0,)),
    edges=(
        Edge((400.0,), 1.0, (0.0,), "saturated: the true slope, 1e-347, is below the doubles"),
        Edge((-400.0,), -1.0, (0.0,), "saturated"),
        Edge((inf,), 1.0, (0.0,), "saturated"),
    ),
)

sigmoid = Op(
    "sigmoid",
    "x",
    _sigmoid,
    (lambda out, x: out * sigmoid(-x),),
    ("sigmoid(x) * (1 - sigmoid(x))",),
    "sigmoid scales by s(1 - s): at most a quarter passes",
    probes=((0.5,), (-2.0,), (30.0,), (-30.0,)),
    edges=(
        Edge((1000.0,), 1.0, (0.0,), "saturated"),
        Edge((-1000.0,), 0.0, (0.0,), "saturated"),
    ),
)

softplus = Op(
    "softplus",
    "x",
    _softplus,
    (lambda out, x: sigmoid(x),),
    ("sigmoid(x)",),
    "softplus scales by the sigmoid",
    probes=((0.5,), (-2.0,), (40.0,), (-40.0,)),
    edges=(
        Edge((1000.0,), 1000.0, (1.0,), "the identity on the right, no overflow"),
        Edge((-1000.0,), 0.0, (0.0,), "flat on the left"),
    ),
)

relu = Op(
    "relu",
    "x",
    _relu,
    (lambda out, x: _pick(x > 0, 1.0, 0.0),),
    ("1 if x > 0 else 0",),
    "relu is a gate: open it passes the gradient unchanged, closed it stops it",
    selects=True,
    probes=((2.0,), (-2.0,)),
    edges=(
        Edge((0.0,), 0.0, (0.0,), "kink: closed at 0"),
        Edge((nan,), nan, (0.0,), "nan stays visible"),
    ),
)

leaky_relu = Op(
    "leaky_relu",
    "x slope",
    _leaky_relu,
    (
        lambda out, x, slope: _pick(x > 0, 1.0, slope),
        lambda out, x, slope: _pick(x > 0, 0.0, x),
    ),
    ("1 if x > 0 else slope", "0 if x > 0 else x"),
    "leaky relu passes all of the gradient, or the slope's share of it",
    defaults=(0.01,),
    selects=True,
    probes=((2.0, 0.01), (-2.0, 0.1)),
    edges=(Edge((0.0, 0.01), 0.0, (0.01, 0.0), "kink: the left slope"),),
)

silu = Op(
    "silu",
    "x",
    _silu,
    (_silu_by_x,),
    ("s * (1 + x * (1 - s)), s = sigmoid(x)",),
    "silu scales by its own slope, slightly negative on the left",
    probes=((0.5,), (-2.0,), (10.0,)),
    edges=(
        Edge((inf,), inf, (1.0,), "the identity on the right"),
        Edge((-inf,), -0.0, (0.0,), "flat on the left"),
    ),
)

gelu = Op(
    "gelu",
    "x",
    _gelu,
    (_gelu_by_x,),
    ("P(x) + x * p(x), the normal distribution and its density",),
    "gelu scales by the chance that a normal number is below x, plus a bump",
    probes=((0.5,), (-2.0,), (5.0,), (-5.0,)),
    edges=(
        Edge((inf,), inf, (1.0,), "the identity on the right"),
        Edge((-inf,), -0.0, (0.0,), "flat on the left"),
    ),
)

erf = Op(
    "erf",
    "x",
    math.erf,
    (_erf_by_x,),
    ("2 / sqrt(pi) * exp(-x**2)",),
    "erf scales by a bell curve",
    probes=((0.5,), (-1.0,), (2.5,)),
    edges=(Edge((inf,), 1.0, (0.0,), "saturated"),),
)

erfc = Op(
    "erfc",
    "x",
    math.erfc,
    (lambda out, x: -_erf_by_x(out, x),),
    ("-2 / sqrt(pi) * exp(-x**2)",),
    "erfc scales by minus a bell curve",
    probes=((0.5,), (-1.0,), (5.0,)),
    edges=(Edge((inf,), 0.0, (-0.0,), "saturated"),),
)

maximum = Op(
    "maximum",
    "x y",
    _maximum,
    (
        lambda out, x, y: _pick(x > y, 1.0, _pick(x == y, 0.5, 0.0)),
        lambda out, x, y: _pick(y > x, 1.0, _pick(x == y, 0.5, 0.0)),
    ),
    ("1 if x > y else 0", "1 if y > x else 0"),
    "maximum routes: the larger input receives all of the gradient",
    selects=True,
    probes=((2.0, 1.0), (-3.0, -1.0)),
    edges=(
        Edge((2.0, 2.0), 2.0, (0.5, 0.5), "a tie shares the gradient"),
        Edge((nan, 1.0), nan, (0.0, 0.0), "nan stays visible"),
    ),
)

minimum = Op(
    "minimum",
    "x y",
    _minimum,
    (
        lambda out, x, y: _pick(x < y, 1.0, _pick(x == y, 0.5, 0.0)),
        lambda out, x, y: _pick(y < x, 1.0, _pick(x == y, 0.5, 0.0)),
    ),
    ("1 if x < y else 0", "1 if y < x else 0"),
    "minimum routes: the smaller input receives all of the gradient",
    selects=True,
    probes=((2.0, 1.0), (-3.0, -1.0)),
    edges=(
        Edge((2.0, 2.0), 2.0, (0.5, 0.5), "a tie shares the gradient"),
        Edge((1.0, nan), nan, (0.0, 0.0), "nan stays visible"),
    ),
)

where = Op(
    "where",
    "condition x y",
    lambda condition, x, y: x if condition != 0 else y,
    (
        lambda out, condition, x, y: 0.0,
        lambda out, condition, x, y: _pick(condition != 0, 1.0, 0.0),
        lambda out, condition, x, y: _pick(condition != 0, 0.0, 1.0),
    ),
    ("0", "1 if condition else 0", "0 if condition else 1"),
    "where routes: the chosen input receives all of the gradient, the condition none",
    selects=True,
    probes=((1.0, 2.0, 3.0), (0.0, 2.0, 3.0)),
    edges=(Edge((nan, 2.0, 3.0), 2.0, (0.0, 1.0, 0.0), "nan is true, as in Python"),),
)

clip = Op(
    "clip",
    "x low high",
    _clip,
    (
        lambda out, x, low, high: _inside(x, low, high),
        lambda out, x, low, high: _pick(x > high, 0.0, _pick(x < low, 1.0, 0.0)),
        lambda out, x, low, high: _pick(x > high, 1.0, 0.0),
    ),
    ("1 if low <= x <= high else 0", "1 if x < low else 0", "1 if x > high else 0"),
    "clip passes the gradient inside the bounds; outside, the bound receives it",
    selects=True,
    probes=((0.5, -1.0, 1.0), (-2.0, -1.0, 1.0), (3.0, -1.0, 1.0)),
    edges=(
        Edge((1.0, -1.0, 1.0), 1.0, (1.0, 0.0, 0.0), "the bound itself counts as inside"),
        Edge((0.0, 2.0, 1.0), 2.0, (0.0, 1.0, 0.0), "crossed bounds: the first one crossed"),
    ),
)

hypot = Op(
    "hypot",
    "x y",
    _hypot,
    (
        _share_of_length,
        lambda out, x, y: _share_of_length(out, y, x),
    ),
    ("x / hypot(x, y)", "y / hypot(x, y)"),
    "hypot scales each input by its share of the length",
    probes=((3.0, 4.0), (-1.0, 0.5), (1e200, 1e200)),
    edges=(
        Edge((0.0, 0.0), 0.0, (0.0, 0.0), "the tip of the cone: taken flat"),
        Edge((inf, nan), inf, (nan, nan), "inf wins over nan, as in C"),
    ),
)

floor = Op(
    "floor",
    "x",
    _floor,
    (lambda out, x: 0.0,),
    ("0",),
    "floor is a staircase: flat between the jumps, so no gradient passes",
    selects=True,
    probes=((2.5,), (-2.5,)),
    edges=(
        Edge((2.0,), 2.0, (0.0,), "a jump: taken flat"),
        Edge((inf,), inf, (0.0,), "no steps there"),
    ),
)

sign = Op(
    "sign",
    "x",
    _sign,
    (lambda out, x: 0.0,),
    ("0",),
    "sign is flat on both sides of its jump, so no gradient passes",
    selects=True,
    probes=((2.5,), (-2.5,)),
    edges=(Edge((0.0,), 0.0, (0.0,), "a jump: taken flat"),),
)

log2 = Op(
    "log2",
    "x",
    _log2,
    (lambda out, x: _over(LOG2_E, x),),
    ("1 / (x * log(2))",),
    "log2 divides the gradient by the input, and by log(2)",
    probes=((3.0,), (0.01,), (1e5,)),
    edges=(
        Edge((0.0,), -inf, (inf,), "a pole"),
        Edge((8.0,), 3.0, (LOG2_E / 8,), "exact at powers of two"),
    ),
)

log10 = Op(
    "log10",
    "x",
    _log10,
    (lambda out, x: _over(LOG10_E, x),),
    ("1 / (x * log(10))",),
    "log10 divides the gradient by the input, and by log(10)",
    probes=((2.0,), (0.01,), (1e5,)),
    edges=(
        Edge((0.0,), -inf, (inf,), "a pole"),
        Edge((1000.0,), 3.0, (LOG10_E / 1000,), "exact at powers of ten"),
    ),
)

exp2 = Op(
    "exp2",
    "x",
    _quiet(math.exp2),
    (lambda out, x: out * LN_2,),
    ("2**x * log(2)",),
    "2**x scales by its own output, and by log(2)",
    probes=((0.5,), (-3.0,), (10.0,)),
    edges=(
        Edge((2000.0,), inf, (inf,), "overflow is inf"),
        Edge((-2000.0,), 0.0, (0.0,), "underflow is 0"),
    ),
)

cbrt = Op(
    "cbrt",
    "x",
    math.cbrt,
    (lambda out, x: _over(1.0, 3.0 * (out * out)),),
    ("1 / (3 * cbrt(x)**2)",),
    "cube root divides the gradient by three times the output squared",
    probes=((2.0,), (-0.3,), (1e5,)),
    edges=(
        Edge((0.0,), 0.0, (inf,), "a vertical tangent"),
        Edge((-inf,), -inf, (0.0,), "flattens out"),
    ),
)

asinh = Op(
    "asinh",
    "x",
    math.asinh,
    (lambda out, x: _over(1.0, hypot(1.0, x)),),
    ("1 / sqrt(1 + x**2)",),
    "asinh divides by the hyperbolic cosine of its output",
    aliases=("arcsinh",),
    probes=((0.5,), (-2.0,), (100.0,)),
    edges=(Edge((-inf,), -inf, (0.0,), "flattens out"),),
)

acosh = Op(
    "acosh",
    "x",
    _quiet(math.acosh),
    (lambda out, x: _over(1.0, sqrt(x - 1.0) * sqrt(x + 1.0)),),
    ("1 / sqrt(x**2 - 1)",),
    "acosh divides by the hyperbolic sine of its output",
    aliases=("arccosh",),
    probes=((1.5,), (3.0,), (100.0,)),
    edges=(
        Edge((1.0,), 0.0, (inf,), "a vertical tangent"),
        Edge((0.5,), nan, (nan,), "no real number has a smaller cosh than 1"),
        Edge((inf,), inf, (0.0,), "flattens out"),
    ),
)

atanh = Op(
    "atanh",
    "x",
    _atanh,
    (lambda out, x: _over(1.0, (1.0 - x) * (1.0 + x)),),
    ("1 / (1 - x**2)",),
    "atanh divides by one minus the input squared",
    aliases=("arctanh",),
    probes=((0.5,), (-0.9,), (0.001,)),
    edges=(
        Edge((1.0,), inf, (inf,), "a pole"),
        Edge((-1.0,), -inf, (inf,), "a pole"),
        Edge((2.0,), nan, (-1 / 3,), "no real number has a larger tanh than 1"),
    ),
)

floordiv = Op(
    "floordiv",
    "x y",
    _floor_divide,
    (lambda out, x, y: 0.0, lambda out, x, y: 0.0),
    ("0", "0"),
    "floor division is a staircase: flat between the jumps, so no gradient passes",
    symbol="//",
    infix=True,
    selects=True,
    probes=((7.0, 2.0), (-7.0, 2.0), (7.5, -2.0)),
    edges=(
        Edge((6.0, 2.0), 3.0, (0.0, 0.0), "a jump: taken flat"),
        Edge((-0.0, 2.0), -0.0, (0.0, 0.0), "a zero has the sign of x / y"),
        Edge((1.0, 0.0), inf, (0.0, 0.0), "a pole"),
        Edge((-1.0, inf), -1.0, (0.0, 0.0), "just below 0"),
    ),
)

mod = Op(
    "mod",
    "x y",
    _modulo,
    (lambda out, x, y: 1.0, lambda out, x, y: floordiv(x, y) * -1.0),
    ("1", "-(x // y)"),
    "the remainder copies to the left; to the right it takes away one y for each whole step",
    symbol="%",
    infix=True,
    probes=((7.0, 2.0), (-7.0, 2.0), (7.5, -2.0)),
    edges=(
        Edge((6.0, 2.0), 0.0, (1.0, -3.0), "a jump: the slope on its right"),
        Edge((6.0, -2.0), -0.0, (1.0, 3.0), "a zero has the sign of y"),
        Edge((1.0, 0.0), nan, (1.0, -inf), "no remainder"),
        Edge((-1.0, inf), inf, (1.0, 1.0), "the sign of y"),
    ),
)

gamma = Op(
    "gamma",
    "x",
    _gamma,
    (lambda out, x: out * digamma(x),),
    ("gamma(x) * digamma(x)",),
    "gamma scales by its own output, and by digamma of the input",
    probes=((0.5,), (4.5,), (30.25,)),
    edges=(
        Edge((5.0,), 24.0, (24.0 * _digamma(5.0),), "exact at whole numbers up to 23"),
        Edge((0.0,), inf, (-inf,), "a pole"),
        Edge((-1.0,), nan, (nan,), "a pole: the sides differ"),
        Edge((200.0,), inf, (inf,), "overflow is inf"),
    ),
)

lgamma = Op(
    "lgamma",
    "x",
    _lgamma,
    (lambda out, x: digamma(x),),
    ("digamma(x)",),
    "lgamma scales by digamma of the input",
    probes=((0.5,), (4.5,), (1e5,)),
    edges=(
        Edge((0.0,), inf, (-inf,), "a pole"),
        Edge((-1.0,), inf, (nan,), "a pole: the slopes of its sides differ"),
        Edge((2.0,), 0.0, (_digamma(2.0),), "exact at 1 and 2"),
        Edge((-inf,), inf, (nan,), "no slope: there are poles at all whole numbers"),
    ),
)

digamma = Op(
    "digamma",
    "x",
    _digamma,
    (lambda out, x: polygamma(1.0, x),),
    ("polygamma(1, x)",),
    "digamma scales by polygamma(1, x), which is positive",
    probes=((0.5,), (4.5,), (1e5,)),
    edges=(
        Edge((0.0,), -inf, (inf,), "a pole"),
        Edge((-1.0,), nan, (inf,), "a pole: the sides differ"),
        Edge((inf,), inf, (0.0,), "grows as log(x)"),
    ),
)

polygamma = Op(
    "polygamma",
    "order x",
    _polygamma,
    (lambda out, order, x: 0.0, lambda out, order, x: polygamma(order + 1.0, x)),
    ("0", "polygamma(order + 1, x)"),
    "polygamma scales by polygamma of the next order; the order itself gets no gradient",
    probes=((1.0, 0.5), (2.0, 4.5), (3.0, 30.25)),
    edges=(
        Edge((1.0, 0.0), inf, (0.0, nan), "a pole"),
        Edge((0.5, 2.0), nan, (0.0, nan), "the order is a whole number from 0 to 100"),
        Edge((1.0, -1000.5), nan, (0.0, nan), "not computed below -1000"),
    ),
)

#: What each row computes, in words. A row without a line here is described by its rule.
ABOUT: dict[str, str] = {
    "add": "the sum.",
    "mul": "the product.",
    "pow": "x to the power y.",
    "neg": "x with the other sign.",
    "sub": "the difference.",
    "div": "the quotient. Division by 0 gives an infinity or nan, not an error.",
    "floordiv": "the quotient rounded down to a whole number, as for Python's floats.",
    "mod": "the remainder of x / y, with the sign of y, as for Python's floats.",
    "abs": "the absolute value.",
    "sqrt": "the square root; nan for x < 0.",
    "exp": "the exponential function, e to the power x.",
    "expm1": "exp(x) - 1, accurate near 0.",
    "exp2": "2 to the power x.",
    "log": "the natural logarithm; -inf at 0, nan for x < 0.",
    "log1p": "log(1 + x), accurate near 0.",
    "log2": "the logarithm to base 2.",
    "log10": "the logarithm to base 10.",
    "sin": "the sine of x radians.",
    "cos": "the cosine of x radians.",
    "tan": "the tangent of x radians.",
    "asin": "the angle in [-pi/2, pi/2] whose sine is x.",
    "acos": "the angle in [0, pi] whose cosine is x.",
    "atan": "the angle in (-pi/2, pi/2) whose tangent is x.",
    "atan2": "the angle of the point (x, y), from -pi to pi.",
    "sinh": "the hyperbolic sine, (exp(x) - exp(-x)) / 2.",
    "cosh": "the hyperbolic cosine, (exp(x) + exp(-x)) / 2.",
    "tanh": "the hyperbolic tangent, sinh(x) / cosh(x).",
    "asinh": "the inverse of sinh.",
    "acosh": "the inverse of cosh, for x >= 1.",
    "atanh": "the inverse of tanh, for -1 < x < 1.",
    "sigmoid": "the logistic function, 1 / (1 + exp(-x)).",
    "softplus": "log(1 + exp(x)), a smooth relu.",
    "relu": "x where x > 0, else 0.",
    "leaky_relu": "x where x > 0, else slope * x.",
    "silu": "x * sigmoid(x), also called swish.",
    "gelu": "x times the standard normal distribution at x, computed by erfc.",
    "erf": "the error function.",
    "erfc": "1 - erf(x), accurate for large x.",
    "maximum": "the larger of x and y; nan if either is nan.",
    "minimum": "the smaller of x and y; nan if either is nan.",
    "where": "x where the condition is not 0, else y.",
    "clip": "x limited to the range from low to high.",
    "hypot": "sqrt(x**2 + y**2) without overflow.",
    "floor": "the largest whole number that is not above x.",
    "sign": "1, -1 or 0: the sign of x.",
    "cbrt": "the cube root, also of negative numbers.",
    "gamma": "the gamma function, (x - 1)! at whole numbers.",
    "lgamma": "the logarithm of the absolute value of gamma(x).",
    "digamma": "the derivative of lgamma(x).",
    "polygamma": "the derivative of digamma(x) of the given order.",
}

TABLE: tuple[Op, ...] = tuple(thing for thing in globals().values() if isinstance(thing, Op))
BY_NAME: dict[str, Op] = {op.name: op for op in TABLE}
BY_SYMBOL: dict[str, Op] = {op.symbol: op for op in TABLE}
