"""What a call does while a function is recorded. Nothing is patched: a rewritten call site asks.

    reach     what is done about a callee: it is left alone, run by its rewritten code, or replaced
    MATH      the recorded forms of `math`'s functions; builtins, random and numpy are further down
    made      an instance of a class, whose `__init__` is followed

A callee that has a recorded form is replaced by address (`tape.replace`), however it was reached:
by name, by attribute, out of a dict, through a partial. It decides by its operands: recorded values
are recorded, plain numbers go to the original.

Functions, methods, properties, classes and callable objects of the user's are followed: they run by
their own rewritten code. Python's library and installed packages are not, except for the package
that the recorded function itself is from.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import bisect
import builtins
import dis
import functools
import itertools
import math
import operator
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from gradwalk import ops
from gradwalk.engine import Value, fori, modes
from gradwalk.program import backends, checking
from gradwalk.program.ir import CODE, RAISE
from gradwalk.program.outside import Outside
from gradwalk.program.recording import branches, forms, proof
from gradwalk.program.recording.rewrite import AS_IT_IS, ATTRIBUTE, CALL, rewritten
from gradwalk.program.recording.syntax import constant

__all__ = ["MATH", "STANDARD", "UFUNCS", "is_followed", "learn_modules", "made", "reach"]

if TYPE_CHECKING:
    from gradwalk.program import trace as appending
else:
    appending = backends.tape

Traced: Any = appending.Traced

_CALLED = {  # by rewritten code
    CALL: appending.call,
    ATTRIBUTE: appending.attribute,
    **{constant(name): thing for name, thing in branches.CALLED.items()},
}

STANDARD = os.path.dirname(os.__file__) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_FOLLOWED = tuple([f"gradwalk.{name}" for name in ("gpt", "nn", "bench", "points", "practice")])


# ── What is followed ─────────────────────────────────────────────────────────────────────────


def is_followed(tape: Any, function: FunctionType) -> bool:
    """Say whether a function is the user's, so that the calls in it are to be seen."""
    module, file = function.__globals__.get("__name__", ""), function.__code__.co_filename
    if isinstance(module, str) and module.partition(".")[0] == "gradwalk":
        return module.startswith(_FOLLOWED)
    if any(part in file for part in _INSTALLED):
        return isinstance(module, str) and module.partition(".")[0] == tape.package
    return not file.startswith((STANDARD, "<frozen"))


def reach(tape: Any, callee: Any) -> Any:
    """Return what is done about a callee; `call` asks once for each kind of it.

    None: nothing. For a function: code to run in its place, or what makes the function to run. For
    anything else: what is called with the callee and its arguments.
    """
    if isinstance(callee, FunctionType):
        return _of_function(tape, callee)
    if isinstance(callee, type):
        return _of_class(tape, callee)
    owner = getattr(callee, "__self__", None)
    if owner is not None and _is_generator(owner):
        return _drawn
    if type(owner) is list:
        return _of_list
    if type(callee).__name__ == "ufunc" and type(callee).__module__ == "numpy":
        return _ufunc
    if type(owner).__name__ == "ndarray" and type(owner).__module__ == "numpy":
        return _array_method
    if type(callee) is functools.partial:
        return _partial
    if hasattr(callee, "registry") and callable(getattr(callee, "dispatch", None)):
        return _dispatched
    if hasattr(callee, "cache_info") and callable(getattr(callee, "__wrapped__", None)):
        return _cached
    if type(callee).__name__ == "vectorize" and hasattr(callee, "pyfunc"):
        return _vectorized
    method = getattr(type(callee), "__call__", None)  # noqa: B004  (whose function is it?)
    if type(method) is FunctionType and is_followed(tape, method):
        return _called
    if isinstance(owner, type):
        return _read_of_class if owner.__module__ == "datetime" else None
    return None if _is_steady(type(callee) if owner is None else type(owner)) else _read_anew


def _of_function(tape: Any, function: FunctionType) -> Any:
    other = appending.replacement(function)
    if other is not None:
        return lambda _: other
    if function.__globals__.get("__name__") == "random":
        return _drawing
    if not is_followed(tape, function):
        return None if _is_steady(function) else _each_time
    code = rewritten(function.__code__, function.__globals__, _CALLED, not tape.once)
    if code is AS_IT_IS:
        return None
    return code if isinstance(code, CodeType) else functools.partial(_over_other_globals, tape)


def _of_class(tape: Any, kind: type) -> Any:
    if issubclass(kind, random.Random):
        return _seeded
    if type(kind).__call__ is not type.__call__ or kind.__new__ is not object.__new__:
        return None
    init: Any = kind.__init__
    if type(init) is not FunctionType or not is_followed(tape, init):
        return None
    if is_dataclass(kind) and init.__code__.co_filename == "<string>":
        after = getattr(kind, "__post_init__", None)
        has_one = type(after) is FunctionType and is_followed(tape, after)
        return made if has_one and hasattr(object.__new__(kind), "__dict__") else None
    return made


def made(kind: Any, /, *args: Any, **named: Any) -> Any:
    """Return a new instance of a class, as the class makes it when called."""
    new = object.__new__(kind)
    if kind.__init__.__code__.co_filename != "<string>":
        appending.call(MethodType(kind.__init__, new), *args, **named)
        return new
    # What dataclasses write has no source, and calls __post_init__, which has. An attribute of the
    # instance goes before a method of the class, so that this one is called here instead.
    given: list[Any] = []
    new.__dict__["__post_init__"] = lambda *given_: given.extend(given_)
    try:
        kind.__init__(new, *args, **named)
    finally:
        del new.__dict__["__post_init__"]
    appending.call(MethodType(kind.__post_init__, new), *given)
    return new


def _of_list(callee: Any, /, *args: Any, **named: Any) -> Any:
    """list.sort, which has a form of recorded values."""
    if args:
        return callee(*args, **named)
    things = callee.__self__
    things[:] = _sorted(things, **named)
    return None


def _called(callee: Any, /, *args: Any, **named: Any) -> Any:
    return appending.call(MethodType(type(callee).__call__, callee), *args, **named)


def _partial(callee: Any, /, *args: Any, **named: Any) -> Any:
    return appending.call(callee.func, *callee.args, *args, **{**callee.keywords, **named})


def _dispatched(callee: Any, /, *args: Any, **named: Any) -> Any:
    """A function of functools.singledispatch."""
    return appending.call(callee.dispatch(branches.kind_of(args[0])), *args, **named)


def _cached(callee: Any, /, *args: Any, **named: Any) -> Any:
    """Call what is cached, without its cache, where nobody can tell that it ran twice.

    A recorded value as a key would be met again in another recording; whole numbers are plain keys.
    """
    if not any(map(_is_recorded, (*args, *named.values()))):
        return callee(*args, **named)
    tape: Any = modes.recorder()
    if type(callee) is MethodType or not checking.is_quiet(callee.__wrapped__, args):
        keys = {name: _key(tape, x) for name, x in named.items()}
        return callee(*[_key(tape, x) for x in args], **keys)
    outside = tape.caches.setdefault(callee, Outside(callee.__wrapped__))
    result = appending.call(callee.__wrapped__, *args, **named)
    if not outside.is_same() or not _is_constant(result):  # the same list again
        raise tape.refuse("a cache")
    return result


def _is_constant(thing: Any) -> bool:
    if type(thing) is tuple:
        return all(map(_is_constant, thing))
    return thing is None or type(thing) is str or branches.is_number(thing)


def _key(tape: Any, x: Any) -> Any:
    if not _is_recorded(x):
        return x
    if branches.kind_of(x) is int:
        return tape.whole(x)
    raise tape.refuse("a cache")


def _vectorized(callee: Any, /, *args: Any, **named: Any) -> Any:
    if not any(map(_holds, args)):
        return callee(*args, **named)
    import numpy as np

    count = len(args)
    function = functools.partial(appending.call, callee.pyfunc, **named)
    return np.frompyfunc(function, count, 1)(*map(_boxed, args))


# ── Functions without source ─────────────────────────────────────────────────────────────────


def _over_other_globals(tape: Any, function: FunctionType) -> Callable[..., Any]:
    """Return a copy of a function that finds recorded forms under the names it looks up."""
    names = tape.globals_over(function.__globals__, Overlay)
    closure = function.__closure__
    if closure is not None:
        closure = tuple([_cell(names, cell) for cell in closure])
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__ = function.__kwdefaults__
    return tape.in_a_try(copy) if _catches(function.__code__) else copy


@functools.cache
def _catches(code: CodeType) -> bool:
    """Say whether there is a `try` or a `with` in it."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    handles = any(step.opname == "PUSH_EXC_INFO" for step in dis.get_instructions(code))
    return handles or any(map(_catches, inner))


def _cell(names: Overlay, cell: CellType) -> CellType:
    try:
        thing = cell.cell_contents
    except ValueError:  # nothing in it yet
        return cell
    other = names.recorded(thing)
    return cell if other is thing else CellType(other)


class Overlay(dict[str, Any]):
    """The globals of a function without source, with recorded forms among them.

    Python asks `__getitem__` for a name and writes past it: `flush` hands on what was written.
    """

    def __init__(self, tape: Any, below: dict[str, Any]) -> None:
        super().__init__(below)
        self.setdefault("__builtins__", builtins)
        self._tape = tape
        self._below = below
        self._before = dict(self)

    def __getitem__(self, name: str) -> Any:
        mine = dict.get(self, name, self)
        if mine is not self and mine is not self._before.get(name, self):
            return mine  # written by the function itself
        if name in self._below:
            return self.recorded(self._below[name])
        if not hasattr(builtins, name):
            raise KeyError(name)
        return self.recorded(getattr(builtins, name))

    def recorded(self, thing: Any) -> Any:
        """Return what stands for something that a function without source can reach."""
        if thing is math:
            return _MATH_MODULE
        other = appending.replacement(thing)
        if other is not None and not isinstance(thing, type):
            return other
        if type(thing) is FunctionType and reach(self._tape, thing) is not None:
            return functools.partial(appending.call, thing)
        return thing

    def flush(self) -> None:
        for name, thing in list(self.items()):
            if thing is not self._before.get(name, self):
                self._below[name] = thing
        for name in self._before:
            if name not in self and name != "__builtins__":
                self._below.pop(name, None)


# ── What is pure ─────────────────────────────────────────────────────────────────────────────

_PURE = {abs, min, max, float, int, round, len, sum, pow, divmod, range, zip, enumerate, reversed}


def is_pure(tape: Any, callee: Any) -> bool:
    """Say whether a region that is merged may call this: see `proof`."""
    if isinstance(callee, ops.Op) or any(callee is one for one in _PURE):
        return True
    if any(callee is one for one in _PURE_MATH):
        return True
    if not isinstance(callee, FunctionType) or not is_followed(tape, callee):
        return False
    known = tape.pure.get(callee)
    if known is None:
        tape.pure[callee] = False  # while it is looked at: a recursion is not merged
        rewritten(callee.__code__, callee.__globals__, _CALLED)
        facts = proof.FACTS.get(callee.__code__)
        known = facts is not None and proof.holds_of_function(callee, facts, tape.asked)
        tape.pure[callee] = known
    return known


# ── Operands ─────────────────────────────────────────────────────────────────────────────────


def _is_recorded(thing: Any) -> bool:
    return type(thing) is Traced or isinstance(thing, Value)


def _holds(thing: Any) -> bool:
    """Say whether a recorded value is in it: a number, a list of numbers, an array."""
    if isinstance(thing, (list, tuple)):
        return any(map(_holds, thing))
    if hasattr(thing, "flat") and thing.dtype.hasobject:
        return any(map(_is_recorded, thing.flat))
    return _is_recorded(thing)


def _recording(
    original: Callable[..., Any],
    form: Callable[..., Any],
    over_lists: bool = True,
) -> Callable[..., Any]:
    """Return a function that records recorded values by `form`, and else calls the original.

    Its operands are numbers or, with `over_lists`, also lists and arrays of numbers.
    """
    holds = _holds if over_lists else _is_recorded

    @functools.wraps(original, updated=())
    def function(*operands: Any, **named: Any) -> Any:
        tape: Any = modes.recorder()
        if tape is None:
            return original(*operands, **named)
        if over_lists:  # what can be read once only is read here
            operands = tuple([_read(x) for x in operands])
        if not any(map(holds, (*operands, *named.values()))):
            return original(*operands, **named)
        begin = tape.count
        result = (form if form is _log else tape.quiet(form))(*operands, **named)
        tape.settle(begin)
        if tape.watched and original in _RAISING:
            tape.compute(_RAISING[original], operands[0] if over_lists else operands, result)
        if original is math.fsum and tape.spans is not None:  # Python's errors are wanted
            failed = ~(ops.abs_(result) < math.inf)
            branches.guard(tape, failed, RAISE, tape.place(), ArithmeticError)
        return branches.compared(result)

    return function


# Of functions of math that are no row of the table, those that raise on floats.
_RAISING: dict[Callable[..., Any], Callable[..., float]] = {
    math.pow: math.pow,
    math.fmod: math.fmod,
    math.fsum: lambda *x: math.fsum(x),
}


def _read(thing: Any) -> Any:
    """Return the list of what an iterator gives."""
    return list(thing) if hasattr(thing, "__iter__") and not hasattr(thing, "__len__") else thing


def _by_tape(name: str) -> Callable[..., Any]:
    def call(*lists: Any) -> Any:
        by = modes.recorder()
        assert by is not None
        return by.nary(name, *lists)

    return call


# ── math ─────────────────────────────────────────────────────────────────────────────────────


def _product(x: Iterable[Any], *, start: Any = 1) -> Any:
    for value in x:
        start = start * value
    return start


def _is_minus(x: Any) -> Any:
    """Whether a number has a minus, as -0.0 has."""
    return (x < 0.0) | ((x == 0.0) & (1.0 / x < 0.0))


def _copysign(x: Any, y: Any) -> Any:
    size = ops.abs_(x)
    if not _is_recorded(y):
        return -size if math.copysign(1.0, y) < 0.0 else size
    return ops.where(_is_minus(y), -size, size)


def _truncated(x: Any) -> Any:
    return ops.where(x < 0.0, -ops.floor(-x), ops.floor(x))


def _modf(x: Any) -> tuple[Any, Any]:
    whole = _truncated(x)
    rest = ops.where(ops.abs_(x) == math.inf, 0.0, x - whole)
    return _copysign(rest, x), whole


def _fmod(x: Any, y: Any) -> Any:
    """C's remainder, which has the sign of x; % has that of y."""
    size = ops.abs_(y)
    return _copysign(ops.BY_NAME["mod"](ops.abs_(x), size), x)


def _is_close(a: Any, b: Any, *, rel_tol: float = 1e-9, abs_tol: float = 0.0) -> Any:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    apart = ops.abs_(a - b)
    near = (apart <= rel_tol * ops.abs_(b)) | (apart <= rel_tol * ops.abs_(a)) | (apart <= abs_tol)
    finite = (ops.abs_(a) < math.inf) & (ops.abs_(b) < math.inf)
    return (a == b) | (near & finite)


def _log(x: Any, base: Any = None) -> Any:
    """math.log, where each step raises what Python's raises."""
    return _natural(x) if base is None else _natural(x) / _natural(base)


_natural = appending.function(CODE["log"], ops.log)

MATH: dict[str, Callable[..., Any]] = {
    "copysign": _copysign,
    **{op.name: op for op in ops.TABLE if op.is_function and hasattr(math, op.name)},
    "pow": ops.pow_,
    "fabs": ops.abs_,
    "log": _log,
    "modf": _modf,
    "fmod": _fmod,
    "dist": forms.distance,
    "isclose": _is_close,
    "isnan": lambda x: x != x,
    "isinf": lambda x: ops.abs_(x) == math.inf,
    "isfinite": lambda x: ops.abs_(x) < math.inf,
    "hypot": forms.hypot,
    "prod": _product,
    "fsum": forms.exact_sum,
    "sumprod": _by_tape("dot"),
    "degrees": lambda x: x * (180.0 / math.pi),
    "radians": lambda x: x * (math.pi / 180.0),
}
_UNARY = {op.name for op in ops.TABLE if op.arity == 1} - {"log"}  # log may have a base
_MATH_MODULE = ModuleType("math", math.__doc__)  # for functions without source
_MATH_MODULE.__dict__.update(math.__dict__)

for _name, _form in MATH.items():
    _original = getattr(math, _name, None)
    if _original is not None:
        _over_lists = _name in ("prod", "fsum", "sumprod", "dist")
        _made = _recording(_original, _form, _over_lists)
        if _name in _UNARY:
            _made = appending.function(CODE[_name], _made)
        appending.replace(_original, _made)
        setattr(_MATH_MODULE, _name, _made)


_PURE_MATH = [
    getattr(math, name) for name in MATH if hasattr(math, name) and name not in ("prod", "fsum")
]

# ── Builtins, and what takes a function ──────────────────────────────────────────────────────


def _extreme(original: Any, is_better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return max or min: like Python's, the first of equals, and a nan only where it came first.

    Of numbers it is a selection; of anything else Python's own, which follows its comparisons.
    """

    def extreme(*operands: Any, key: Any = None, **default: Any) -> Any:
        calling = key if key is None else _calling(key)
        tape: Any = modes.recorder()
        if tape is None or tape.once or not operands:
            return original(*operands, key=tape and calling, **default)
        items = list(operands[0]) if len(operands) == 1 else list(operands)
        scores = items if key is None else [appending.call(key, item) for item in items]
        numbers = all(map(branches.is_number, items)) and all(map(branches.is_number, scores))
        if not numbers or not any(map(_is_recorded, scores)) or branches.INTEGERS in tape.unmerged:
            pairs = dict(enumerate(scores))
            if key is None or not items:
                return original(items, key=calling, **default)
            return items[original(pairs, key=pairs.__getitem__)]
        begin = tape.count
        best, score = items[0], scores[0]
        for item, mine in zip(items[1:], scores[1:], strict=True):
            chosen: Any = is_better(mine, score)
            if _is_recorded(chosen):
                best = branches.select(chosen, item, best)
                score = best if key is None else branches.select(chosen, mine, score)
            elif chosen:
                best, score = item, mine
        tape.settle(begin)
        return best

    return extreme


def _print(*things: Any, file: Any = None, **named: Any) -> None:
    """The builtin. It prints while a function is recorded, numbers as they are then.

    What is printed into a file of the function's own is text that it may read again.
    """
    tape: Any = modes.recorder()
    if tape is not None and file is None and sys.stdout is tape.stdout:
        things = tuple([tape.plain(thing) for thing in things])
    print(*things, file=file, **named)


_MOST_SORTED = 32


def _sorted(items: Any, /, *, key: Any = None, reverse: bool = False) -> list[Any]:
    """The builtin; of some recorded numbers it is a network of comparisons, if none is nan."""
    tape: Any = modes.recorder()
    if tape is None or tape.once:
        return sorted(items, key=tape and _calling(key), reverse=reverse)
    things = list(items)
    keys = things if key is None else [appending.call(key, thing) for thing in things]
    recorded = [one for one in keys if _is_recorded(one)]
    merges = (
        bool(recorded)
        and branches.INTEGERS not in tape.unmerged
        and len(things) <= _MOST_SORTED
        and all(map(branches.is_number, keys))
        and (all(map(branches.is_number, things)) or _are_ours(things, type(items) is zip))
    )
    if merges:
        apart: Any = False
        for one in recorded:
            apart = branches.or_(apart, one != one)
        merges = not tape.observe(apart) if type(apart) is Traced else not apart
    if not merges:
        order = sorted(range(len(things)), key=keys.__getitem__, reverse=reverse)
        return [things[k] for k in order]
    begin = tape.count
    made = forms.sorted_by(keys, things, reverse)
    tape.settle(begin)
    return made


def _value(x: Any, /, *more: Any, **named: Any) -> Any:
    if type(x) is Traced:
        raise x._tape.refuse("Value()")
    return Value(x, *more, **named)


def _are_ours(things: list[Any], is_zip: bool) -> bool:
    """Say whether things are rows of numbers that nobody else refers to, as zip gives them.

    A selected row is another one, which only `is` could tell.
    """
    if {type(one) for one in things} != {tuple} or len({*map(len, things)}) > 1:
        return False
    first, *rest = map(sys.getrefcount, things)  # a zip keeps its first tuple, to use it again
    counts = max([first - is_zip, *rest])
    return counts <= _ONE and all(all(map(branches.is_number, one)) for one in things)


[_ONE] = map(sys.getrefcount, [(object(),)])  # how it counts what is in a list alone


def _float(x: Any = 0.0, /) -> Any:
    """A recorded value is a float already. A Value's number would be fixed for good: it refuses."""
    return x if type(x) is Traced else float(x)


def _to_whole(original: Any, form: Any) -> Callable[..., Any]:
    """Return int, round, floor, ceil or trunc: a recorded number, or Python's own int.

    It is Python's where a double may not hold it, or where the recording needs kinds of numbers.
    """

    def function(x: Any, *digits: Any) -> Any:
        tape: Any = modes.recorder()
        x = tape.lift(x)
        if any(one is not None for one in digits):
            return x.__round__(*digits)
        if tape.is_condition(x):
            made = x + 0.0
            tape.integers.add(made._id)
            return made
        if not tape.sides:
            if not math.isfinite(tape.number(x._id)):
                tape.settle_size(x)
            found = original(tape.number(x._id))  # nan and inf have none
            if branches.INTEGERS in tape.unmerged or abs(found) >= branches.LARGE:
                return tape.whole(form(x))
            failed: Any = ~(ops.abs_(x) < branches.LARGE)
            tape.leave(failed)
        made = form(x) + 0.0
        tape.integers.add(made._id)
        return made

    return _recording(original, function)


def _isinstance(thing: Any, kinds: Any, /) -> bool:
    """Answer for a recorded value what Python answers for the number that it stands for."""
    if type(thing) is not Traced:
        return isinstance(thing, kinds)
    answers = [isinstance(one, kinds) for one in (0.0, 0, True)]
    return answers[0] if len(set(answers)) == 1 else issubclass(branches.kind_of(thing), kinds)


def _type(thing: Any, /, *more: Any, **named: Any) -> Any:
    if type(thing) is Traced and not more:
        return branches.kind_of(thing)
    return _make(thing, *more, **named)


_make: Any = type


def _of_numbers(original: Any, form: Any) -> Callable[..., Any]:
    """Return any or all: of a list of numbers it is recorded; else it is Python's own."""

    def function(things: Any, /) -> Any:
        of_numbers = type(things) in (list, tuple) and all(map(branches.is_number, things))
        if modes.recorder() is None or not of_numbers or not any(map(_is_recorded, things)):
            return original(things)
        return form(things)

    return function


def _searching(original: Any, form: Any) -> Callable[..., Any]:
    """Return a bisection: of a recorded number in a list of plain ones it is recorded."""

    def function(a: Any, x: Any, *ends: Any, key: Any = None, **named: Any) -> Any:
        plain = type(a) in (list, tuple) and all(type(one) in (int, float) for one in a)
        keeps = type(x) is Traced and branches.INTEGERS not in x._tape.unmerged
        if keeps and a and plain and not ends and not named and key is None:
            begin = x._tape.count
            found = form(a, x)
            x._tape.settle(begin)
            x._tape.integers.add(found._id)
            return found
        return original(a, x, *ends, key=key and _calling(key), **named)

    return function


def _with_functions(original: Any) -> Callable[..., Any]:
    """Return a function whose arguments are called by it, as the recording wants them called."""

    @functools.wraps(original, updated=())
    def function(*operands: Any, **named: Any) -> Any:
        return original(*map(_calling, operands), **{k: _calling(x) for k, x in named.items()})

    return function


def _calling(thing: Any) -> Any:
    if type(thing) in (FunctionType, MethodType) or appending.replacement(thing) is not None:
        return functools.partial(appending.call, thing)
    return thing


def _each_time(original: Any) -> Callable[..., Any]:
    """Return a function whose answer is another one each time: so is the recording."""

    @functools.wraps(original, updated=())
    def function(*operands: Any, **named: Any) -> Any:
        tape: Any = modes.recorder()
        if tape is not None:
            tape.pinned = tape.pinned or tape.place()
        return original(*operands, **named)

    return function


def _read_anew(callee: Any, /, *args: Any, **named: Any) -> Any:
    return _each_time(callee)(*args, **named)


def _read_of_class(callee: Any, /, *args: Any, **named: Any) -> Any:
    """A method of a class of dates: those that read the clock."""
    reads = callee.__name__ in ("now", "today", "utcnow")
    return (_each_time(callee) if reads else callee)(*args, **named)


def _is_steady(thing: Any) -> bool:
    """Say whether what is called gives the same again, as all does but the library's doors."""
    module = str(getattr(thing, "__module__", None)).partition(".")[0]
    return module.strip("_") in _STEADY or module not in sys.stdlib_module_names


_NAMES = """
    abc array ast base64 binascii bisect builtins calendar cmath codecs collections colorsys
    contextlib copy copyreg csv dataclasses datetime decimal difflib enum fractions functools
    graphlib hashlib heapq html inspect itertools json keyword logging math numbers operator pprint
    pydecimal random re reprlib statistics string struct sre textwrap traceback types typing
    unicodedata warnings zlib
"""
_STEADY = frozenset(_NAMES.split())

for _original in (input, open, *vars(time).values(), *vars(sys.modules[os.name]).values()):
    if type(_original) is BuiltinFunctionType:
        appending.replace(_original, _each_time(_original))
appending.replace(sum, appending.sum)
appending.replace(print, _print)
appending.replace(max, _extreme(max, lambda x, y: forms.less(y, x)))
appending.replace(min, _extreme(min, forms.less))
for _original, _is_left in ((bisect.bisect_left, True), (bisect.bisect_right, False)):
    _form = functools.partial(forms.bisected, is_left=_is_left)
    appending.replace(_original, _searching(_original, _form))
appending.replace(float, _float)
appending.replace(Value, _value)
appending.replace(int, _to_whole(int, _truncated))
appending.replace(round, _to_whole(round, forms.rounded))
for _original, _form in (
    (math.floor, ops.floor),
    (math.ceil, lambda x: -ops.floor(-x)),
    (math.trunc, _truncated),
):
    appending.replace(_original, _to_whole(_original, _form))
    setattr(_MATH_MODULE, _original.__name__, appending.replacement(_original))
appending.replace(sorted, _sorted)
appending.replace(any, _of_numbers(any, forms.any_of))
appending.replace(all, _of_numbers(all, forms.all_of))
appending.replace(isinstance, _isinstance)
appending.replace(type, _type)
for _original in (
    *(map, filter, functools.reduce, fori),
    *(itertools.accumulate, itertools.starmap, itertools.takewhile, itertools.dropwhile),
    *(itertools.filterfalse, itertools.groupby),
):
    appending.replace(_original, _with_functions(_original))


# ── Random numbers ───────────────────────────────────────────────────────────────────────────
# A generator that goes on from call to call would stop at the numbers of the recording. One that
# the function itself makes from a seed draws the same each time, so it may.

_NO_DRAWS = ("seed", "getstate", "setstate", "get_state", "set_state", "spawn", "bit_generator")


def _is_generator(thing: Any) -> bool:
    if isinstance(thing, random.Random):
        return True
    numpy: Any = sys.modules.get("numpy.random")
    kinds = numpy and (numpy.Generator, numpy.RandomState, numpy.BitGenerator)
    return bool(kinds) and isinstance(thing, kinds)


def _drawn(callee: Any, /, *args: Any, **named: Any) -> Any:
    _allow_draw(callee.__self__, callee.__name__)
    return callee(*args, **named)


def _drawing(function: FunctionType) -> Callable[..., Any]:
    def draw(*args: Any, **named: Any) -> Any:
        if args and _is_generator(args[0]):
            _allow_draw(args[0], function.__name__)
        return function(*args, **named)

    return draw


def _allow_draw(generator: Any, name: str) -> None:
    tape: Any = modes.recorder()
    if tape is None or name in _NO_DRAWS:
        return
    if any(generator is one for one in tape.seeded):
        return
    raise tape.refuse("a draw")


def _seeded(kind: Any, /, *args: Any, **named: Any) -> Any:
    generator = kind(*args, **named)
    seeds = [*args, *named.values()]
    tape: Any = modes.recorder()
    if tape is not None and seeds and None not in [seeds[0]]:
        tape.seeded.append(generator)
    return generator


# ── numpy ────────────────────────────────────────────────────────────────────────────────────

UFUNCS: dict[str, Callable[..., Any]] = {
    **{op.name: op for op in ops.TABLE},
    **{alias: op for op in ops.TABLE for alias in op.aliases},
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "power": operator.pow,
    "float_power": operator.pow,
    "negative": operator.neg,
    "positive": operator.pos,
    "absolute": operator.abs,
    "fabs": operator.abs,
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1.0 / x,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "logical_and": operator.and_,
    "logical_or": operator.or_,
    "logical_not": operator.invert,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "invert": operator.invert,
    **{name: MATH[name] for name in ("degrees", "radians", "copysign", "modf", "fmod")},
    **{name: MATH[name] for name in ("isnan", "isinf", "isfinite")},
    "deg2rad": MATH["radians"],
    "rad2deg": MATH["degrees"],
    "trunc": _truncated,
    "ceil": lambda x: -ops.floor(-x),
    "logaddexp": forms.log_of_two,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
}


def _boxed(thing: Any) -> Any:
    """Return what numpy takes for a number or an array of objects, never for a sequence."""
    import numpy as np

    if _is_recorded(thing):
        box = np.empty((), object)
        box[()] = thing
        return box
    if isinstance(thing, (list, tuple)):
        return np.array(thing, object)
    return thing


def over_entries(row: Callable[..., Any], *inputs: Any) -> Any:
    """Return a row over numbers and arrays, entry by entry, broadcast as numpy does."""
    import numpy as np

    if not any(isinstance(x, (np.ndarray, list, tuple)) for x in inputs):
        return row(
            *[x if _is_recorded(x) else x.item() if hasattr(x, "item") else x for x in inputs]
        )
    results = 2 if row is _modf else 1
    return np.frompyfunc(row, len(inputs), results)(*map(_boxed, inputs))


def _ufunc(callee: Any, /, *inputs: Any, **options: Any) -> Any:
    row = UFUNCS.get(callee.__name__)
    tape: Any = modes.recorder()
    if row is None or options or tape is None or not any(map(_holds, inputs)):
        return callee(*inputs, **options)
    begin = tape.count
    result = tape.quiet(over_entries)(row, *inputs)
    tape.settle(begin)
    return result


def _array_method(callee: Any, /, *args: Any, **named: Any) -> Any:
    """Sums and dots of an array's own are reductions, too."""
    form = _METHODS.get(callee.__name__)
    if form is None or named or not _holds(callee.__self__):
        return callee(*args, **named)
    return form(callee.__self__, *args)


_METHODS: dict[str, Callable[..., Any]] = {}


def learn_modules() -> None:
    """Replace functions of numpy and statistics that have recorded forms, once they are there."""
    statistics: Any = sys.modules.get("statistics")
    if statistics is not None and appending.replacement(statistics.mean) is None:
        for name, form in forms.STATISTICS.items():
            original = getattr(statistics, name)
            appending.replace(original, _recording(original, functools.partial(form, original)))
    if not _METHODS and "numpy" in sys.modules:
        _learn_numpy()


def _learn_numpy() -> None:
    import numpy as np

    def array(thing: Any, dtype: Any = None, **options: Any) -> Any:
        return np.array(thing, object, **options)

    def total(a: Any, axis: Any = None, *rest: Any, **options: Any) -> Any:
        whole = np.asarray(a, object)
        if axis is None and not rest and not options:
            return appending.sum(whole.reshape(-1).tolist())
        return np.add.reduce(whole, 0 if axis is None else axis, *rest, **options)

    def mean(a: Any, axis: Any = None, **options: Any) -> Any:
        whole = np.asarray(a, object)
        if axis is None and not options:
            return total(whole) / whole.size
        return np.mean(whole, axis, **options)

    def dot(a: Any, b: Any) -> Any:
        one, two = np.asarray(a, object), np.asarray(b, object)
        if one.ndim == two.ndim == 1 and len(one) == len(two):
            return _by_tape("dot")(one.tolist(), two.tolist())
        return np.dot(one, two)

    def extreme(row: Any, original: Any) -> Callable[..., Any]:
        def form(a: Any, axis: Any = None, **options: Any) -> Any:
            whole = np.asarray(a, object)
            if axis is not None or options or not whole.size:
                return original(whole, axis, **options)
            return functools.reduce(row, whole.reshape(-1).tolist())

        return form

    def where(condition: Any, *both: Any) -> Any:
        if len(both) != 2:
            return np.where(condition, *both)
        return over_entries(ops.where, condition, *both)

    def clip(a: Any, a_min: Any = None, a_max: Any = None, **options: Any) -> Any:
        low, high = options.pop("min", a_min), options.pop("max", a_max)
        if options:
            return np.clip(a, low, high, **options)
        if low is not None:
            a = over_entries(ops.maximum, a, low)
        return a if high is None else over_entries(ops.minimum, a, high)

    def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
        if _holds(xp):
            raise _refused("numpy.interp")
        places = [float(place) for place in xp]
        values = list(fp) if len(fp) == len(places) else []
        if not values:
            raise ValueError("fp and xp are not of the same length")
        return over_entries(functools.partial(_interpolated, places, values, left, right), x)

    def default_rng(*seed: Any, **named: Any) -> Any:
        return _seeded(np.random.default_rng, *seed, **named)

    forms = {
        np.array: array, np.asarray: array, np.sum: total, np.mean: mean, np.dot: dot,
        np.inner: dot, np.max: extreme(ops.maximum, np.max), np.min: extreme(ops.minimum, np.min),
        np.where: where, np.clip: clip, np.interp: interp,
    }  # fmt: skip
    for original, form in forms.items():
        appending.replace(original, _recording(original, form))
    appending.replace(np.random.default_rng, default_rng)
    _METHODS.update(
        {
            "sum": _recording(np.sum, total),
            "mean": _recording(np.mean, mean),
            "dot": _recording(np.dot, dot),
            "max": _recording(np.max, extreme(ops.maximum, np.max)),
            "min": _recording(np.min, extreme(ops.minimum, np.min)),
            "clip": _recording(np.clip, clip),
        }
    )


def _interpolated(places: list[float], values: list[Any], left: Any, right: Any, x: Any) -> Any:
    """Return the piecewise straight line through the points, as numpy computes it."""
    if len(places) == 1:
        inside: Any = values[0]
    else:
        count: Any = 0.0
        for place in places[1:-1]:
            count = count + ops.where(x >= place, 1.0, 0.0)
        take = functools.partial(Traced._take, count) if _is_recorded(count) else None
        if take is None:
            begin, start, slopes = places[0], values[0], _slope(places, values, 0)
        else:
            begin = take(places[:-1])
            start = take(values[:-1])
            slopes = take([_slope(places, values, k) for k in range(len(places) - 1)])
        inside = slopes * (x - begin) + start
    last = values[-1] if right is None else right
    first = values[0] if left is None else left
    inside = ops.where(x == places[-1], values[-1], inside)
    return ops.where(x > places[-1], last, ops.where(x < places[0], first, inside))


def _slope(places: list[float], values: list[Any], k: int) -> Any:
    return (values[k + 1] - values[k]) / (places[k + 1] - places[k])


def _refused(what: str) -> Exception:
    tape = modes.recorder()
    assert tape is not None
    return tape.refuse(what)
