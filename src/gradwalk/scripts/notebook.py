"""The code cells of a Jupyter notebook, as modules to be run one after the other."""

from __future__ import annotations

import ast
import json
import linecache
import re
from typing import Any, NamedTuple

from gradwalk.errors import ScriptError


class Cell(NamedTuple):
    """One code cell. What a notebook shows of its last expression goes to `__shown__`."""

    name: str
    tree: ast.Module


def read_cells(script: str, text: str) -> list[Cell]:
    """Return the code cells of a notebook; raise ScriptError when it is none."""
    made: list[Cell] = []
    for number, plain in enumerate(sources(script, text), 1):
        name = f"{script} cell {number}"
        linecache.cache[name] = (len(plain), None, plain.splitlines(keepends=True), name)
        tree = ast.parse(plain, name)
        made.append(Cell(name, _showing(tree, plain)))
    return made


def sources(script: str, text: str | bytes) -> list[str]:
    """Return the text of each code cell, as Python; raise ScriptError for another file."""
    try:
        data: dict[str, Any] = json.loads(text)
        cells = data["cells"] if "cells" in data else data["worksheets"][0]["cells"]
        found = [_source(cell) for cell in cells if cell.get("cell_type") == "code"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise ScriptError(f"{script} is no notebook: it has no list of cells") from None
    return [_without_magic(source) for source in found]


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return source if isinstance(source, str) else "".join(source)


_MAGIC = re.compile(r"^(\s*)([%!?].*|[\w.]+\?{1,2})$")


def _without_magic(source: str) -> str:
    """Return a cell without what only a notebook understands: %magic, !command, name?"""
    if source.lstrip().startswith("%%"):
        return ""
    return "\n".join([_MAGIC.sub(r"\1pass", line) for line in source.splitlines()]) + "\n"


def _showing(tree: ast.Module, source: str) -> ast.Module:
    """Show the last expression of a cell, as a notebook does, unless a semicolon ends it."""
    if not tree.body or not isinstance(tree.body[-1], ast.Expr) or source.rstrip().endswith(";"):
        return tree
    last = tree.body[-1]
    name = ast.copy_location(ast.Name("__shown__", ast.Load()), last)
    last.value = ast.copy_location(ast.Call(name, [last.value], []), last)
    return tree
