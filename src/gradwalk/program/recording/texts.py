"""Texts that were made from recorded values: they can be printed and nothing else.

A recorded value has no number yet, so a text of it says something else than the function would
see on floats. Its length, its characters and comparisons with it are refused.
"""

from __future__ import annotations

from typing import Any

from gradwalk.program.recording import branches

__all__ = ["MARK", "Shown", "text"]

MARK = "<recorded value %"


class Shown(str):
    """The text of a recorded value, or one that has such a text in it."""

    __slots__ = ()

    def __add__(self, other: str) -> str:
        return Shown(str.__add__(self, other))

    def __radd__(self, other: str) -> str:
        return Shown(str.__add__(other, self))


def text(made: Any) -> Any:
    """Return a text; one with a recorded value's text in it comes back as `Shown`."""
    return Shown(made) if type(made) is str and MARK in made else made


def _refuse(*_: Any, **__: Any) -> Any:
    raise branches.refused("a format")


# Methods that printing, formatting and pickling need are kept.
_KEPT = {
    *("__add__", "__radd__", "__class__", "__new__", "__init__", "__getattribute__", "__str__"),
    *("__repr__", "__format__", "__doc__", "__reduce__", "__reduce_ex__", "__dir__"),
    *("__subclasshook__", "__init_subclass__", "__setattr__", "__delattr__", "__getnewargs__"),
    *("__getstate__", "__sizeof__"),
}
for _name in set(dir(str)) - _KEPT:
    setattr(Shown, _name, _refuse)
