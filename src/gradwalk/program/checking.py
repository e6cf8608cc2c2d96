"""A new recording against plain Python: both must give the same numbers.

A recorded value calls itself a float, but `type(x)` in code that is not rewritten sees that it is
none, and may take another path. So the function also runs once on the numbers themselves. The
recording has carried its own numbers, by the same operations in the same order: they are equal, or
the function runs plainly from then on. Start reading at `difference`, then at `is_quiet`.

What a recording changed outside is put back before, and what the plain run changes there stays, so
that each effect is had once and is Python's own. `is_quiet` knows what else is safe to run twice. A
function that prints, reads a clock, draws or captures Values is not checked.
"""

# What a function uses may be of any type.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import builtins
import collections
import dis
import functools
import math
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

from gradwalk.engine import Value, modes
from gradwalk.errors import RecordingError
from gradwalk.ops import Op

__all__ = ["difference", "is_of_floats", "is_plain", "is_quiet", "numbers_of", "plainly"]

_Result = TypeVar("_Result")

_TOLERANCE = 1e-9
_CACHE: Any = type(functools.cache(id))

_MODULES = {
    "math",
    "cmath",
    "operator",
    "itertools",
    "functools",
    "statistics",
    "numpy",
    "gradwalk",
}
_TYPES = {
    *[float, int, bool, complex, str, list, tuple, dict, set, frozenset, range, zip, enumerate],
    *[map, filter, reversed, slice, object, type, super, property, staticmethod, classmethod],
}
_BUILTINS = {
    *["abs", "all", "any", "callable", "divmod", "getattr", "hasattr", "isinstance", "issubclass"],
    *[
        "len",
        "max",
        "min",
        "pow",
        "repr",
        "round",
        "sorted",
        "sum",
        "iter",
        "next",
        "hash",
        "setattr",
    ],
}
_SERIES = {list, tuple, set, frozenset, collections.deque}
_TABLES = {dict, collections.Counter, collections.OrderedDict, collections.defaultdict}
_EFFECTS = {"random", "save", "savez", "savetxt", "tofile", "seterr"}  # of numpy
_LIBRARY = {"builtins", "gradwalk", "numpy", *sys.stdlib_module_names} - {"__main__"}


# ── What may run twice ───────────────────────────────────────────────────────────────────────


def is_quiet(function: Any, arguments: Sequence[Any], unseen: bool = False) -> bool:
    """Say whether nobody can tell that a function ran twice on copies of these arguments.

    What it changes outside of itself, `outside` sees and puts back. With `unseen`, it also has code
    that a recording does not rewrite: operators of its classes, Python of the library.
    """
    if _root(function) == "gradwalk":
        return False  # a derivative that is recorded: what it is of was compared
    left, seen = [function, *arguments], set[int]()
    while left:
        one = left.pop()
        if not _is_data(one) and id(one) not in seen:
            seen.add(id(one))
            parts = _parts(one)
            if parts is None:
                return False
            left += parts
            unseen = unseen and _is_seen(one)
    return not unseen


def _is_seen(thing: Any) -> bool:
    """Say whether a recording sees all that this does with recorded values."""
    if isinstance(thing, type):
        return thing in _TYPES or issubclass(thing, Exception)
    kinds = (FunctionType, BuiltinFunctionType, Op, functools.partial)
    if isinstance(thing, ModuleType):
        return thing.__name__ in ("math", "operator", "itertools", "functools", "gradwalk")
    if type(thing) in _SERIES | _TABLES:
        return True
    return isinstance(thing, kinds) and _root(thing) not in ("numpy", "statistics")


def _parts(thing: Any) -> Iterable[Any] | None:
    """Return what a thing leads to that may run; None where running it may be seen."""
    kind = type(thing)
    if kind is FunctionType:
        if _root(thing) in _MODULES:
            return ()
        return _outside(thing) if _is_quiet_code(thing) else None
    if kind in (MethodType, staticmethod, classmethod):
        return thing.__func__, getattr(thing, "__self__", None)
    if kind is property:
        return thing.fget, thing.fset
    if kind is functools.partial:
        return thing.func, *thing.args, *thing.keywords.values()
    if kind is _CACHE:
        return (thing.__wrapped__,)
    if kind in _SERIES:
        return thing
    if kind in _TABLES:
        return *thing, *thing.values(), getattr(thing, "default_factory", None)
    if hasattr(thing, "store") and hasattr(thing, "value_and_grad"):  # compiled
        return (thing.function,)
    if str(getattr(thing, "__module__", "")).startswith("gradwalk.transforms"):
        return None  # a derivative, which plain runs without graphs do not have
    if _is_pure(thing):
        return ()
    names: dict[str, Any] = getattr(thing, "__dict__", {})
    if kind is type and _root(thing) not in _LIBRARY:
        bases: Any = thing.__mro__[:-1]
        every: Any = [one for base in bases for one in base.__dict__.items()]
        return [one for name, one in every if callable(one) or not name.startswith("__")]
    if type(kind) is type and _root(kind) not in _LIBRARY and hasattr(thing, "__dict__"):
        return kind, *names.values()
    return None


def _is_quiet_code(function: FunctionType) -> bool:
    """Say whether the code of one function is quiet, were all that it calls."""
    for name, argument in _instructions(function.__code__):
        if name == "UNARY_INVERT" or argument in _EFFECTS:
            return False  # ~ is `not` for recorded conditions, and -2 for True
        if name == "IMPORT_NAME" and str(argument).partition(".")[0] not in _MODULES:
            return False
    return True


@functools.lru_cache(maxsize=256)
def _instructions(code: CodeType) -> list[tuple[str, Any]]:
    """Return operation and argument of each instruction, those of inner functions among them."""
    found = [(one.opname, one.argval) for one in dis.get_instructions(code)]
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found + [one for code in inner for one in _instructions(code)]


def _outside(function: FunctionType) -> Iterator[Any]:
    """Yield what a function finds under names that are not its own."""
    known: dict[str, Any] = function.__globals__
    found = _instructions(function.__code__)
    for name in {argument for name, argument in found if name in ("LOAD_GLOBAL", "LOAD_NAME")}:
        if name in known:
            yield known[name]
        elif hasattr(builtins, name):
            yield getattr(builtins, name)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing in it yet
            continue
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()


def _root(thing: Any) -> str:
    """Return the package that a function or a class is from; a doctest's has none."""
    return str(getattr(thing, "__module__", None) or "").partition(".")[0]


def _is_pure(thing: Any) -> bool:
    if isinstance(thing, ModuleType):
        return thing.__name__.partition(".")[0] in _MODULES
    module = _root(thing)
    if isinstance(thing, type):
        plain = is_dataclass(thing) and not hasattr(thing, "__post_init__")
        return thing in _TYPES or plain or issubclass(thing, Exception) or module in _MODULES
    if isinstance(thing, BuiltinFunctionType):
        return module in _MODULES or (module == "builtins" and thing.__name__ in _BUILTINS)
    return isinstance(thing, Op) or type(thing).__name__ == "ufunc"


def _is_data(thing: Any) -> bool:
    """Say whether a thing is made of numbers and texts alone."""
    if thing is None or isinstance(thing, int | float | complex | str | bytes):
        return True
    if isinstance(thing, list | tuple | set | frozenset):
        return all(map(_is_data, thing))
    if isinstance(thing, dict):
        return all(map(_is_data, thing)) and all(map(_is_data, thing.values()))
    return not getattr(getattr(thing, "dtype", None), "hasobject", True)


def is_of_floats(thing: Any) -> bool:
    """Say whether all numbers in an argument are floats, and none of them an int or a bool."""
    if isinstance(thing, list | tuple):
        return all(map(is_of_floats, thing))
    if isinstance(thing, dict):
        return all(map(is_of_floats, thing.values()))
    if hasattr(thing, "dtype"):
        return thing.dtype.kind == "f"
    return is_of_floats(vars(thing)) if hasattr(thing, "__dict__") else not isinstance(thing, int)


# ── The comparison ───────────────────────────────────────────────────────────────────────────


def difference(
    name: str,
    function: Callable[..., Any],
    plain: Sequence[float] | None,
    found: Sequence[float],
) -> RecordingError | None:
    """Return the refusal of a recording with the numbers `found`, if plain Python gives others."""
    if plain is None or len(plain) != len(found):
        return None
    for expected, number in zip(plain, found, strict=True):
        if not _is_close(expected, number):
            code: CodeType | None = getattr(function, "__code__", None)
            place = (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)
            refused = RecordingError(
                f"{place[0]}:{place[1]}: {name} gives {expected!r} in plain Python and {number!r} "
                "as recorded: code that gradwalk cannot see asks for the type of a number",
                place,
            )
            refused.runs_plainly = True
            return refused
    return None


def _is_close(x: float, y: float) -> bool:
    same = x == y or (math.isnan(x) and math.isnan(y))
    return same or math.isclose(x, y, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


_here = threading.local()


def is_plain() -> bool:
    """Say whether a check runs in this thread: compiled functions then run as plain Python."""
    return getattr(_here, "plain", False)


def plainly(function: Callable[[], _Result]) -> _Result:
    """Call a function; compiled functions that it calls run as plain Python."""
    before = is_plain()

    def quietly() -> _Result:
        with modes.no_grad():  # sum([0.5]) is a Value: no news
            return function()

    return modes.enclosed(
        lambda: setattr(_here, "plain", True),
        lambda: modes.recording(None, quietly),
        lambda: setattr(_here, "plain", before),
    )


def numbers_of(
    function: Callable[..., Any], arguments: Callable[[], tuple[Sequence[Any], dict[str, Any]]]
) -> Sequence[float] | None:
    """Return the numbers that the function itself gives; None where it raises."""
    try:
        positional, named = arguments()
        return list(_numbers_in(plainly(lambda: function(*positional, **named))))
    except Exception:
        return None


def _numbers_in(result: Any) -> Iterator[float]:
    """Yield the numbers of a result in order."""
    if isinstance(result, int | float):
        yield float(result)
    elif isinstance(result, list | tuple):
        for one in result:
            yield from _numbers_in(one)
    elif isinstance(result, dict):
        for one in result.values():
            yield from _numbers_in(one)
    elif isinstance(result, Value):
        yield result.data
    elif hasattr(result, "dtype"):
        yield from map(float, result.ravel())
    else:
        raise TypeError
