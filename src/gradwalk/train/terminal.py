"""Between these commands and the terminal: options, signals, progress, files.

What is wrong with a command line is a `CommandError`, which the program's `main` prints.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import signal
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

from gradwalk.errors import BackendError, GradwalkError
from gradwalk.gpt.stream import lines_up_to

__all__ = [
    "CommandError",
    "Parser",
    "Progress",
    "Signals",
    "count",
    "examples_text",
    "open_stream",
    "sizes",
    "use_backend",
    "width",
    "write",
]


class CommandError(GradwalkError, ValueError):
    """The command line asks for something that cannot be done."""


class Parser(argparse.ArgumentParser):
    """The options of one command; help shows examples first, mistakes are CommandErrors."""

    def __init__(
        self, command: str, usage: str, examples: tuple[tuple[str, str], ...], notes: str = ""
    ) -> None:
        super().__init__(usage=f"gradwalk {command} {usage}", add_help=False, allow_abbrev=False)
        self._command = command
        self._examples = examples
        self._notes = notes
        self.add("--help", "-h", action="store_true", help="show this page")
        self.add_argument("words", nargs="*", help=argparse.SUPPRESS)

    def add(self, *flags: str, **settings: Any) -> None:
        self.add_argument(*flags, **settings)

    def add_json(self, help_: str) -> None:
        self.add("--json", action="store_true", help=help_)

    def read(self, words: list[str], most: int) -> argparse.Namespace | None:
        """Return what was given, or print help and return None."""
        given = self.parse_intermixed_args(words)
        if given.help:
            print(self.format_help(), end="")
            return None
        if len(given.words) > most:
            self.error(f"does not know what to do with {given.words[most]!r:.40}")
        return given

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ")
        raise CommandError(f"{message}\nSee gradwalk {self._command} --help")

    def format_help(self) -> str:
        notes = f"\n{self._notes}" if self._notes else ""
        top = heading(self._command) + examples_text(self._examples)
        return f"{top}\n{super().format_help()}{notes}"


PURPOSES = {
    "gpt": "train a GPT whose every parameter is a Value, and look inside",
    "gpt train": "train it, watch it, stop and go on",
    "gpt sample": "let it make up texts",
    "gpt eval": "how unsure it is of texts it reads",
    "gpt inspect": "its parameters, gradients and attention",
    "gpt compare": "train with a part broken, and without",
    "train": "train an MLP to part points in the plane",
}


def heading(command: str) -> str:
    return f"gradwalk {command}: {PURPOSES[command]}\n\n"


def examples_text(rows: tuple[tuple[str, str], ...]) -> str:
    lines: list[str] = []
    for command, meaning in rows:
        if len(command) <= 42:
            lines.append(f"  {command:<42}  {meaning}")
        else:
            lines += [f"  {command}", f"  {'':42}  {meaning}"]
    return "examples:\n" + "\n".join(lines) + "\n"


def count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < len(text) < 10 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 on, not {text!r:.40}")
    return int(text)


def sizes(text: str) -> list[int]:
    return [count(size) for size in text.split(",")]


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
    os.execv(sys.executable, [sys.executable, "-m", "gradwalk", *words])


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

    def show(self, step: int, words: str) -> None:
        now = time.perf_counter()
        if not self.due(now):
            return
        self._shown = now
        pace = (now - self._begin) / max(1, step - self._first)
        left = _clock((self._steps - step) * pace)
        line = f"step {step:>{len(str(self._steps))}}/{self._steps}  {words}  {left} left"
        sys.stderr.write(f"\r{line[: width() - 1]}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@contextmanager
def open_stream(given: argparse.Namespace, resumed: int | None = None) -> Generator[TextIO | None]:
    if given.stream and given.json:
        raise CommandError("--json streams to stdout, --stream to a file; take one")
    if given.json or given.stream == "-":
        yield sys.stdout
    elif given.stream:
        path = Path(given.stream)
        kept = lines_up_to(path, resumed) if resumed is not None and path.is_file() else []
        with path.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(kept)
            yield out
    else:
        yield None


def write(file: str, content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    Path(file).write_bytes(data)
    if sys.stderr is not None:
        print(f"wrote {file} ({len(data):,} bytes)", file=sys.stderr)


def width() -> int:
    return max(40, shutil.get_terminal_size((80, 24)).columns)
