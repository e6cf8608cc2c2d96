"""Where output goes, and how it may look there: colour, width, files."""

from __future__ import annotations

import os
import re
import shutil
import sys

from gradwalk.writing import write_whole

__all__ = ["colour", "emit", "harmless", "note", "width"]


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


def harmless(text: str) -> str:
    """Return a text for stdout; where that is a terminal, without what would steer it."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\ufffd", text)


def note(text: str) -> None:
    """Say something that is not the result."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def emit(content: str | bytes, file: str | None = None) -> None:
    """Write a result to stdout; or to a file, all of it or nothing, and say so."""
    if isinstance(content, str):
        content = content if content.endswith("\n") else content + "\n"
        if file is None or file == "-":
            print(content, end="")  # which, unlike sys.stdout.write, puts up with a closed stdout
            return
    assert file is not None
    data = content.encode() if isinstance(content, str) else content
    write_whole(file, [data])
    note(f"wrote {file} ({len(data):,} bytes)")
