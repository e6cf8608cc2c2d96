"""Derivatives compared with central differences.

gradcheck       the gradient, one row per input
gradgradcheck   the derivatives of every derivative below an order
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

from gradwalk.engine import Value, no_grad
from gradwalk.errors import OperandError
from gradwalk.transforms.functional import grad


@dataclass(frozen=True, slots=True)
class CheckedLeaf:
    """One input: its gradient by the engine, and by (f(x + h) - f(x - h)) / 2h.

    `left` and `right` are the one-sided slopes. Where they disagree the function has a kink, or
    bends strongly: any slope between the two is then a fair answer.
    """

    name: str
    value: float
    gradient: float
    difference: float
    left: float
    right: float
    error: float
    ok: bool
    kink: bool


@dataclass(frozen=True, slots=True)
class GradCheck:
    """The report, one row for each input. True in a condition when every row is ok."""

    leaves: tuple[CheckedLeaf, ...]
    step: float
    tolerance: float

    @property
    def ok(self) -> bool:
        return all(leaf.ok for leaf in self.leaves)

    def __bool__(self) -> bool:
        return self.ok


def gradcheck(
    f: Callable[..., Value],
    *args: float,
    step: float = 1e-6,
    tolerance: float = 1e-6,
    **kwargs: float,
) -> GradCheck:
    """Hold the gradient of `f` at a point against central differences.

    `f` takes one Value for each argument, by position or by name. The step is relative to the
    size of the argument where that is above 1; the tolerance is relative to the size of the
    gradient where that is above 1, widened by what rounding does to a difference of f's size.

    >>> from gradwalk import gradcheck
    >>> bool(gradcheck(lambda a, b: (a * b).tanh(), 0.5, -1.5))
    True
    """
    if not callable(f):
        raise OperandError(f"gradcheck takes a function and its arguments, not {f!r:.40}")
    if not step > 0:
        raise OperandError(f"the step is a positive number, not {step!r}")
    at = {**{_argument(f, i): x for i, x in enumerate(args)}, **kwargs}
    by_position = list(at)[: len(args)]

    def evaluate(point: Mapping[str, Any]) -> Value:
        named = {name: point[name] for name in kwargs}
        out: Any = f(*[point[name] for name in by_position], **named)
        if type(out) is float:  # a derivative that is the same everywhere, or under no_grad
            return Value(out)
        if not isinstance(out, Value):
            raise OperandError(f"gradcheck needs a function that returns a Value, not {out!r:.40}")
        return out

    def height(name: str, x: float) -> float:
        with no_grad():
            return evaluate({n: Value(x if n == name else y) for n, y in at.items()}).data

    leaves = {name: Value(x, label=name) for name, x in at.items()}
    root = evaluate(leaves)
    root.backward()
    rows = [_check(name, leaf, root.data, height, step, tolerance) for name, leaf in leaves.items()]
    return GradCheck(tuple(rows), step, tolerance)


def gradgradcheck(
    f: Callable[..., Value],
    *args: float,
    order: int = 2,
    step: float = 1e-6,
    tolerance: float = 1e-6,
) -> GradCheck:
    """Compare the derivatives of `f` of an order with differences of those of the order below.

    The report has a row for each of these and each argument: `d2/da db` is the derivative by b of
    the derivative by a.

    >>> from gradwalk import gradgradcheck
    >>> report = gradgradcheck(lambda a, b: (a * b).tanh(), 0.5, -1.5)
    >>> report.ok, [leaf.name for leaf in report.leaves]
    (True, ['d2/da da', 'd2/da db', 'd2/db da', 'd2/db db'])
    """
    if not isinstance(order, int) or order < 2:
        raise OperandError(f"the order is a whole number from 2 on, not {order!r}")
    names = [_argument(f, i) for i in range(len(args))]
    rows: list[CheckedLeaf] = []
    for places in combinations_with_replacement(range(len(args)), order - 1):
        derived: Callable[..., Any] = f
        for place in places:
            derived = grad(derived, place)
        for place, leaf in enumerate(
            gradcheck(derived, *args, step=step, tolerance=tolerance).leaves
        ):
            by = " ".join([f"d{names[k]}" for k in (*places, place)])
            rows.append(replace(leaf, name=f"d{order}/{by}"))
    return GradCheck(tuple(rows), step, tolerance)


def _check(
    name: str,
    leaf: Value,
    here: float,
    height: Callable[[str, float], float],
    step: float,
    tolerance: float,
) -> CheckedLeaf:
    x, gradient = leaf.data, leaf.grad

    def slopes(h: float) -> tuple[float, float, float]:
        above, below = x + h, x - h
        up, down = height(name, above), height(name, below)
        return (here - down) / (x - below), (up - down) / (above - below), (up - here) / (above - x)

    h = step * max(1.0, abs(x))
    if x + h / 8 == x and x - h / 8 == x:
        raise OperandError(f"step {step} is lost in rounding at {name} = {x}: take a larger one")
    left, difference, right = slopes(h)
    rounding = 4 * 2.0**-52 * (abs(here) + h * abs(difference)) / h
    allowed = tolerance * max(1.0, abs(gradient)) + rounding
    error = abs(gradient - difference)
    # Where a function is smooth, the jump between its one-sided slopes is h·f'' and shrinks with
    # h; at a corner it stays.
    near_left, _, near_right = slopes(h / 8)
    jump, near_jump = abs(right - left), abs(near_right - near_left)
    kink = near_jump > jump / 2 and near_jump > 32 * rounding
    between = min(left, right) - allowed <= gradient <= max(left, right) + allowed
    ok = error <= allowed or (kink and between) or _same_nonfinite(gradient, difference)
    return CheckedLeaf(name, x, gradient, difference, left, right, error, ok, kink)


def _same_nonfinite(x: float, y: float) -> bool:
    return x == y or (x != x and y != y)


def _argument(f: Callable[..., Any], position: int) -> str:
    """Return the name of f's parameter at this position, or x0, x1, … where it has none."""
    code = getattr(f, "__code__", None)
    if code is not None and position < code.co_argcount:
        return code.co_varnames[position]
    return f"x{position}"
