"""Compiled functions on JAX: on its devices, and on several hosts.

    OnJax       what `f.to_jax()` returns: a pure JAX function, and its map over scenarios
    Lowering    a recorded program as operations of JAX, its loops as loops again
    Kernel      the same as one Pallas kernel for a GPU, with the gradient

A recording is straight-line. Given to JAX as it is, compile time grows faster than the program, and
a GPU has no room for all its values at once. So loops are found again (`loops`) and become
`lax.scan`; on a GPU they become a kernel in which each block of scenarios keeps only the carried
values, and computes the rest again for the gradient.
"""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial, reduce
from typing import TYPE_CHECKING, Any

from gradwalk.errors import OperandError, ProgramError
from gradwalk.program import structure as st
from gradwalk.program.ir import COMPARISONS, Stage
from gradwalk.program.loops import Loop, Operand, find_loops

if TYPE_CHECKING:
    from gradwalk.program.recordings import Recording

__all__ = ["Kernel", "Lowering", "OnJax"]

MOST = 50_000  # instructions outside of loops; JAX takes about a millisecond for each to compile
BLOCK, WARPS = 128, 4  # scenarios abreast in a block of threads, and its warps
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
        found = jnp.nan  # beyond the table, where a replay raises
        for k, entry in enumerate(table):
            found = jnp.where(index == k, entry, found)
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
        "lgamma": special.gammaln,
        "gamma": special.gamma,
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


COMPARED = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def _compared(compare: Any, jnp: Any, x: Any, y: Any) -> Any:
    return jnp.where(compare(x, y), 1.0, 0.0)


# ── A program as operations of JAX ───────────────────────────────────────────────────────────


class Lowering:
    """A recorded program by parts: instructions outside of loops, and loops."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.loops = find_loops(stage)
        self.operations = operations()
        unknown = {*stage.operations} - {*self.operations, "const", "input"}
        if unknown:
            raise ProgramError(f"JAX has no form of {', '.join(sorted(unknown))}")
        self.parts: list[Loop | list[int]] = []
        begin = 0
        for loop in self.loops:
            self.parts += [self._outside(begin, loop.start), loop]
            begin = loop.end
        self.parts.append(self._outside(begin, len(stage)))
        outside = sum([len(part) for part in self.parts if isinstance(part, list)])
        outside += sum([loop.length for loop in self.loops])
        if outside > MOST:
            raise ProgramError(
                f"the program has {outside:,} instructions of which no loop repeats any, and JAX "
                f"would take minutes to compile them; the limit is {MOST:,}. Use the replay on "
                "this machine, or a program with loops"
            )

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

    def _scan(
        self, loop: Loop, value: Any, values: Any, slots: Any, shape: tuple[int, ...]
    ) -> None:
        jax, jnp = jax_modules()
        body = Body(self, loop)

        def wide(x: Any) -> Any:
            return jnp.broadcast_to(jnp.asarray(x, float), shape)

        fixed = [value(i) for i in body.fixed]
        each = [self._stacked(ids, value, slots) for ids in body.each]
        first = [[wide(value(i)) for i in ids] for _, _, ids in body.carried]
        last = [jnp.zeros(shape) for _ in body.last]

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
            return jnp.asarray([self.stage.numbers[i] for i in ids])
        return jnp.stack(jnp.broadcast_arrays(*[value(i) for i in ids]))


class Body:
    """The body of a loop, as a function of what is carried, fixed, and new in each iteration."""

    def __init__(self, lowering: Lowering, loop: Loop) -> None:
        self._loop = loop
        self._operations = lowering.operations
        # A value of the body, how many iterations back, and the values before the first ones.
        self.carried: list[tuple[int, int, tuple[int, ...]]] = []
        self.each: list[tuple[int, ...]] = []
        self.fixed: list[int] = []
        self._places = [[self._place(o) for o in step.operands] for step in loop.body]
        self.after = loop.read_after(lowering.stage)
        only = [loop.count - 1]
        self.last = [at for at, iterations in self.after.items() if iterations == only]
        self.all = [at for at, iterations in self.after.items() if iterations != only]

    def _place(self, operand: Operand) -> tuple[str, int]:
        if operand.kind == "inside":
            return "inside", operand.at
        if operand.kind == "fixed":
            return "fixed", _index(self.fixed, operand.ids[0])
        ids = tuple(operand.ids)
        if operand.kind == "each":
            return "each", _index(self.each, ids)
        return "carried", _index(self.carried, (operand.at, operand.back, ids))

    def run(self, carried: Sequence[Any], fixed: Sequence[Any], each: Sequence[Any]) -> list[Any]:
        """Return all values of one iteration."""
        inside: list[Any] = []
        given = {"inside": inside, "carried": carried, "fixed": fixed, "each": each}
        for step, places in zip(self._loop.body, self._places, strict=True):
            operands = [given[kind][at] for kind, at in places]
            inside.append(self._operations[step.operation](*operands))
        return inside


def _index(known: list[Any], thing: Any) -> int:
    if thing not in known:
        known.append(thing)
    return known.index(thing)


# ── A kernel for a GPU ───────────────────────────────────────────────────────────────────────


class UnsupportedError(Exception):
    """A program has no form as a kernel; it runs by `Lowering`."""


class Kernel:
    """A program over many scenarios, with gradients by what they share, as one Pallas kernel.

    Every block of scenarios runs the program forward, keeps the carried values of each iteration in
    memory, and goes back through the loops, where the body is computed again and differentiated.
    """

    def __init__(self, lowering: Lowering, varies: Sequence[bool], wrt: Sequence[int]) -> None:
        self.lowering = lowering
        self.stage = lowering.stage
        self.wrt = list(wrt)
        inputs = {lowering.slot(i): i for i in range(len(self.stage)) if lowering.is_input(i)}
        self.input_of = inputs  # slot to instruction
        # Where a slot is: among what is shared, or among the rows.
        self.place: dict[int, int] = {}
        count = [0, 0]
        for slot, each in enumerate(varies):
            self.place[slot] = count[each]
            count[each] += 1
        self.varies = varies
        if any(varies[slot] for slot in wrt):
            raise UnsupportedError("a gradient by what varies")
        if self.stage.outputs != 1:
            raise UnsupportedError("several results")
        self.bodies = {id(loop): Body(lowering, loop) for loop in lowering.loops}
        self.tables: list[float] = []  # constants that change from iteration to iteration
        self.loads = {id(loop): self._loads(loop) for loop in lowering.loops}
        self.kept = sum(
            [loop.count * len(self.bodies[id(loop)].carried) for loop in lowering.loops]
        )

    def _loads(self, loop: Loop) -> list[tuple[str, int, int]]:
        """Return where each changing operand is: in which array, its first place, its stride."""
        body = self.bodies[id(loop)]
        if body.all or any(back != 1 for _, back, _ in body.carried):
            raise UnsupportedError("what iterations hand on")
        found: list[tuple[str, int, int]] = []
        for ids in body.each:
            if all(map(self.lowering.is_const, ids)):
                found.append(("table", len(self.tables), 1))
                self.tables += [self.stage.numbers[i] for i in ids]
                continue
            if not all(map(self.lowering.is_input, ids)):
                raise UnsupportedError("results of another loop")
            slots = [self.lowering.slot(i) for i in ids]
            if len({self.varies[slot] for slot in slots}) > 1 or {*slots} & {*self.wrt}:
                raise UnsupportedError("a gradient by what changes from iteration to iteration")
            places = [self.place[slot] for slot in slots]
            stride = places[1] - places[0]
            if places != [places[0] + k * stride for k in range(len(places))]:
                raise UnsupportedError("inputs that are not in step")
            found.append(("rows" if self.varies[slots[0]] else "shared", places[0], stride))
        return found

    def __call__(self, shared: Any, rows: Any, interpret: bool = False) -> tuple[Any, Any]:
        """Return the result of each scenario, and its gradients."""
        _, jnp = jax_modules()
        count = rows.shape[1]
        whole = count // BLOCK * BLOCK
        parts = [self._blocks(shared, rows, whole // BLOCK, interpret)] if whole else []
        if whole < count:  # a last block, filled up
            rest = jnp.pad(rows[:, whole:], ((0, 0), (0, whole + BLOCK - count)), mode="edge")
            out, grads = self._blocks(shared, rest, 1, interpret)
            parts.append((out[: count - whole], grads[:, : count - whole]))
        if len(parts) == 1:
            return parts[0]
        return jnp.concatenate([out for out, _ in parts]), jnp.concatenate(
            [grads for _, grads in parts], axis=1
        )

    def _blocks(self, shared: Any, rows: Any, grid: int, interpret: bool) -> tuple[Any, Any]:
        """Run the first so many blocks of the scenarios."""
        jax, jnp = jax_modules()
        from jax.experimental import pallas as pl

        tables = jnp.asarray(self.tables or [0.0], rows.dtype)
        shared = shared if len(shared) else jnp.zeros(1, rows.dtype)
        width = len(self.wrt)

        def whole(array: Any) -> Any:
            return pl.BlockSpec(array.shape, lambda b: (0,) * array.ndim)

        def columns(height: int) -> Any:
            return pl.BlockSpec((height, BLOCK), lambda b: (0, b))

        heights = (1, max(1, width), max(1, self.kept))
        out, grads, _ = pl.pallas_call(
            self._kernel,
            grid=(grid,),
            in_specs=[whole(shared), whole(tables), columns(rows.shape[0])],
            out_specs=[columns(height) for height in heights],
            out_shape=[
                jax.ShapeDtypeStruct((height, grid * BLOCK), rows.dtype) for height in heights
            ],
            interpret=interpret,
            **({} if interpret else {"compiler_params": _triton(WARPS)}),
        )(shared, tables, rows)
        return out[0], grads[:width]

    def _kernel(self, shared: Any, tables: Any, rows: Any, out: Any, grads: Any, kept: Any) -> None:
        _jax, jnp = jax_modules()
        dtype = rows.dtype
        zero = jnp.zeros((BLOCK,), dtype)
        arrays = {"shared": shared, "table": tables}

        def load(kind: str, place: Any) -> Any:
            return rows[place, :] if kind == "rows" else zero + arrays[kind][place]

        values: dict[int, Any] = {}
        for slot, i in self.input_of.items():
            if self._is_read_outside(i):
                kind = "rows" if self.varies[slot] else "shared"
                values[i] = load(kind, self.place[slot])
        backs: list[Callable[[dict[int, Any]], None]] = []
        base = 0
        for part in self.lowering.parts:
            if isinstance(part, Loop):
                backs.append(self._loop(part, values, load, kept, base, zero))
                base += part.count * len(self.bodies[id(part)].carried)
            elif part:
                backs.append(self._straight(part, values, zero))
        (result,) = self.stage.results[:1]
        out[0, :] = zero + self._value(values, result)
        if not self.wrt:
            return
        slopes: dict[int, Any] = {result: zero + 1.0}
        for back in reversed(backs):
            back(slopes)
        for k, slot in enumerate(self.wrt):
            grads[k, :] = slopes.get(self.input_of.get(slot, -1), zero)

    @cached_property
    def _read_outside(self) -> set[int]:
        found = {*self.stage.results}
        for part in self.lowering.parts:
            if isinstance(part, Loop):
                body = self.bodies[id(part)]
                found.update(body.fixed, *[ids for _, _, ids in body.carried])
            else:
                found.update(*[self.stage.operands(i) for i in part])
        return found

    def _is_read_outside(self, i: int) -> bool:
        return i in self._read_outside

    def _value(self, values: dict[int, Any], i: int) -> Any:
        return self.stage.numbers[i] if self.lowering.is_const(i) else values[i]

    def _straight(self, part: list[int], values: dict[int, Any], zero: Any) -> Any:
        jax, _ = jax_modules()
        mine = {*part}
        read = [o for i in part for o in self.stage.operands(i)]
        ins = [*dict.fromkeys([i for i in read if i not in mine and not self.lowering.is_const(i)])]
        outs = [i for i in part if i in self._read_outside]

        def run(given: list[Any]) -> list[Any]:
            inside = dict(zip(ins, given, strict=True))
            for i in part:
                operands = [self._value(inside, o) for o in self.stage.operands(i)]
                inside[i] = zero + self.lowering.operations[self.stage.operations[i]](*operands)
            return [inside[i] for i in outs]

        given = [values[i] for i in ins]
        values.update(zip(outs, run(given), strict=True))

        def back(slopes: dict[int, Any]) -> None:
            _, pull = jax.vjp(run, given)
            (found,) = pull([slopes.pop(i, zero) for i in outs])
            _add(slopes, ins, found)

        return back

    def _loop(
        self, loop: Loop, values: dict[int, Any], load: Any, kept: Any, base: int, zero: Any
    ) -> Any:
        jax, _ = jax_modules()
        body, loads = self.bodies[id(loop)], self.loads[id(loop)]
        starts = [ids[0] for _, _, ids in body.carried]
        moved = [at for at, _, _ in body.carried]
        fixed = [zero + self._value(values, i) for i in body.fixed]
        others = [at for at in body.last if at not in moved]  # read behind, and not carried
        width = len(moved)

        def each(k: Any) -> list[Any]:
            return [load(kind, begin + k * stride) for kind, begin, stride in loads]

        def run(carried: Any, fixed: Any, k: Any) -> tuple[Any, Any]:
            inside = body.run(carried, fixed, each(k))
            return [zero + inside[at] for at in moved], [zero + inside[at] for at in others]

        def forward(k: Any, state: Any) -> Any:
            carried, _ = state
            for j in range(width):
                kept[base + k * width + j, :] = carried[j]
            return run(carried, fixed, k)

        begin = [zero + self._value(values, i) for i in starts]
        ends = jax.lax.fori_loop(0, loop.count, forward, (begin, [zero] * len(others)))
        place = (loop.count - 1) * loop.length
        for at in body.last:
            values[loop.ids[place + at]] = (
                ends[0][moved.index(at)] if at in moved else ends[1][others.index(at)]
            )

        def back(slopes: dict[int, Any]) -> None:
            taken: set[int] = set()

            def of(at: int) -> Any:
                if at in taken or at not in body.last:
                    return zero
                taken.add(at)  # a value may be carried twice, with other first values
                return slopes.pop(loop.ids[place + at], zero)

            def step(n: Any, state: Any) -> Any:
                by_carried, by_others, by_fixed = state
                k = loop.count - 1 - n
                carried = [kept[base + k * width + j, :] for j in range(width)]
                _, pull = jax.vjp(lambda c, f: run(c, f, k), carried, fixed)
                found, more = pull((by_carried, by_others))
                total = [x + y for x, y in zip(by_fixed, more, strict=True)]
                return found, [zero] * len(others), total

            state = ([of(at) for at in moved], [of(at) for at in others], [zero] * len(fixed))
            by_carried, _, by_fixed = jax.lax.fori_loop(0, loop.count, step, state)
            _add(slopes, starts, by_carried)
            _add(slopes, body.fixed, by_fixed)

        return back


def _add(slopes: dict[int, Any], ids: Iterable[int], found: Iterable[Any]) -> None:
    for i, slope in zip(ids, found, strict=True):
        slopes[i] = slopes[i] + slope if i in slopes else slope


def _triton(warps: int) -> Any:
    from jax.experimental.pallas import triton

    name = "CompilerParams" if hasattr(triton, "CompilerParams") else "TritonCompilerParams"
    return getattr(triton, name)(num_warps=warps)


# ── What a user holds ────────────────────────────────────────────────────────────────────────


class OnJax:
    """A compiled function as a pure JAX function, for the structure of arguments it was made for.

    Call it, or give it to `jax.jit`, `jax.grad`, `jax.vmap`. `map` and `map_value_and_grad` run it
    over scenarios: an argument that is an array has one row per scenario, all else is shared.
    """

    def __init__(self, name: str, recording: Recording, dtype: str, statics: Sequence[str]) -> None:
        jax, _ = jax_modules()
        if dtype not in ("float64", "float32"):
            raise OperandError(f'dtype is "float64" or "float32", not {dtype!r}')
        if dtype == "float64" and not jax.config.jax_enable_x64:
            raise ProgramError(
                "JAX computes in single precision until it is told otherwise: "
                'jax.config.update("jax_enable_x64", True) at the start of the program; or ask for '
                'single precision, to_jax(dtype="float32")'
            )
        self.name = name
        self.dtype = dtype
        self._recording = recording
        self._statics = statics
        self._lowering = Lowering(Stage.recorded(recording.program))
        self._made: dict[Any, Any] = {}

    def __repr__(self) -> str:
        count = len(self._lowering.loops)
        loops = f"{count} loop{'' if count == 1 else 's'}"
        return f"<{self.name} on JAX, {len(self._recording.program):,} instructions, {loops}>"

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Return what the function returns, as JAX arrays."""
        _, jnp = jax_modules()
        leaves = [*self._numbers(self._bound(args, named)), *self._parameters()]
        if leaves:
            row = jnp.concatenate([jnp.ravel(jnp.asarray(x, self.dtype)) for x in leaves])
        else:
            row = jnp.zeros(0, self.dtype)
        results = self._lowering.run(lambda slots: row[jnp.asarray(slots)], ())
        return self._rebuilt([jnp.asarray(x, self.dtype) for x in results])

    def map(
        self, /, *args: Any, reduce: str | None = None, devices: Any = None, **named: Any
    ) -> Any:
        """Return the results over scenarios: arrays with one entry per scenario, or reduced."""
        values, _ = self._mapped(args, named, (), reduce, devices)
        return values

    def map_value_and_grad(
        self,
        /,
        *args: Any,
        wrt: Iterable[str] | str | None = None,
        reduce: str = "mean",
        devices: Any = None,
        **named: Any,
    ) -> tuple[Any, dict[str, Any]]:
        """Return the sum or mean of the results, and its gradients by arguments that are shared.

        With `devices`, a list of JAX's devices, the scenarios are spread over them, and one
        reduction at the end adds up what each has. Of several processes, each gives its own rows.
        """
        if reduce not in ("sum", "mean"):
            raise OperandError(f"reduce is 'sum' or 'mean', not {reduce!r}")
        names = (wrt,) if isinstance(wrt, str) else None if wrt is None else tuple(wrt)
        return self._mapped(args, named, names, reduce, devices)

    # ── Arguments and results ────────────────────────────────────────────────────────────────

    def _bound(self, args: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        names = self._recording.arguments
        if len(args) > len(names) or {*named} - {*names[len(args) :]}:
            raise OperandError(f"{self.name} on JAX takes {', '.join(names)}")
        given = {**dict(zip(names, args, strict=False)), **named}
        missing = [name for name in names if name not in given and name not in self._statics]
        if missing:
            raise OperandError(f"{self.name} on JAX needs {', '.join(missing)}, too")
        return [given.get(name) for name in names]

    def _numbers(self, values: Sequence[Any], rows: bool = False) -> list[Any]:
        """Return what is in the arguments, in the order of the slots."""
        found: list[Any] = []
        for name, spec, value in zip(
            self._recording.arguments, self._recording.specs, values, strict=True
        ):
            _leaves(value, spec, name, found, rows)
        return found

    def _parameters(self) -> list[float]:
        return [value.data for value in self._recording.parameters]

    def _rebuilt(self, numbers: list[Any]) -> Any:
        spec = self._recording.result
        return numbers[0] if spec == "n" else _built(spec, st.Numbers(numbers))

    # ── Scenarios ────────────────────────────────────────────────────────────────────────────

    def _mapped(
        self, args: Any, named: Any, wrt: tuple[str, ...] | None, reduce: str | None, devices: Any
    ) -> tuple[Any, dict[str, Any]]:
        jax, jnp = jax_modules()
        values = self._bound(args, named)
        leaves = [*self._numbers(values, rows=True), *self._parameters()]
        sizes = [_width(leaf) for leaf in leaves]
        is_row = [isinstance(leaf, _Row) for leaf in leaves]
        counts = {len(leaf.array) for leaf in leaves if isinstance(leaf, _Row)}
        if len(counts) != 1:
            raise OperandError(
                f"{self.name} on JAX: a map needs arrays with one row per scenario, all of one "
                f"length; these have {sorted(counts) or 'none'}"
            )
        varies = [flag for flag, size in zip(is_row, sizes, strict=True) for _ in range(size)]
        spans = self._recording.spans
        if wrt is None:
            wrt = tuple([n for n, (_, a, b) in spans.items() if b > a and not any(varies[a:b])])
        slots = self._recording.slots_of(wrt)
        shared = [jnp.ravel(jnp.asarray(x, self.dtype)) for x in leaves if not isinstance(x, _Row)]
        row = jnp.concatenate(shared) if shared else jnp.zeros(0, self.dtype)
        across = [leaf.array for leaf in leaves if isinstance(leaf, _Row)]
        if devices is not None:
            row, across = self._spread(row, across, devices)
        key = (tuple(varies), tuple(slots), reduce, tuple([x.ndim for x in across]))
        if key not in self._made:
            self._made[key] = jax.jit(self._over(varies, slots, reduce))
        values_, sums = self._made[key](row, across)
        count = across[0].shape[0]
        share = 1.0 / count if reduce == "mean" else 1.0
        if reduce is not None:
            values_ = [share * x for x in values_]
        numbers = st.Numbers([share * x for x in sums] if sums is not None else [])
        grads = {name: _built(spans[name][0], numbers) for name in wrt}
        return self._rebuilt(list(values_)), grads

    def _spread(self, row: Any, across: list[Any], devices: Any) -> tuple[Any, list[Any]]:
        """Put the scenarios on the devices, in equal shares, and what is shared on each."""
        jax, _ = jax_modules()
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        mesh = Mesh(np.array(list(devices)), ("scenarios",))
        split, same = (NamedSharding(mesh, PartitionSpec(*by)) for by in (("scenarios",), ()))
        here = sum([device.process_index == jax.process_index() for device in mesh.devices.flat])
        if not here:
            raise OperandError("none of the devices belongs to this process")
        if across[0].shape[0] % here:
            raise OperandError(
                f"{across[0].shape[0]:,} scenarios do not divide into {here} equal shares, one per "
                "device of this process"
            )
        put = jax.make_array_from_process_local_data
        return put(same, np.asarray(row)), [put(split, np.asarray(x)) for x in across]

    def _over(self, varies: list[bool], slots: list[int], how: str | None) -> Callable[..., Any]:
        """Return the function of shared numbers and rows that `jit` compiles."""
        jax, jnp = jax_modules()
        place: list[int] = []
        count = [0, 0]
        for each in varies:
            place.append(count[each])
            count[each] += 1

        at_wanted = jnp.asarray([place[slot] for slot in slots], int)

        def forward(wanted: Any, row: Any, rows: Any) -> tuple[Any, Any]:
            whole = row.at[at_wanted].set(wanted)
            width = rows.shape[1]

            def get(asked: Sequence[int]) -> Any:
                at = [place[slot] for slot in asked]
                kinds = {varies[slot] for slot in asked}
                if len(kinds) == 1:
                    return rows[_steady(at)] if True in kinds else whole[jnp.asarray(at)]
                parts = [rows[p] if varies[s] else whole[p] for s, p in zip(asked, at, strict=True)]
                return jnp.stack(jnp.broadcast_arrays(*parts))

            outs = [
                jnp.broadcast_to(jnp.asarray(x, self.dtype), (width,))
                for x in self._lowering.run(get, (width,))
            ]
            return outs[0].sum(), outs

        def over(row: Any, across: list[Any]) -> tuple[Any, Any]:
            columns = [jnp.reshape(x.astype(self.dtype), (x.shape[0], -1)).T for x in across]
            rows = columns[0] if len(columns) == 1 else jnp.concatenate(columns)
            wanted = row[at_wanted]
            if not slots:
                outs, grads = forward(wanted, row, rows)[1], None
            elif (kernel := self._kernel(varies, slots)) is not None:
                out, by_lane = kernel(row, rows)
                outs, grads = [out], by_lane.sum(axis=1)
            else:
                (_, outs), grads = jax.value_and_grad(forward, has_aux=True)(wanted, row, rows)
            return ([x.sum() for x in outs] if how else outs), grads

        return over

    def _kernel(self, varies: list[bool], slots: list[int]) -> Kernel | None:
        jax, _ = jax_modules()
        if jax.default_backend() != "gpu" or not self._lowering.loops:
            return None
        try:
            return Kernel(self._lowering, varies, slots)
        except UnsupportedError:
            return None


class _Row:
    """An array with one row per scenario."""

    def __init__(self, array: Any) -> None:
        self.array = array


def _width(leaf: Any) -> int:
    _, jnp = jax_modules()
    if isinstance(leaf, _Row):
        size = 1
        for length in leaf.array.shape[1:]:
            size *= length
        return size
    return int(jnp.size(leaf))


def _steady(places: list[int]) -> Any:
    """Return the places as a slice where they are in step, which JAX reads without a table."""
    _, jnp = jax_modules()
    if len(places) == 1:
        return slice(places[0], places[0] + 1)
    stride = places[1] - places[0]
    if stride > 0 and places == [places[0] + k * stride for k in range(len(places))]:
        return slice(places[0], places[-1] + 1, stride)
    return jnp.asarray(places)


def _is_array(thing: Any) -> bool:
    return hasattr(thing, "shape") and hasattr(thing, "dtype") and len(thing.shape) > 0


def _leaves(thing: Any, spec: st.Spec, path: str, found: list[Any], rows: bool) -> None:
    """Add what holds the numbers of a structure, in the order of its slots."""
    if spec != "n" and spec[0] == "is":
        return
    if rows and _is_array(thing):
        found.append(_Row(thing))
        return
    if spec == "n" or _is_array(thing):
        found.append(thing)
        return
    if spec[0] == "array":
        found.append(jax_modules()[1].asarray(thing))
        return
    kind, parts = spec[0], spec[-1]
    try:
        if kind in ("list", "tuple"):
            inner = parts if not isinstance(parts, int) else ("n",) * parts
            if len(thing) != len(inner):
                raise OperandError(f"{path} has {len(thing)} parts, not {len(inner)}")
            for k, part in enumerate(inner):
                _leaves(thing[k], part, f"{path}[{k}]", found, rows)
            return
        for key, part in zip(spec[-2], parts, strict=True):
            one = thing[key] if kind == "dict" else getattr(thing, key)
            _leaves(one, part, f"{path}.{key}", found, rows)
    except (TypeError, KeyError, AttributeError):
        raise OperandError(f"{path} is not {st.describe(spec)}") from None


def _built(spec: st.Spec, numbers: st.Numbers) -> Any:
    """Return a structure of JAX's numbers."""
    _, jnp = jax_modules()
    if spec == "n":
        return numbers.take(1)[0]
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return parts
    if kind == "array":
        flat = jnp.stack(list(numbers.take(st.size(spec))))
        return jnp.reshape(flat, (*parts, *flat.shape[1:]))
    inner = ("n",) * parts if isinstance(parts, int) else parts
    made = [_built(part, numbers) for part in inner]
    if kind in ("dict", "fields"):
        return dict(zip(spec[-2], made, strict=True))
    return made if kind == "list" else tuple(made)
