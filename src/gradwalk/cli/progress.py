"""What commands that take a while share: signals, a line of progress, a stream, another engine."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from gradwalk.cli.terminal import harmless, steer, width
from gradwalk.errors import BackendError, UsageError
from gradwalk.gpt.stream import lines_up_to
from gradwalk.writing import write_whole

__all__ = ["Progress", "Signals", "open_stream", "use_backend"]


def use_backend(asked: str | None, words: list[str]) -> None:
    """Start the command again on another engine: one is chosen when a process starts."""
    from gradwalk.engine import backend

    if asked in (None, "auto", backend()):
        return
    if asked == "native":
        from importlib.util import find_spec

        if find_spec("gradwalk.engine._native") is None:
            raise BackendError("this installation has no native engine; leave --backend out")
    os.environ["GRADWALK_BACKEND"] = str(asked)
    os.execv(sys.executable, [sys.executable, "-P", "-m", "gradwalk", *words])


class Signals:
    """In a `with` block, the first Ctrl-C or SIGTERM is noted in `came`; a second one raises."""

    def __init__(self) -> None:
        self.came = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                self._before[number] = signal.signal(number, self._note)
            except ValueError:  # not the main thread: whoever has that deals with signals
                return self
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: object) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = number


class Progress:
    """One line on stderr, written over and over; nothing where stderr is not a terminal."""

    def __init__(self, steps: int, done: int = 0) -> None:
        self._steps = steps
        self._first = done
        self._begin = self._shown = time.perf_counter()
        self._visible = sys.stderr is not None and sys.stderr.isatty()

    def due(self, now: float) -> bool:
        return self._visible and now - self._shown >= 0.1

    def show(self, step: int, *words: str, once: float = 0.0) -> None:
        """Write the line anew. `once` are seconds so far that do not come again with each step."""
        now = time.perf_counter()
        if not self.due(now):
            return
        self._shown = now
        pace = max(0.0, now - self._begin - once) / max(1, step - self._first)
        left = f"{_clock((self._steps - step) * pace)} left"
        parts = [f"step {step:>{len(str(self._steps))}}/{self._steps}", *words]
        while len(parts) > 1 and len("  ".join([*parts, left])) >= width():
            parts.pop()  # how long it still takes is what one looks for
        line = "  ".join([*parts, left])
        steer(sys.stderr, f"\r{harmless(line)[: width() - 1]}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._visible:
            steer(sys.stderr, "\r\x1b[K")
            sys.stderr.flush()


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@contextmanager
def open_stream(
    options: argparse.Namespace, resumed: int | None = None
) -> Generator[TextIO | None]:
    """Open what --stream or --json name; of a file that is resumed, keep what still holds."""
    if options.stream and options.json:
        raise UsageError("--json streams to stdout, --stream to a file; take one")
    if options.json or options.stream == "-":
        yield sys.stdout
    elif options.stream:
        path = Path(options.stream)
        try:
            if resumed is not None and path.is_file():
                # All of it stays until the part to keep is written: the run may be killed here.
                write_whole(path, [line.encode() for line in lines_up_to(path, resumed)])
            mode = "w" if resumed is None else "a"
            with path.open(mode, encoding="utf-8", newline="\n") as out:
                yield out
        except OSError as error:
            if error.filename is None:  # of a write: only the stream's has no name
                error.filename = options.stream
            raise
    else:
        yield None
