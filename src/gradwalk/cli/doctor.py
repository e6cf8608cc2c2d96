"""`gradwalk doctor`: what is installed, which engine runs and why, and what could be added."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from gradwalk import __version__, backend, engine
from gradwalk.cli.arguments import Parser, no_words
from gradwalk.cli.terminal import colour, emit_json, show, width
from gradwalk.program import backends

# Package, what it is for, what brings it.
_OPTIONAL = (
    ("numpy", "map over scenarios, arrays of Values", "numpy"),
    ("starlette", "the browser lab", "starlette uvicorn"),
    ("anywidget", "live views in a notebook", "anywidget"),
    ("typst", "pictures as PNG, PDF and GIF", "pillow typst"),
    ("safetensors", "checks checkpoints", "safetensors"),
    ("jax", "replay on a GPU", "jax"),
    ("torch", "a second oracle in tests", "torch"),
)


_COMPILERS = ("cc", "gcc", "clang", "cl")


def doctor(words: Sequence[str]) -> int:
    options = Parser("doctor").read(words)
    if options is None:
        return 0
    no_words(options, "doctor")
    found = examine()
    emit_json(found) if options.json else show(report_text(found))
    return 0


def examine() -> dict[str, Any]:
    """Return all of it as data; nothing optional is imported for it."""
    is_coloured, why = colour()
    return {
        "version": 1,
        "gradwalk": {"version": __version__, "path": str(Path(__file__).parent.parent)},
        "python": {"version": platform.python_version(), "path": sys.executable},
        "platform": platform.platform(),
        "engine": _engine(),
        "replay": {"backend": backends.name, "file": getattr(backends.replay, "__file__", None)},
        "terminal": {"columns": width(), "colour": is_coloured, "why": why},
        "judge": _judge(),
        "graphviz": "not needed: gradwalk draws by itself",
        "optional": [_package(*row) for row in _OPTIONAL],
    }


def _judge() -> dict[str, Any]:
    """Return whether strangers' files can be judged here, by trying it."""
    from gradwalk.practice.judge.bubblewrap import bubblewrap
    from gradwalk.practice.judge.learner import why_not_contained

    return {"bubblewrap": bubblewrap(), "missing": why_not_contained() or None}


def _engine() -> dict[str, Any]:
    """Return which engine runs, and why; and of the native one, where it is or why it is not."""
    asked = os.environ.get("GRADWALK_BACKEND")
    native = _native()
    if asked:
        why = f"GRADWALK_BACKEND={asked}"
    elif backend() == "python":
        why = "the native engine is missing"
    else:
        why = "it is the fastest there is"
    return {"backend": backend(), "why": why, "native": native}


def _native() -> dict[str, Any]:
    """Return the file of the native engine; or, without one, why, and what to do about it."""
    spec = find_spec("gradwalk.engine._native")
    if spec is not None:
        return {"file": spec.origin, "missing": None, "remedy": None}
    others = [file.name for place in engine.__path__ for file in Path(place).glob("_native.*.*")]
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if others := [name for name in others if not name.endswith(".pyi")]:
        missing = f"{others[0]} was built for another Python than {platform.python_version()}"
    elif compiler:
        missing = f"it was not built when gradwalk was installed, though {compiler} is there now"
    else:
        missing = "it was not built when gradwalk was installed, and there is no C compiler here"
    first = "" if compiler else f"install a C compiler ({_compiler_package()}), then: "
    return {"file": None, "missing": missing, "remedy": first + _rebuild()}


def _compiler_package() -> str:
    by_system = {"Darwin": "xcode-select --install", "Windows": "Visual Studio Build Tools"}
    return by_system.get(platform.system(), "apt install gcc, or the like")


def _rebuild() -> str:
    """Return the command that builds it, and shows the compiler's complaint where it cannot."""
    checkout = Path(__file__).parents[3]
    if (checkout / "x.py").exists():
        return f"python3 {quote(str(checkout / 'x.py'))} setup"
    options = "--force-reinstall --no-deps --no-cache-dir --no-binary gradwalk"
    return f"GRADWALK_REQUIRE_NATIVE=1 {_pip()} {options} {_source()}"


def _pip() -> str:
    """Return the command that installs into the environment of this Python."""
    if find_spec("pip") is None and shutil.which("uv"):  # uv makes environments without pip
        return f"uv pip install --python {quote(sys.executable)}"
    return f"{quote(sys.executable)} -m pip install"


def _source() -> str:
    """Return what pip was given when it installed this package: a folder or an address."""
    try:
        record = distribution("gradwalk").read_text("direct_url.json")
    except PackageNotFoundError:
        record = None
    address = str(json.loads(record)["url"]) if record else "gradwalk"
    parts = urlsplit(address)
    return quote(url2pathname(parts.path) if parts.scheme == "file" else address)


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
        "remedy": None if found else f"{_pip()} {brings}",
    }


def _judge_text(judge: dict[str, Any]) -> str:
    if not judge["missing"]:
        return f"strangers' files run under {judge['bubblewrap']}, and it holds here"
    rows = judge["missing"].split("\n")
    return "\n".join([f"your own files only: {rows[0]}", *[f"{'':<12} {row}" for row in rows[1:]]])


def report_text(found: dict[str, Any]) -> str:
    """Return it to read."""
    engine, terminal = found["engine"], found["terminal"]
    native = engine["native"]
    coloured = "colour" if terminal["colour"] else "no colour"
    rows = [
        ("gradwalk", f"{found['gradwalk']['version']}  {found['gradwalk']['path']}"),
        ("Python", f"{found['python']['version']}  {found['python']['path']}"),
        ("platform", found["platform"]),
        ("engine", f"{engine['backend']}: {engine['why']}"),
        ("native", native["file"] or f"MISSING: {native['missing']}"),
        *([("", native["remedy"])] if native["remedy"] else []),
        ("replay", f"{found['replay']['backend']}  {found['replay']['file']}"),
        ("terminal", f"{terminal['columns']} columns, {coloured}: {terminal['why']}"),
        ("judge", _judge_text(found["judge"])),
        ("graphviz", found["graphviz"]),
    ]
    lines = [f"{name:<12} {text}" for name, text in rows]
    lines += ["", "optional"]
    for package in found["optional"]:
        remedy = f": {package['remedy']}" if package["remedy"] else ""
        state = package["version"] or "missing"
        lines.append(f"  {package['name']:<12} {state:<9} {package['purpose']}{remedy}")
    return "\n".join(lines) + "\n"
