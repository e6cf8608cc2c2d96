"""Compiled functions: recorded once per structure of their arguments, then replayed.

`Compiled` is the function: call it, value_and_grad, map, train, backward, record, explain, paths,
save, to_jax. Its programs are in `recordings`. `map` runs many scenarios, `train` many steps.
"""

from __future__ import annotations

import copy
import os
from array import array
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any, cast, overload

from gradwalk.engine import Value, modes
from gradwalk.engine.backends import record as record_node
from gradwalk.errors import OperandError, ProgramError
from gradwalk.optim import Optimizer
from gradwalk.program import (
    backends,
    checking,
    decisions,
    derive,
    files,
    inspection,
    interpreter,
    tree,
)
from gradwalk.program import structure as st
from gradwalk.program.ir import Program
from gradwalk.program.map import Mapper
from gradwalk.program.options import Options
from gradwalk.program.recordings import Recording, Recordings, Short
from gradwalk.program.train import Trainer

if TYPE_CHECKING:
    from gradwalk.program.on_jax import OnJax

__all__ = ["Compiled", "compile"]

_EXPLAIN = "print f.explain(), which has it"
# Names that one looks for here first, or that were here once, and what to write.
_ELSEWHERE = {
    "grad": "write value_and_grad(…), or gradwalk.grad(f)(…)",
    "jacobian": "write gradwalk.jacobian(f)(…)",
    "hessian": "write gradwalk.hessian(f)(…)",
    "step": "write `with f.train(optimizer) as run: run.step(…)`, or f.backward(…) and the "
    "optimiser's own step() and zero_grad()",
    "options": "give an argument that is called wrt, reduce or threads by its position",
    "never_raising": 'write gradwalk.compile(f.function), whose errors are "ieee"',
    "recordings": _EXPLAIN,
    "dropped": _EXPLAIN,
    "sizes": _EXPLAIN.replace("()", '("all")'),
    "stages": _EXPLAIN.replace("()", '("all")'),
    "stage": 'write f.explain("tidy"), which prints it',
    "loops": 'write f.explain("recorded"), which prints each loop once',
    "recording": "f.program is the program used last, and f.explain() tells of all recordings",
    "store": "f.program is the program used last, and f.explain() tells of all recordings",
}
_GONE = {
    "branches": "branches are always recorded: f.explain() prints them",
    "check": "a recording is always compared with plain Python where that has no side effects",
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

    def __init__(self, store: Recordings) -> None:
        if not isinstance(store, Recordings):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise OperandError("a Compiled is what gradwalk.compile(function) returns")
        self._store = store
        if store.function is not None:
            update_wrapper(self, store.function)
        self.function = store.function
        self.name = store.name
        self.arguments = store.arguments
        # The short way: where the arguments have the structure of the last call, all of it is done
        # in C. Of a gradient, also what wrt was.
        self._last_call: Short | None = None
        self._last_gradient: tuple[Any, Short] | None = None
        self._attribute: str | None = None  # the name that a class has it under
        self._key = ""
        self._derivatives: dict[Any, Compiled] = {}
        self._method: Compiled | None = None  # of which this is one instance's

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            remedy = f": {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
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
        options = self._store.options
        static = tuple([name for name in options.static if name != self.arguments[0]])
        bound = compiled(bind(self.function, instance, owner), replace(options, static=static))
        bound._method = self
        return bound

    def _derived(self, key: Any, transform: Callable[[Any], Any]) -> Compiled:
        """Return a transform of the function, compiled with the options of this one, and kept."""
        found = self._derivatives.get(key)
        if found is None:
            found = compiled(transform(self.function), self._store.options)
            self._derivatives[key] = found
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
        count = inspection.count_text(len(self._store), "recording")
        return f"<compiled {self.name}({', '.join(self.arguments)}), {count}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows at the end of a cell: see `Value.show` for the import."""
        from importlib import import_module

        return import_module("gradwalk.render.parts").bundle(self)

    # ── One set of arguments ─────────────────────────────────────────────────────────────────

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Replay the function; record it first where these arguments have a new structure."""
        if self._last_call is not None:
            result = self._last_call(args, named)
            if result is not NotImplemented:
                return result
        if modes.active and modes.recorder() is not None and self.function is not None:
            # Called while another function is recorded: record its operations there.
            return backends.tape.call(self.function, *args, **named)
        if checking.is_plain() and self.function is not None:
            return self.function(*args, **named)
        return self._store.until_loops_end(lambda: self._call(args, named))

    def _call(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._store.prepare(args, named, given)
        if given:
            return self._joined(recording, segments, given)
        replay = recording.forward()
        recording.note_calls(replay)
        out = recording.run(replay, segments, outputs=recording.outputs)
        if self._has_short_way(replay, recording, recording.result):
            way = self._store.short_way(recording, replay.call, recording.result, st.as_array)
            self._last_call = way
        return out[0] if recording.result == "n" else tree.rebuild(recording.result, out)

    def value_and_grad(
        self, /, *args: Any, wrt: Iterable[str] | str | None = None, **named: Any
    ) -> tuple[float, dict[str, Any]]:
        """Return the value, and a dict of gradients by argument, each in the argument's shape.

        `wrt` names the arguments to differentiate by; otherwise it is all that are not static.
        The gradients of captured Values are `backward`'s.
        """
        last = self._last_gradient
        if last is not None and type(wrt) is type(last[0]) and wrt == last[0]:
            result = last[1](args, named)
            if result is not NotImplemented:
                return result
        return self._long_value_and_grad(args, named, wrt)

    def _long_value_and_grad(
        self, args: tuple[Any, ...], named: dict[str, Any], wrt: Iterable[str] | str | None
    ) -> tuple[float, dict[str, Any]]:
        return self._store.until_loops_end(lambda: self._value_and_grad(args, named, wrt))

    def _value_and_grad(
        self, args: tuple[Any, ...], named: dict[str, Any], wrt: Iterable[str] | str | None
    ) -> tuple[float, dict[str, Any]]:
        if isinstance(wrt, list):
            wrt = tuple(wrt)
        recording, segments, values = self._store.prepare(args, named)
        chosen_names = self._store.names_of(recording, wrt)
        value, grads = self._differentiate(
            recording, segments, chosen_names, lambda: recording.slots_of(chosen_names)
        )
        spec = ("dict", chosen_names, tuple([recording.spans[name][0] for name in chosen_names]))
        replay = recording.plan(chosen_names, tuple)[0]
        if type(wrt) in (type(None), str, tuple) and self._has_short_way(replay, recording, spec):
            call = replay.call_with_gradient
            self._last_gradient = wrt, self._store.short_way(recording, call, spec, st.as_array)
        numbers = tree.Numbers(grads)
        given = dict(zip(self.arguments, values, strict=True))
        return value, {
            name: tree.rebuild(recording.spans[name][0], numbers, given[name])
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
            [number] = recording.run(replay, segments, grads, watches=False)
            if not any(grads):
                recording.warn_where_flat(self.name, (output, *slots), slots)
            node: Any = record_node(number, f"{self.name}()", inputs, grads.tolist())
            node._rule = derive.rule_of(recording.program, numbers, slots, output)
            results.append(node)
        if modes.active and modes.current() & modes.ANOMALY:
            recording.watch(segments, gradient=len(results) == 1, results=[v.data for v in results])
        return tree.rebuild(recording.result, results)

    def _has_short_way(self, replay: Any, recording: Recording, result: tree.Spec) -> bool:
        """Say whether C can read the arguments and build the result."""
        return (
            hasattr(replay, "call")
            and self._store.count >= 0
            and not recording.parameters
            and not recording.pinned
            and not recording.only_floats
            and not recording.writes
            and not recording.options.float32
            and st.is_plain(result)
        )

    def backward(self, /, *args: Any, **named: Any) -> float:
        """Return the value, and add its gradients to `.grad` of the captured Values.

        A Value among the arguments gets its gradient too, and so does what it was computed from.
        """
        return self._store.until_loops_end(lambda: self._backward(args, named))

    def _backward(self, args: tuple[Any, ...], named: dict[str, Any]) -> float:
        given: list[tuple[int, Value]] = []
        recording, segments, _ = self._store.prepare(args, named, given)
        if given:
            self._store.need_one_number(recording)
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

    def train(self, optimizer: Optimizer) -> Trainer:
        """Return a context manager whose `step(*args)` keeps parameters and memory in arrays.

        The Values are written back at the end, by `sync()`, and when an exception leaves it.
        """
        return Trainer(self._store, optimizer)

    @property
    def map(self) -> Mapper:
        """The function over rows of numpy arrays: map(…) and map.value_and_grad(…)."""
        return Mapper(self._store)

    def to_jax(self, /, *example: Any, dtype: str = "float64", **named: Any) -> OnJax:
        """Return the function as a pure JAX function, for arguments of the structure of `example`.

        Without an example it is that of the last call. `jax.jit`, `jax.grad` and `jax.vmap` take
        it; `map_value_and_grad` runs it over scenarios, on many devices.
        """
        from gradwalk.program.on_jax import OnJax

        if example or named:
            recording = self._store.until_loops_end(lambda: self._store.prepare(example, named)[0])
        else:
            recording = self._store.used_last()
        if recording.pinned:
            raise ProgramError(
                f"{self.name} observes digits of its arguments, so that a recording is right for "
                "one set of them alone, and JAX would run it for others"
            )
        return OnJax(self.name, recording, dtype, self._store.options.static)

    # ── What was recorded ────────────────────────────────────────────────────────────────────

    def record(self, /, *example: Any, **named: Any) -> Compiled:
        """Record it for the structure of these example arguments, and return the function itself.

        Otherwise the first call records. Use this to pay for it, or to see its errors, earlier.
        """

        def recorded() -> Recording:
            recording = self._store.prepare(example, named)[0]
            if recording.escaped is not None:  # a call would run as plain Python
                raise recording.escaped
            return recording

        recording = self._store.until_loops_end(recorded)
        recording.replays -= 1  # it is no call
        if recording.why == "the first call":
            recording.why = "record()"
        return self

    @property
    def parameters(self) -> list[Value]:
        """The Values that recordings captured, each once."""
        return self._store.parameters()

    @property
    def program(self) -> Program:
        """The last program used, as plain data."""
        return self._store.used_last().program

    def explain(self, stage: str | None = None, most: int | None = None) -> str:
        """Return, as text, the recordings: why each was made, its size, how often it ran, and the
        tree of its branches with how often each side was taken.

        With a stage, the program used last as text: as recorded, after a pass, or as it is run.
        "all" goes through all stages and names them. Beyond `most` lines the middle is left out.
        """
        if stage is not None:
            return inspection.stage_text(self._store, stage, most)
        return inspection.recordings_text(self._store)

    def paths(self, /, *args: Any, **named: Any) -> str:
        """Return the tree of branches, and which way these arguments go; `map.paths` counts."""
        return self._store.until_loops_end(lambda: self._paths(args, named))

    def _paths(self, args: tuple[Any, ...], named: dict[str, Any]) -> str:
        recording, segments, _ = self._store.prepare(args, named)
        recording.replays -= 1  # it is no call
        replay = recording.plan("paths", tuple)[0]
        recording.run(replay, segments, outputs=len(recording.program.outputs))
        numbers = interpreter._joined(segments, recording.program.slots)
        return decisions.of_one_call(recording, numbers)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write all recordings to a file that `gradwalk.load` reads, without the source."""
        files.save(self._store, file)

    # ── Internals ────────────────────────────────────────────────────────────────────────────

    def _differentiate(
        self,
        recording: Recording,
        segments: list[Any],
        key: Any,
        wrt: Callable[[], Iterable[int]],
    ) -> tuple[float, array[float]]:
        self._store.need_one_number(recording)
        replay, count = recording.plan(key, wrt)
        recording.note_calls(replay)
        grads = array("d", bytes(8 * count))
        out = recording.run(replay, segments, grads)
        if not any(grads):
            recording.warn_where_flat(self.name, key, wrt())
        return out[0], grads


@overload
def compile(function: Callable[..., Any], /) -> Compiled: ...  # noqa: A001
@overload
def compile(  # noqa: A001
    *,
    static: Iterable[str] = (),
    fast: bool = False,
    float32: bool = False,
    errors: str = "ieee",
    steps: int = 10_000,
) -> Callable[..., Compiled]: ...
def compile(  # noqa: A001
    function: Callable[..., Any] | None = None,
    /,
    *,
    static: Iterable[str] = (),
    fast: bool = False,
    float32: bool = False,
    errors: str = "ieee",
    steps: int = 10_000,
    **gone: Any,
) -> Any:
    """Return `function`, recorded at its first call and replayed in C from then on.

    Works as a decorator, bare or with options. `static` names arguments that are part of the
    program: a count of steps, a flag; another value of one is another recording. With `fast`
    additions may be reordered, so results can differ from plain Python's. With `float32` it is
    computed in single precision. Numbers follow IEEE: `1 / x` at 0 is inf; with `errors="python"` a
    call raises what the plain function raises. A loop that an argument ends has at most `steps`
    rounds. A function without side effects also runs once as plain Python, and other numbers than
    the recording's are an error. docs/program.md has the details.
    """
    for name in gone:
        remedy = _GONE.get(name, "it takes static, fast, float32, errors, steps")
        raise OperandError(f"compile takes no {name}: {remedy}")
    names = (static,) if isinstance(static, str) else tuple(static)
    options = Options(names, fast, float32, errors, steps)
    if function is None:
        return partial(compiled, options=options)
    return compiled(function, options)


def compiled(function: Callable[..., Any], options: Options) -> Compiled:
    return Compiled(Recordings(function, options))


def load(file: str | os.PathLike[str]) -> Compiled:
    """Return what `save` wrote, ready to replay; its parameters are new Values."""
    return Compiled(files.read(file))
