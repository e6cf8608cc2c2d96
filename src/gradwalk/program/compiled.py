"""Compiled functions: recorded once per structure of their arguments, then replayed.

`Compiled` is the function: call it, value_and_grad, map, backward, step, train, explain, save. Its
programs are in `recordings`. `map` runs many scenarios, `train` many steps.
"""

from __future__ import annotations

import copy
import inspect
import os
from array import array
from collections.abc import Callable, Iterable
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any, cast, overload

from gradwalk.engine import Value, modes
from gradwalk.engine.backends import record as record_node
from gradwalk.errors import (
    ProgramError,
)
from gradwalk.optim import Optimizer
from gradwalk.program import (
    backends,
    checking,
    decisions,
    derive,
    inspection,
    interpreter,
    ir,
)
from gradwalk.program import structure as st
from gradwalk.program.ir import Program
from gradwalk.program.loops import Loop, find_loops
from gradwalk.program.map import Mapper, Options
from gradwalk.program.recordings import MOST, Recording, Recordings, listed, paths_of
from gradwalk.program.train import Trainer, need_optimizer, need_shared

if TYPE_CHECKING:
    from gradwalk.program.on_jax import OnJax

__all__ = ["Compiled", "compile", "record"]

# Names that one looks for here first, and what to write.
_ELSEWHERE = {
    "grad": "value_and_grad(…), or gradwalk.grad(f)(…)",
    "jacobian": "gradwalk.jacobian(f)(…)",
    "hessian": "gradwalk.hessian(f)(…)",
}


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
        check: bool = True,
        errors: str = "ieee",
    ) -> None:
        self.store = Recordings(
            function, static, float32, signature, name, fast, branches, steps, check, errors
        )
        if function is not None:
            update_wrapper(self, function)
        self.function = function
        self.name = self.store.name
        self.arguments = self.store.arguments
        self.static = self.store.static
        self.float32 = float32
        self.fast = fast
        # The short way: where the arguments have the structure of the last call, all of it is done
        # in C. A recording, its call and its structures; with a gradient, also what wrt was.
        self._last_call: tuple[Recording, Any, Any, st.Spec] | None = None
        self._last_gradient: tuple[Any, Recording, Any, Any, st.Spec] | None = None
        self._attribute: str | None = None  # the name that a class has it under
        self._key = ""
        self._never_raising: Compiled | None = None
        self._derivatives: dict[Any, Compiled] = {}
        self._method: Compiled | None = None  # of which this is one instance's

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            remedy = f": write {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
            said = f"a compiled function has no attribute {name!r}{remedy}"
            raise AttributeError(said, name=name, obj=self)

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
        bound = self._like(bind(self.function, instance, owner), names, self.store.errors)
        bound._method = self
        return bound

    def _like(self, function: Any, static: Iterable[str], errors: str) -> Compiled:
        """Return another function compiled with the options of this one."""
        return Compiled(
            function,
            static,
            self.float32,
            fast=self.fast,
            branches=self.store.branches,
            steps=self.store.steps,
            check=self.store.check,
            errors=errors,
        )

    def never_raising(self) -> Compiled:
        """Return the function compiled with errors="ieee"."""
        if self._never_raising is None:
            self._never_raising = self._like(self.function, self.static, "ieee")
        return self._never_raising

    def derivative(self, key: Any, transform: Callable[[Any], Any]) -> Compiled:
        """Return a transform of the function, compiled with the options of this one, and kept."""
        found = self._derivatives.get(key)
        if found is None:
            derived = self._like(transform(self.function), self.static, self.store.errors)
            found = self._derivatives[key] = derived
        return found

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

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows at the end of a cell: see `Value.show` for the import."""
        from importlib import import_module

        return import_module("gradwalk.render.parts").bundle(self)

    # ── One set of arguments ─────────────────────────────────────────────────────────────────

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Replay the function; record it first where these arguments have a new structure."""
        outside = self.store.outside
        is_same = outside is None or outside.is_same()
        if is_same and self._last_call is not None and not modes.active:
            if named:
                args, named = self.store.bind(args, named), {}
            recording, call, specs, spec = self._last_call
            try:
                result = call(specs, args, spec, st.as_array)
            except IndexError:
                result = NotImplemented  # the long way finds out where
            if result is not NotImplemented:
                recording.replays += 1
                self.store.last = recording
                return result
            if len(args) < self.store.count:  # the others have defaults
                return self(*self.store.bind(args, named))
        if modes.active and modes.recorder() is not None and self.function is not None:
            # Called while another function is recorded: record its operations there.
            return backends.tape.call(self.function, *args, **named)
        if checking.is_plain() and self.function is not None:
            return self.function(*args, **named)
        return self.store.until_loops_end(
            lambda: self._call(args, named), otherwise=lambda: self.never_raising()(*args, **named)
        )

    def _call(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._prepare(args, named, given)
        if given:
            return self._joined(recording, segments, given)
        replay = recording.forward()
        recording.note_calls(replay)
        out = recording.run(replay, segments, outputs=len(recording.program.outputs))
        if self._has_short_way(replay, recording, recording.result):
            self._last_call = (recording, replay.call, recording.specs, recording.result)
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
        last, outside = self._last_gradient, self.store.outside
        if (
            last is not None
            and (outside is None or outside.is_same())
            and not modes.active
            and (wrt is last[0] or (type(wrt) is type(last[0]) and wrt == last[0]))
        ):
            if named:
                args, named = self.store.bind(args, named), {}
            _, recording, call, specs, spec = last
            try:
                result = call(specs, args, spec, st.as_array)
            except IndexError:
                result = NotImplemented
            if result is not NotImplemented:
                recording.replays += 1
                self.store.last = recording
                return result
            if len(args) < self.store.count:
                return self.value_and_grad(*self.store.bind(args, named), wrt=wrt)
        return self._long_value_and_grad(args, named, wrt)

    def options(self, *, wrt: Iterable[str] | str | None = None) -> Options:
        """Return the function with its options set apart from its arguments.

        `f.options(wrt="x").value_and_grad(…)` is `f.value_and_grad(…, wrt="x")`, for a function
        that has an argument of its own called `wrt`. `f.map.options` does the same for map.
        """
        return Options(
            lambda args, named: self(*args, **named),
            lambda args, named: self._long_value_and_grad(args, named, wrt),
        )

    def _long_value_and_grad(
        self, args: tuple[Any, ...], named: dict[str, Any], wrt: Iterable[str] | str | None
    ) -> tuple[float, dict[str, Any]]:
        return self.store.until_loops_end(
            lambda: self._value_and_grad(args, named, wrt),
            otherwise=lambda: self.never_raising()._long_value_and_grad(args, named, wrt),
        )

    def _value_and_grad(
        self, args: tuple[Any, ...], named: dict[str, Any], wrt: Iterable[str] | str | None
    ) -> tuple[float, dict[str, Any]]:
        if isinstance(wrt, list):
            wrt = tuple(wrt)
        recording, segments, values = self._prepare(args, named)
        chosen_names = self.store.names_of(recording, wrt)
        value, grads = self._differentiate(
            recording, segments, chosen_names, lambda: recording.slots_of(chosen_names)
        )
        spec = ("dict", chosen_names, tuple([recording.spans[name][0] for name in chosen_names]))
        replay = recording.plan(chosen_names, tuple)[0]
        if type(wrt) in (type(None), str, tuple) and self._has_short_way(replay, recording, spec):
            call = replay.call_with_gradient
            self._last_gradient = (wrt, recording, call, recording.specs, spec)
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
        if recording.escaped is not None:
            raise recording.escaped
        slots = [slot for slot, _ in given] + [
            *range(recording.argument_slots, recording.program.slots)
        ]
        inputs: list[Any] = [value for _, value in given] + recording.parameters
        results: list[Any] = []
        numbers = interpreter._joined(segments, recording.program.slots)
        grads = array("d", bytes(8 * len(slots)))
        for output in range(len(recording.program.outputs)):
            replay = recording.plan((output, *slots), lambda: slots, output)[0]
            if output == 0:
                recording.note_calls(replay)
            [number] = recording.run(replay, segments, grads)
            if not any(grads):
                recording.warn_where_flat(self.name, (output, *slots), slots)
            node: Any = record_node(number, f"{self.name}()", inputs, grads.tolist())
            node._rule = derive.rule_of(recording.program, numbers, slots, output)
            results.append(node)
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=len(results) == 1, results=[v.data for v in results])
        return st.rebuild(recording.result, st.Numbers(results))

    def _has_short_way(self, replay: Any, recording: Recording, result: st.Spec) -> bool:
        """Say whether C can read the arguments and build the result."""
        return (
            hasattr(replay, "call")
            and self.store.count >= 0
            and not recording.parameters
            and not recording.pinned
            and not recording.writes
            and not recording.float32
            and st.is_plain(result)
        )

    def backward(self, /, *args: Any, **named: Any) -> float:
        """Return the value, and add its gradients to `.grad` of the captured Values.

        A Value among the arguments gets its gradient too, and so does what it was computed from.
        """
        return self.store.until_loops_end(lambda: self._backward(args, named, None))

    def _backward(
        self, args: tuple[Any, ...], named: dict[str, Any], moved_by: Optimizer | None
    ) -> float:
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._prepare(args, named, given)
        if moved_by is not None and recording.moved_by is not moved_by:
            need_shared(self.name, recording, moved_by)
            recording.moved_by = moved_by
        if given:
            self.store.need_one_number(recording)
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
        value = self.store.until_loops_end(lambda: self._backward(args, named, optimizer))
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

    def to_jax(self, /, *example: Any, dtype: str = "float64", **named: Any) -> OnJax:
        """Return the function as a pure JAX function, for arguments of the structure of `example`.

        Without an example it is that of the last call. `jax.jit`, `jax.grad` and `jax.vmap` take
        it; `map_value_and_grad` runs it over scenarios, on many devices.
        """
        from gradwalk.program.on_jax import OnJax

        if example or named:
            recording = self.store.until_loops_end(lambda: self._prepare(example, named)[0])
        else:
            recording = self.recording()
        if recording.pinned:
            raise ProgramError(
                f"{self.name} observes digits of its arguments, so that a recording is right for "
                "one set of them alone, and JAX would run it for others"
            )
        return OnJax(self.name, recording, dtype, self.static)

    # ── What was recorded ────────────────────────────────────────────────────────────────────

    @property
    def dropped(self) -> int:
        """How many recordings were made and are kept no more."""
        return self.store.dropped

    @property
    def recordings(self) -> int:
        """How many structures of arguments were recorded."""
        return len(self.store.by_specs)

    @property
    def parameters(self) -> list[Value]:
        """The Values that recordings captured, each once."""
        found: dict[int, Value] = {}
        for recording in self._paths_kept():
            for value in recording.parameters:
                found.setdefault(id(value), value)
        return list(found.values())

    @property
    def program(self) -> Program:
        """The last program used, as plain data."""
        return self.recording().program

    def recording(self) -> Recording:
        """Return the recording used last."""
        if self.store.last is None:
            raise ProgramError(f"{self.name} has no recording yet: call it, or use record")
        return self.store.last

    def explain(self, stage: str | None = None, most: int | None = None) -> str:
        """Return, as text, the recordings: why each was made, its size, how often it ran, and the
        tree of its branches with how often each side was taken.

        With a stage, the program used last as text: as recorded, after a pass, or as it is run.
        `stages` lists their names; "all" goes through them. Beyond `most` lines the middle is left
        out.
        """
        if stage is not None:
            return self._stage_text(stage, most)
        lines = [f"{self.name}({', '.join(self.arguments)}): {_count(self.recordings)}"]
        for number, recording in enumerate(self._paths_kept(), 1):
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
            if program.rolled is not None:
                kept = sum([length for _, length, _ in program.rolled.pieces])
                lines.append(f"   kept with its loops rolled up, as {_plural(kept, 'instruction')}")
            lines += [f"   {line}" for line in decisions.report(recording)]
        if self.store.dropped:
            lines.append(f"{_count(self.store.dropped)} dropped: {MOST} are kept, those used last")
        return "\n".join(lines)

    def paths(self, /, *args: Any, **named: Any) -> str:
        """Return the tree of branches, and which way these arguments go; `map.paths` counts."""
        return self.store.until_loops_end(
            lambda: self._paths(args, named),
            otherwise=lambda: self.never_raising().paths(*args, **named),
        )

    def _paths(self, args: tuple[Any, ...], named: dict[str, Any]) -> str:
        recording, segments, _ = self._prepare(args, named)
        recording.replays -= 1  # it is no call
        replay = recording.plan("paths", tuple)[0]
        recording.run(replay, segments, outputs=len(recording.program.outputs))
        numbers = interpreter._joined(segments, recording.program.slots)
        return decisions.of_one_call(recording, numbers)

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
        """The size of the program used last after each pass, and the bytes that a replay keeps.

        After a `map` also its steps, the scenarios that it computes at once and its machine code.
        """
        plan = self._widest_plan()
        if "tidy" in plan.stages and not self.float32:  # blocks are made when first asked for
            for gradient in {False, "adjoint" in plan.stages}:
                plan.blocks(gradient)
        sizes = dict(plan.sizes)
        for replay in self.recording().made_replays():
            sizes.update({name: n for name, n in replay.sizes.items() if name.startswith("lane")})
        return sizes

    def stage(self, name: str) -> ir.Stage:
        """Return a program among the stages as data, to look at."""
        if name == "recorded":
            return ir.Stage.recorded(self.program)
        guarded = bool(self.program.guards)
        return ir.Stage.read(self._widest_plan().stage(name), backends.replay.MADE, guarded)

    def loops(self, name: str) -> list[Loop]:
        """Return the loops found in a program among the stages: see `gradwalk.program.loops`."""
        return find_loops(self.stage(name))

    def _stage_text(self, stage: str, most: int | None) -> str:
        recording = self.recording()
        if stage == "all":
            parts = [
                f"{name}: {inspection.heading(self, name)}\n{self._stage_text(name, most)}\n"
                for name in self.stages
            ]
            return "\n".join([*parts, inspection.summary(self)])
        if stage not in self.stages:
            raise ProgramError(f"there is no stage {stage!r}; there is all, {listed(self.stages)}")
        if stage == "blocks":
            blocks = self._blocks("adjoint" in self.stages)
            return "\n".join(_middle([inspection.words(block) for block in blocks], most))
        if stage == "lanes":
            steps = self._widest_plan().lanes().splitlines()
            words = (recording.slot_names, backends.replay.FUNCTIONS)
            return "\n".join(_middle([inspection.step_text(step, *words) for step in steps], most))
        wrt = range(recording.program.slots)
        names, places = recording.slot_names, recording.program.places
        program = self.stage(stage)
        guards = recording.program.guards
        return ir.text(program, names, most, places, wrt, find_loops(program), guards)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write all recordings to a file that `gradwalk.load` reads, without the source."""
        from gradwalk.program.files import save

        save(self, file)

    # ── Internals ────────────────────────────────────────────────────────────────────────────

    def _paths_kept(self) -> list[Recording]:
        return [path for root in self.store.by_specs.values() for path in paths_of(root)]

    def _widest_plan(self) -> Any:
        """Return a replay with the gradient by everything, where there is one output."""
        recording = self.recording()
        if len(recording.program.outputs) != 1:
            return recording.forward()
        return recording.plan("all", lambda: range(recording.program.slots))[0]

    def _blocks(self, gradient: bool) -> list[inspection.Block]:
        return inspection.blocks_of(self._widest_plan().blocks(gradient), backends.replay.MADE)

    def _prepare(
        self,
        args: tuple[Any, ...],
        named: dict[str, Any],
        given: list[tuple[int, Value]] | None = None,
    ) -> tuple[Recording, list[Any], tuple[Any, ...]]:
        """Return the recording for these arguments, its slots as buffers, and the arguments."""
        found = self.store.prepare(args, named, given)
        if self._last_call is not None and self._last_call[0].dropped:
            self._last_call = None
        if self._last_gradient is not None and self._last_gradient[1].dropped:
            self._last_gradient = None
        return found

    def _differentiate(
        self,
        recording: Recording,
        segments: list[Any],
        key: Any,
        wrt: Callable[[], Iterable[int]],
    ) -> tuple[float, array[float]]:
        self.store.need_one_number(recording)
        replay, count = recording.plan(key, wrt)
        recording.note_calls(replay)
        grads = array("d", bytes(8 * count))
        out = recording.run(replay, segments, grads)
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=True, results=[out[0], *grads])
        if not any(grads):
            recording.warn_where_flat(self.name, key, wrt())
        return out[0], grads


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
    check: bool = True,
    errors: str = "ieee",
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
    check: bool = True,
    errors: str = "ieee",
) -> Any:
    """Return `function`, recorded at its first call and replayed in C from then on.

    Works as a decorator, bare or with options. `static` names arguments that are part of the
    program: a count of steps, a flag; another value of one is another recording. With `float32` it
    is computed in single precision. With `fast` additions may be reordered, so results can differ
    from plain Python's. A branch on an argument computes both sides and selects;
    `branches="refuse"` raises instead. A loop that an argument ends has at most `steps` rounds. A
    function without side effects also runs once as plain Python, and other numbers than the
    recording's are an error; `check=False` leaves that out. Numbers follow IEEE: `1 / x` at 0 is
    inf. With `errors="python"` a call raises what the plain function raises. docs/program.md has
    the details.
    """
    options: dict[str, Any] = {"static": static, "float32": float32, "fast": fast}
    options |= {"branches": branches, "steps": steps, "check": check, "errors": errors}
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
    recording = compiled.store.until_loops_end(lambda: compiled._prepare(example, named)[0])
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
