"""What lowered control flow asks while a function is recorded (`lower` writes the questions).

    Choice    an `if`: one side where its condition is plain, both where it is recorded
    Loop      a `while`: rounds under a mask, once its condition is recorded
    pick …    the same for `x if c else y`, `and`, `or`, `not`, chained comparisons
    select    one of two things by a recorded condition: numbers, lists, dicts, objects

While a side is recorded, its condition is on the tape's `sides`. What a side does to a list, a dict
or an object is noted (`touch`), undone before the other side is recorded, and selected like names
are. A `raise` on a side becomes a fault of the program: a replay that gets there raises.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import copy
import linecache
import sys
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk import ops
from gradwalk.engine import Value, modes
from gradwalk.program import backends
from gradwalk.program.ir import CODE
from gradwalk.program.recording.lower import RETURNED, VALUE, is_name_of_ours
from gradwalk.program.trace import HEAP_TYPE

__all__ = [
    "CALLED",
    "Fault",
    "Twins",
    "active",
    "negation",
    "or_",
    "refused",
    "select",
    "touch",
    "truth",
]

if TYPE_CHECKING:
    from gradwalk.program import trace as appending
else:
    appending = backends.tape

Traced: Any = appending.Traced
_WHERE = CODE["where"]
FIRST_ROUNDS = 8  # of a loop whose end is recorded; twice as many whenever they are too few


class _Unset:
    def __repr__(self) -> str:
        return "<not assigned>"


UNSET = _Unset()
_CONTAINERS = (list, dict, set, deque, bytearray)
PLAIN = frozenset({float, int, bool, str, tuple, Traced})  # what += does not change in place


class Fault(NamedTuple):
    """Where a replay raises: `condition` is the instruction that must be 0."""

    condition: int
    kind: Any  # the exception's class; None: a loop that has too few rounds
    said: str
    place: tuple[str, int]

    def error(self) -> Exception:
        """Return what a replay raises that meets it."""
        if self.kind is None:
            return TooFewRoundsError(self.place)
        file, line = self.place
        said = self.said or linecache.getline(file, line).strip()
        try:
            error = self.kind(said)
        except Exception:  # a class that wants other arguments
            error = RuntimeError(f"{self.kind.__name__}: {said}")
        if isinstance(error, Exception):
            error.add_note(f"in a replay, by {file}:{line}")
        return error


class TooFewRoundsError(Exception):
    """A loop was recorded with fewer rounds than these arguments need; it is recorded again."""

    def __init__(self, place: tuple[str, int], where: str = "") -> None:
        super().__init__(place)
        self.place = place
        self.where = where


class Either:
    """One of two things that cannot be selected from. Whatever is done with it is refused."""

    def __init__(self, first: Any, second: Any) -> None:
        # Not the things themselves: what was made on one side is to be gone with it.
        self._both = _named(first), _named(second)

    def __repr__(self) -> str:
        return f"<{self._both[0]} on one side of a branch, {self._both[1]} on the other>"

    def refuse(self) -> Exception:
        one, other = self._both
        return refused(f"either a name is {one} on one side of a branch and {other} on the other")

    def __getattr__(self, name: str) -> Any:
        raise self.refuse()


def _refuse_either(either: Any, *_: Any) -> Any:
    raise either.refuse()


for _name in (
    *("eq", "ne", "lt", "le", "gt", "ge", "hash", "bool", "call", "len", "iter", "contains"),
    *("getitem", "setitem", "delitem", "neg", "pos", "abs", "invert", "float", "int", "index"),
    *("round", "floor", "ceil", "trunc", "complex", "format", "str", "enter", "next"),
    *[
        reflected + name
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow")
        for reflected in ("", "r")
    ],
    *("and", "or", "xor", "rand", "ror", "rxor", "matmul", "rmatmul"),
):
    setattr(Either, f"__{_name}__", _refuse_either)


def _named(thing: Any) -> str:
    if thing is UNSET:
        return "not assigned"
    kind = "a number" if _is_number(thing) else type(thing).__name__
    return f"{kind} of {len(thing)}" if isinstance(thing, (list, tuple, dict)) else kind


# ── Conditions ───────────────────────────────────────────────────────────────────────────────


def truth(thing: Any) -> Any:
    """Return True or False, or the recorded condition that a recorded value stands for."""
    if type(thing) is not Traced:
        tape: Any = modes.recorder()
        if tape is None or not isinstance(thing, Value):
            return bool(thing)
        thing = tape.lift(thing)
    if thing._tape.refuses_branches:
        raise thing._tape.refuse("bool()")
    return thing if thing._tape.is_condition(thing) else thing != 0.0


def negation(thing: Any) -> Any:
    found = truth(thing)
    return not found if type(found) is bool else ~found


def or_(one: Any, other: Any) -> Any:
    if type(one) is bool:
        return True if one else other
    if type(other) is bool:
        return True if other else one
    return one | other


def flags(*given: Any) -> Any:
    """Say whether none of these flags is set."""
    found: Any = False
    for flag in given:
        found = or_(found, flag)
    return not found if type(found) is bool else ~found


def plainly(*given: Any) -> bool:
    """Say whether a flag is set whatever is recorded."""
    return any(flag is True for flag in given)


def refused(what: str) -> Exception:
    """Return the error for something that has no recorded form."""
    tape: Any = modes.recorder()
    return tape.refuse(what)


def active(tape: Any) -> Any:
    """Return the condition under which what is recorded now counts; None: it always does."""
    found = None
    for side in tape.sides:
        found = side.condition if found is None else found & side.condition
    return found


@contextmanager
def unguarded(tape: Any) -> Generator[None]:
    """Record as if on no side."""
    kept, tape.sides = tape.sides, []
    try:
        yield
    finally:
        tape.sides = kept


# ── Selection ────────────────────────────────────────────────────────────────────────────────


def select(condition: Any, first: Any, second: Any) -> Any:
    """Return what is the first thing where the condition holds, and else the second."""
    if first is second:
        return first
    kind: Any = type(first)
    if _is_number(first) and _is_number(second):
        return _select_number(condition, first, second)
    if kind is not type(second) or kind is Either:
        return Either(first, second)
    if kind is tuple and len(first) == len(second):
        return tuple([select(condition, a, b) for a, b in zip(first, second, strict=True)])
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return kind(*[select(condition, a, b) for a, b in zip(first, second, strict=True)])
    if _is_plain(first) and first == second:
        return first
    made = _selected_state(condition, first, second)
    if made is None:
        return Either(first, second)
    condition._tape.twins.add(made, first, second)
    return made


def _selected_state(condition: Any, first: Any, second: Any) -> Any:
    """Return a new thing that holds what one or the other holds; None where there is none."""
    kind: Any = type(first)
    views: Any = condition._tape.views
    if views is not None:
        first, second = views[0].get(id(first), first), views[1].get(id(second), second)
    if kind is list and len(first) == len(second):
        return [select(condition, a, b) for a, b in zip(first, second, strict=True)]
    if kind is deque and len(first) == len(second):
        both = zip(first, second, strict=True)
        return deque([select(condition, a, b) for a, b in both], first.maxlen)
    if kind is dict and list(first) == list(second):
        return {key: select(condition, value, second[key]) for key, value in first.items()}
    if kind in (set, bytearray):
        return copy.copy(first) if first == second else None
    if kind.__name__ == "ndarray" and first.shape == second.shape:
        import numpy as np

        array = np.empty(first.shape, object)
        for place in np.ndindex(first.shape):
            array[place] = select(condition, first[place], second[place])
        return array
    if not _has_only_attributes(kind):
        return None
    parts, others = _attributes(first), _attributes(second)
    if parts.keys() != others.keys():
        return None
    made = object.__new__(kind)
    for name, part in parts.items():
        object.__setattr__(made, name, select(condition, part, others[name]))
    return made


def _has_only_attributes(kind: Any) -> bool:
    """Say whether all that an object holds are its attributes: its classes are Python's own."""
    return kind is not Either and all(
        each.__flags__ & HEAP_TYPE
        and type(each.__dict__.get("__new__")) in (staticmethod, type(None))
        for each in kind.__mro__[:-1]
    )


def _attributes(thing: Any) -> dict[str, Any]:
    found = dict(getattr(thing, "__dict__", {}))
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            whole = name
            if name.startswith("__") and not name.endswith("__"):
                whole = f"_{kind.__name__.lstrip('_')}{name}"
            if name not in ("__dict__", "__weakref__") and hasattr(thing, whole):
                found[whole] = getattr(thing, whole)
    return found


class Twins:
    """Things that a selection made new, beside those that it selected from.

    In Python they would be one thing, so none of them may change while another can be seen.
    """

    def __init__(self) -> None:
        self.groups: dict[int, list[tuple[Any, Any, Any]]] = {}

    def add(self, *group: Any) -> None:
        for member in group:
            self.groups.setdefault(id(member), []).append(group)

    def held(self, thing: Any) -> int:
        """Return how many references to a thing are from here."""
        return len(self.groups.get(id(thing), ()))

    def check(self, tape: Any, thing: Any) -> None:
        """Refuse a change of a thing that has a twin which something still refers to."""
        for group in self.groups.get(id(thing), ()):
            for k in range(3):
                if group[k] is thing:
                    continue
                noted = sum([id(group[k]) in side.before for side in tape.sides])
                # getrefcount itself holds one, too
                if sys.getrefcount(group[k]) > 1 + self.held(group[k]) + noted:
                    raise tape.refuse("a list that was selected")

    def clear(self) -> None:
        self.groups.clear()


def _is_plain(thing: Any) -> bool:
    return thing is None or isinstance(thing, (str, bytes, frozenset, range))


def _is_number(thing: Any) -> bool:
    kind = type(thing)
    return kind in (float, int, bool) or kind is Traced or isinstance(thing, Value)


def _select_number(condition: Any, first: Any, second: Any) -> Any:
    if type(first) is type(second) and type(first) is not Traced and repr(first) == repr(second):
        return first
    tape = condition._tape
    made = tape.emit(_WHERE, (condition, first, second), "a branch")
    if _is_condition(tape, first) and _is_condition(tape, second):
        tape.conditions.add(made._id)
    return made


def _is_condition(tape: Any, thing: Any) -> bool:
    return type(thing) is bool or (type(thing) is Traced and tape.is_condition(thing))


# ── Sides ────────────────────────────────────────────────────────────────────────────────────


class Side:
    """What is recorded under a condition: what it changed in lists, dicts and objects."""

    def __init__(self, tape: Any, condition: Any) -> None:
        self.tape = tape
        self.condition = condition
        self.before: dict[int, tuple[Any, Any]] = {}  # what was touched, and what it held
        self.after: dict[int, Any] = {}
        self.never = False  # it raises
        tape.sides.append(self)

    def leave(self) -> None:
        """End the side, and undo what it did to what is shared."""
        if not self.tape.sides or self.tape.sides.pop() is not self:
            raise self.tape.refuse("a branch that was left")
        for key, (thing, before) in self.before.items():
            self.after[key] = _state(thing)
            _put(thing, before)


def touch(thing: Any) -> None:
    """Note what a list, a dict or an object holds, before it is changed on a side."""
    tape: Any = modes.recorder()
    if tape is None or not (tape.sides or tape.twins.groups) or not _can_change(thing):
        return
    tape.twins.check(tape, thing)
    for side in tape.sides:
        if id(thing) not in side.before:
            side.before[id(thing)] = (thing, _state(thing))


def _can_change(thing: Any) -> bool:
    kind: Any = type(thing)
    if isinstance(thing, _CONTAINERS) or kind.__name__ == "ndarray":
        return True
    return not isinstance(thing, (Value, Traced, type)) and _has_only_attributes(kind)


def _state(thing: Any) -> Any:
    if isinstance(thing, _CONTAINERS) or type(thing).__name__ == "ndarray":
        return list(thing) if isinstance(thing, list) else copy.copy(thing)
    made = object.__new__(type(thing))
    for name, part in _attributes(thing).items():
        object.__setattr__(made, name, part)
    return made


def _put(thing: Any, state: Any) -> None:
    if isinstance(thing, (list, bytearray)):
        thing[:] = state
    elif isinstance(thing, (dict, set)):
        thing.clear()
        thing.update(state)
    elif isinstance(thing, deque):
        thing.clear()
        thing.extend(state)
    elif type(thing).__name__ == "ndarray":
        thing[...] = state
    else:
        parts = _attributes(state)
        for name in _attributes(thing).keys() - parts.keys():
            object.__delattr__(thing, name)
        for name, part in parts.items():
            object.__setattr__(thing, name, part)


def _settle(condition: Any, first: Side, second: Side) -> None:
    """Give what the sides changed the states that the condition selects."""
    every = {**second.before, **first.before}
    if not every:
        return
    states: dict[int, Any] = {}
    with _as_left(first, second):
        for key, (_, before) in every.items():
            one, other = first.after.get(key, before), second.after.get(key, before)
            if first.never or second.never:
                states[key] = other if first.never else one
            else:
                states[key] = _selected_state(condition, one, other)
    first.before, second.before, first.after, second.after = {}, {}, {}, {}
    one = other = before = None
    for key in list(every):
        thing, _ = every.pop(key)
        state = states.pop(key)
        if state is not None:
            _put(thing, state)
        elif sys.getrefcount(thing) > _ONLY_HERE + condition._tape.twins.held(thing):
            raise condition._tape.refuse("a list in a branch")
        # else it was made on one side, and is gone with it


@contextmanager
def _as_left(first: Side, second: Side) -> Generator[None]:
    """Select from what lists and objects held at the ends of the sides, not from what they hold."""
    tape = first.tape
    kept, tape.views = tape.views, (first.after, second.after)
    try:
        yield
    finally:
        tape.views = kept


_ONLY_HERE = 2  # `thing`, and what getrefcount itself holds


class Choice:
    """An `if` on a recorded condition: both sides are recorded, then names are selected."""

    first = second = both = True

    def __init__(self, tape: Any, condition: Any, names: tuple[str, ...], given: Any) -> None:
        self._tape = tape
        self._condition = condition
        self._names = names
        self._flags = given

    def enter(self, scope: dict[str, Any]) -> None:
        self._before = [scope.get(name, UNSET) for name in self._names]
        self._one = Side(self._tape, self._condition)

    def turn(self, scope: dict[str, Any]) -> list[Any]:
        """End the first side; return what the names were before it."""
        self._first = [scope.get(name, UNSET) for name in self._names]
        self._one.leave()
        self._other = Side(self._tape, ~self._condition)
        return self._before

    def merge(self, scope: dict[str, Any]) -> list[Any]:
        """End the second side; return what the names are from here on."""
        second = [scope.get(name, UNSET) for name in self._names]
        self._other.leave()
        if self._one.never:
            return second
        if self._other.never:
            return self._first
        every = zip(self._names, self._first, second, strict=True)
        with _as_left(self._one, self._other):
            return [self._merged(*all_) for all_ in every]

    def _merged(self, name: str, first: Any, second: Any) -> Any:
        if first is second:
            return first
        # Behind `if not returned:` the second side has returned, so that nothing of it counts but
        # what it returns.
        if self._flags == (name,):
            second = True
        elif self._asks_for_return() and not is_name_of_ours(name):
            return first
        return _select_named(self._condition, name, first, second)

    def _asks_for_return(self) -> bool:
        return len(self._flags) == 1 and is_name_of_ours(self._flags[0], RETURNED)

    def finish(self, _scope: dict[str, Any]) -> None:
        """Select what the sides did to lists, dicts and objects; all names have their values."""
        one, other = self._one, self._other
        self._first = self._before = []
        _settle(self._condition, one, other)
        if one.never and other.never and self._tape.sides:
            self._tape.sides[-1].never = True


class _Plain:
    """An `if` on a plain condition."""

    both = False

    def __init__(self, first: bool) -> None:
        self.first, self.second = first, not first


_FIRST, _SECOND = _Plain(True), _Plain(False)


def choice(test: Any, names: tuple[str, ...], given: tuple[str, ...]) -> Any:
    """Begin an `if`. `names` are what its sides assign, `given` the flags that it asks for."""
    condition = test if type(test) is bool else truth(test)
    if type(condition) is bool:
        return _FIRST if condition else _SECOND
    return Choice(condition._tape, condition, names, given)


# ── Expressions ──────────────────────────────────────────────────────────────────────────────


def side(condition: Any, first: bool) -> bool:
    """Say whether a side of `x if c else y` is computed; where both are, begin this one."""
    if type(condition) is bool:
        return condition is first
    tape = condition._tape
    if first:
        tape.expressions.append((Side(tape, condition), None))
    else:
        one, _ = tape.expressions.pop()
        one.leave()
        tape.expressions.append((one, Side(tape, ~condition)))
    return True


def operand(condition: Any, first: bool) -> bool:
    """Begin the second operand of `and` or `or`, which is always computed when this is asked."""
    if type(condition) is not bool:
        tape = condition._tape
        tape.expressions.append((Side(tape, condition if first else ~condition), first))
    return True


def pick(condition: Any, first: Any, second: Any) -> Any:
    """Return the value of `first if condition else second`."""
    if type(condition) is bool:
        return first if condition else second
    one, other = condition._tape.expressions.pop()
    other.leave()
    with _as_left(one, other):
        made = select(condition, first, second)
    del first, second
    _settle(condition, one, other)
    return made


def joined(condition: Any, operand: Any, other: Any) -> Any:
    """Return the value of `operand and other` or of `operand or other`, once both are there."""
    if type(condition) is bool:
        return other
    only, is_and = condition._tape.expressions.pop()
    only.leave()
    nothing = _nothing(condition)
    first, second = (only, nothing) if is_and else (nothing, only)
    with _as_left(first, second):
        made = select(condition, *((other, operand) if is_and else (operand, other)))
    _settle(condition, first, second)
    return made


def _nothing(condition: Any) -> Side:
    """Return a side on which nothing happens."""
    made = Side(condition._tape, condition)
    made.leave()
    return made


def contains(thing: Any, where: Any) -> Any:
    """Return `thing in where`."""
    tape: Any = modes.recorder()
    if tape is None or tape.refuses_branches or isinstance(where, (str, dict)):
        return thing in where
    if type(thing) is not Traced and not (
        isinstance(where, (list, tuple)) and any(type(item) is Traced for item in where)
    ):
        return thing in where
    found: Any = False
    for item in where:
        found = or_(found, thing is item or truth(thing == item))
        if found is True:
            break
    return found


# ── Loops ────────────────────────────────────────────────────────────────────────────────────


class Loop:
    """A `while`. Once its condition is recorded, each round counts under that condition."""

    def __init__(self, names: tuple[str, ...], line: int) -> None:
        self._names = names
        self._line = line
        self._rounds = 0
        self.masked = False

    def goes_on(self, test: Any) -> bool:
        condition = truth(test)
        if type(condition) is bool:
            self.masked = False
            return condition
        tape = condition._tape
        place = (sys._getframe(1).f_code.co_filename, self._line)
        if self._rounds >= tape.rounds.get(place, FIRST_ROUNDS):
            _fault(tape, condition, None, "", place)
            return False
        self._rounds += 1
        self.masked = True
        self._tape, self._condition = tape, condition
        return True

    def enter(self, scope: dict[str, Any]) -> None:
        self._before = [scope.get(name, UNSET) for name in self._names]
        self._side = Side(self._tape, self._condition)

    def merge(self, scope: dict[str, Any]) -> list[Any]:
        after = [scope.get(name, UNSET) for name in self._names]
        self._side.leave()
        if self._side.never:
            return self._before
        with _as_left(self._side, _nothing(self._condition)):
            return [
                _kept(self._condition, name, new, old)
                for name, new, old in zip(self._names, after, self._before, strict=True)
            ]

    def finish(self, _scope: dict[str, Any]) -> None:
        self._before = []
        _settle(self._condition, self._side, _nothing(self._condition))


def _kept(condition: Any, name: str, new: Any, old: Any) -> Any:
    if old is UNSET and is_name_of_ours(name):
        return new
    return _select_named(condition, name, new, old)


def _select_named(condition: Any, name: str, first: Any, second: Any) -> Any:
    """Return what a name is. What a function returns is False as long as it has not returned."""
    if is_name_of_ours(name, VALUE) and (first is False or second is False):
        return second if first is False else first
    return select(condition, first, second)


class _Count:
    """range() of recorded values."""

    def __init__(self, begin: Any, end: Any, step: int) -> None:
        self.begin, self.end, self.step = begin, end, step


class _Round:
    """One round of a range whose end is recorded."""

    def __init__(self, index: Any, inside: Any) -> None:
        self.index, self.inside = index, inside
        self.stopped: Any = False


def counted(*given: Any) -> Any:
    """The builtin range, with recorded values among its ends."""
    tape: Any = modes.recorder()
    if tape is None or tape.refuses_branches or not any(type(part) is Traced for part in given):
        return range(*given)
    begin, end, step = (0, *given, 1) if len(given) == 1 else (*given, 1)[:3]
    if type(step) is not int or step == 0:
        raise tape.refuse("an index")
    return _Count(begin, end, step)


def rounds(things: Any, line: int) -> Any:
    """Return what a loop goes over."""
    if type(things) is not _Count:
        return things
    return _rounds(things, (sys._getframe(1).f_code.co_filename, line))


def _rounds(count: _Count, place: tuple[str, int]) -> Iterator[Any]:
    begin, end, step = count.begin, count.end, count.step
    tape = (begin if type(begin) is Traced else end)._tape
    limit = tape.rounds.get(place, FIRST_ROUNDS)
    stopped: Any = False
    for k in range(limit):
        index = begin + k * step
        each = _Round(index, index < end if step > 0 else index > end)
        yield each
        stopped = each.stopped
        if stopped is True:
            return
    last = begin + limit * step
    more = last < end if step > 0 else last > end
    if type(stopped) is not bool:
        more = more & ~stopped
    _fault(tape, more, None, "", place)


def beyond(each: Any, over: Any, stopped: Any) -> Any:
    """Say whether a range is over before this round; `stopped`: whether the loop was left."""
    if type(each) is not _Round:
        return over
    over = or_(over, negation(each.inside))
    each.stopped = or_(stopped, over)
    return over


def index(each: Any) -> Any:
    return each.index if type(each) is _Round else each


def ended(returned: Any, value: Any, always: bool) -> Any:
    """Return what a function returns."""
    if returned is False:
        return None
    if returned is True or always:
        return value
    raise returned._tape.refuse("a missing return")


# ── Faults ───────────────────────────────────────────────────────────────────────────────────


def must_raise(kind: Any, said: str) -> bool:
    """Say whether `raise` raises now; on a side of a branch it becomes a fault of the program."""
    tape: Any = modes.recorder()
    if tape is None or len(tape.sides) == (tape.caught or 0):
        return True
    if tape.caught is not None:
        raise tape.refuse("a try")
    frame = sys._getframe(1)
    _fault(tape, None, kind or RuntimeError, said, (frame.f_code.co_filename, frame.f_lineno))
    tape.sides[-1].never = True
    return False


def _fault(tape: Any, condition: Any, kind: Any, said: str, place: tuple[str, int]) -> None:
    counts = active(tape)
    if condition is None:
        condition = counts
    elif counts is not None:
        condition = counts & condition
    tape.faults.append(Fault(condition._id, kind, said, place))


# ── What is read and written ─────────────────────────────────────────────────────────────────


def item(thing: Any, key: Any) -> Any:
    """Return thing[key]."""
    if type(key) is not Traced or key._tape.refuses_branches:
        return thing[key]
    if not isinstance(thing, (list, tuple, range)) and type(thing).__name__ != "ndarray":
        return thing[key]
    table = list(thing)
    if not table:
        return thing[0]
    place = ops.where(key < 0.0, key + float(len(table)), key)
    if all(map(_is_number, table)) or isinstance(table[0], (list, tuple)):
        return place._take(table)
    found = table[-1]
    for k in range(len(table) - 2, -1, -1):
        found = select(place == float(k), table[k], found)
    return found


def set_item(thing: Any, key: Any, value: Any) -> None:
    touch(thing)
    own = getattr(type(thing), "__setitem__", None)
    if type(own) is FunctionType:
        appending.call(own, thing, key, value)
        return
    if type(key) is not Traced or not isinstance(thing, list):
        thing[key] = value
        return
    place = ops.where(key < 0.0, key + float(len(thing)), key)
    found: Any = False
    for k in range(len(thing)):
        here = place == float(k)
        found = or_(found, here)
        thing[k] = select(here, value, thing[k])
    frame = sys._getframe(1)
    where = frame.f_code.co_filename, frame.f_lineno
    _fault(key._tape, negation(found), IndexError, "list assignment index out of range", where)


def set_attribute(thing: Any, name: str, value: Any) -> None:
    own = getattr(type(thing), name, None)
    if type(own) is property and own.fset is not None:
        appending.call(own.fset, thing, value)
        return
    tape: Any = modes.recorder()
    if tape is not None and tape.sides and not _can_change(thing):
        raise tape.refuse("an attribute in a branch")
    touch(thing)
    setattr(thing, name, value)


def delete_item(thing: Any, key: Any) -> None:
    touch(thing)
    del thing[key]


def delete_attribute(thing: Any, name: str) -> None:
    touch(thing)
    delattr(thing, name)


def outer_names() -> None:
    """Begin a function that assigns names of others, which no branch of a caller can select."""
    tape: Any = modes.recorder()
    if tape is not None and tape.sides:
        raise tape.refuse("a name of another function")


def trying() -> Any:
    """Begin a `try` or a `with`, which may catch what is raised in it; return what was before."""
    tape: Any = modes.recorder()
    if tape is None:
        return None
    before, tape.caught = tape.caught, len(tape.sides)
    return before


def tried(before: Any) -> None:
    tape: Any = modes.recorder()
    if tape is not None:
        tape.caught = before


def identical(one: Any, other: Any) -> Any:
    """Return `one is other`."""
    for thing, truth_ in ((one, other), (other, one)):
        if type(thing) is Either:
            raise thing.refuse()
        if type(thing) is Traced and type(truth_) is bool and thing._tape.is_condition(thing):
            return thing if truth_ else ~thing
    return one is other


CHANGES = frozenset(
    [
        "append",
        "extend",
        "insert",
        "remove",
        "pop",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
        "add",
        "discard",
        "appendleft",
        "extendleft",
        "popleft",
        "rotate",
        "fill",
        "put",
        "resize",
        "partition",
        "itemset",
    ]
)


def changed(callee: Any, /, *args: Any, **named: Any) -> Any:
    """Call a method of a list, dict or set; on a side of a branch, note what it holds before."""
    if callee.__name__ in CHANGES:
        touch(callee.__self__)
    return callee(*args, **named)


# What lowered code calls or reads, by its name.
CALLED = {
    **{
        function.__name__: function
        for function in (
            choice,
            flags,
            plainly,
            truth,
            side,
            operand,
            pick,
            joined,
            negation,
            contains,
            rounds,
            beyond,
            index,
            ended,
            must_raise,
            set_item,
            set_attribute,
            item,
            touch,
            delete_item,
            delete_attribute,
            outer_names,
            trying,
            tried,
            identical,
        )
    },
    "Loop": Loop,
    "PLAIN": PLAIN,
    "UNSET": UNSET,
}
