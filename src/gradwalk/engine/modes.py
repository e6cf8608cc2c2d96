"""The switches that change how operations record: no_grad, detect_anomaly, source_lines.

Both engines read them, so neither owns them. `active` counts the switches that are on anywhere,
in any thread: while it is 0, which is nearly always, an operation pays one test and no look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from contextvars import ContextVar
from sys import _getframe
from threading import Lock

__all__ = [
    "ANOMALY",
    "LINES",
    "NO_GRAD",
    "active",
    "calling_line",
    "current",
    "detect_anomaly",
    "listen",
    "no_grad",
    "source_lines",
]

NO_GRAD, ANOMALY, LINES = 1, 2, 4

active: int = 0
_lock = Lock()
_listeners: list[Callable[[int], object]] = []


def listen(tell: Callable[[int], object]) -> None:
    """Call `tell(active)` now and whenever it changes: the C engine keeps a copy to test."""
    with _lock:
        _listeners.append(tell)
        tell(active)


def _tell() -> None:
    for tell in _listeners:
        tell(active)


class _Block:
    """One `with` in progress, and the one around it.

    A task started inside keeps it in its copy of the context and may outlive it. So the end of the
    block clears its flags, and the switch is off there too.
    """

    __slots__ = ("flags", "outer")

    def __init__(self, flags: int, outer: _Block | None) -> None:
        self.flags = flags
        self.outer = outer


_innermost: ContextVar[_Block | None] = ContextVar("gradwalk_modes", default=None)


def current() -> int:
    """Return the switches that are on here, in this thread and task, as a sum of flags."""
    flags, block = 0, _innermost.get()
    while block is not None:
        flags |= block.flags
        block = block.outer
    return flags


class _Mode(ContextDecorator):
    """A context manager and decorator that turns one switch on; it nests and re-enters."""

    _flag = 0

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    def _recreate_cm(self) -> _Mode:
        return type(self)()  # a decorated function may run in several threads at once

    def __enter__(self) -> None:
        global active
        block = _Block(self._flag, _innermost.get())
        self._blocks.append(block)
        _innermost.set(block)
        with _lock:
            active += 1
            _tell()

    def __exit__(self, *_: object) -> None:
        global active
        block = self._blocks.pop()
        block.flags = 0
        _innermost.set(block.outer)
        with _lock:
            active -= 1
            _tell()


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


def calling_line() -> tuple[str, int]:
    """Return file and line of the nearest caller outside this package."""
    frame = _getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _is_ours(module: str) -> bool:
    return module == "gradwalk" or module.startswith("gradwalk.")
