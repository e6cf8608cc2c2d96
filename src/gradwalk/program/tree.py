"""Structures of numbers, taken apart and put together: the one place that knows what holds others.

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

    opened, part       the parts of a thing, or one of them
    parts_of           the parts of a structure
    closed             the thing of a structure, from its parts
    flatten, rebuild   a thing as a row of leaves and a structure, and back
"""

# A leaf is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from math import prod
from typing import Any
from weakref import WeakKeyDictionary

from gradwalk.ops import real

Spec = Any
NUMBER = "n"


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
        return all(exact_type(a) == exact_type(b) for a, b in zip(self, other, strict=True))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple[Any, ...].__hash__


def keys_of(keys: Iterable[Any]) -> tuple[Any, ...]:
    """Return the keys of a dict as they stand in a structure: as they are, where that will do."""
    found = tuple(keys)
    return found if _TOLD_APART.issuperset(map(type, found)) else Keys(found)


_TOLD_APART = frozenset({str, int})


def exact_type(thing: Any) -> str:
    """Return what tells constants apart that are equal: 1, True and 1.0, 0.0 and -0.0."""
    if isinstance(thing, tuple):
        return f"tuple of {', '.join(map(exact_type, thing))}"
    sign = "-" if isinstance(thing, float) and not thing and str(thing)[0] == "-" else ""
    return sign + type(thing).__name__


# ── One step ─────────────────────────────────────────────────────────────────────────────────


def opened(thing: Any) -> tuple[Any, list[tuple[Any, Any]]] | None:
    """Return what a thing is, as a structure without its last entry, and its parts by their keys.

    None for what holds no parts here: a number, an array, anything else.
    """
    kind: Any = type(thing)
    if kind not in (list, tuple, dict) and (names := field_names(thing)) is not None:
        return ("fields", ClassName(kind), names), [(name, getattr(thing, name)) for name in names]
    if isinstance(thing, dict):
        return ("dict", keys_of(thing)), list(thing.items())
    for base in (list, tuple):
        if isinstance(thing, base):
            return (base.__name__,), list(enumerate(thing))
    return None


def part(thing: Any, kind: str, key: Any) -> Any:
    """Return the part of a thing under a key."""
    return getattr(thing, key) if kind == "fields" else thing[key]


def path_of(kind: str, key: Any) -> str:
    """Return how a part is written behind the name of the whole: [3], ['1y'], .rate."""
    return f".{key}" if kind == "fields" else f"[{key!r}]"


def parts_of(spec: Spec) -> Iterable[tuple[Any, Spec]]:
    """Return the parts of a structure, each behind its key."""
    kind, parts = spec[0], spec[-1]
    if spec == NUMBER or kind in ("is", "array"):
        return ()
    if isinstance(parts, int):
        parts = (NUMBER,) * parts
    return zip(spec[-2] if kind in ("dict", "fields") else range(len(parts)), parts, strict=True)


def closed(spec: Spec, parts: Sequence[Any], like: Any = None, *, as_dict: bool = False) -> Any:
    """Return the list, tuple, dict or instance of a structure that holds these parts.

    `like` is an instance, for dataclasses. Without one, a dataclass is of the class in the
    structure; in a file there is none, so a dict.
    """
    kind = spec[0]
    if kind in ("list", "tuple"):
        return list(parts) if kind == "list" else tuple(parts)
    made = dict(zip(spec[-2], parts, strict=True))
    if kind == "dict" or as_dict:
        return made
    if field_names(like) is not None:
        return with_fields(type(like), made)
    return with_fields(spec[1].kind, made) if isinstance(spec[1], ClassName) else made


# ── All steps ────────────────────────────────────────────────────────────────────────────────


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


def flatten(thing: Any) -> tuple[list[Any], Spec]:
    """Return the leaves of a thing in order, and its structure without them.

    A leaf is what can be differentiated by. None, booleans, texts and other objects have none.
    """
    leaves: list[Any] = []
    return leaves, _flattened(thing, leaves)


def _flattened(thing: Any, leaves: list[Any]) -> Spec:
    kind: Any = type(thing)
    if kind is float or hasattr(kind, "_apply"):
        leaves.append(thing)
        return NUMBER
    number = None if kind is bool else real(thing)
    if number is not None:
        leaves.append(number)
        return NUMBER
    if is_array(thing):
        leaves.extend([x if hasattr(type(x), "_apply") else float(x) for x in thing.flat])
        return ("array", thing.shape)
    found = opened(thing)
    if found is None:
        return ("is", kind.__name__, thing)
    head, parts = found
    return (*head, tuple([_flattened(x, leaves) for _, x in parts]))


def rebuild(spec: Spec, numbers: Numbers | Sequence[Any], like: Any = None) -> Any:
    """Return a structure with these numbers in it: see `closed`."""
    if not isinstance(numbers, Numbers):
        numbers = Numbers(numbers)
    if spec == NUMBER:
        return numbers.take(1)[0]
    kind, parts = spec[0], spec[-1]
    if kind == "is":
        return parts
    if kind == "array":
        return stack(numbers.take(prod(parts)), parts)
    if isinstance(parts, int):
        return closed(spec, numbers.take(parts))
    made: list[Any] = []
    for key, each in parts_of(spec):
        try:
            inner = None if like is None else part(like, kind, key)
        except (TypeError, LookupError, AttributeError):
            inner = None
        made.append(rebuild(each, numbers, inner))
    return closed(spec, made, like)


def stack(entries: Any, shape: tuple[int, ...]) -> Any:
    """Return an array of numbers, of objects, or of arrays that all have one shape."""
    import numpy as np

    if isinstance(entries, array) or all(type(entry) is float for entry in entries):
        return np.array(entries, np.float64).reshape(shape)
    if entries and all(map(is_array, entries)):
        return np.array(entries).reshape(*shape, *entries[0].shape)
    made = np.empty(len(entries), object)
    made[:] = entries
    return made.reshape(shape)


# ── Kinds of things ──────────────────────────────────────────────────────────────────────────


def is_array(thing: Any) -> bool:
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
