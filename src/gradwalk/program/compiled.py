"""What a user holds: a function that is recorded at its first call with arguments of one structure,
and replayed from then on.

    Compiled    the function: call it, value_and_grad, map, backward, step, train, explain, save
    Recording   one program of it, for one structure of arguments
    Mapper      `compiled.map`: one replay a row of numpy arrays
"""

from __future__ import annotations

import copy
import inspect
import math
import operator
import os
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial, update_wrapper
from itertools import chain
from time import perf_counter
from typing import Any, cast, overload

from gradwalk import ops
from gradwalk.engine import CONST as CONST_OP
from gradwalk.engine import Value, modes
from gradwalk.engine.choosing import beyond
from gradwalk.errors import AnomalyError, OperandError, ProgramError, RecordingError, TakeError
from gradwalk.expr import _COMPARISONS, Expression
from gradwalk.optim import Optimizer
from gradwalk.program import chosen, interpreter, ir, view
from gradwalk.program import structure as st
from gradwalk.program.ir import CODES, CONST, INPUT, Program
from gradwalk.program.record import recorded
from gradwalk.program.training import Trainer, need_optimizer, need_shared

__all__ = ["Compiled", "Mapper", "Recording", "compile", "expression_function", "record"]

_LE, _WHERE = CODES.index("le"), CODES.index("where")
_WORTH_A_THREAD = 4_000_000  # instructions × scenarios: some 0.7 ms; to start a thread takes 0.1


class Recording:
    """One program: what a structure of arguments (`specs`) was recorded as."""

    def __init__(
        self,
        arguments: Sequence[str],
        specs: tuple[st.Spec, ...],
        program: Program,
        result: st.Spec,
        parameters: list[Value],
        why: str,
        seconds: float,
        float32: bool,
    ) -> None:
        self.arguments = tuple(arguments)
        self.specs = specs
        self.program = program
        self.result = result
        self.parameters = parameters
        self.why = why
        self.seconds = seconds
        self.float32 = float32
        self.replays = 0
        self.moved_by: Optimizer | None = None  # the last, seen to hold parameters of this
        self.spans: dict[str, tuple[st.Spec, int, int]] = {}  # structure, first slot, end
        end = 0
        for name, spec in zip(arguments, specs, strict=True):
            begin, end = end, end + st.size(spec)
            self.spans[name] = (spec, begin, end)
        self.argument_slots = end
        self._plans: dict[Any, Any] = {}

    @property
    def slot_names(self) -> list[str]:
        """A name for each slot: of arguments as in the signature, of parameters by their labels."""
        found = [n for name, (spec, _, _) in self.spans.items() for n in st.names(spec, name)]
        return found + [value.label or f"parameter {i}" for i, value in enumerate(self.parameters)]

    def replay(
        self, wrt: Iterable[int] = (), slots: int | None = None, slot_of: array[int] | None = None
    ) -> Any:
        """Return a new replay that differentiates by these slots.

        With `slot_of` it has so many slots, those of the program at these places among them.
        """
        p = self.program
        seeds = array("d", [1.0 if len(p.outputs) == 1 else 0.0] * len(p.outputs))
        return chosen.backend.Replay(
            p.codes, p.starts, p.args, p.numbers, p.outputs, p.slots if slots is None else slots,
            array("i", wrt), seeds, self.float32, slot_of,
        )  # fmt: skip

    def plan(self, key: Any, wrt: Callable[[], Iterable[int]]) -> tuple[Any, int]:
        """Return the replay kept under `key`, made when first asked for, and its count of slots."""
        plan = self._plans.get(key)
        if plan is None:
            slots = tuple(wrt())
            plan = self._plans[key] = (self.replay(slots), len(slots))
        return plan

    def forward(self) -> Any:
        """Return the replay that differentiates by nothing."""
        return self.plan(None, tuple)[0]

    def slots_of(self, names: Iterable[str]) -> list[int]:
        return [slot for name in names for slot in range(*self.spans[name][1:])]

    def segments(self, given: list[Any]) -> list[Any]:
        """Add the parameters' numbers of this moment to the arguments'."""
        if self.parameters:
            given.append(array("d", [value.data for value in self.parameters]))
        return given

    # ── What goes wrong in a replay ──────────────────────────────────────────────────────────

    def explained(self, error: IndexError, segments: Sequence[Any]) -> TakeError:
        """Return an index error with the line whose take it was."""
        self.watch(segments, gradient=False, only_take=True)
        return TakeError(f"{error}; in a program that was recorded from here")

    def _beyond(self, take: int, values: list[float]) -> str:
        """Return what is wrong where this take is the guard that a fori has on its limit."""
        program = self.program
        index, *table = program.operands(take)
        if len(table) != 1 or program.codes[index] != _WHERE:
            return ""
        within = program.operands(index)[0]
        if program.codes[within] != _LE:
            return ""
        upper, limit = [values[operand] for operand in program.operands(within)]
        return beyond(upper, limit)

    def watch(self, segments: Sequence[Any], *, gradient: bool, only_take: bool = False) -> None:
        """Replay instruction by instruction; raise at the first nan or inf, with its line."""
        program = self.program
        slots = interpreter._joined(segments, program.slots)
        names, places = self.slot_names, program.places
        values: list[float] = []
        for i, code in enumerate(program.codes):
            numbers = [values[operand] for operand in program.operands(i)]
            at = f", recorded at {places[i][0]}:{places[i][1]}" if places[i] else ""  # pyright: ignore[reportOptionalSubscript]
            if code == CONST:
                value = program.numbers[i]
            elif code == INPUT:
                value = slots[int(program.numbers[i])]
            else:
                try:
                    value = interpreter._FORWARD[code](*numbers)
                except IndexError as error:
                    raise TakeError(f"{self._beyond(i, values) or error}{at}") from None
            values.append(value)
            if only_take or math.isfinite(value):
                continue
            name = CODES[code]
            if code == INPUT:
                raise AnomalyError(f"{names[int(program.numbers[i])]} is {value}", name)
            shown = ", ".join(map(repr, numbers[:6])) + (", …" if len(numbers) > 6 else "")
            raise AnomalyError(f"{name}({shown}) is {value}{at}", name, places[i])
        if not gradient:
            return
        grads = [0.0] * len(values)
        grads[program.outputs[0]] = 1.0
        for i in range(len(values) - 1, -1, -1):
            code = program.codes[i]
            if grads[i] == 0.0 or code in (CONST, INPUT):
                continue
            operands = program.operands(i)
            numbers = [values[operand] for operand in operands]
            locals_ = interpreter._LOCALS[code](values[i], numbers)
            for operand, local in zip(operands, locals_, strict=True):
                if program.codes[operand] == CONST:
                    continue
                grads[operand] += local * grads[i]
                if not math.isfinite(grads[operand]):
                    place = places[i]
                    at = f", recorded at {place[0]}:{place[1]}" if place else ""
                    raise AnomalyError(
                        f"backward through {CODES[code]} gives an input the gradient "
                        f"{grads[operand]}{at}", CODES[code], place
                    )  # fmt: skip


class Compiled:
    """A function that is recorded once for each structure of its arguments, then replayed.

    >>> import gradwalk, math
    >>> @gradwalk.compile
    ... def area(r):
    ...     return math.pi * r * r
    >>> area(2.0)
    12.566370614359172
    >>> area.value_and_grad(2.0)
    (12.566370614359172, {'r': 12.566370614359172})
    """

    def __init__(
        self,
        function: Callable[..., Any] | None,
        static: Iterable[str] = (),
        float32: bool = False,
        signature: inspect.Signature | None = None,
        name: str | None = None,
    ) -> None:
        if function is not None and not callable(function):
            raise OperandError(f"compile takes a function, not {type(function).__name__}")
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__)
        if function is None:
            self._signature = signature or inspect.Signature()
        else:
            try:
                self._signature = inspect.signature(function)
            except ValueError:
                raise OperandError(
                    f"compile cannot tell which arguments {self.name} takes; "
                    f"write a function that calls it: lambda x, y: {self.name}(x, y)"
                ) from None
            update_wrapper(self, function)
        parameters = self._signature.parameters.values()
        self.arguments = tuple(self._signature.parameters)
        variadic = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
        only_named = inspect.Parameter.KEYWORD_ONLY
        plain = not any(p.kind in variadic or p.kind == only_named for p in parameters)
        self._count = len(self.arguments) if plain else -1
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self._all_by_name = all(p.kind == either for p in parameters)
        self.static = (static,) if isinstance(static, str) else tuple(static)
        for name_ in self.static:
            if name_ not in self.arguments:
                raise OperandError(
                    f"static names {name_!r}, and {self.name} takes {_listed(self.arguments)}"
                )
        self.float32 = float32
        self._recordings: dict[tuple[st.Spec, ...], Recording] = {}
        self._last: Recording | None = None
        # The short way: where the arguments have the structure of the last call, all of it is done
        # in C. A recording, its call and its structures; with a gradient, also what wrt was.
        self._again: tuple[Recording, Any, Any, st.Spec] | None = None
        self._again_with_gradient: tuple[Any, Recording, Any, Any, st.Spec] | None = None
        self._attribute: str | None = None  # the name that a class has it under
        self._key = ""
        self._method: Compiled | None = None  # of which this is one instance's
        self._places = tuple([(name, name in self.static) for name in self.arguments])

    def __set_name__(self, owner: type, name: str) -> None:
        self._attribute = name
        self._key = f"{owner.__qualname__}.{name}"  # a class and one that it inherits from are two

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method: each instance has its own, with its own recordings, in its `__dict__`."""
        bind = getattr(type(self.function), "__get__", None)
        if instance is None or bind is None:
            return self
        kept: Any = getattr(instance, "__dict__", None)
        if self._attribute is None or not isinstance(kept, dict):
            return self._bound(bind, instance, owner)
        if self._attribute in kept:  # put there by the user
            return cast(Any, kept[self._attribute])
        found: Any = cast(Any, kept).get(self._key)
        # What a copy of another instance has brought along computes with that one's numbers.
        if found is None or found._method is not self or found.function.__self__ is not instance:
            found = kept[self._key] = self._bound(bind, instance, owner)
        return found

    def _bound(self, bind: Any, instance: Any, owner: type | None) -> Compiled:
        names = [name for name in self.static if name != self.arguments[0]]
        bound = Compiled(bind(self.function, instance, owner), names, self.float32)
        bound._method = self
        return bound

    def __set__(self, instance: Any, value: Any) -> None:
        """Put something else in its place. With it, `__get__` is asked before the `__dict__` is."""
        if not hasattr(instance, "__dict__"):
            kind = type(instance).__name__
            raise AttributeError(f"{kind!r} object attribute {self._attribute!r} is read-only")
        instance.__dict__[self._attribute] = value

    def __delete__(self, instance: Any) -> None:
        """Take away what `__set__` put in its place."""
        if getattr(instance, "__dict__", {}).pop(self._attribute, None) is None:
            raise AttributeError(self._attribute)

    def __copy__(self) -> Compiled:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Compiled:
        """Return itself; of a method, that of the copied instance."""
        if self._method is None:
            return self
        return self._method.__get__(copy.deepcopy(self.function.__self__, memo))  # pyright: ignore

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Of a function its name, as for any function; of a method its instance and name."""
        if self._method is not None:
            return getattr, (self.function.__self__, self._method._attribute)  # pyright: ignore
        return getattr(self, "__qualname__", self.name)

    def __repr__(self) -> str:
        return f"<compiled {self.name}({', '.join(self.arguments)}), {_count(self.recordings)}>"

    # ── One set of arguments ─────────────────────────────────────────────────────────────────

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Replay the function; record it first where these arguments have a new structure."""
        if self._again is not None and not modes.active:
            if named:
                args, named = self._values(args, named), {}
            recording, call, specs, spec = self._again
            try:
                result = call(specs, args, spec, st.as_array)
            except IndexError:
                result = NotImplemented  # the long way finds out where
            if result is not NotImplemented:
                recording.replays += 1
                self._last = recording
                return result
        if modes.active and modes.recorder() is not None and self.function is not None:
            return self.function(*args, **named)  # inside another recording: part of that one
        recording, segments, _ = self._prepare(args, named)
        out = array("d", bytes(8 * len(recording.program.outputs)))
        replay = recording.forward()
        try:
            replay.value(segments, out)
        except IndexError as error:
            raise recording.explained(error, segments) from None
        if self._has_short_way(replay, recording, recording.result):
            self._again = (recording, replay.call, recording.specs, recording.result)
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=False)
        return out[0] if recording.result == "n" else st.rebuild(recording.result, iter(out))

    def value_and_grad(
        self, /, *args: Any, wrt: Iterable[str] | str | None = None, **named: Any
    ) -> tuple[float, dict[str, Any]]:
        """Return the value, and a dict of gradients by argument, each in the argument's shape.

        `wrt` names the arguments to differentiate by; otherwise it is all that are not static.
        The gradients of captured Values are `backward`'s.
        """
        again = self._again_with_gradient
        if (
            again is not None
            and not modes.active
            and (wrt is again[0] or (type(wrt) is type(again[0]) and wrt == again[0]))
        ):
            if named:
                args, named = self._values(args, named), {}
            _, recording, call, specs, spec = again
            try:
                result = call(specs, args, spec, st.as_array)
            except IndexError:
                result = NotImplemented
            if result is not NotImplemented:
                recording.replays += 1
                self._last = recording
                return result
        recording, segments, values = self._prepare(args, named)
        chosen_names = self._wrt(recording, wrt)
        value, grads = self._differentiate(
            recording, segments, chosen_names, lambda: recording.slots_of(chosen_names)
        )
        spec = ("dict", chosen_names, tuple([recording.spans[name][0] for name in chosen_names]))
        replay = recording.plan(chosen_names, tuple)[0]
        if type(wrt) in (type(None), str, tuple) and self._has_short_way(replay, recording, spec):
            call = replay.call_with_gradient
            self._again_with_gradient = (wrt, recording, call, recording.specs, spec)
        if len(chosen_names) == len(grads) and recording.argument_slots >= len(grads):
            spans = recording.spans
            if all(spans[name][0] == "n" for name in chosen_names):
                return value, dict(zip(chosen_names, grads, strict=True))
        numbers = iter(grads)
        given = dict(zip(self.arguments, values, strict=True))
        return value, {
            name: st.rebuild(recording.spans[name][0], numbers, given[name])
            for name in chosen_names
        }

    def _has_short_way(self, replay: Any, recording: Recording, result: st.Spec) -> bool:
        """Say whether C can read the arguments and build the result."""
        return (
            hasattr(replay, "call")
            and self._count >= 0
            and not recording.parameters
            and not recording.float32
            and st.is_plain(result)
        )

    def backward(self, /, *args: Any, **named: Any) -> float:
        """Return the value, and add its gradients to `.grad` of the captured Values."""
        recording, segments, _ = self._prepare(args, named)
        return self._backward(recording, segments)

    def _backward(self, recording: Recording, segments: list[Any]) -> float:
        value, grads = self._differentiate(
            recording,
            segments,
            "parameters",
            lambda: range(recording.argument_slots, recording.program.slots),
        )
        for parameter, grad in zip(recording.parameters, grads, strict=True):
            parameter.grad += grad
        return value

    def step(self, optimizer: Optimizer, /, *args: Any, **named: Any) -> float:
        """Replay forward and back, move the optimiser's parameters, and return the value before.

        `train` does many of these without going through the Values each time.
        """
        need_optimizer("step", optimizer)
        recording, segments, _ = self._prepare(args, named)
        if recording.moved_by is not optimizer:
            need_shared(self, recording, optimizer)
            recording.moved_by = optimizer
        value = self._backward(recording, segments)
        optimizer.step()
        return value

    def train(self, optimizer: Optimizer) -> Trainer:
        """Return a context manager whose `step(*args)` keeps parameters and memory in arrays.

        The Values are written back at the end, by `sync()`, and when an exception leaves it.
        """
        return Trainer(self, optimizer)

    @property
    def map(self) -> Mapper:
        """The function over rows of numpy arrays: map(…) and map.value_and_grad(…)."""
        return Mapper(self)

    # ── What was recorded ────────────────────────────────────────────────────────────────────

    @property
    def recordings(self) -> int:
        """How many structures of arguments were recorded."""
        return len(self._recordings)

    @property
    def parameters(self) -> list[Value]:
        """The Values that recordings captured, each once."""
        found: dict[int, Value] = {}
        for recording in self._recordings.values():
            for value in recording.parameters:
                found.setdefault(id(value), value)
        return list(found.values())

    @property
    def program(self) -> Program:
        """The program used last, as plain data."""
        return self.recording().program

    def recording(self) -> Recording:
        """Return the recording used last."""
        if self._last is None:
            raise ProgramError(f"{self.name} has no recording yet: call it, or use record")
        return self._last

    def explain(self) -> str:
        """Say which recordings there are, why each was made, how large it is, how often it ran."""
        lines = [f"{self.name}({', '.join(self.arguments)}): {_count(self.recordings)}"]
        for number, recording in enumerate(self._recordings.values(), 1):
            program = recording.program
            lines.append(f"{number}. {recording.why}")
            lines.append(
                f"   {_plural(len(program), 'instruction')}, "
                f"{_plural(recording.argument_slots, 'input')}, "
                f"{_plural(len(recording.parameters), 'parameter')}, "
                f"{_plural(len(program.outputs), 'output')}; "
                f"recorded in {recording.seconds * 1e3:.1f} ms, "
                f"replayed {_plural(recording.replays, 'time')}"
            )
        return "\n".join(lines)

    @property
    def stages(self) -> tuple[str, ...]:
        """The names that `text` and `show` take: as recorded, after each pass, and what is run."""
        plan = self._widest_plan()
        own = tuple([stage for stage in plan.stages if stage != "recorded"])
        if not own:
            return ("recorded",)
        return ("recorded", *own, *([] if self.float32 else ["blocks"]), "lanes")

    @property
    def sizes(self) -> dict[str, int]:
        """How large the program used last is after each pass, and what a replay takes, about.

        Bytes are of the replay's memory, nanoseconds of one replay, on a machine as in `view`.
        """
        recording = self.recording()
        program, plan = recording.program, self._widest_plan()
        slots = program.slots
        if "tidy" not in plan.stages:
            count, sizes = len(program), dict(plan.sizes)
            sizes["nanoseconds"] = round(view.CALL + view.INTERPRETED * count)
            if sizes["wrt"]:
                sizes["gradient nanoseconds"] = round(
                    sizes["nanoseconds"] + view.INTERPRETED_BACK * count
                )
            return sizes
        kinds = [("", False)] + [("gradient ", True)] * ("adjoint" in plan.stages)
        times: dict[str, int] = {}
        if not self.float32:
            for kind, gradient in kinds:
                found = self._blocks(gradient)
                times[f"{kind}nanoseconds"] = view.nanoseconds(found, slots, slots * gradient)
        return {**plan.sizes, **times}

    def stage(self, name: str) -> ir.Stage:
        """Return a program among the stages as data, to look at."""
        if name == "recorded":
            return ir.Stage.recorded(self.program)
        return ir.Stage.read(self._widest_plan().stage(name), chosen.backend.MADE)

    def blocks(self) -> list[str]:
        """Return what one replay runs, with its gradient if it has one, a line for each loop."""
        return [view.words(block) for block in self._blocks("adjoint" in self.stages)]

    def text(self, stage: str | None = None, most: int | None = None) -> str:
        """Return the program used last as text: as recorded, after a pass, or as it is run.

        "all" walks through the stages, with what each is and how large.
        """
        recording = self.recording()
        if stage == "all":
            parts = [
                f"{name}: {self.explained(name)}\n{self.text(name, most)}\n" for name in self.stages
            ]
            return "\n".join([*parts, self.predicted()])
        stage = stage or "recorded"
        if stage not in self.stages:
            raise ProgramError(f"there is no stage {stage!r}; there is all, {_listed(self.stages)}")
        if stage == "blocks":
            return "\n".join(_middle(self.blocks(), most))
        if stage == "lanes":
            steps = self._widest_plan().lanes().splitlines()
            words = (recording.slot_names, chosen.backend.FUNCTIONS)
            return "\n".join(_middle([view.step_text(step, *words) for step in steps], most))
        wrt = range(recording.program.slots)
        names, places = recording.slot_names, recording.program.places
        return ir.text(self.stage(stage), names, most, places, wrt)

    def explained(self, stage: str) -> str:
        """Return what a stage is, and how many lines it has."""
        gradient = "gradient " if "adjoint" in self.stages and stage == "blocks" else ""
        count = self.sizes.get(gradient + stage)
        unit = "block" if stage == "blocks" else "instruction"
        return ("" if count is None else f"{_plural(count, unit)}: ") + view.EXPLAINED[stage]

    def predicted(self) -> str:
        """Return the sizes after each pass, and about what bytes and time a replay takes."""
        sizes = self.sizes
        passes = [name for name in self.stages if name not in ("blocks", "lanes")]
        steps = [f"{name} {sizes[name]:,}" for name in passes]
        lines = ["instructions: " + ", ".join(steps)]
        for kind, said in (("", "a replay"), ("gradient ", "with the gradient")):
            facts: list[str] = []
            if f"{kind}blocks" in sizes:
                facts.append(_plural(sizes[f"{kind}blocks"], "block"))
            if f"{kind}bytes" in sizes:
                facts.append(f"about {view.bytes_text(sizes[f'{kind}bytes'])}")
            if f"{kind}nanoseconds" in sizes:
                facts.append(f"about {view.time_text(sizes[f'{kind}nanoseconds'])}")
            if facts:
                lines.append(f"{said}: {', '.join(facts)}")
        return "\n".join(lines)

    def show(self, stage: str | None = None, most: int | None = 60) -> None:
        """Print the program used last, and its predicted cost; of a long one both ends."""
        print(self.text(stage, most))
        if stage != "all":
            print(self.predicted())

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write all recordings to a file that `gradwalk.program.load` reads, without the source."""
        from gradwalk.program.files import save

        save(self, file)

    # ── Behind these ─────────────────────────────────────────────────────────────────────────

    def _widest_plan(self) -> Any:
        """Return a replay with the gradient by everything, where there is one output."""
        recording = self.recording()
        if len(recording.program.outputs) != 1:
            return recording.forward()
        return recording.plan("all", lambda: range(recording.program.slots))[0]

    def _blocks(self, gradient: bool) -> list[view.Block]:
        return view.blocks_of(self._widest_plan().blocks(gradient), chosen.backend.MADE)

    def _values(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        if not named and len(args) == self._count:
            return args
        if len(args) + len(named) == self._count and self._all_by_name:
            try:
                return (*args, *[named[name] for name in self.arguments[len(args) :]])
            except KeyError:
                pass  # what is wrong with them, the signature knows
        try:
            bound = self._signature.bind(*args, **named)
        except TypeError as error:
            raise OperandError(f"{self.name}(): {error}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _read(self, values: tuple[Any, ...]) -> tuple[tuple[st.Spec, ...], list[Any]]:
        """Return the structures of the arguments, and their numbers as a row of buffers."""
        if len(values) == 1 and type(values[0]) is list and not self._places[0][1]:
            # Tokens, a path: often all there is.
            numbers: list[Any] = values[0]  # pyright: ignore[reportUnknownVariableType]
            if st.PLAIN.issuperset(map(type, numbers)):
                try:
                    return (("list", len(numbers)),), [array("d", numbers)] if numbers else []
                except OverflowError:
                    pass
        reader = st.Reader()
        specs: list[st.Spec] = []
        for value, (name, is_static) in zip(values, self._places):  # noqa: B905
            if is_static:
                specs.append(st.constant_spec(value, name))
            elif type(value) is float:
                reader.run.append(value)
                specs.append("n")
            else:
                specs.append(reader.read(value, name))
        return tuple(specs), reader.finish()

    def _prepare(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[Recording, list[Any], tuple[Any, ...]]:
        """Return the recording for these arguments, its slots as buffers, and the arguments."""
        values = self._values(args, named)
        specs, segments = self._read(values)
        try:
            recording = self._recordings.get(specs)
        except TypeError:
            raise OperandError(f"{self.name}(): the keys of a dict must be hashable") from None
        if recording is None:
            recording = self._record(specs, values)
        self._last = recording
        recording.replays += 1
        return recording, recording.segments(segments), values

    def _record(self, specs: tuple[st.Spec, ...], values: Sequence[Any]) -> Recording:
        if self.function is None:
            [last, *_] = reversed(self._recordings.values())
            raise ProgramError(
                f"{self.name} was loaded from a file and has no source to record this from: "
                f"{st.differences(last.specs, specs, self.arguments)}"
            )
        began = perf_counter()
        slots = sum(map(st.size, specs))

        def arguments(tape: Any) -> tuple[list[Any], dict[str, Any]]:
            slot = iter(range(slots))

            def new() -> Any:
                return tape.traced(tape.source(INPUT, next(slot)))

            traced = [st.trace(value, spec, new) for value, spec in zip(values, specs, strict=True)]
            bound = inspect.BoundArguments(
                self._signature,
                dict(zip(self.arguments, traced, strict=True)),  # pyright: ignore[reportArgumentType]
            )
            return list(bound.args), dict(bound.kwargs)

        ids: list[int] = []
        try:
            result, tape = recorded(self.function, slots, arguments)
        except RecordingError:
            raise
        except Exception as error:  # the function's own: say what it was given
            given = [f"{n} {st.describe(spec)}" for n, spec in zip(self.arguments, specs)]  # noqa: B905
            error.add_note(f"while {self.name} was recorded, with {_listed(given)}")
            raise
        try:
            spec = st.written(result, tape, ids)
            if not ids:
                raise ProgramError(f"{self.name} returns no number: {result!r:.60}")
            program, parameters = tape.program(ids), tape.parameters
        finally:
            tape.close()
        if self._recordings:
            last = next(reversed(self._recordings.values()))
            why = f"structure changed: {st.differences(last.specs, specs, self.arguments)}"
        else:
            why = "the first call"
        seconds = perf_counter() - began
        recording = Recording(
            self.arguments, specs, program, spec, parameters, why, seconds, self.float32
        )
        self._recordings[specs] = recording
        return recording

    def _wrt(self, recording: Recording, wrt: Iterable[str] | str | None) -> tuple[str, ...]:
        if wrt is None:
            return tuple([n for n, (spec, _, _) in recording.spans.items() if st.is_varying(spec)])
        try:
            names = (wrt,) if isinstance(wrt, str) else tuple(wrt)
        except TypeError:
            raise OperandError(f"wrt is a name or several, not {wrt!r:.60}") from None
        for name in names:
            if name not in recording.spans:
                near = get_close_matches(str(name), self.arguments, 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise OperandError(
                    f"wrt names {name!r}, and {self.name} takes {_listed(self.arguments)}{hint}"
                )
            spec = recording.spans[name][0]
            if not st.is_varying(spec):
                raise OperandError(
                    f"wrt names {name!r}, which is {st.describe(spec)}: it holds no number to "
                    "differentiate by"
                )
        return names

    def _differentiate(
        self,
        recording: Recording,
        segments: list[Any],
        key: Any,
        wrt: Callable[[], Iterable[int]],
    ) -> tuple[float, array[float]]:
        self._need_one_number(recording)
        replay, count = recording.plan(key, wrt)
        out, grads = array("d", bytes(8)), array("d", bytes(8 * count))
        try:
            replay.value_and_grad(segments, out, grads)
        except IndexError as error:
            raise recording.explained(error, segments) from None
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=True)
        return out[0], grads

    def _need_one_number(self, recording: Recording) -> None:
        if recording.result != "n":
            raise ProgramError(
                f"a gradient needs a function that returns one number; {self.name} returns "
                f"{st.describe(recording.result)}"
            )


@overload
def compile(function: Callable[..., Any], /) -> Compiled: ...  # noqa: A001
@overload
def compile(*, static: Iterable[str] = (), float32: bool = False) -> Callable[..., Compiled]: ...  # noqa: A001
def compile(  # noqa: A001
    function: Callable[..., Any] | None = None,
    /,
    *,
    static: Iterable[str] = (),
    float32: bool = False,
) -> Any:
    """Return `function` as one that is recorded when first called and replayed from then on.

    Works as a decorator, bare or with options. `static` names arguments that are part of the
    program: a count of steps, a flag; another value of one is another recording. With `float32`
    it is computed in single precision. What is baked and what varies: docs/program.md.
    """
    if function is None:
        return partial(Compiled, static=static, float32=float32)
    return Compiled(function, static, float32)


def record(
    function: Callable[..., Any],
    /,
    *example: Any,
    static: Iterable[str] = (),
    float32: bool = False,
    **named: Any,
) -> Compiled:
    """Return `function` compiled, and recorded already for the structure of these arguments."""
    compiled = Compiled(function, static, float32)
    recording = compiled._prepare(example, named)[0]
    recording.replays = 0
    if recording.why == "the first call":
        recording.why = "record()"
    return compiled


def expression_function(expression: Expression) -> Callable[..., Any]:
    """Return a parsed expression as a function of its variables, to compile."""

    def function(*numbers: Any) -> Any:
        known: dict[str, Any] = dict(zip(expression.names, numbers, strict=True))
        results: list[Any] = []
        for node in expression.nodes:
            operands = [results[index] for index in node.operands]
            if node.op == "name":
                result = known[node.name]
            elif node.op == CONST_OP:
                result = node.number
            elif node.op == "=":
                result = known[node.name] = operands[0]
            else:
                result = (_COMPARISONS.get(node.op) or ops.BY_SYMBOL[node.op])(*operands)
            results.append(result)
        return results[-1]

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind) for name in expression.names]
    function.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    function.__name__ = "expression"
    return function


class Mapper:
    """A compiled function over scenarios: one replay for each row of the arrays it is given.

    A numpy array has one row a scenario; a plain number or list is the same in all of them.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def __call__(
        self, /, *args: Any, reduce: str | None = None, threads: int | None = None, **named: Any
    ) -> Any:
        """Return the results: an array with an entry a scenario, in the structure of the result.

        With `reduce="sum"` or "mean", each array is one number: its sum or its mean.
        """
        np = _numpy()
        _known_reduction(reduce)
        recording, buffers, (where, offset, stride), count, _ = self._prepare(args, named)
        out = np.empty((count, len(recording.program.outputs)))
        if count:
            replay = recording.forward()
            self._run(
                recording, replay, buffers, where, offset, stride, count, out, None, None, threads
            )
        if reduce is None:
            return _columns(recording.result, out, count)
        share = _share(reduce, count)
        numbers = [float(out[:, i].sum()) * share for i in range(out.shape[1])]
        return st.rebuild(recording.result, iter(numbers))

    def value_and_grad(
        self,
        /,
        *args: Any,
        wrt: Iterable[str] | str | None = None,
        reduce: str | None = None,
        threads: int | None = None,
        **named: Any,
    ) -> tuple[Any, dict[str, Any]]:
        """Return the values and a dict of gradients, with an entry a scenario.

        With `reduce="sum"` or "mean" the value is one number, and the gradients are those of it: in
        the shape of the argument for what all scenarios share, an entry a scenario for the rest.
        `wrt` is then what is shared, unless told, or all where nothing is.
        """
        np = _numpy()
        _known_reduction(reduce)
        compiled = self._compiled
        recording, buffers, places, count, given = self._prepare(args, named)
        compiled._need_one_number(recording)
        where, offset, stride = places
        varies = {
            name: any(where[begin:end])  # 0 is what is shared
            for name, (_, begin, end) in recording.spans.items()
        }
        names = compiled._wrt(recording, wrt)
        if reduce and wrt is None:
            names = tuple([name for name in names if not varies[name]]) or names
        share = _share(reduce, count)
        width = sum([end - begin for _, begin, end in [recording.spans[name] for name in names]])
        out = np.empty((count, 1))
        rows_wanted = not reduce or any(varies[name] for name in names)
        rows = np.zeros((count, width)) if rows_wanted else None
        sums = np.zeros(width) if reduce else None
        if count:
            replay = recording.plan(names, lambda: recording.slots_of(names))[0]
            self._run(
                recording, replay, buffers, where, offset, stride, count, out, rows, sums, threads
            )
        value: Any = out[:, 0]
        if reduce:
            value = float(out[:, 0].sum()) * share
        grads: dict[str, Any] = {}
        at = 0
        for name in names:
            spec, begin, end = recording.spans[name]
            width = end - begin
            if reduce and not varies[name]:
                assert sums is not None
                numbers = iter((sums[at : at + width] * share).tolist())
                grads[name] = st.rebuild(spec, numbers, given[name])
            else:
                assert rows is not None
                part = rows[:, at : at + width]
                grads[name] = _columns(spec, part * share if reduce else part, count)
            at += width
        return value, grads

    def _run(
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
    ) -> None:
        """Run a replay; `slot_of` says where it has each slot of the recording, if elsewhere."""
        try:
            worth = 1 + count * len(recording.program) // _WORTH_A_THREAD
            cores = min(_cores(), worth) if threads is None else operator.index(threads)
        except TypeError:
            cores = 0
        if cores < 1 or isinstance(threads, bool):
            raise OperandError(f"threads is a positive count, not {threads!r}")

        def slots_of(i: int) -> array[float]:
            views = [memoryview(buffer).cast("B") for buffer in buffers]
            found = array("d")
            for w, o, s in zip(where, offset, stride, strict=True):
                found.frombytes(views[w][o + i * s : o + i * s + 8])
            return found if slot_of is None else array("d", [found[slot] for slot in slot_of])

        try:
            replay.map(buffers, where, offset, stride, count, out, rows, sums, cores)
        except IndexError as error:
            for i in range(_affordable(recording, count)):  # to say which one, and where
                try:
                    recording.watch([slots_of(i)], gradient=False, only_take=True)
                except TakeError as found:
                    raise TakeError(f"scenario {i}: {found}") from None
            raise TakeError(str(error)) from None
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
                    recording.watch([slots_of(i)], gradient=rows is not None or sums is not None)
                except AnomalyError as error:
                    raise AnomalyError(f"scenario {i}: {error}", error.op, error.line) from None

    def _prepare(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[Recording, list[Any], tuple[array[int], ...], int, dict[str, Any]]:
        """Return the recording for one row, and where each slot of each scenario is to be found."""
        recording, rows, given = self._placed(args, named)[1:]
        assert rows.count is not None
        rows.share([value.data for value in recording.parameters])
        rows.buffers[0] = rows.run or array("d", [0.0])
        return recording, rows.buffers, (rows.where, rows.offset, rows.stride), rows.count, given

    def _placed(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[st.Spec, ...], Recording, _Rows, dict[str, Any]]:
        """Return the recording for one row, its key, and the arguments' places."""
        compiled = self._compiled
        values = compiled._values(args, named)
        rows = _Rows(compiled.name)
        specs: list[st.Spec] = []
        examples: list[Any] = []
        for value, (name, is_static) in zip(values, compiled._places, strict=True):
            if is_static:
                specs.append(st.constant_spec(value, name))
                examples.append(value)
            else:
                spec, example = rows.read(value, name)
                specs.append(spec)
                examples.append(example)
        if rows.count is None:
            raise OperandError(
                f"{compiled.name}.map() needs a numpy array among its arguments, with one row for "
                f"each scenario; plain numbers and lists are shared by all"
            )
        key = tuple(specs)
        recording = compiled._recordings.get(key)
        if recording is None:
            recording = compiled._record(key, examples)
        compiled._last = recording
        recording.replays += rows.count
        return key, recording, rows, dict(zip(compiled.arguments, values, strict=True))


class _Rows:
    """Reads the arguments of a map: arrays by rows, all else as shared by all scenarios."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count: int | None = None
        self.counted = ""  # the array that said how many scenarios there are
        self.run = array("d")  # what is shared
        self.buffers: list[Any] = [None]  # the first is for that
        self.where, self.offset, self.stride = array("i"), array("q"), array("q")

    def share(self, numbers: Sequence[float]) -> None:
        begin, count = 8 * len(self.run), len(numbers)
        self.run.extend(array("d", numbers))
        self.where.frombytes(bytes(4 * count))
        if count < 50:
            self.offset.extend(range(begin, begin + 8 * count, 8))
        else:  # numpy counts faster, once it has begun
            np = _numpy()
            offsets = np.arange(begin, begin + 8 * count, 8, dtype=np.int64)
            self.offset.frombytes(offsets.tobytes())
        self.stride.frombytes(bytes(8 * count))

    def read(self, thing: Any, path: str) -> tuple[st.Spec, Any]:
        """Return the structure that one scenario has, and an example of it."""
        if st._is_array(thing):
            return self._array(thing, path)
        kind = cast(Any, type(thing))
        if kind in (list, tuple) and st.PLAIN.issuperset(map(type, thing)):
            with suppress(OverflowError):  # for the words of one number at a time
                self.share(thing)
                return (kind.__name__, len(thing)), thing
        if kind is list and thing and set(map(type, thing)) == {list}:  # a matrix, in one go
            numbers: list[Any] = [*chain.from_iterable(thing)]
            if st.PLAIN.issuperset(map(type, numbers)):
                with suppress(OverflowError):
                    self.share(numbers)
                    return ("list", tuple([("list", len(row)) for row in thing])), thing
        if kind in (list, tuple) or kind is dict:
            items = thing.items() if kind is dict else enumerate(thing)
            pairs = [self.read(x, f"{path}[{key!r}]") for key, x in items]
            specs, examples = tuple([s for s, _ in pairs]), [e for _, e in pairs]
            if kind is dict:
                return ("dict", tuple(thing), specs), dict(zip(thing, examples, strict=True))
            parts = len(specs) if specs.count("n") == len(specs) else specs
            return (kind.__name__, parts), examples if kind is list else tuple(examples)
        if (names := st.field_names(thing)) is not None:
            pairs = [self.read(getattr(thing, name), f"{path}.{name}") for name in names]
            specs = tuple([s for s, _ in pairs])
            return ("fields", st.ClassName(kind), names, specs), thing
        if (plain := st.plainly(thing)) is not None:
            return self.read(plain, path)
        reader = st.Reader()
        spec = reader.read(thing, path)
        for segment in reader.finish():
            self.share(memoryview(segment).cast("B").cast("d"))
        return spec, thing

    def _array(self, thing: Any, path: str) -> tuple[st.Spec, Any]:
        np = _numpy()
        if thing.dtype == object:
            thing = _numbers_of(thing, path)
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
                f"one a scenario, and {self.counted} has {self.count}; "
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


def _numbers_of(thing: Any, path: str) -> Any:
    """Return an array of Python's numbers, or of Values, as one of doubles."""
    np = _numpy()
    made = np.empty(thing.shape)
    for place in np.ndindex(*thing.shape):
        entry = thing[place]
        number = entry.data if isinstance(entry, Value) else ops.real(entry)
        if number is None:
            raise OperandError(
                f"{path}{list(place)} is a {type(entry).__name__}: the rows of a map hold numbers"
            )
        made[place] = number
    return made


def _columns(spec: st.Spec, table: Any, count: int) -> Any:
    """Return a structure of arrays with an entry a scenario from a table with a row a scenario.

    A dataclass is a dict here: its own checks would get arrays where they expect numbers.
    """
    if spec == "n":
        return table[:, 0]
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return parts
    if kind == "array":
        return table.reshape((count, *parts))
    if isinstance(parts, int):
        return table
    made: list[Any] = []
    at = 0
    for part in parts:
        width = st.size(part)
        made.append(_columns(part, table[:, at : at + width], count))
        at += width
    if kind in ("dict", "fields"):
        return dict(zip(spec[-2], made, strict=True))
    return made if kind == "list" else tuple(made)


def _affordable(recording: Recording, count: int) -> int:
    """Return how many scenarios an error may look at, one instruction at a time."""
    return min(count, max(1, 20_000_000 // max(1, len(recording.program))))


def _known_reduction(reduce: str | None) -> None:
    if reduce not in (None, "sum", "mean"):
        raise OperandError(f"reduce is None, 'sum' or 'mean', not {reduce!r}")


def _share(reduce: str | None, count: int) -> float:
    """Return what a scenario counts for."""
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


def _count(recordings: int) -> str:
    return _plural(recordings, "recording")


def _middle(lines: list[str], most: int | None) -> list[str]:
    """Leave out the middle of a long text."""
    if most is None or len(lines) <= most + 1:
        return lines
    left_out = len(lines) - most
    return [*lines[: most // 2], f"… {left_out:,} more …", *lines[-(most - most // 2) :]]


def _plural(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no argument"
