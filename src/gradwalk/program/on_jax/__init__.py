"""Compiled functions on JAX: on its devices, and on several hosts.

    OnJax      what `f.to_jax()` returns: a pure JAX function, and its map over scenarios
    lowering   a recorded program as operations of JAX, its loops as loops
    packing    the same as a few operations on whole arrays: for models of many equal parts
    kernel     loops as one kernel of a GPU, with its gradient
    training   steps of an optimiser on JAX's devices

Nothing imports this before `to_jax` is called, so gradwalk needs no JAX.
"""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from gradwalk.errors import OperandError, ProgramError
from gradwalk.optim import Optimizer
from gradwalk.program import structure as st
from gradwalk.program import tree
from gradwalk.program.ir import Stage
from gradwalk.program.on_jax import lowering
from gradwalk.program.on_jax.devices import compiled, mesh_of, spread
from gradwalk.program.on_jax.kernel import Kernel, UnsupportedError
from gradwalk.program.on_jax.lowering import (
    Lowering,
    columns,
    jax_modules,
    places,
    reader,
    steady,
)
from gradwalk.program.on_jax.packing import Packed, planned
from gradwalk.program.on_jax.training import JaxTrainer
from gradwalk.program.recordings import Recording, need_optimizer, need_shared

__all__ = ["OnJax"]

_WORTH = 4  # scalar operations that one array operation takes the place of, at least
_FEW = 64  # gradients that are returned one by one


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
        self.recording = recording
        self._statics = statics
        self._lowering = self.lowered(Stage.recorded(recording.program.masked()))
        self._made: dict[Any, Any] = {}

    def __repr__(self) -> str:
        count = len(self.recording.program)
        return f"<{self.name} on JAX, {count:,} instructions, {self._lowering}>"

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Return what the function returns, as JAX arrays."""
        _, jnp = jax_modules()
        row = self._joined([*self._numbers(self._bound(args, named)), *self._parameters()])
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

    def train(self, optimizer: Optimizer, *, devices: Any = None) -> JaxTrainer:
        """Return what trains captured Values on JAX: `step(…)` moves them by a batch of rows."""
        need_optimizer("train", optimizer)
        need_shared(self.name, self.recording, optimizer)
        return JaxTrainer(self, optimizer, devices)

    def lowered(self, stage: Stage) -> Lowering | Packed:
        """Return a program as operations of JAX: as loops, or packed into arrays if that is less.

        Too large a program is an error: JAX would compile it for minutes.
        """
        form: Lowering | Packed = Lowering(stage, self.dtype)
        plan = planned(stage)
        if len(plan[1]) * _WORTH <= form.size:
            form = Packed(stage, self.dtype, plan)
        if form.size > lowering.MOST:
            raise ProgramError(
                f"the program has {form.size:,} instructions of which no loop repeats any, and JAX "
                f"would take minutes to compile them; the limit is {lowering.MOST:,}. Use the "
                "replay on this machine, or a program with loops"
            )
        return form

    # ── Arguments and results ────────────────────────────────────────────────────────────────

    def _bound(self, args: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        names = self.recording.arguments
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
            self.recording.arguments, self.recording.specs, values, strict=True
        ):
            _leaves(value, spec, name, found, rows)
        return found

    def _parameters(self) -> list[float]:
        return [value.data for value in self.recording.parameters]

    def _rebuilt(self, numbers: list[Any]) -> Any:
        spec = self.recording.result
        return numbers[0] if spec == "n" else _built(spec, tree.Numbers(numbers))

    def split(
        self, args: tuple[Any, ...], named: dict[str, Any], parameters: bool = True
    ) -> tuple[Any, list[Any], list[bool]]:
        """Return what scenarios share, what they do not, and for each slot whether it varies."""
        leaves = self._numbers(self._bound(args, named), rows=True)
        leaves += self._parameters() if parameters else []
        across = [leaf.array for leaf in leaves if isinstance(leaf, _Row)]
        counts = {len(x) for x in across}
        if len(counts) != 1:
            raise OperandError(
                f"{self.name} on JAX: a map needs arrays with one row per scenario, all of one "
                f"length; these have {sorted(counts) or 'none'}"
            )
        varies = [isinstance(leaf, _Row) for leaf in leaves for _ in range(_width(leaf))]
        return self._joined([x for x in leaves if not isinstance(x, _Row)]), across, varies

    def _joined(self, leaves: Sequence[Any]) -> Any:
        """Return numbers and arrays as one row."""
        _, jnp = jax_modules()
        parts: list[Any] = []
        for plain, run in groupby(leaves, lambda x: isinstance(x, float | int)):
            together = [*run]
            parts += [np.asarray(together, self.dtype)] if plain else together
        rows = [jnp.ravel(jnp.asarray(part, self.dtype)) for part in parts]
        return jnp.concatenate(rows) if rows else np.zeros(0, self.dtype)

    # ── Scenarios ────────────────────────────────────────────────────────────────────────────

    def _mapped(
        self, args: Any, named: Any, wrt: tuple[str, ...] | None, reduce: str | None, devices: Any
    ) -> tuple[Any, dict[str, Any]]:
        row, across, varies = self.split(args, named)
        spans = self.recording.spans
        if wrt is None:
            wrt = tuple([n for n, (_, a, b) in spans.items() if b > a and not any(varies[a:b])])
        slots = self.recording.slots_of(wrt)
        (row,), across = spread([row], across, devices)
        count = across[0].shape[0]  # on several devices and processes, of all together
        share = 1.0 / count if reduce == "mean" else 1.0
        over = None if devices is None else tuple(mesh_of(devices).devices.flat)
        key = (tuple(varies), tuple(slots), reduce, over, share)
        if key not in self._made:
            function = self._over(varies, slots, reduce, share)
            self._made[key] = compiled(function, devices, rows=reduce is None)
        values_, sums = self._made[key](row, across)
        numbers = tree.Numbers(sums)
        grads = {name: _built(spans[name][0], numbers) for name in wrt}
        return self._rebuilt(list(values_)), grads

    def _over(
        self, varies: list[bool], slots: list[int], how: str | None, share: float
    ) -> Callable[..., Any]:
        """Return the function of shared numbers and rows for `devices.compiled`.

        Sums are multiplied by `share`. A few come one by one: to take an array apart later, one
        operation of JAX's for each, would cost a GPU more than the sums themselves.
        """
        jax, jnp = jax_modules()
        place = places(varies)
        wanted_at = steady([place[slot] for slot in slots])

        def forward(wanted: Any, row: Any, rows: Any) -> tuple[Any, Any]:
            given = row.at[wanted_at].set(wanted) if slots else row
            run = self._lowering.run_for_gradient if slots else self._lowering.run
            width = rows.shape[1]
            outs = [
                jnp.broadcast_to(jnp.asarray(x, self.dtype), (width,))
                for x in run(reader(varies, place, given, rows), (width,))
            ]
            return outs[0].sum(), outs

        def over(total: Any, row: Any, across: list[Any]) -> tuple[Any, Any]:
            rows = columns(across, self.dtype)
            wanted = row[wanted_at]
            if not slots:
                outs, grads = forward(wanted, row, rows)[1], []
            elif (kernel := self._kernel(varies, slots)) is not None:
                out, by_lane = kernel(row, rows.T)
                outs, grads = [out], by_lane.sum(axis=1)
            else:
                (_, outs), grads = jax.value_and_grad(forward, has_aux=True)(wanted, row, rows)
            grads = share * total(grads) if slots else []
            grads = [*grads] if len(slots) <= _FEW else grads
            return ([share * total(x.sum()) for x in outs] if how else outs), grads

        return over

    def _kernel(self, varies: list[bool], slots: list[int]) -> Kernel | None:
        jax, _ = jax_modules()
        form = self._lowering
        if jax.default_backend() != "gpu" or isinstance(form, Packed) or not form.loops:
            return None
        try:
            return Kernel(form, varies, slots)
        except UnsupportedError:
            return None


class _Row:
    """An array with one row per scenario."""

    def __init__(self, array: Any) -> None:
        self.array = array


def _width(leaf: Any) -> int:
    shape = leaf.array.shape[1:] if isinstance(leaf, _Row) else getattr(leaf, "shape", ())
    return math.prod(shape)


def _is_array(thing: Any) -> bool:
    return hasattr(thing, "shape") and hasattr(thing, "dtype") and len(thing.shape) > 0


def _leaves(thing: Any, spec: tree.Spec, path: str, found: list[Any], rows: bool) -> None:
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
    kind, parts = spec[0], list(tree.parts_of(spec))
    try:
        if kind in ("list", "tuple") and len(thing) != len(parts):
            raise OperandError(f"{path} has {len(thing)} parts, not {len(parts)}")
        for key, part in parts:
            one = tree.part(thing, kind, key)
            _leaves(one, part, path + tree.path_of(kind, key), found, rows)
    except (TypeError, KeyError, AttributeError):
        raise OperandError(f"{path} is not {st.describe(spec)}") from None


def _built(spec: tree.Spec, numbers: tree.Numbers) -> Any:
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
    made = [_built(part, numbers) for _, part in tree.parts_of(spec)]
    return tree.closed(spec, made, as_dict=True)
