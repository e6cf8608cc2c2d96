"""Words and options. argparse reads the options; the words, and an expression that starts with a
minus sign, are sorted out before it sees them.

`Parser.read` returns a namespace whose `words` are all that is no option. `point` makes an
expression and its values from these.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gradwalk.cli.commands import PAGES, examples_text, page_of
from gradwalk.cli.terminal import show
from gradwalk.engine import backend
from gradwalk.errors import BackendError, ExpressionError, OperandError, UsageError
from gradwalk.expr import Expression, parse
from gradwalk.practice.answers import read_number

DEFAULT = "(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0}

# Of graphs, by the suffix of -o FILE.
FORMATS = {
    ".txt": "text",
    ".json": "json",
    ".dot": "dot",
    ".gv": "dot",
    ".html": "html",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".gif": "gif",
}
PICTURES = (".svg", ".png", ".pdf", ".gif")


ONLY_PARSER = "-\0"  # no command line can have it


class OnlyParserError(Exception):
    """A command was given ONLY_PARSER: here is its parser, and nothing was run."""

    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser


class Parser(argparse.ArgumentParser):
    """The options of one command. `option` adds one, `read` reads a command line."""

    def __init__(self, command: str, *, takes_expression: bool = False) -> None:
        page = page_of(command)
        usage = f"gradwalk {command} {page.usage}"
        super().__init__(usage=usage, add_help=False, allow_abbrev=False)
        self.command = command
        self.takes_expression = takes_expression
        self.flags: dict[str, bool] = {}
        self.option("--help", "-h", help="show this page", action="store_true")
        self.option("--json", help="print data, as JSON", action="store_true")

    def option(self, *flags: str, help: str, **settings: Any) -> None:  # noqa: A002
        self.add_argument(*flags, help=help, **settings)
        takes_value = settings.get("action") in (None, "append")
        self.flags.update(dict.fromkeys(flags, takes_value))

    def read(self, arguments: Sequence[str]) -> argparse.Namespace | None:
        """Return the options and the `words`; or print help and return None."""
        if [*arguments] == [ONLY_PARSER]:
            raise OnlyParserError(self)
        options, words = self._divide(arguments)
        namespace = self.parse_args(options)
        namespace.words = words
        if namespace.help:
            show(self.format_help())
            return None
        return namespace

    def _divide(self, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
        options: list[str] = []
        words: list[str] = []
        rest = iter(arguments)
        for argument in rest:
            flag, equals, value = argument.partition("=")
            if argument == "--":
                words += rest
            elif flag in self.flags:
                if self.flags[flag] and not equals:
                    value = next(rest, None)
                    if value is None:
                        raise self._error(f"{flag} needs a value")
                    # Joined, so that argparse takes a value like -1/3 for what it is.
                    options.append(f"{flag}={value}")
                else:
                    options.append(argument)
            elif self.flags.get(argument[:2]) and argument[1] != "-":  # -oFILE
                options.append(f"{argument[:2]}={argument[2:]}")
            elif self._is_word(argument, words):
                words.append(argument)
            else:
                raise self._error(self._unknown(flag))
        return options, words

    def _is_word(self, argument: str, words: list[str]) -> bool:
        if not argument.startswith("-") or argument == "-":
            return True
        if not re.fullmatch(r"--?[A-Za-z][\w-]*(=.*)?", argument):
            return True  # -a*b, -3, -(a + b): nothing that an option could be called
        has_expression = any(_assignment(word) is None for word in words)
        return self.takes_expression and argument[1] != "-" and not has_expression

    def _unknown(self, flag: str) -> str:
        hint = suggest(flag, self.flags)
        if not hint and self.takes_expression:
            hint = "; an expression that starts with - goes behind --"
        return f"there is no option {flag}{hint}"

    def error(self, message: str) -> Any:
        """Turn what argparse has to say into an error of ours."""
        raise self._error(message.removeprefix("argument "))

    def _error(self, message: str) -> UsageError:
        return UsageError(f"{message}\nSee gradwalk {self.command} --help")

    def format_help(self) -> str:
        page = page_of(self.command)
        notes = f"\n{page.notes}" if page.notes else ""
        head = f"gradwalk {self.command}: {page.purpose}\n\n{examples_text(page.examples)}\n"
        return head + super().format_help() + notes


# ── Values of options ────────────────────────────────────────────────────────────────────────


def one_of(what: str, names: Iterable[str]) -> Callable[[str], str]:
    """Return a reader for one of these names, which suggests one when it gets another."""

    def read(text: str) -> str:
        if text in names:
            return text
        hint = suggest(text, names) or f"; there is {', '.join(names)}"
        raise argparse.ArgumentTypeError(f"there is no {what} {text!r:.40}{hint}")

    return read


def whole(least: int | None = None) -> Callable[[str], int]:
    """Return a reader for whole numbers from `least` on, or of any size."""

    def read(text: str) -> int:
        if re.fullmatch(r"-?\d{1,18}", text) and (least is None or int(text) >= least):
            return int(text)
        kind = "" if least is None else f" from {least} on"
        raise argparse.ArgumentTypeError(f"a whole number{kind}, not {text!r:.40}")

    return read


def port(text: str) -> int:
    """Read the number of a port."""
    if text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r:.40}")


def number(text: str) -> float:
    """Read a positive number."""
    try:
        value = read_number(text)
    except OperandError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"a number above 0, not {text!r:.40}")
    return value


def format_of(options: argparse.Namespace) -> str:
    """Return which of FORMATS is asked for, by --json, by --format or by the suffix of -o FILE."""
    if options.json and options.format not in (None, "json"):
        raise UsageError(f"--json and --format {options.format} exclude each other")
    if options.json or options.format:
        return options.format or "json"
    if options.file is None or not Path(options.file).suffix:
        return "text"
    need_suffix(options.file, "a graph", FORMATS, "; --format says which")
    return FORMATS[Path(options.file).suffix.casefold()]


def picture_options(parser: Parser, *, moves: bool = True) -> None:
    """Add the options that every picture has; `moves`: it can be animated."""
    from gradwalk.render.theme import THEMES

    themes = ("auto", *THEMES)
    theme = one_of("theme", themes)
    words = f"of a picture: {', '.join(themes)}"
    parser.option("--theme", type=theme, default="auto", metavar="THEME", help=words)
    parser.option("--size", type=_size, metavar="SIZE", help="of its page: slide, or 1280x720")
    if moves:
        parser.option("--animate", action="store_true", help="let an .svg move; a .gif does")


def picture_kind(file: str) -> str:
    """Return svg, png, pdf or gif: what the suffix of a picture's file says."""
    return Path(file).suffix[1:].casefold() or "svg"


def _size(text: str) -> tuple[int, int]:
    """Read the size of a page, in pixels."""
    from gradwalk.render.pictures import SLIDE

    if text == "slide":
        return SLIDE
    found = re.fullmatch(r"(\d{2,4})[x×](\d{2,4})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"slide or a size such as 1280x720, not {text!r:.40}")
    return int(found[1]), int(found[2])


def need_suffix(file: str, what: str, suffixes: Iterable[str], remedy: str = "") -> None:
    """Refuse a file whose name says that it is something else than what would be written there."""
    if Path(file).suffix.casefold() not in suffixes and os.path.basename(file) != "-":
        *others, last = suffixes
        which = f"{', '.join(others)} or {last}" if others else last
        raise UsageError(f"{file!r:.60}: {what} is written as {which}{remedy}")


def suggest(name: str, names: Iterable[str]) -> str:
    """Return `: did you mean …?`, or nothing when nothing is near."""
    near = get_close_matches(name, list(names), 1, 0.6) if len(name) <= 40 else []
    return f": did you mean {near[0]}?" if near else ""


def unknown_command(words: Sequence[str]) -> str:
    """Say that the first word is no command, and what it may have been meant to be."""
    first = words[0]
    if first.startswith("-"):
        return f"there is no option {first!r:.40}; see gradwalk --help"
    with suppress(ExpressionError):
        if not first.isidentifier() and parse(first):
            return f"there is no command {first!r:.40}; to walk it: {_command('walk', words)}"
    if hint := suggest(first, PAGES):
        return f"there is no command {first!r:.40}{hint}"
    return f"there is no command {first!r:.40}; there is {', '.join(PAGES)}"


# ── An expression and its values ─────────────────────────────────────────────────────────────


def point(
    words: Sequence[str], command: str, *, strict: bool = False
) -> tuple[Expression, dict[str, float]]:
    """Return the expression among the words, and a value for each of its variables."""
    texts: list[str] = []
    values: dict[str, float] = {}
    for word in words:
        assignment = _assignment(word)
        if assignment is None:
            texts.append(word)
        elif assignment[0] in values:
            raise UsageError(f"{assignment[0]} is given twice")
        else:
            values[assignment[0]] = assignment[1]
    if len(texts) > 1:
        raise UsageError(_two_texts(texts, command))
    if texts:
        expression = parse(texts[0], strict=strict)
    else:
        expression = parse(DEFAULT[0], strict=strict)
        values = {**DEFAULT[1], **values}
    missing = [name for name in expression.names if name not in values]
    if not values.keys() <= {*expression.names, *expression.constants}:
        expression.bind(values)  # says which name is not there, and which was meant
    if missing:
        given = [word for word in words if _assignment(word)]
        sample = [f"{name}={i}" for i, name in enumerate(missing, 1)]
        remedy = _command(command, [*texts, *given, *sample])
        has = "has no value" if len(missing) == 1 else "have no value"
        raise UsageError(f"{' and '.join(missing)} {has}. For example:\n  {remedy}")
    return expression, values


def _assignment(word: str) -> tuple[str, float] | None:
    """Return the name and number of `a=2`, or None for what is no assignment of a number."""
    name, equals, text = word.partition("=")
    name = name.strip()
    if not equals or not name.isidentifier():
        return None
    try:
        return name, read_number(text)
    except OperandError:
        return None


def _two_texts(texts: list[str], command: str) -> str:
    for text in texts[1:]:
        name, equals, value = text.partition("=")
        if equals and name.strip().isidentifier() and ";" not in value:
            return f"{name.strip()} takes a number, such as 3, -0.5, 1e-3 or 1/3, not {value!r:.40}"
    joined = " ".join(texts)
    try:
        parse(joined)
    except ExpressionError:
        return f"one expression at a time, not {texts[0]!r:.40} and {texts[1]!r:.40}"
    return f"put the expression in quotes: gradwalk {command} {shlex.quote(joined)}"


def _command(command: str, words: Iterable[str]) -> str:
    return " ".join(["gradwalk", command, *[_quoted(word) for word in words]])


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w.=+-]+", word) else shlex.quote(word)


def no_words(options: argparse.Namespace, command: str) -> None:
    """Raise where a command that takes options alone was given words."""
    if options.words:
        raise UsageError(f"{command} takes options only, not {options.words[0]!r:.40}")


def use_backend(asked: str | None, words: Sequence[str]) -> int | None:
    """Start the command again where another engine is asked for than the one that runs.

    A process has one engine, chosen when it starts. Returns None where it is the right one. Where a
    process cannot be replaced, on Windows, returns the exit code of the other one.
    """
    is_auto = os.environ.get("GRADWALK_BACKEND", "auto") == "auto"
    if asked is None or asked == backend() or (asked == "auto" and is_auto):
        return None
    if asked == "native" and find_spec("gradwalk.engine._native") is None:
        raise BackendError("this installation has no native engine; leave --backend out")
    os.environ["GRADWALK_BACKEND"] = asked
    command = [sys.executable, "-P", "-m", "gradwalk", *words]
    if os.name == "posix":
        if sys.stdout is not None:
            sys.stdout.flush()
        os.execv(sys.executable, command)
    import subprocess

    return subprocess.run(command, check=False).returncode
