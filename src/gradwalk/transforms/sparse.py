"""Jacobians and Hessians with few entries, computed without the zeros.

    sparse_jacobian   by colouring: columns that share no row are computed in one forward sweep
    sparse_hessian    by edge pushing, or by colouring the gradient's Jacobian

The function is recorded, and the pattern of entries is read off its instructions, so it is exact
and never probed. An entry outside it is 0 wherever the function is evaluated. Both can be compiled
and mapped over rows like any function.
"""

# A number is a recorded value or a float, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gradwalk import ops, sweeps
from gradwalk.engine import modes
from gradwalk.errors import OperandError
from gradwalk.program import compile as compiled
from gradwalk.sweeps import Step, Trace, passed, scaled, total
from gradwalk.transforms.functional import Arguments, Function, Point, grad, like


@dataclass(frozen=True)
class Sparse:
    """The entries of a matrix by row and column; all others are 0.

    `colours` says how many sweeps computed them, 0 where edge pushing did.
    """

    shape: tuple[int, int]
    rows: list[int]
    columns: list[int]
    values: list[float]
    colours: int

    def dense(self) -> list[list[float]]:
        """Return the whole matrix as a list of rows."""
        full = [[0.0] * self.shape[1] for _ in range(self.shape[0])]
        for row, column, value in zip(self.rows, self.columns, self.values, strict=True):
            full[row][column] = value
        return full

    def __str__(self) -> str:
        how = f"in {self.colours} colours" if self.colours else "by edge pushing"
        count = len(self.rows)
        return f"a {self.shape[0]} × {self.shape[1]} matrix with {count} entries, {how}"


def sparse_jacobian(f: Function, argnums: Arguments = 0) -> Function:
    """Return the function that computes the entries of the Jacobian of `f` as a `Sparse`.

    >>> from gradwalk import sparse_jacobian
    >>> neighbours = lambda x: [x[0] * x[1], x[1] * x[2], x[2] * x[3]]
    >>> found = sparse_jacobian(neighbours)([1.0, 2.0, 3.0, 4.0])
    >>> print(found)
    a 3 × 4 matrix with 6 entries, in 2 colours
    >>> found.rows, found.columns, found.values
    ([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 3], [2.0, 1.0, 3.0, 2.0, 4.0, 3.0])
    """

    def derived(*args: Any, **named: Any) -> Sparse:
        return _coloured(Point(f, args, named, argnums))

    return _recorded(f, derived, "sparse_jacobian")


def sparse_hessian(f: Function, argnums: Arguments = 0, method: str = "edges") -> Function:
    """Return the function that computes the entries of the Hessian of `f` as a `Sparse`.

    `method` is "edges", by edge pushing, or "colours", by colouring. Both give the same entries.

    >>> from gradwalk import sparse_hessian
    >>> print(sparse_hessian(lambda x: x[0] ** 2 * x[1] + x[2])([1.0, 2.0, 3.0]))
    a 3 × 3 matrix with 3 entries, by edge pushing
    """
    if method not in ("edges", "colours"):
        raise OperandError(f"method is 'edges' or 'colours', not {method!r}")
    gradient = grad(f, argnums)

    def derived(*args: Any, **named: Any) -> Sparse:
        if method == "colours":
            return _coloured(Point(gradient, args, named, argnums))
        point = Point(f, args, named, argnums)
        point.need_one_number("sparse_hessian")
        return _pushed(point)

    return _recorded(f, derived, "sparse_hessian")


def _recorded(f: Function, derived: Function, transform: str) -> Function:
    """Return the transform, compiled unless it is called while another function is recorded."""
    like(f, derived, transform)
    derived.__signature__ = inspect.signature(f)  # type: ignore[attr-defined]  # pyright: ignore
    whole = compiled(derived)

    def called(*args: Any, **named: Any) -> Any:
        recording = modes.active and modes.recorder() is not None
        return derived(*args, **named) if recording else whole(*args, **named)

    return like(f, called, transform)


# ── Colouring ────────────────────────────────────────────────────────────────────────────────


def _coloured(point: Point) -> Sparse:
    masks = _dependence(point.trace)
    inputs = len(point.inputs)
    columns = [[j for j in range(inputs) if mask >> j & 1] for mask in masks]
    colour_of = _colours(columns, inputs)
    colours = 1 + max(colour_of, default=-1)
    moved = [
        point.pushed([1.0 if colour_of[j] == colour else None for j in range(inputs)])
        for colour in range(colours)
    ]
    entries = [(i, j) for i, row in enumerate(columns) for j in row]
    return Sparse(
        (len(masks), inputs),
        [i for i, _ in entries],
        [j for _, j in entries],
        [moved[colour_of[j]][i] for i, j in entries],
        colours,
    )


def _dependence(trace: Trace) -> list[int]:
    """Return, for each output, the inputs that it depends on smoothly, as bits of a number."""
    masks = [1 << j for j in range(trace.inputs)]
    for step in trace.steps:
        mask = 0
        for place in sweeps.smooth_places(step):
            mask |= masks[place]
        masks.append(mask)
    return [0 if place < 0 else masks[place] for place in trace.outputs]


def _colours(rows: Sequence[Sequence[int]], count: int) -> list[int]:
    """Return a colour per column, so that no row has two columns of one colour (greedily)."""
    rows_of: list[list[int]] = [[] for _ in range(count)]
    for i, row in enumerate(rows):
        for j in row:
            rows_of[j].append(i)
    colour_of = [-1] * count
    # Columns with many entries first: they have the fewest colours to choose from.
    for j in sorted(range(count), key=lambda j: -len(rows_of[j])):
        if rows_of[j]:
            taken = {colour_of[k] for i in rows_of[j] for k in rows[i]}
            colour_of[j] = next(c for c in range(count + 1) if c not in taken)
    return colour_of


# ── Edge pushing ─────────────────────────────────────────────────────────────────────────────


def _pushed(point: Point) -> Sparse:
    """Return the Hessian by one reverse sweep that carries second derivatives along.

    `edges[p][q]` is the second derivative by the values at two places, of the part of the
    computation that the sweep has passed. Passing a step moves its edges to its operands, by the
    chain rule, and adds the step's own second derivatives.
    """
    trace = point.trace
    edges: list[dict[int, Any]] = [{} for _ in range(len(trace))]
    received: list[list[Any]] = [[] for _ in range(len(trace))]
    for place in trace.outputs:
        if place >= 0:
            received[place].append(1.0)

    def add(p: int, q: int, term: Any) -> None:
        if term is not None:
            edges[p][q] = total([edges[p].get(q), term])
            edges[q][p] = edges[p][q]

    for index in range(len(trace.steps) - 1, -1, -1):
        at = trace.inputs + index
        gradient = total(received[at])
        mine, edges[at] = edges[at], {}
        if gradient is None and not mine:
            continue
        step = trace.steps[index]
        slopes = _merged(step, trace.partials(index))
        own = mine.pop(at, None)
        for other, weight in mine.items():
            del edges[other][at]
            for place, slope in slopes.items():
                moved = passed(step, slope, weight)
                if place == other and moved is not None:
                    moved = 2.0 * moved
                add(place, other, moved)
        pairs = list(slopes.items())
        for n, (p, slope) in enumerate(pairs):
            for q, other in pairs[n:]:
                add(p, q, passed(step, slope, passed(step, other, own)))
        if gradient is None:
            continue
        for (p, q), second in _seconds(point.recorder, step, trace.partials(index)).items():
            add(p, q, scaled(second, gradient))
        for place, slope in slopes.items():
            if (share := passed(step, slope, gradient)) is not None:
                received[place].append(share)
    count = trace.inputs
    entries = [(p, q) for p in range(count) for q in sorted(edges[p])]
    return Sparse(
        (count, count),
        [p for p, _ in entries],
        [q for _, q in entries],
        [point.number(edges[p][q]) for p, q in entries],
        0,
    )


def _merged(step: Step, partials: Sequence[Any]) -> dict[int, Any]:
    """Return the partial by each place that is an operand; of x * x, the sum of both."""
    found: dict[int, Any] = {}
    for place, partial in zip(step.places, partials, strict=True):
        if place >= 0 and partial is not None and not (type(partial) is float and not partial):
            found[place] = partial if place not in found else _sum(found[place], partial)
    return found


def _sum(x: Any, y: Any) -> Any:
    return total([scaled(x, 1.0), scaled(y, 1.0)])


def _seconds(tape: Any, step: Step, partials: Sequence[Any]) -> dict[tuple[int, int], Any]:
    """Return the second partials of a step by pairs of places, each pair once."""
    found: dict[tuple[int, int], Any] = {}

    def add(a: int, b: int, value: Any) -> None:
        p, q = step.places[a], step.places[b]
        if p < 0 or q < 0 or value is None:
            return
        if p == q and a != b:
            value = 2.0 * value  # d²/dp² counts (a, b) and (b, a)
        key = (min(p, q), max(p, q))
        found[key] = value if key not in found else found[key] + value

    name, out, x = step.name, step.out, step.operands
    if name in _LINEAR:
        return found
    if name == "dot":
        for a in range(0, len(x), 2):
            add(a, a + 1, 1.0)
    elif name == "mul":
        add(0, 1, 1.0)
    elif name == "div":
        inverse = 1.0 / x[1]
        add(0, 1, -(inverse * inverse))
        add(1, 1, 2.0 * out * inverse * inverse)
    elif name == "pow" and type(x[1]) is float:
        y = x[1]
        if y * (y - 1.0):
            add(0, 0, y * (y - 1.0) if y == 2.0 else y * (y - 1.0) * ops.pow_(x[0], y - 2.0))
    elif name in _UNARY:
        add(0, 0, _UNARY[name](out, x[0], partials[0]))
    else:
        _differentiated(tape, step, add)
    return found


def _differentiated(tape: Any, step: Step, add: Callable[[int, int, Any], None]) -> None:
    """Find second partials by differentiating the instructions of the first ones."""
    count = len(step.operands)
    inputs = [tape.lift(x) * 1.0 for x in step.operands]
    begin = tape.count
    out = tape.emit(tape.code_of(step.name), inputs)
    places = list(range(count))
    partials = sweeps.recorded_partials(step._replace(out=out, operands=inputs, places=places))
    handles = [tape.lift(0.0 if p is None else scaled(p, 1.0)) for p in partials]
    trace = sweeps.of_tape(tape, inputs, handles, begin)
    for b in range(count):
        if step.places[b] >= 0:
            moved = sweeps.forward(trace, [1.0 if k == b else None for k in range(count)])
            for a in range(b + 1):
                add(a, b, moved[a])


_LINEAR = frozenset(
    {"add", "sub", "neg", "sum", "take", "abs", "relu", "maximum", "minimum", "where", "clip"}
    | {"floor", "floordiv", "mod", "sign", "lt", "le", "gt", "ge", "eq", "ne"}
)

# The second derivative, from the value, the operand and the first derivative.
_UNARY: dict[str, Callable[[Any, Any, Any], Any]] = {
    "exp": lambda out, x, d: out,
    "expm1": lambda out, x, d: d,
    "exp2": lambda out, x, d: d * ops.LN_2,
    "log": lambda out, x, d: -(d * d),
    "log1p": lambda out, x, d: -(d * d),
    "log2": lambda out, x, d: -(d / x),
    "log10": lambda out, x, d: -(d / x),
    "sqrt": lambda out, x, d: d * d * d * -2.0,
    "sin": lambda out, x, d: -out,
    "cos": lambda out, x, d: -out,
    "tan": lambda out, x, d: 2.0 * out * d,
    "asin": lambda out, x, d: x * d * d * d,
    "acos": lambda out, x, d: x * d * d * d,
    "atan": lambda out, x, d: -2.0 * x * d * d,
    "sinh": lambda out, x, d: out,
    "cosh": lambda out, x, d: out,
    "tanh": lambda out, x, d: -2.0 * out * d,
    "asinh": lambda out, x, d: -(x * d * d * d),
    "acosh": lambda out, x, d: -(x * d * d * d),
    "atanh": lambda out, x, d: 2.0 * x * d * d,
    "sigmoid": lambda out, x, d: d * (1.0 - 2.0 * out),
    "softplus": lambda out, x, d: d * (1.0 - d),
    "erf": lambda out, x, d: -2.0 * x * d,
    "erfc": lambda out, x, d: -2.0 * x * d,
}
