"""Writes the names that come from the operation table: the methods of Value in
src/gradwalk/engine/__init__.pyi, and the functions that src/gradwalk/__init__.py exports.

Run by `python3 x.py fix`; a test fails when a file is not what this makes.
"""

from __future__ import annotations

import re
from pathlib import Path

from gradwalk import ops

PACKAGE = Path(__file__).parent.parent / "src" / "gradwalk" / "__init__.py"
STUB = Path(__file__).parent.parent / "src" / "gradwalk" / "engine" / "__init__.pyi"

HEAD = """\
# Made by tools/stubs.py from the operation table: change that, then run `python3 x.py fix`.
from collections.abc import Callable, Iterable, Sequence
from contextlib import ContextDecorator
from pathlib import Path
from typing import Any, Literal, SupportsFloat, final, overload

from typing_extensions import disjoint_base

from gradwalk.engine.copying import State
from gradwalk.ops import Op

__all__ = [
    "CONST",
    "Buffers",
    "Value",
    "backend",
    "constant",
    "cross_entropy",
    "detach",
    "detect_anomaly",
    "dot",
    "fori",
    "largest",
    "layernorm",
    "linear",
    "log_softmax",
    "logsumexp",
    "mean",
    "no_grad",
    "rmsnorm",
    "scope",
    "softmax",
    "source_lines",
    "strict",
    "sum",
    "take",
    "topological_order",
    "zero_grad",
]

# What stands beside a Value in an operation: int, float, bool, Fraction, a numpy scalar.
_Number = SupportsFloat

CONST: str

@disjoint_base
class Value:
    data: float
    grad: float
    label: str
    _op: str
    _children: tuple[Value, ...]
    _local_grads: tuple[float, ...] | None
    _operands: tuple[Value, ...]
    _partials: tuple[float, ...] | None
    _backward: Callable[[], None]
    def __init__(
        self,
        data: _Number,
        _children: Iterable[Value] = (),
        _op: str | tuple[_Number, ...] = "",
        label: str = "",
    ) -> None: ...
    @property
    def _prev(self) -> set[Value]: ...
    @property
    def _attributes(self) -> dict[str, Any] | None: ...
    @overload
    def backward(
        self,
        buffers: Buffers | None = None,
        *,
        gradient: _Number = 1.0,
        create_graph: Literal[False] = False,
    ) -> None: ...
    @overload
    def backward(
        self,
        buffers: Buffers | None = None,
        *,
        gradient: _Number = 1.0,
        create_graph: Literal[True],
    ) -> dict[Value, Value]: ...
    def item(self) -> float: ...
    def detach(self) -> Value: ...
    def show(self, path: str | Path | None = None, open: bool = True) -> Path: ...  # noqa: A002
    @staticmethod
    def _apply(op: Op, operands: tuple[Any, ...]) -> Value: ...
    @classmethod
    def _restore(cls, state: State) -> Value: ...
"""

MIDDLE = """\
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __bool__(self) -> bool: ...
    def __float__(self) -> float: ...
    def __int__(self) -> int: ...
    def __floor__(self) -> Value: ...
    def __format__(self, spec: str) -> str: ...
    def __copy__(self) -> Value: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Value: ...
"""

TAIL = """\

@final
class Buffers:
    @property
    def order(self) -> list[Value]: ...
    @property
    def visited(self) -> set[Value]: ...
    @property
    def stack(self) -> list[tuple[Value, int]]: ...
    def __init__(self) -> None: ...

class no_grad(ContextDecorator):
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

class detect_anomaly(ContextDecorator):
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

class scope(ContextDecorator):
    def __init__(self, name: str = "") -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

class source_lines(ContextDecorator):
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

class strict(ContextDecorator):
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

def backend() -> str: ...
def constant(number: object, /) -> Value | None: ...
def cross_entropy(logits: Iterable[Value | _Number], target: int) -> Value: ...
def detach(value: Value) -> Value: ...
def dot(w: Sequence[Value | _Number], x: Sequence[Value | _Number]) -> Value: ...
def fori(
    lower: int,
    upper: Any,
    body: Callable[[int, Any], Any],
    state: Any,
    limit: int | None = None,
) -> Any: ...
def largest(values: Sequence[Any]) -> Any: ...
def layernorm(x: Iterable[Value | _Number], epsilon: float = 1e-5) -> list[Value]: ...
def linear(
    W: Sequence[Sequence[Value | _Number]],
    x: Sequence[Value | _Number],
    b: Sequence[Value | _Number] | None = None,
) -> list[Value]: ...
def log_softmax(x: Iterable[Value | _Number]) -> list[Value]: ...
def logsumexp(x: Iterable[Value | _Number]) -> Value: ...
def mean(x: Iterable[Value | _Number]) -> Value: ...
def rmsnorm(x: Iterable[Value | _Number], epsilon: float = 1e-5) -> list[Value]: ...
def softmax(x: Iterable[Value | _Number]) -> list[Value]: ...
def sum(x: Iterable[Value | _Number]) -> Value: ...
def take(table: Sequence[Any], index: Any) -> Any: ...
def topological_order(root: Value, /) -> list[Value]: ...
def zero_grad(values: Value | Iterable[Value]) -> None: ...
"""

BINARY = (
    *("add", "radd", "mul", "rmul", "sub", "rsub", "truediv", "rtruediv"),
    *("floordiv", "rfloordiv", "mod", "rmod"),
)


def stub() -> str:
    """Return the stub's text."""
    other = "other: Value | _Number"
    lines = [f"    def __{name}__(self, {other}, /) -> Value: ..." for name in BINARY]
    lines += [
        f"    def __{name}__(self, {other}, mod: None = None, /) -> Value: ..."
        for name in ("pow", "rpow")
    ]
    lines += [
        f"    def __{name}__(self, {other}, /) -> tuple[Value, Value]: ..."
        for name in ("divmod", "rdivmod")
    ]
    lines += [f"    def __{name}__(self) -> Value: ..." for name in ("neg", "pos", "abs")]
    lines += [
        f"    def __{name}__(self, other: object, /) -> bool: ..."
        for name in ("lt", "le", "gt", "ge")
    ]
    methods = [
        f"    def {name}({', '.join(['self', *_parameters(op)])}) -> Value: ..."
        for op in ops.TABLE
        if op.is_method
        for name in (op.name, *op.aliases)
    ]
    return HEAD + "\n".join(lines) + "\n" + MIDDLE + "\n".join(methods) + "\n" + TAIL


def _parameters(op: ops.Op) -> list[str]:
    defaults = (*("",) * op.least, *[f" = {default}" for default in op.defaults])
    return [
        f"{name}: Value | _Number{default}"
        for name, default in zip(op.operands[1:], defaults[1:], strict=True)
    ]


def package() -> str:
    """Return gradwalk/__init__.py with the functions of the table in its import and in __all__."""
    text = PACKAGE.read_text("utf-8")
    functions = {op.name for op in ops.TABLE if op.is_function} - {"abs"}  # abs is Python's own
    imported = re.search(r"from gradwalk\.ops import \(\n(.*?)\)\n", text, re.S)
    listed = re.search(r"__all__ = \[\n(.*?)\]\n", text, re.S)
    assert imported is not None
    assert listed is not None
    before = set(re.findall(r"\w+", imported[1]))
    names = set(re.findall(r"\w+", listed[1])) - before | functions
    lines = "".join([f"    {name},\n" for name in sorted(functions, key=_place)])
    text = text.replace(imported[1], lines)
    return text.replace(listed[1], "".join([f'    "{n}",\n' for n in sorted(names, key=_place)]))


def _place(name: str) -> tuple[object, ...]:
    """Sort as the linter does: classes first, log2 before log10."""
    parts = re.split(r"(\d+)", name)
    return name.islower(), [int(part) if part.isdigit() else part for part in parts]


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    PACKAGE.write_text(package(), encoding="utf-8")
