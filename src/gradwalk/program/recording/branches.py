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
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk import ops
from gradwalk.engine import Value, modes
from gradwalk.program import backends
from gradwalk.program.ir import CODE

__all__ = ["FUNCTIONS", "Fault", "active", "negation", "or_", "refused", "select", "touch", "truth"]

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
CONTAINERS = frozenset({list, dict, set, deque, bytearray})


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
    """One of two things that cannot be selected from. It is no number, so its use is refused."""

    def __init__(self, first: Any, second: Any) -> None:
        # Not the things themselves: what was made on one side is to be gone with it.
        self._both = _named(first), _named(second)

    def __repr__(self) -> str:
        return f"<{self._both[0]} on one side of a branch, {self._both[1]} on the other>"


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
    if kind is not type(second):
        return Either(first, second)
    if kind in (list, tuple) and len(first) == len(second):
        return kind([select(condition, a, b) for a, b in zip(first, second, strict=True)])
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return kind(*[select(condition, a, b) for a, b in zip(first, second, strict=True)])
    if kind is dict and first.keys() == second.keys():
        return {key: select(condition, value, second[key]) for key, value in first.items()}
    if kind.__name__ == "ndarray" and first.shape == second.shape:
        import numpy as np

        made = np.empty(first.shape, object)
        for place in np.ndindex(first.shape):
            made[place] = select(condition, first[place], second[place])
        return made
    if _is_plain(first) and _is_plain(second) and first == second:
        return first
    parts, others = getattr(first, "__dict__", None), getattr(second, "__dict__", None)
    if parts is not None and others is not None and parts.keys() == others.keys():
        made = copy.copy(first)
        made.__dict__.update({k: select(condition, parts[k], others[k]) for k in parts})
        return made
    return Either(first, second)


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
        found = self.tape.sides.pop()
        assert found is self
        for key, (thing, before) in self.before.items():
            self.after[key] = _state(thing)
            _put(thing, before)


def touch(thing: Any) -> None:
    """Note what a list, a dict or an object holds, before a side changes it."""
    tape: Any = modes.recorder()
    if tape is None:
        return
    for side in tape.sides:
        if id(thing) not in side.before:
            side.before[id(thing)] = (thing, _state(thing))


def _state(thing: Any) -> Any:
    if isinstance(thing, (dict, set, deque, bytearray)):
        return copy.copy(thing)
    if isinstance(thing, list):
        return list(thing)
    if type(thing).__name__ == "ndarray":
        return thing.copy()
    return dict(vars(thing))


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
        vars(thing).clear()
        vars(thing).update(state)


def _settle(condition: Any, first: Side, second: Side) -> None:
    """Give what the sides changed the states that the condition selects."""
    every = {**second.before, **first.before}
    first.before, second.before = {}, {}
    for key in list(every):
        thing, before = every.pop(key)
        one, other = first.after.pop(key, before), second.after.pop(key, before)
        if first.never:
            _put(thing, other)
        elif second.never:
            _put(thing, one)
        else:
            found = _selected_state(condition, one, other)
            if found is not None:
                _put(thing, found)
            elif sys.getrefcount(thing) <= _ONLY_HERE:
                continue  # made on one side, and gone with it
            else:
                _put(thing, one)
                raise condition._tape.refuse("a list in a branch")


_ONLY_HERE = 2  # `thing`, and what getrefcount itself holds


def _selected_state(condition: Any, one: Any, other: Any) -> Any:
    if isinstance(one, (set, bytearray)):
        return one if one == other else None
    if isinstance(one, deque):
        made = select(condition, list(one), list(other))
        return made if isinstance(made, list) else None
    made = select(condition, one, other)
    return None if isinstance(made, Either) else made


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
        return [self._merged(*all_) for all_ in zip(self._names, self._first, second, strict=True)]

    def _merged(self, name: str, first: Any, second: Any) -> Any:
        if first is second:
            return first
        # Behind `if not returned:` the second side has returned, so that nothing of it counts but
        # what it returns.
        if self._flags == (name,):
            second = True
        elif name.startswith("gradwalk value"):
            if first is False:
                return second
            if second is False:
                return first
        elif self._asks_for_return() and not name.startswith("gradwalk"):
            return first
        return select(self._condition, first, second)

    def _asks_for_return(self) -> bool:
        return len(self._flags) == 1 and self._flags[0].startswith("gradwalk returned")

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
    _settle(condition, one, other)
    return select(condition, first, second)


def both(condition: Any, operand: Any, other: Any) -> Any:
    """Return the value of `operand and other`."""
    if type(condition) is bool:
        return other
    _end_operand(condition)
    return select(condition, other, operand)


def either(condition: Any, operand: Any, other: Any) -> Any:
    """Return the value of `operand or other`."""
    if type(condition) is bool:
        return other
    _end_operand(condition)
    return select(condition, operand, other)


def _end_operand(condition: Any) -> None:
    only, first = condition._tape.expressions.pop()
    only.leave()
    nothing = _nothing(condition)
    _settle(condition, *((only, nothing) if first else (nothing, only)))


def _nothing(condition: Any) -> Side:
    """Return a side on which nothing happens."""
    made = Side(condition._tape, condition)
    made.leave()
    return made


def contains(thing: Any, where: Any) -> Any:
    """Return `thing in where`."""
    if type(thing) is not Traced or thing._tape.refuses_branches or isinstance(where, (str, dict)):
        return thing in where
    found: Any = False
    for item in where:
        found = or_(found, truth(thing == item))
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
        return [
            _kept(self._condition, name, new, old)
            for name, new, old in zip(self._names, after, self._before, strict=True)
        ]

    def finish(self, _scope: dict[str, Any]) -> None:
        self._before = []
        _settle(self._condition, self._side, _nothing(self._condition))


def _kept(condition: Any, name: str, new: Any, old: Any) -> Any:
    if name.startswith("gradwalk value"):
        if old is False:
            return new
        if new is False:
            return old
    if old is UNSET and name.startswith("gradwalk"):
        return new
    return select(condition, new, old)


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


def beyond(each: Any, stopped: Any) -> Any:
    """Say whether a loop is over before this round."""
    if type(each) is not _Round:
        return stopped
    each.stopped = or_(stopped, negation(each.inside))
    return each.stopped


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
    if tape is None or not tape.sides:
        return True
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
    tape: Any = modes.recorder()
    if tape is not None and tape.sides:
        touch(thing)
    if type(key) is not Traced or not isinstance(thing, list):
        thing[key] = value
        return
    place = ops.where(key < 0.0, key + float(len(thing)), key)
    place._take([0.0] * len(thing))  # where it is none of the places, the replay says so
    for k in range(len(thing)):
        thing[k] = select(place == float(k), value, thing[k])


def set_attribute(thing: Any, name: str, value: Any) -> None:
    tape: Any = modes.recorder()
    if tape is not None and tape.sides and hasattr(thing, "__dict__"):
        touch(thing)
    setattr(thing, name, value)


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
    ]
)


def changed(callee: Any, /, *args: Any, **named: Any) -> Any:
    """Call a method of a list, dict or set; on a side of a branch, note what it holds before."""
    if callee.__name__ in CHANGES:
        touch(callee.__self__)
    return callee(*args, **named)


FUNCTIONS = {
    "choice": choice,
    "flags": flags,
    "plainly": plainly,
    "truth": truth,
    "side": side,
    "operand": operand,
    "pick": pick,
    "both": both,
    "either": either,
    "negation": negation,
    "contains": contains,
    "loop": Loop,
    "rounds": rounds,
    "beyond": beyond,
    "index": index,
    "ended": ended,
    "must_raise": must_raise,
    "set_item": set_item,
    "set_attribute": set_attribute,
    "item": item,
    "touch": touch,
    "CONTAINERS": CONTAINERS,
    "UNSET": UNSET,
}
