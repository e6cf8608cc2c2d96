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

import builtins
import copy
import linecache
import math
import operator
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dis import opmap
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk import ops
from gradwalk.engine import Value, modes
from gradwalk.errors import RecordingError
from gradwalk.program import backends
from gradwalk.program.ir import CODE
from gradwalk.program.recording.lower import RETURNED, VALUE, is_name_of_ours
from gradwalk.program.trace import HEAP_TYPE, OURS, user_frame

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
TREE = "tree"
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
            return TooFewRoundsError(self.place, is_tree=self.said == TREE)
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

    def __init__(self, place: tuple[str, int], where: str = "", is_tree: bool = False) -> None:
        super().__init__(place)
        self.place = place
        self.where = where
        self.is_tree = is_tree  # a recursion whose calls double with each level


class Either:
    """One of several things: None or a number, one of some texts or functions.

    Exactly one of the conditions of its cases holds. An operation is done to the thing of each
    case, and its results are selected. Where one of them raises, so does a replay that gets there.
    """

    __slots__ = ("_cases",)

    def __init__(self, cases: list[tuple[Any, Any]]) -> None:
        self._cases = cases

    def __repr__(self) -> str:
        return f"<{' or '.join([_named(thing) for _, thing in self._cases])}>"

    def __getattr__(self, name: str) -> Any:
        caller = str(sys._getframe(1).f_globals.get("__name__"))
        if name.startswith("__") or caller.startswith(OURS):  # which only asks what kind it is
            raise AttributeError(name)
        return each(self, lambda thing: appending.attribute(thing, name))

    def __call__(self, *args: Any, **named: Any) -> Any:
        return each(self, lambda thing: appending.call(thing, *args, **named))

    def __getitem__(self, key: Any) -> Any:
        return each(self, lambda thing: item(thing, key))

    def __iter__(self) -> Iterator[Any]:
        found = each(self, tuple)
        if type(found) is Either:
            raise found.refuse()
        return iter(found)

    def refuse(self) -> Exception:
        names = " and ".join([_named(thing) for _, thing in self._cases])
        return refused(f"either a name is {names} on different sides of a branch")


class _Lost:
    """Takes the place of a list or an object that was made on one side of a branch and is over."""

    def __init__(self, name: str) -> None:
        self.name = name


def _either(condition: Any, first: Any, second: Any) -> Any:
    """Join two things that cannot be one recorded value, such as None and a number."""
    found: list[tuple[Any, Any]] = []
    for holds, given in ((condition, first), (~condition, second)):
        if type(given) is not Either:
            _add_case(found, holds, given)
            continue
        for only, thing in given._cases:
            if holds._tape.negations.get(only._id) != holds._id:  # else they never both hold
                _add_case(found, holds & only, thing)
    return found[0][1] if len(found) == 1 else Either(found)


def _add_case(cases: list[tuple[Any, Any]], condition: Any, thing: Any) -> None:
    if not _is_lasting(thing):
        thing = _Lost(_named(thing))
    for k, (other, known) in enumerate(cases):
        one_kind = type(thing) is type(known)
        if thing is known or (one_kind and _is_plain(thing) and thing == known):
            kept = known
        elif _is_number(thing) and _is_number(known):
            kept = _select_number(condition, thing, known)
        elif one_kind and type(thing) is tuple and len(thing) == len(known):
            kept = select(condition, thing, known)
        elif one_kind and type(thing) is _Lost:
            names = [*known.name.split(" or "), *thing.name.split(" or ")]
            kept = _Lost(" or ".join(dict.fromkeys(names)))  # each once: loops double them
        else:
            continue
        cases[k] = (other | condition, kept)
        return
    cases.append((condition, thing))


def _is_lasting(thing: Any) -> bool:
    """Say whether a thing can be kept beyond its side: nothing changes it."""
    if type(thing) is tuple:
        return all(map(_is_lasting, thing))
    kinds = (FunctionType, BuiltinFunctionType, MethodType, type, Enum, ops.Op, Either, _Lost)
    return thing is UNSET or _is_plain(thing) or _is_number(thing) or isinstance(thing, kinds)


def each(either: Either, use: Callable[[Any], Any]) -> Any:
    """Apply `use` to the thing of each case, and select among the results by the conditions."""
    tape: Any = either._cases[0][0]._tape
    if tape.ended:
        raise tape.refuse("")
    made: Any = NEVER
    failed: Exception | None = None
    for condition, thing in either._cases:
        if type(thing) is _Lost:
            raise either.refuse()
        one = Side(tape, condition)
        found: Any = NEVER
        try:
            if thing is UNSET:
                raise UnboundLocalError("cannot access a local variable that is not assigned")
            found = use(thing)
        except RecordingError:
            raise
        except Exception as error:
            if tape.sides[-1] is not one:
                raise
            must_hold(False, type(error), str(error))
            failed = error
        one.leave()
        nothing = _nothing(condition)
        with _as_left(one, nothing):
            if made is NEVER or one.never:
                made = made if one.never else found
            else:
                made = select(condition, found, made)
        _settle(condition, one, nothing)
    if made is NEVER and failed is not None:
        if not tape.sides:
            raise failed
        tape.sides[-1].never = True
    return made


def resolved(result: Any, place: tuple[str, int] | None) -> Any:
    """Return a function's result; if it is one of several things, as one recorded number."""
    if type(result) is tuple:
        return tuple([resolved(part, place) for part in result])
    if type(result) is not Either:
        return result
    if any(thing is None for _, thing in result._cases):
        raise result._cases[0][0]._tape.refuse("a missing return", place)
    found = each(result, lambda thing: thing)
    if type(found) is Either:
        raise found.refuse()
    return found


class _Never:
    """The result of a call that no replay reaches. Every operation on it gives it again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<never>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self

    __getitem__ = __call__

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        frame = sys._getframe(1)
        code = frame.f_code.co_code
        takes = code[frame.f_lasti] == opmap["UNPACK_SEQUENCE"]  # a, b = never
        return iter([self] * code[frame.f_lasti + 1] if takes else ())


NEVER = _Never()
SPECIAL = frozenset({Either, _Never})


def over_cases(function: Any, operands: Any, named: Any) -> Any:
    """Call a function of numbers for each case of an Either among its operands."""
    if any(operand is NEVER for operand in operands):
        return NEVER
    k = [type(operand) is Either for operand in operands].index(True)
    before, after = operands[:k], operands[k + 1 :]
    return each(operands[k], lambda one: function(*before, one, *after, **named))


def _over_cases(function: Any) -> Callable[..., Any]:
    return lambda either, *others: each(either, lambda thing: function(thing, *others))


def _refuse_either(either: Any, *_: Any) -> Any:
    raise either.refuse()


for _name in (
    *("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "and", "or", "xor"),
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "divmod"),
    *("floor", "ceil", "trunc", "round"),
):
    _function = getattr(operator, f"__{_name}__", None) or getattr(builtins, _name, None)
    _function = _function or getattr(math, _name)
    setattr(Either, f"__{_name}__", _over_cases(_function))
    setattr(Either, f"__r{_name}__", _over_cases(lambda x, y, f=_function: f(y, x)))
    for _reflected in ("", "r"):
        setattr(_Never, f"__{_reflected}{_name}__", lambda self, *_: self)
_Never.__hash__ = object.__hash__
for _name in (
    *("hash", "bool", "len", "contains", "setitem", "delitem", "float", "int", "index"),
    *("complex", "enter", "next"),
):
    setattr(Either, f"__{_name}__", _refuse_either)


def _named(thing: Any) -> str:
    if thing is UNSET:
        return "not assigned"
    if type(thing) is _Lost:
        return thing.name
    kind = "a number" if _is_number(thing) else type(thing).__name__
    return f"{kind} of {len(thing)}" if isinstance(thing, (list, tuple, dict)) else kind


# ── Conditions ───────────────────────────────────────────────────────────────────────────────


def truth(thing: Any) -> Any:
    """Return True or False, or the recorded condition that a recorded value stands for."""
    if type(thing) is not Traced:
        if type(thing) in TRUTHS:
            return TRUTHS[type(thing)](thing)
        tape: Any = modes.recorder()
        if tape is None or not isinstance(thing, Value):
            return bool(thing)
        thing = tape.lift(thing)
    if thing._tape.refuses_branches:
        raise thing._tape.refuse("bool()")
    return thing if thing._tape.is_condition(thing) else thing != 0.0


TRUTHS: dict[type, Callable[[Any], Any]] = {Either: lambda either: each(either, truth)}


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
    """Return a value that is the first where the condition holds, else the second."""
    if first is second:
        return first
    kind: Any = type(first)
    if _is_number(first) and _is_number(second):
        return _select_number(condition, first, second)
    if first is NEVER or second is NEVER:
        return second if first is NEVER else first
    if kind is not type(second) or kind is Either:
        return _either(condition, first, second)
    if kind is tuple and len(first) == len(second):
        return tuple([select(condition, a, b) for a, b in zip(first, second, strict=True)])
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return kind(*[select(condition, a, b) for a, b in zip(first, second, strict=True)])
    if _is_plain(first) and first == second:
        return first
    made = _selected_state(condition, first, second)
    if made is None:
        return _either(condition, first, second)
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
    if type(first) is bool and type(second) is bool:
        return condition if first else ~condition
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

    def __init__(self, tape: Any, condition: Any, decision: tuple[int, bool] | None = None) -> None:
        self.tape = tape
        self.condition = condition
        # The branch that this is a side of; without one, the branch of the side around it.
        self.decision = decision or (tape.sides[-1].decision if tape.sides else (-1, True))
        self.before: dict[int, tuple[Any, Any]] = {}  # what was touched, and what it held
        self.after: dict[int, Any] = {}
        self.never = False  # it raises
        tape.sides.append(self)
        if tape.spans is not None:
            self.whole, self.begin = active(tape), tape.count

    def leave(self) -> None:
        """End the side, and undo what it did to what is shared."""
        if not self.tape.sides or self.tape.sides.pop() is not self:
            raise self.tape.refuse("a branch that was left")
        if self.tape.spans is not None:
            self.tape.spans.append((self.begin, self.tape.count, self.whole))
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

    def __init__(
        self, tape: Any, condition: Any, names: tuple[str, ...], given: Any, place: Any
    ) -> None:
        self._decision = tape.decide(condition, None if given else place)
        self._tape = tape
        self._condition = condition
        self._names = names
        self._flags = given

    def enter(self, scope: dict[str, Any]) -> None:
        self._before = [scope.get(name, UNSET) for name in self._names]
        self._one = Side(self._tape, self._condition, (self._decision, True))

    def turn(self, scope: dict[str, Any]) -> list[Any]:
        """End the first side; return what the names were before it."""
        self._first = [scope.get(name, UNSET) for name in self._names]
        self._one.leave()
        self._other = Side(self._tape, ~self._condition, (self._decision, False))
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


def _place(frame: Any) -> tuple[str, int]:
    return frame.f_code.co_filename, frame.f_lineno


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
    if given and not condition._tape.sides:  # nothing was left so far
        condition._tape.exits.append([condition._id])
    return Choice(condition._tape, condition, names, given, _place(sys._getframe(1)))


# ── Expressions ──────────────────────────────────────────────────────────────────────────────


def side(condition: Any, first: bool) -> bool:
    """Say whether a side of `x if c else y` is computed; where both are, begin this one."""
    if type(condition) is bool:
        return condition is first
    tape = condition._tape
    if first:
        decision = tape.decide(condition, _place(sys._getframe(1)))
        tape.expressions.append((Side(tape, condition, (decision, True)), None))
    else:
        one, _ = tape.expressions.pop()
        one.leave()
        other = Side(tape, ~condition, (one.decision[0], False))
        tape.expressions.append((one, other))
    return True


def operand(condition: Any, first: bool) -> bool:
    """Begin the second operand of `and` or `or`, which is always computed when this is asked."""
    if type(condition) is not bool:
        tape = condition._tape
        decision = (tape.decide(condition, None), first)
        only = Side(tape, condition if first else ~condition, decision)
        tape.expressions.append((only, first))
    return True


def pick(condition: Any, first: Any, second: Any) -> Any:
    """Return the value of `first if condition else second`."""
    if type(condition) is bool:
        return first if condition else second
    one, other = condition._tape.expressions.pop()
    other.leave()
    if one.never or other.never:
        made = second if one.never else first
    else:
        with _as_left(one, other):
            made = select(condition, first, second)
    del first, second
    _settle(condition, one, other)
    if one.never and other.never and condition._tape.sides:
        condition._tape.sides[-1].never = True
    return made


def joined(condition: Any, operand: Any, other: Any) -> Any:
    """Return the value of `operand and other` or of `operand or other`, once both are there."""
    if type(condition) is bool:
        return other
    only, is_and = condition._tape.expressions.pop()
    only.leave()
    nothing = _nothing(condition)
    first, second = (only, nothing) if is_and else (nothing, only)
    if only.never:
        made = operand
    else:
        with _as_left(first, second):
            made = select(condition, *((other, operand) if is_and else (operand, other)))
    _settle(condition, first, second)
    return made


def settle_alone(condition: Any, only: Side) -> None:
    """End an `if` without `else`: select between what the side did and what was there before."""
    _settle(condition, only, _nothing(condition))


def named(value: Any, truth: Any) -> Any:
    """Return what `:=` assigns in a part of an expression that is not always computed."""
    if type(truth) is not bool:
        raise truth._tape.refuse("a name in an expression")
    return value


def _nothing(condition: Any) -> Side:
    """Return a side on which nothing happens."""
    made = Side(condition._tape, condition)
    made.leave()
    return made


def contains(thing: Any, where: Any) -> Any:
    """Return `thing in where`."""
    tape: Any = modes.recorder()
    if type(thing) is Either:
        return each(thing, lambda each_: contains(each_, where))
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
        self._exits: list[int] = []
        self._decision = -1
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
        self._side = Side(self._tape, self._condition, (self._decision, True))

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
    if not SPECIAL.isdisjoint(map(type, given)):
        return () if any(part is NEVER for part in given) else over_cases(counted, given, {})
    if tape is None or tape.refuses_branches or not any(type(part) is Traced for part in given):
        return range(*given)
    begin, end, step = (0, *given, 1) if len(given) == 1 else (*given, 1)[:3]
    if type(step) is not int or step == 0:
        raise tape.refuse("an index")
    note_index(begin)
    note_index(end)
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


def inside(each: Any) -> Any:
    """Say whether a range has this round; for a comprehension, which has no end of its own."""
    return each.inside if type(each) is _Round else True


def ended(returned: Any, value: Any, always: bool) -> Any:
    """Return what a function returns."""
    if returned is False:
        return None
    if returned is True or always:
        return value
    return select(returned, value, None)


# ── Recursion ────────────────────────────────────────────────────────────────────────────────

FIRST_DEPTH = 4  # of a function that calls itself more than once


def recursed(callee: Any, line: int, is_tree: bool, /, *args: Any, **named: Any) -> Any:
    """Call a function from inside itself, at most so deep where a recorded value ends it.

    A call counts as deeper only if a side of a branch has begun since the last one. So a recursion
    that plain numbers end has no limit here.
    """
    tape: Any = modes.recorder()
    if tape is None or not tape.sides:
        return appending.call(callee, *args, **named)
    if any(thing is NEVER for thing in args):
        return NEVER
    place = (sys._getframe(1).f_code.co_filename, line)
    depth, sides = known = tape.depths.get(place, (0, 0))
    if len(tape.sides) > sides:
        depth, sides = depth + 1, len(tape.sides)
    if depth > tape.rounds.get(place, FIRST_DEPTH if is_tree else FIRST_ROUNDS):
        _fault(tape, None, None, TREE if is_tree else "", place)
        tape.sides[-1].never = True
        return NEVER
    tape.depths[place] = (depth, sides)
    try:
        return appending.call(callee, *args, **named)
    finally:
        tape.depths[place] = known


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


def must_hold(condition: Any, kind: Any, said: str) -> None:
    """Let a replay raise where a condition does not hold; if it plainly does not, raise now."""
    if condition is True:
        return
    tape: Any = modes.recorder()
    if condition is False and not tape.sides:
        raise kind(said)
    frame = user_frame()
    place = frame.f_code.co_filename, frame.f_lineno
    _fault(tape, None if condition is False else ~condition, kind, said, place)
    if condition is False:
        tape.sides[-1].never = True


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
    if type(key) in SPECIAL:
        return key if key is NEVER else each(key, lambda one: item(thing, one))
    if type(key) is not Traced or key._tape.refuses_branches:
        return NEVER if _is_outside(thing, key) else thing[key]
    if type(thing) is dict and thing and all(map(_is_number, thing)):
        return _of_keys(thing, key)
    if not isinstance(thing, (list, tuple, range)) and type(thing).__name__ != "ndarray":
        return thing[key]
    note_index(key)
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


def _is_outside(thing: Any, key: Any) -> bool:
    """Say whether an entry is missing on a side, such as a round that the caller never reaches.

    A replay that gets there raises.
    """
    if type(key) is not int or type(thing) not in (list, tuple) or -len(thing) <= key < len(thing):
        return False
    tape: Any = modes.recorder()
    if tape is None or not tape.sides or tape.caught is not None:
        return False
    must_hold(False, IndexError, f"{type(thing).__name__} index out of range")
    return True


def note_index(key: Any) -> None:
    """Note an index, or an end of a slice or a range: the tape looks for fractions at its end."""
    if type(key) is Traced:
        frame = user_frame()
        place = frame.f_code.co_filename, frame.f_lineno
        key._tape.indices.append((key._id, active(key._tape), place))


def _of_keys(table: dict[Any, Any], key: Any) -> Any:
    """Return what a dict with numbers for keys has under a recorded one."""
    found: Any = False
    made: Any = NEVER
    for name, value in table.items():
        here = key == name
        found = or_(found, here)
        made = select(here, value, made)
    must_hold(found, KeyError, f"{key!r}")
    return made


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
    """Enter a `try` or a `with`, which may catch exceptions; return the state before it."""
    tape: Any = modes.recorder()
    if tape is None:
        return None
    before, tape.caught = tape.caught, len(tape.sides)
    return before, tape.count


def left_try(before: Any, kinds: tuple[str, ...]) -> None:
    """End what a `try` tries: no replay raises an error of arithmetic that could be caught."""
    tape: Any = modes.recorder()
    if tape is not None and before is not None:
        catches = _ARITHMETIC if tape.spans is None else _ARITHMETIC | _ALL_ERRORS
        if not catches.isdisjoint(kinds) and tape.may_raise(before[1]):
            raise tape.refuse("a try around arithmetic")


_ARITHMETIC = {"ZeroDivisionError", "OverflowError", "ArithmeticError", "FloatingPointError"}
_ALL_ERRORS = {"ValueError", "Exception", "BaseException"}


def tried(before: Any) -> None:
    tape: Any = modes.recorder()
    if tape is not None and before is not None:
        tape.caught = before[0]


def identical(one: Any, other: Any) -> Any:
    """Return `one is other`."""
    for thing, truth_ in ((one, other), (other, one)):
        if type(thing) is Either:
            return _is_one(thing, truth_)
        if type(thing) is Traced and type(truth_) is bool and thing._tape.is_condition(thing):
            return thing if truth_ else ~thing
    return one is other


def _is_one(either: Either, other: Any) -> Any:
    """Return the condition of `either is other`: where a case holds whose thing is the other."""
    found: Any = False
    for condition, thing in either._cases:
        same = identical(thing, other)
        if same is not False:
            found = or_(found, condition if same is True else condition & same)
    return found


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
            left_try,
            tried,
            identical,
            inside,
            named,
            recursed,
        )
    },
    "Loop": Loop,
    "PLAIN": PLAIN,
    "UNSET": UNSET,
}
