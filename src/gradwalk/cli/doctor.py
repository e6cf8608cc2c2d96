"""What is installed, which engine runs and why, and what could be added."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any

from gradwalk import __version__, backend
from gradwalk.cli.terminal import colour, width

__all__ = ["examine", "report_text"]

# Package, what it is for, what brings it.
_OPTIONAL = (
    ("numpy", "arrays of Values, np.exp(v)", "numpy"),
    ("rich", "a prettier terminal", "gradwalk[pretty]"),
    ("starlette", "the browser lab", "gradwalk[lab]"),
    ("anywidget", "a notebook widget", "gradwalk[notebook]"),
    ("safetensors", "checkpoints", "gradwalk[checkpoint]"),
    ("jax", "many machines", "gradwalk[jax]"),
    ("torch", "a second oracle in tests", "torch"),
)


def examine() -> dict[str, Any]:
    """Return all of it as data; nothing optional is imported for it."""
    is_coloured, why = colour()
    return {
        "version": 1,
        "gradwalk": {"version": __version__, "path": str(Path(__file__).parent.parent)},
        "python": {"version": platform.python_version(), "path": sys.executable},
        "platform": platform.platform(),
        "engine": _engine(),
        "terminal": {"columns": width(), "colour": is_coloured, "why": why},
        "graphviz": "not needed: gradwalk draws by itself",
        "optional": [_package(*row) for row in _OPTIONAL],
    }


def _engine() -> dict[str, Any]:
    """Return which engine runs, and why. A native one reports here what it was built with."""
    asked = os.environ.get("GRADWALK_BACKEND")
    if asked:
        why = f"GRADWALK_BACKEND={asked}"
    elif backend() == "python":
        why = "this installation has no native engine"
    else:
        why = "it is the fastest there is"
    return {"backend": backend(), "why": why}


def _package(name: str, purpose: str, brings: str) -> dict[str, Any]:
    found = None
    if find_spec(name) is not None:
        try:
            found = version(name)
        except PackageNotFoundError:  # a folder that is no distribution
            found = "present"
    return {
        "name": name,
        "version": found,
        "purpose": purpose,
        "remedy": None if found else f"pip install {quote(brings)}",
    }


def report_text(found: dict[str, Any]) -> str:
    """Return it to read."""
    engine, terminal = found["engine"], found["terminal"]
    coloured = "colour" if terminal["colour"] else "no colour"
    rows = [
        ("gradwalk", f"{found['gradwalk']['version']}  {found['gradwalk']['path']}"),
        ("Python", f"{found['python']['version']}  {found['python']['path']}"),
        ("platform", found["platform"]),
        ("engine", f"{engine['backend']}: {engine['why']}"),
        ("terminal", f"{terminal['columns']} columns, {coloured}: {terminal['why']}"),
        ("graphviz", found["graphviz"]),
    ]
    lines = [f"{name:<12} {text}" for name, text in rows]
    lines += ["", "optional"]
    for package in found["optional"]:
        remedy = f": {package['remedy']}" if package["remedy"] else ""
        state = package["version"] or "missing"
        lines.append(f"  {package['name']:<12} {state:<9} {package['purpose']}{remedy}")
    return "\n".join(lines) + "\n"
