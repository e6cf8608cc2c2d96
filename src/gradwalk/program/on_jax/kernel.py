"""A program over many scenarios as one kernel of a GPU, with its gradient.

Each block of scenarios keeps only the carried values of a loop, and computes the rest again for the
gradient. The kernel is written with Pallas. The body of a loop is differentiated by JAX while the
kernel is being made, so that there is one form of each operation, that of `lowering`.
"""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from gradwalk.program.loops import Loop
from gradwalk.program.on_jax.lowering import Body, Lowering, jax_modules, places

__all__ = ["Kernel", "UnsupportedError"]

BLOCK, WARPS = 128, 4  # scenarios abreast in a block of threads, and its warps


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
        self.place = places(varies)
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
        """Return the result of each scenario, and its gradients. `rows` has a row per scenario.

        Read so, the numbers of a row lie in lines of memory that the next iterations read again. To
        turn the array first, so that scenarios lie beside each other, takes longer than it saves.
        """
        _, jnp = jax_modules()
        count = rows.shape[0]
        whole = count // BLOCK * BLOCK
        parts = [self._blocks(shared, rows, whole // BLOCK, interpret)] if whole else []
        if whole < count:  # a last block, filled up
            rest = jnp.pad(rows[whole:], ((0, whole + BLOCK - count), (0, 0)), mode="edge")
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
            in_specs=[
                whole(shared),
                whole(tables),
                pl.BlockSpec((BLOCK, rows.shape[1]), lambda b: (b, 0)),
            ],
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
            return rows[:, place] if kind == "rows" else zero + arrays[kind][place]

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
