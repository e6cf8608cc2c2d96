"""Compiled functions: recorded once per structure of their arguments, then replayed.

    Compiled    the function: call it, value_and_grad, map, backward, step, train, explain, save
    Recording   one program of it, for one structure of arguments

`map` runs many scenarios, `train` many steps.
"""

from __future__ import annotations

import copy
import inspect
import linecache
import math
import os
from array import array
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import partial, update_wrapper
from itertools import count
from time import perf_counter
from typing import Any, cast, overload

from gradwalk.engine import Value, modes
from gradwalk.engine.backends import record as record_node
from gradwalk.engine.control import beyond
from gradwalk.errors import (
    AnomalyError,
    GradientDroppedWarning,
    LoopError,
    OperandError,
    ProgramError,
    RecordingError,
    TakeError,
)
from gradwalk.optim import Optimizer
from gradwalk.program import backends, derive, inspection, interpreter, ir
from gradwalk.program import structure as st
from gradwalk.program.ir import CODES, INPUT, Program
from gradwalk.program.map import Mapper, Options
from gradwalk.program.recording import recorded
from gradwalk.program.recording.branches import FIRST_ROUNDS, Fault, TooFewRoundsError
from gradwalk.program.train import Trainer, need_optimizer, need_shared

__all__ = ["Compiled", "Recording", "compile", "record"]

MOST = 64  # recordings of one function; a large one has some 250 kB
_clock = count()
_LE, _WHERE = CODES.index("le"), CODES.index("where")
_COMPARING = frozenset([CODES.index(name) for name in ir.COMPARISONS])


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
        fast: bool,
        faults: Sequence[Fault] = (),
    ) -> None:
        self.arguments = tuple(arguments)
        self.specs = specs
        self.program = program
        self.result = result
        self.parameters = parameters
        self.why = why
        self.seconds = seconds
        self.float32 = float32
        self.fast = fast
        self.faults = tuple(faults)  # where a replay raises
        self.replays = 0
        self.used = 0  # when, for which of many is dropped first
        self.moved_by: Optimizer | None = None  # the last, seen to hold parameters of this
        self.spans: dict[str, tuple[st.Spec, int, int]] = {}  # structure, first slot, end
        end = 0
        for name, spec in zip(arguments, specs, strict=True):
            begin, end = end, end + st.size(spec)
            self.spans[name] = (spec, begin, end)
        self.argument_slots = end
        self._plans: dict[Any, Any] = {}
        self._looked_at: set[Any] = set()  # keys of plans whose gradient was found to be 0

    def __repr__(self) -> str:
        given = zip(self.arguments, self.specs, strict=True)
        return f"<recording for {_listed([f'{n} {st.describe(spec)}' for n, spec in given])}>"

    @property
    def has_loops(self) -> bool:
        """Whether it holds a loop that some arguments may need more rounds of."""
        return any(fault.kind is None for fault in self.faults)

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
        if output is not None:
            p = Program(
                p.codes, p.starts, p.args, p.numbers, p.outputs[output : output + 1], p.slots
            )
        seeds = array("d", [1.0 if len(p.outputs) == 1 else 0.0] * len(p.outputs))
        return (by or backends.replay.Replay)(
            p.codes, p.starts, p.args, p.numbers, p.outputs, p.slots if slots is None else slots,
            array("i", wrt), seeds, self.float32, slot_of, self.fast,
        )  # fmt: skip

    def plan(
        self, key: Any, wrt: Callable[[], Iterable[int]], output: int | None = None
    ) -> tuple[Any, int]:
        """Return the replay kept under `key`, made when first asked for, and its count of slots."""
        plan = self._plans.get(key)
        if plan is None:
            slots = tuple(wrt())
            plan = self._plans[key] = (self.replay(slots, output=output), len(slots))
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

    def warn_where_flat(self, name: str, key: Any, slots: Iterable[int]) -> None:
        """Warn, once, where a gradient is 0 everywhere though the result depends on these slots.

        A bisection by `where` is such a function: it asks how large a number is, and computes
        nothing with it.
        """
        if key in self._looked_at:
            return
        self._looked_at.add(key)
        program, names = self.program, self.slot_names
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

    def watch(
        self,
        segments: Sequence[Any],
        *,
        gradient: bool,
        only_take: bool = False,
        results: Iterable[float] = (),
    ) -> None:
        """Replay instruction by instruction; raise at the first nan or inf, with its line.

        `results` are what the replay itself gave. It may have a nan or an inf that does not come up
        here, where it adds in another order than the written one.
        """
        self._watch(segments, gradient, only_take)
        for number in results:
            if not math.isfinite(number):
                raise AnomalyError(
                    f"the replay gives {number}, and each operation by itself, in the written "
                    "order, gives a finite number: terms that cancel were added up in another "
                    "order, in a sum(), in the gradient or by compile(fast=True)",
                    "sum",
                )

    def conditions(self) -> Any:
        """Return a replay of the conditions on which a replay raises."""
        if "faults" not in self._plans:
            p = self.program
            outputs = array("i", [fault.condition for fault in self.faults])
            end = max(outputs) + 1  # what comes behind may raise
            alone = Program(
                p.codes[:end],
                p.starts[: end + 1],
                p.args[: p.starts[end]],
                p.numbers[:end],
                outputs,
                p.slots,
            )
            self._plans["faults"] = (self.replay(program=alone), 0)
        return self._plans["faults"][0]

    def raise_first(self, met: Any) -> None:
        """Raise the fault of the first scenario that meets one; `met` has a row a scenario."""
        rows = met.any(axis=1).nonzero()[0]
        if len(rows) == 0:
            return
        scenario = int(rows[0])
        error = self.faults[int(met[scenario].nonzero()[0][0])].error()
        if isinstance(error, TooFewRoundsError):
            error.where = f"scenario {scenario}: "
        else:
            error.add_note(f"scenario {scenario}")
        raise error

    def _watch(self, segments: Sequence[Any], gradient: bool, only_take: bool) -> None:
        p = self.program
        seen: list[list[float]] = [[]]  # the values so far, for the instruction that raises

        def at(i: int) -> str:
            place = p.places[i]
            return f", recorded at {place[0]}:{place[1]}" if place else ""

        def saw_value(i: int, values: list[float]) -> None:
            seen[0] = values
            code, value = p.codes[i], values[i]
            if only_take or math.isfinite(value):
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

        replay = self.replay(by=interpreter.Replay)
        try:
            replay.run(segments, gradient, saw_value, saw_gradient)
        except IndexError as error:
            i = len(seen[0])
            for fault in self.faults:
                if fault.condition < i and seen[0][fault.condition]:
                    raise fault.error() from None
            raise TakeError(f"{self._beyond(i, seen[0]) or error}{at(i)}") from None


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
        fast: bool = False,
        branches: str = "select",
        steps: int = 10_000,
    ) -> None:
        if branches not in ("select", "refuse"):
            raise OperandError(f'branches is "select" or "refuse", not {branches!r}')
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
        # How many arguments may be positional; -1 if some may not be passed by name.
        odd = {inspect.Parameter.POSITIONAL_ONLY, *variadic}
        placed = [p.name for p in parameters if p.kind != only_named]
        self._by_place = -1 if any(p.kind in odd for p in parameters) else len(placed)
        self._defaults = {
            p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty
        }
        self.static = (static,) if isinstance(static, str) else tuple(static)
        for name_ in self.static:
            if name_ not in self.arguments:
                raise OperandError(
                    f"static names {name_!r}, and {self.name} takes {_listed(self.arguments)}"
                )
        self.float32 = float32
        self.fast = fast
        self.branches = branches
        self.steps = steps
        self._rounds: dict[ir.Place, int] = {}  # of loops whose end is recorded
        self._recordings: dict[tuple[st.Spec, ...], Recording] = {}
        self.dropped = 0  # recordings that were made and are kept no more
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
        if instance is None or bind is None or isinstance(self.function, partial):
            return self  # a partial is no method, also where Python is about to make it one
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
        function = bind(self.function, instance, owner)
        bound = Compiled(
            function, names, self.float32, fast=self.fast, branches=self.branches, steps=self.steps
        )
        bound._method = self
        return bound

    def __set__(self, instance: Any, value: Any) -> None:
        """Replace the method on one instance. Defining this makes Python ask `__get__` first."""
        if not hasattr(instance, "__dict__"):
            kind = type(instance).__name__
            raise AttributeError(f"{kind!r} object attribute {self._attribute!r} is read-only")
        instance.__dict__[self._attribute] = value

    def __delete__(self, instance: Any) -> None:
        """Undo `__set__`."""
        if getattr(instance, "__dict__", {}).pop(self._attribute, None) is None:
            raise AttributeError(self._attribute)

    def __copy__(self) -> Compiled:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Compiled:
        """Return itself. For a method, return the method of the copied instance."""
        if self._method is None:
            return self
        return self._method.__get__(copy.deepcopy(self.function.__self__, memo))  # pyright: ignore

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a function by its name, a method by its instance and name."""
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
            if len(args) < self._count:  # the others have defaults
                return self(*self._values(args, named))
        if modes.active and modes.recorder() is not None and self.function is not None:
            # Called while another function is recorded: record its operations there.
            return backends.tape.call(self.function, *args, **named)
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._prepare(args, named, given)
        if given:
            return self._joined(recording, segments, given)
        out = array("d", bytes(8 * len(recording.program.outputs)))
        replay = recording.forward()
        try:
            replay.value(segments, out)
        except IndexError as error:
            raise recording.explained(error, segments) from None
        if self._has_short_way(replay, recording, recording.result):
            self._again = (recording, replay.call, recording.specs, recording.result)
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=False, results=out)
        return out[0] if recording.result == "n" else st.rebuild(recording.result, st.Numbers(out))

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
            if len(args) < self._count:
                return self.value_and_grad(*self._values(args, named), wrt=wrt)
        return self._value_and_grad(args, named, wrt)

    def options(self, *, wrt: Iterable[str] | str | None = None) -> Options:
        """Return the function with its options set apart from its arguments.

        `f.options(wrt="x").value_and_grad(…)` is `f.value_and_grad(…, wrt="x")`, for a function
        that has an argument of its own called `wrt`. `f.map.options` does the same for map.
        """
        return Options(
            lambda args, named: self(*args, **named),
            lambda args, named: self._value_and_grad(args, named, wrt),
        )

    def _value_and_grad(
        self, args: tuple[Any, ...], named: dict[str, Any], wrt: Iterable[str] | str | None
    ) -> tuple[float, dict[str, Any]]:
        if isinstance(wrt, list):
            wrt = tuple(wrt)
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
        numbers = st.Numbers(grads)
        given = dict(zip(self.arguments, values, strict=True))
        return value, {
            name: st.rebuild(recording.spans[name][0], numbers, given[name])
            for name in chosen_names
        }

    def _joined(
        self, recording: Recording, segments: list[Any], given: list[tuple[int, Value]]
    ) -> Any:
        """Return the result as nodes of the caller's graph, whose inputs are the Values given.

        An output is one node: its local gradients are the compiled gradient of this moment, by the
        Values among the arguments and by those that the function captured.
        """
        slots = [slot for slot, _ in given] + [
            *range(recording.argument_slots, recording.program.slots)
        ]
        inputs: list[Any] = [value for _, value in given] + recording.parameters
        results: list[Any] = []
        numbers = interpreter._joined(segments, recording.program.slots)
        number, grads = array("d", bytes(8)), array("d", bytes(8 * len(slots)))
        for output in range(len(recording.program.outputs)):
            replay = recording.plan((output, *slots), lambda: slots, output)[0]
            try:
                replay.value_and_grad(segments, number, grads)
            except IndexError as error:
                raise recording.explained(error, segments) from None
            if not any(grads):
                recording.warn_where_flat(self.name, (output, *slots), slots)
            node: Any = record_node(number[0], f"{self.name}()", inputs, grads.tolist())
            node._rule = derive.rule_of(recording.program, numbers, slots, output)
            results.append(node)
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=len(results) == 1, results=[v.data for v in results])
        return st.rebuild(recording.result, st.Numbers(results))

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
        """Return the value, and add its gradients to `.grad` of the captured Values.

        A Value among the arguments gets its gradient too, and so does what it was computed from.
        """
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._prepare(args, named, given)
        return self._backward(recording, segments, given)

    def _backward(
        self, recording: Recording, segments: list[Any], given: list[tuple[int, Value]]
    ) -> float:
        if given:
            self._need_one_number(recording)
            node: Value = self._joined(recording, segments, given)
            node.backward()
            return node.data
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
        """Run one training step and return the value before it: `backward`, then the optimiser's
        `step` and `zero_grad`. `train` runs many steps without touching the Values each time.
        """
        need_optimizer("step", optimizer)
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._prepare(args, named, given)
        if recording.moved_by is not optimizer:
            need_shared(self, recording, optimizer)
            recording.moved_by = optimizer
        value = self._backward(recording, segments, given)
        optimizer.step()
        optimizer.zero_grad()
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
        """The last program used, as plain data."""
        return self.recording().program

    def recording(self) -> Recording:
        """Return the recording used last."""
        if self._last is None:
            raise ProgramError(f"{self.name} has no recording yet: call it, or use record")
        return self._last

    def explain(self, stage: str | None = None, most: int | None = None) -> str:
        """Return, as text, the recordings: why each was made, its size, how often it ran.

        With a stage, the program used last as text: as recorded, after a pass, or as it is run.
        `stages` lists their names; "all" goes through them. Beyond `most` lines the middle is left
        out.
        """
        if stage is not None:
            return self._stage_text(stage, most)
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
        if self.dropped:
            lines.append(f"{_count(self.dropped)} dropped: {MOST} are kept, those used last")
        return "\n".join(lines)

    @property
    def stages(self) -> tuple[str, ...]:
        """The names that `explain` takes: as recorded, after each pass, and what is run."""
        plan = self._widest_plan()
        own = tuple([stage for stage in plan.stages if stage != "recorded"])
        if not own:
            return ("recorded",)
        return ("recorded", *own, *([] if self.float32 else ["blocks"]), "lanes")

    @property
    def sizes(self) -> dict[str, int]:
        """The size of the program used last after each pass, and the bytes that a replay keeps."""
        plan = self._widest_plan()
        if "tidy" in plan.stages and not self.float32:  # blocks are made when first asked for
            for gradient in {False, "adjoint" in plan.stages}:
                plan.blocks(gradient)
        return dict(plan.sizes)

    def stage(self, name: str) -> ir.Stage:
        """Return a program among the stages as data, to look at."""
        if name == "recorded":
            return ir.Stage.recorded(self.program)
        return ir.Stage.read(self._widest_plan().stage(name), backends.replay.MADE)

    def _stage_text(self, stage: str, most: int | None) -> str:
        recording = self.recording()
        if stage == "all":
            parts = [
                f"{name}: {inspection.heading(self, name)}\n{self._stage_text(name, most)}\n"
                for name in self.stages
            ]
            return "\n".join([*parts, inspection.summary(self)])
        if stage not in self.stages:
            raise ProgramError(f"there is no stage {stage!r}; there is all, {_listed(self.stages)}")
        if stage == "blocks":
            blocks = self._blocks("adjoint" in self.stages)
            return "\n".join(_middle([inspection.words(block) for block in blocks], most))
        if stage == "lanes":
            steps = self._widest_plan().lanes().splitlines()
            words = (recording.slot_names, backends.replay.FUNCTIONS)
            return "\n".join(_middle([inspection.step_text(step, *words) for step in steps], most))
        wrt = range(recording.program.slots)
        names, places = recording.slot_names, recording.program.places
        return ir.text(self.stage(stage), names, most, places, wrt)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write all recordings to a file that `gradwalk.program.load` reads, without the source."""
        from gradwalk.program.files import save

        save(self, file)

    # ── Internals ────────────────────────────────────────────────────────────────────────────

    def _widest_plan(self) -> Any:
        """Return a replay with the gradient by everything, where there is one output."""
        recording = self.recording()
        if len(recording.program.outputs) != 1:
            return recording.forward()
        return recording.plan("all", lambda: range(recording.program.slots))[0]

    def _blocks(self, gradient: bool) -> list[inspection.Block]:
        return inspection.blocks_of(self._widest_plan().blocks(gradient), backends.replay.MADE)

    def _values(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        if not named and len(args) == self._count:
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
            bound = self._signature.bind(*args, **named)
        except TypeError as error:
            raise OperandError(f"{self.name}(): {error}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _read(
        self, values: tuple[Any, ...], given: list[tuple[int, Value]] | None = None
    ) -> tuple[tuple[st.Spec, ...], list[Any]]:
        """Return the structures of the arguments, and their numbers as a row of buffers.

        The Values among them are added to `given`, each with its slot.
        """
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
        if given is not None:
            given += reader.values
        return tuple(specs), reader.finish()

    def _prepare(
        self,
        args: tuple[Any, ...],
        named: dict[str, Any],
        given: list[tuple[int, Value]] | None = None,
    ) -> tuple[Recording, list[Any], tuple[Any, ...]]:
        """Return the recording for these arguments, its slots as buffers, and the arguments."""
        values = self._values(args, named)
        specs, segments = self._read(values, given)
        try:
            recording = self._recordings.get(specs)
        except TypeError:
            raise OperandError(f"{self.name}(): the keys of a dict must be hashable") from None
        if recording is None:
            recording = self._record(specs, values)
        self._last = recording
        recording.replays += 1
        self.touch(recording)
        segments = recording.segments(segments)
        if recording.has_loops and not self._has_enough_rounds(recording, segments):
            return self._prepare(args, named, given and given[:0])
        return recording, segments, values

    def _has_enough_rounds(self, recording: Recording, segments: list[Any]) -> bool:
        """Say whether the loops end for these numbers; where not, the next recording has more."""
        try:
            recording.forward().value(
                segments, array("d", bytes(8 * len(recording.program.outputs)))
            )
        except IndexError as error:
            try:
                raise recording.explained(error, segments)
            except TooFewRoundsError as few:
                self.give_more_rounds(few)
                return False
            except Exception:
                pass  # the replay raises it
        return True

    def give_more_rounds(self, few: TooFewRoundsError) -> None:
        """Double the rounds of a loop, and forget the recordings that have too few."""
        rounds = 2 * self._rounds.get(few.place, FIRST_ROUNDS)
        if self._rounds.get(few.place, FIRST_ROUNDS) >= self.steps:
            file, line = few.place
            source = linecache.getline(file, line).strip()
            raise LoopError(
                f"{file}:{line}: {source}\n{few.where}the loop does not end within {self.steps:,} "
                f"rounds; give compile(steps=…) if it needs more"
            )
        self._rounds[few.place] = min(rounds, self.steps)
        for specs, recording in list(self._recordings.items()):
            if any(fault.place == few.place for fault in recording.faults):
                self._recordings.pop(specs, None)
        self._again = self._again_with_gradient = None

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
            rounds = None if self.branches == "refuse" else self._rounds
            result, tape = recorded(self.function, slots, arguments, rounds)
        except Exception as error:  # the function's own: say what it was given
            if isinstance(error, RecordingError) and error.__cause__ is None:
                raise
            given = [f"{n} {st.describe(spec)}" for n, spec in zip(self.arguments, specs)]  # noqa: B905
            error.add_note(f"while {self.name} was recorded, with {_listed(given)}")
            raise
        try:
            spec = st.written(result, tape, ids)
            if type(result) is int:  # alone: the result of the program, which has to have one
                spec = st.written(float(result), tape, ids)
            if not ids:
                raise ProgramError(
                    f"{self.name} returns no number: {result!r:.60}; return what it computes"
                )
            ids = [tape.guarded(id_) for id_ in ids]
            program, parameters, faults = tape.program(ids), tape.parameters, tape.faults
        finally:
            tape.close()
        if self._recordings:
            last = next(reversed(self._recordings.values()))
            why = f"structure changed: {st.differences(last.specs, specs, self.arguments)}"
        else:
            why = "the first call"
        seconds = perf_counter() - began
        recording = Recording(
            self.arguments, specs, program, spec, parameters, why, seconds, self.float32, self.fast,
            faults,
        )  # fmt: skip
        self.touch(recording)
        self._recordings[specs] = recording
        self._drop_oldest()
        return recording

    def touch(self, recording: Recording) -> None:
        """Say that a recording is used now, so that it is not the next to be dropped."""
        recording.used = next(_clock)

    def _drop_oldest(self) -> None:
        """Keep no more recordings than MOST: those used last."""
        if self._last is not None:
            self.touch(self._last)  # which the short way does not
        while len(self._recordings) > MOST:
            kept = list(self._recordings.items())
            specs, oldest = min(kept, key=lambda item: item[1].used)
            if self._recordings.pop(specs, None) is None:
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
            if self._again is not None and self._again[0] is oldest:
                self._again = None
            if self._again_with_gradient is not None and self._again_with_gradient[1] is oldest:
                self._again_with_gradient = None

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
            recording.watch(segments, gradient=True, results=[out[0], *grads])
        if not any(grads):
            recording.warn_where_flat(self.name, key, wrt())
        return out[0], grads

    def _need_one_number(self, recording: Recording) -> None:
        if recording.result != "n":
            raise ProgramError(
                f"a gradient needs a function that returns one number; {self.name} returns "
                f"{st.describe(recording.result)}: compile one that returns the number wanted"
            )


@overload
def compile(function: Callable[..., Any], /) -> Compiled: ...  # noqa: A001
@overload
def compile(  # noqa: A001
    *,
    static: Iterable[str] = (),
    float32: bool = False,
    fast: bool = False,
    branches: str = "select",
    steps: int = 10_000,
) -> Callable[..., Compiled]: ...
def compile(  # noqa: A001
    function: Callable[..., Any] | None = None,
    /,
    *,
    static: Iterable[str] = (),
    float32: bool = False,
    fast: bool = False,
    branches: str = "select",
    steps: int = 10_000,
) -> Any:
    """Return `function`, recorded at its first call and replayed in C from then on.

    Works as a decorator, bare or with options. `static` names arguments that are part of the
    program: a count of steps, a flag; another value of one is another recording. With `float32`
    it is computed in single precision. With `fast` additions may be reordered and multiply-adds
    fused, so results can differ from plain Python's. A branch on an argument computes both sides
    and selects; `branches="refuse"` raises instead. A loop that an argument ends has at most
    `steps` rounds. docs/program.md has the details.
    """
    options: dict[str, Any] = {"static": static, "float32": float32, "fast": fast}
    options |= {"branches": branches, "steps": steps}
    return partial(Compiled, **options) if function is None else Compiled(function, **options)


def record(
    function: Callable[..., Any],
    /,
    *example: Any,
    static: Iterable[str] = (),
    float32: bool = False,
    fast: bool = False,
    branches: str = "select",
    **named: Any,
) -> Compiled:
    """Return `compile(function)`, recorded at once for the structure of these example arguments.

    `compile` records at the first call; use `record` to pay for it, or to see its errors, earlier.
    """
    compiled = Compiled(function, static, float32, fast=fast, branches=branches)
    recording = compiled._prepare(example, named)[0]
    recording.replays = 0
    if recording.why == "the first call":
        recording.why = "record()"
    return compiled


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
