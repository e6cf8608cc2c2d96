"""What a lowered `match` asks about its subject, as Python's own does (`cases` writes it)."""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gradwalk.program import backends

__all__ = ["CALLED"]

if TYPE_CHECKING:
    from gradwalk.program import trace as appending
else:
    appending = backends.tape

# `case float(x)` gives the number itself, and so for these.
_THEMSELVES = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def is_sequence(thing: Any, least: int, or_more: bool) -> Any:
    if not isinstance(thing, Sequence) or isinstance(thing, (str, bytes, bytearray)):
        return False
    return len(thing) >= least if or_more else len(thing) == least


def middle(thing: Any, before: int, behind: int) -> list[Any]:
    """Return the part of a sequence that a star stands for."""
    return list(thing)[before : len(thing) - behind]


def has_keys(thing: Any, keys: tuple[Any, ...]) -> Any:
    return isinstance(thing, Mapping) and all(key in thing for key in keys)


def without_keys(thing: Any, keys: tuple[Any, ...]) -> dict[Any, Any]:
    return {key: part for key, part in thing.items() if key not in keys}


def is_of_class(thing: Any, kind: type) -> Any:
    return appending.call(isinstance, thing, kind)


def part_of_class(thing: Any, kind: Any, place: int) -> Any:
    if place == 0 and "__match_args__" not in vars(kind) and issubclass(kind, _THEMSELVES):
        return thing
    return appending.attribute(thing, kind.__match_args__[place])


def has_attribute(thing: Any, name: str) -> Any:
    return hasattr(thing, name)


CALLED = {
    function.__name__: function
    for function in (
        is_sequence,
        middle,
        has_keys,
        without_keys,
        is_of_class,
        part_of_class,
        has_attribute,
    )
}
