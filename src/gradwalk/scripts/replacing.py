"""Puts gradwalk's Value in place of a script's class, with what of that class has to stay."""

from __future__ import annotations

import inspect
import math
import random
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from gradwalk.engine import Value, backend

__all__ = ["Replaced", "Tell", "listen", "replace", "stand_in_for", "told"]


class Replaced(NamedTuple):
    """One thing replaced, or left alone: then `why` says for what reason."""

    file: str
    line: int
    what: str
    by: str = ""
    kept: Sequence[str] = ()
    why: str = ""
    unordered: bool = False  # a set of inputs is walked by address: last bits are chance

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: {self.what}"
        if self.why:
            return f"{place} is left as it is: {self.why}"
        kept = f"; kept from the script: {', '.join(self.kept)}" if self.kept else ""
        return f"{place} is now {self.by}, {backend()} engine{kept}"


Tell = Callable[[Replaced], None]


def _ignore(_: Replaced) -> None:
    return


_listener: Tell = _ignore


def listen(tell: Tell) -> None:
    """Let `tell` hear of each replacement as it happens."""
    global _listener
    _listener = tell


def told(one: Replaced) -> None:
    _listener(one)


# What an instance may carry: all that gradwalk's Value has under the same name.
_CARRIED = {"data", "grad", "label", "_op", "_children", "_prev", "_local_grads", "_backward"}

# Names that gradwalk's Value cannot lend out, and hooks that change what a class is.
_RESERVED = {"_apply", "_restore", "_custom", "_label", "_line"}
_HOOKS = {"__new__", "__getattr__", "__getattribute__", "__setattr__", "__init_subclass__"}
_OF_THE_CLASS = {
    *["__module__", "__dict__", "__weakref__", "__doc__", "__slots__", "__qualname__"],
    *["__annotations__", "__firstlineno__", "__static_attributes__", "__init__"],
}

_BOTH = ("add", "radd", "mul", "rmul", "sub", "rsub", "truediv", "rtruediv")

_POINTS = [
    *[0.0, 0.5, 1.0, -1.0, 2.0, -3.0, 10.0, 30.0, -30.0, 60.0, -200.0, 700.0, -1e4],
    *[1e-3, 1e-8, 1e-20, 1e-300],
]
_EXPONENTS = [2, 3, -1, 0.5, -0.5, 0, 1, 2.5, -2.0, 2.0]


def replace(theirs: type, file: str) -> type:
    """Return gradwalk's Value in place of a script's class; or that, when it has to stay."""
    line = sys._getframe(1).f_lineno
    what = f"class {theirs.__name__}"
    try:
        why = _unfit(theirs)
    except Exception as error:
        why = f"trying it out failed with {type(error).__name__}: {error!s:.60}"
    if why:
        told(Replaced(file, line, what, why=why))
        return theirs
    kept = _kept(theirs)
    before = dict(vars(Value))
    stand_in_for(theirs, kept)
    if stray := _stray(theirs, kept):
        for name in {**kept, "__eq__": 0, "__ne__": 0, "__bool__": 0}:
            if name in before:
                setattr(Value, name, before[name])
            elif name in vars(Value):
                delattr(Value, name)
        told(Replaced(file, line, what, why=f"its {stray} does not work on gradwalk's nodes"))
        return theirs
    names = tuple([name for name in kept if not name.startswith("__") or name[2:-2] in _DIFFER])
    unordered = isinstance(getattr(theirs(1.0), "_prev", None), set)
    told(Replaced(file, line, what, "gradwalk.Value", names, unordered=unordered))
    return Value


_DIFFER = {*_BOTH, "pow", "rpow", "neg"}


def _unfit(theirs: type) -> str:
    """Return why instances of this class cannot be gradwalk's; or nothing."""
    if theirs.__bases__ != (object,) or type(theirs) is not type:
        return f"it derives from {theirs.__bases__[0].__name__}, whose part gradwalk cannot play"
    own = vars(theirs)
    if hooks := sorted(_HOOKS & own.keys()):
        return f"it defines {hooks[0]}, whose part gradwalk cannot play"
    if taken := sorted(_RESERVED & own.keys()):
        return f"gradwalk's Value has a {taken[0]} of its own; rename the script's"
    child = theirs(3.0)
    node = theirs(5.0, (child,))
    carried = {*getattr(node, "__dict__", ()), *_slots(theirs)}
    if extra := sorted(carried - _CARRIED):
        are = f"{' and '.join(extra)}, which gradwalk's Value has no place for"
        return f"its instances carry {are}; keep such things in a list or a dict beside them"
    if node.data != 5.0 or node.grad != 0 or not {"data", "grad"} <= carried:
        return "Value(5.0) has not data 5.0 and grad 0"
    inputs = getattr(node, "_children", None) or getattr(node, "_prev", None)
    if inputs is None or list(inputs) != [child]:
        return "its second argument is not the inputs, as in Value(data, children, …)"
    parameters = list(inspect.signature(theirs).parameters.values())
    if len(parameters) > 4:
        return f"its constructor takes {len(parameters)} arguments, gradwalk's at most 4"
    if [theirs(x).data for x in _POINTS] != _POINTS:
        return "its constructor changes the number that it is given"
    for seed in range(8):
        got, right = _of_a_graph(theirs, seed), _of_a_graph(Value, seed)
        if got != right:
            return f"on a graph of + and * it gives {got}, where {right} is right"
    a, b = theirs(2.0), theirs(3.0)
    for _ in range(2):
        (a * b).backward()
    if a.grad != 6.0:
        return "a second backward() does not add to the gradients of the first, as gradwalk's does"
    return ""


def _of_a_graph(make: Callable[[float], Any], seed: int) -> list[float]:
    """Return the value of a random graph and its gradients: whole numbers, so they are exact."""
    rng = random.Random(seed)
    leaves = [make(float(number)) for number in (2, -3, 1)]
    nodes = list(leaves)
    for _ in range(9):
        a, b = rng.choice(nodes), rng.choice(nodes[-3:])
        nodes.append(a + b if rng.random() < 0.6 else a * b)
    nodes[-1].backward()
    return [float(nodes[-1].data), *[float(leaf.grad) for leaf in leaves]]


def _slots(theirs: type) -> list[str]:
    slots = getattr(theirs, "__slots__", ())
    return [slots] if isinstance(slots, str) else [slot for slot in slots if slot != "__weakref__"]


def _kept(theirs: type) -> dict[str, Any]:
    """Return what of this class stays: all that gradwalk's Value lacks or does differently."""
    kept: dict[str, Any] = {}
    for name, own in vars(theirs).items():
        if name in _OF_THE_CLASS or name in _CARRIED or name == "backward":
            continue
        if name == "__hash__" and own is None:
            continue
        trials = _trials(name, own) if callable(getattr(Value, name, None)) else None
        if trials is None or not _agree(theirs, trials):
            kept[name] = own
    return kept


def _stray(theirs: type, kept: dict[str, Any]) -> str:
    """Return a method that was kept and gives something else on gradwalk's nodes; or nothing."""
    # Where its methods find the class that they build with.
    names: dict[str, Any] = vars(theirs)["__init__"].__globals__
    for name, own in kept.items():
        trials = _trials(name, own) or []
        expected = [_outcome(theirs, trial) for trial in trials]
        try:
            names["Value"] = Value
            got = [_outcome(Value, trial) for trial in trials]
        finally:
            names["Value"] = theirs
        if any(wanted is not None and wanted != g for wanted, g in zip(expected, got, strict=True)):
            return name
    return ""


Trial = Callable[[Callable[[float], Any]], tuple[Any, list[Any]]]


def _trials(name: str, own: Any) -> list[Trial] | None:
    """Return calls of an operation, each of which makes a root and its leaves; None for what is no
    operation of gradwalk's, so that the script's own stays.
    """
    if not callable(own):
        return None
    operator = name[2:-2] if name.startswith("__") else ""
    rng = random.Random(1)
    points = [*_POINTS, *[rng.gauss(0.0, 2.0) for _ in range(60)]]
    if operator in _BOTH:
        pairs = list(zip(points, [*points[1:], points[0]], strict=True))
        trials = [_with_number(name, x, y) for x, y in pairs]
        if operator[0] != "r":  # which Python only calls with what is no Value
            trials += [_of_two(name, x, y) for x, y in pairs]
        return trials
    if operator == "pow":
        trials = [_of_two(name, x, 2.5) for x in points]
        both = [*points, *map(abs, points)]
        return trials + [_with_number(name, x, n) for x in both for n in _EXPONENTS]
    if operator == "rpow":
        return [_with_number(name, x, n) for x in points for n in (2, 0.5, 3.0)]
    takes_more = len(inspect.signature(own).parameters) != 1
    if (operator and operator != "neg") or takes_more:
        return None
    return [_alone(name, x) for x in [*points, *map(abs, points)]]


def _alone(name: str, x: float) -> Trial:
    def trial(make: Callable[[float], Any]) -> tuple[Any, list[Any]]:
        leaf = make(x)
        return getattr(leaf, name)(), [leaf]

    return trial


def _of_two(name: str, x: float, y: float) -> Trial:
    def trial(make: Callable[[float], Any]) -> tuple[Any, list[Any]]:
        a, b = make(x), make(y)
        return getattr(a, name)(b), [a, b]

    return trial


def _with_number(name: str, x: float, y: float) -> Trial:
    def trial(make: Callable[[float], Any]) -> tuple[Any, list[Any]]:
        leaf = make(x)
        return getattr(leaf, name)(y), [leaf]

    return trial


def _agree(theirs: type, trials: Iterable[Trial]) -> bool:
    """Say whether both give the same bits, wherever the script's own gives a number at all: outside
    its domain it raises, and gradwalk gives nan or inf.
    """
    tried = 0
    for trial in trials:
        expected = _outcome(theirs, trial)
        if expected is not None and expected != _outcome(Value, trial):
            return False
        tried += expected is not None
    return tried > 0


def _outcome(make: type, trial: Trial) -> list[bytes] | None:
    """Return the bits of a trial's value and gradients; None where it raises, or is no Value."""
    try:
        root, leaves = trial(make)
        if not isinstance(root, make):
            return None
        root.backward()
        return _bits([root.data, *[leaf.grad for leaf in leaves]])
    except Exception:
        return None


def _bits(numbers: Iterable[Any]) -> list[bytes]:
    """Return them bit by bit; all nan are one, and so are the two zeros, which int 0 stands for."""
    floats = [float(number) for number in numbers]
    return [b"nan" if math.isnan(x) else struct.pack("<d", x or 0.0) for x in floats]


def stand_in_for(theirs: type | None, kept: dict[str, Any]) -> None:
    """Give gradwalk's Value what was kept, and take from it what would change a script's course.

    A class that says nothing of equality and truth compares by identity and is always true:
    `node in seen_list`, `if self.bias:`. This process is the script's, so its Value may be too.
    """
    defined: set[str] = set(vars(theirs)) if theirs else set()
    if "__eq__" not in defined:
        kept = {"__eq__": object.__eq__, "__ne__": object.__ne__, **kept}
    if "__bool__" not in defined and "__len__" not in defined:
        kept = {"__bool__": _always, **kept}
    for name, own in kept.items():
        setattr(Value, name, own)


def _always(_: Value) -> bool:
    return True
