"""Comprehensions whose `if` is recorded: how many entries they have is not known.

    Filtered   the entries, each with its condition; sums and their kin take it

`[v for v in xs if v > 0]` is a Filtered once a condition is recorded. `sum`, `len`, `max`, `min`,
`any`, `all`, `math.fsum` and `math.prod` know what to do with it. Everything else goes over its
entries, which is refused.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gradwalk.program.recording import branches

__all__ = ["CALLED", "Filtered"]


class _Entry:
    """An entry that counts where a recorded condition holds."""

    __slots__ = ("condition", "value")

    def __init__(self, condition: Any, value: Any) -> None:
        self.condition, self.value = condition, value


class Filtered:
    """What a comprehension with a recorded `if` gives."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        found = next(self._entries)
        if type(found) is _Entry:
            raise branches.refused("a filter")
        return found

    def entries(self) -> list[tuple[Any, Any]]:
        """Return each condition, which may be True, with its value."""
        found = list(self._entries)
        self._entries = iter(found)
        return [(e.condition, e.value) if type(e) is _Entry else (True, e) for e in found]

    def filled(self, neutral: Any) -> list[Any]:
        """Return all entries, with `neutral` in the place of those that do not count."""
        return [
            value if holds is True else branches.select(holds, value, neutral)
            for holds, value in self.entries()
        ]

    def is_recorded(self) -> bool:
        return any(holds is not True for holds, _ in self.entries())


class FilteredList(Filtered):
    """A filtered list: beside its entries it has a length, and is true if one entry counts."""

    def counts(self) -> list[Any]:
        """Return 1 for each entry that counts, and 0 for each that does not."""
        return [1.0 if holds is True else holds for holds, _ in self.entries()]

    def truth(self) -> Any:
        return functools.reduce(branches.or_, [holds for holds, _ in self.entries()])


branches.TRUTHS[FilteredList] = FilteredList.truth


def entry(truth: Any, value: Any) -> Any:
    """Return an entry of a comprehension; `operand` has begun its side."""
    if type(truth) is bool:
        return value
    tape = truth._tape
    side, _ = tape.expressions.pop()
    side.leave()
    branches.settle_alone(truth, side)
    return _Entry(truth, value)


def filtered(made: Any, is_list: bool) -> Any:
    """Return the result of a comprehension with a filter: a list, or an iterator where possible."""
    if not is_list:
        return Filtered(made)
    return FilteredList(made) if any(type(one) is _Entry for one in made) else made


def filtering(ask: Callable[[Any], Any], things: Iterable[Any]) -> Filtered:
    """Return what the builtin filter gives; `ask` returns a truth, which may be recorded."""
    asked = ((ask(thing), thing) for thing in things)
    return Filtered(
        thing if holds is True else _Entry(holds, thing)
        for holds, thing in asked
        if holds is not False
    )


CALLED = {function.__name__: function for function in (entry, filtered)}
