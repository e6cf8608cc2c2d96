"""What lowered control flow asks while a function is recorded (`lower` writes the questions).

    truth     Python's own True or False, and a guard that it stays so; or, in a region that may be
              merged (`proof`), the recorded condition
    Choice    an `if`: one side where its condition is plain, both where it may be merged
    Loop      a `while`: Python's own rounds, or rounds under a mask
    pick …    the same for `x if c else y`, `and`, `or`, `not`, chained comparisons
    select    one of two numbers by a recorded condition

While a side is recorded, its condition is on the tape's `sides`. What a side assigns to an entry or
an attribute is selected at once, in place; what it assigns to names is selected at its end.
Whatever cannot be selected raises `Unmerged`: the function is recorded again, and follows Python at
that line.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import builtins
import contextlib
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import chain, islice
from operator import length_hint
from types import FunctionType
from typing import TYPE_CHECKING, Any

from gradwalk import ops
from gradwalk.engine import Value, modes
from gradwalk.errors import LoopError
from gradwalk.program import backends
from gradwalk.program.ir import CODE, RAISE, ROUNDS, Guard, Place
from gradwalk.program.recording import proof
from gradwalk.program.recording.lower import RETURNED, VALUE, is_name_of_ours
from gradwalk.program.trace import user_frame

__all__ = [
    "CALLED",
    "EVERYTHING",
    "FIRST_ROUNDS",
    "INTEGERS",
    "LARGE",
    "Unmerged",
    "active",
    "condition_of",
    "guard",
    "is_number",
    "item",
    "negation",
    "or_",
    "select",
    "truth",
]

if TYPE_CHECKING:
    from gradwalk.program import trace as appending
else:
    appending = backends.tape

Traced: Any = appending.Traced
_WHERE = CODE["where"]
EVERYTHING: Place = ("", 1)  # among the places that are not merged
LARGE = 2.0**40  # int() of what is less stays recorded
INTEGERS: Place = ("", 0)  # the same for int() and comparisons: they give Python's own int and bool
FIRST_ROUNDS = 8  # of a loop whose end is merged; twice as many whenever they are too few


class Unmerged(BaseException):
    """A region cannot be merged after all: record again, and follow Python at this place."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.place = place


class _Unset:
    def __repr__(self) -> str:
        return "<not assigned>"


UNSET = _Unset()


# ── Conditions ───────────────────────────────────────────────────────────────────────────────


def condition_of(thing: Any) -> Any:
    """Return True or False, or the recorded condition that a recorded number stands for."""
    if type(thing) is bool:
        return thing
    if type(thing) is not Traced:
        tape: Any = modes.recorder()
        if tape is None or not isinstance(thing, Value):
            own = getattr(type(thing), "__bool__", None)
            if type(own) is not FunctionType:
                return bool(thing)
            found = condition_of(appending.call(own, thing))
            return found if type(found) is bool else found._tape.observe(found)
        thing = tape.lift(thing)
    return thing if thing._tape.is_condition(thing) else thing != 0.0


def truth(thing: Any, facts: Any = None) -> Any:
    """Return True or False; the recorded condition where its region may be merged."""
    found = condition_of(thing)
    if type(found) is bool or _merges(found._tape, facts, sys._getframe(1)):
        return found
    return found._tape.observe(found)


def _merges(tape: Any, facts: Any, frame: Any) -> bool:
    """Say whether the region that begins in this frame may be merged: see `proof`."""
    if tape.sides or facts is True:
        return True
    if facts is None or tape.caught or not _may_merge(tape, _place(frame)):
        return False
    return proof.holds(facts, frame, tape.asked)


def _may_merge(tape: Any, place: Place) -> bool:
    known = tape.unmerged
    return tape.left is None and place not in known and EVERYTHING not in known


def negation(thing: Any) -> Any:
    found = condition_of(thing)
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


def active(tape: Any) -> Any:
    """Return the condition under which what is recorded now counts; None: it always does."""
    found = None
    for side in tape.sides:
        found = side.condition if found is None else found & side.condition
    return found


@contextlib.contextmanager
def unguarded(tape: Any) -> Generator[None]:
    """Record as if on no side."""
    kept, tape.sides = tape.sides, []
    try:
        yield
    finally:
        tape.sides = kept


# ── Selection ────────────────────────────────────────────────────────────────────────────────


def is_number(thing: Any) -> bool:
    kind = type(thing)
    return kind in (float, int, bool) or kind is Traced or isinstance(thing, Value)


def is_table(thing: Any, depth: int = 3) -> bool:
    """Say whether a thing is a list, tuple or array of numbers, or of such lists."""
    if type(thing) is range:
        return True
    if type(thing).__name__ == "ndarray":
        return thing.dtype.kind in "fiub" or all(map(is_number, thing.flat))
    if type(thing) not in (list, tuple):
        return False
    return all(is_number(one) or (depth > 0 and is_table(one, depth - 1)) for one in thing)


def select(condition: Any, first: Any, second: Any) -> Any:
    """Return a number that is the first where the condition holds, else the second."""
    if first is second:
        return first
    if is_number(first) and is_number(second):
        return _select_number(condition, first, second)
    if type(first) is tuple and type(second) is tuple and len(first) == len(second):
        return tuple([select(condition, a, b) for a, b in zip(first, second, strict=True)])
    raise condition._tape.abandoned()


def _select_number(condition: Any, first: Any, second: Any) -> Any:
    if type(first) is type(second) and type(first) is not Traced and repr(first) == repr(second):
        return first
    if type(first) is bool and type(second) is bool:
        return condition if first else ~condition
    tape = condition._tape
    made = tape.emit(_WHERE, (condition, first, second), "a branch")
    if _is_condition(tape, first) and _is_condition(tape, second):
        tape.conditions.add(made._id)
    else:
        _note_ints(tape, made, (first, second))
    return made


def _note_ints(tape: Any, made: Any, parts: Sequence[Any]) -> None:
    """Note that a selection has an int among what it selects, whose text is not that of a float."""
    if any(type(part) in (int, bool) for part in parts):
        if INTEGERS in tape.unmerged:
            raise tape.abandoned()
        tape.mixed.add(made._id)


def _is_condition(tape: Any, thing: Any) -> bool:
    return type(thing) is bool or (type(thing) is Traced and tape.is_condition(thing))


# ── Sides ────────────────────────────────────────────────────────────────────────────────────


class Side:
    """What is recorded under a condition."""

    def __init__(
        self, tape: Any, condition: Any, place: Place, decision: tuple[int, bool] | None = None
    ) -> None:
        self.tape = tape
        self.condition = condition
        self.place = place
        # The branch that this is a side of; without one, the branch of the side around it.
        self.decision = decision or (tape.sides[-1].decision if tape.sides else (-1, True))
        self.never = False  # it raises
        tape.sides.append(self)
        if tape.spans is not None:
            self.whole, self.begin = active(tape), tape.count

    def leave(self) -> None:
        """End the side."""
        if not self.tape.sides or self.tape.sides.pop() is not self:
            raise self.tape.abandoned(self.place)
        if self.tape.spans is not None:
            self.tape.spans.append((self.begin, self.tape.count, self.whole))


class Choice:
    """An `if` on a recorded condition: both sides are recorded, then names are selected."""

    first = second = both = True

    def __init__(
        self, tape: Any, condition: Any, names: tuple[str, ...], given: Any, place: Any
    ) -> None:
        self._decision = tape.decide(condition, None if given else place)
        self._tape = tape
        self._condition = condition
        self._names = names
        self._flags = given
        self._place = place

    def enter(self, scope: dict[str, Any]) -> None:
        self._before = [scope.get(name, UNSET) for name in self._names]
        self._one = Side(self._tape, self._condition, self._place, (self._decision, True))

    def turn(self, scope: dict[str, Any]) -> list[Any]:
        """End the first side; return what the names were before it."""
        self._first = [scope.get(name, UNSET) for name in self._names]
        self._one.leave()
        self._other = Side(self._tape, ~self._condition, self._place, (self._decision, False))
        return self._before

    def merge(self, scope: dict[str, Any]) -> list[Any]:
        """End the second side; return what the names are from here on."""
        second = [scope.get(name, UNSET) for name in self._names]
        self._other.leave()
        if self._one.never and self._other.never and self._tape.sides:
            self._tape.sides[-1].never = True
        if self._one.never:
            return second
        if self._other.never:
            return self._first
        every = zip(self._names, self._first, second, strict=True)
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
        return _select_named(self._condition, name, first, second, self._place)

    def _asks_for_return(self) -> bool:
        return len(self._flags) == 1 and is_name_of_ours(self._flags[0], RETURNED)


def _place(frame: Any) -> tuple[str, int]:
    return frame.f_code.co_filename, frame.f_lineno


class _Plain:
    """An `if` on a plain condition."""

    both = False

    def __init__(self, first: bool) -> None:
        self.first, self.second = first, not first


_FIRST, _SECOND = _Plain(True), _Plain(False)


def choice(test: Any, names: tuple[str, ...], given: tuple[str, ...], facts: Any) -> Any:
    """Begin an `if`. `names` are what its sides assign, `given` the flags that it asks for."""
    if type(test) is bool:
        return _FIRST if test else _SECOND
    condition = condition_of(test)
    frame = sys._getframe(1)
    if type(condition) is not bool and not _merges(condition._tape, facts, frame):
        condition = condition._tape.observe(condition)
    if type(condition) is bool:
        return _FIRST if condition else _SECOND
    if given and not condition._tape.sides:  # nothing was left so far
        condition._tape.exits.append([condition._id])
    return Choice(condition._tape, condition, names, given, _place(frame))


# ── Expressions ──────────────────────────────────────────────────────────────────────────────


def side(condition: Any, first: bool) -> bool:
    """Say whether a side of `x if c else y` is computed; where both are, begin this one."""
    if type(condition) is bool:
        return condition is first
    tape, place = condition._tape, _place(sys._getframe(1))
    if first:
        decision = tape.decide(condition, place)
        tape.expressions.append((Side(tape, condition, place, (decision, True)), None))
    else:
        one, _ = tape.expressions.pop()
        one.leave()
        other = Side(tape, ~condition, place, (one.decision[0], False))
        tape.expressions.append((one, other))
    return True


def operand(condition: Any, first: bool) -> bool:
    """Begin the second operand of `and` or `or`, which is always computed when this is asked."""
    if type(condition) is not bool:
        tape = condition._tape
        decision = (tape.decide(condition, None), first)
        holds, place = condition if first else ~condition, _place(sys._getframe(1))
        tape.expressions.append((Side(tape, holds, place, decision), first))
    return True


def pick(condition: Any, first: Any, second: Any) -> Any:
    """Return the value of `first if condition else second`."""
    if type(condition) is bool:
        return first if condition else second
    _, other = condition._tape.expressions.pop()
    other.leave()
    return select(condition, first, second)


def joined(condition: Any, operand: Any, other: Any) -> Any:
    """Return the value of `operand and other` or of `operand or other`, once both are there."""
    if type(condition) is bool:
        return other
    only, is_and = condition._tape.expressions.pop()
    only.leave()
    return select(condition, *((other, operand) if is_and else (operand, other)))


def contains(thing: Any, where: Any) -> Any:
    """Return `thing in where`; of numbers it is recorded."""
    tape: Any = modes.recorder()
    if tape is None or type(where) not in (list, tuple) or not is_number(thing):
        return thing in where
    if not all(map(is_number, where)):
        return thing in where
    found: Any = False
    for item in where:
        found = or_(found, thing is item or condition_of(thing == item))
        if found is True:
            break
    return found


def compared(found: Any) -> Any:
    """Return what a comparison gives where it is no condition of a branch."""
    if type(found) is not Traced or INTEGERS not in found._tape.unmerged or found._tape.sides:
        return found
    return found._tape.observe(found) if found._tape.is_condition(found) else found


def kind_of(thing: Any) -> type:
    """Return `thing.__class__`."""
    return thing._tape.kind(thing) if type(thing) is Traced else thing.__class__


def of_kinds(subject: Any) -> Any:
    """Return the subject of a `match` that asks for classes, of all numbers in it, too."""
    for part in subject if type(subject) in (list, tuple) else [subject]:
        if type(part) is Traced and not part._tape.ended:
            part._tape.kind(part)
    return subject


class _Singleton:
    """What `case True` and `case False` compare with."""

    def __init__(self, only: bool) -> None:
        self._only = only

    def __eq__(self, thing: object) -> Any:
        return identical(thing, self._only)

    __hash__ = None  # type: ignore[assignment]


def identical(one: Any, other: Any) -> Any:
    """Return `one is other`. A recorded condition is the bool that it would be."""
    for thing, truth_ in ((one, other), (other, one)):
        if type(thing) is Traced and type(truth_) is bool:
            if thing._tape.is_condition(thing):
                return thing if truth_ else ~thing
            assert thing._tape.kind(thing) is not bool
    return one is other


# ── Loops ────────────────────────────────────────────────────────────────────────────────────


def _may_go_on(tape: Any, rounds: int, place: Place) -> None:
    """Raise where Python ends a loop later than `compile(steps=…)` allows."""
    if rounds > tape.steps:
        error = LoopError(
            f"{place[0]}:{place[1]}: the loop does not end within {tape.steps:,} rounds; "
            "give compile(steps=…) if it needs more"
        )
        tape.refused = tape.refused or error
        raise error


def each(things: Any) -> Any:
    """Return what a `for` goes over. Where that may have no end, Python decides one by what is
    recorded: so many times at most as in a `while`, behind as many rounds that nobody counts.
    """
    tape: Any = modes.recorder()
    if tape is None or _is_short(things, 1000 * tape.steps):
        return things
    items = chain(things)  # which asks for nothing behind the end: a zip would take one more
    return chain(islice(items, tape.steps), _counted(items, tape))  # most end in the first, in C


def _is_short(things: Any, most: int) -> bool:
    """Say whether a loop goes over what is in memory, or over so many things at most."""
    is_kept = hasattr(things, "__len__") and type(things) is not range
    try:
        return is_kept or 0 <= length_hint(things, -1) <= most
    except OverflowError:  # range(10**20)
        return False


def _counted(items: Iterator[Any], tape: Any) -> Iterator[Any]:
    rounds, place = 0, _place(sys._getframe(1))  # the line of the `for` that asks for an item
    for item in items:
        seen = len(tape.observed)
        yield item
        rounds += len(tape.observed) > seen
        _may_go_on(tape, rounds, place)


class Loop:
    """A `while`. Where its condition is merged, each round counts under that condition."""

    def __init__(self, names: tuple[str, ...], line: int, facts: Any) -> None:
        self._names = names
        self._line = line
        self._facts = facts
        self._rounds = 0
        self._exits: list[int] = []
        self._decision = -1
        self.masked = False

    def goes_on(self, test: Any) -> bool:
        condition = test if type(test) is bool else condition_of(test)
        if type(condition) is bool:
            self.masked = False
            return condition
        tape, frame = condition._tape, sys._getframe(1)
        place = (frame.f_code.co_filename, self._line)
        if not (self.masked or tape.sides) and (
            not _may_merge(tape, place) or not _merges(tape, self._facts, frame)
        ):
            self._rounds += 1
            _may_go_on(tape, self._rounds, place)
            return tape.observe(condition)
        if self._rounds >= tape.rounds.get(place, FIRST_ROUNDS):
            guard(tape, condition, ROUNDS, place)
            return False
        if not tape.sides:
            if not self._exits:
                tape.exits.append(self._exits)
            self._exits.append(condition._id)
        self._rounds += 1
        self.masked = True
        self._tape, self._condition = tape, condition
        self._decision = tape.decide(condition, place, self._decision)
        return True

    def enter(self, scope: dict[str, Any]) -> None:
        self._before = [scope.get(name, UNSET) for name in self._names]
        place = (sys._getframe(1).f_code.co_filename, self._line)
        self._side = Side(self._tape, self._condition, place, (self._decision, True))

    def merge(self, scope: dict[str, Any]) -> list[Any]:
        after = [scope.get(name, UNSET) for name in self._names]
        self._side.leave()
        if self._side.never:
            return self._before
        place = self._side.place
        return [
            new if old is UNSET and is_name_of_ours(name)
            else _select_named(self._condition, name, new, old, place)
            for name, new, old in zip(self._names, after, self._before, strict=True)
        ]  # fmt: skip


def _select_named(condition: Any, name: str, first: Any, second: Any, place: Place) -> Any:
    """Return what a name is. What a function returns is the one value that there is, if any.

    A name that one side alone assigns is not assigned behind both: if it is read there, the
    function is recorded again.
    """
    if is_name_of_ours(name, VALUE) and (first is UNSET or second is UNSET):
        return second if first is UNSET else first
    if first is UNSET or second is UNSET:
        condition._tape.unbound = place
        return UNSET
    return select(condition, first, second)


class _Count:
    """range() of recorded values, which a loop goes over."""

    def __init__(self, begin: Any, end: Any, step: int) -> None:
        self.begin, self.end, self.step = begin, end, step


class _Round:
    """One round of a range whose end is recorded."""

    def __init__(self, index: Any, inside: Any) -> None:
        self.index, self.inside = index, inside
        self.stopped: Any = False


def rounds(line: int, facts: Any, callee: Any, /, *given: Any) -> Any:
    """Return what a loop over `range(…)` goes over."""
    if callee is not builtins.range:
        return appending.call(callee, *given)
    recorded = [part for part in given if type(part) is Traced]
    if not recorded:
        return range(*given)
    tape, frame = recorded[0]._tape, sys._getframe(1)
    begin, end, step = (0, *given, 1) if len(given) == 1 else (*given, 1)[:3]
    place = (frame.f_code.co_filename, line)
    if type(step) is not int or step == 0 or not _may_merge(tape, place):
        return range(*given)
    if not _merges(tape, facts, frame):
        return range(*given)
    note_index(begin)
    note_index(end)
    return _rounds(_Count(begin, end, step), place)


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
    guard(tape, more, ROUNDS, place)


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
    return value if returned._tape.observe(returned) else None


# ── Guards ───────────────────────────────────────────────────────────────────────────────────


def must_raise(kind: Any, said: str) -> bool:
    """Say whether `raise` raises now; on a side of a branch it becomes a guard of the program."""
    tape: Any = modes.recorder()
    if tape is None or not tape.sides:
        return True
    if tape.caught:
        raise tape.abandoned()
    guard(tape, None, RAISE, _place(sys._getframe(1)), kind or RuntimeError, said)
    tape.sides[-1].never = True
    return False


def guard(
    tape: Any,
    condition: Any,
    act: str,
    place: Place,
    kind: Any = None,
    said: str = "",
    about: int = -1,
) -> None:
    """Add a guard that fails where the condition holds; without one, wherever this side counts."""
    counts = active(tape)
    if condition is None:
        condition = counts
    elif counts is not None:
        condition = counts & condition
    tape.guards.append(Guard(condition._id, act, place, kind, said, about))


# ── What is read and written ─────────────────────────────────────────────────────────────────


def item(thing: Any, key: Any) -> Any:
    """Return thing[key]; an entry of a list of numbers is a take."""
    if type(key) is not Traced:
        return thing[key]
    tape = key._tape
    if type(thing) not in (list, tuple, range) and type(thing).__name__ != "ndarray":
        return thing[key]
    table = list(thing)
    keeps = INTEGERS not in tape.unmerged and not tape.caught
    if not keeps or not table or not all(map(is_number, table)):
        if tape.sides:
            raise tape.abandoned()
        return thing[key.__index__()]
    if not tape.sides and not -len(table) <= tape.number(key._id) < len(table):
        return thing[key.__index__()]
    note_index(key)
    found = ops.where(key < 0.0, key + float(len(table)), key)._take(table)
    _note_ints(tape, found, table)
    return found


def note_index(key: Any) -> None:
    """Note an index, or an end of a slice or a range: the tape looks for fractions at its end."""
    if type(key) is Traced:
        frame = user_frame()
        place = frame.f_code.co_filename, frame.f_lineno
        key._tape.indices.append((key._id, active(key._tape), place))


def set_item(thing: Any, key: Any, value: Any) -> None:
    own = getattr(type(thing), "__setitem__", None)
    tape: Any = modes.recorder()
    if type(own) is FunctionType:
        _alone(tape)
        appending.call(own, thing, key, value)
        return
    if type(key) is Traced:
        if type(thing) is list and is_number(value) and all(map(is_number, thing)):
            return _set_recorded(thing, key, value)
        _alone(tape)
        key = key.__index__() if type(thing) is list else key
    if tape is not None and tape.sides:
        if type(thing) is not list or not is_number(value):
            raise tape.abandoned()
        value = select(active(tape), value, thing[key])
    thing[key] = value
    return None


def _set_recorded(thing: list[Any], key: Any, value: Any) -> None:
    tape = key._tape
    inside = tape.sides or -len(thing) <= tape.number(key._id) < len(thing)
    if not inside or INTEGERS in tape.unmerged:
        thing[key.__index__()] = value
        return
    place = ops.where(key < 0.0, key + float(len(thing)), key)
    found: Any = False
    counts = active(tape)
    for k in range(len(thing)):
        here = place == float(k)
        found = or_(found, here)
        thing[k] = select(here if counts is None else counts & here, value, thing[k])
    where = _place(sys._getframe(2))
    said = "list assignment index out of range"
    guard(tape, negation(found), RAISE, where, IndexError, said)


def _alone(tape: Any) -> None:
    """Abandon the recording on a side: what comes now cannot be selected."""
    if tape is not None and tape.sides:
        raise tape.abandoned()


def set_attribute(thing: Any, name: str, value: Any) -> None:
    own = getattr(type(thing), name, None)
    tape: Any = modes.recorder()
    if type(own) is property and own.fset is not None:
        _alone(tape)
        appending.call(own.fset, thing, value)
        return
    if tape is not None and tape.sides:
        if not proof.is_plain_part(thing, name, tape.asked) or not is_number(value):
            raise tape.abandoned()
        value = select(active(tape), value, getattr(thing, name))
    setattr(thing, name, value)


def trying(kinds: tuple[str, ...]) -> Any:
    """Enter a `try` that catches exceptions of these names; return the state before it."""
    tape: Any = modes.recorder()
    if tape is None:
        return None
    _alone(tape)
    before = tape.caught, tape.watched
    tape.caught += 1
    if not _HARMLESS.issuperset(kinds):
        tape.watched = 1
    return before


# Whoever catches these alone does not catch errors of arithmetic.
_HARMLESS = frozenset(
    [
        *("AttributeError", "ImportError", "IndexError", "KeyError", "LookupError", "NameError"),
        *("NotImplementedError", "OSError", "RecursionError", "StopIteration", "TypeError"),
        *("AssertionError", "KeyboardInterrupt", "MemoryError", "UnboundLocalError"),
    ]
)


def tried(before: Any) -> None:
    tape: Any = modes.recorder()
    if tape is not None and before is not None:
        if tape.sides:
            raise tape.abandoned()
        tape.caught, tape.watched = before


def entering(manager: Any) -> Any:
    """Enter a `with`. Of the standard library, suppress alone is known to catch something."""
    tape: Any = modes.recorder()
    if tape is not None:
        _alone(tape)
        kind: Any = type(manager)
        is_own = kind.__module__.partition(".")[0] not in _KNOWN
        if kind is contextlib.suppress or kind is contextlib.ExitStack or is_own:
            tape.caught += 1
            tape.watched = 1
    return manager


_KNOWN = frozenset({*sys.stdlib_module_names, "gradwalk", "numpy", "builtins"})


def now() -> Any:
    """Return the state before a `with`."""
    tape: Any = modes.recorder()
    return None if tape is None else (tape.caught, tape.watched)


def inverted(thing: Any) -> Any:
    """Return `~thing`. Of a bool that is -1 or -2, whatever `thing` stands for."""
    if type(thing) is Traced and thing._tape.is_condition(thing):
        return ~thing._tape.observe(thing)
    return ~thing


# What lowered code calls or reads, by its name.
CALLED: dict[str, Callable[..., Any] | Any] = {
    **{
        function.__name__: function
        for function in (
            *(choice, flags, plainly, truth, side, operand, pick, joined, negation, contains),
            *(rounds, each, beyond, index, ended, must_raise, set_item, set_attribute, item),
            *(trying, tried, entering, now, identical, inverted, compared, kind_of),
            of_kinds,
        )
    },
    "Loop": Loop,
    "UNSET": UNSET,
    "True": _Singleton(True),
    "False": _Singleton(False),
}
