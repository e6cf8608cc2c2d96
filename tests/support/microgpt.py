"""The script of gradwalk/bench/microgpt.py, with its own Value or with another in its place."""

import ast
import random
import sys
from pathlib import Path
from typing import Any

import gradwalk

SCRIPT = Path(gradwalk.__file__).parent / "bench" / "microgpt.py"


def loaded(kind: Any = None) -> dict[str, Any]:
    """Return the script's names, before any training: params, loss_of, encode, names …"""
    return _executed(kind, "microgpt", [])


def trained(kind: Any = None, steps: int = 1) -> dict[str, Any]:
    """Return the script's names after it has run: history has the losses."""
    return _executed(kind, "__main__", [str(steps)])


def _executed(kind: Any, name: str, arguments: list[str]) -> dict[str, Any]:
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": name, "__file__": str(SCRIPT), "print": lambda *_: None}
    if kind is not None:
        names["Value"] = kind
        kept = [part for part in tree.body if getattr(part, "name", "") != "Value"]
        assert len(kept) == len(tree.body) - 1
        tree.body = kept
    before = sys.argv, random.getstate()
    sys.argv = [str(SCRIPT), *arguments]
    try:
        exec(compile(tree, str(SCRIPT), "exec"), names)
    finally:
        sys.argv = before[0]
        random.setstate(before[1])
    return names
