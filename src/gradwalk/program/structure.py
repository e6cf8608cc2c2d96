"""The structure of arguments and results: what is read, told, recorded and built of a `tree`."""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import inspect
import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any

from gradwalk import ops
from gradwalk.engine import Value
from gradwalk.errors import OperandError, RecordingError
from gradwalk.program import backends
from gradwalk.program.recording.recorder import Tape, Traced
from gradwalk.program.tree import (
    NUMBER,
    ClassName,
    Spec,
    closed,
    exact_type,
    is_array,
    opened,
    part,
    parts_of,
    path_of,
    with_fields,
)

PLAIN = frozenset({float, int})


class Reader:
    """Reads arguments: their structures, and their numbers as a row of buffers."""

    __slots__ = ("before", "run", "segments", "values")

    def __init__(self) -> None:
        self.segments: list[Any] = []
        self.run: list[float] = []  # the numbers since the last buffer
        self.before = 0  # how many there are in the buffers
        self.values: list[tuple[int, Value]] = []  # those among them that are Values, by slots

    def finish(self) -> list[Any]:
        if self.run:
            try:
                self.segments.append(array("d", self.run))
            except OverflowError:  # a whole number beyond the doubles is an infinity
                self.segments.append(array("d", [ops.real(x) or 0.0 for x in self.run]))
            self.before += len(self.run)
            self.run = []
        return self.segments

    def read(self, thing: Any, path: str) -> Spec:
        kind: Any = type(thing)
        if kind is float or kind is int:
            self.run.append(thing)
            return NUMBER
        if kind in (list, tuple) and PLAIN.issuperset(map(type, thing)):
            self.run += thing
            return (kind.__name__, len(thing))
        # A class comes as an argument where a class method is compiled, from Python 3.13 on.
        if thing is None or isinstance(thing, str | type):
            return ("is", kind.__name__, thing)
        if isinstance(thing, Enum):  # also one that is a number: `kind is Kind.CALL` chooses
            return ("is", ClassName(kind), thing)
        if isinstance(thing, Value):
            self.values.append((self.before + len(self.run), thing))
            self.run.append(thing.data)
            return NUMBER
        if is_array(thing):
            return self.array(thing, path)
        number = ops.real(thing)
        if number is not None:
            self.run.append(number)
            return NUMBER
        found = opened(thing)
        if found is not None:
            head, parts = found
            inner = [self.read(x, path + path_of(head[0], key)) for key, x in parts]
            return shortened(head, inner)
        if kind is Traced:
            raise thing._tape.refuse("an argument")
        raise OperandError(
            f"{path} is a {kind.__name__}: an argument of a program is a number, a list, tuple, "
            f"dict or array of numbers, a str, a class or None; what never varies is declared by "
            f"compile(static=({path.partition('[')[0].partition('.')[0]!r},))"
        )

    def array(self, thing: Any, path: str) -> Spec:
        if thing.dtype == object:
            if not all(isinstance(x, Value) or ops.real(x) is not None for x in thing.flat):
                return self.read(thing.tolist(), path)
            for k, entry in enumerate(thing.flat):
                self.read(entry, f"{path}.flat[{k}]")
            return ("array", thing.shape) if thing.ndim else NUMBER
        numbers = as_doubles(thing, path)
        if not numbers.ndim:
            self.run.append(float(numbers))
            return NUMBER
        if numbers.size:
            self.finish()
            self.segments.append(numbers)
            self.before += numbers.size
        return ("array", numbers.shape)


def as_doubles(thing: Any, path: str) -> Any:
    """Return a numpy array as contiguous doubles, without a copy where it is that already."""
    import numpy as np

    if thing.dtype.kind not in "fiub":
        raise OperandError(
            f"{path} is an array of {thing.dtype}: expected float64, or integers that are indices"
        )
    refuse_masked(thing, path)
    if not thing.flags.aligned:
        thing = thing.copy()
    return np.asarray(np.ascontiguousarray(thing, dtype=np.float64)).reshape(thing.shape)


def refuse_masked(thing: Any, path: str) -> None:
    """Raise for an array with masked entries, whose numbers mean nothing."""
    mask = getattr(thing, "mask", None)
    if mask is not None and (count := int(mask.sum())):
        raise OperandError(
            f"{path} is an array with {count} masked {'entry' if count == 1 else 'entries'}, which "
            f"would count as numbers; give {path}.filled(number), or leave them out beforehand"
        )


def constant_spec(thing: Any, path: str) -> Spec:
    """Return the structure of a static argument: it is part of the key, so it must be hashable."""
    try:
        hash(thing)
    except TypeError:
        raise OperandError(
            f"{path} is static, so it must be hashable; a {type(thing).__name__} is not: "
            "give a tuple, or let it vary"
        ) from None
    return ("is", exact_type(thing), thing)


def size(spec: Spec) -> int:
    """Return how many numbers a structure holds."""
    if spec[0] == "array":
        return math.prod(spec[1])
    if spec == NUMBER or (isinstance(spec[-1], int) and spec[0] != "is"):
        return 1 if spec == NUMBER else spec[-1]
    return sum([size(each) for _, each in parts_of(spec)])


def is_plain(spec: Spec) -> bool:
    """Say whether a structure is of lists, tuples, dicts and arrays alone, as C can build it."""
    if isinstance(spec[-1], int):
        return True
    return spec[0] != "fields" and all(is_plain(each) for _, each in parts_of(spec))


def is_listed(spec: Spec) -> bool:
    """Say whether a structure is of lists, tuples and dicts of numbers alone."""
    if spec[0] == "dict" and type(spec[1]) is not tuple:
        return False
    if spec[0] not in (NUMBER, "list", "tuple", "dict"):
        return False
    return isinstance(spec[-1], int) or all(is_listed(each) for _, each in parts_of(spec))


def as_array(numbers: bytearray, shape: tuple[int, ...]) -> Any:
    """Return doubles as an array of this shape."""
    import numpy as np

    return np.frombuffer(numbers, np.float64).reshape(shape)


def is_varying(spec: Spec) -> bool:
    """Say whether a structure can hold numbers, as a list can, even an empty one."""
    if spec == NUMBER or spec[0] == "array" or (isinstance(spec[-1], int) and spec[0] != "is"):
        return True
    return any(is_varying(each) for _, each in parts_of(spec))


def names(spec: Spec, name: str) -> Iterator[str]:
    """Yield a name for each number: z[3], curve['1y'][0], model.rate."""
    if spec == NUMBER:
        yield name
    if spec[0] == "array":
        shape: Any = spec[1]
        for place in product(*[range(length) for length in shape]):
            yield f"{name}[{','.join(map(str, place))}]" if place else name
    for key, each in parts_of(spec):
        yield from names(each, name + path_of(spec[0], key))


def describe(spec: Spec) -> str:
    """Say what a structure is, in words."""
    if spec == NUMBER:
        return "a number"
    kind, parts = spec[0], spec[-1]
    if kind == "array":
        return f"an array of shape {parts}"
    if kind == "is":
        return f"{parts!r:.40}"
    if kind == "fields":
        return f"a {spec[1]}"
    if isinstance(parts, int):
        return f"a {kind} of {parts} number{'' if parts == 1 else 's'}"
    if kind == "dict":
        return f"a dict of {', '.join([repr(key) for key in spec[1]][:4])}"
    inner = {describe(part) for part in parts}
    return f"a {kind} of {len(parts)} parts, each {inner.pop()}" if len(inner) == 1 else (
        f"a {kind} of {len(parts)} parts"
    )  # fmt: skip


def trace(thing: Any, spec: Spec, new: Callable[[], Any]) -> Any:
    """Return what stands for `thing` while recording: a new value for each number in it."""
    if spec == NUMBER:
        return new()
    kind = spec[0]
    if kind == "is":
        return thing
    if kind == "array":
        import numpy as np

        made = np.empty(size(spec), object)
        made[:] = [new() for _ in range(len(made))]
        return made.reshape(spec[1])
    if isinstance(spec[-1], int):
        return closed(spec, [new() for _ in range(spec[-1])])
    made = [trace(part(thing, kind, key), each, new) for key, each in parts_of(spec)]
    if kind == "fields" and is_dataclass(thing):
        return _stand_in(thing, dict(zip(spec[2], made, strict=True)))
    return closed(spec, made, thing)


def _stand_in(thing: Any, made: dict[str, Any]) -> Any:
    """Return a dataclass with these in its fields, and with what it has beside them.

    That is what its `__post_init__` computes, so it has to run once more, on recorded values. It is
    to find the fields as they were before: one that it changes would be changed twice.
    """
    kind: Any = type(thing)
    beside = [
        name
        for name in getattr(thing, "__dict__", {})
        if name not in made and name.isidentifier()
        and not isinstance(getattr(kind, name, None), cached_property)
    ]  # fmt: skip
    if not beside or not hasattr(kind, "__post_init__"):
        return with_fields(kind, made)
    also = " and ".join(beside)
    told = [field.name for field in fields(thing) if field.init]
    wanted = list(inspect.signature(kind.__init__).parameters)[1:]
    if lost := [name for name in wanted if name not in told]:
        raise RecordingError(
            f"{kind.__name__} has {also} beside its fields, and it cannot be computed again while "
            f"recording: nobody has {' and '.join(lost)} (InitVar) any more; make it a field"
        )
    stand_in = backends.tape.call(kind, **{name: made[name] for name in told})
    for name in told:
        if not _is_same(getattr(stand_in, name), made[name]):
            raise RecordingError(
                f"{kind.__name__}.__post_init__ changes {name}, which it would do twice, and has "
                f"{also} beside its fields; make that a field or a property"
            )
    for name, value in made.items():
        object.__setattr__(stand_in, name, value)
    return stand_in


def _is_same(one: Any, other: Any) -> bool:
    """Say whether two structures hold the same recorded values."""
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one is other


def shortened(head: Any, specs: list[Spec]) -> Spec:
    """Return the structure with these parts; of a list or tuple of numbers there is the count."""
    numbers = head[0] in ("list", "tuple") and specs.count(NUMBER) == len(specs)
    return (*head, len(specs) if numbers else tuple(specs))


def written(result: Any, tape: Tape, ids: list[int]) -> Spec:
    """Return the structure of a recorded function's result; its numbers are appended to `ids`."""
    if type(result) is Traced or isinstance(result, Value):
        ids.append(tape.id_of("a result", result))
        return NUMBER
    if result is None or isinstance(result, (str, bool, Enum)) or type(result) is int:
        return ("is", type(result).__name__, result)  # a count stays one
    if is_array(result):
        for x in result.reshape(-1).tolist():
            if written(float(x) if type(x) is int else x, tape, ids) != NUMBER:
                raise RecordingError("an array that a recorded function returns holds numbers only")
        return ("array", result.shape)
    if (found := opened(result)) is not None:
        head, parts = found
        head = (*head[:-1], tuple(head[-1])) if head[0] == "dict" else head
        return shortened(head, [written(x, tape, ids) for _, x in parts])
    number = ops.real(result)
    if number is None:
        raise RecordingError(
            f"a recorded function returns a number, or lists, tuples, dicts, dataclasses or arrays "
            f"of numbers, not {type(result).__name__}: {result!r:.40}"
        )
    ids.append(tape.constant(number))
    return NUMBER


def differences(old: Sequence[Spec], new: Sequence[Spec], arguments: Sequence[str]) -> str:
    """Say in which arguments two structures differ."""
    return "; ".join(
        f"{name} is {describe(after)}, was {describe(before)}"
        for name, before, after in zip(arguments, old, new, strict=True)
        if before != after
    )
