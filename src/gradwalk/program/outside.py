"""What a function reads and changes outside of itself.

    Outside     the state outside of a function: what it was, whether it changed, and back to it
    Arguments   the same for what stands for arguments

A recording has the plain numbers of globals, closures, defaults and attributes as constants. So
they are looked at again at each call, and where one differs, the function is recorded again. What a
recording itself changes (a global count, `self`, a list that is logged to, a memo) is seen by the
same comparison: such a function runs as Python each time. So does one that reaches something that
nobody can look into: an iterator, a `threading.local`, a table of another package.

What is looked at is read off the code: names, attributes of what they name, the functions among
them. C compares what is usual by identity; what differs there is compared by value here.
"""

# What a function uses may be of any type.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import array
import collections
import copy
import dis
import functools
import io
import operator
import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any

from gradwalk.program import backends

__all__ = ["Arguments", "Outside", "with_numbers"]

_MOST = 65_536  # things that are looked at
_SMALL = 16_384  # entries of a table that is compared at each call
_STANDARD = os.path.dirname(os.__file__) + os.sep
_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), CodeType})
_TABLES = (list, dict, set, collections.deque, bytearray, array.array)
_HEAP_TYPE = 1 << 9
_MISSING: Any = object()
_same: Any = getattr(backends.tape, "same", None)


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


_BY_NAME = frozenset({"getattr", "vars", "__dict__"})  # what these read, no code names
_OF_THINGS = _BY_NAME | {"hasattr", "setattr", "delattr"}  # they may be about new attributes
_ANYTHING = frozenset({"globals", "eval", "exec"})


def _module(thing: Any) -> str:
    return str(getattr(thing, "__module__", None) or getattr(thing, "__name__", ""))


def _root(thing: Any) -> str:
    return _module(thing).partition(".")[0]


def _is_users(thing: Any, package: str = "") -> bool:
    """Say whether a function, class or module is none of the library's, or of this package."""
    if _root(thing) in _LIBRARY:
        return False
    code = getattr(thing, "__code__", None)
    module = sys.modules.get(_module(thing))
    file = code.co_filename if type(code) is CodeType else getattr(module, "__file__", None) or ""
    is_installed = file.startswith((_STANDARD, "<frozen")) or "site-packages" in file
    return not is_installed or _root(thing) == package


_LIBRARY = frozenset({"builtins", "gradwalk", "numpy", "math", *sys.stdlib_module_names}) - {
    "__main__"
}
# Of these only a call gives a number, which the recording sees: see `calls`.
_CALLED = frozenset({"gradwalk", "logging", "random", "numpy"})


class Outside:
    """The state outside of a function, as it is when this is made."""

    def __init__(self, function: Any) -> None:
        self.names: list[tuple[dict[str, Any], str, Any]] = []
        self.parts: list[tuple[Any, str, Any]] = []  # cells and classes, with an attribute
        self.tables: list[tuple[Any, Any]] = []  # lists and dicts, each with its contents
        self.others: list[tuple[Any, Any]] = []  # sets, arrays
        self.large: list[tuple[Any, Any]] = []  # those that are compared around a recording alone
        self.runs = False  # an iterator is among it, and nobody can tell whether it moved
        self.hidden: Any = None  # something that nobody can look into; True for any name at all
        self._package = _root(function)
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._instances: list[dict[str, Any]] = []
        self._classes: list[type] = []
        self._modules: list[ModuleType] = []
        self._attributes: set[str] = set()  # that the functions name
        self._by_name = False  # they may get others, too
        self._new = False  # attributes may come and go
        self._named: set[tuple[int, str]] = set()
        self._visit(function)
        count = -1
        while count < len(self._seen):
            count = len(self._seen)
            for module in list(self._modules):
                self._visit_module(module)
        if self._new:
            self.tables += [(names, dict(names)) for names in self._instances]
        for names in self._instances:  # what they may get
            missing = self._attributes - names.keys()
            self.names += [(names, name, _MISSING) for name in missing]
        for kind in self._classes:
            for name in self._attributes & vars(kind).keys() - {"__dict__"}:
                self.parts.append((kind, name, getattr(kind, name, _MISSING)))

    # ── What there is ────────────────────────────────────────────────────────────────────────

    def _visit(self, thing: Any) -> None:
        kind = type(thing)
        if kind in _PLAIN or id(thing) in self._seen:
            return
        if len(self._seen) >= _MOST:
            self.hidden = self.hidden or thing
            return
        self._seen.add(id(thing))
        self._kept.append(thing)
        if kind is FunctionType:
            self._visit_function(thing)
        elif kind in (MethodType, staticmethod, classmethod):
            self._visit_all((thing.__func__, getattr(thing, "__self__", None)))
        elif kind is property:
            self._visit_all((thing.fget, thing.fset))
        elif kind is functools.partial:
            self._visit_all((thing.func, *thing.args, *thing.keywords.values()))
        elif kind is BuiltinFunctionType:
            self._visit(thing.__self__)
        elif isinstance(thing, type):
            if self._is_users(thing):
                for base in thing.__mro__:
                    if self._is_users(base):
                        self._visit_class(base)
        elif isinstance(thing, _TABLES):
            self._keep(thing)
            self._visit_all(thing.values() if isinstance(thing, dict) else thing)
            if hasattr(thing, "__dict__"):
                self._visit_instance(thing)
        elif isinstance(thing, (tuple, frozenset)):
            self._visit_all(thing)
        elif kind is MappingProxyType:
            self._visit_all(thing.values())
        elif hasattr(thing, "dtype") and hasattr(thing, "tobytes"):
            self._keep(thing)
        elif kind.__module__ == "gradwalk.program.compiled":
            self._visit(thing.function)
        elif hasattr(kind, "__next__"):
            self.runs = self.runs or not _only_takes(thing)
        elif isinstance(thing, ModuleType):
            self._modules.append(thing)
        elif self._is_users(kind) or _root(kind) in _LIBRARY:
            if _root(kind) not in _CALLED:
                self._visit_instance(thing)
        elif hasattr(kind, "__getitem__"):
            self.hidden = self.hidden or thing

    def _is_users(self, thing: Any) -> bool:
        return _is_users(thing, self._package)

    def _visit_all(self, things: Iterable[Any]) -> None:
        for thing in things:
            self._visit(thing)

    def _visit_instance(self, thing: Any) -> None:
        kind: Any = type(thing)
        own: Any = vars(thing) if isinstance(getattr(thing, "__dict__", None), dict) else None
        for base in kind.__mro__[:-1]:
            slots = vars(base).get("__slots__")
            is_seen = (own is not None and base.__flags__ & _HEAP_TYPE) or issubclass(base, _TABLES)
            if slots is None and not is_seen:  # of C
                by_value = kind.__hash__ not in (None, object.__hash__)
                may_be_read = hasattr(kind, "__getitem__") and not by_value
                if may_be_read or _root(base) not in _LIBRARY:
                    self.hidden = self.hidden or thing
            for name in (slots,) if isinstance(slots, str) else slots or ():
                self.parts.append((thing, name, getattr(thing, name, _MISSING)))
                self._visit(self.parts[-1][2])
        if own is not None:
            self._instances.append(own)
            self._visit_names(own, own)
            self._visit(own.get("__wrapped__"))
        if isinstance(thing, (threading.local, memoryview)):
            self.hidden = self.hidden or thing
        self._visit(kind)

    def _keep(self, thing: Any) -> None:
        size = thing.nbytes // 8 if hasattr(thing, "nbytes") else len(thing)
        usual = self.tables if isinstance(thing, (list, dict)) else self.others
        (usual if size <= _SMALL else self.large).append((thing, _contents(thing)))

    def _visit_class(self, kind: type) -> None:
        self._classes.append(kind)
        for name, thing in list(vars(kind).items()):
            if type(thing) in _PLAIN and not name.startswith("__"):
                self.parts.append((kind, name, thing))
            if callable(thing) or not name.startswith(("__", "_abc")):
                self._visit(thing)
        self._visit(type(kind))

    def _visit_function(self, function: FunctionType) -> None:
        held = [_part(cell, "cell_contents") for cell in function.__closure__ or ()]
        if not self._is_users(function):  # made of functions of the user's, as grad(f) is
            self._visit_all(thing for thing in (*held, *vars(function).values())
                            if callable(thing) or type(thing) is MappingProxyType)  # fmt: skip
            return
        names, attributes = _names(function.__code__)
        known = function.__globals__
        self._attributes |= attributes
        self.hidden = self.hidden or not _ANYTHING.isdisjoint(names) or None
        self._by_name = self._by_name or not _BY_NAME.isdisjoint(names | attributes)
        self._new = self._new or not _OF_THINGS.isdisjoint(names | attributes)
        self._visit_names(known, names)
        builtin = getattr(known.get("__builtins__"), "__dict__", ())
        self.names += [(known, name, _MISSING) for name in names - known.keys() - set(builtin)]
        for cell, thing in zip(function.__closure__ or (), held, strict=True):
            self.parts.append((cell, "cell_contents", thing))
            self._visit(thing)
        for name in ("__code__", "__defaults__"):
            self.parts.append((function, name, getattr(function, name)))
        self._instances.append(vars(function))
        self._visit_names(vars(function), vars(function))
        self._visit(function.__defaults__)
        self._visit(function.__kwdefaults__)

    def _visit_names(self, names: dict[str, Any], which: Iterable[str]) -> None:
        for name in list(which):
            if name in names and not name.startswith("__"):
                self.names.append((names, name, names[name]))
                self._visit(names[name])

    def _visit_module(self, module: ModuleType) -> None:
        """Visit what the code names of a module; of the library's, its tables alone."""
        names = vars(module)
        if self._is_users(module):
            which = names if self._by_name else self._attributes & names.keys()
            self._visit_names(names, [x for x in which if (id(names), x) not in self._named])
            self._named |= {(id(names), name) for name in which}
            return
        for name in self._attributes & names.keys():
            if not callable(names[name]):
                self._visit(names[name])

    # ── What changed ─────────────────────────────────────────────────────────────────────────

    def is_same(self) -> bool:
        """Say whether what a recording has as constants is as it was; asked at each call."""
        if _same is None or not _same(self.names, self.parts, self.tables, _MISSING):
            for names, name, thing in self.names:
                found = names.get(name, _MISSING)
                if found is not thing and not _equal(found, thing):
                    return False
            for holder, name, thing in self.parts:
                found = _part(holder, name)
                if found is not thing and not _equal(found, thing):
                    return False
            if not all(_has(thing, parts) for thing, parts in self.tables):
                return False
        return all(_has(thing, parts) for thing, parts in self.others) if self.others else True

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
            if _part(holder, name) is thing:
                continue
            if thing is _MISSING:
                delattr(holder, name)
            else:
                setattr(holder, name, thing)
        for thing, parts in (*self.tables, *self.others, *self.large):
            if not _has(thing, parts):
                _put(thing, parts)

    def put_numbers(self, number: Callable[[Any], Any]) -> None:
        """Put numbers in the place of recorded values, wherever the recording left some."""
        for names, name, thing in self.names:
            if names.get(name, thing) is not thing:
                names[name] = with_numbers(names[name], number)
        for holder, name, thing in self.parts:
            found = _part(holder, name)
            if found is not thing:
                setattr(holder, name, with_numbers(found, number))
        for thing, parts in (*self.tables, *self.others, *self.large):
            if not _has(thing, parts):
                with_numbers(thing, number)


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

    def restore(self) -> None:
        """Put back what was written into arguments that stand for themselves."""
        for thing, made, parts in self._pairs:
            if thing is made and not _has(made, parts):
                _put(made, parts)

    def put_back(self, number: Callable[[Any], Any]) -> None:
        """Do to the arguments what was done to what stands for them."""

        def found(thing: Any) -> Any:
            return self._things.get(id(thing), thing) if type(thing) not in _PLAIN else thing

        for thing, made, parts in self._pairs:
            if not _has(made, parts):
                _put(thing, with_numbers(_contents(made), lambda one: number(found(one))))


def with_numbers(thing: Any, number: Callable[[Any], Any]) -> Any:
    """Return a thing with numbers in the place of recorded values, in place in what it holds."""
    waiting: list[Any] = []
    seen: set[int] = set()

    def one(thing: Any) -> Any:
        other = number(thing)
        if other is not thing or type(thing) in _PLAIN:
            return other
        if isinstance(thing, tuple):
            parts = [one(part) for part in thing]
            if all(map(operator.is_, parts, thing)):
                return thing
            return type(thing)(*parts) if hasattr(thing, "_fields") else type(thing)(parts)
        if id(thing) not in seen:
            seen.add(id(thing))
            waiting.append(thing)
        return thing

    result = one(thing)
    while waiting:
        held = waiting.pop()
        if isinstance(held, dict):
            pairs = [part for pair in held.items() for part in pair]
            made = [one(part) for part in pairs]
            if not all(map(operator.is_, made, pairs)):
                _put(held, zip(made[::2], made[1::2], strict=True))
        elif isinstance(held, (list, set, collections.deque)):
            parts = list(held)
            made = [one(part) for part in parts]
            if not all(map(operator.is_, made, parts)):
                _put(held, made)
        elif getattr(getattr(held, "dtype", None), "hasobject", False) is True:
            held.reshape(-1)[:] = [one(part) for part in held.flat]
        elif isinstance(getattr(held, "__dict__", None), dict) and _is_users(type(held)):
            waiting.append(vars(held))
    return result


def _part(holder: Any, name: str) -> Any:
    try:
        return getattr(holder, name, _MISSING)
    except ValueError:  # nothing in a cell yet
        return _MISSING


def _only_takes(thing: Any) -> bool:
    """Say whether an iterator is a file that is only written to."""
    return isinstance(thing, io.IOBase) and thing.writable() and not thing.readable()


def _contents(thing: Any) -> Any:
    if hasattr(thing, "tobytes"):
        return copy.copy(thing)
    return dict(thing) if isinstance(thing, dict) else list(thing)


def _has(thing: Any, parts: Any) -> bool:
    """Say whether a table has these contents: the same things, or equal plain ones."""
    if hasattr(thing, "tobytes"):
        if getattr(thing, "shape", None) != getattr(parts, "shape", None):
            return False
        if not getattr(getattr(thing, "dtype", None), "hasobject", False):
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
    elif hasattr(thing, "tobytes"):
        thing[:] = parts
    else:
        thing.clear()
        thing.update(parts) if isinstance(thing, (dict, set)) else thing.extend(parts)
    return thing
