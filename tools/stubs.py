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
LAST = "    def __deepcopy__(self, memo: dict[int, Any]) -> Value: ...\n"


def stub() -> str:
    """Return the stub with a method for each row behind the last that is written by hand."""
    methods = "".join(
        [
            f"    def {name}({', '.join(['self', *_parameters(op)])}) -> Value: ...\n"
            for op in ops.TABLE
            if op.is_method
            for name in (op.name, *op.aliases)
        ]
    )
    own, last, rest = STUB.read_text("utf-8").partition(LAST)
    return own + last + methods + rest[rest.index("\n@final") :]


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
