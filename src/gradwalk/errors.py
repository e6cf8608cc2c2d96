"""Every exception and warning gradwalk raises on purpose.

    GradwalkError
    ├── OperandError      TypeError        an operand is neither a Value nor a real number
    ├── ExpressionError   ValueError       the text is not an expression; has column and caret
    ├── GraphError        ValueError       the graph has no such node, label or path
    │   └── OrderError                     not a valid visit order of this graph
    ├── AnomalyError      ArithmeticError  the first nan or inf under detect_anomaly()
    ├── BackwardError     RuntimeError     backward() cannot run on this graph now
    ├── GradientDroppedError  RuntimeError float(v) or int(v) under strict()
    ├── RecordingError    RuntimeError     compile cannot record what the function does
    ├── ProgramError      ValueError       a recorded program is malformed or cannot do this
    │   └── ProgramFileError               a file is not a saved program, or is damaged
    ├── TakeError         IndexError       take(table, index) with an index outside the table
    ├── LoopError         RuntimeError     a compiled loop does not end within its limit of rounds
    ├── BackendError      ImportError      the requested engine is not installed
    ├── ScriptError       ValueError       `gradwalk run` finds no class to replace
    ├── CheckpointError   ValueError       the file is not a checkpoint, or does not fit
    ├── LoadError         ValueError       `gradwalk judge` cannot load the file
    ├── NotContainedError RuntimeError     `gradwalk judge` cannot contain a file here
    └── UsageError        ValueError       the command line asks for something impossible

    GradientDroppedWarning  UserWarning    float(v) or int(v) left the graph

Each also derives from the builtin a caller would guess, so `except ValueError` keeps working.
"""

from __future__ import annotations

__all__ = [
    "AnomalyError",
    "BackendError",
    "BackwardError",
    "CheckpointError",
    "ExpressionError",
    "GradientDroppedError",
    "GradientDroppedWarning",
    "GradwalkError",
    "GraphError",
    "LoadError",
    "LoopError",
    "NotContainedError",
    "OperandError",
    "OrderError",
    "ProgramError",
    "ProgramFileError",
    "RecordingError",
    "ScriptError",
    "TakeError",
    "UsageError",
]


class GradwalkError(Exception):
    """The base of every exception gradwalk raises."""


class OperandError(GradwalkError, TypeError):
    """An operand is neither a Value nor a real number."""


class ExpressionError(GradwalkError, ValueError):
    """The text is not an expression gradwalk accepts.

    `column` counts characters from 0; `str()` of the error shows the text with a caret under it.
    """

    def __init__(self, message: str, text: str = "", column: int = 0) -> None:
        super().__init__(message, text, column)
        self.message = message
        self.text = text
        self.column = column

    def __str__(self) -> str:
        line, column = _window(self.text, self.column)
        if not line.strip():
            return self.message
        return f"{self.message}\n  {line}\n  {' ' * column}^"


class GraphError(GradwalkError, ValueError):
    """The graph has no such node, label or path."""


class OrderError(GraphError):
    """The visit order does not list this graph's nodes, or not each once."""


class AnomalyError(GradwalkError, ArithmeticError):
    """The first nan or inf under detect_anomaly().

    `op` is the operation's symbol; `line` is (file, number) of the user's line that made the node.
    """

    def __init__(self, message: str, op: str = "", line: tuple[str, int] | None = None) -> None:
        super().__init__(message, op, line)
        self.message = message
        self.op = op
        self.line = line

    def __str__(self) -> str:
        return self.message


class BackwardError(GradwalkError, RuntimeError):
    """backward() cannot run on this graph now."""


class GradientDroppedError(GradwalkError, RuntimeError):
    """A Value became a plain number under strict()."""


class RecordingError(GradwalkError, RuntimeError):
    """A function being recorded reads, branches on or indexes by a number that will vary.

    `line` is (file, number) of the user's line that did it.
    """

    runs_plainly = False  # the function itself can run in place of a recording; it has no gradient

    def __init__(self, message: str, line: tuple[str, int] | None = None) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message


class ProgramError(GradwalkError, ValueError):
    """A recorded program is malformed, or cannot do what is asked of it."""


class ProgramFileError(ProgramError):
    """A file is not a saved program, or is damaged."""


class TakeError(GradwalkError, IndexError):
    """take(table, index) was given an index outside the table."""


class LoopError(GradwalkError, RuntimeError):
    """A loop of a compiled function does not end within its limit of rounds."""


class BackendError(GradwalkError, ImportError):
    """The requested engine is not installed."""


class ScriptError(GradwalkError, ValueError):
    """The script is missing, or defines no class that gradwalk can replace."""


class CheckpointError(GradwalkError, ValueError):
    """The file is not a checkpoint, or does not fit this model."""


class LoadError(GradwalkError, ValueError):
    """`gradwalk judge` cannot load the file, so there is nothing to judge."""


class NotContainedError(GradwalkError, RuntimeError):
    """Bubblewrap does not hold here, so `gradwalk judge` did not run the file."""


class UsageError(GradwalkError, ValueError):
    """The command line asks for something that does not exist or is impossible."""


class GradientDroppedWarning(UserWarning):
    """float(v) left the graph: numbers computed from it have no gradient."""


def is_command() -> bool:
    """Say whether this process is the `gradwalk` command, while its modules are imported."""
    import os
    import sys

    program = os.path.basename((sys.argv or [""])[0]).partition(".")[0].removesuffix("-script")
    by_module = "-m" in sys.orig_argv and sys.argv[:1] == ["-m"]  # so it is while `-m` imports
    return program == "gradwalk" or (by_module and "gradwalk" in sys.orig_argv)


def end_command(error: ImportError) -> None:
    """End the program with a line and exit code 2, if it is the `gradwalk` command."""
    if is_command():
        import sys

        if not isinstance(error, BackendError):  # a build that does not load
            error = BackendError(f"{error}\nGRADWALK_BACKEND=python does without that engine")
        print(f"gradwalk: {error}", file=sys.stderr)
        sys.exit(2)


def _window(text: str, column: int, width: int = 72) -> tuple[str, int]:
    """Return at most `width` characters around `column`, and the caret's place in them."""
    begin = text.rfind("\n", 0, column) + 1
    end = text.find("\n", column)
    line = text[begin : end if end >= 0 else None]
    line = printable(line)
    column -= begin
    if len(line) <= width:
        return line, column
    left = max(0, min(column - width // 2, len(line) - width))
    shown = line[left : left + width]
    if left:
        shown = "…" + shown[1:]
    if left + width < len(line):
        shown = shown[:-1] + "…"
    return shown, column - left


def printable(text: str) -> str:
    """Return text with � for each character that shows nothing, and may steer a terminal."""
    return "".join([c if c.isprintable() else "\ufffd" for c in text])
