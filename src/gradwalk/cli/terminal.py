"""Where output goes, and how it may look there: colour, width, files.

Whatever a command prints goes through a `Door`. Labels, exception texts, names of files and of
classes come from files that may be a stranger's, so nothing in them steers the terminal.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any, TextIO

from gradwalk.writing import write_whole

__all__ = ["colour", "doors", "emit", "harmless", "no_doors", "note", "show", "steer", "width"]


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
            _print(fitted(content) if painted else content, painted=painted)
            return
    assert file is not None
    data = content.encode() if isinstance(content, str) else content
    write_whole(file, [data])
    note(f"wrote {file} ({len(data):,} bytes)")


def show(text: str = "") -> None:
    """Print text for people, within the columns of a narrow terminal."""
    _print(fitted(text).removesuffix("\n") + "\n", painted=False)


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


def _print(text: str, *, painted: bool) -> None:
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
