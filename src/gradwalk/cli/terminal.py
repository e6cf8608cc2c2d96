"""Where output goes, how it may look there, and which signals end a command.

    emit, note, show        results, remarks, and text for people
    Progress, open_stream   for commands that take a while: a line of progress, a stream of events
    Signals                 a first Ctrl-C that lets a training finish its step
    ended_by_signals        SIGTERM and SIGHUP that end a command and let it clean up

Whatever a command prints goes through a `Door`. Labels, exception texts, names of files and of
classes come from files that may be a stranger's, so nothing in them steers the terminal.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from gradwalk.errors import UsageError
from gradwalk.files import write_whole

if TYPE_CHECKING:
    import argparse


def colour() -> tuple[bool, str]:
    """Return whether stdout gets colour, and why."""
    if os.environ.get("NO_COLOR"):
        return False, "NO_COLOR is set"
    if os.environ.get("FORCE_COLOR"):
        return True, "FORCE_COLOR is set"
    if os.environ.get("TERM") == "dumb":
        return False, "TERM is dumb"
    if sys.stdout is None or not sys.stdout.isatty():
        return False, "stdout is not a terminal"
    return True, "stdout is a terminal"


def width() -> int:
    """Return the columns of the terminal; 80 where there is none."""
    return max(40, shutil.get_terminal_size((80, 24)).columns)


# What steers a terminal or lies about the order of a text: control characters (but for tab and
# newline), marks of direction, what has no width, line separators, halves of characters, tags.
_STEERING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_PAINT = re.compile(r"(\x1b\[\d*m)")


def harmless(text: str) -> str:
    """Return the text with everything that would steer a terminal written out, as in JSON."""
    return _STEERING.sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    pairs = [units[i : i + 2].hex() for i in range(0, len(units), 2)]
    return "".join([f"\\u{pair}" for pair in pairs])


class Door:
    """A stream that everything a command says goes through: it lets nothing steer the terminal.

    Escapes of our own go past it, by `steer`.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def steer(self, text: str) -> None:
        self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def doors() -> Generator[None]:
    """Put a door before stdout and stderr."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = [
        Door(stream) if stream is not None else None  # it was closed by `>&-`
        for stream in before
    ]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextmanager
def no_doors() -> Generator[None]:
    """Give a program that the user runs its own streams, as Python would."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = [getattr(stream, "_stream", stream) for stream in before]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def steer(stream: TextIO, text: str) -> None:
    """Write escapes of our own: what comes from elsewhere must not be in them."""
    getattr(stream, "steer", stream.write)(text)


def note(text: str) -> None:
    """Say something that is not the result."""
    if sys.stderr is not None:
        print(harmless(text), file=sys.stderr)


def emit(content: str | bytes, file: str | None = None, *, painted: bool = False) -> None:
    """Write a result to stdout; or to a file, all of it or nothing, and say so.

    A `painted` one is for people: it may have escapes that set a colour, and keeps to the columns.
    """
    if isinstance(content, str):
        content = content if content.endswith("\n") else content + "\n"
        if file is None or file == "-":
            write(fitted(content) if painted else content, painted=painted)
            return
    assert file is not None
    data = content.encode() if isinstance(content, str) else content
    write_whole(file, [data])
    note(f"wrote {file} ({len(data):,} bytes)")


def emit_picture(picture: str, options: argparse.Namespace, file: str | None, kind: str) -> None:
    """Write an SVG as svg, png, pdf or gif, on the page that the options ask for."""
    if kind in ("png", "pdf") and getattr(options, "animate", False):
        raise UsageError(f"--animate is for .svg and .gif: a .{kind} does not move")
    if kind == "svg" and not options.size:
        emit(picture, file)
        return
    from gradwalk.render.pictures import encoded

    content = encoded(picture, f".{kind}", options.size)
    if kind != "svg" and (file is None or file == "-"):
        raise UsageError(f"a {kind} goes to a file: -o FILE.{kind}")
    emit(content.decode() if kind == "svg" else content, file)


def emit_json(data: dict[str, Any]) -> None:
    """Write a result as a JSON document to stdout."""
    from gradwalk.render.json import dumps

    emit(dumps(data))


def emit_either(
    options: argparse.Namespace, data: Callable[[], dict[str, Any]], text: Callable[[], str]
) -> None:
    """Write a result as JSON where --json asks for it, else as text."""
    if options.json:
        emit_json({"version": 1, **data()})
    else:
        emit(text(), painted=True)


def show(text: str = "") -> None:
    """Print text for people, within the columns of a narrow terminal."""
    write(fitted(text).removesuffix("\n") + "\n")


def fitted(text: str) -> str:
    """Return the text with lines broken that are too long for a terminal below 80 columns.

    What is written for 80 columns stays as it is on any wider one.
    """
    columns = width()
    if columns >= 80:
        return text
    return "\n".join([part for line in text.split("\n") for part in _broken(line, columns)])


def _broken(line: str, columns: int) -> list[str]:
    plain = _PAINT.sub("", line)
    if len(plain) <= columns:
        return [line]
    from textwrap import wrap

    words = plain.lstrip()
    indent = min(len(plain) - len(words), columns // 2)
    rest = " " * min(indent + 2, columns // 2)
    return wrap(
        words, columns, initial_indent=" " * indent, subsequent_indent=rest, break_on_hyphens=False
    )


def write(text: str, *, painted: bool = False) -> None:
    """Write text to stdout as it is; `painted`: it may have escapes that set a colour."""
    if sys.stdout is None:
        return
    if not painted:
        print(text, end="")
        return
    for part in _PAINT.split(text):
        if _PAINT.fullmatch(part):
            steer(sys.stdout, part)
        else:
            print(part, end="")


# ── Commands that take a while ───────────────────────────────────────────────────────────────


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
        """Rewrite the line. `once` is the time spent on work that steps do not repeat."""
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
                from gradwalk.gpt.stream import lines_up_to

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


# ── Signals that end a command ───────────────────────────────────────────────────────────────


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
