"""Equations whose solutions have derivatives: root, fixed_point and solve.

The solver itself is not differentiated. By the implicit function theorem, f(x, a) = 0 gives
dx/da = -(df/da) / (df/dx) at the solution, whichever way that was found.

For orders above the first, a step of Newton's method is taken with x fixed and everything else
free to vary. Each such step doubles the number of orders that are exact: one gives the first, two
give three, three give seven. Recorded, a system keeps its matrix fixed, too: one elimination serves
all steps, none is differentiated, and each step gives one order.
"""

# A number is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gradwalk import ops
from gradwalk.engine import Value, constant, dot, largest, modes
from gradwalk.engine.backends import record
from gradwalk.errors import OperandError
from gradwalk.program.ir import CODE, ROUNDS
from gradwalk.program.recording.branches import FIRST_ROUNDS, guard
from gradwalk.program.tree import flatten, rebuild
from gradwalk.transforms.custom import stop_gradient
from gradwalk.transforms.functional import Point, name_of, rows_of

Function = Callable[..., Any]
_STEPS = 30  # of Newton's method, recorded, at most


def root(
    f: Function,
    x0: Any,
    *args: Any,
    bracket: tuple[float, float] | None = None,
    steps: int | None = None,
    tolerance: float = 1e-13,
    order: int = 3,
) -> Any:
    """Return x with f(x, *args) = 0, near x0, with derivatives by the args up to `order`.

    x0 is a number or a structure of numbers; f returns as many. Newton's method finds x. With
    `bracket`, two numbers between which f changes its sign, bisection does. `steps` is the limit.
    Recorded, there are `steps` steps, always: 30, and 60 by bisection. Without `steps`, a system
    has 8, and is recorded again with more, up to 30, for arguments that need them.

    >>> from gradwalk import grad, root
    >>> square_root = lambda a: root(lambda x, a: x * x - a, 1.0, a)
    >>> round(square_root(4.0), 12), round(grad(square_root)(4.0), 12)
    (2.0, 0.25)
    """
    return _settled(f, x0, args, bracket, steps, tolerance, order)


def fixed_point(
    g: Function,
    x0: Any,
    *args: Any,
    steps: int | None = None,
    tolerance: float = 1e-13,
    order: int = 3,
) -> Any:
    """Return x with g(x, *args) = x, by repeating g from x0, with derivatives by the args.

    >>> from gradwalk import cos, fixed_point
    >>> round(fixed_point(lambda x: cos(x), 1.0), 12)
    0.739085133215
    """
    _, shape = flatten(x0)

    def rest(x: Any, *given: Any) -> Any:
        after = flatten(g(x, *given))[0]
        return rebuild(shape, [a - b for a, b in zip(flatten(x)[0], after, strict=True)])

    rest.__name__ = name_of(g)
    if _recorder() is not None:
        x = x0
        for _ in range(steps or 100):
            x = stop_gradient(g(x, *stop_gradient(args)))
    else:
        x = _repeated(g, x0, args, steps or 10_000, tolerance)
    return _polished(rest, x, args, order)


def solve(a: Sequence[Sequence[Any]], b: Sequence[Any]) -> list[Any]:
    """Return x with A x = b, with derivatives of any order by all entries of A and b.

    >>> from gradwalk import solve
    >>> solve([[2.0, 0.0], [1.0, 4.0]], [6.0, 11.0])
    [3.0, 2.0]
    """
    matrix, right = [list(row) for row in a], list(b)
    size = len(right)
    if len(matrix) != size or any(len(row) != size for row in matrix):
        raise OperandError(f"solve takes a square matrix and as many numbers, not {size} numbers")
    if _recorder() is not None:
        return _substituted(_factors(matrix), right)
    entries = [*[x for row in matrix for x in row], *right]
    numbers = [[_number(x) for x in row] for row in matrix]
    if not any(isinstance(x, Value) for x in entries):
        return _solved(numbers, [[_number(x) for x in right]])[0]
    found, *inverse = _solved(
        numbers, [[_number(x) for x in right], *[_unit(size, i) for i in range(size)]]
    )
    inputs: list[Any] = [x if isinstance(x, Value) else constant(x) for x in entries]
    nodes: list[Any] = []
    for i in range(size):
        weights = [inverse[j][i] for j in range(size)]
        locals_ = [-weights[j] * found[k] for j in range(size) for k in range(size)]
        node: Any = record(found[i], "solve", inputs, [*locals_, *weights])
        node._rule = _rule_of(size, i)
        nodes.append(node)
    return nodes


def _rule_of(size: int, i: int) -> Function:
    """Return the rule of the i-th unknown: its slopes are a row of the inverse, and products."""

    def rule(_: Any, operands: Sequence[Any], places: Sequence[int]) -> list[Any]:
        rows = [operands[k * size : (k + 1) * size] for k in range(size)]
        turned = [[row[k] for row in rows] for k in range(size)]
        weights = solve(turned, _unit(size, i))
        found = solve(rows, operands[size * size :])
        return [-(w * x) for w in weights for x in found] + weights

    return rule


# ── Newton's method ──────────────────────────────────────────────────────────────────────────


def _settled(
    f: Function,
    x0: Any,
    args: Sequence[Any],
    bracket: tuple[float, float] | None,
    steps: int | None,
    tolerance: float,
    order: int,
) -> Any:
    if _recorder() is not None:
        fixed = stop_gradient(args)
        if bracket is not None:
            x = _bisected_recorded(f, bracket, fixed, steps or 60)
        else:
            x = _descended_recorded(f, x0, fixed, steps, tolerance)
        return _polished(f, x, args, order)
    numbers = stop_gradient(args)
    if bracket is not None:
        x = _bisected(f, bracket, numbers, steps or 2000)
    else:
        x = _descended(f, x0, numbers, steps or 100, tolerance)
    return _polished(f, x, args, order)


def _polished(f: Function, x: Any, args: Sequence[Any], order: int) -> Any:
    """Take the steps of Newton's method that carry the derivatives."""
    recorded = _recorder() is not None
    x = stop_gradient(x) if recorded else _plain(x)
    if recorded and len(flatten(x)[0]) > 1:
        _, rows = _linear(f, x, stop_gradient(args))
        factors = _factors([stop_gradient(row) for row in rows])
        for _ in range(max(1, order)):
            x = _moved(x, _substituted(factors, flatten(f(x, *args))[0]))
        return x
    for _ in range(max(1, math.ceil(math.log2(order + 1)))):
        x = _newton(f, x, args)
    return x


def _newton(f: Function, x: Any, args: Sequence[Any]) -> Any:
    rest, rows = _linear(f, x, args)
    if len(rest) == 1:
        return _moved(x, [ops._over(rest[0], rows[0][0])])
    return _moved(x, solve(rows, rest))


def _moved(x: Any, change: Sequence[Any]) -> Any:
    start, shape = flatten(x)
    return rebuild(shape, [a - b for a, b in zip(start, change, strict=True)])


def _linear(f: Function, x: Any, args: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
    """Return f at x, as a flat list, and its Jacobian there."""
    point = Point(f, (x, *args), {}, 0)
    # Of equal numbers, sweeps from the outputs write less where these are sums.
    rows = rows_of(point, None if point.recorder is None else "reverse")
    rest = flatten(point.result())[0]
    if len(rest) != len(point.inputs):
        raise OperandError(
            f"{point.name} gives {len(rest)} numbers for {len(point.inputs)} unknowns: as many "
            "are needed"
        )
    return rest, rows


def _descended_recorded(
    f: Function, x0: Any, args: Sequence[Any], steps: int | None, tolerance: float
) -> Any:
    """Record steps of Newton's method; those of a system are many instructions, so they are few.

    A guard says where they were too few, as behind a loop: then twice as many are recorded.
    """
    recorder, x, before = _recorder(), x0, x0
    counted = steps is None and len(flatten(x0)[0]) > 1
    place = modes.calling_line()
    bound = min(recorder.rounds.get(place, FIRST_ROUNDS), _STEPS) if counted else steps or _STEPS
    for _ in range(bound):
        before, x = x, stop_gradient(_newton(f, x, args))
    if counted and bound < _STEPS:
        after = flatten(x)[0]
        moved = largest([ops.abs_(a - b) for a, b in zip(flatten(before)[0], after, strict=True)])
        size = largest([1.0, *[ops.abs_(b) for b in after]])
        guard(recorder, moved > tolerance * size, ROUNDS, place)
    return x


def _descended(f: Function, x0: Any, args: Sequence[Any], steps: int, tolerance: float) -> Any:
    """Return the solution by Newton's method, with steps halved where they lead uphill."""
    x, shape = flatten(stop_gradient(x0))
    x = [_number(entry) for entry in x]
    size = _size(f, rebuild(shape, x), args)
    for _ in range(steps):
        after = [_number(entry) for entry in flatten(_newton(f, rebuild(shape, x), args))[0]]
        moved = max([abs(a - b) for a, b in zip(after, x, strict=True)])
        next_size = _size(f, rebuild(shape, after), args)
        halvings = 0
        while not next_size <= size and halvings < 40 and moved > tolerance:
            after = [0.5 * (a + b) for a, b in zip(after, x, strict=True)]
            next_size = _size(f, rebuild(shape, after), args)
            halvings += 1
        x, size = after, next_size
        if moved <= tolerance * max(1.0, *map(abs, x)) or size == 0.0:
            return rebuild(shape, x)
    raise OperandError(
        f"root found no solution of {name_of(f)} in {steps} steps: |f| is {size:.3g}; give an x0 "
        "that is nearer, or bracket=(low, high)"
    )


def _repeated(g: Function, x0: Any, args: Sequence[Any], steps: int, tolerance: float) -> Any:
    x, shape = flatten(stop_gradient(x0))
    x = [_number(entry) for entry in x]
    fixed = stop_gradient(args)
    for _ in range(steps):
        after = [_number(entry) for entry in flatten(_quietly(g, rebuild(shape, x), fixed))[0]]
        moved = max([abs(a - b) for a, b in zip(after, x, strict=True)])
        x = after
        if moved <= tolerance * max(1.0, *map(abs, x)):
            return rebuild(shape, x)
    raise OperandError(
        f"fixed_point: {name_of(g)} still moves by {moved:.3g} after {steps} steps; "  # pyright: ignore[reportPossiblyUnboundVariable]
        "give an x0 that is nearer, or use root"
    )


def _bisected(f: Function, bracket: tuple[float, float], args: Sequence[Any], steps: int) -> float:
    low, high = map(_number, bracket)
    below = _number(_quietly(f, low, args))
    if below * _number(_quietly(f, high, args)) > 0.0:
        raise OperandError(f"{name_of(f)} has the same sign at both ends of {bracket!r}")
    for _ in range(steps):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if _number(_quietly(f, middle, args)) * below > 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _bisected_recorded(
    f: Function, bracket: tuple[float, float], args: Sequence[Any], steps: int
) -> Any:
    low, high = bracket
    below = f(low, *args)
    for _ in range(steps):
        middle = stop_gradient(0.5 * (low + high))
        same = f(middle, *args) * below > 0.0
        low, high = ops.where(same, middle, low), ops.where(same, high, middle)
    return 0.5 * (low + high)


def _quietly(f: Function, x: Any, args: Sequence[Any]) -> Any:
    """Return f at plain numbers, given to it as Values, whose methods it may use."""
    leaves, shape = flatten(x)
    return f(rebuild(shape, [Value(leaf) for leaf in leaves]), *args)


def _size(f: Function, x: Any, args: Sequence[Any]) -> float:
    return math.hypot(*[_number(entry) for entry in flatten(_quietly(f, x, args))[0]])


# ── Linear equations ─────────────────────────────────────────────────────────────────────────


def _solved(matrix: list[list[float]], rights: list[list[float]]) -> list[list[float]]:
    """Return the solutions for several right sides, by elimination with row exchanges."""
    size = len(matrix)
    rows = [[*row, *[right[k] for right in rights]] for k, row in enumerate(matrix)]
    for k in range(size):
        best = max(range(k, size), key=lambda r: abs(rows[r][k]))
        rows[k], rows[best] = rows[best], rows[k]
        if not rows[k][k]:
            raise OperandError(f"solve: the matrix is singular, column {k} depends on those before")
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k]
            if factor:
                for j in range(k, len(row)):
                    row[j] -= factor * rows[k][j]
    found: list[list[float]] = []
    for r in range(len(rights)):
        x = [0.0] * size
        for k in range(size - 1, -1, -1):
            rest = rows[k][size + r] - sum([rows[k][j] * x[j] for j in range(k + 1, size)])
            x[k] = rest / rows[k][k]
        found.append(x)
    return found


class _Factors(NamedTuple):
    """A recorded elimination: for each column how the rows below were exchanged and reduced."""

    swaps: list[list[Any]]
    factors: list[list[Any]]
    upper: list[list[Any]]  # what is left of each row, from its pivot on


def _factors(matrix: list[list[Any]]) -> _Factors:
    """Record an elimination: rows are exchanged by `where`, so that a replay chooses its pivots."""
    rows, done = matrix, _Factors([], [], [])
    while rows:
        top, below, swaps = rows[0], list[list[Any]](), list[Any]()
        for row in rows[1:]:
            swap = abs(row[0]) > abs(top[0])
            top, row = _exchanged(swap, top, row)  # noqa: PLW2901
            below.append(row)
            swaps.append(swap)
        factors = [row[0] / top[0] for row in below]
        rows = [
            [b - factor * a for a, b in zip(top[1:], row[1:], strict=True)]
            for factor, row in zip(factors, below, strict=True)
        ]
        done.swaps.append(swaps)
        done.factors.append(factors)
        done.upper.append(top)
    return done


def _exchanged(swap: Any, one: list[Any], other: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return two rows, exchanged where `swap` holds."""
    if type(swap) is bool:
        return (other, one) if swap else (one, other)
    emit, where = swap._tape.emit, CODE["where"]
    pairs = list(zip(one, other, strict=True))
    return [emit(where, (swap, b, a)) for a, b in pairs], [
        emit(where, (swap, a, b)) for a, b in pairs
    ]


def _substituted(found: _Factors, right: Sequence[Any]) -> list[Any]:
    """Record the solution for a right side."""
    rest, reduced = list(right), list[Any]()
    for swaps, factors in zip(found.swaps, found.factors, strict=True):
        top, below = rest[0], list[Any]()
        for swap, b in zip(swaps, rest[1:], strict=True):
            (top,), (b,) = _exchanged(swap, [top], [b])  # noqa: PLW2901
            below.append(b)
        rest = [b - factor * top for factor, b in zip(factors, below, strict=True)]
        reduced.append(top)
    x: list[Any] = []
    for top, row in zip(reversed(reduced), reversed(found.upper), strict=True):
        x.insert(0, ((top - dot(row[1:], x)) if x else top) / row[0])
    return x


def _unit(size: int, i: int) -> list[float]:
    return [1.0 if k == i else 0.0 for k in range(size)]


def _number(x: Any) -> float:
    return x.data if isinstance(x, Value) else float(x)


def _plain(x: Any) -> Any:
    """Return a structure with plain numbers in it."""
    leaves, shape = flatten(x)
    return rebuild(shape, [_number(leaf) for leaf in leaves])


def _recorder() -> Any:
    return modes.recorder() if modes.active else None
