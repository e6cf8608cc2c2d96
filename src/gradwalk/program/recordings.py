"""The recordings of one compiled function: how arguments are read, and which program is theirs.

Recording    one path, for one structure of arguments: its replays, and errors with their line
Recordings   all of a function's, by structure; finds the right one, records it, drops the oldest

The paths of a structure are a tree. The first that was recorded is its root. Where a guard of a
path fails, the path's child at that guard goes on; if there is none, the function is recorded for
the numbers that led there.
"""

from __future__ import annotations

import copy
import inspect
import linecache
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import count
from time import perf_counter
from types import FunctionType
from typing import Any, NamedTuple

from gradwalk.engine import Value, modes
from gradwalk.errors import (
    AnomalyError,
    GradientDroppedWarning,
    LoopError,
    OperandError,
    ProgramError,
    RecordingError,
)
from gradwalk.optim import Optimizer
from gradwalk.program import backends, checking, interpreter, ir, tree
from gradwalk.program import structure as st
from gradwalk.program.ir import CODES, INPUT, PATH, RAISE, Guard, Place, Program
from gradwalk.program.options import Options
from gradwalk.program.outside import Arguments, Outside
from gradwalk.program.recording import How, Tape, package_of, recorded, run_once, without_our_frames
from gradwalk.program.recording.branches import EVERYTHING, FIRST_ROUNDS
from gradwalk.program.recording.recorder import python_of

__all__ = ["MOST", "MOST_PATHS", "OtherPathError", "Recording", "Recordings", "listed", "paths_of"]

KEPT = 1024  # calls of which `explain` knows the arguments, and scenarios of a map
MOST = 64  # recordings of one function; a large one has some 250 kB
MOST_PATHS = 64  # of one structure; what leads elsewhere is recorded each time
_MOST_NOTED = 32_768  # numbers among the arguments that are kept for `explain`
_clock = count()
_WHERE = CODES.index("where")
_COMPARING = frozenset([CODES.index(name) for name in ir.COMPARISONS])


class Places(NamedTuple):
    """Where each slot of each scenario is: in which buffer, at which byte, how far apart."""

    buffers: list[Any]
    where: Any
    offset: Any
    stride: Any
    scenarios: int


class TooFewRoundsError(Exception):
    """A loop was recorded with fewer rounds than these arguments need; it is recorded again."""

    def __init__(self, guard: Guard, where: str = "") -> None:
        super().__init__(guard.place)
        self.place = guard.place
        self.where = where


class OtherPathError(Exception):
    """Python goes another way for these numbers than this path: one of its guards says so."""

    def __init__(self, recording: Recording, guard: int) -> None:
        super().__init__(recording.program.guards[guard].place)
        self.recording = recording
        self.guard = guard


class Recording:
    """One program: what a structure of arguments (`specs`) was recorded as."""

    def __init__(
        self,
        arguments: Sequence[str],
        specs: tuple[tree.Spec, ...],
        program: Program | None,
        result: tree.Spec,
        parameters: list[Value],
        why: str,
        seconds: float,
        options: Options,
    ) -> None:
        self.arguments = tuple(arguments)
        self.specs = specs
        if program is not None:
            self.program = program
            self.guards, self.outputs = program.guards, len(program.outputs)
        self.result = result
        self.parameters = parameters
        self.why = why
        self.seconds = seconds
        self.options = options
        self.raises = False  # as Python does: an error is another path
        self.replays = 0
        self.used = 0  # when, for which of many is dropped first
        self.dropped = False
        self.on_jax: Any = None  # once a map has asked for JAX's devices
        self.spans: dict[str, tuple[tree.Spec, int, int]] = {}  # structure, first slot, end
        end = 0
        for name, spec in zip(arguments, specs, strict=True):
            begin, end = end, end + st.size(spec)
            self.spans[name] = (spec, begin, end)
        self.argument_slots = end
        self._plans: dict[Any, Any] = {}
        self.slots_read: dict[Any, list[int]] = {}  # by replays for early exits
        self._looked_at: set[Any] = set()  # keys of plans whose gradient was found to be 0
        self._noting: list[Any] = []  # replays that keep the arguments of single calls
        # The calls of recordings of the same arguments that had too few rounds.
        self.earlier_calls: tuple[int, bytes] = (0, b"")
        self.sample: tuple[int, Places] | None = None  # of a map: how many, and some scenarios
        # The tree of paths. `own` are the numbers that this one was recorded for: its guards are
        # believed there, should they differ by a rounding. The root has the rest.
        self.root = self
        self.children: dict[int, Recording] = {}  # by the guard that fails
        self.own = b""
        self.pinned = False  # it is right for its own numbers alone
        # Its tape and results, where it is made for one call and never replayed.
        self.once: Any = None
        self.only_floats = False  # it is no path for ints
        self.is_quiet: bool | None = None  # plain Python runs beside a call; None: not asked yet
        self.is_crowded = False  # more paths than are kept were met, and nothing of them was pinned
        self.writes = False  # into its arguments
        self.changes = False  # something that its caller sees
        self.escaped: RecordingError | None = None  # why it has no gradient
        self.latest = self
        self.paths = 1
        self.grows: tuple[Recording, int] | None = None  # where the next recording belongs

    def __repr__(self) -> str:
        given = zip(self.arguments, self.specs, strict=True)
        return f"<recording for {listed([f'{n} {st.describe(spec)}' for n, spec in given])}>"

    @cached_property
    def listed(self) -> dict[str, tuple[tree.Spec, int]]:
        """The arguments that are lists of numbers, which C reads and builds in one go.

        Each with its structure and its count of numbers. Without C there are none.
        """
        return {
            name: (spec, end - begin)
            for name, (spec, begin, end) in self.spans.items()
            if hasattr(backends.replay, "read") and spec != "n" and st.is_listed(spec)
        }

    @property
    def slot_names(self) -> list[str]:
        """A name for each slot: of arguments as in the signature, of parameters by their labels."""
        found = [n for name, (spec, _, _) in self.spans.items() for n in st.names(spec, name)]
        return found + [value.label or f"parameter {i}" for i, value in enumerate(self.parameters)]

    def replay(
        self,
        wrt: Iterable[int] = (),
        slots: int | None = None,
        slot_of: array[int] | None = None,
        output: int | None = None,
        by: Any = None,
        program: Program | None = None,
    ) -> Any:
        """Return a new replay that differentiates by these slots.

        With `slot_of` it has so many slots, those of the program at these places among them. With
        `output` it computes this one of several alone, with `program` that one in its place. `by`
        is its class, if not the back end's.
        """
        p = program or self.program
        outputs = p.outputs if output is None else p.outputs[output : output + 1]
        ends = p.ends(outputs)
        seeds = array("d", bytes(8 * len(ends)))
        seeds[0] = float(len(outputs) == 1)
        code: Any
        if p.rolled is not None and by is None and slots is None:
            code = (p.rolled, None, None, None)
        else:
            code = (p.codes, p.starts, p.args, p.numbers)
        return (by or backends.replay.Replay)(
            *code, ends, p.slots if slots is None else slots, array("i", wrt), seeds,
            self.options.float32, slot_of, self.options.fast, bool(p.guards),
        )  # fmt: skip

    def plan(
        self,
        key: Any,
        wrt: Callable[[], Iterable[int]],
        output: int | None = None,
        program: Callable[[], Program] | None = None,
    ) -> tuple[Any, int]:
        """Return the replay kept under `key`, made when first asked for, and its count of slots."""
        plan = self._plans.get(key)
        if plan is None:
            slots = tuple(wrt())
            made = self.replay(slots, output=output, program=program and program())
            plan = self._plans[key] = (made, len(slots))
        return plan

    def forward(self) -> Any:
        """Return the replay that differentiates by nothing."""
        return self.plan(None, tuple)[0]

    def made_replays(self) -> list[Any]:
        """Return the replays that were made so far, the last one last."""
        return [replay for replay, _ in self._plans.values()]

    def note_calls(self, replay: Any) -> None:
        """Let a replay keep the arguments of single calls, to count branches for `explain`."""
        most = min(KEPT, _MOST_NOTED // max(1, self.program.slots))
        if self.program.decisions and most and not any(replay is one for one in self._noting):
            replay.keep_calls(most)
            self._noting.append(replay)

    def calls(self) -> tuple[int, bytes]:
        """Return how many single calls there were, and the slots of the last of them."""
        every = [self.earlier_calls, *[replay.calls for replay in self._noting]]
        return sum([made for made, _ in every]), b"".join([rows for _, rows in every])

    def slots_of(self, names: Iterable[str]) -> list[int]:
        return [slot for name in names for slot in range(*self.spans[name][1:])]

    def segments(self, given: list[Any]) -> list[Any]:
        """Add the parameters' numbers of this moment to the arguments'."""
        if self.parameters:
            given.append(array("d", [value.data for value in self.parameters]))
        return given

    def warn_where_flat(self, name: str, key: Any, slots: Iterable[int]) -> None:
        """Warn, once, where a gradient is 0 everywhere though the result depends on these slots.

        A bisection by `where` is such a function: it asks how large a number is, and computes
        nothing with it.
        """
        if key in self._looked_at:
            return
        self._looked_at.add(key)
        program, names = self.program, self.slot_names
        if not program.uses(_COMPARING | {_WHERE}):
            return
        computed, decides = set(program.outputs), set(program.outputs)
        for i in range(len(program) - 1, -1, -1):
            if i not in decides:
                continue
            code, operands = program.codes[i], program.operands(i)
            decides.update(operands)
            if i in computed and code not in _COMPARING:
                computed.update(operands[1:] if code == _WHERE else operands)
        wanted = set(slots)
        inputs = [i for i in decides if program.codes[i] == INPUT]
        used = [i for i in inputs if int(program.numbers[i]) in wanted]
        if not used or any(i in computed for i in used):
            return
        found = sorted([int(program.numbers[i]) for i in used])
        shown = ", ".join([names[slot] for slot in found[:4]]) + (", …" if len(found) > 4 else "")
        modes.warn_user(
            f"the gradient of {name} by {shown} is 0 everywhere: the result depends on it only in "
            "conditions. Where a loop solves an equation f(x) = 0, take one step of Newton behind "
            "it, x - f(x) / slope, which has the gradient of the solution",
            GradientDroppedWarning,
        )

    # ── Errors of a replay ───────────────────────────────────────────────────────────────────

    def run(
        self,
        replay: Any,
        segments: Sequence[Any],
        grads: array[float] | None = None,
        outputs: int = 1,
        in_order: Callable[[], Sequence[Any]] | None = None,
        watches: bool = True,
    ) -> array[float]:
        """Run one scenario and return its outputs; raise where a guard fails.

        `in_order` returns the segments in the order of the recording's slots, if they are not. With
        `watches`, `detect_anomaly` finds what is not finite.
        """
        guards = self.guards
        ends = array("d", bytes(8 * (outputs + bool(guards))))
        if grads is None:
            replay.value(segments, ends)
        else:
            replay.value_and_grad(segments, ends, grads)
        if guards and (verdict := int(ends.pop())):
            self.fail(verdict - 1, in_order() if in_order else segments)
        if watches and modes.active and modes.current() & modes.ANOMALY:
            found = [*ends, *(() if grads is None else grads)]
            given = in_order() if in_order else segments
            self.watch(given, gradient=grads is not None, results=found)
        return ends

    def fail(self, number: int, segments: Sequence[Any], scenario: int | None = None) -> None:
        """Raise what a failed guard says; where Python goes another way, OtherPathError."""
        guard = self.program.guards[number]
        if self.is_path(guard):
            if not self.is_own(segments):
                raise OtherPathError(self, number)
            return
        if guard.act != RAISE:
            raise TooFewRoundsError(guard, "" if scenario is None else f"scenario {scenario}: ")
        error = self._error_of(guard, segments)
        if error is None:
            return
        if scenario is not None:
            error.add_note(f"scenario {scenario}")
        raise error

    def _error_of(self, guard: Guard, segments: Sequence[Any]) -> Exception | None:
        """Return the exception that a guard stands for; None if Python raises none here."""
        place, error = guard.place, None
        if self.program.raising and guard.kind is ArithmeticError:  # there is no function to ask
            found = self._raised(segments)
            if found is None:
                return None
            i, error = found
            place = self.program.places[i] or place
        said = guard.said or linecache.getline(*place).strip()
        if guard.about >= 0:
            number = self._values(segments)[guard.about]
            said = f"{said.replace('{}', repr(number))}, recorded at {place[0]}:{place[1]}"
        try:
            error = error or guard.kind(said)
        except Exception:  # a class that wants other arguments
            error = RuntimeError(f"{guard.kind.__name__}: {said}")
        if isinstance(error, Exception) and guard.about < 0:
            error.add_note(f"in a replay, by {place[0]}:{place[1]}")
        return error

    def _raised(self, segments: Sequence[Any]) -> tuple[int, Exception] | None:
        """Return the first instruction that raises on floats, and what it raises."""
        program, values = self.program, self._values(segments)
        for i, condition in program.raising:
            if values[condition]:
                operands = [values[id_] for id_ in program.operands(i)]
                try:
                    python_of(CODES[program.codes[i]])(*operands)
                except (ArithmeticError, ValueError) as error:
                    return i, error.with_traceback(None)
        return None

    def _values(self, segments: Sequence[Any]) -> list[float]:
        """Return the number of each instruction."""
        values: list[float] = []

        def saw(*seen: Any) -> None:
            values.append(seen[1][-1])

        self.replay(by=interpreter.Replay).run(segments, False, saw, saw)
        return values

    def is_path(self, guard: Guard) -> bool:
        """Say whether Python goes another way where a guard fails."""
        return guard.act == PATH or (self.raises and guard.act == RAISE)

    def put_below(self, guard: int, path: Recording) -> None:
        """Put a path into the tree, where a guard of this one fails."""
        self.children[guard] = path
        path.root = self.root
        self.root.paths += 1

    def is_own(self, segments: Sequence[Any]) -> bool:
        """Say whether these are the numbers that this path was recorded for."""
        numbers = interpreter._joined(segments, self.program.slots)
        return bytes(numbers) == self.own

    def watch(
        self, segments: Sequence[Any], *, gradient: bool, results: Iterable[float] = ()
    ) -> None:
        """Replay instruction by instruction; raise at the first nan or inf, with its line.

        `results` are what the replay itself gave. It may have a nan or an inf that does not come up
        here, where it adds in another order than the written one.
        """
        self._watch(segments, gradient)
        for number in results:
            if not math.isfinite(number):
                raise AnomalyError(
                    f"the replay gives {number}, and each operation by itself, in the written "
                    "order, gives a finite number: terms that cancel were added up in another "
                    "order, in a sum(), in the gradient or by compile(fast=True)",
                    "sum",
                )

    def beginning(self, outputs: array[int]) -> Program:
        """Return the program up to the last of some instructions."""
        p, end = self.program, max(outputs) + 1
        return Program(
            p.codes[:end],
            p.starts[: end + 1],
            p.args[: p.starts[end]],
            p.numbers[:end],
            outputs,
            p.slots,
        )

    def _watch(self, segments: Sequence[Any], gradient: bool) -> None:
        p = self.program

        def at(i: int) -> str:
            place = p.places[i]
            return f", recorded at {place[0]}:{place[1]}" if place else ""

        def saw_value(i: int, values: list[float]) -> None:
            code, value = p.codes[i], values[i]
            if math.isfinite(value):
                return
            name = CODES[code]
            if code == INPUT:
                raise AnomalyError(f"{self.slot_names[int(p.numbers[i])]} is {value}", name)
            numbers = [values[operand] for operand in p.operands(i)]
            shown = ", ".join(map(repr, numbers[:6])) + (", …" if len(numbers) > 6 else "")
            raise AnomalyError(f"{name}({shown}) is {value}{at(i)}", name, p.places[i])

        def saw_gradient(i: int, grad: float) -> None:
            if not math.isfinite(grad):
                name = CODES[p.codes[i]]
                said = f"backward through {name} gives an input the gradient {grad}{at(i)}"
                raise AnomalyError(said, name, p.places[i])

        self.replay(by=interpreter.Replay).run(segments, gradient, saw_value, saw_gradient)


class OneCall(Recording):
    """A call that ran as Python: it has its results and its tape, and is never replayed."""

    def __init__(
        self,
        store: Recordings,
        specs: tuple[tree.Spec, ...],
        result: tree.Spec,
        tape: Any,
        ids: list[int],
    ) -> None:
        parameters = list(tape.parameters)
        super().__init__(
            store.arguments, specs, None, result, parameters, "one call", 0.0, store.options
        )
        self.guards, self.outputs, self.pinned = (), len(ids), True
        self._tape, self._ids = tape, ids
        self._ends = array("d", [tape.number(i) for i in ids])

    @cached_property
    def program(self) -> Program:
        codes, starts, args, numbers, *_ = self._tape.arrays()
        slots = self.argument_slots + len(self.parameters)
        return Program(codes, starts, args, numbers, array("i", self._ids), slots)

    def plan(
        self,
        key: Any,
        wrt: Callable[[], Iterable[int]],
        output: int | None = None,
        program: Callable[[], Program] | None = None,
    ) -> tuple[Any, int]:
        if program is not None or key == "paths":
            return super().plan(key, wrt, output, program)
        slots, begin = array("i", wrt()), output or 0
        return _Replay(self._tape, self._ids[begin], self._ends[begin:], slots), len(slots)

    def note_calls(self, replay: Any) -> None:
        pass


class _Replay(NamedTuple):
    """What stands for the replay of one call."""

    tape: Any
    output: int
    ends: array[float]
    slots: array[int]

    def value(self, _: Any, ends: array[float]) -> None:
        ends[:] = self.ends[: len(ends)]

    def value_and_grad(self, _: Any, ends: array[float], grads: array[float]) -> None:
        ends[:] = self.ends[: len(ends)]
        self.tape.gradient(self.output, self.slots, grads)


Short = Callable[[tuple[Any, ...], dict[str, Any]], Any]  # see `Recordings.short_way`


class Recordings:
    """All programs of one function, by the structure of its arguments.

    `Compiled` is what a user holds. Its `store` is one of these: what `map`, `train` and `files`
    bind arguments by, read their numbers by and find recordings in.
    """

    def __init__(
        self,
        function: Callable[..., Any] | None,
        options: Options,
        signature: inspect.Signature | None = None,
        name: str | None = None,
    ) -> None:
        if function is not None and not callable(function):
            raise OperandError(f"compile takes a function, not {type(function).__name__}")
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__)
        if function is None:
            self.signature = signature or inspect.Signature()
        else:
            try:
                self.signature = inspect.signature(function)
            except ValueError:
                raise OperandError(
                    f"compile cannot tell which arguments {self.name} takes; "
                    f"write a function that calls it: lambda x, y: {self.name}(x, y)"
                ) from None
        parameters = self.signature.parameters.values()
        self.arguments = tuple(self.signature.parameters)
        variadic = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
        only_named = inspect.Parameter.KEYWORD_ONLY
        plain = not any(p.kind in variadic or p.kind == only_named for p in parameters)
        self.count = len(self.arguments) if plain else -1
        # How many arguments may be positional; -1 if some may not be passed by name.
        odd = {inspect.Parameter.POSITIONAL_ONLY, *variadic}
        placed = [p.name for p in parameters if p.kind != only_named]
        self._by_place = -1 if any(p.kind in odd for p in parameters) else len(placed)
        self._defaults = _defaults_of(self.signature)
        for name_ in options.static:
            if name_ not in self.arguments:
                raise OperandError(
                    f"static names {name_!r}, and {self.name} takes {listed(self.arguments)}"
                )
        self.places = tuple([(name, name in options.static) for name in self.arguments])
        self.options = options
        self._rounds: dict[Place, int] = {}  # of loops whose end is merged
        self._unmerged: set[Place] = set()  # what cannot be merged, though its source looks so
        self._calls: dict[tuple[tree.Spec, ...], tuple[int, bytes]] = {}  # until recorded again
        self.by_specs: dict[tuple[tree.Spec, ...], Recording] = {}
        self._warned: set[Place] = set()
        self.outside: Outside | None = None  # as it was when they were recorded
        self.dropped = 0  # recordings that were made and are kept no more
        self.last: Recording | None = None

    def add(self, recording: Recording) -> None:
        """Keep a recording, as the one used last."""
        self.by_specs[recording.specs] = recording
        self.last = recording
        self.touch(recording)

    def __len__(self) -> int:
        return len(self.by_specs)

    def is_current(self) -> bool:
        """Say whether what the function reads from outside is as it was recorded."""
        return self.outside is None or self.outside.is_same()

    def short_way(self, recording: Recording, call: Any, one: Any, other: Any) -> Short:
        """Return what does a call on arguments of a known structure as one call into C.

        It returns NotImplemented where the long way has to look. `call` takes the structures, the
        arguments and two things more.
        """
        specs, count, active = recording.specs, self.count, modes.active

        def run(args: tuple[Any, ...], named: dict[str, Any]) -> Any:
            outside = self.outside
            if active or recording.dropped or not (outside is None or outside.is_same()):
                return NotImplemented
            if named or len(args) != count:
                args = self.bind(args, named)
            result = call(specs, args, one, other)
            if result is not NotImplemented:
                recording.replays += 1
                self.last = recording
            return result

        return run

    def parameters(self) -> list[Value]:
        """Return the Values that recordings captured, each once."""
        every = [value for recording in self.every() for value in recording.parameters]
        return list({id(value): value for value in every}.values())

    def every(self) -> list[Recording]:
        """Return all recordings, each root before the paths below it."""
        return [path for root in self.by_specs.values() for path in paths_of(root)]

    def used_last(self) -> Recording:
        if self.last is None:
            raise ProgramError(f"{self.name} has no recording yet: call it, or its record(…)")
        return self.last

    def find(
        self,
        specs: tuple[tree.Spec, ...],
        values: Sequence[Any],
        numbers: Callable[[], array[float]] | None = None,
    ) -> Recording:
        """Return the path for arguments of this structure: the last one, or a new one."""
        try:
            root = self.by_specs.get(specs)
        except TypeError:
            raise OperandError(f"{self.name}(): the keys of a dict must be hashable") from None
        if root is None:
            recording = self._record(specs, values, numbers=numbers and numbers())
        elif root.is_crowded and numbers is None and not modes.active:  # which may want lines
            recording = self._run_once(root, values)
            recording = recording or self._record(specs, values, keeps=False)
        elif root.grows is not None:
            (above, guard), root.grows = root.grows, None
            recording = self.grow(above, guard, values, numbers and numbers())
        else:
            recording = root.latest
            is_another = recording.only_floats and not all(map(checking.is_of_floats, values))
            if numbers is None and (recording.writes or is_another):
                recording = self._record(specs, values, keeps=False)
        self.last = recording
        self.touch(recording)
        return recording

    def _forget(self) -> None:
        """Forget all recordings: the constants in them are others now."""
        self.outside = None
        if isinstance(self.function, FunctionType):
            self.signature = inspect.signature(self.function)
            self._defaults = _defaults_of(self.signature)
        for specs, root in self.by_specs.items():
            for one in paths_of(root):
                one.dropped = True
            self._calls[specs] = root.calls()
        self.by_specs.clear()

    def grow(
        self,
        above: Recording,
        guard: int,
        values: Sequence[Any],
        numbers: array[float] | None = None,
    ) -> Recording:
        """Return the path for these arguments, at which a guard of the one above fails."""
        root = above.root
        keeps = root.paths < MOST_PATHS
        recording = self._record(root.specs, values, keeps=False, numbers=numbers)
        if not keeps:
            recording.dropped = True  # nothing may keep it for later calls
            root.is_crowded = not (recording.pinned or self.options.float32)
            self._warn_of_paths(above.program.guards[guard].place)
        elif not recording.pinned:
            above.put_below(guard, recording)
            root.latest = recording
            place = above.program.guards[guard].place
            recording.why = f"another path at {place[0].rpartition('/')[2]}:{place[1]}"
        return recording

    def _warn_of_plain_runs(self, refused: RecordingError) -> None:
        place = refused.line or ("", 0)
        if place not in self._warned:
            self._warned.add(place)
            modes.warn_user(
                f"{refused}. Calls of {self.name} that get here run as plain Python, and have no "
                "gradient",
                RuntimeWarning,
            )

    def _warn_of_hidden(self, thing: Any) -> None:
        place = (type(thing).__qualname__, 0)
        if place not in self._warned:
            self._warned.add(place)
            modes.warn_user(
                f"{self.name} uses {type(thing).__name__}: {thing!r:.60}, and gradwalk cannot see "
                "whether that changes, so that each call is recorded, which is as slow as Python. "
                "Read what you need of it before, and pass it as an argument",
                RuntimeWarning,
            )

    def _warn_of_paths(self, place: Place) -> None:
        if place in self._warned:
            return
        self._warned.add(place)
        modes.warn_user(
            f"{place[0]}:{place[1]}: {self.name} takes more than {MOST_PATHS} paths: calls that "
            "take another run as Python, gradient included. Choose numbers by gradwalk.where or "
            "gradwalk.take, or give what only chooses as compile(static=…)",
            RuntimeWarning,
        )

    def follow(self, other: OtherPathError, *, first: bool) -> None:
        """Make the path that these numbers take the latest, or have it recorded next.

        The last path is tried first, and then the tree from its root.
        """
        root = other.recording.root
        if first and other.recording is not root:
            root.latest = root
        elif (child := other.recording.children.get(other.guard)) is not None:
            root.latest = child
        elif self.function is None:
            file, line = other.recording.program.guards[other.guard].place
            raise ProgramError(
                f"{file}:{line}: {self.name} was loaded from a file, and these arguments take a "
                "path here that was not recorded; call the function with such arguments before "
                "you save it"
            )
        else:
            root.grows = (other.recording, other.guard)

    def prepare(
        self,
        args: tuple[Any, ...],
        named: dict[str, Any],
        given: list[tuple[int, Value]] | None = None,
    ) -> tuple[Recording, list[Any], tuple[Any, ...]]:
        """Return the recording for these arguments, its slots as buffers, and the arguments."""
        values = self.bind(args, named)
        specs, segments = self.read(values, given)
        recording = self.find(specs, values)
        recording.replays += 1
        segments = recording.segments(segments)
        if recording.changes:  # it was made now, and may have changed the arguments
            segments = [array("d", recording.own)]
        return recording, segments, values

    def _replaced(
        self, values: Sequence[Any], specs: tuple[tree.Spec, ...], new: Callable[[], Any]
    ) -> list[Any]:
        """Return the arguments with a new thing in place of each number."""
        return [st.trace(value, spec, new) for value, spec in zip(values, specs, strict=True)]

    def _bound(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return one value for each argument as the function takes them: by place, by name."""
        if self.count == len(values):
            return list(values), {}
        given: Any = dict(zip(self.arguments, values, strict=True))
        bound = inspect.BoundArguments(self.signature, given)
        return list(bound.args), dict(bound.kwargs)

    def bind(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """Return one value for each argument, defaults filled in."""
        if not self.is_current():
            self._forget()
        if not named and len(args) == self.count:
            return args
        if len(args) <= self._by_place:
            rest = self.arguments[len(args) :]
            try:
                if len(named) == len(rest):
                    return (*args, *[named[name] for name in rest])
                if named.keys() <= set(rest):
                    given = {**self._defaults, **named}
                    return (*args, *[given[name] for name in rest])
            except KeyError:
                pass  # what is wrong with them, the signature knows
        try:
            bound = self.signature.bind(*args, **named)
        except TypeError as error:
            raise OperandError(f"{self.name}(): {error}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def read(
        self, values: tuple[Any, ...], given: list[tuple[int, Value]] | None = None
    ) -> tuple[tuple[tree.Spec, ...], list[Any]]:
        """Return the structures of the arguments, and their numbers as a row of buffers.

        The Values among them are added to `given`, each with its slot.
        """
        if len(values) == 1 and type(values[0]) is list and not self.places[0][1]:
            # Tokens, a path: often all there is.
            numbers: list[Any] = values[0]  # pyright: ignore[reportUnknownVariableType]
            if st.PLAIN.issuperset(map(type, numbers)):
                try:
                    return (("list", len(numbers)),), [array("d", numbers)] if numbers else []
                except OverflowError:
                    pass
        reader = st.Reader()
        specs: list[tree.Spec] = []
        for value, (name, is_static) in zip(values, self.places):  # noqa: B905
            if is_static:
                specs.append(st.constant_spec(value, name))
            elif type(value) is float:
                reader.run.append(value)
                specs.append("n")
            else:
                specs.append(reader.read(value, name))
        if given is not None:
            given += reader.values
        return tuple(specs), reader.finish()

    def until_loops_end(
        self,
        work: Callable[[], Any],
        forget: Callable[[], Any] | None = None,
    ) -> Any:
        """Return what `work` returns.

        Where a loop has too few rounds for its numbers, it is recorded with more, and the work is
        done again; `forget`, if given, is called before that: it lets go of the old recording.
        """
        try:
            return self._until_loops_end(work, forget)
        except Exception as error:
            without_our_frames(error)
            raise

    def _until_loops_end(
        self,
        work: Callable[[], Any],
        forget: Callable[[], Any] | None,
    ) -> Any:
        first = True
        while True:
            try:
                return work()
            except (OtherPathError, TooFewRoundsError) as one:
                met = one  # an error raised below would have it as its context inside of `except`
            if isinstance(met, OtherPathError):
                self.follow(met, first=first)
                first = False
            else:
                self.give_more_rounds(met)
            if forget is not None:
                forget()

    def give_more_rounds(self, few: TooFewRoundsError) -> None:
        """Double the rounds of a loop, and forget the recordings that have too few."""
        if self.function is None:
            file, line = few.place
            raise ProgramError(
                f"{file}:{line}: {few.where}{self.name} was loaded from a file, and these "
                "arguments need more rounds of this loop than it was saved with; call the "
                "function with such arguments before you save it"
            )
        known = self._rounds.get(few.place, FIRST_ROUNDS)
        if known >= self.options.steps:
            file, line = few.place
            source = linecache.getline(file, line).strip()
            raise LoopError(
                f"{file}:{line}: {source}\n{few.where}the loop does not end within "
                f"{self.options.steps:,} rounds; give compile(steps=…) if it needs more"
            )
        self._rounds[few.place] = min(2 * known, self.options.steps)
        for specs, root in list(self.by_specs.items()):
            every = list(paths_of(root))
            if any(guard.place == few.place for one in every for guard in one.program.guards):
                self.by_specs.pop(specs, None)
                for one in every:
                    one.dropped = True
                self._calls[specs] = root.calls()

    def _record(
        self,
        specs: tuple[tree.Spec, ...],
        values: Sequence[Any],
        *,
        keeps: bool = True,
        numbers: array[float] | None = None,
    ) -> Recording:
        if self.function is None:
            [last, *_] = reversed(self.by_specs.values())
            raise ProgramError(
                f"{self.name} was loaded from a file and has no source to record this from: "
                f"{st.differences(last.specs, specs, self.arguments)}"
            )
        began = perf_counter()
        slots = sum(map(st.size, specs))

        stood_in: list[Arguments] = []
        outside = Outside(self.function)
        if outside.runs:
            self._unmerged.add(EVERYTHING)  # it may not be recorded twice

        def arguments(tape: Any) -> tuple[list[Any], dict[str, Any]]:
            slot = iter(range(slots))

            def new() -> Any:
                return tape.traced(tape.source(INPUT, next(slot)))

            return bound(self._replaced(values, specs, new))

        def bound(made: list[Any]) -> tuple[list[Any], dict[str, Any]]:
            stood_in[:] = [Arguments(values, made)]
            return self._bound(made)

        def plainly() -> tuple[list[Any], dict[str, Any]]:
            return bound(self.filled(values, specs, numbers or ()) if in_map else list(values))

        ids: list[int] = []
        in_map, raises = numbers is not None, self.options.errors == "python"
        try:
            if numbers is None:
                numbers = interpreter._joined(self.read(tuple(values))[1], slots)
            how = How(
                numbers, self._rounds, self.options.steps, self._unmerged, raises, outside,
                plainly, in_map or all(map(checking.is_of_floats, values)), None,
            )  # fmt: skip
            result, tape = recorded(self.function, arguments, how)
            if tape.may_be_compared():
                given = self.filled(values, specs, numbers) if in_map else values
                again = self._compared(result, tape, given, how, stood_in)
                if again is not None:
                    tape.close()
                    result, tape = recorded(self.function, arguments, again)
            if isinstance(tape.refused, RecordingError):
                self._warn_of_plain_runs(tape.refused)
        except Exception as error:  # the function's own: say what it was given
            if raises or (isinstance(error, RecordingError) and error.__cause__ is None):
                raise
            given = [f"{n} {st.describe(spec)}" for n, spec in zip(self.arguments, specs)]  # noqa: B905
            error.add_note(f"while {self.name} was recorded, with {listed(given)}")
            raise
        try:
            spec = st.written(result, tape, ids)
            if type(result) in (
                int,
                bool,
            ):  # alone: the result of the program, which has to have one
                spec = st.written(float(result), tape, ids)
            if not ids:
                raise ProgramError(
                    f"{self.name} returns no number: {result!r:.60}; return what it computes"
                )
            program = tape.program(ids)
            parameters = tape.parameters[: program.slots - tape.slots]  # no later ones
            pinned, escaped = tape.pinned is not None or tape.changes or outside.runs, tape.escaped
            if outside.hidden is not None:
                pinned = True
                if outside.hidden is not True:
                    self._warn_of_hidden(outside.hidden)
            if tape.changes:
                outside.put_numbers(tape.plain)
            writes = stood_in[0].changed()
            if writes and not in_map:
                stood_in[0].put_back(tape.plain)
        finally:
            tape.close()
        if self.by_specs:
            last = next(reversed(self.by_specs.values()))
            why = f"structure changed: {st.differences(last.specs, specs, self.arguments)}"
        else:
            why = "the first call"
        seconds = perf_counter() - began
        recording = Recording(
            self.arguments, specs, program, spec, parameters, why, seconds, self.options
        )  # fmt: skip
        held = array("d", [value.data for value in parameters])
        recording.own, recording.escaped = bytes(numbers) + bytes(held), escaped
        recording.pinned, recording.writes = pinned, writes
        recording.only_floats = tape.only_floats
        recording.changes = tape.changes or writes or outside.runs
        recording.earlier_calls = self._calls.pop(specs, (0, b""))
        if raises:
            if parameters:
                raise ProgramError(
                    f'{self.name} captures Values, which never raise, so that errors="python" has '
                    "no meaning; pass them as arguments"
                )
            recording.raises = True
        self.touch(recording)
        if keeps and not pinned:
            self.outside = outside
            self.by_specs[specs] = recording
            self._drop_oldest()
        return recording

    def _run_once(self, root: Recording, values: Sequence[Any]) -> Recording | None:
        """Run a call as Python on recorded values whose tape lives for it alone.

        None: it is no such call, as one that raises, or changes something that its caller sees.
        """
        function, outside, specs = self.function, self.outside, root.specs
        assert function is not None
        if outside is None or outside.large:
            return None
        slots = sum(map(st.size, specs))
        numbers = interpreter._joined(self.read(tuple(values))[1], slots)
        tape = Tape(slots, package_of(function))
        tape.begin(numbers, 1000 * self.options.steps)
        tape.floats = all(map(checking.is_of_floats, values))
        tape.steps = self.options.steps
        slot, ids = iter(range(slots)), list[int]()
        made = self._replaced(values, specs, lambda: tape.traced(tape.source(INPUT, next(slot))))
        is_flat = all(spec == "n" for spec in specs)
        stood_in = None if is_flat else Arguments(values, made)
        try:
            result = run_once(function, tape, self._bound(made), self.options.errors == "python")
            is_whole = type(result) in (int, bool)
            spec = st.written(float(result) if is_whole else result, tape, ids)
            changes = (stood_in is not None and stood_in.changed()) or not outside.is_untouched()
            if root.is_quiet is None:
                root.is_quiet = checking.is_quiet(function, values, unseen=True)
            found = [tape.number(i) for i in ids] if root.is_quiet else []
            if changes or not ids or not tape.is_free() or self._differs(values, found, outside):
                raise ProgramError
            return OneCall(self, specs, spec, tape, ids)
        except Exception:
            outside.restore()
            return None
        finally:
            tape.close()

    def _compared(
        self, result: Any, tape: Any, values: Sequence[Any], how: How, stood_in: list[Arguments]
    ) -> How | None:
        """Compare a recording with plain Python; return how to record again, if that is to be.

        Where the function changes something, the plain run is the one whose changes stay.
        """
        function, ids, outside = self.function, list[int](), how.outside
        assert function is not None
        changes = tape.changes or stood_in[0].changed()
        unseen = changes or tape.pinned is not None  # it is recorded each time, so make it short
        if tape.is_elsewhere() or not checking.is_quiet(function, values, unseen):
            return None
        try:
            st.written(float(result) if type(result) in (int, bool) else result, tape, ids)
        except RecordingError:  # told later
            return None
        found = [tape.number(i) for i in ids]
        if not changes:
            refused = self._differs(values, found, outside)
            return refused and how._replace(refused=refused)
        if not found or outside.runs or outside.hidden is not None:
            return None
        stood_in[0].restore()
        outside.restore()
        plain = checking.numbers_of(function, how.plain)
        refused = checking.difference(self.name, function, plain, found)
        if plain is not None and refused is None:
            return None
        stood_in[0].restore()
        outside.restore()
        return how._replace(refused=refused)

    def _differs(
        self, values: Sequence[Any], found: list[float], outside: Outside
    ) -> RecordingError | None:
        """Return why not, where plain Python gives other numbers than these."""
        assert self.function is not None
        if not found or outside.runs or outside.hidden is not None:
            return None
        plain = checking.numbers_of(self.function, lambda: copy.deepcopy(self._bound(values)))
        if not outside.is_untouched():
            outside.restore()
        return checking.difference(self.name, self.function, plain, found)

    def recorded(
        self, specs: tuple[tree.Spec, ...], values: Sequence[Any], numbers: array[float]
    ) -> Recording:
        """Return a recording for these arguments that is not kept."""
        return self._record(specs, values, keeps=False, numbers=numbers)

    def filled(
        self, example: Sequence[Any], specs: tuple[tree.Spec, ...], numbers: Sequence[float]
    ) -> list[Any]:
        """Return arguments like the example, with these numbers in them."""
        left = iter(numbers)
        return list(map(_as_floats, self._replaced(example, specs, lambda: next(left))))

    def touch(self, recording: Recording) -> None:
        """Say that a recording is used now, so that it is not the next to be dropped."""
        recording.used = next(_clock)

    def _drop_oldest(self) -> None:
        """Keep no more recordings than MOST: those used last."""
        if self.last is not None:
            self.touch(self.last)  # which the short way does not
        while len(self.by_specs) > MOST:
            kept = list(self.by_specs.items())
            specs, oldest = min(kept, key=lambda item: item[1].used)
            if self.by_specs.pop(specs, None) is None:
                continue  # another thread was faster
            if not self.dropped:
                modes.warn_user(
                    f"{self.name} has been recorded for more than {MOST} structures of arguments: "
                    "from now on the recording used longest ago is dropped for each new one. Give "
                    "lists of few lengths (pad them), and let static arguments vary where they "
                    "only choose (gradwalk.take, where, fori)",
                    RuntimeWarning,
                )
            self.dropped += 1
            oldest.dropped = True

    def names_of(self, recording: Recording, wrt: Iterable[str] | str | None) -> tuple[str, ...]:
        """Return the arguments that `wrt` names; all that hold numbers for None."""
        if wrt is None:
            return tuple([n for n, (spec, _, _) in recording.spans.items() if st.is_varying(spec)])
        try:
            names = (wrt,) if isinstance(wrt, str) else tuple(wrt)
        except TypeError:
            raise OperandError(
                f"wrt is a name or several, not {wrt!r:.60}; give an argument that is called wrt "
                "by its position"
            ) from None
        for name in names:
            if name not in recording.spans:
                near = get_close_matches(str(name), self.arguments, 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise OperandError(
                    f"wrt names {name!r}, and {self.name} takes {listed(self.arguments)}{hint}"
                )
            spec = recording.spans[name][0]
            if not st.is_varying(spec):
                raise OperandError(
                    f"wrt names {name!r}, which is {st.describe(spec)}: it holds no number to "
                    "differentiate by"
                )
        return names

    def need_one_number(self, recording: Recording) -> None:
        """Raise where a gradient is wanted of several numbers, or of one that left the graph."""
        if recording.escaped is not None:
            raise recording.escaped
        if recording.result != "n":
            raise ProgramError(
                f"a gradient needs a function that returns one number; {self.name} returns "
                f"{st.describe(recording.result)}: compile one that returns the number wanted"
            )


def need_optimizer(name: str, optimizer: Any) -> None:
    """Refuse what is no optimiser."""
    if not isinstance(optimizer, Optimizer):
        raise OperandError(f"{name} takes an optimiser, not {type(optimizer).__name__}")


def need_shared(name: str, recording: Recording, optimizer: Optimizer) -> None:
    """Refuse an optimiser that a program gives nothing to move: one of another model."""
    held = set(map(id, optimizer.parameters))
    if not any(id(value) in held for value in recording.parameters):
        raise ProgramError(
            f"{name} uses none of the optimiser's parameters, so no step would move any; "
            "make the optimiser of the Values that the function uses"
        )


def paths_of(root: Recording) -> Iterator[Recording]:
    """Yield all paths of a tree, each before those that leave it."""
    yield root
    for child in root.children.values():
        yield from paths_of(child)


def _defaults_of(signature: inspect.Signature) -> dict[str, Any]:
    every = signature.parameters.values()
    return {p.name: p.default for p in every if p.default is not inspect.Parameter.empty}


def _as_floats(thing: Any) -> Any:
    """Return an array of objects as one of floats."""
    is_boxed = getattr(getattr(thing, "dtype", None), "hasobject", False)
    return thing.astype(float) if is_boxed else thing


def listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no argument"
