"""Comprehensions whose `if` is recorded: how many entries they have is not known.

    Filtered   the entries, each with its condition; sums and their kin take it
    part       xs[a:b] with a recorded end: the entries from a to b count

`[v for v in xs if v > 0]` is a Filtered once a condition is recorded. `sum`, `len`, `max`, `min`,
`any`, `all`, `next`, `math.fsum`, `math.prod` and a loop know what to do with it. Everything else
goes over its entries, which is refused.
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

    def each(self) -> Iterator[Any]:
        """Yield the entries for a loop, one when it is its turn."""
        return self._entries

    def first(self, *default: Any) -> Any:
        """Return the first entry that counts, as `next` does; what is left cannot be used."""
        found: list[tuple[Any, Any]] = []
        for one in self._entries:
            found.append((one.condition, one.value) if type(one) is _Entry else (True, one))
            if found[-1][0] is True:
                break
            if len(found) >= _MOST:
                raise branches.refused("a filter")
        self._entries = _used_up()
        if found and found[-1][0] is True:
            made = found.pop()[1]
        elif default:
            made = default[0]
        else:
            made = branches.NEVER
            some = functools.reduce(branches.or_, [holds for holds, _ in found], False)
            branches.must_hold(some, StopIteration, "no entry counts")
        for holds, value in reversed(found):
            made = branches.select(holds, value, made)
        return made


_MOST = 10_000  # entries that `next` looks at


def _used_up() -> Iterator[Any]:
    raise branches.refused("a filter")
    yield


class FilteredList(Filtered):
    """A filtered list: beside its entries it has a length, and is true if one entry counts."""

    def each(self) -> Iterator[Any]:
        self.entries()  # which keeps them
        return iter([one if holds is True else _Entry(holds, one) for holds, one in self.entries()])

    def __next__(self) -> Any:
        raise branches.refused("a filter")

    def __getitem__(self, _: Any) -> Any:
        raise branches.refused("a filter")

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


def part(things: Any, begin: Any, end: Any) -> Any:
    """Return things[begin:end]; with a recorded end, entries that count between the two."""
    ends = [one for one in (begin, end) if type(one) is branches.Traced]
    if not ends or not isinstance(things, (list, tuple)) or ends[0]._tape.refuses_branches:
        return things[begin:end]
    for one in ends:
        branches.note_index(one)
    count = float(len(things))
    low, high = [
        one if one is None else branches.select(branches.truth(one < 0.0), one + count, one)
        if type(one) is branches.Traced else one + count if one < 0 else one
        for one in (begin, end)
    ]  # fmt: skip
    made: list[Any] = []
    for k, thing in enumerate(things):
        holds = branches.negation(False if low is None else low > k)
        if high is not None:
            below = high > k
            holds = below if holds is True else holds is not False and (
                holds if below is True else below is not False and holds & below
            )  # fmt: skip
        if holds is not False:
            made.append(thing if holds is True else _Entry(holds, thing))
    return filtered(made, True)


def entries(things: Any) -> Any:
    """Return what a loop goes over: of something filtered, entries with their conditions."""
    return things.each() if isinstance(things, Filtered) else things


def counts(each: Any) -> Any:
    """Say whether an entry counts."""
    return each.condition if type(each) is _Entry else True


def value(each: Any) -> Any:
    return each.value if type(each) is _Entry else each


CALLED = {
    function.__name__: function for function in (entry, filtered, part, entries, counts, value)
}
