"""The operations once more, in mpmath, from their definitions: the oracle of values and slopes.

Nothing here reads the formulas of `gradwalk.ops`; derivatives are differences of the value, taken
with so many digits that nothing is lost. `POINTS` says where each operation is sampled: everywhere
that values stay normal doubles and 400 digits suffice; beyond that there are the rows' edges.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from mpmath import mp, mpf

DIGITS = 400

EXACT: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "pow": mp.power,
    "neg": lambda x: -x,
    "sub": lambda x, y: x - y,
    "div": lambda x, y: x / y,
    "abs": mp.fabs,
    "sqrt": mp.sqrt,
    "exp": mp.exp,
    "expm1": mp.expm1,
    "log": mp.log,
    "log1p": mp.log1p,
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "atan2": mp.atan2,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "relu": lambda x: max(x, mpf(0)),
    "leaky_relu": lambda x, slope: x if x > 0 else slope * x,
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "gelu": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "erf": mp.erf,
    "erfc": mp.erfc,
    "maximum": max,
    "minimum": min,
    "where": lambda condition, x, y: x if condition != 0 else y,
    "clip": lambda x, low, high: min(max(x, low), high),
    "hypot": lambda x, y: mp.sqrt(x * x + y * y),
    "floor": mp.floor,
    "sign": mp.sign,
    "log2": lambda x: mp.log(x, 2),
    "log10": mp.log10,
    "exp2": lambda x: mp.power(2, x),
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "floordiv": lambda x, y: mp.floor(x / y),
    "mod": lambda x, y: x - y * mp.floor(x / y),
    "gamma": mp.gamma,
    "lgamma": mp.loggamma,
    "digamma": mp.digamma,
    "polygamma": lambda order, x: mp.psi(mp.nint(order), x),
}


def exact(name: str, point: Sequence[Any]) -> Any:
    """Return the operation's value in 50 digits."""
    with mp.workdps(50):
        return EXACT[name](*map(mpf, point))


def slope(function: Callable[..., Any], point: Sequence[Any], operand: int) -> Any:
    """Return d function / d operand by a central difference.

    The step is a 1e-40th of the operand: the difference is then right to 80 digits, and spends 40
    of the 400; the rest is for slopes as small as 1e-308 beside a value of 1.
    """
    with mp.workdps(DIGITS):
        operands = [mpf(x) for x in point]
        step = (abs(operands[operand]) or mpf(1)) * mpf(10) ** -40
        above, below = list(operands), list(operands)
        above[operand] += step
        below[operand] -= step
        return (function(*above) - function(*below)) / (2 * step)


def partial(name: str, point: Sequence[Any], operand: int) -> Any:
    return slope(EXACT[name], point, operand)


def second_partial(name: str, point: Sequence[Any], first: int, second: int) -> Any:
    return slope(lambda *moved: partial(name, moved, first), point, second)


def condition(name: str, point: Sequence[Any], operand: int) -> float:
    """Return how much a relative change of the operands is magnified in the partial derivative."""
    with mp.workdps(DIGITS):
        changes = [x * second_partial(name, point, operand, j) for j, x in enumerate(point)]
        return float(sum(map(abs, changes)) / abs(partial(name, point, operand)))


def ulps(ours: float, exact: Any) -> float:
    """Return how far `ours` is from the exact number, in units of its last place."""
    nearest = float(exact)
    if math.isinf(nearest) or math.isinf(ours):
        return 0.0 if ours == nearest else math.inf
    return float(abs(mpf(ours) - exact) / math.ulp(nearest))


# ── Where to look ────────────────────────────────────────────────────────────────────────────

Sampler = Callable[[Random], float]


def between(low: float, high: float) -> Sampler:
    return lambda random: random.uniform(low, high)


def positive(low: float, high: float) -> Sampler:
    """Every magnitude from low to high alike."""
    return lambda random: math.exp(random.uniform(math.log(low), math.log(high)))


def signed(low: float, high: float) -> Sampler:
    return lambda random: random.choice((-1, 1)) * positive(low, high)(random)


def either(*samplers: Sampler) -> Sampler:
    return lambda random: random.choice(samplers)(random)


def near(centre: float, low: float, high: float) -> Sampler:
    return lambda random: centre + signed(low, high)(random)


_wide = signed(1e-90, 1e90)

POINTS: dict[str, tuple[Sampler, ...]] = {
    "add": (_wide, _wide),
    "sub": (_wide, _wide),
    "mul": (_wide, _wide),
    "div": (_wide, _wide),
    "pow": (either(positive(1e-3, 1e3), near(1, 1e-15, 1e-2)), either(between(-30, 30), _wide)),
    "neg": (_wide,),
    "abs": (_wide,),
    "sqrt": (positive(1e-300, 1e300),),
    "exp": (either(between(-708, 709), signed(1e-90, 1)),),
    "expm1": (either(between(-708, 709), signed(1e-90, 1)),),
    "log": (either(positive(5e-324, 1e300), near(1, 1e-15, 1e-1)),),
    "log1p": (either(positive(1e-300, 1e300), between(-1, 1), signed(1e-90, 1)),),
    "sin": (either(signed(1e-90, 1e6), between(-10, 10)),),
    "cos": (either(signed(1e-90, 1e6), between(-10, 10)),),
    "tan": (either(signed(1e-90, 1e6), between(-10, 10)),),
    "asin": (either(between(-1, 1), signed(1e-90, 1)),),
    "acos": (either(between(-1, 1), signed(1e-90, 1)),),
    "atan": (either(signed(1e-90, 1e150), between(-10, 10)),),
    "atan2": (_wide, _wide),
    "sinh": (either(signed(1e-90, 700), between(-5, 5)),),
    "cosh": (either(signed(1e-90, 700), between(-5, 5)),),
    "tanh": (either(signed(1e-90, 350), between(-20, 20)),),
    "sigmoid": (either(between(-708, 700), between(-40, 40)),),
    "softplus": (either(between(-708, 700), between(-40, 40)),),
    "relu": (_wide,),
    "leaky_relu": (_wide, _wide),
    "silu": (either(between(-708, 700), between(-40, 40), signed(1e-90, 1)),),
    "gelu": (either(between(-37.5, 40), between(-5, 5), signed(1e-90, 1)),),
    "erf": (either(signed(1e-90, 26), between(-6, 6)),),
    "erfc": (either(between(-6, 27), signed(1e-90, 1)),),
    "maximum": (_wide, _wide),
    "minimum": (_wide, _wide),
    "where": (either(between(-1, 1), lambda _: 0.0), _wide, _wide),
    "clip": (signed(1e-3, 1e3), between(-9, -1), between(1, 9)),
    "hypot": (_wide, _wide),
    "floor": (signed(1e-3, 1e15),),
    "sign": (_wide,),
    "log2": (either(positive(5e-324, 1e300), near(1, 1e-15, 1e-1)),),
    "log10": (either(positive(5e-324, 1e300), near(1, 1e-15, 1e-1)),),
    "exp2": (either(between(-1021, 1023), signed(1e-90, 1)),),
    "cbrt": (_wide,),
    "asinh": (either(_wide, between(-10, 10)),),
    "acosh": (either(positive(1.0001, 1e150), between(1.0001, 10)),),
    "atanh": (either(between(-1, 1), signed(1e-90, 1)),),
    "floordiv": (signed(1e-3, 1e6), signed(1e-3, 1e6)),
    "mod": (signed(1e-3, 1e6), signed(1e-3, 1e6)),
    "gamma": (either(between(0, 171), between(0, 12), positive(1e-90, 1)),),
    "lgamma": (
        either(positive(1e-90, 1e90), between(0, 12), near(1, 1e-15, 0.4), near(2, 1e-15, 0.4)),
    ),
    "digamma": (either(positive(1e-90, 1e90), between(0, 12), near(1.4616321, 1e-9, 0.4)),),
    "polygamma": (lambda random: float(random.randint(1, 4)), positive(1e-3, 1e3)),
}


def points(name: str, count: int, seed: str) -> Iterator[tuple[float, ...]]:
    random = Random(seed)
    for _ in range(count):
        yield tuple(sample(random) for sample in POINTS[name])
