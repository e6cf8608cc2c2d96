"""Signals that end a command: its `with` blocks still clean up, and its exit code says which."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["Stopped", "ended_by_signals"]


class Stopped(BaseException):
    """SIGTERM or SIGHUP came. Like KeyboardInterrupt, it is no Exception that code may swallow."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.code = 128 + number


@contextmanager
def ended_by_signals() -> Generator[None]:
    """Within the block, SIGTERM and SIGHUP raise `Stopped`."""
    before: dict[int, Any] = {}

    def stop(number: int, _frame: object) -> None:
        for one in before:
            signal.signal(one, signal.SIG_IGN)  # a second one must not cut the cleaning short
        raise Stopped(number)

    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as by nohup
                before[number] = signal.signal(number, stop)
    except ValueError:  # not the main thread: whoever has that deals with signals
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
