"""`compiled.map`: one replay for each row of numpy arrays, over lanes and threads."""

from __future__ import annotations

import math
import operator
import os
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from gradwalk import ops
from gradwalk.engine import Value, modes
from gradwalk.errors import AnomalyError, OperandError, ProgramError
from gradwalk.program import backends, decisions, early, tree
from gradwalk.program import structure as st
from gradwalk.program.ir import Guard
from gradwalk.program.recordings import OtherPathError, Places, Recording, Recordings

if TYPE_CHECKING:
    from gradwalk.program.on_jax import OnJax

__all__ = ["Mapper", "total"]

_WORTH_A_THREAD = 4_000_000  # instructions × scenarios: some 0.7 ms; to start a thread takes 0.1


class Mapper:
    """A compiled function over scenarios: one replay per row of its array arguments.

    A numpy array has one row per scenario. A plain number or list is shared by all scenarios.
    """

    def __init__(self, store: Recordings) -> None:
        self.store = store
        self._examples: list[Any] = []  # arguments of the structure of one row

    def __repr__(self) -> str:
        store = self.store
        return f"<map of {store.name}({', '.join(store.arguments)}) over rows of arrays>"

    def __call__(
        self,
        /,
        *args: Any,
        reduce: str | None = None,
        threads: int | None = None,
        devices: Any = None,
        **named: Any,
    ) -> Any:
        """Return the results, in the structure of one result: arrays with one entry per scenario.

        With `reduce="sum"` or "mean", each array is one number: its sum or its mean. With
        `devices`, a count or a list of JAX's devices, the scenarios run there: see docs/scale.md.
        """
        if devices is not None:
            _known_reduction(reduce)
            return _plain(
                self._on_jax(args, named).map(*args, reduce=reduce, devices=devices, **named)
            )
        return self._call(args, named, reduce, threads)

    def _on_jax(self, args: tuple[Any, ...], named: dict[str, Any]) -> OnJax:
        """Return the function on JAX, made once for each recording."""
        from gradwalk.program.on_jax import OnJax

        store = self.store
        recording = self.placed(args, named)[1]
        if recording.on_jax is None:
            dtype = "float32" if store.options.float32 else "float64"
            recording.on_jax = OnJax(store.name, recording, dtype, store.options.static)
        return recording.on_jax

    def paths(self, /, *args: Any, **named: Any) -> str:
        """Return the tree of branches, and how many of these scenarios went which way."""
        return self.store.until_loops_end(lambda: self._paths(args, named))

    def _paths(self, args: tuple[Any, ...], named: dict[str, Any]) -> str:
        recording, buffers, (where, offset, stride), count, _ = self.prepare(args, named)
        if recording.program.guards and count:  # a loop may need more rounds
            self._results(args, named, None, 1)
            recording.replays -= count
        recording.replays -= count
        return decisions.of_scenarios(recording, Places(buffers, where, offset, stride, count))

    def _call(
        self, args: tuple[Any, ...], named: dict[str, Any], reduce: str | None, threads: int | None
    ) -> Any:
        return self.store.until_loops_end(lambda: self._results(args, named, reduce, threads))

    def _results(
        self, args: tuple[Any, ...], named: dict[str, Any], reduce: str | None, threads: int | None
    ) -> Any:
        np = _numpy()
        _known_reduction(reduce)
        recording, buffers, (where, offset, stride), count, _ = self.prepare(
            args, named, detaches=True
        )
        out = np.empty((count, len(recording.program.ends())))
        if count:
            places = Places(buffers, where, offset, stride, count)
            self.run_paths(recording, _forward_of, places, out, None, None, threads, ())
        out = _outputs(recording, out)
        if reduce is None:
            return _columns(recording.result, out, count)
        share = _share(reduce, count)
        numbers = array("d", [total(out[:, i]) * share for i in range(out.shape[1])])
        result = recording.result if reduce == "mean" else _times(recording.result, count)
        return tree.rebuild(result, numbers)

    def value_and_grad(
        self,
        /,
        *args: Any,
        wrt: Iterable[str] | str | None = None,
        reduce: str | None = None,
        threads: int | None = None,
        devices: Any = None,
        **named: Any,
    ) -> tuple[Any, dict[str, Any]]:
        """Return the values and a dict of gradients, one entry per scenario.

        With `reduce="sum"` or "mean" the value is one number, and you get its gradients by the
        shared arguments, each in the argument's shape. If no argument is shared, or `wrt` names
        others, their gradients have one entry per scenario. With `devices`, as for `map`, there
        are gradients of a sum or a mean only, by shared arguments.
        """
        if devices is not None:
            if reduce is None:
                raise OperandError('devices= needs reduce="sum" or reduce="mean" for gradients')
            on_jax = self._on_jax(args, named)
            return _plain(
                on_jax.map_value_and_grad(*args, wrt=wrt, reduce=reduce, devices=devices, **named)
            )
        return self._value_and_grad(args, named, wrt, reduce, threads)

    def _value_and_grad(
        self,
        args: tuple[Any, ...],
        named: dict[str, Any],
        wrt: Iterable[str] | str | None,
        reduce: str | None,
        threads: int | None,
    ) -> tuple[Any, dict[str, Any]]:
        how = (args, named, wrt, reduce, threads)
        return self.store.until_loops_end(lambda: self._gradients(*how))

    def _gradients(
        self,
        args: tuple[Any, ...],
        named: dict[str, Any],
        wrt: Iterable[str] | str | None,
        reduce: str | None,
        threads: int | None,
    ) -> tuple[Any, dict[str, Any]]:
        np = _numpy()
        _known_reduction(reduce)
        store = self.store
        recording, buffers, places, count, given = self.prepare(args, named)
        store.need_one_number(recording)
        where, offset, stride = places
        sources = np.frombuffer(where, np.intc)
        varies = {
            name: bool(sources[begin:end].any())  # 0 is what is shared
            for name, (_, begin, end) in recording.spans.items()
        }
        names = store.names_of(recording, wrt)
        if reduce and wrt is None:
            names = tuple([name for name in names if not varies[name]]) or names
        share = _share(reduce, count)
        width = sum([end - begin for _, begin, end in [recording.spans[name] for name in names]])
        out = np.empty((count, len(recording.program.ends())))
        rows_wanted = not reduce or any(varies[name] for name in names)
        rows = np.zeros((count, width)) if rows_wanted else None
        sums = np.zeros(width) if reduce else None
        if count:
            slots = recording.slots_of(names)

            def planned(path: Recording) -> tuple[Any, list[array[float]]]:
                store.need_one_number(path)
                return path.plan(names, lambda: slots)[0], _parameters_of(path)

            whole = Places(buffers, where, offset, stride, count)
            self.run_paths(recording, planned, whole, out, rows, sums, threads, slots)
            if not (rows.any() if rows is not None else sums is not None and sums.any()):
                recording.warn_where_flat(store.name, names, slots)
        value: Any = _outputs(recording, out)[:, 0]
        if reduce:
            value = total(value) * share
        grads: dict[str, Any] = {}
        at = 0
        for name in names:
            spec, begin, end = recording.spans[name]
            width = end - begin
            if reduce and not varies[name]:
                assert sums is not None
                numbers = sums[at : at + width] * share
                if name in recording.listed:
                    grads[name] = backends.replay.build(spec, numbers, st.as_array)
                else:
                    row = array("d", numbers.tobytes())
                    grads[name] = tree.rebuild(spec, row, given[name])
            else:
                assert rows is not None
                part = rows[:, at : at + width]
                grads[name] = _columns(spec, part * share if reduce else part, count)
            at += width
        return value, grads

    def run(
        self,
        recording: Recording,
        replay: Any,
        buffers: list[Any],
        where: array[int],
        offset: array[int],
        stride: array[int],
        count: int,
        out: Any,
        rows: Any,
        sums: Any,
        threads: int | None,
        slot_of: Sequence[int] | None = None,
        wrt: Sequence[int] | None = None,
        which: Any = None,
    ) -> None:
        """Run a replay; `slot_of` says where it has each slot of the recording, if elsewhere.

        `wrt` are the slots that it differentiates by; None: it has to run as a whole. `which` are
        the numbers of the scenarios, if they are some of all.
        """
        try:
            worth = 1 + count * len(recording.program) // _WORTH_A_THREAD
            cores = min(_cores(), worth) if threads is None else operator.index(threads)
        except TypeError:
            cores = 0
        if cores < 1 or isinstance(threads, bool):
            raise OperandError(f"threads is a positive count, not {threads!r}")

        def named(i: int) -> int:
            return i if which is None else int(which[i])

        def slots_of(i: int) -> array[float]:
            views = [memoryview(buffer).cast("B") for buffer in buffers]
            found = array("d")
            for w, o, s in zip(where, offset, stride, strict=True):
                found.frombytes(views[w][o + i * s : o + i * s + 8])
            return found if slot_of is None else array("d", [found[slot] for slot in slot_of])

        places = Places(buffers, where, offset, stride, count)
        if wrt is None or not early.run(recording, wrt, replay, places, out, rows, sums, cores):
            replay.map(*places, out, rows, sums, cores)
        large = count * len(recording.program) >= early.LEAST_WORK
        if (
            recording.program.decisions
            and slot_of is None
            and (large or not recording.sample)
            and count
        ):
            recording.sample = decisions.sampled(places)
        if recording.program.guards and out[:, -1].any():
            self._fail(recording, out[:, -1], slots_of, named)
        if modes.active and modes.current() & modes.ANOMALY:
            np = _numpy()
            bad = ~np.isfinite(out).all(axis=1)
            if rows is not None:
                bad |= ~np.isfinite(rows).all(axis=1)
            suspects: Iterable[int] = np.flatnonzero(bad)[:1].tolist()
            if sums is not None and not np.isfinite(sums).all():  # any one may have spoilt them
                suspects = range(_affordable(recording, count))
            for i in suspects:
                try:
                    backward = rows is not None or sums is not None
                    mine = [*out[i].tolist(), *(rows[i].tolist() if rows is not None else ())]
                    recording.watch([slots_of(i)], gradient=backward, results=mine)
                except AnomalyError as error:
                    raise AnomalyError(
                        f"scenario {named(i)}: {error}", error.op, error.line
                    ) from None

    def _fail(
        self,
        recording: Recording,
        verdicts: Any,
        slots_of: Callable[[int], array[float]],
        named: Callable[[int], int],
    ) -> None:
        """Raise what the first scenario's failed guard says, if it is not that of another path."""
        guards = recording.program.guards
        by_scenario = [
            (i, int(verdicts[i]) - 1)
            for i in verdicts.nonzero()[0].tolist()
            if not recording.is_path(guards[int(verdicts[i]) - 1])
        ]
        if not by_scenario:
            return
        for i, guard in by_scenario:
            recording.fail(guard, [slots_of(i)], named(i))

    def run_paths(
        self,
        recording: Recording,
        planned: Callable[[Recording], tuple[Any, list[array[float]]]],
        places: Places,
        out: Any,
        rows: Any,
        sums: Any,
        threads: int | None,
        wrt: Sequence[int] | None,
        slot_of: Sequence[int] | None = None,
    ) -> None:
        """Run each scenario on the path that it takes; record the paths that are missing.

        `planned` returns the replay of a path, and the numbers behind the arguments' slots.
        """
        np = _numpy()
        root = recording.root
        if root.paths == 1 and not root.pinned and not _has_paths(root):
            self.run(root, planned(root)[0], *places, out, rows, sums, threads, slot_of, wrt)
            return
        slots, width = root.argument_slots, len(root.program.outputs)
        arrays: list[Any] = [part[:slots] for part in places[1:4]]
        own = Places(places[0], arrays[0], arrays[1], arrays[2], places[4])
        total = None if sums is None else np.zeros_like(sums)
        every = np.arange(places.scenarios)
        # Paths, their scenarios, and the one that each was recorded for, if any: there its guards
        # are believed, should they differ by a rounding.
        pending: list[tuple[Recording, Any, int]] = [(root, every, -1)]
        if root.pinned:
            pending = [(root, every[:1], 0)]  # recorded for the first; effects come in order
            pending += [(self._recorded(None, 0, root.specs, own, i), every[i : i + 1], i)
                        for i in every[1:].tolist()]  # fmt: skip
        while pending:
            path, which, believed = pending.pop()
            if path.result != root.result:
                raise ProgramError(
                    f"{self.store.name}.map(): scenario {which[0]} gives "
                    f"{st.describe(path.result)}, and others give {st.describe(root.result)}: the "
                    "scenarios of a map have results of one structure"
                )
            found = np.empty((len(which), len(path.program.ends())))
            replay, extra = planned(path)
            forward = _behind(early.gathered(own, range(slots), which), extra)
            asked: Any = (path, replay, *forward, found, None, None, threads)
            self.run(*asked, which=which)
            left = np.zeros(len(which), bool)
            guards: Sequence[Guard] = path.program.guards
            verdicts = np.zeros(len(which), int)
            if guards:
                verdicts = found[:, -1].astype(int)
            for number, guard in enumerate(guards):
                group = (verdicts == number + 1) & (which != believed)
                if path.is_path(guard) and group.any():
                    left |= group
                    pending += self._beyond(path, number, own, which[group])
            mine = which[~left]
            out[mine, :width] = found[~left, :width]
            if len(mine) and (rows is not None or sums is not None):
                gathered = _behind(early.gathered(own, range(slots), mine), extra)
                values = np.empty((len(mine), len(path.program.ends())))
                my_rows = None if rows is None else np.zeros((len(mine), rows.shape[1]))
                my_sums = None if sums is None else np.zeros(len(sums))
                how: Any = (path, replay, *gathered, values, my_rows, my_sums, threads)
                self.run(*how, slot_of=slot_of, which=mine)
                if rows is not None:
                    rows[mine] = my_rows
                if total is not None and my_sums is not None:
                    total += my_sums
        if sums is not None:
            np.asarray(sums)[:] = total

    def _beyond(
        self, above: Recording, guard: int, own: Places, which: Any
    ) -> list[tuple[Recording, Any, int]]:
        """Return the paths on which scenarios go on that fail a guard of the one above."""
        found: list[tuple[Recording, Any, int]] = []
        while len(which):
            child = above.children.get(guard)
            if child is not None:
                return [*found, (child, which, -1)]
            first = int(which[0])
            made = self._recorded(above, guard, above.specs, own, first)
            if made.root is above.root:
                return [*found, (made, which, first)]
            found.append((made, which[:1], first))
            which = which[1:]
        return found

    def _recorded(
        self, above: Recording | None, guard: int, specs: Any, own: Places, scenario: int
    ) -> Recording:
        """Record the path of one scenario."""
        store = self.store
        views: list[Any] = [memoryview(buffer).cast("B") for buffer in own.buffers]
        numbers = array("d")
        for w, o, s in zip(own.where, own.offset, own.stride, strict=True):
            numbers.frombytes(views[w][o + scenario * s : o + scenario * s + 8])
        values = store.filled(self._examples, specs, numbers)
        try:
            if above is None:
                return store.recorded(specs, values, numbers)
            if store.function is None:
                store.follow(OtherPathError(above, guard), first=False)
            return store.grow(above, guard, values, numbers)
        except Exception as error:
            error.add_note(f"scenario {scenario}")
            raise

    def prepare(
        self, args: tuple[Any, ...], named: dict[str, Any], *, detaches: bool = False
    ) -> tuple[Recording, list[Any], tuple[array[int], ...], int, dict[str, Any]]:
        """Return the recording for one row, and where each slot of each scenario is to be found.

        Where no gradient comes back (`detaches`), a Value may not be among the arguments.
        """
        recording, rows, given = self.placed(args, named)[1:]
        if detaches and rows.value_at:
            raise OperandError(
                f"{self.store.name}.map(): {rows.value_at} is a Value, and the arrays that a "
                "map returns are no part of its graph; give its .data, or use map.value_and_grad"
            )
        assert rows.count is not None
        rows.share([value.data for value in recording.parameters])
        rows.buffers[0] = rows.run or array("d", [0.0])
        return recording, rows.buffers, (rows.where, rows.offset, rows.stride), rows.count, given

    def placed(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[tree.Spec, ...], Recording, _Rows, dict[str, Any]]:
        """Return the recording for one row, its key, and the arguments' places."""
        store = self.store
        values = store.bind(args, named)
        rows = _Rows(store.name)
        specs: list[tree.Spec] = []
        examples: list[Any] = []
        last = store.last
        listed = last.listed if last is not None else {}
        for value, (name, is_static) in zip(values, store.places, strict=True):
            if is_static:
                specs.append(st.constant_spec(value, name))
                examples.append(value)
            elif name in listed and rows.read_like(value, *listed[name]):
                specs.append(listed[name][0])
                examples.append(value)
            else:
                spec, example = rows.read(value, name)
                specs.append(spec)
                examples.append(example)
        if rows.count is None:
            raise OperandError(
                f"{store.name}.map() needs a numpy array among its arguments, with one row for "
                f"each scenario; plain numbers and lists are shared by all"
            )
        key = tuple(specs)
        self._examples = examples
        try:
            recording = store.find(key, examples, rows.first)
        except Exception as error:
            error.add_note("scenario 0")
            raise
        recording.replays += rows.count
        return key, recording, rows, dict(zip(store.arguments, values, strict=True))


class _Rows:
    """Reads the arguments of a map: arrays row by row, everything else as shared by all."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count: int | None = None
        self.counted = ""  # the array that said how many scenarios there are
        self.value_at = ""  # where there is a Value among them, if anywhere
        self.run = array("d")  # what is shared
        self.buffers: list[Any] = [None]  # the first is for that
        self.where, self.offset, self.stride = array("i"), array("q"), array("q")

    def share(self, numbers: Sequence[float]) -> None:
        begin, count = 8 * len(self.run), len(numbers)
        self.run.extend(array("d", numbers))
        self.where.frombytes(bytes(4 * count))
        if count < 50:
            self.offset.extend(range(begin, begin + 8 * count, 8))
        else:  # numpy is faster for many, but slow to start
            np = _numpy()
            offsets = np.arange(begin, begin + 8 * count, 8, dtype=np.int64)
            self.offset.frombytes(offsets.tobytes())
        self.stride.frombytes(bytes(8 * count))

    def first(self) -> array[float]:
        """Return the numbers of the first scenario; zeros if there is none."""
        if not self.count:
            return array("d", bytes(8 * len(self.where)))
        views = [memoryview(one).cast("B") for one in (self.run, *self.buffers[1:])]
        found = array("d")
        for w, o in zip(self.where, self.offset, strict=True):
            found.frombytes(views[w][o : o + 8])
        return found

    def read_like(self, thing: Any, spec: tree.Spec, count: int) -> bool:
        """Read what has the structure of the last call, in one go; say whether it has."""
        numbers = array("d", bytes(8 * count))
        if not backends.replay.read(spec, thing, numbers):
            return False
        self.share(numbers)
        return True

    def read(self, thing: Any, path: str) -> tuple[tree.Spec, Any]:
        """Return the structure that one scenario has, and an example of it."""
        if tree.is_array(thing):
            return self._array(thing, path)
        kind = cast(Any, type(thing))
        if kind in (list, tuple) and st.PLAIN.issuperset(map(type, thing)):
            with suppress(OverflowError):  # read one by one, so that the error names the number
                self.share(thing)
                return (kind.__name__, len(thing)), thing
        if kind is list and thing and set(map(type, thing)) == {list}:  # a matrix, in one go
            numbers: list[Any] = [*chain.from_iterable(thing)]
            if st.PLAIN.issuperset(map(type, numbers)):
                with suppress(OverflowError):
                    self.share(numbers)
                    return ("list", tuple([("list", len(row)) for row in thing])), thing
        found = None if isinstance(thing, Enum) else tree.opened(thing)
        if found is not None:
            head, parts = found
            pairs = [self.read(x, path + tree.path_of(head[0], key)) for key, x in parts]
            spec = st.shortened(head, [one for one, _ in pairs])
            if head[0] == "fields":
                return spec, thing
            return spec, tree.closed(spec, [example for _, example in pairs])
        reader = st.Reader()
        spec = reader.read(thing, path)
        self.value_at = path if reader.values else self.value_at
        for segment in reader.finish():
            self.share(memoryview(segment).cast("B").cast("d"))
        return spec, thing

    def _array(self, thing: Any, path: str) -> tuple[tree.Spec, Any]:
        np = _numpy()
        if thing.dtype == object:
            thing, is_value = _numbers_of(thing, path)
            self.value_at = path if is_value else self.value_at
        if thing.ndim == 0:
            number = float(st.as_doubles(thing, path))
            self.share([number])
            return "n", number
        if thing.dtype.kind not in "fiub":
            st.as_doubles(thing, path)
        st.refuse_masked(thing, path)
        if self.count is None:
            self.count, self.counted = thing.shape[0], f"{path} of shape {thing.shape}"
        elif thing.shape[0] != self.count:
            raise OperandError(
                f"{self.name}.map(): {path} of shape {thing.shape} has {thing.shape[0]} rows, "
                f"one per scenario, and {self.counted} has {self.count}; "
                "what all scenarios share is given as a list"
            )
        rows = np.asarray(thing if thing.flags.aligned else thing.copy(), dtype=np.float64)
        if not (rows.flags.c_contiguous or rows.flags.f_contiguous):
            rows = np.ascontiguousarray(rows)
        steps, inner = rows.strides, rows.shape[1:]
        if rows.shape[0] <= 1:  # strides of so few rows are anything
            steps = np.ascontiguousarray(rows).strides
            rows = np.ascontiguousarray(rows)
        self.buffers.append(rows if rows.flags.c_contiguous else rows.T)
        place = len(self.buffers) - 1
        count = math.prod(inner)
        offsets = np.zeros(inner, np.int64)
        for axis, (length, step) in enumerate(zip(inner, steps[1:], strict=True)):
            behind = (1,) * (len(inner) - axis - 1)
            offsets += (np.arange(length) * step).reshape(length, *behind)
        self.offset.frombytes(offsets.tobytes())
        self.where.extend(array("i", [place]) * count)
        self.stride.extend(array("q", [steps[0]]) * count)
        if not inner:
            return "n", 0.0
        return ("array", inner), np.zeros(inner)


def _forward_of(path: Recording) -> tuple[Any, list[array[float]]]:
    return path.forward(), _parameters_of(path)


def _parameters_of(path: Recording) -> list[array[float]]:
    return [array("d", [value.data for value in path.parameters])]


def _has_paths(recording: Recording) -> bool:
    return any(map(recording.is_path, recording.program.guards))


def _behind(places: tuple[Any, ...], extra: list[array[float]]) -> tuple[Any, ...]:
    """Return places with numbers behind them that all scenarios share."""
    np = _numpy()
    buffers, where, offset, stride, count = places
    for numbers in extra:
        more = len(numbers)
        where = np.append(where, np.full(more, len(buffers), np.int32))
        offset = np.append(offset, np.arange(more, dtype=np.int64) * 8)
        stride = np.append(stride, np.zeros(more, np.int64))
        buffers = [*buffers, numbers if more else array("d", [0.0])]
    return buffers, where.astype(np.int32), offset, stride, count


def _plain(thing: Any) -> Any:
    """Return a structure of JAX's arrays with numpy's and Python's numbers in their place."""
    from gradwalk.program.on_jax.lowering import jax_modules

    jax, jnp = jax_modules()

    def plain(x: Any) -> Any:
        return _numpy().asarray(x) if jnp.ndim(x) else float(x)

    return jax.tree.map(plain, thing)


def _numbers_of(thing: Any, path: str) -> tuple[Any, bool]:
    """Return an array of Python's numbers as one of doubles, and whether Values are among them."""
    np = _numpy()
    made = np.empty(thing.shape)
    has_values = False
    for place in np.ndindex(*thing.shape):
        entry = thing[place]
        has_values = has_values or isinstance(entry, Value)
        number = entry.data if isinstance(entry, Value) else ops.real(entry)
        if number is None:
            raise OperandError(
                f"{path}{list(place)} is a {type(entry).__name__}: the rows of a map hold numbers"
            )
        made[place] = number
    return made, has_values


def _outputs(recording: Recording, out: Any) -> Any:
    """Return the outputs of a map, without the verdicts behind them."""
    return _numpy().ascontiguousarray(out[:, :-1]) if recording.program.guards else out


def _columns(spec: tree.Spec, table: Any, count: int) -> Any:
    """Turn a table with one row per scenario into a structure of arrays, one entry per scenario.

    A dataclass becomes a dict: its own checks expect numbers, not arrays.
    """
    if spec == "n":
        return table[:, 0]
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return parts if type(parts) is not int else _numpy().full(count, parts)
    if kind == "array":
        return table.reshape((count, *parts))
    if isinstance(parts, int):
        return table
    made: list[Any] = []
    at = 0
    for _, part in tree.parts_of(spec):
        width = st.size(part)
        made.append(_columns(part, table[:, at : at + width], count))
        at += width
    return tree.closed(spec, made, as_dict=True)


def _times(spec: tree.Spec, count: int) -> tree.Spec:
    """Return the structure of a sum over scenarios: a whole number in it is counted in each."""
    if spec == "n" or spec[0] == "array" or (isinstance(spec[-1], int) and spec[0] != "is"):
        return spec
    if spec[0] == "is":
        return (*spec[:-1], spec[-1] * count) if type(spec[-1]) is int else spec
    return (*spec[:-1], tuple([_times(part, count) for part in spec[-1]]))


def _affordable(recording: Recording, count: int) -> int:
    """Return how many scenarios to search for the cause of an error."""
    return min(count, max(1, 20_000_000 // max(1, len(recording.program))))


def _known_reduction(reduce: str | None) -> None:
    if reduce not in (None, "sum", "mean"):
        raise OperandError(f"reduce is None, 'sum' or 'mean', not {reduce!r}")


def total(numbers: Any) -> float:
    """Return the sum of an array. Numbers follow IEEE, so nothing is said of inf - inf."""
    with _numpy().errstate(all="ignore"):
        return float(numbers.sum())


def _share(reduce: str | None, count: int) -> float:
    """Return the weight of one scenario in the result: 1, or 1/count for a mean."""
    if reduce != "mean":
        return 1.0
    if not count:
        raise OperandError("the mean over no scenarios has no value")
    return 1.0 / count


def _numpy() -> Any:
    try:
        import numpy
    except ModuleNotFoundError:
        raise OperandError(
            "map takes and returns numpy arrays, and numpy is not installed; "
            "without it, call the program once for each scenario"
        ) from None
    return numpy


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
