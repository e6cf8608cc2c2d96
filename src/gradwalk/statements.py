"""What stands between the two sides of a line of arithmetic: = or ≈.

A line is judged by the digits that it shows, as exact decimals: 0.1 × 3 = 0.3 and 1 ÷ 3 ≈ 0.333333.
Every renderer asks here. contract/statements.json holds this and `core/statements.ts` together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from functools import reduce
from math import isfinite, prod

from gradwalk import ops

__all__ = ["relation", "stated", "statement"]

Operand = str | Sequence[str]
"""A number as it is shown, or the factors of a product."""

# Wide enough for the sum of the largest and the smallest double, and for every power below.
_EXACT = Context(prec=4000, Emax=10**6, Emin=-(10**6), traps=[])
_MOST_POWER = 8
_ZERO, _ONE, _TWO, _TEN = Decimal(0), Decimal(1), Decimal(2), Decimal(10)
_POINTS = (_ZERO, _ONE, -_ONE)

_add = _EXACT.add
_multiply = _EXACT.multiply


def relation(op: str, operands: Sequence[Operand], result: str) -> str:
    """Return = if `op` of the shown operands is exactly the shown result, else ≈.

    `op` is an operation's symbol; + and * take any number of operands.

    >>> relation("*", ["-4.5", "-4.5"], "20.25"), relation("*", ["-4.5", "-4.5"], "20")
    ('=', '≈')
    """
    numbers = [[_number(x) for x in ([one] if isinstance(one, str) else one)] for one in operands]
    out = _number(result)
    if out.is_finite() and all(x.is_finite() for factors in numbers for x in factors):
        values = [reduce(_multiply, factors) for factors in numbers]
        return "=" if _is_exact(op, values, out) else "≈"
    floats = [prod([float(x) for x in factors]) for factors in numbers]
    return "=" if _same(_computed(op, floats), float(out)) else "≈"


def statement(op: str, operands: Sequence[str], result: str) -> str:
    """Return a sum or a product with its result: `2 × 3 = 6`."""
    left = (" × " if op == "*" else " + ").join(operands)
    return f"{left} {relation(op, operands, result)} {result}"


def stated(x: float, text: str) -> str:
    """Return = if `text` is the number `x`, to the 15 digits that every double keeps, else ≈."""
    return "=" if not isfinite(x) or _number(f"{x:.15g}") == _number(text) else "≈"


def _number(text: str) -> Decimal:
    return Decimal(text.replace("−", "-").replace("∞", "inf"))


def _same(x: float, y: float) -> bool:
    return x == y or (x != x and y != y)


def _computed(op: str, operands: Sequence[float]) -> float:
    if op in ("+", "sum"):
        return sum(operands)
    if op == "*":
        return prod(operands)
    row = ops.BY_SYMBOL.get(op)
    return row.value(*operands) if row and row.arity == len(operands) else float("nan")


def _is_exact(op: str, values: Sequence[Decimal], out: Decimal) -> bool:
    if op in _RULES:
        return _RULES[op](values, out)
    return _is_special(op, values, out)


def _is_special(op: str, values: Sequence[Decimal], out: Decimal) -> bool:
    """Whether a function is known to be exact: it chooses, or it is at one of the points 0 and ±1.

    At other rational points the functions of the table are irrational, though doubles are not.
    """
    if op in _WHOLE:
        known = all(x == x.to_integral_value() for x in values)
    else:
        known = op in _CHOOSING or (
            all(x in _POINTS for x in values) and _multiply(out, _TWO) % 1 == 0
        )
    return known and _same(_computed(op, [float(x) for x in values]), float(out))


# Their result is one of their operands, its opposite or a whole number: doubles tell.
_CHOOSING = {"abs", "relu", "maximum", "minimum", "clip", "where", "sign", "floor"}
_WHOLE = {"//", "%"}


def _total(values: Sequence[Decimal]) -> Decimal:
    return reduce(_add, values, _ZERO)


def _pairs(values: Sequence[Decimal]) -> list[Decimal]:
    return [_multiply(x, y) for x, y in zip(values[::2], values[1::2], strict=True)]


def _is_power(base: Decimal, exponent: Decimal, out: Decimal) -> bool:
    """Whether base ** exponent is out; not claimed of exponents that are large or not simple."""
    above, below = exponent.as_integer_ratio()
    if max(abs(above), below) > _MOST_POWER or (base <= 0 < below - 1) or (out < 0 < below - 1):
        return False
    left = _EXACT.power(base, abs(above)) if above else _ONE
    right = _EXACT.power(out, below)
    return left == right if above >= 0 else base != 0 and _multiply(left, right) == _ONE


_RULES: Mapping[str, Callable[[Sequence[Decimal], Decimal], bool]] = {
    "+": lambda x, out: _total(x) == out,
    "sum": lambda x, out: _total(x) == out,
    "mean": lambda x, out: _total(x) == _multiply(out, Decimal(len(x))),
    "dot": lambda x, out: _total(_pairs(x)) == out,
    "-": lambda x, out: _EXACT.subtract(x[0], x[1]) == out,
    "neg": lambda x, out: _EXACT.minus(x[0]) == out,
    "*": lambda x, out: reduce(_multiply, x) == out,
    "/": lambda x, out: x[1] != 0 and _multiply(out, x[1]) == x[0],
    "**": lambda x, out: _is_power(x[0], x[1], out),
    "sqrt": lambda x, out: out >= 0 and _multiply(out, out) == x[0],
    "cbrt": lambda x, out: _EXACT.power(out, 3) == x[0],
    "hypot": lambda x, out: (
        out >= 0 and _total([_multiply(n, n) for n in x]) == _multiply(out, out)
    ),
    "exp2": lambda x, out: _is_power(_TWO, x[0], out),
    "log2": lambda x, out: _is_power(_TWO, out, x[0]),
    "log10": lambda x, out: _is_power(_TEN, out, x[0]),
}
