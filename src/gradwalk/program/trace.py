"""The part of a recording that runs once an operation: a value, and the tape it is appended to.

    Traced     what a recorded function computes with: an operator appends an instruction
    Tape       the instructions so far, the constants, and the Values met on the way (parameters)
    method     a row of the table as a method of Traced
    function   a function of one number that records a Traced and hands anything else on
    call       what a rewritten call site does (see `rewrite`); `attribute` the same for a property
    sum        the builtin, which is one instruction of recorded values

This is the specification of native/recorder/tape.c, and runs where that is not built. `backends`
has the one in use, and the two write the same program to the last byte. What is rare is in
`recording`, which gives Traced more methods and has a subclass of Tape, whose `foreign`, `reject`,
`complete`, `reach`, `inherited`, `computed` and `refuse` are called from here.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import builtins
import sys
import threading
from array import array
from collections.abc import Callable, Iterable
from struct import pack
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import TYPE_CHECKING, Any

from gradwalk.engine import CONST, Value, modes
from gradwalk.ops import Op
from gradwalk.program.interpreter import FORWARD, Replay
from gradwalk.program.ir import ARITY, CODE, CODES, COMPARISONS, INPUT, MANY, starts_of

__all__ = [
    "HEAP_TYPE",
    "OURS",
    "Tape",
    "Traced",
    "attribute",
    "call",
    "function",
    "method",
    "recording",
    "replace",
    "replacement",
    "sum",
    "user_frame",
]

# What begins with one of these is not the user's module: a line is looked for in its caller. An
# expression's function is in `compiled` and has no lines, so that is not among them.
OURS = (
    *("gradwalk.program.trace", "gradwalk.program.recording"),
    *("gradwalk.engine", "gradwalk.ops"),
    *("contextlib", "numpy", "functools"),
)

_getframe = sys._getframe
_CONST = CODE["const"]


class Traced:
    """A number of a function that is being recorded: known by its instruction, not by its size."""

    __slots__ = ("_id", "_tape")
    _id: int
    _tape: Any
    if TYPE_CHECKING:  # made below, by the table

        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...
        def __abs__(self) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def _kind(self) -> Any: ...

    def __bool__(self) -> bool:
        tape = self._tape
        if tape.once and not tape.ended:
            tape._questions -= 1
            if tape._questions < 0:
                tape.endless(tape._most)
        return tape.observe(self)

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What `isinstance` asks, after the type itself: recorder.py says which it is."""
        return self._kind()

    @staticmethod
    def _apply(op: Op, operands: tuple[Any, ...]) -> Any:
        """Record one row of the table, for the user's line."""
        tape = next(x for x in operands if type(x) is Traced)._tape
        return tape.emit(CODE[op.name], operands)


_new = Traced.__new__


class Tape:
    """The instructions recorded so far. Argument slots come first, then those of parameters.

    A Value that the function got from elsewhere than its arguments is a parameter: a leaf is read
    anew at every replay. The graph behind an interior one is recorded in its place.
    """

    __slots__ = (
        "_args",
        "_at",
        "_code_at",
        "_codes",
        "_constants",
        "_counts",
        "_inputs",
        "_kept",
        "_known",
        "_last",
        "_lasti",
        "_most",
        "_numbers",
        "_questions",
        "_reached",
        "_values",
        "depth",
        "once",
        "parameters",
        "slots",
        "watched",
    )

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.parameters: list[Value] = []
        self._codes: Any = bytearray()
        self._args = array("i")
        self._counts: dict[int, int] = {}  # operands of those that may have any number
        self._numbers: dict[int, float] = {}
        self._constants: dict[float | bytes, int] = {}
        self._code_at: list[CodeType | None] = []  # with lasti: the line behind each instruction
        self._lasti = array("i")
        self._known: dict[int, int] = {}  # the instruction of a Value, by its address
        self._kept: list[Value] = []  # so that no address is used twice
        self._reached: dict[Any, tuple[Any, Any]] = {}  # what is called, what is done about it
        self.depth = 0  # of calls that were followed
        self.watched = 0  # `computed` is told of operators and functions of math
        self.once = 0  # it lives for one call: guards are not left, and lines not kept in C
        self._inputs: Any = array("d")
        self._values: list[float] = []
        self._at = 0  # where the operands begin of the first instruction without a value
        self._questions = self._most = 0  # that it may answer, should it live for one call
        self._last: Any = None  # the arrays of a tape that lived for one call

    if TYPE_CHECKING:  # of the subclass

        def foreign(self, thing: Any) -> int | None: ...
        def reject(self, name: str, thing: Any) -> Exception: ...
        def complete(self, code: int, operands: tuple[Any, ...]) -> tuple[Any, ...]: ...
        def refuse(self, what: str) -> Exception: ...
        def _read(self, slot: float) -> float: ...
        def observe(self, value: Any) -> bool: ...
        def endless(self, most: int) -> None: ...
        def computed(self, id_: int) -> None: ...
        def reach(self, callee: Any) -> Any: ...
        def inherited(self, above: Any, name: str) -> Any: ...

    # ── Instructions ─────────────────────────────────────────────────────────────────────────

    @property
    def count(self) -> int:
        return len(self._codes)

    @property
    def ended(self) -> bool:
        return type(self._codes) is not bytearray

    def code(self, id_: int) -> int:
        """Return the code of an instruction."""
        return self._codes[id_]

    def traced(self, id_: int) -> Any:
        value = _new(Traced)
        value._tape = self
        value._id = id_
        return value

    def emit(self, code: int, operands: Iterable[Any], name: str = "") -> Any:
        """Append an instruction for the user's line, whoever called; the operators do it faster.

        `name` is what an error calls it, where that is not the operation's own name.
        """
        ids: list[int] = []
        for operand in tuple(operands):  # reading one can run anything
            id_ = self.operand(operand)
            if id_ is None:
                raise self.reject(name or CODES[code], operand)
            ids.append(id_)
        value = _appended(self, code, ids, user_frame())
        if code in MANY:
            self._counts[value._id] = len(ids)
        return value

    def source(self, code: int, number: float) -> int:
        """Append a const or an input."""
        id_ = len(self._codes)
        self._codes.append(code)
        self._numbers[id_] = number
        self._code_at.append(None)
        self._lasti.append(0)
        return id_

    def settle(self, begin: int) -> None:
        """Give all instructions from `begin` on to the user's one line."""
        frame = user_frame()
        for i in range(begin, len(self._codes)):
            if self._code_at[i] is not None:
                self._code_at[i] = frame.f_code
                self._lasti[i] = frame.f_lasti

    # ── Operands ─────────────────────────────────────────────────────────────────────────────

    def constant(self, number: float) -> int:
        # 0.0 and -0.0 are two, and a nan is known by its bits.
        key = number if number and number == number else pack("d", number)
        id_ = self._constants.get(key)
        if id_ is None:
            id_ = self._constants[key] = self.source(_CONST, number)
        return id_

    def operand(self, thing: Any) -> int | None:
        """Return the instruction of whatever stands in an operation; None for what may not."""
        kind: Any = type(thing)
        if kind is float or kind is int:
            id_ = self._constants.get(thing) if thing else None
            if id_ is not None:
                return id_
        elif kind is Traced and thing._tape is self:
            return thing._id
        else:
            id_ = self._known.get(id(thing))
            if id_ is not None:
                return id_
            if isinstance(thing, Value) and not thing._children and thing._op != CONST:
                return self._parameter(thing)
        return self.foreign(thing)

    def find(self, value: Value) -> int | None:
        """Return the instruction of a Value that was met before."""
        return self._known.get(id(value))

    def keep(self, value: Value, id_: int) -> None:
        """Remember the instruction of a Value."""
        self._known[id(value)] = id_
        self._kept.append(value)

    def _parameter(self, leaf: Value) -> int:
        id_ = self.source(INPUT, self.slots + len(self.parameters))
        self.parameters.append(leaf)
        self.keep(leaf, id_)
        return id_

    # ── Numbers ──────────────────────────────────────────────────────────────────────────────

    def begin(self, inputs: Any, questions: int) -> None:
        """Take the numbers of the arguments. With questions it lives for one call."""
        self._inputs, self.once = array("d", bytes(inputs)), int(questions > 0)
        self._questions = self._most = questions

    def number(self, id_: int) -> float:
        """Return the number that an instruction has here."""
        if self.ended:
            raise self.refuse("")
        values = self._values
        while id_ >= len(values):
            i = len(values)
            code, begin = self._codes[i], self._at
            if code == _CONST:
                number = self._numbers[i]
            elif code == INPUT:
                slot, inputs = self._numbers[i], self._inputs
                number = inputs[int(slot)] if slot < len(inputs) else self._read(slot)
            else:
                self._at += self._counts[i] if code in MANY else ARITY[code]
                operands = [values[k] for k in self._args[begin : self._at]]
                number = FORWARD[code](*operands)
            values.append(number)
        return values[id_]

    def operands(self, id_: int) -> tuple[int, ...]:
        """Return the instructions that one reads."""
        _, starts, args, *_ = self.arrays()
        return tuple(args[starts[id_] : starts[id_ + 1]])

    def gradient(self, output: int, slots: Any, grads: Any) -> None:
        """Write the gradient of an instruction by these slots."""
        codes, starts, args, numbers, *_ = self.arrays()
        count = output + 1
        given = {int(numbers[i]): self._values[i] for i in range(count) if codes[i] == INPUT}
        row = array(
            "d", [given.get(slot, 0.0) for slot in range(max([*given, *slots], default=-1) + 1)]
        )
        program = codes[:count], starts[: count + 1], args[: starts[count]], numbers[:count]
        ends = array("i", [output]), len(row), slots, array("d", [1.0])
        Replay(*program, *ends).value_and_grad([row], array("d", [0.0]), grads)

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def arrays(self) -> tuple[Any, ...]:
        """Return the program's codes, starts, args and numbers, and where it was recorded: code
        objects, and for each instruction two numbers, which of them (-1: none) and how far into it.
        """
        if self._last is not None:
            return self._last
        # From here on the collector may run, and what it finalises may record: that is left out.
        codes, args, known = bytes(self._codes), self._args[:], self._numbers.copy()
        count = len(codes)
        numbers = array("d", bytes(8 * count))
        for id_, number in known.items():
            if id_ < count:
                numbers[id_] = number
        objects: dict[CodeType | None, int] = {None: -1}
        places = array("i")
        for code, lasti in zip(self._code_at[:count], self._lasti[:count], strict=True):
            places.append(objects.setdefault(code, len(objects) - 1))
            places.append(lasti)
        starts = starts_of(codes, self._counts)
        return codes, starts, args, numbers, list(objects)[1:], places

    def close(self) -> None:
        """No value of this recording can be used any more."""
        if self.once and not self.ended and self.count:
            self.number(self.count - 1)
            self._last = self.arrays()
        self._codes = _Closed(self)
        self._known.clear()
        self._kept.clear()
        self._reached.clear()


class _Closed:
    """Stands for the instructions of a recording that has ended."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def __len__(self) -> int:
        raise self._tape.refuse("")

    def __getitem__(self, _: int) -> int:
        raise self._tape.refuse("")


def user_frame() -> FrameType:
    """Return the nearest frame that is neither the recording's nor the engine's."""
    frame = _getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(OURS):
        frame = frame.f_back
    return frame


# ── Operators ────────────────────────────────────────────────────────────────────────────────


def _appended(tape: Any, code: int, ids: Iterable[int], frame: FrameType) -> Any:
    """Append an instruction for the line that a frame is at, and return its value."""
    if frame.f_code is _OF_CALL:
        frame = user_frame()
    # First what lets the collector run: what it finalises may record.
    row, value = array("i", ids), _new(Traced)
    value._tape = tape
    value._id = len(tape._codes)
    tape._codes.append(code)
    tape._args.extend(row)
    tape._code_at.append(frame.f_code)
    tape._lasti.append(frame.f_lasti)
    return value


def _watched(value: Any) -> Any:
    """Tell the tape of an operator or a function of math, where it watches."""
    tape = value._tape
    if tape.watched:
        tape.computed(value._id)
    return value


def _binary(code: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the operator and its reflection."""

    def method(self: Traced, other: Any) -> Any:
        right = self._tape.operand(other)
        if right is None:
            return NotImplemented
        return _watched(_appended(self._tape, code, (self._id, right), _getframe(1)))

    def reflected(self: Traced, other: Any) -> Any:
        left = self._tape.operand(other)
        if left is None:
            return NotImplemented
        return _watched(_appended(self._tape, code, (left, self._id), _getframe(1)))

    return method, reflected


def _unary(code: int) -> Callable[[Any], Any]:
    return lambda self: _appended(self._tape, code, (self._id,), _getframe(1))


def function(code: int, otherwise: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that records a Traced and hands anything else to `otherwise`."""

    def call(x: Any) -> Any:
        if type(x) is not Traced:
            return otherwise(x)
        return _watched(_appended(x._tape, code, (x._id,), user_frame()))

    return call


def method(op: Op) -> Callable[..., Any]:
    """Return a row as a method; what is left out of its operands has a default."""
    code, arity = CODE[op.name], op.arity

    def method(self: Traced, *others: Any) -> Any:
        tape = self._tape
        operands = (self, *others)
        if len(operands) != arity:
            operands = tape.complete(code, operands)
        ids = [self._id]
        for operand in operands[1:]:
            id_ = tape.operand(operand)
            if id_ is None:
                raise tape.reject(op.name, operand)
            ids.append(id_)
        return _appended(tape, code, ids, _getframe(1))

    return method


for _name, _row in {
    "add": "add",
    "mul": "mul",
    "sub": "sub",
    "truediv": "div",
    "floordiv": "floordiv",
    "mod": "mod",
    "pow": "pow",
}.items():
    _straight, _reflected = _binary(CODE[_row])
    setattr(Traced, f"__{_name}__", _straight)
    setattr(Traced, f"__r{_name}__", _reflected)
for _name in COMPARISONS:
    setattr(Traced, f"__{_name}__", _binary(CODE[_name])[0])
setattr(Traced, "__neg__", _unary(CODE["neg"]))  # noqa: B010  (as those above)
setattr(Traced, "__abs__", _unary(CODE["abs"]))  # noqa: B010


# ── Calls ────────────────────────────────────────────────────────────────────────────────────


class _Current(threading.local):
    tape: Any = None


_current = _Current()
_replaced: dict[int, tuple[Any, Any]] = {}  # by address: a function, what is called instead
_plain_sum = builtins.sum
DEEPEST = 4000  # calls that are followed, one inside the other


def recording(tape: Any, function: Any) -> Any:
    """Call a function while this thread records on a tape."""
    before = _current.tape
    return modes.enclosed(
        lambda: setattr(_current, "tape", tape),
        function,
        lambda: setattr(_current, "tape", before),
    )


def replace(original: Any, replacement: Any) -> None:
    """Call the second in the place of the first while anything records."""
    _replaced[id(original)] = (original, replacement)


def replacement(original: Any) -> Any:
    """Return what is called in the place of a function while anything records, or None."""
    return _replaced.get(id(original), (None, None))[1]


def call(callee: Any, /, *args: Any, **named: Any) -> Any:
    """Call it as the recording wants it called: what a rewritten call site does."""
    tape = _current.tape
    if tape is None or tape.ended:
        return callee(*args, **named)
    kind: Any = type(callee)
    function = callee
    if kind is MethodType and type(callee.__func__) is FunctionType:
        kind, function, args = FunctionType, callee.__func__, (callee.__self__, *args)
    if kind is FunctionType:
        answer = _reached(tape, function, (function.__code__, "code"))
        if answer is None:
            return function(*args, **named)
        if tape.depth >= DEEPEST:
            raise RecursionError(
                f"calls nest more than {DEEPEST} deep while a function is recorded"
            )
        made = _with_code(function, answer) if type(answer) is CodeType else answer(function)
        tape.depth += 1
        try:
            return made(*args, **named)
        finally:
            tape.depth -= 1
    other = _replaced.get(id(callee))
    if other is not None:
        return other[1](*args, **named)
    key = (kind, "type")
    if kind is BuiltinFunctionType:
        owner = callee.__self__
        is_of_list = type(owner) is list and callee.__name__ != "sort"  # which alone has a form
        if owner is None or type(owner) is ModuleType or is_of_list:
            return callee(*args, **named)
        key = (owner if isinstance(owner, type) else type(owner), "self")
    elif kind is MethodType:  # of something that is no function of Python's
        key = (type(callee.__self__), "self")
    elif isinstance(callee, type):
        if not callee.__flags__ & HEAP_TYPE:
            return callee(*args, **named)
        key = (callee, "class")
    answer = _reached(tape, callee, key)
    return callee(*args, **named) if answer is None else answer(callee, *args, **named)


_OF_CALL = call.__code__
HEAP_TYPE = 1 << 9  # of the flags of a class: it was made by a class statement


def _reached(tape: Any, callee: Any, key: tuple[Any, str]) -> Any:
    """Return what the tape says of a callee; it is asked once for each key."""
    address = (id(key[0]), key[1])
    known = tape._reached.get(address)
    if known is None:
        known = tape._reached[address] = (key[0], tape.reach(callee))
    return known[1]


def _with_code(function: Any, code: CodeType) -> Any:
    made = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def attribute(thing: Any, name: str, /) -> Any:
    """Return an attribute; a property of a class of the user's is a call, too."""
    kind: Any = type(thing)
    if _current.tape is not None and kind is super:
        return _current.tape.inherited(thing, name)
    if (
        _current.tape is None
        or not kind.__flags__ & HEAP_TYPE
        or kind.__getattribute__ is not object.__getattribute__
        or hasattr(kind, "__getattr__")
    ):
        return getattr(thing, name)
    for base in kind.__mro__:
        found = base.__dict__.get(name)
        if found is not None:
            if type(found) is property and type(found.fget) is FunctionType:
                return call(found.fget, thing)
            break
    return getattr(thing, name)


def sum(x: Iterable[Any], /, start: Any = 0) -> Any:  # noqa: A001
    """The builtin, which is one instruction where a recorded value is among its terms."""
    tape = _current.tape
    items = tuple(x)
    recorded, fit = type(start) is Traced, True
    if tape is not None:
        for item in items:
            if type(item) is Traced:
                recorded = True
            elif type(item) is not float and type(item) is not int:
                if isinstance(item, Value):
                    recorded = True
                elif tape.operand(item) is None:
                    fit = False
                    break
    if tape is None or tape.ended or not recorded or not fit:
        return _plain_sum(items, start)
    if type(start) not in (int, float) or repr(start) not in ("0", "0.0"):
        items = (start, *items)
    if len(items) == 1:  # 0 + x, which is no reduction and has the sign of a sum
        return tape.emit(CODE["add"], (0.0, *items), "sum")
    return tape.emit(CODE["sum"], items, "sum")
