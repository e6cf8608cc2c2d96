"""The switches that change how operations record: no_grad, detect_anomaly, source_lines, scope,
strict; whether a function is being recorded as a program, when no number of a Value may be read;
and what is said when a number leaves the graph.

Both engines read them, so neither owns them. `active` has the switches that are on anywhere, in
any thread: while it is empty, which is nearly always, an operation pays one test and no look-up.

Ctrl-C may come between any two instructions. So each change of state is made inside the `try` whose
`finally` undoes it, undoing can be repeated, and it is done twice: see `enclosed`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import ContextDecorator
from contextvars import ContextVar
from functools import partial, wraps
from opcode import opmap
from sys import _getframe
from types import FrameType
from typing import Any, Protocol, TypeVar, cast
from warnings import warn_explicit
from weakref import ref

from gradwalk.errors import GradientDroppedError, GradientDroppedWarning, OperandError

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

NO_GRAD, ANOMALY, LINES, SCOPES, RECORDING, STRICT = 1, 2, 4, 8, 16, 32

active: set[_Block] = set()
_listeners: list[Callable[[set[_Block]], object]] = []


def listen(tell: Callable[[set[_Block]], object]) -> None:
    """Call `tell(active)` now and whenever it changes: the C engine keeps its size, to test."""
    _listeners.append(tell)
    tell(active)


class Recorder(Protocol):
    """What records a function, as the engine sees it: `gradwalk.program` has the one there is."""

    def refuse(self, what: str) -> Exception:
        """Return the error for reading a Value's number in this way."""
        ...

    def lift(self, thing: Any) -> Any:
        """Return a Value or a number as a recorded value."""
        ...

    def compare(self, name: str, x: Any, y: Any) -> Any:
        """Record a comparison with a Value in it."""
        ...

    def nary(self, name: str, *operands: Any, **named: Any) -> Any:
        """Record an operation over lists."""
        ...


class _Block:
    """One `with` in progress, and the one around it.

    A task started inside keeps it in its copy of the context and may outlive it. So the end of the
    block clears its flags, and the switch is off there too. It is also off when its owner is gone:
    an interrupt before the first line of `__exit__` skips that.
    """

    __slots__ = ("_flags", "_owner", "outer", "path", "recorder")

    def __init__(
        self,
        flags: int,
        outer: _Block | None,
        path: str = "",
        recorder: Recorder | None = None,
        owner: _Mode | None = None,
    ) -> None:
        self._flags = flags
        self._owner = ref(owner) if owner else None
        self.outer = outer
        self.path = path  # of a scope, with those around it
        self.recorder = recorder

    @property
    def flags(self) -> int:
        return self._flags if self._owner is None or self._owner() else 0

    def end(self) -> None:
        self._flags = 0


_innermost: ContextVar[_Block | None] = ContextVar("gradwalk_modes", default=None)


def current() -> int:
    """Return the switches that are on here, in this thread and task, as a sum of flags."""
    flags, block = 0, _innermost.get()
    while block is not None:
        flags |= block.flags
        block = block.outer
    return flags


def enclosed(
    begin: Callable[[], object], function: Callable[[], Result], end: Callable[[], object]
) -> Result:
    """Call the three and return what `function` returns. An interrupt may cut `end` short, so it is
    called twice; the second call must do no harm.
    """
    try:
        try:
            begin()
            return function()
        finally:
            end()
    finally:
        end()


def recording(by: Recorder | None, function: Callable[[], Result]) -> Result:
    """Call a function with all other switches off, recorded by `by`. With None: pause recording."""
    before = _innermost.get()
    block = _Block(RECORDING, None, recorder=by) if by else None

    def begin() -> None:
        _innermost.set(block)
        if block:
            _tell_of(block)

    def end() -> None:
        _innermost.set(before)
        if block:
            block.end()
            _tell_of(block)

    return enclosed(begin, function, end)


def _tell_of(block: _Block) -> None:
    """Say that a block began or ended.

    No lock, which an interrupt could leave locked: each call below is one step for other threads.
    """
    active.add(block)
    active.difference_update([block for block in tuple(active) if not block.flags])
    for tell in _listeners:
        tell(active)


def recorder() -> Recorder | None:
    """Return what records the function that is running here, if anything does."""
    block = _innermost.get()
    while block is not None:
        if block.flags & RECORDING:
            return block.recorder
        block = block.outer
    return None


def forbid(what: str) -> None:
    """Raise when a function is being recorded here: its program would hold this number for good."""
    by = recorder()
    if by is not None:
        raise by.refuse(what)


def compared(name: str, x: Any, y: Any) -> Any:
    """Return the recorded comparison where a function is being recorded here, else None."""
    by = recorder()
    return by.compare(name, x, y) if by else None


class _Mode(ContextDecorator):
    """A context manager and decorator that turns one switch on; it nests and re-enters."""

    _flag = 0

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    def _recreate_cm(self) -> _Mode:
        return type(self)()  # a decorated function may run in several threads at once

    def __call__(self, function: Function) -> Function:
        """Decorate a function, a generator or a coroutine: the switch is on whenever it runs."""
        from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

        if iscoroutinefunction(function):

            @wraps(function)
            async def awaited(*args: Any, **named: Any) -> Any:
                with self._recreate_cm():
                    return await function(*args, **named)

            return cast(Function, awaited)
        if isasyncgenfunction(function):
            raise OperandError(
                f"{type(self).__name__} cannot decorate {function.__name__}, which yields in an "
                "async def: put a `with` around what computes in it, without a yield inside"
            )
        if isgeneratorfunction(function):
            return self._generating(function)
        return super().__call__(function)

    def _generating(self, function: Any) -> Any:
        """Return a generator function that is off again while its caller has what it yielded."""

        @wraps(function)
        def resumed(*args: Any, **named: Any) -> Generator[Any, Any, Any]:
            inner = function(*args, **named)
            go_on: Callable[[], Any] = partial(next, inner)
            while True:
                with self._recreate_cm():
                    try:
                        item = go_on()
                    except StopIteration as end:
                        return end.value
                try:
                    go_on = partial(inner.send, (yield item))
                except GeneratorExit:
                    with self._recreate_cm():
                        inner.close()
                    raise
                except BaseException as error:  # handed on
                    go_on = partial(inner.throw, error)

        return resumed

    def __enter__(self) -> None:
        if active and self._flag & NO_GRAD:
            forbid("no_grad")
        block = self._begun(_innermost.get())
        try:
            self._blocks.append(block)
            _tell_of(block)
            _innermost.set(block)
        except BaseException:
            self._end(block)
            raise

    def _begun(self, outer: _Block | None) -> _Block:
        return _Block(self._flag, outer, owner=self)

    def __exit__(self, *_: object) -> None:
        here = _innermost.get()  # threads may share the object
        block = here if here in self._blocks else self._blocks[-1]
        try:
            self._end(block)
        finally:
            self._end(block)

    def _end(self, block: _Block) -> None:
        block.end()
        _innermost.set(block.outer)
        _tell_of(block)
        if block in self._blocks:
            self._blocks.remove(block)


class no_grad(_Mode):  # noqa: N801  (a verb to its users)
    """Operations inside give plain leaves: no graph is recorded, nothing to walk backward.

    >>> from gradwalk import Value, no_grad
    >>> a = Value(2.0)
    >>> with no_grad():
    ...     b = a * 3
    >>> b.data, b._children
    (6.0, ())
    """

    _flag = NO_GRAD


class detect_anomaly(_Mode):  # noqa: N801
    """The first nan or inf inside, forward or backward, raises AnomalyError with its line.

    >>> from gradwalk import Value, detect_anomaly
    >>> with detect_anomaly():
    ...     Value(-1.0).log()
    Traceback (most recent call last):
    ...
    gradwalk.errors.AnomalyError: log(-1.0) is nan, made at <doctest ...>:2
    """

    _flag = ANOMALY | LINES


class source_lines(_Mode):  # noqa: N801
    """Nodes made inside remember the user's line that made them; snapshots carry it."""

    _flag = LINES


class strict(_Mode):  # noqa: N801
    """A Value that becomes a plain number inside raises GradientDroppedError, where it would warn.

    >>> import math
    >>> from gradwalk import Value, strict
    >>> with strict():
    ...     math.exp(Value(1.0))
    Traceback (most recent call last):
    ...
    gradwalk.errors.GradientDroppedError: float() takes a Value out of the graph: ...
    """

    _flag = STRICT


class scope(_Mode):  # noqa: N801
    """Nodes made inside carry this name, so that graphs draw them as a box; names nest by dots.

    Modules called inside add theirs: their name in the module around them, or their class.
    `scope()` adds no name of its own, and lets the modules inside do so.

    >>> from gradwalk import Value, scope, snapshot
    >>> a = Value(2.0)
    >>> with scope("model"):
    ...     b = a * 3
    ...     with scope("head"):
    ...         c = b.tanh()
    >>> [node.scope for node in snapshot(c).nodes if node.operands]
    ['model', 'model.head']
    """

    _flag = SCOPES

    def __init__(self, name: str = "") -> None:
        super().__init__()
        if not isinstance(name, str):
            raise OperandError(
                f"the name of a scope is a str, not {type(name).__name__}: {name!r:.40}"
            )
        self._name = name

    def _recreate_cm(self) -> scope:
        return type(self)(self._name)

    def _begun(self, outer: _Block | None) -> _Block:
        around = current_scope()
        path = f"{around}.{self._name}" if around and self._name else around or self._name
        return _Block(self._flag, outer, path, owner=self)


def current_scope() -> str:
    """Return the names of the scopes open here, joined by dots."""
    block = _innermost.get()
    while block is not None:
        if block.flags & SCOPES:
            return block.path
        block = block.outer
    return ""


def calling_line() -> tuple[str, int]:
    """Return file and line of the nearest caller outside this package."""
    frame = _outside(_getframe(1))
    return frame.f_code.co_filename, frame.f_lineno


def _outside(frame: FrameType) -> FrameType:
    """Return the nearest frame outside this package."""
    while frame.f_back is not None and _is_ours(frame):
        frame = frame.f_back
    return frame


def _is_ours(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__", "").partition(".")[0] == "gradwalk"


# ── A number that leaves the graph ───────────────────────────────────────────────────────────

_OS = os.path.realpath(os.__file__)  # its folder is the standard library, which may be a link
_STANDARD_LIBRARY = tuple([os.path.join(os.path.dirname(file), "") for file in (os.__file__, _OS)])
_BINARY_OP = opmap["BINARY_OP"]
_REMAINDERS = (6, 19)  # the operands of BINARY_OP for % and %=


def leave_graph(what: str) -> None:
    """Warn that a Value has become a plain number, at the user's line; raise under strict().

    Printing is no reason to warn, so `"%.3f" % value` is silent; and under no_grad() there is no
    graph to leave.
    """
    flags = current() if active else 0
    frame = _getframe(1)
    if flags & NO_GRAD or _is_printing(frame):
        return
    message = (
        f"{what} takes a Value out of the graph: what is computed from it has no gradient. Use "
        "v.exp() or gradwalk.exp(v) instead of math.exp(v), and v.data to read the number"
    )
    if flags & STRICT:
        raise GradientDroppedError(message)
    warn_user(message, GradientDroppedWarning)


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the line of the nearest caller outside this package and outside libraries."""
    frame = _users_frame(_getframe(1))
    names = frame.f_globals
    warn_explicit(
        message,
        category,
        frame.f_code.co_filename,
        frame.f_lineno,
        names.get("__name__") or "<unknown>",
        names.setdefault("__warningregistry__", {}),
    )


def _is_printing(frame: FrameType) -> bool:
    """Return whether the nearest frame outside the engine runs a `%`, which has to be a str's."""
    frame = _outside(frame)
    code, at = frame.f_code.co_code, frame.f_lasti
    return 0 <= at < len(code) and code[at] == _BINARY_OP and code[at + 1] in _REMAINDERS


def _users_frame(frame: FrameType) -> FrameType:
    """Return the nearest frame outside this package and outside libraries; else the nearest."""
    nearest = step = _outside(frame)
    while _is_ours(step) or is_library(step.f_code.co_filename):
        if step.f_back is None:
            return nearest
        step = step.f_back
    return step


def is_library(file: str) -> bool:
    """Say whether a file belongs to Python or to an installed package."""
    return (
        file.startswith((*_STANDARD_LIBRARY, "<frozen "))
        or "site-packages" in file
        or "dist-packages" in file
    )
