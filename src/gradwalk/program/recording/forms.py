"""Functions of math and numpy that no row of the table computes, written in operations that do.

    hypot, distance   lengths of lengths
    log_of_two        numpy's logaddexp
    exact_sum         math.fsum
    rounded           round()
    sorted_by         sorted()
    any_of, all_of    any() and all()
    bisected          bisect_left and bisect_right
    STATISTICS        what the module of that name has

Each takes recorded values and numbers alike. `calls` says which name of math stands for which.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from gradwalk import ops
from gradwalk.program.recording import branches

__all__ = [
    "STATISTICS",
    "all_of",
    "any_of",
    "bisected",
    "distance",
    "exact_sum",
    "hypot",
    "less",
    "log_of_two",
    "rounded",
    "sorted_by",
]


def hypot(*x: Any) -> Any:
    """Return the length, as a tree of lengths of two.

    No square over- or underflows, and few roundings are in a row.
    """
    lengths = [ops.abs_(v) for v in x] if len(x) == 1 else list(x)
    while len(lengths) > 1:
        pairs = [ops.hypot(a, b) for a, b in zip(lengths[::2], lengths[1::2], strict=False)]
        lengths = pairs + lengths[len(lengths) - len(lengths) % 2 :]
    return lengths[0] if lengths else 0.0


def distance(p: Sequence[Any], q: Sequence[Any]) -> Any:
    return hypot(*[a - b for a, b in zip(p, q, strict=True)])


def log_of_two(x: Any, y: Any) -> Any:
    """Return log(exp(x) + exp(y)); where both are equal they may be infinite, too."""
    top = ops.maximum(x, y)
    apart = top + ops.softplus(ops.minimum(x, y) - top)
    return ops.where(x == y, 0.5 * x + 0.5 * y + math.log(2.0), apart)


def exact_sum(x: Iterable[Any]) -> Any:
    """Return the sum with a single rounding, as math.fsum does.

    Each pass turns the terms into their sum and what its additions lost, which stays exact. Three
    passes hold the sum to four times the digits of a double. Where terms cancel to below 1e-48 of
    the largest, and in a tie that only digits beyond those decide, the last digit may differ.
    """
    terms = list(x)
    if len(terms) < 2:
        return terms[0] + 0.0 if terms else 0.0
    plain = terms[0]
    for term in terms[1:]:
        plain = plain + term
    for _ in range(3):
        terms = _distilled(terms)
    *lost, total = terms
    *rest, more = _distilled(lost)
    total, low = _two_sum(total, more)
    if rest:
        least = rest[0]
        for term in rest[1:]:
            least = least + term
        low, least = _two_sum(low, least)
        total, low = _two_sum(total, low)
        total = _past_tie(total, low, least)
    else:
        total = total + low
    return ops.where(ops.abs_(plain) < math.inf, total, plain)


def _distilled(terms: list[Any]) -> list[Any]:
    """Return what each addition from left to right loses, and behind these the sum."""
    lost: list[Any] = []
    total = terms[0]
    for term in terms[1:]:
        total, rest = _two_sum(total, term)
        lost.append(rest)
    return [*lost, total]


def _two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """Return x + y and what its rounding lost."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _past_tie(total: Any, low: Any, least: Any) -> Any:
    """Return total + low + least, rounded once: `least` decides where low is half a unit."""
    twice = low + low
    further = total + twice
    tie = (further - total) == twice
    same_side = ops.sign(low) * ops.sign(least) > 0.0
    return ops.where(ops.where(tie, same_side, 0.0), further, total)


def rounded(x: Any, digits: Any = None) -> Any:
    """Return the nearest whole number; of two as near, the even one."""
    if digits is not None and digits != 0:
        return x.__round__(digits)
    below = ops.floor(x)
    apart = x - below
    even = below * 0.5 == ops.floor(below * 0.5)
    up = (apart > 0.5) | ((apart == 0.5) & ~even)
    return ops.where(up, below + 1.0, below) + 0.0


def sorted_by(keys: Sequence[Any], things: Sequence[Any], reverse: bool) -> list[Any]:
    """Return the things in the order of their keys: neighbours change places, in as many rounds as
    there are things. Equal ones stay in order, as Python's do.
    """
    pairs = list(zip(keys, things, strict=True))
    for k in range(len(pairs)):
        for i in range(k % 2, len(pairs) - 1, 2):
            one, other = pairs[i], pairs[i + 1]
            pair = (one[0], other[0]) if reverse else (other[0], one[0])
            swap = branches.condition_of(less(*pair))
            if type(swap) is bool:
                if swap:
                    pairs[i], pairs[i + 1] = other, one
                continue
            pairs[i] = branches.select(swap, other, one)
            pairs[i + 1] = branches.select(swap, one, other)
    return [thing for _, thing in pairs]


def less(x: Any, y: Any) -> Any:
    return x < y


def bisected(grid: Any, x: Any, lo: int = 0, hi: int | None = None, *, is_left: bool) -> Any:
    """Return where x belongs in a sorted list: Python's own search, one comparison a round."""
    table = list(grid)
    low: Any = float(lo)
    high: Any = float(len(table) if hi is None else hi)
    for _ in range(int(high - low).bit_length() if high > low else 0):
        middle = ops.floor((low + high) * 0.5)
        is_open = low < high
        if type(is_open) is bool:
            entry = table[int(middle)]
        else:
            entry = ops.where(is_open, middle, float(lo))._take(table)
        behind = less(entry, x) if is_left else branches.negation(less(x, entry))
        low, high = (
            branches.select(is_open & behind, middle + 1.0, low),
            branches.select(is_open & ~behind, middle, high),
        )
    return low


def any_of(x: Iterable[Any]) -> Any:
    found: Any = False
    for value in x:
        found = branches.or_(found, branches.condition_of(value))
    return found


def all_of(x: Iterable[Any]) -> Any:
    return branches.negation(any_of([branches.negation(value) for value in x]))


# ── statistics ───────────────────────────────────────────────────────────────────────────────
# Its own sums are exact, too. What it refuses, it refuses itself: each form has the original.


def _mean(original: Callable[..., Any], data: Sequence[Any]) -> Any:
    return exact_sum(data) / len(data) if data else original(data)


def _spread(
    least: int,
    ends: Callable[[Any], Any],
    original: Callable[..., Any],
    data: Any,
    middle: Any = None,
) -> Any:
    """Return a variance or a deviation; `least` is 2 where it is that of a sample."""
    count = len(data)
    if count < least:
        return original([0.0] * count)
    if middle is None:
        middle = exact_sum(data) / count
    squares = exact_sum([(x - middle) * (x - middle) for x in data])
    return ends(squares / (count - (least - 1)))


def _slope(original: Callable[..., Any], x: Sequence[Any], y: Sequence[Any]) -> Any:
    if len(x) != len(y) or len(x) < 2:
        return original([0.0] * len(x), [0.0] * len(y))
    x_middle, y_middle = exact_sum(x) / len(x), exact_sum(y) / len(y)
    both = exact_sum([(a - x_middle) * (b - y_middle) for a, b in zip(x, y, strict=True)])
    spread = exact_sum([(a - x_middle) * (a - x_middle) for a in x])
    if spread == 0.0:
        return original([0.0, 0.0], [0.0, 0.0])
    slope = both / spread
    return type(original([0.0, 1.0], [0.0, 0.0]))(slope, y_middle - slope * x_middle)


STATISTICS: dict[str, Callable[..., Any]] = {
    "mean": _mean,
    "fmean": _mean,
    "variance": partial(_spread, 2, lambda x: x),
    "pvariance": partial(_spread, 1, lambda x: x),
    "stdev": partial(_spread, 2, ops.sqrt),
    "pstdev": partial(_spread, 1, ops.sqrt),
    "linear_regression": _slope,
}
