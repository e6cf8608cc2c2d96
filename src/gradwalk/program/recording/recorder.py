"""Recording: a function is run once on `Traced` values, and what it computes becomes a program.

    Traced      what the function computes with: `trace` has its operators, here are its guards
    Tape        `trace` appends the instructions, here are the graphs behind Values, operations over
                lists, and the errors
    recorded    run a function and return its result and the Tape

The function runs by rewritten code (`rewrite`), whose calls are looked at (`calls`).

A recorded value has its number, so the function takes the path that Python takes. What Python
observes of a number, and what becomes of it:

    guarded   its truth, a comparison, an index, a whole number: a replay that would answer
              otherwise is another path, and is recorded (`Tape.observe`, `Tape.whole`)
    pinned    its hash, its digits: right for these numbers alone, so that the recording is not kept
    escaped   its text, a float() that C asks for: pinned, and a gradient is refused (`Tape.escape`)

A wrong number without a word is the one thing that must not happen.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import inspect
import linecache
import math
import operator
import os
import re
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from threading import active_count
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk import ops
from gradwalk.engine import CONST as CONSTANT
from gradwalk.engine import Value, modes, nary
from gradwalk.engine.control import beyond
from gradwalk.engine.nary import TABLE as NARY
from gradwalk.errors import GradwalkError, LoopError, OperandError, RecordingError, TakeError
from gradwalk.program import backends, checking
from gradwalk.program.ir import (
    CODE,
    CODES,
    COMPARISONS,
    CONST,
    INPUT,
    PATH,
    RAISE,
    Decision,
    Guard,
    Place,
    Program,
)
from gradwalk.program.outside import Outside, with_numbers
from gradwalk.program.recording import branches, calls, proof
from gradwalk.program.recording.branches import EVERYTHING, INTEGERS, Unmerged
from gradwalk.program.trace import OURS

__all__ = ["How", "Tape", "Traced", "package_of", "recorded", "run_once"]

_OURS = ("gradwalk.program", *OURS)
_LIBRARY = (*_OURS, "gradwalk.nn", "gradwalk.optim")  # not where a user can mend anything
ROLLED_FROM = 65_536  # instructions of a program whose loops are rolled up
LEAST_LOOP = 4_096  # instructions of all iterations of such a loop

if TYPE_CHECKING:
    from gradwalk.program import trace as appending
else:
    appending = backends.tape


class _Rare(appending.Traced if TYPE_CHECKING else object):
    """What Traced has besides operators; moved onto it below, since a subclass costs twice."""

    _records = True  # tells ops that a recording goes before an eager engine

    def _take(self, table: Sequence[Any]) -> Any:
        """Record table[self]: of numbers a number, of rows a row."""
        if isinstance(table, dict):
            raise OperandError(
                "take counts from 0 in a list, a tuple or an array, not in a dict; "
                "give list(table.values())"
            )
        if not len(table):
            raise OperandError("take needs a table with at least one entry")
        counts = branches.active(self._tape)
        if counts is not None:  # where it does not count, it may be anything
            with branches.unguarded(self._tape):
                return ops.where(counts, self, 0.0)._take(table)
        inside = (self > -1.0) & (self < float(len(table)))
        self._within(inside, f"take: index {{}} of a table of {len(table)}")
        return self._entry(table)

    def _entry(self, table: Sequence[Any]) -> Any:
        first = table[0]
        if isinstance(first, (list, tuple)):
            rows: Sequence[Sequence[Any]] = table
            if any(len(row) != len(first) for row in rows):
                raise OperandError("take needs a table whose rows have one length")
            columns = [self._entry(column) for column in zip(*rows, strict=True)]
            return tuple(columns) if isinstance(first, tuple) else columns
        return self._tape.emit(CODE["take"], [self, *table])

    def _within(self, inside: Any, said: str) -> None:
        """Refuse this number where it is not inside; `said` has {} in its place."""
        tape = self._tape
        if not (tape.caught or tape.once):
            branches.guard(tape, ~inside, RAISE, tape.place(), TakeError, said, self._id)
        elif not tape.observe(inside):
            raise TakeError(said.replace("{}", repr(tape.number(self._id))))

    def _fori(self, limit: int) -> Traced:
        """Return self, with a replay that raises where it is above `limit`, or nan."""
        self._within(self <= limit, beyond("{}", limit))
        return self

    # ── Conditions ───────────────────────────────────────────────────────────────────────────

    def __and__(self, other: Any) -> Any:
        if not _are_conditions(self, other):
            return _of_ints(operator.and_, self, other)
        return _condition(self, other, 0.0)

    def __or__(self, other: Any) -> Any:
        if not _are_conditions(self, other):
            return _of_ints(operator.or_, self, other)
        return _condition(self, 1.0, other)

    def __invert__(self) -> Any:
        tape = self._tape
        if not tape.is_condition(self):
            return _of_ints(operator.invert, self)
        known = tape.negations.get(self._id)
        if known is not None:
            return tape.traced(known)
        made = _condition(self, 0.0, 1.0)
        tape.negations[self._id] = made._id
        tape.negations[made._id] = self._id
        return made

    __rand__ = __and__
    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        if not _are_conditions(self, other):
            return _of_ints(operator.xor, self, other)
        return self != other

    __rxor__ = __xor__

    def __lshift__(self, other: Any) -> Any:
        return _of_ints(operator.lshift, self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _of_ints(operator.lshift, other, self)

    def __rshift__(self, other: Any) -> Any:
        return _of_ints(operator.rshift, self, other)

    def __rrshift__(self, other: Any) -> Any:
        return _of_ints(operator.rshift, other, self)

    # ── A number among numbers, where it can be one ──────────────────────────────────────────

    def __pos__(self) -> Traced:
        return self

    def __floor__(self) -> Traced:
        return ops.floor(self)

    def __ceil__(self) -> Traced:
        return 0.0 - ops.floor(-self)  # a whole number of Python's is never -0.0

    def __trunc__(self) -> Traced:
        return ops.where(self <= 0.0, 0.0 - ops.floor(-self), ops.floor(self))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """numpy's functions on recorded values, and on arrays of them, go by the table."""
        row = calls.UFUNCS.get(ufunc.__name__)
        if row is None or method != "__call__" or options:
            raise self._tape.refuse(f"numpy.{ufunc.__name__}")
        return self._tape.quiet(calls.over_entries)(row, *inputs)

    # ── What a recording cannot hold ─────────────────────────────────────────────────────────

    @property
    def data(self) -> float:
        raise self._tape.refuse(".data")

    @property
    def grad(self) -> float:
        raise self._tape.refuse(".grad")

    def backward(self, *_: object) -> None:
        raise self._tape.refuse("backward()")

    def detach(self) -> Traced:
        raise self._tape.refuse("detach()")

    def __float__(self) -> float:
        return self._tape.escape(self, "float()")

    def __int__(self) -> int:
        return self._tape.whole(self.__trunc__())

    def __index__(self) -> int:
        return self._tape.whole(self)

    def _kind(self) -> type:
        """Return what `isinstance` asks for, also where the class makes no difference."""
        tape = self._tape
        if tape.ended or self._id in tape.integers:
            return float if tape.ended else int
        return bool if tape.is_condition(self) else float

    def __getattr__(self, name: str) -> Any:
        """What an int or a float has beside operators is that of the number."""
        if name == "real":
            return self
        if name == "imag":
            return 0.0
        if name[:2] == "__" or not (hasattr(int, name) or hasattr(float, name)):
            raise AttributeError(f"'Traced' object has no attribute {name!r}")
        tape = self._tape
        return getattr(tape.escape(self, "float()"), name)

    def conjugate(self) -> Traced:
        """Return itself: numpy asks for it in std and var."""
        return self

    def is_integer(self) -> bool:
        return self._tape.observe(ops.floor(self) == self)

    def __copy__(self) -> Traced:
        return self

    def __deepcopy__(self, _memo: object) -> Traced:
        return self

    def __complex__(self) -> complex:
        raise self._tape.refuse("complex()")

    def __round__(self, digits: int | None = None) -> Any:
        number = self._tape.pin(self)
        return round(number) if digits is None else round(number, digits)

    def __hash__(self) -> int:
        tape = self._tape
        if tape.number(self._id).is_integer() and not tape.is_condition(self):
            return hash(tape.whole(self))
        return hash(tape.pin(self))

    def __format__(self, spec: str) -> str:
        return format(self._tape.escape(self, "a format"), spec)

    def __repr__(self) -> str:
        if self._tape.ended or modes.recorder() is not self._tape:
            return "<a value of a recording that has ended>"
        return repr(self._tape.escape(self, "a format"))


for _name, _thing in vars(_Rare).items():
    if _name not in ("__module__", "__doc__", "__dict__", "__weakref__"):
        setattr(appending.Traced, _name, _thing)
for _op in ops.TABLE:
    if _op.is_method:
        for _name in (_op.name, *_op.aliases):
            setattr(appending.Traced, _name, appending.method(_op))
appending.Traced.__name__ = "Traced"  # in errors, a type in C has its module before it
appending.Traced.__module__ = "gradwalk.program"
if TYPE_CHECKING:
    Traced = _Rare
else:
    Traced = appending.Traced


class Tape(appending.Tape):
    """The instructions recorded so far, and what is rare about them."""

    __slots__ = (
        "_kinds",
        "_overlays",
        "asked",
        "caches",
        "caught",
        "changes",
        "conditions",
        "decisions",
        "escaped",
        "exits",
        "expressions",
        "floats",
        "guards",
        "indices",
        "integers",
        "left",
        "lists",
        "mixed",
        "negations",
        "observed",
        "only_floats",
        "package",
        "pinned",
        "pure",
        "raising",
        "refused",
        "rounds",
        "rules",
        "seeded",
        "sides",
        "spans",
        "stdout",
        "steps",
        "unbound",
        "unmerged",
    )

    def __init__(self, slots: int, package: str = "") -> None:
        super().__init__(slots)
        # What `branches` keeps: the sides of branches that are being recorded, those of
        # expressions among them; where a replay raises; how many rounds loops have, by place.
        self.sides: list[Any] = []
        self.expressions: list[Any] = []
        self.guards: list[Guard] = []
        self.indices: list[tuple[int, Traced | None, Place]] = []  # which, on which side, where
        self.decisions: list[Decision] = []
        self.exits: list[list[int]] = []  # the conditions on which each loop goes on, by rounds
        self.stdout = sys.stdout
        self.caught = 0  # how many `try` there are around what runs
        self.rounds: dict[Place, int] = {}
        self.steps = 10_000
        self.unmerged: set[Place] = set()  # where Python is followed, whatever `proof` says
        self.left: Unmerged | None = None  # why it was abandoned, should the function swallow that
        self.unbound: Place | None = None  # a merged region that left a name not assigned
        self.asked = proof.Asked(
            branches.is_number, branches.is_table, partial(calls.is_pure, self)
        )
        self.pure: dict[Any, bool] = {}  # functions, and whether `proof` holds for them
        self._kinds: list[str] = []  # of the instructions so far: see `kind`
        self.floats = True  # all numbers among the arguments are floats, and no ints
        self.only_floats = False  # it would be another path for ints
        self.observed: dict[int, bool | int] = {}  # of the numbers of instructions
        self.pinned: Place | None = None
        self.changes = False  # something outside of the function
        self.caches: dict[Any, Outside] = {}  # what is cached, and ran where Python may not run it
        self.escaped: RecordingError | None = None
        # Instructions that are ints in Python, and selections with an int among what they select.
        # What is computed from these and whole numbers may be an int, too.
        self.integers: set[int] = set()
        self.mixed: set[int] = set()
        # Where Python's errors are wanted: which instructions were recorded on which sides.
        self.spans: list[tuple[int, int, Traced]] | None = None
        self.raising: list[tuple[int, int]] = []
        self.package = package  # whose functions are followed, wherever it is installed
        self.seeded: list[Any] = []  # random generators that the function made from a seed
        self._overlays: dict[int, Any] = {}  # globals of functions without source, by address
        self.conditions: set[int] = set()
        self.negations: dict[int, int] = {}  # of conditions, each by the other
        self.lists: dict[tuple[Any, ...], list[Traced]] = {}
        self.rules: dict[int, tuple[list[Any], Any]] = {}  # operands and partials of custom rules
        self.refused: Exception | None = None  # the first, should the function swallow it

    # ── Operands that are neither numbers nor values of this recording nor met before ────────

    def foreign(self, thing: Any) -> int | None:
        """Return the instruction of anything else that may stand in an operation, or None."""
        if type(thing) is Traced:
            raise self.refuse("another recording")
        if isinstance(thing, Value):
            return self._import(thing)
        number = ops.real(thing)
        return None if number is None else self.constant(number)

    def reject(self, name: str, thing: Any) -> OperandError:
        """Return the error for what is no operand."""
        return OperandError(f"{name} takes numbers, not {type(thing).__name__}: {thing!r:.40}")

    def complete(self, code: int, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the operands of a row with the defaults filled in."""
        return ops.BY_NAME[CODES[code]].complete(operands)

    def id_of(self, name: str, thing: Any) -> int:
        """Return the instruction of a number, or raise an error that names what wants it."""
        id_ = self.operand(thing)
        if id_ is None:
            raise self.reject(name, thing)
        return id_

    def lift(self, thing: Any) -> Traced:
        return thing if type(thing) is Traced else self.traced(self.id_of("a program", thing))

    # ── Values from elsewhere ────────────────────────────────────────────────────────────────

    def _import(self, value: Value) -> int:
        """Record the graph behind a Value: its leaves are parameters."""
        modes.recording(None, lambda: self._import_below(value))
        found = self.find(value)
        assert found is not None
        return found

    def _import_below(self, value: Value) -> None:
        stack = [value]
        while stack:
            node = stack[-1]
            if self.find(node) is None:
                missing = [child for child in node._children if self.find(child) is None]
                if missing:
                    stack.extend(reversed(missing))
                    continue
                id_ = self._import_one(node)
                if self.find(node) is None:
                    self.keep(node, id_)
            stack.pop()

    def _import_one(self, node: Value) -> int:
        symbol, children = node._op, node._children
        if not children:
            return self.constant(node.data) if symbol == CONSTANT else self.id_of(symbol, node)
        if symbol == "/" and not ops.divides_plainly(children[1].data):  # recorded as one division
            return self.emit(CODE["div"], children)._id
        row = ops.BY_SYMBOL.get(_PRIMITIVE.get(symbol, symbol))
        if node._local_grads is not None and row is not None and row.arity == len(children):
            return self.emit(CODE[row.name], children)._id
        if node._local_grads is None or symbol not in NARY:
            raise self.refuse("own gradients")
        count = NARY[symbol].parameters
        values = children[: len(children) - count]
        numbers = [child.data for child in children[len(children) - count :]]
        inputs = [self.lift(child) for child in values]
        if symbol == "dot":
            return self.nary("dot", inputs[::2], inputs[1::2])._id
        if symbol == "cross_entropy":
            return self.nary(symbol, inputs, int(numbers[0]))._id
        if count == 0:
            return self.nary(symbol, inputs)._id
        return self.nary(symbol, inputs, *numbers[:-1])[int(numbers[-1])]._id

    def compare(self, name: str, x: Any, y: Any) -> Any:
        """Record a comparison of a Value from elsewhere."""
        if self.operand(x) is None or self.operand(y) is None:
            return NotImplemented
        return self.emit(CODE[name], (x, y))

    def is_condition(self, value: Traced) -> bool:
        """Say whether a recorded value is what a comparison gives."""
        return self.code(value._id) in _BOOLEANS or value._id in self.conditions

    # ── What Python observes ─────────────────────────────────────────────────────────────────

    def _read(self, slot: float) -> float:
        # Not recorded, or it would be refused, as when the function reads it.
        return modes.recording(None, lambda: self.parameters[int(slot) - self.slots].data)

    def observe(self, value: Traced) -> bool:
        """Return the truth of a recorded value. A replay must answer the same."""
        if self.ended:
            raise self.refuse("")
        if self.sides:
            raise self.abandoned()
        id_ = value._id
        if self.once:
            return self.number(id_) != 0.0
        known = self.observed.get(id_)
        if known is None:
            known = self.observed[id_] = self.number(id_) != 0.0
            holds = self.is_condition(value)
            thing: Any = value
            failed = thing == 0.0 if known else thing if holds else thing != 0.0
            self.leave(failed)
        return bool(known)

    def whole(self, value: Traced) -> int:
        """Return the whole number that a recorded value is. A replay must have the same."""
        if self.ended:
            raise self.refuse("")
        if self.sides:
            raise self.abandoned()
        number = self.number(value._id)
        if not number.is_integer():
            raise OperandError(f"{_FRACTION}; this is {number!r}")
        found = int(number)
        if abs(number) >= _EXACT:
            if not self.floats:
                raise self.refuse("a large int")
            self.only_floats = True
        if not self.once:
            thing: Any = value
            self.leave(thing != number)
        return found

    def pin(self, value: Traced) -> float | int | bool:
        """Return the number of a recorded value; the recording is right for these numbers alone."""
        if self.ended:
            raise self.refuse("")
        if self.sides:
            raise self.abandoned()
        if self.is_condition(value):
            return self.observe(value)
        number = self.number(value._id)
        if self.pinned is None:
            self.pinned = self.place()
        return number

    def escape(self, value: Traced, what: str) -> int | bool:
        """Return the number of a recorded value that leaves the graph: an int or a bool may."""
        kind = float if self.ended else self.kind(value, what)
        if kind is float:
            raise self.refuse(what)
        return self.observe(value) if kind is bool else self.whole(value)

    def kind(self, value: Traced, what: str = "type()") -> type:
        """Return float, int or bool: what the type of a recorded value is in Python.

        Where it may be an int because int() was called, the recording is made again with Python's
        own ints. Where it is that of an argument, the recording is right for this call alone.
        """
        kinds, mine = self._kinds, value._id
        if mine >= len(kinds):
            codes, starts, args, numbers, *_ = self.arrays()
            for i in range(len(kinds), len(codes)):
                name, code = CODES[codes[i]], codes[i]
                if code in _BOOLEANS or i in self.conditions:
                    made = "bool"
                elif i in self.integers or i in self.mixed:
                    made = "int" if i in self.integers else "mixed"
                elif code == CONST:
                    made = "whole" if numbers[i].is_integer() else "float"
                elif code == INPUT and numbers[i] < self.slots:
                    made = "argument"
                else:
                    first = starts[i] + (name in ("where", "take"))
                    among = {kinds[k] for k in args[first : starts[i + 1]]}
                    made = _kind_of(name, among)
                kinds.append(made)
        found = kinds[mine]
        if found == "argument":
            if not self.floats:
                raise self.refuse(what)
            self.only_floats = True
        elif found == "mixed" and self.left is None:
            if INTEGERS in self.unmerged:  # a comparison in code that is not rewritten
                raise self.refuse(what)
            raise self.abandoned(INTEGERS)
        return {"bool": bool, "int": int}.get(found, float)

    def plain(self, thing: Any) -> Any:
        """Return the number of a recorded value, and anything else as it is."""
        if type(thing) is not Traced or thing._tape is not self:
            return thing
        number = self.number(thing._id)
        if self.is_condition(thing):
            return number != 0.0
        return int(number) if thing._id in self.integers else number

    def is_elsewhere(self) -> bool:
        """Say whether Python raises, or goes on with a loop, where a merged region does not."""
        return any(one.act != PATH and self.number(one.condition) for one in self.guards)

    def is_free(self) -> bool:
        """Say whether nothing was met that a recording has to look at."""
        return not (self.refused or self.left or self.pinned or self.guards)

    def may_raise(self) -> bool:
        """Say whether Python may raise for these numbers."""
        return any(one.act == RAISE and self.number(one.condition) for one in self.guards)

    def may_be_compared(self) -> bool:
        """Say whether the function may run once more on plain numbers: see `checking`."""
        return not (self.refused or self.parameters or self.count > _MOST_COMPARED)

    def leave(self, failed: Traced) -> None:
        """Add a guard: where this holds, Python goes another way."""
        if len(self.guards) >= 100 * self.steps:
            self.endless(100 * self.steps)
        self.guards.append(Guard(failed._id, PATH, self.place()))

    def endless(self, most: int) -> None:
        """Raise where too many conditions were asked, as in a loop inside of C."""
        file, line = self.place()
        self.refused = self.refused or LoopError(
            f"{file}:{line}: the loop does not end: {most:,} conditions were asked; "
            "give compile(steps=…) if it needs more"
        )
        raise self.refused

    def place(self) -> Place:
        frame = _user_frame()
        return frame.f_code.co_filename, frame.f_lineno

    def abandoned(self, place: Place | None = None) -> Unmerged:
        """Return what abandons this recording: the outermost region that it merges is no such.

        The function may swallow it (`finally: return`). Then the rest follows Python, and the
        recording is made again all the same: see `_run`.
        """
        here = self.sides[0].place if self.sides else self.place()
        self.sides.clear()
        self.expressions.clear()
        self.left = self.left or Unmerged(place or here)
        return self.left

    # ── Calls ────────────────────────────────────────────────────────────────────────────────

    def reach(self, callee: Any) -> Any:
        """Return what is done about a callee: see `calls.reach`."""
        return calls.reach(self, callee)

    def inherited(self, above: Any, name: str) -> Any:
        """Return an attribute of super(), which is a call where it is a property."""
        kinds = above.__self_class__.__mro__ if above.__self_class__ else ()
        behind = kinds[kinds.index(above.__thisclass__) + 1 :] if kinds else ()
        for kind in behind:
            found = kind.__dict__.get(name)
            if found is not None:
                if type(found) is property and found.fget is not None:
                    return appending.call(found.fget, above.__self__)
                break
        return getattr(above, name)

    def globals_over(self, names: dict[str, Any], overlay: Callable[..., Any]) -> Any:
        """Return the globals that functions without source are run over, one for each module."""
        found = self._overlays.get(id(names))
        if found is None:
            found = self._overlays[id(names)] = overlay(self, names)
        return found

    # ── Operations over lists ────────────────────────────────────────────────────────────────

    def nary(self, name: str, *operands: Any, **named: Any) -> Any:
        """Record an operation over lists: dot and sum as they are, the others written out."""
        if named:
            try:
                operands = inspect.signature(getattr(nary, name)).bind(*operands, **named).args
            except TypeError as error:
                raise OperandError(f"{name}: {error}") from None
        begin = self.count
        result = _NARY[name](self, *operands)
        self.settle(begin)  # all that was written out belongs to the user's one line
        return result

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def verdict(self) -> int:
        """Return the instruction that says which guard fails first, counted from 1; 0: none."""
        found: Any = 0.0
        for k in range(len(self.guards), 0, -1):
            condition = self.traced(self.guards[k - 1].condition)
            found = self.emit(CODE["where"], (condition, float(k), found))
        return found._id if self.guards else -1

    def decide(self, condition: Traced, place: Place | None, round_before: int = -1) -> int:
        """Note a condition that says which side counts; return its number."""
        parent, side = self.sides[-1].decision if self.sides else (-1, True)
        if round_before >= 0:
            parent, side = round_before, True
        self.decisions.append(Decision(parent, side, condition._id, place))
        return len(self.decisions) - 1

    def computed(self, id_: int) -> None:
        """Raise what Python raises for an instruction, inside a `try` that may catch it."""
        code = self.code(id_)
        if code in _RAISING and not self.sides:
            operands = [self.traced(k) for k in self.operands(id_)]
            self.compute(python_of(CODES[code]), operands, self.traced(id_))

    def compute(self, python: Callable[..., Any], operands: Sequence[Any], result: Any) -> None:
        """Raise what a function of Python's raises for these operands; a replay does the same.

        Where the result is finite it raises nothing. Elsewhere it goes by what is asked below.
        """
        recorded = [x for x in operands if type(x) is Traced]
        if self.parameters and any(self._of_a_value(x._id) for x in recorded):
            return  # an operation on Values never raises
        if self.observe(abs(result) < math.inf):
            return
        self.observe(result == result)
        for operand in recorded:
            self.settle_size(operand)
        python(*[self.plain(x) for x in operands])

    def in_a_try(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function all of which may raise as in Python: nobody sees where its `try` is."""

        def inside(*operands: Any, **named: Any) -> Any:
            before = self.caught, self.watched
            self.caught, self.watched = self.caught + 1, 1
            try:
                return function(*operands, **named)
            finally:
                self.caught, self.watched = before

        return inside

    def quiet(self, form: Callable[..., Any]) -> Callable[..., Any]:
        """Return a form in which nothing raises: what it is written in is not what Python runs."""

        def quiet(*operands: Any, **named: Any) -> Any:
            watched, self.watched = self.watched, 0
            try:
                return form(*operands, **named)
            finally:
                self.watched = watched

        return quiet

    def settle_size(self, x: Any) -> None:
        """Observe whether a number is 0, finite, infinite or nan, and its sign."""
        if not self.observe(x == 0.0):
            if self.observe(x > 0.0):
                self.observe(x < math.inf)
            elif self.observe(x < 0.0):
                self.observe(x > -math.inf)

    def _of_a_value(self, id_: int) -> bool:
        """Say whether an instruction is computed from a Value of elsewhere."""
        codes, starts, args, numbers, *_ = self.arrays()
        waiting, met = [id_], {id_}
        while waiting:
            i = waiting.pop()
            if codes[i] == INPUT and numbers[i] >= self.slots:
                return True
            for k in args[starts[i] : starts[i + 1]]:
                if k not in met:
                    met.add(k)
                    waiting.append(k)
        return False

    def _raises(self, code: int, i: int, ids: Sequence[int]) -> Any:
        """Record whether an operation may raise on floats: its result is not finite."""
        operands = [self.traced(id_) for id_ in ids]
        raises: Any = ~(abs(self.traced(i)) < math.inf)
        for operand in operands:
            raises = raises & (operand == operand)
        return raises | (operands[1] == 0.0) if code in _QUOTIENTS else raises

    def note_where_python_raises(self, place: Place) -> None:
        """Add a guard against operations that may raise on floats: 1 / 0, log(0), exp(1000).

        It fails where one of them has no finite result of numbers, or divides by 0. Some of these
        do not raise in Python, exp(inf) for one, so that it is a reason to run the function itself.
        """
        codes, starts, args, *_ = self.arrays()
        sides: list[Traced | None] = [None] * len(codes)
        spans = sorted(self.spans or (), key=lambda span: (span[0], -span[1]))
        self.spans = None
        for begin, end, side in spans:  # an inner one comes behind the one around it
            sides[begin:end] = [side] * (end - begin)
        met: Any = None
        for i, code in enumerate(codes):
            if code not in _RAISING:
                continue
            raises: Any = self._raises(code, i, args[starts[i] : starts[i + 1]])
            side = sides[i]
            raises = raises if side is None else side & raises
            met = raises if met is None else met | raises
            self.raising.append((i, raises._id))
        if met is not None:
            self.guards.append(Guard(met._id, RAISE, place, ArithmeticError, "Python raises"))

    def note_large_integers(self) -> None:
        """Add a guard against whole numbers that a double does not hold, where there may be some.

        Each has a bound: what int() gives is guarded to be below LARGE. An argument may be an int
        of any size, too; that shows where a remainder is taken of what is computed from it.
        """
        arrays = self.arrays()
        codes, starts, args, numbers, *_ = arrays
        divides = any(code in codes for code in _REMAINDERS)
        if self.left is not None or not (self.integers or self.mixed or divides):
            return
        divided = {i for i, code in enumerate(codes if divides else ()) if code in _REMAINDERS}
        bounds = dict.fromkeys(self.integers, branches.LARGE)
        large = self._grown(dict(bounds), arrays)
        if any(abs(self.number(i)) >= _EXACT for i in large):
            raise self.abandoned(INTEGERS)
        for i, code in enumerate(codes if divided else ()):
            if code == INPUT and numbers[i] < self.slots:
                bounds[i] = _EXACT
        grown = self._grown(bounds, arrays)
        for i in range(len(codes) - 1, -1, -1):
            if i in divided and i in bounds:
                divided.update(args[starts[i] : starts[i + 1]])
        asked = [i for i in grown if i in divided and i not in large]
        if not any(abs(self.number(i)) >= _EXACT for i in asked):
            large += asked
        elif self.floats:
            self.only_floats = True
        else:
            first = min(i for i in divided if codes[i] in _REMAINDERS)
            raise self.refuse("a large int", _places(*arrays[4:])[first])
        met: Any = False
        for i in large:
            met = branches.or_(met, abs(self.traced(i)) >= _EXACT)
        if large:
            self.leave(met)

    def _grown(self, bounds: dict[int, float], arrays: Sequence[Any]) -> list[int]:
        """Add how large what is computed from these may be; return what may be too large."""
        codes, starts, args, numbers, *_ = arrays
        for i in range(min([*bounds, *self.mixed], default=len(codes)), len(codes)):
            grows = _BOUNDS.get(CODES[codes[i]])
            if i not in bounds and grows is not None:
                ids = args[starts[i] + (CODES[codes[i]] in ("where", "take")) : starts[i + 1]]
                sizes = [self._bound(k, codes[k], numbers[k], bounds) for k in ids]
                if all(sizes) and (i in self.mixed or any(k in bounds for k in ids)):
                    bounds[i] = min(grows(sizes), _EXACT)
        return [i for i in sorted(bounds) if bounds[i] == _EXACT]

    def _bound(self, i: int, code: int, number: float, bounds: dict[int, float]) -> float:
        """Return how large a whole number may be; 0 for what may be a fraction."""
        if code == CONST and number.is_integer():
            return max(1.0, abs(number))
        return 1.0 if code in _BOOLEANS else bounds.get(i, 0.0)

    def note_fractions(self) -> None:
        """Add a guard for each index that may be a fraction, which Python takes for none."""
        if not self.indices:
            return
        codes, starts, args, numbers, *_ = self.arrays()
        reached: dict[int, list[int]] = {}  # what indices are computed from, by instruction
        waiting = [id_ for id_, *_ in self.indices]
        while waiting:
            i = waiting.pop()
            if i not in reached:
                name = CODES[codes[i]]
                first = starts[i] + (name in ("where", "take"))  # not what chooses
                reached[i] = list(args[first : starts[i + 1]]) if name in _CLOSED else []
                waiting += reached[i]
        whole: set[int] = set()
        for i, operands in sorted(reached.items()):
            is_number = codes[i] == CODE["const"] and numbers[i].is_integer()
            if is_number or codes[i] in _WHOLE or (operands and whole.issuperset(operands)):
                whole.add(i)
        for id_, side, place in self.indices:
            if id_ not in whole:
                if side is None:
                    whole.add(id_)  # asked for once
                index = self.traced(id_)
                met = ~(ops.floor(index) == index)
                met = met if side is None else side & met
                self.guards.append(Guard(met._id, RAISE, place, OperandError, _FRACTION))

    def program(self, outputs: Sequence[int]) -> Program:
        """Return what was recorded; a long program with loops is kept with its loops rolled up."""
        verdict = self.verdict()
        codes, starts, args, numbers, objects, places = self.arrays()
        wanted, slots = array("i", outputs), self.slots + len(self.parameters)
        arrays = (codes, starts, args, numbers, wanted, slots)
        asked = (self.guards, verdict, self.exits, self.decisions, self.raising)
        program = Program(*arrays, lambda: _places(objects, places), *asked)
        if len(codes) < ROLLED_FROM or not hasattr(backends.replay, "roll"):
            return program
        rolled = backends.replay.roll(*arrays[:4], program.ends(), slots, places, LEAST_LOOP)
        if rolled is None:
            return program
        program = Program(*arrays, lambda: _places(objects, array("i", rolled.places())), *asked)
        program.keep_rolled(rolled)
        return program

    def code_of(self, name: str) -> int:
        """Return the code of an operation."""
        return CODE[name]

    def instructions(self) -> tuple[bytes, Sequence[str], array[int], array[int], array[float]]:
        """Return the codes so far, their names, starts, args and numbers, for a sweep over them."""
        codes, starts, args, numbers, *_ = self.arrays()
        return codes, CODES, starts, args, numbers

    def close(self) -> None:
        """No value of this recording can be used any more, and it refers to nothing of anyone's:
        values in C are not looked at by the garbage collector, so no cycle may go through one.
        """
        super().close()
        self.lists.clear()
        self.rules.clear()
        self.sides.clear()
        self.indices.clear()
        self.expressions.clear()
        self.pure.clear()
        self.caches.clear()
        self.seeded.clear()
        self.refused = self.left = None
        for overlay in self._overlays.values():
            overlay.flush()
        self._overlays.clear()

    def refuse(self, what: str, place: Place | None = None) -> RecordingError:
        """Return the error for something that a recording cannot hold, on the user's line."""
        frame = _user_frame()
        file, number = place or (frame.f_code.co_filename, frame.f_lineno)
        source = linecache.getline(file, number, frame.f_globals).strip()
        head = f"{file}:{number}: {source}\n" if source else f"{file}:{number}: "
        if self.ended:
            problem = "a recorded value is used after its recording has ended"
            remedy = "return it from the recorded function, or compute with its replay's result"
        else:
            problem, remedy = _refusal(what, source, _expression(frame) or source)
        error = RecordingError(f"{head}{problem}; {remedy}", (file, number))
        error.runs_plainly = not (self.ended or what in _HARD)
        if self.refused is None and not self.ended:
            self.refused = error
        return error


_PRIMITIVE = {"-": "+", "/": "*", "neg": "*"}  # what the eager engines record these as
_BOOLEANS = frozenset([CODE[name] for name in COMPARISONS])
_WHOLE = _BOOLEANS | {CODE[name] for name in ("floor", "floordiv", "sign")}
# The results of these are whole numbers where their operands are.
_CLOSED = {"add", "sub", "mul", "neg", "abs", "mod", "sum", "maximum", "minimum", "where", "take"}
_OF_INTS = {*_CLOSED, "floordiv", "pow", "dot"}  # of ints they give one, but for some powers


def _kind_of(name: str, operands: set[str]) -> str:
    """Return the kind of what an operation gives for operands of these kinds."""
    if name not in _OF_INTS:
        return "float"
    if name in _CHOOSING and "float" in operands and len(operands) > 1:
        operands = operands - {"float"} | {"mixed"} - {"whole"}
    if "float" in operands:
        return "float"
    if operands & {"int", "bool", "mixed"}:
        return "mixed"
    return "argument" if "argument" in operands else "whole"


_CHOOSING = {"where", "take", "maximum", "minimum"}
_MOST_COMPARED = 50_000  # instructions
_REMAINDERS = frozenset([CODE["mod"], CODE["floordiv"]])
_QUOTIENTS = _REMAINDERS | {CODE["div"]}
_EXACT = 2.0**53  # below this a double holds every whole number


def _power(sizes: list[float]) -> float:
    return sizes[0] ** sizes[1] if math.log2(sizes[0]) * sizes[1] < 64.0 else math.inf


_BOUNDS: dict[str, Callable[[list[float]], float]] = {
    **dict.fromkeys(("add", "sub", "sum"), sum),
    **dict.fromkeys(("neg", "abs", "maximum", "minimum", "where", "take"), max),
    "mod": lambda sizes: sizes[1],
    "floordiv": lambda sizes: sizes[0],
    "mul": math.prod,
    "dot": lambda sizes: sum(map(operator.mul, sizes[::2], sizes[1::2])),
    "pow": _power,
}


def python_of(name: str) -> Callable[..., Any]:
    """Return what Python computes an operation with."""
    return _PYTHON.get(name) or getattr(math, name)


_PYTHON: dict[str, Any] = {
    "div": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
}
_FRACTION = "an index, or an end of a slice or a range, is a fraction; give it by int(x)"
_RAISING = frozenset(
    [CODE[op.name] for op in ops.TABLE if op.is_function and hasattr(math, op.name)]
    + [CODE[name] for name in ("div", "mod", "floordiv", "pow")]
) - {
    CODE[name]
    for name in ("atan", "atan2", "hypot", "tanh", "asinh", "erf", "erfc")
    if name in CODE
}


class How(NamedTuple):
    """What a recording is told, beside the function and its arguments."""

    inputs: Sequence[float]  # the numbers of the slots
    rounds: dict[Place, int]  # of merged loops, by their places
    steps: int  # most rounds of a loop
    unmerged: set[Place]  # what recordings learn is added
    raises: bool  # a replay is to notice where Python raises
    outside: Outside  # as it is before
    plain: Callable[[], tuple[list[Any], dict[str, Any]]]  # the arguments themselves
    floats: bool  # all numbers among them are floats
    refused: RecordingError | None  # it is known to run plainly, and why


def recorded(
    function: Callable[..., Any],
    arguments: Callable[[Tape], tuple[list[Any], dict[str, Any]]],
    how: How,
) -> tuple[Any, Tape]:
    """Run `function` on arguments made from a new Tape; return its result and the Tape."""
    calls.learn_modules()
    drawn = _random_states()
    refused: Any = how.refused
    while True:
        known = set(how.unmerged)
        try:
            if refused is not None:
                result, tape = _run_plainly(function, how, refused)
                break
            result, tape = _run(function, arguments, how)
            tape.changes = not how.outside.is_untouched()
            if tape.changes and tape.caches:
                refused = tape.refuse("a cache", _place_of(function))
            elif tape.changes and tape.is_elsewhere():
                how.unmerged.add(EVERYTHING)  # Python left the merged region, and changed nothing
            else:
                break
            tape.close()
        except Unmerged as one:
            place = one.place if one.place not in known else EVERYTHING
            if place in known:
                raise AssertionError(f"{one.place} is merged though it may not be") from None
            how.unmerged.add(place)
        except Exception as error:
            if refused is not None:  # it is the function's own
                remedy = refused.message.rpartition("; ")[2]
                complains = isinstance(error, (TypeError, AttributeError, IndexError))
                if complains and remedy != _OF_GRADWALK:
                    error.add_note(remedy)
                raise
            refused = _retold(error)
            if how.outside.runs or not refused.runs_plainly:
                if refused is error or not _is_ours(str(error)):
                    raise
                raise refused from error
        how.outside.restore()
    try:
        if how.raises and refused is None and tape.may_raise():
            if tape.changes:
                how.outside.restore()
            positional, named = how.plain()
            checking.plainly(lambda: function(*positional, **named))
            tape.pinned = tape.pinned or ("", 0)  # it does not raise, and others may
        fixed = drawn == _random_states() or _is_same_again(tape, function, arguments, how)
    except BaseException:
        tape.close()
        raise
    if not fixed:
        tape.close()
        place = _place_of(function)
        head = f"{place[0]}:{place[1]}: " if place else ""
        raise RecordingError(f"{head}{'; '.join(_REMEDIES['a draw'])}", place)
    return result, tape


def run_once(
    function: Callable[..., Any],
    tape: Tape,
    arguments: tuple[list[Any], dict[str, Any]],
    raises: bool,
) -> Any:
    """Run a function as Python does, on a tape that lives for this call; return its result."""
    tape.unmerged = _PYTHONS_OWN
    tape.caught = tape.watched = int(raises)
    positional, named = arguments
    result = modes.recording(
        tape,
        lambda: appending.recording(tape, lambda: appending.call(function, *positional, **named)),
    )
    if not tape.floats:
        tape.note_large_integers()
    return result


_PYTHONS_OWN = {EVERYTHING, INTEGERS}


def _is_same_again(tape: Tape, *how: Any) -> bool:
    """Say whether another thread drew: what draws itself has other numbers the next time."""
    if active_count() == 1:
        return False
    again = _run(*how)[1]
    one, two = tape.arrays(), again.arrays()
    again.close()
    return one[:4] == two[:4]


def _run(
    function: Callable[..., Any],
    arguments: Callable[[Tape], tuple[list[Any], dict[str, Any]]],
    how: How,
) -> tuple[Any, Tape]:
    tape = Tape(len(how.inputs), package_of(function))
    tape.spans = [] if how.raises else None
    tape.rounds, tape.steps, tape.unmerged = how.rounds, how.steps, how.unmerged
    tape.begin(how.inputs, 0)
    tape.floats = how.floats

    def recorded() -> Any:
        positional, named = arguments(tape)
        result = appending.call(function, *positional, **named)
        if tape.sides:
            raise tape.abandoned()
        tape.note_large_integers()
        tape.note_fractions()
        if how.raises:
            tape.note_where_python_raises(_place_of(function) or ("", 0))
        return result

    try:
        result = modes.recording(tape, lambda: appending.recording(tape, recorded))
    except BaseException as error:
        if tape.left is None:
            how.outside.put_numbers(tape.plain)
            error.args = with_numbers(error.args, tape.plain)
            vars(error).update(with_numbers(vars(error), tape.plain))
        refused, sides, unbound, left = tape.refused, list(tape.sides), tape.unbound, tape.left
        tape.close()
        if left is not None and not isinstance(error, (KeyboardInterrupt, MemoryError)):
            raise left from error
        if isinstance(error, Exception):
            if sides:  # Python may not get there
                raise Unmerged(sides[0].place) from error
            if unbound is not None and isinstance(error, UnboundLocalError):
                raise Unmerged(unbound) from error
            if refused is not None and refused is not error:
                raise refused from error
        raise
    swallowed = tape.left or tape.refused  # by the function, so that later instructions are invalid
    if swallowed is not None:
        tape.close()
        raise swallowed
    return result, tape


def _run_plainly(
    function: Callable[..., Any], how: How, refused: RecordingError
) -> tuple[Any, Tape]:
    """Run the function itself: what it gives is right for these numbers, and has no gradient."""
    tape = Tape(len(how.inputs))
    positional, named = how.plain()
    result = modes.recording(None, lambda: function(*positional, **named))
    tape.pinned = refused.line or ("", 0)
    tape.escaped = tape.refused = refused
    tape.changes = not how.outside.is_untouched()
    return result, tape


def _place_of(function: Any) -> Place | None:
    code = getattr(function, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else None


def package_of(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__module__", None) or "").partition(".")[0]


def _is_ours(complaint: str) -> bool:
    """Say whether Python complains about a recorded value."""
    return bool(re.search("Traced", complaint) or re.search(_OF_NUMPY, complaint))


def _retold(error: Exception) -> Any:
    """Return Python's complaint with the user's line and a remedy, should it be about a recording.

    The function itself says whether it is: without a complaint it gives the result.
    """
    if isinstance(error, RecordingError):
        return error
    message = re.sub(r"(type )?'?Traced'?( object)?", "a recorded value", str(error))
    remedies = [remedy for pattern, remedy in _BY_COMPLAINT if re.search(pattern, message)]
    place, source = _last_line(error)
    said = f"{place[0]}:{place[1]}: {source}\n{message}; {[*remedies, _OF_GRADWALK][0]}"
    made = RecordingError(said, place)
    made.runs_plainly = not isinstance(error, (GradwalkError, MemoryError))
    return made


def without_our_frames(error: BaseException, cuts_last: bool = False) -> None:
    """Cut our frames out of the traceback, so that it ends at the user's line.

    An error that was raised in place of another ends where that one came from. An error that is
    not gradwalk's own keeps our frames behind the user's last one: they say where it came from.
    """
    cause = error.__cause__
    if cause is not None:
        without_our_frames(cause, cuts_last=True)
    steps: list[TracebackType] = []
    step = last = error.__traceback__
    while step is not None:
        if not step.tb_frame.f_globals.get("__name__", "").startswith(_OURS):
            steps.append(step)
            last = step.tb_next
        step = step.tb_next
    if isinstance(error, GradwalkError) or cuts_last:
        last = cause.__traceback__ if cause is not None and not steps else None
    for step in reversed(steps):
        last = TracebackType(last, step.tb_frame, step.tb_lasti, step.tb_lineno)
    error.__traceback__ = last


def _last_line(error: Exception) -> tuple[Place, str]:
    """Return the user's line that an exception came from last."""
    place, source = ("", 0), ""
    step = error.__traceback__
    while step is not None:
        frame = step.tb_frame
        if not _is_library(frame, _OURS):
            place = (frame.f_code.co_filename, step.tb_lineno)
            source = linecache.getline(*place, frame.f_globals).strip()
        step = step.tb_next
    return place, source


# ── Refusals ─────────────────────────────────────────────────────────────────────────────────

_STATIC = "or, for an argument that never varies, compile(static=…)"

# With these the function has another meaning, or none, on plain numbers.
_HARD = frozenset(
    [
        *(".data", ".grad", "backward()", "detach()", "step()", "no_grad"),
        *("a draw", "own gradients", "another recording"),
    ]
)
_REMEDIES: dict[str, tuple[str, str]] = {
    ".data": (".data would be fixed for good, as it is today", "compute with the value itself"),
    ".grad": ("there is no gradient while recording", "use value_and_grad on the program"),
    "backward()": ("a recording has nothing to walk back", "use value_and_grad on the program"),
    "detach()": ("detach() would fix today's number for good", "leave its input out of wrt"),
    "step()": (
        "a step of an optimiser would be made once, while recording",
        "use program.train(optimizer)",
    ),
    "no_grad": ("no_grad would fix what it computes at today's numbers", "leave it out"),
    "bool()": (
        "a branch on a captured Value would be fixed for good",
        "use gradwalk.where(condition, x, y)",
    ),
    "float()": ("float() of a recorded value would be fixed for good", "compute with the value"),
    "int()": ("int() of a captured Value would be fixed for good", "use gradwalk.floor"),
    "complex()": ("a recorded value is a real number", "compute with real numbers"),
    "a format": (
        "a recorded value has no number, so its text is not what Python's is",
        "compute with the value, and format the result of the program",
    ),
    "Value()": (
        "a Value of a recorded value would be fixed",
        "it is a value already: compute with it",
    ),
    "bits": (
        "& | ^ ~ << >> take conditions such as x > 0, or ints",
        "write int(x), or (x > 0) & (y > 0), with x != 0 for a number that is a flag",
    ),
    "a large int": (
        "an int is beyond 2**53 here, which a recording does not hold exactly",
        "give it as a float where that is precise enough",
    ),
    "an argument": (
        "the gradient of a program, and a program without its source, cannot be recorded",
        "call the function itself inside the other",
    ),
    "type()": (
        "whether a number is an int or a float is not known while recording",
        f"use isinstance(x, (int, float)) {_STATIC}",
    ),
    "a draw": (
        "the function drew random numbers while it was recorded: every replay would repeat them",
        "draw them outside and pass them in",
    ),
    "own gradients": (
        "a Value with gradients of its own making cannot be held by a program",
        "compute it from operations of gradwalk",
    ),
    "a cache": (
        "what is cached for recorded values may change from call to call",
        "cache functions of numbers that change nothing, and read nothing that changes",
    ),
    "another recording": ("this value belongs to another recording", "pass it as an argument"),
}  # fmt: skip


def _refusal(what: str, line: str, source: str) -> tuple[str, str]:
    """Return what is wrong and what to write instead, by what the user has written.

    `source` is the expression that needs a number, `line` the line that it stands in.
    """
    if what.startswith("numpy."):
        name = what.partition(".")[2]
        if name in ops.BY_NAME and ops.BY_NAME[name].is_function:
            return f"{what} does not record with these arguments", f"use gradwalk.{name}"
        return f"{what} does not record", _OF_GRADWALK
    problem, remedy = _REMEDIES[what]
    if what == "float()":
        called = re.findall(r"\b((?:math\.)?(\w+))\(", source)
        if found := [name for _, name in called if name in ops.BY_NAME]:
            remedy = f"use gradwalk.{found[0]}"
        elif found := [name for name, last in called if name != last]:
            problem, remedy = f"{found[0]} does not record", _OF_GRADWALK
        elif re.search(r"\b(np|numpy)\.|\]\s*=[^=]", line):
            remedy = "an array that is to hold it needs dtype=object"
    return problem, remedy


_OF_GRADWALK = "write it with functions of gradwalk: " + ", ".join(
    [op.name for op in ops.TABLE if op.is_function]
)

_BY_COMPLAINT = (
    (r"not iterable|not subscriptable|no len", "it is one number here. A map takes one row of each "
     "array for a scenario, so for a list in each it takes an array of shape (scenarios, length)"),
    (r"arrays can be converted", "math takes one number: np.exp(x), or [math.exp(v) for v in x]"),
    (r"no attribute|conver[ts]", "it takes operators, the functions of math and those of gradwalk"),
    (r"used as indices", "use [gradwalk.take(table, i) for i in indices]"),
    (r"^Cannot cast", "numpy's linear algebra does not record; write it out, with operators or @"),
    (r"ufunc", "use the function of gradwalk on each entry: [gradwalk.exp(v) for v in x]"),
)  # fmt: skip

_OF_NUMPY = r"arrays can be converted|^Cannot cast ufunc .*'O'|^arrays used as|^ufunc '\w+' not"


def _user_frame() -> FrameType:
    """Return the nearest frame in which a user can mend something."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_library(frame, _LIBRARY):
        frame = frame.f_back
    return frame


def _is_library(frame: FrameType, ours: tuple[str, ...]) -> bool:
    """Say whether a frame is not the user's: of ours, or of Python's own modules."""
    file = frame.f_code.co_filename
    return frame.f_globals.get("__name__", "").startswith(ours) or (
        file.startswith(calls.STANDARD) and "site-packages" not in file
    )


def _expression(frame: FrameType) -> str:
    """Return the text of the expression that a frame is at, which may be a small part of a line."""
    code = frame.f_code
    first, last, begin, end = next(islice(code.co_positions(), frame.f_lasti // 2, None))
    if first is None or last is None or begin is None or end is None:
        return ""
    lines = [
        linecache.getline(code.co_filename, number, frame.f_globals).encode()
        for number in range(first, last + 1)
    ]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    return b"".join(lines).decode(errors="replace").strip()


def _places(objects: list[CodeType], pairs: array[int]) -> list[Place | None]:
    """Return file and line for each pair of a code object and an offset into it."""
    lines: dict[int, tuple[list[int], list[int]]] = {}
    found: dict[tuple[int, int], Place] = {}
    places: list[Place | None] = []
    last: Place | None = None
    for index, at in zip(pairs[::2], pairs[1::2], strict=True):
        if index < 0:
            places.append(None)
            continue
        place = found.get((index, at))
        if place is None:
            code = objects[index]
            if index not in lines:
                spans = [(start, line or 0) for start, _, line in code.co_lines()]
                lines[index] = ([start for start, _ in spans], [line for _, line in spans])
            starts, numbers = lines[index]
            place = (code.co_filename, numbers[max(0, bisect_right(starts, at) - 1)])
            if code.co_filename.startswith(_FOLDERS):
                places.append(last)  # a helper of ours, called from the line before, if any
                continue
            found[index, at] = place
        last = place
        places.append(place)
    return places


_HOME = os.path.dirname(ops.__file__)
_FOLDERS = tuple(
    [os.path.join(_HOME, *part) for part in (("program", ""), ("engine", ""), ("expr.py",))]
)


# ── Conditions ────────────────────────────────────────────────────────────────────────────────


def _are_conditions(*operands: Any) -> bool:
    return all(
        x._tape.is_condition(x) if type(x) is Traced
        else isinstance(x, (bool, float)) and x in (0.0, 1.0)
        for x in operands
    )  # fmt: skip


def _condition(*operands: Any) -> Traced:
    """Record where(condition, x, y), all of whose operands are conditions."""
    tape = operands[0]._tape
    value = tape.emit(CODE["where"], operands)
    tape.conditions.add(value._id)
    return value


def _of_ints(operator: Callable[..., Any], *operands: Any) -> Any:
    """Return what Python gives for its own ints and bools, with a guard on each."""
    return operator(*[x._tape.escape(x, "bits") if type(x) is Traced else x for x in operands])


# ── Operations over lists, written out ───────────────────────────────────────────────────────


def _some(tape: Tape, name: str, x: Iterable[Any]) -> list[Traced]:
    values = [tape.lift(value) for value in x]
    if not values:
        raise OperandError(f"{name} takes at least one input, got an empty list")
    return values


def _dot(tape: Tape, w: Sequence[Any], x: Sequence[Any]) -> Traced:
    if len(w) != len(x):
        raise OperandError(f"dot takes two lists of one length, not {len(w)} and {len(x)}")
    pairs = [operand for pair in zip(w, x, strict=True) for operand in pair]
    return tape.emit(CODE["dot"], pairs)


def _sum(tape: Tape, x: Iterable[Any]) -> Traced:
    return tape.emit(CODE["sum"], x)


def _linear(tape: Tape, w: Sequence[Any], x: Sequence[Any], b: Sequence[Any] | None = None) -> Any:
    rows = [_dot(tape, row, x) for row in w]
    if b is None:
        return rows
    if len(b) != len(rows):
        raise OperandError(f"linear takes a bias for each row: {len(rows)}, not {len(b)}")
    return [row + bias for row, bias in zip(rows, b, strict=True)]


def _mean(tape: Tape, x: Iterable[Any]) -> Any:
    values = _some(tape, "mean", x)
    return _sum(tape, values) * ops.pow_.value(float(len(values)), -1.0)


def _powers(tape: Tape, x: list[Traced]) -> tuple[list[Any], Any, Any]:
    """Return exp(x - shift), their sum and the shift: the whole number below the largest.

    The shift is finite even where the largest is not, since inf - inf is nan.
    """
    top: Any = x[0]
    for value in x[1:]:
        top = ops.maximum(top, value)
    shift = ops.clip(ops.floor(top), -sys.float_info.max, sys.float_info.max)
    powers = [ops.exp(value - shift) for value in x]
    return powers, _sum(tape, powers), shift


def _once(function: Callable[..., list[Any]]) -> Callable[..., Any]:
    """Eagerly each element is a node of its own; recorded, all share what they have in common."""

    def shared(tape: Tape, x: Iterable[Any], *rest: Any) -> list[Any]:
        values = _some(tape, function.__name__[1:], x)
        key = (function.__name__, *rest, *[value._id for value in values])
        if key not in tape.lists:
            tape.lists[key] = function(tape, values, *rest)
        return list(tape.lists[key])

    return shared


@_once
def _softmax(tape: Tape, x: list[Traced]) -> list[Any]:
    powers, total, _ = _powers(tape, x)
    inverse = total**-1.0
    return [power * inverse for power in powers]


@_once
def _logsumexp(tape: Tape, x: list[Traced]) -> list[Any]:
    _, total, shift = _powers(tape, x)
    return [ops.log(total) + shift]


def _log_softmax(tape: Tape, x: Iterable[Any]) -> list[Any]:
    values = _some(tape, "log_softmax", x)
    whole = _logsumexp(tape, values)[0]
    return [value - whole for value in values]


def _cross_entropy(tape: Tape, x: Iterable[Any], target: Any) -> Any:
    values = _some(tape, "cross_entropy", x)
    if type(target) is Traced:
        chosen: Any = target._take(values)
    elif isinstance(target, int) and 0 <= target < len(values):
        chosen = values[target]
    else:
        last = len(values) - 1
        raise OperandError(
            f"the target of cross_entropy is an index from 0 to {last}, not {target!r}"
        )
    return _logsumexp(tape, values)[0] - chosen


@_once
def _rmsnorm(tape: Tape, x: list[Traced], epsilon: Any = 1e-5) -> list[Any]:
    scale: Any = (_dot(tape, x, x) * ops.pow_.value(float(len(x)), -1.0) + epsilon) ** -0.5
    return [value * scale for value in x]


@_once
def _layernorm(tape: Tape, x: list[Traced], epsilon: Any = 1e-5) -> list[Any]:
    middle = _mean(tape, x)
    offsets: list[Any] = [value - middle for value in x]
    share = ops.pow_.value(float(len(x)), -1.0)
    scale: Any = (_dot(tape, offsets, offsets) * share + epsilon) ** -0.5
    return [offset * scale for offset in offsets]


_NARY: dict[str, Callable[..., Any]] = {
    "dot": _dot,
    "sum": _sum,
    "linear": _linear,
    "mean": _mean,
    "softmax": _softmax,
    "logsumexp": lambda tape, x: _logsumexp(tape, x)[0],
    "log_softmax": _log_softmax,
    "cross_entropy": _cross_entropy,
    "rmsnorm": _rmsnorm,
    "layernorm": _layernorm,
}


def _random_states() -> list[Any]:
    """Return the states of the generators that any function can draw from."""
    states: list[Any] = []
    if "random" in sys.modules:
        states.append(sys.modules["random"].getstate())
    if "numpy.random" in sys.modules:
        kind, key, position, *_ = sys.modules["numpy.random"].get_state()
        states.append((kind, key.tobytes(), position))
    return states
