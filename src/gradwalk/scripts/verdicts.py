"""Decisions about classes, kept from run to run: trying a class costs more than a small script.

A decision is found again by a digest of all that it follows from: the texts of the script's
modules, what the class's functions look up at that moment, gradwalk's own files, Python, the
engine. Where something else could matter, a number from a library's object, say, nothing is kept.

Entries are literals, never pickles. A folder or an entry that somebody else owns, or may write to,
is not used. GRADWALK_CACHE names another folder; empty, it keeps nothing.
"""

# What a script's functions look up has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

from gradwalk.engine import backend
from gradwalk.scripts.shape import Parameter, Shape, class_members
from gradwalk.scripts.standin import Plan

_MOST = 200  # entries; the oldest make room
_LIBRARY = {  # not random: it remembers
    *["abc", "collections", "dataclasses", "functools", "itertools", "math", "operator"],
    *["typing", "enum", "numbers", "__future__"],
}


class _UnknownError(Exception):
    """Something that a class depends on has no digest."""


# ── What a decision follows from ─────────────────────────────────────────────────────────────


def key_of(theirs: type, texts: Sequence[bytes]) -> str:
    """Return the digest under which the decision about a class is kept, or "" where none is."""
    try:
        found = "\n".join(_described(theirs, {}))
    except _UnknownError:
        return ""
    digest = hashlib.sha256(repr((sys.version, sys.platform, backend(), _ours())).encode())
    for part in (*texts, theirs.__qualname__.encode(), found.encode("utf-8", "replace")):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def _ours() -> list[tuple[str, int, int]]:
    """Return when the files that decide and compute were changed, and their sizes."""
    package = Path(__file__).parent.parent
    engine = sys.modules.get("gradwalk.engine._native")
    files = [*Path(__file__).parent.glob("*.py"), *(package / "engine").glob("*.py")]
    files += [package / "ops.py", *([Path(engine.__file__)] if engine and engine.__file__ else [])]
    stats = [(file.name, file.stat()) for file in sorted(files)]
    return [(name, one.st_mtime_ns, one.st_size) for name, one in stats]


def _described(thing: Any, seen: dict[int, int]) -> Iterator[str]:
    """Yield in words what a class, a function or a constant is, with all that it refers to."""
    if isinstance(thing, type | FunctionType):
        if id(thing) in seen:
            yield f"again {seen[id(thing)]}"
            return
        seen[id(thing)] = len(seen)
    match thing:
        case None | bool() | int() | str() | bytes():
            yield repr(thing)
        case float():
            yield thing.hex()
        case tuple() | list() if len(thing) < 100:
            yield f"{type(thing).__name__} {len(thing)}"
            for part in thing:
                yield from _described(part, seen)
        case dict() if len(thing) < 100:
            yield f"dict {len(thing)}"
            for pair in thing.items():
                yield from _described(pair, seen)
        case frozenset() | set() if all(isinstance(part, str | int) for part in thing):
            yield f"{type(thing).__name__} {sorted(map(repr, thing))}"
        case _ if _is_of_library(thing):
            yield f"{thing.__module__}.{thing.__qualname__}"
        case FunctionType():
            yield from _function(thing, seen)
        case staticmethod() | classmethod():
            yield type(thing).__name__
            wrapper: Any = thing
            yield from _described(wrapper.__func__, seen)
        case property():
            yield "property"
            yield from _described([thing.fget, thing.fset, thing.fdel], seen)
        case ModuleType() if thing.__name__.partition(".")[0] in _LIBRARY:
            yield f"module {thing.__name__}"
        case ModuleType() if getattr(thing, "__version__", "") and thing.__file__:
            changed = os.stat(thing.__file__).st_mtime_ns
            yield f"module {thing.__name__} {thing.__version__} {thing.__file__} {changed}"
        case type() if thing.__module__.partition(".")[0] in {*_LIBRARY, "builtins"}:
            yield f"{thing.__module__}.{thing.__qualname__}"
        case type():
            yield from _class(thing, seen)
        case MemberDescriptorType():
            yield f"slot {thing.__name__}"
        case _:
            raise _UnknownError(type(thing).__name__)


def _is_of_library(thing: Any) -> bool:
    module = str(getattr(thing, "__module__", ""))
    is_function = callable(thing) and hasattr(thing, "__qualname__") and module in sys.modules
    if not is_function or module.partition(".")[0] not in {*_LIBRARY, "builtins"}:
        return False
    found: Any = sys.modules[module]
    for name in thing.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is thing


def _class(theirs: type, seen: dict[int, int]) -> Iterator[str]:
    if type(theirs).__module__ not in ("builtins", "abc"):
        raise _UnknownError("metaclass")
    yield f"class {theirs.__qualname__} {[base.__qualname__ for base in theirs.__mro__]}"
    for name, member in class_members(theirs).items():
        if name not in _OF_ANY_CLASS:
            yield name
            yield from _described(member, seen)


_OF_ANY_CLASS = {
    *["__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "_abc_impl"],
    *["__annotations__", "__annotate_func__", "__annotations_cache__", "__annotate__"],
    *["__static_attributes__", "__dataclass_fields__", "__dataclass_params__"],
}


def _function(function: FunctionType, seen: dict[int, int]) -> Iterator[str]:
    code = function.__code__
    yield f"function {function.__qualname__}"
    yield from _code(code)
    yield from _described([function.__defaults__, function.__kwdefaults__], seen)
    for cell in function.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:
            raise _UnknownError("an empty cell") from None
        yield from _described(content, seen)
    for name in sorted(_names(code)):
        if name in function.__globals__:
            yield f"global {name}"
            yield from _described(function.__globals__[name], seen)


def _code(code: CodeType) -> Iterator[str]:
    yield f"{code.co_name} {code.co_argcount} {code.co_flags} {code.co_varnames} {code.co_names}"
    yield code.co_code.hex()
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _code(one)
        else:
            yield repr(one)


def _names(code: CodeType) -> set[str]:
    """Return the names that a function may look up, those of functions in it too."""
    names = set(code.co_names)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            names |= _names(one)
    return names


# ── The folder ───────────────────────────────────────────────────────────────────────────────


def read(key: str) -> Plan | str | None:
    """Return the plan, or why the class runs as written; None where nothing is known."""
    folder = _folder()
    if not key or folder is None:
        return None
    try:
        descriptor = os.open(folder / key, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, encoding="utf-8") as file:
            if not _is_mine(os.fstat(file.fileno())):
                return None
            kept = ast.literal_eval(file.read())
        return kept if isinstance(kept, str) else _plan(*kept)
    except (OSError, ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def write(key: str, decision: Plan | str) -> None:
    """Keep a decision, where it can be written as literals."""
    folder = _folder()
    if not key or folder is None:
        return
    try:
        text = repr(decision if isinstance(decision, str) else _literals(decision))
        if ast.literal_eval(text) is None or _plan_of(text, decision) != decision:
            return
    except (ValueError, TypeError, SyntaxError):
        return
    with contextlib.suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not _is_mine(os.lstat(folder)):
            return
        temporary = folder / f".{secrets.token_hex(8)}"
        with os.fdopen(os.open(temporary, _NEW, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        temporary.replace(folder / key)
        entries = sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime)
        for one in entries[: max(0, len(entries) - _MOST)]:
            one.unlink()


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def _plan_of(text: str, decision: Plan | str) -> Plan | str:
    kept = ast.literal_eval(text)
    return kept if isinstance(decision, str) else _plan(*kept)


def _folder() -> Path | None:
    """Return the folder, where it is this user's own or there is none yet."""
    named = os.environ.get("GRADWALK_CACHE")
    if named == "":
        return None
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        place = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
        folder = Path(named) if named else place / "gradwalk"
        return folder if not os.path.lexists(folder) or _is_mine(os.lstat(folder)) else None
    except (OSError, RuntimeError):
        return None


def _is_mine(status: os.stat_result) -> bool:
    if sys.platform == "win32":  # what is in a user's profile is the user's
        return not stat.S_ISLNK(status.st_mode)
    others = stat.S_IWGRP | stat.S_IWOTH
    kind = stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)
    return kind and status.st_uid == os.geteuid() and not status.st_mode & others


def _literals(plan: Plan) -> tuple[Any, ...]:
    """Return a plan as tuples of literals."""
    parameters = tuple([tuple(one) for one in plan.shape.parameters])
    shape = {**plan.shape._asdict(), "parameters": parameters}
    late = None if plan.late is None else sorted(plan.late)
    sets: dict[str, Any] = {"late": late}
    sets |= {name: sorted(getattr(plan, name)) for name in ("unsure", "alone", "plain")}
    return (shape, {**plan._asdict(), "shape": None, **sets})


def _plan(shape: dict[str, Any], fields: dict[str, Any]) -> Plan:
    shape["parameters"] = tuple([Parameter(*one) for one in shape["parameters"]])
    fields["shape"] = Shape(**shape)
    for name in ("late", "unsure", "alone", "plain"):
        fields[name] = None if fields[name] is None else frozenset(fields[name])
    return Plan(**fields)
