"""The structure of arguments and results: numbers in lists, tuples, dicts, arrays and dataclasses.

A structure (`Spec`) is a nested tuple without any number in it, so it serves as the key under which
a recording is kept, and is written to files as it is:

    "n"                           a number: float, int, bool, a numpy scalar, a Value
    ("list", 3), ("tuple", 3)     three numbers
    ("list", (spec, …))           anything else in a list or tuple
    ("dict", (key, …), (spec, …))
    ("array", (2, 3))             a numpy array of numbers
    ("fields", "Name", (field, …), (spec, …))   a dataclass or named tuple
    ("is", "str", "call")         a str, a class, None, a member of an Enum, or whatever was
                                  declared static, with its exact type: part of the program
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import inspect
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from gradwalk import ops
from gradwalk.engine import Value
from gradwalk.errors import OperandError, RecordingError
from gradwalk.program import backends
from gradwalk.program.recording.recorder import Tape, Traced

__all__ = [
    "Numbers",
    "Reader",
    "Spec",
    "as_array",
    "constant_spec",
    "describe",
    "field_names",
    "is_plain",
    "keys_of",
    "names",
    "rebuild",
    "size",
    "trace",
    "written",
]

Spec = Any
NUMBER = "n"
PLAIN = frozenset({float, int})


class ClassName(str):
    """The name of a class, which is another one where another class has the same name.

    A notebook defines a class anew, with other methods; two modules each have a `Market`. In a file
    there is the name alone, which then stands for any class that is called so.
    """

    def __new__(cls, kind: type) -> ClassName:
        made = super().__new__(cls, kind.__qualname__)
        made.kind = kind
        return made

    kind: type

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True and self.kind is getattr(other, "kind", self.kind)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class Keys(tuple[Any, ...]):
    """The keys of a dict, which are others where one is equal and of another type: 1, 1.0, True."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keys) or not tuple.__eq__(self, other):
            return False
        return all(map(_is_same_type, self, other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple[Any, ...].__hash__


def keys_of(keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the keys of a dict as they stand in a structure: as they are, where that will do."""
    return keys if _TOLD_APART.issuperset(map(type, keys)) else Keys(keys)


_TOLD_APART = frozenset({str, int})


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
        if kind is list or kind is tuple:
            name = "list" if kind is list else "tuple"
            if PLAIN.issuperset(map(type, thing)):
                self.run += thing
                return (name, len(thing))
            specs = tuple([self.read(x, f"{path}[{i}]") for i, x in enumerate(thing)])
            return (name, len(specs) if specs.count(NUMBER) == len(specs) else specs)
        if kind is dict:
            items = [self.read(x, f"{path}[{key!r}]") for key, x in thing.items()]
            return ("dict", keys_of(tuple(thing)), tuple(items))
        # A class comes as an argument where a class method is compiled, from Python 3.13 on.
        if thing is None or isinstance(thing, str | type):
            return ("is", kind.__name__, thing)
        if isinstance(thing, Enum):  # also one that is a number: `kind is Kind.CALL` chooses
            return ("is", ClassName(kind), thing)
        if isinstance(thing, Value):
            self.values.append((self.before + len(self.run), thing))
            self.run.append(thing.data)
            return NUMBER
        if _is_array(thing):
            return self.array(thing, path)
        number = ops.real(thing)
        if number is not None:
            self.run.append(number)
            return NUMBER
        if (names := field_names(thing)) is not None:
            parts = [self.read(getattr(thing, name), f"{path}.{name}") for name in names]
            return ("fields", ClassName(kind), names, tuple(parts))
        if (plain := plainly(thing)) is not None:
            return self.read(plain, path)
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


def plainly(thing: Any) -> Any:
    """Return an instance of a class derived from list, tuple or dict as one of these, or None."""
    for kind in (list, tuple, dict):
        if isinstance(thing, kind):
            return kind(thing)
    return None


def _is_array(thing: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and isinstance(thing, numpy.ndarray)


def field_names(thing: Any) -> tuple[str, ...] | None:
    """Return the names of a dataclass's or a named tuple's fields, or None for anything else."""
    kind: Any = type(thing)
    known = _field_names.get(kind)
    if known is not None:
        return known
    if is_dataclass(kind):
        found = tuple([field.name for field in fields(kind)])
    else:
        found = getattr(kind, "_fields", None)
        if not issubclass(kind, tuple) or not isinstance(found, tuple):
            return None
    _field_names[type(thing)] = found
    return found


_field_names: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()


def constant_spec(thing: Any, path: str) -> Spec:
    """Return the structure of a static argument: it is part of the key, so it must be hashable."""
    try:
        hash(thing)
    except TypeError:
        raise OperandError(
            f"{path} is static, so it must be hashable; a {type(thing).__name__} is not: "
            "give a tuple, or let it vary"
        ) from None
    return ("is", _exact_type(thing), thing)


def _is_same_type(one: Any, other: Any) -> bool:
    return one is other or _exact_type(one) == _exact_type(other)


def _exact_type(thing: Any) -> str:
    """Return what tells constants apart that are equal: 1, True and 1.0, 0.0 and -0.0."""
    if isinstance(thing, tuple):
        return f"tuple of {', '.join(map(_exact_type, thing))}"
    sign = "-" if isinstance(thing, float) and not thing and str(thing)[0] == "-" else ""
    return sign + type(thing).__name__


def size(spec: Spec) -> int:
    """Return how many numbers a structure holds."""
    if spec == NUMBER:
        return 1
    kind = spec[0]
    if kind == "array":
        count = 1
        for length in spec[1]:
            count *= length
        return count
    if kind == "is":
        return 0
    parts = spec[-1]
    return parts if isinstance(parts, int) else sum(map(size, parts))


def is_plain(spec: Spec) -> bool:
    """Say whether a structure is of lists, tuples, dicts and arrays alone, as C can build it."""
    if spec == NUMBER or spec[0] in ("is", "array") or isinstance(spec[-1], int):
        return True
    return spec[0] != "fields" and all(map(is_plain, spec[-1]))


def is_listed(spec: Spec) -> bool:
    """Say whether a structure is of lists, tuples and dicts of numbers alone."""
    if spec == NUMBER:
        return True
    kind, parts = spec[0], spec[-1]
    if kind not in ("list", "tuple", "dict") or (kind == "dict" and type(spec[1]) is not tuple):
        return False
    return isinstance(parts, int) or all(map(is_listed, parts))


def as_array(numbers: bytearray, shape: tuple[int, ...]) -> Any:
    """Return doubles as an array of this shape."""
    import numpy as np

    return np.frombuffer(numbers, np.float64).reshape(shape)


def is_varying(spec: Spec) -> bool:
    """Say whether a structure can hold numbers, as a list can, even an empty one."""
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return False
    if spec == NUMBER or kind == "array" or isinstance(parts, int):
        return True
    return any(map(is_varying, parts))


def names(spec: Spec, name: str) -> Iterator[str]:
    """Yield a name for each number: z[3], curve['1y'][0], model.rate."""
    if spec == NUMBER:
        yield name
        return
    kind, parts = spec[0], spec[-1]
    if kind == "array":
        shape = parts
        for flat in range(size(spec)):
            index: list[str] = []
            for length in reversed(shape):
                flat, place = divmod(flat, length)  # noqa: PLW2901
                index.insert(0, str(place))
            yield f"{name}[{','.join(index)}]" if index else name
    elif kind != "is" and isinstance(parts, int):
        yield from [f"{name}[{i}]" for i in range(parts)]
    elif kind in ("list", "tuple"):
        for i, part in enumerate(parts):
            yield from names(part, f"{name}[{i}]")
    elif kind in ("dict", "fields"):
        for key, part in zip(spec[-2], parts, strict=True):
            yield from names(part, f"{name}[{key!r}]" if kind == "dict" else f"{name}.{key}")


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
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return thing
    if kind == "array":
        import numpy as np

        made = np.empty(parts, object)
        for place in np.ndindex(*parts):
            made[place] = new()
        return made
    if kind in ("list", "tuple"):
        if isinstance(parts, int):
            values = [new() for _ in range(parts)]
        else:
            values = [trace(x, part, new) for x, part in zip(thing, parts, strict=True)]
        return values if kind == "list" else tuple(values)
    if kind == "dict":
        return {k: trace(thing[k], part, new) for k, part in zip(spec[1], parts, strict=True)}
    made = {k: trace(getattr(thing, k), part, new) for k, part in zip(spec[2], parts, strict=True)}
    return _stand_in(thing, made) if is_dataclass(thing) else with_fields(type(thing), made)


def with_fields(kind: type, values: dict[str, Any]) -> Any:
    """Return an instance of a dataclass or named tuple with these in its fields.

    No `__init__` and no `__post_init__` is asked: they would check a gradient as if it were a
    price, or scale what has been scaled already.
    """
    if issubclass(kind, tuple):
        return kind._make(values.values())  # type: ignore[attr-defined]  # pyright: ignore
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


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


class Numbers:
    """A row of numbers, or of Values, that is read from its beginning."""

    __slots__ = ("at", "row")

    def __init__(self, row: Any) -> None:
        self.row = row
        self.at = 0

    def take(self, count: int) -> Any:
        begin = self.at
        self.at = begin + count
        return self.row[begin : self.at]


def rebuild(spec: Spec, numbers: Numbers, like: Any = None) -> Any:
    """Return a structure with these numbers in it. `like` is an instance, for dataclasses.

    Without one, a dataclass is of the class that was recorded; in a file there is none, so a dict.
    """
    if spec == NUMBER:
        return numbers.take(1)[0]
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return parts
    if kind == "array":
        import numpy as np

        row = numbers.take(size(spec))
        if not isinstance(row, array):  # of Values
            made = np.empty(len(row), object)
            made[:] = row
            return made.reshape(parts)
        return np.array(row, np.float64).reshape(parts)
    if kind in ("list", "tuple"):
        if isinstance(parts, int):
            values = list(numbers.take(parts))
        else:
            given = like if isinstance(like, (list, tuple)) else [None] * len(parts)
            values = [rebuild(p, numbers, x) for p, x in zip(parts, given, strict=True)]
        return values if kind == "list" else tuple(values)
    if kind == "dict":
        given = like if isinstance(like, dict) else dict.fromkeys(spec[1])
        return {k: rebuild(p, numbers, given[k]) for k, p in zip(spec[1], parts, strict=True)}
    made = {
        k: rebuild(p, numbers, getattr(like, k, None)) for k, p in zip(spec[2], parts, strict=True)
    }
    if field_names(like) is not None:
        return with_fields(type(like), made)
    return with_fields(spec[1].kind, made) if isinstance(spec[1], ClassName) else made


def written(result: Any, tape: Tape, ids: list[int]) -> Spec:
    """Return the structure of a recorded function's result; its numbers are appended to `ids`."""
    if type(result) is Traced or isinstance(result, Value):
        ids.append(tape.id_of("a result", result))
        return NUMBER
    if result is None or isinstance(result, (str, bool, Enum)) or type(result) is int:
        return ("is", type(result).__name__, result)  # a count stays one
    if isinstance(result, dict):
        items: dict[Any, Any] = result
        return ("dict", tuple(items), tuple([written(x, tape, ids) for x in items.values()]))
    if type(result) in (list, tuple):
        specs = tuple([written(x, tape, ids) for x in result])
        name = "list" if isinstance(result, list) else "tuple"
        return (name, len(specs) if specs.count(NUMBER) == len(specs) else specs)
    if _is_array(result):
        for x in result.reshape(-1).tolist():
            if written(float(x) if type(x) is int else x, tape, ids) != NUMBER:
                raise RecordingError("an array that a recorded function returns holds numbers only")
        return ("array", result.shape)
    if (names := field_names(result)) is not None:
        parts = tuple([written(getattr(result, name), tape, ids) for name in names])
        return ("fields", ClassName(type(result)), names, parts)
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
