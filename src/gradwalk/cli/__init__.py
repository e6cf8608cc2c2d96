"""The command line: `gradwalk COMMAND …`.

    main        one command in, one exit code out: 0 done, 1 the answer is no, 2 wrong usage or
                input, 70 a fault in gradwalk, 130 Ctrl-C
    commands    the table of commands: where each is, and what help says of it
    arguments   words and options, and what is said of those that are wrong
    terminal    colour, width, progress, signals, and where output goes
    walk lab practice program gpt train run bench doctor
                the commands: a few lines each between the library and the terminal

Data goes to stdout, everything else to stderr. Nothing is imported before it is needed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from gradwalk.cli.commands import PAGES, first_screen, help_text
from gradwalk.cli.terminal import Stopped, doors, show
from gradwalk.errors import GradwalkError

__all__ = ["main"]

#: The exit code for a fault in gradwalk itself: a traceback must not read as "no".
MISTAKE = 70


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _be_printable()
    with contextlib.suppress(ValueError):  # not the main thread
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    with doors():
        return _main(words)


def _main(words: list[str]) -> int:
    try:
        code = _run(words)
        if sys.stdout is not None:  # None when it was closed by `>&-`
            sys.stdout.flush()
        return code
    except GradwalkError as error:
        name = f" {words[0]}" if words and words[0] in PAGES else ""
        _say(f"gradwalk{name}: {error}")
        return 2
    except KeyboardInterrupt:
        _say("")
        return 130
    except Stopped as stopped:
        _say(f"gradwalk: {stopped}")
        return stopped.code
    except BrokenPipeError:  # `gradwalk … | head`: the reader has seen enough
        _close_stdout()
        return 0
    except OSError as error:  # a full disk, a file that cannot be written
        _close_stdout()
        _say(f"gradwalk: {f'{error.filename}: ' if error.filename else ''}{error.strerror}")
        return 2
    except Exception:
        from traceback import format_exc

        _say(format_exc())
        _say("gradwalk has made a mistake; please report the lines above")
        return MISTAKE


_HELP = ("help", "--help", "-h")


def _run(words: list[str]) -> int:
    if not words:
        show(first_screen())
        return 0
    first = words[0]
    if first in ("--version", "-V"):
        from gradwalk import __version__

        print(f"gradwalk {__version__}")
        return 0
    if first in _HELP:
        if len(words) > 1 and words[1] not in _HELP:
            return _run([words[1], "--help"])
        show(help_text())
        return 0
    if first not in PAGES:
        from gradwalk.cli.arguments import UsageError, unknown_command

        raise UsageError(unknown_command(words))
    module, _, function = PAGES[first].run.partition(":")
    return getattr(import_module(module), function)(words[1:])


def _say(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def _be_printable() -> None:
    """Let a terminal that lacks a character show a stand-in, instead of failing half-way."""
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None) or "utf-8"
        if encoding.lower().replace("-", "") != "utf8" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def _close_stdout() -> None:
    """Drop what stdout still holds: writing it at exit would fail a second time."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, AttributeError, ValueError):
        return
