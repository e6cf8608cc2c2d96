"""A recorded program as operations of JAX, its loops as loops again.

    operations   each operation of a program as a function of JAX
    Lowering     a program by parts: what is outside of loops, and the loops
    Body         the body of a loop, as a function

A recording is straight-line. Given to JAX as it is, compile time grows faster than the program, and
a GPU has no room for all its values at once. So loops are found again (`loops`) and become
`lax.scan`.
"""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from gradwalk import ops
from gradwalk.errors import ProgramError, RecordingError
from gradwalk.program.ir import COMPARISONS, Stage
from gradwalk.program.loops import Loop, find_loops
from gradwalk.program.options import Options
from gradwalk.program.recordings import Recording, Recordings

__all__ = [
    "Body",
    "Lowering",
    "columns",
    "jax_modules",
    "known_operations",
    "operations",
    "places",
    "reader",
    "steady",
]

MOST = 50_000  # instructions outside of loops; JAX takes about a millisecond for each to compile
_LONG = 32  # terms from which on a sum is a sum over an array


def jax_modules() -> tuple[Any, Any]:
    """Return jax and jax.numpy."""
    try:
        import jax
        import jax.numpy as jnp
    except ImportError as error:
        raise ProgramError(
            f'JAX is not installed ({error}); python -m pip install "gradwalk[jax]"'
        ) from None
    return jax, jnp


# ── Operations ───────────────────────────────────────────────────────────────────────────────


def operations() -> dict[str, Callable[..., Any]]:
    """Return each operation of a program as a function of JAX."""
    jax, jnp = jax_modules()
    special, lax = jax.scipy.special, jax.lax

    def where(condition: Any, one: Any, other: Any) -> Any:
        return jnp.where(condition != 0.0, one, other)

    def take(index: Any, *table: Any) -> Any:
        found = table[0]
        for k, entry in enumerate(table[1:], 1):
            found = jnp.where(index >= k, entry, found)
        return found

    def added(*terms: Any) -> Any:
        if len(terms) < _LONG:
            return reduce(lambda x, y: x + y, terms, 0.0)
        return jnp.sum(jnp.stack(jnp.broadcast_arrays(*terms)), axis=0)

    def dot(*pairs: Any) -> Any:
        return added(*[x * y for x, y in zip(pairs[::2], pairs[1::2], strict=True)])

    found: dict[str, Callable[..., Any]] = {
        "add": lambda x, y: x + y,
        "mul": lambda x, y: x * y,
        "sub": lambda x, y: x - y,
        "div": lambda x, y: x / y,
        "neg": lambda x: -x,
        "pow": jnp.power,
        "abs": jnp.abs,
        "asin": jnp.arcsin,
        "acos": jnp.arccos,
        "atan": jnp.arctan,
        "atan2": jnp.arctan2,
        "asinh": jnp.arcsinh,
        "acosh": jnp.arccosh,
        "atanh": jnp.arctanh,
        "sigmoid": jax.nn.sigmoid,
        "softplus": jax.nn.softplus,
        "relu": lambda x: jnp.where(x <= 0.0, 0.0, x),
        "leaky_relu": lambda x, slope: jnp.where(x > 0.0, x, slope * x),
        "silu": jax.nn.silu,
        "gelu": lambda x: 0.5 * x * special.erfc(-x * 0.7071067811865476),
        "erf": special.erf,
        "erfc": special.erfc,
        "where": where,
        "clip": lambda x, low, high: jnp.where(high < x, high, jnp.where(x < low, low, x)),
        "floordiv": lambda x, y: lax.stop_gradient(jnp.floor_divide(x, y)),
        "mod": lambda x, y: x - y * lax.stop_gradient(jnp.floor_divide(x, y)),
        "take": take,
        "sum": added,
        "dot": dot,
        "gamma": special.gamma,
        "lgamma": special.gammaln,
        "digamma": special.digamma,
        "polygamma": special.polygamma,
    }
    compared = dict(zip(("lt", "le", "gt", "ge", "eq", "ne"), COMPARED, strict=True))
    for name in COMPARISONS:
        found[name] = partial(_compared, getattr(jnp, compared[name]), jnp)
    for name in (
        *("sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
        *("maximum", "minimum", "hypot", "floor", "sign", "log2", "log10", "exp2", "cbrt"),
    ):
        found[name] = getattr(jnp, name)
    return found


def known_operations(stage: Stage) -> dict[str, Callable[..., Any]]:
    """Return `operations`, and what else the program needs."""
    found = operations()
    for name in {*stage.operations} - {*found, "const", "input"}:
        found[name] = _by_its_row(name)
    return found


def _by_its_row(name: str) -> Callable[..., Any]:
    """Return an operation without a form of its own: its row's value and partials, recorded."""
    jax, _ = jax_modules()
    row = ops.BY_NAME.get(name)
    if row is None:
        raise ProgramError(f"JAX has no form of {name}")
    points = [*row.probes, *[edge.operands for edge in row.edges]]
    value = _called(row.value)
    slopes: list[Any] = [
        _recorded(by, [(row.value(*at), *at) for at in points]) for by in row.partials
    ]
    if None in slopes:
        raise ProgramError(f"JAX has no form of {name}, and its derivatives do not record")
    form = jax.custom_jvp(value)

    @form.defjvp
    def move(operands: Any, tangents: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
        out = form(*operands)
        return out, sum([by(out, *operands) * t for by, t in zip(slopes, tangents, strict=True)])

    return form


def _recorded(
    function: Callable[..., Any], points: Sequence[Sequence[float]]
) -> Callable[..., Any] | None:
    """Return a function as one of JAX, by the paths that it takes at these points.

    None where it cannot be recorded, as one that calls `math` itself.
    """
    _, jnp = jax_modules()
    store = Recordings(function, Options())

    def call(point: Sequence[float]) -> None:
        path, segments, _ = store.prepare(tuple(point), {})
        path.run(path.forward(), segments)

    try:
        for point in points:
            store.until_loops_end(partial(call, point))
    except RecordingError:
        return None
    if not len(store):  # it asked for digits
        return None
    [root] = store.by_specs.values()

    def run(path: Recording, rows: Any) -> Any:
        stage = Stage.recorded(path.program)
        stage.results = path.program.ends()
        stage.outputs = len(stage.results)
        form = Lowering(stage, rows.dtype)
        found, *verdicts = form.run(lambda slots: rows[jnp.asarray(slots)], rows.shape[1:])
        for verdict in verdicts:
            found = jnp.where(verdict == 0.0, found, jnp.nan)
            for guard, child in path.children.items():
                found = jnp.where(verdict == guard + 1.0, run(child, rows), found)
        return jnp.broadcast_to(jnp.asarray(found, rows.dtype), rows.shape[1:])

    return lambda *operands: run(
        root, jnp.stack(jnp.broadcast_arrays(*[jnp.asarray(x) for x in operands]))
    )


def _called(function: Callable[..., float]) -> Callable[..., Any]:
    """Return a function of floats as one of JAX, which calls Python for it."""
    jax, jnp = jax_modules()

    def run(*operands: Any) -> Any:
        given = jnp.broadcast_arrays(*[jnp.asarray(x) for x in operands])
        like = jax.ShapeDtypeStruct(given[0].shape, given[0].dtype)

        def computed(*arrays: Any) -> Any:
            rows = zip(*[np.asarray(x, float).ravel().tolist() for x in arrays], strict=True)
            numbers = [function(*row) for row in rows]
            return np.asarray(numbers, like.dtype).reshape(np.shape(arrays[0]))

        return jax.pure_callback(computed, like, *given, vmap_method="broadcast_all")

    return run


COMPARED = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def _compared(compare: Any, jnp: Any, x: Any, y: Any) -> Any:
    return jnp.where(compare(x, y), 1.0, 0.0)


# ── A program as operations of JAX ───────────────────────────────────────────────────────────


class Lowering:
    """A recorded program by parts: instructions outside of loops, and loops."""

    def __init__(self, stage: Stage, dtype: str) -> None:
        self.stage = stage
        self.loops = find_loops(stage)
        self.operations = known_operations(stage)
        self.dtype = dtype
        self.parts: list[Loop | list[int]] = []
        begin = 0
        for loop in self.loops:
            self.parts += [self._outside(begin, loop.start), loop]
            begin = loop.end
        self.parts.append(self._outside(begin, len(stage)))
        self.size = sum([len(part) for part in self.parts if isinstance(part, list)])
        self.size += sum([loop.length for loop in self.loops])

    def __str__(self) -> str:
        count = len(self.loops)
        return f"{count} loop{'' if count == 1 else 's'}"

    def _outside(self, begin: int, end: int) -> list[int]:
        names = self.stage.operations
        return [i for i in range(begin, end) if names[i] not in ("const", "input")]

    def slot(self, i: int) -> int:
        return int(self.stage.numbers[i])

    def is_const(self, i: int) -> bool:
        return self.stage.operations[i] == "const"

    def is_input(self, i: int) -> bool:
        return self.stage.operations[i] == "input"

    def run(self, slots: Callable[[Sequence[int]], Any], shape: tuple[int, ...]) -> list[Any]:
        """Return the results. `slots` gives the numbers of some slots, in an array.

        `shape` is that of the scenarios: () for one.
        """
        values: dict[int, Any] = {}

        def value(i: int) -> Any:
            if self.is_const(i):
                return self.stage.numbers[i]
            if self.is_input(i):
                return slots([self.slot(i)])[0]
            return values[i]

        for part in self.parts:
            if isinstance(part, Loop):
                self._scan(part, value, values, slots, shape)
                continue
            for i in part:
                operands = [value(operand) for operand in self.stage.operands(i)]
                values[i] = self.operations[self.stage.operations[i]](*operands)
        return [value(i) for i in self.stage.results[: self.stage.outputs]]

    run_for_gradient = run

    def _scan(
        self, loop: Loop, value: Any, values: Any, slots: Any, shape: tuple[int, ...]
    ) -> None:
        jax, jnp = jax_modules()
        body = Body(self, loop)

        def wide(x: Any) -> Any:
            return jnp.broadcast_to(jnp.asarray(x, self.dtype), shape)

        fixed = [value(i) for i in body.fixed]
        each = [self._stacked(ids, value, slots) for ids in body.each]
        first = [[wide(value(i)) for i in ids] for _, _, ids in body.carried]
        last = [jnp.zeros(shape, self.dtype) for _ in body.last]

        def step(state: Any, now: Any) -> Any:
            carried, _ = state
            inside = body.run([queue[0] for queue in carried], fixed, now)
            moved = [
                [*queue[1:], wide(inside[at])]
                for queue, (at, _, _) in zip(carried, body.carried, strict=True)
            ]
            kept = [wide(inside[at]) for at in body.all]
            return (moved, [wide(inside[at]) for at in body.last]), kept

        (_, ends), kept = jax.lax.scan(step, (first, last), each, length=loop.count)
        for at, end in zip(body.last, ends, strict=True):
            values[loop.ids[(loop.count - 1) * loop.length + at]] = end
        for at, rows in zip(body.all, kept, strict=True):
            for k in body.after[at]:
                values[loop.ids[k * loop.length + at]] = rows[k]

    def _stacked(self, ids: Sequence[int], value: Any, slots: Any) -> Any:
        """Return a value per iteration, as one array."""
        _, jnp = jax_modules()
        if all(map(self.is_input, ids)):
            return slots([self.slot(i) for i in ids])
        if all(map(self.is_const, ids)):
            return jnp.asarray([self.stage.numbers[i] for i in ids], self.dtype)
        return jnp.stack(jnp.broadcast_arrays(*[value(i) for i in ids]))


def places(varies: Sequence[bool]) -> list[int]:
    """Return where each slot is: among the numbers that scenarios share, or among their rows."""
    found: list[int] = []
    count = [0, 0]
    for each in varies:
        found.append(count[each])
        count[each] += 1
    return found


def columns(across: Sequence[Any], dtype: str) -> Any:
    """Return arrays with one row per scenario as one array with one column per scenario."""
    _, jnp = jax_modules()
    found = [jnp.reshape(x.astype(dtype), (x.shape[0], -1)).T for x in across]
    return found[0] if len(found) == 1 else jnp.concatenate(found)


def reader(varies: Sequence[bool], place: Sequence[int], row: Any, rows: Any) -> Any:
    """Return the function that gives a program the numbers of its slots.

    `row` has what scenarios share, `rows` a column per scenario, `place` where a slot is in them.
    """
    _, jnp = jax_modules()

    def get(slots: Sequence[int]) -> Any:
        at = [place[slot] for slot in slots]
        kinds = {varies[slot] for slot in slots}
        if len(kinds) == 1:
            return (rows if True in kinds else row)[steady(at)]
        parts = [rows[p] if varies[s] else row[p] for s, p in zip(slots, at, strict=True)]
        return jnp.stack(jnp.broadcast_arrays(*parts))

    return get


def steady(at: list[int]) -> Any:
    """Return places as a slice where they are in step, which JAX reads without a table."""
    _, jnp = jax_modules()
    if not at:
        return slice(0, 0)
    stride = at[1] - at[0] if len(at) > 1 else 1
    if stride > 0 and at == [*range(at[0], at[0] + len(at) * stride, stride)]:
        return slice(at[0], at[-1] + 1, stride)
    return jnp.asarray(at)


class Body:
    """The body of a loop, as a function of what is carried, fixed, and new in each iteration."""

    def __init__(self, lowering: Lowering, loop: Loop) -> None:
        self._loop = loop
        self._operations = lowering.operations
        # A value of the body, how many iterations back, and the values before the first ones.
        self.carried = [operand[1:] for operand in loop.distinct("carried")]
        self.each = [operand.ids for operand in loop.distinct("each")]
        self.fixed = [operand.ids[0] for operand in loop.distinct("fixed")]
        index = {o: k for kind in ("carried", "each", "fixed")
                 for k, o in enumerate(loop.distinct(kind))}  # fmt: skip
        self._places = [[(o.kind, index.get(o, o.at)) for o in step.operands] for step in loop.body]
        self.after = loop.read_after(lowering.stage)
        only = [loop.count - 1]
        self.last = [at for at, iterations in self.after.items() if iterations == only]
        self.all = [at for at, iterations in self.after.items() if iterations != only]

    def run(self, carried: Sequence[Any], fixed: Sequence[Any], each: Sequence[Any]) -> list[Any]:
        """Return all values of one iteration."""
        inside: list[Any] = []
        given = {"inside": inside, "carried": carried, "fixed": fixed, "each": each}
        for step, places in zip(self._loop.body, self._places, strict=True):
            operands = [given[kind][at] for kind, at in places]
            inside.append(self._operations[step.operation](*operands))
        return inside
