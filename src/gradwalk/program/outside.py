"""What a function reads and changes outside of itself.

    Outside     the state outside of a function: what it was, whether it changed, and back to it
    Arguments   the same for what stands for arguments

A recording has the plain numbers of globals, closures, defaults and attributes as constants. So
they are looked at again at each call, and where one differs, the function is recorded again. What a
recording itself changes (a global count, `self`, a list that is logged to, a memo) is seen by the
same comparison: such a function runs as Python each time.

What is looked at is read off the code: names, attributes of what they name, the functions among
them. Beyond `_MOST` things nothing more is looked at.
"""

# What a function uses may be of any type.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import collections
import dis
import functools
import operator
import os
import sys
from collections.abc import Callable, Sequence
from types import CellType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

__all__ = ["Arguments", "Outside", "with_numbers"]

_MOST = 512  # things that are looked at
_SMALL = 256  # entries of a table that is compared at each call
_STANDARD = os.path.dirname(os.__file__) + os.sep
_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None)})
_TABLES = (list, dict, set, collections.deque, collections.Counter, collections.defaultdict)
_MISSING: Any = object()


@functools.lru_cache(maxsize=1024)
def _names(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """Return the global names of code and of what is in it, and the names of attributes."""
    globals_: set[str] = set()
    attributes: set[str] = set()
    for one in dis.get_instructions(code):
        if one.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"):
            globals_.add(one.argval)
        elif one.opname in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"):
            attributes.add(one.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            more = _names(inner)
            globals_ |= more[0]
            attributes |= more[1]
    return frozenset(globals_), frozenset(attributes)


def _is_users(thing: Any) -> bool:
    """Say whether a function, class or module is none of the library's."""
    module = getattr(thing, "__module__", None) or getattr(thing, "__name__", "")
    code = getattr(thing, "__code__", None)
    file = code.co_filename if code is not None else getattr(thing, "__file__", None) or ""
    is_library = file.startswith((_STANDARD, "<frozen")) or "site-packages" in file
    return not is_library and str(module).partition(".")[0] not in _LIBRARY


_LIBRARY = frozenset({"builtins", "gradwalk", "numpy", "math", *sys.stdlib_module_names}) - {
    "__main__"
}


class Outside:
    """The state outside of a function, as it is when this is made."""

    def __init__(self, function: Any) -> None:
        self.names: list[tuple[dict[str, Any], str, Any]] = []
        self.parts: list[tuple[Any, str, Any]] = []  # cells and classes, with an attribute
        self.tables: list[tuple[Any, Any]] = []  # each with its contents
        self.large: list[tuple[Any, Any]] = []  # those that are compared around a recording alone
        self.runs = False  # an iterator is among it, and nobody can tell whether it moved
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._instances: list[dict[str, Any]] = []
        self._attributes: set[str] = set()  # that the functions name
        self._visit(function)
        for names in self._instances:  # what they may get
            missing = self._attributes - names.keys()
            self.names += [(names, name, _MISSING) for name in missing]

    # ── What there is ────────────────────────────────────────────────────────────────────────

    def _visit(self, thing: Any) -> None:
        kind = type(thing)
        if kind in _PLAIN or id(thing) in self._seen or len(self._seen) >= _MOST:
            return
        self._seen.add(id(thing))
        self._kept.append(thing)
        if kind is FunctionType:
            if _is_users(thing):
                self._visit_function(thing)
        elif kind is MethodType:
            self._visit(thing.__func__)
            self._visit(thing.__self__)
        elif kind is functools.partial:
            for part in (thing.func, *thing.args, *thing.keywords.values()):
                self._visit(part)
        elif kind in _TABLES:
            self._keep(thing)
            for part in thing.values() if isinstance(thing, dict) else thing:
                self._visit(part)
        elif kind is tuple:
            for part in thing:
                self._visit(part)
        elif kind.__name__ == "ndarray" and kind.__module__ == "numpy":
            self._keep(thing)
        elif isinstance(thing, type):
            if _is_users(thing):
                for base in thing.__mro__:
                    if _is_users(base):
                        self._visit_class(base)
        elif hasattr(thing, "store") and hasattr(thing, "value_and_grad"):  # compiled
            self._visit(thing.function)
        elif hasattr(kind, "__next__"):
            self.runs = True
        elif isinstance(wrapped := getattr(thing, "__wrapped__", None), FunctionType):
            self._visit(wrapped)
        elif kind is SimpleNamespace or _is_users(kind):
            self._visit_instance(thing)

    def _visit_instance(self, thing: Any) -> None:
        kind: Any = type(thing)
        for base in kind.__mro__:
            for name in getattr(base, "__slots__", ()):
                self.parts.append((thing, name, getattr(thing, name, _MISSING)))
                self._visit(self.parts[-1][2])
        if isinstance(getattr(thing, "__dict__", None), dict):
            self._instances.append(vars(thing))
            self._visit(kind)
            self._visit_names(vars(thing), vars(thing))

    def _keep(self, thing: Any) -> None:
        size = thing.nbytes // 8 if hasattr(thing, "nbytes") else len(thing)
        (self.tables if size <= _SMALL else self.large).append((thing, _contents(thing)))

    def _visit_class(self, kind: type) -> None:
        for name, thing in list(vars(kind).items()):
            if type(thing) in _PLAIN and not name.startswith("__"):
                self.parts.append((kind, name, thing))
            self._visit(thing)

    def _visit_function(self, function: FunctionType) -> None:
        names, attributes = _names(function.__code__)
        known = function.__globals__
        self._attributes |= attributes
        for name in names:
            if name in known:
                self._visit_name(known, name, attributes)
            elif name not in getattr(known.get("__builtins__"), "__dict__", ()):
                self.names.append((known, name, _MISSING))
        for cell in function.__closure__ or ():
            thing = _held(cell)
            self.parts.append((cell, "cell_contents", thing))
            self._visit(thing)
        self.parts.append((function, "__defaults__", function.__defaults__))
        self._instances.append(vars(function))
        self._visit_names(vars(function), vars(function))
        self._visit(function.__defaults__)
        self._visit(function.__kwdefaults__)

    def _visit_names(self, names: Any, which: Any) -> None:
        for name in list(which):
            if name in names and not name.startswith("__"):
                self._visit_name(names, name)

    def _visit_name(self, names: Any, name: str, attributes: frozenset[str] = frozenset()) -> None:
        thing = names[name]
        if isinstance(thing, ModuleType):
            if _is_users(thing) and id(thing) not in self._seen:
                self._seen.add(id(thing))
                self._visit_names(vars(thing), attributes)
            return
        self.names.append((names, name, thing))
        self._visit(thing)

    # ── What changed ─────────────────────────────────────────────────────────────────────────

    def is_same(self) -> bool:
        """Say whether what a recording has as constants is as it was; asked at each call."""
        for names, name, thing in self.names:
            found = names.get(name, _MISSING)
            if found is not thing and not _equal(found, thing):
                return False
        for holder, name, thing in self.parts:
            found = getattr(holder, name, _MISSING)
            if found is not thing and not _equal(found, thing):
                return False
        return all(_has(thing, parts) for thing, parts in self.tables) if self.tables else True

    def is_untouched(self) -> bool:
        """Say whether a recording changed nothing outside."""
        return self.is_same() and all(_has(thing, parts) for thing, parts in self.large)

    def restore(self) -> None:
        """Put everything back to what it was."""
        for names, name, thing in self.names:
            if thing is not _MISSING:
                names[name] = thing
            elif name in names:
                del names[name]
        for holder, name, thing in self.parts:
            if getattr(holder, name, _MISSING) is thing:
                continue
            if thing is _MISSING:
                delattr(holder, name)
            else:
                setattr(holder, name, thing)
        for thing, parts in (*self.tables, *self.large):
            if not _has(thing, parts):
                _put(thing, parts)

    def put_numbers(self, number: Callable[[Any], Any]) -> None:
        """Put numbers in the place of recorded values, wherever the recording left some."""
        for names, name, _ in self.names:
            if name in names:
                names[name] = with_numbers(names[name], number)
        for holder, name, thing in self.parts:
            found = getattr(holder, name, _MISSING)
            if found is not thing:
                setattr(holder, name, with_numbers(found, number))
        for thing, parts in (*self.tables, *self.large):
            if not _has(thing, parts):
                _put(thing, with_numbers(_contents(thing), number))


class Arguments:
    """What stands for arguments in a recording, so that what is written into it can be seen."""

    def __init__(self, values: Sequence[Any], made: Sequence[Any]) -> None:
        self._pairs: list[tuple[Any, Any, Any]] = []  # a table, what stands for it, its contents
        self._things: dict[int, Any] = {}
        for thing, one in zip(values, made, strict=True):
            self._note(thing, one)

    def _note(self, thing: Any, made: Any) -> None:
        kind = type(made)
        if kind in (list, tuple):
            inner = zip(thing, made, strict=False)
        elif kind is dict:
            inner = [(thing[key], made[key]) for key in made]
        elif hasattr(made, "dtype"):
            inner = ()
        elif _is_users(kind) and hasattr(made, "__dict__") and hasattr(thing, "__dict__"):
            self._things[id(made)] = thing
            thing, made = vars(thing), vars(made)
            inner = [(thing[key], made[key]) for key in made if key in thing]
        else:
            return
        if kind is not tuple:
            self._pairs.append((thing, made, _contents(made)))
            self._things[id(made)] = thing
        for one, other in inner:
            if type(other) not in _PLAIN:
                self._note(one, other)

    def changed(self) -> bool:
        return not all(_has(made, parts) for _, made, parts in self._pairs)

    def put_back(self, number: Callable[[Any], Any]) -> None:
        """Do to the arguments what was done to what stands for them."""

        def found(thing: Any) -> Any:
            return self._things.get(id(thing), thing) if type(thing) not in _PLAIN else thing

        for thing, made, parts in self._pairs:
            if not _has(made, parts):
                _put(thing, with_numbers(_contents(made), lambda one: number(found(one))))


def with_numbers(thing: Any, number: Callable[[Any], Any]) -> Any:
    """Return a thing with numbers in the place of recorded values, in lists and dicts, too."""
    other = number(thing)
    if other is not thing:
        return other
    kind = type(thing)
    if getattr(getattr(thing, "dtype", None), "hasobject", False):
        made = thing.copy()
        made.reshape(-1)[:] = [with_numbers(part, number) for part in thing.flat]
        return made
    if kind in (list, tuple, set):
        return kind([with_numbers(part, number) for part in thing])
    if isinstance(thing, dict):
        made = {number(key): with_numbers(part, number) for key, part in thing.items()}
        return made if kind is dict else _put(thing, made)
    return thing


def _held(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing in it yet
        return _MISSING


def _contents(thing: Any) -> Any:
    if hasattr(thing, "dtype"):
        return thing.copy()
    return dict(thing) if isinstance(thing, dict) else list(thing)


def _has(thing: Any, parts: Any) -> bool:
    """Say whether a table has these contents: the same things, or equal plain ones."""
    if hasattr(thing, "dtype"):
        if thing.shape != parts.shape:
            return False
        if not thing.dtype.hasobject:
            return thing.tobytes() == parts.tobytes()
        thing, parts = thing.reshape(-1).tolist(), parts.reshape(-1).tolist()
    if len(thing) != len(parts):
        return False
    if isinstance(thing, dict):
        if not all(map(operator.is_, thing, parts)) and list(thing) != list(parts):
            return False
        thing, parts = thing.values(), parts.values()
    if all(map(operator.is_, thing, parts)):
        return True
    return all(a is b or _equal(a, b) for a, b in zip(thing, parts, strict=True))


def _equal(one: Any, other: Any) -> bool:
    if type(one) is not type(other) or type(one) not in _PLAIN:
        return False
    return repr(one) == repr(other)  # 0.0 and -0.0 are two, a nan is itself


def _put(thing: Any, parts: Any) -> Any:
    """Give a table these contents; return it."""
    if hasattr(thing, "dtype"):
        thing[...] = parts
        return thing
    thing.clear()
    if isinstance(thing, (dict, set)):
        thing.update(parts)
    else:
        thing.extend(parts)
    return thing
