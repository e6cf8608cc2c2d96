"""Compiled functions on JAX: on its devices, and on several hosts.

    OnJax      what `f.to_jax()` returns: a pure JAX function, and its map over scenarios
    lowering   a recorded program as operations of JAX
    kernel     the same as one kernel of a GPU, with its gradient

Nothing imports this before `to_jax` is called, so gradwalk needs no JAX.
"""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from gradwalk.errors import OperandError, ProgramError
from gradwalk.program import structure as st
from gradwalk.program.ir import Stage
from gradwalk.program.on_jax.kernel import Kernel, UnsupportedError
from gradwalk.program.on_jax.lowering import Lowering, jax_modules

if TYPE_CHECKING:
    from gradwalk.program.recordings import Recording

__all__ = ["OnJax"]


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
