"""Every exception and warning gradwalk raises on purpose.

    GradwalkError
    ├── OperandError      TypeError        an operand is neither a Value nor a real number
    ├── ExpressionError   ValueError       the text is not an expression; carries column and caret
    ├── GraphError        ValueError       a node, label or path that the graph does not have
    │   └── OrderError                     a visit order that is not one of this graph
    ├── AnomalyError      ArithmeticError  the first nan or inf under detect_anomaly()
    ├── BackwardError     RuntimeError     the graph cannot be walked backward as it stands
    ├── BackendError      ImportError      the engine asked for is not there
    ├── CheckpointError   ValueError       the file is no checkpoint, or not one that fits
    └── UsageError        ValueError       the command line asks for what cannot be done

    GradientDroppedWarning  UserWarning    float(v) left the graph

Each also derives from the builtin a caller would guess, so `except ValueError` keeps working.
"""

from __future__ import annotations

__all__ = [
    "AnomalyError",
    "BackendError",
    "BackwardError",
    "CheckpointError",
    "ExpressionError",
    "GradientDroppedWarning",
    "GradwalkError",
    "GraphError",
    "OperandError",
    "OrderError",
    "UsageError",
]


class GradwalkError(Exception):
    """The root of the tree above."""


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
    """The visit order is not an order of this graph's nodes."""


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
    """The graph cannot be walked backward as it stands."""


class BackendError(GradwalkError, ImportError):
    """The engine that was asked for is not there."""


class CheckpointError(GradwalkError, ValueError):
    """The file is no checkpoint, or not one that fits."""


class UsageError(GradwalkError, ValueError):
    """The command line asks for something that is not there, or cannot be done."""


class GradientDroppedWarning(UserWarning):
    """float(v) left the graph: what is computed from it has no gradient."""


def _window(text: str, column: int, width: int = 72) -> tuple[str, int]:
    """Return at most `width` characters around `column`, and the caret's place in them."""
    begin = text.rfind("\n", 0, column) + 1
    end = text.find("\n", column)
    line = "".join(c if c.isprintable() else "·" for c in text[begin : end if end >= 0 else None])
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
