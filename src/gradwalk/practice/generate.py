"""Random expressions, as text that anyone can put into `gradwalk walk`.

Every node has a name, every leaf and every intermediate is used, and many are used twice: sharing
is what makes a gradient worth asking for. The same generator state gives the same expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from random import Random

from gradwalk.ops import BY_SYMBOL, Op

Sample = tuple[str, dict[str, float]]
"""The text, and a value for each variable."""

_LEAVES, _NAMES = "abc", "defghijklmnopqrstuvwxyz"


def sample(
    random: Random,
    operations: int,
    vocabulary: Sequence[str],
    *,
    whole: bool = False,
    literals: bool = True,
    most: float = 60.0,
) -> Sample:
    """Return an expression with so many operations, each a symbol in `vocabulary`.

    `whole` numbers are easy in the head. `literals` lets a plain number be the second operand. No
    intermediate value is larger than `most`, and none lies near a kink or a pole.
    """
    while True:
        drawn = _draw(random, min(operations, len(_NAMES)), vocabulary, whole, literals, most)
        if drawn is not None:
            return drawn


def _draw(
    random: Random,
    operations: int,
    vocabulary: Sequence[str],
    whole: bool,
    literals: bool,
    most: float,
) -> Sample | None:
    """Return one attempt, or None when it has led to a number that is too large or too wild."""
    names = _LEAVES[: random.randint(1, min(len(_LEAVES), operations))]
    numbers = {name: _number(random, whole) for name in names}
    values = dict(numbers)
    unused = list(numbers)
    statements: list[str] = []
    infix = [symbol for symbol in vocabulary if BY_SYMBOL[symbol].arity == 2 and symbol != "**"]
    for step, name in enumerate(_NAMES[:operations]):
        # Each operation can join two loose ends; with no more to spare, it has to.
        must_join = len(unused) == operations - step + 1
        symbol = random.choice(infix if must_join else vocabulary)
        op = BY_SYMBOL[symbol]
        first = random.choice(unused)
        if symbol == "**":
            operands = [first, str(random.choice((2, 2, 3)))]
        elif op.arity == 1:
            operands = [first]
        elif must_join:
            operands = random.sample(unused, 2)
        elif literals and random.random() < 0.2:
            operands = [first, str(random.randint(2, 5))]
        else:
            operands = [first, random.choice(list(numbers))]
            random.shuffle(operands)
        result = _compute(op, [numbers[x] if x in numbers else float(x) for x in operands], most)
        if result is None:
            return None
        numbers[name] = result
        unused = [loose for loose in unused if loose not in operands] + [name]
        statements.append(f"{name} = {applied(op, operands)}")
    return "; ".join(statements), values


def _number(random: Random, whole: bool) -> float:
    if whole:
        return float(random.choice((-4, -3, -2, -1, 1, 2, 2, 3, 4, 5)))
    return round(random.choice((-1, 1)) * random.uniform(0.3, 2.5), 2)


def _compute(op: Op, numbers: list[float], most: float) -> float | None:
    """Return the result, or None when it or a slope of it is too large, or the point is a kink."""
    out = op.value(*numbers)
    # A node of 0 would hide mistakes: it makes gradients vanish. relu's 0 is meant to.
    if not isfinite(out) or abs(out) > most or (out == 0.0 and op.name != "relu"):
        return None
    nearby = [x + 1e-3 * max(1.0, abs(x)) for x in numbers]
    beside = op.value(*nearby)
    for partial in op.partials[: 1 if op.symbol == "**" else None]:  # an exponent is a literal
        slope = partial(out, *numbers)
        if not abs(slope) <= most or not abs(partial(beside, *nearby) - slope) <= 0.5:
            return None
    return out


def applied(op: Op, operands: Sequence[str]) -> str:
    """Return how an operation of these operands is written."""
    if op.symbol == "**":
        return "**".join(operands)
    if op.infix:
        return f" {op.symbol} ".join(operands)
    return f"-{operands[0]}" if op.symbol == "neg" else f"{op.name}({operands[0]})"
