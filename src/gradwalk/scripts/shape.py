"""The shape of a script's class: which attribute plays which part, and what its constructor takes.

Classes are told by what they do. `observe` makes a few instances and looks where the number, the
gradient, the inputs and the name of the operation are kept, whatever their names.
"""

# Instances of a script's class have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from gradwalk.scripts.reading import BACKWARD


class UnfitError(Exception):
    """The class cannot be replaced; the message says why."""


class UnsettledError(UnfitError):
    """The class was not tried to the end, for a reason that may be another the next time."""


class Parameter(NamedTuple):
    """One parameter of the constructor.

    `role` is data, inputs, op, label, locals, edges, push or grad. Any other attribute of the
    instance goes by `attribute:NAME`, and "" is unknown.
    """

    name: str
    role: str
    default: Any = None
    required: bool = False
    starred: bool = False  # *inputs


class Shape(NamedTuple):
    data: str
    grad: str  # "" where instances have none
    backward: str  # the method's name; "" where there is none
    inputs: dict[str, str]  # attribute: the kind of its container
    op: str
    label: str
    push: str  # where a node keeps the function that pushes its gradient to its inputs
    local_grads: str
    extras: dict[str, Any]  # attributes that begin with the same value on every instance
    varying: tuple[str, ...]  # attributes that differ from one instance to the next
    parameters: tuple[Parameter, ...]
    takes_values: bool  # whether Value(Value(2.0)) is Value(2.0)
    whole: bool  # whether a gradient begins as the int 0
    tagged: bool = False  # whether names of operations are members of an Enum
    # What a push does that is given the gradient of its node: it "adds" to the inputs', or
    # "returns" what to add. One that is given the "node" adds, too. "" where it takes nothing.
    push_style: str = ""
    leaf_pushes: bool = False  # whether a leaf has a push, too

    @property
    def ordered(self) -> bool:
        """Whether inputs have an order; a set is walked by address."""
        return not self.inputs or any(kind != "set" for kind in self.inputs.values())


# Containers that keep the inputs and the local gradients together: {a: 3.0} and ((a, 3.0),). Of
# `a + a` a dict has one entry.
EDGES = {"dict", "tuple of pairs", "list of pairs"}

_HOOKS = ("__new__", "__getattr__", "__getattribute__", "__setattr__", "__init_subclass__")
_PLAIN_BASES = {"object", "ABC", "Generic", "Protocol"}


def class_members(theirs: type) -> dict[str, Any]:
    """Return what a class and the script's classes that it derives from have, its own first."""
    found: dict[str, Any] = {}
    for base in reversed(theirs.__mro__):
        if base.__name__ not in _PLAIN_BASES:
            found |= vars(base)
    return found


def observe(
    theirs: type, lenders: Collection[str] = (), flags: dict[str, object] | None = None
) -> Shape:
    """Return the shape of a class, or raise UnfitError. It may derive from `lenders`, and is made
    with these flags.
    """
    name = theirs.__name__
    _check_kind(theirs, lenders)
    make = partial(theirs, **(flags or {}))
    a, b = _made(name, make, 3.0), _made(name, make, 7.0)
    data = _where_the_number_is(name, a, b)
    total = _combined(theirs, "__add__", a, b)
    product = _combined(theirs, "__mul__", a, b)
    results = [one for one in (total, product) if one is not None]
    if not results:
        raise UnfitError(f"neither a + b nor a * b of two gives another {name}")
    if total is not None:
        data = [one for one in data if getattr(total, one, None) == 10.0]
    if product is not None:
        data = [one for one in data if getattr(product, one, None) == 21.0]
    if not data:
        raise UnfitError("a + b with a=3, b=7 is not 10, or a * b is not 21")
    data.sort(key=lambda one: one != "data")
    for number in (0.1, 1 / 3, 1e-8, 700.0, -1e4, -0.25):
        kept = getattr(_made(name, make, number), data[0])
        if kept != number:
            raise UnfitError(
                f"its constructor changes the number that it is given: {number!r} becomes {kept!r}"
            )
    backward = _backward_of(theirs)
    grad, whole = _where_the_gradient_is(make, backward, results)
    known = {data[0], grad}
    found: dict[str, str] = {}
    inputs: dict[str, str] = {}
    for attribute, thing in instance_attributes(results[-1]).items():
        if attribute in known:
            continue
        if _holds(thing, a):
            inputs[attribute] = _kind(thing, ((a, 7.0), (b, 3.0)) if product is not None else ())
        elif callable(thing) and not isinstance(thing, theirs | type):
            found.setdefault("push", attribute)
        elif product is not None and _is_pair(thing, (7.0, 3.0)):
            found.setdefault("local_grads", attribute)
        elif isinstance(thing, str | Enum) and _differs(attribute, a, *results):
            found.setdefault("op", attribute)
        elif isinstance(thing, str) and ("label" in attribute or "name" in attribute):
            found.setdefault("label", attribute)
    known |= {*inputs, *found.values()}
    extras, varying = _rest(a, b, results, known)
    shape = Shape(
        data[0],
        grad,
        backward,
        inputs,
        found.get("op", ""),
        found.get("label", ""),
        found.get("push", ""),
        found.get("local_grads", ""),
        extras,
        varying,
        (),
        _takes_values(theirs, data[0]),
        whole,
        isinstance(getattr(a, found.get("op", ""), None), Enum),
        _push_style(results[-1], found.get("push", "")),
        callable(getattr(a, found.get("push", ""), None)),
    )
    return shape._replace(parameters=_parameters(theirs, shape, flags or {}))


def _check_kind(theirs: type, lenders: Collection[str]) -> None:
    bases = [base for base in theirs.__mro__[1:] if base.__name__ not in _PLAIN_BASES]
    for base in bases:
        if base.__name__ not in lenders:
            raise UnfitError(f"it derives from {base.__name__}, which gradwalk's Value does not")
    for hook in _HOOKS:
        if any(hook in vars(kind) for kind in (theirs, *bases)):
            raise UnfitError(f"it defines {hook}, which changes what its instances are")


def _made(name: str, make: Callable[..., Any], number: float) -> Any:
    try:
        return make(number)
    except Exception as error:
        raise UnfitError(f"{name}({number}) raises {type(error).__name__}: {error!s:.80}") from None


def instance_attributes(thing: object) -> dict[str, Any]:
    """Return what an instance carries, in its __dict__ and in slots."""
    carried: dict[str, Any] = dict(getattr(thing, "__dict__", {}))
    for base in type(thing).__mro__:
        slots = vars(base).get("__slots__", ())
        for slot in [slots] if isinstance(slots, str) else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{base.__name__.lstrip('_')}{slot}" if private else slot
            if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                carried[name] = getattr(thing, name)
    return carried


def _where_the_number_is(name: str, a: Any, b: Any) -> list[str]:
    mine, other = instance_attributes(a), instance_attributes(b)
    found = [
        one
        for one, number in mine.items()
        if type(number) is float and number == 3.0 and other.get(one) == 7.0
    ]
    if found:
        return found
    for one, thing in mine.items():
        if type(thing) is not int and type(thing) is not str and _contains(thing, 3.0):
            kind = type(thing)
            module = kind.__module__.partition(".")[0]
            what = f"{module}.{kind.__name__}" if module != "builtins" else kind.__name__
            raise UnfitError(f"{name}(3.0).{one} is of type {what}, not a plain float")
    raise UnfitError(f"{name}(3.0) keeps its number in no attribute")


def _contains(thing: Any, number: float) -> bool:
    try:
        return bool(float(thing) == number)
    except (TypeError, ValueError):
        pass
    try:
        return any(_contains(part, number) for part in thing)
    except Exception:
        return False


def _combined(theirs: type, operator: str, a: Any, b: Any) -> Any:
    if not hasattr(theirs, operator):
        return None
    try:
        out = getattr(a, operator)(b)
    except Exception as error:
        sign = {"__add__": "a + b", "__mul__": "a * b"}[operator]
        raise UnfitError(f"{sign} raises {type(error).__name__}: {error!s:.80}") from None
    return out if isinstance(out, theirs) else None


def _backward_of(theirs: type) -> str:
    for name in BACKWARD:
        method = getattr(theirs, name, None)
        if callable(method):
            parameters = list(inspect.signature(method).parameters.values())[1:]
            required = [
                one.name
                for one in parameters
                if one.default is one.empty
                and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
            ]
            if required:
                raise UnfitError(f"its {name}() needs the argument {required[0]}")
            return name
    return ""


def _where_the_gradient_is(
    make: Callable[..., Any], backward: str, results: list[Any]
) -> tuple[str, bool]:
    a, b = make(3.0), make(7.0)
    zero = instance_attributes(make(1.0))
    if not backward:
        names = [one for one in zero if "grad" in one and type(zero[one]) in (int, float)]
        return (names[0], type(zero[names[0]]) is int) if names else ("", False)
    is_product = hasattr(a, "__mul__")
    root = a * b if is_product else a + b
    try:
        getattr(root, backward)()
    except Exception as error:
        raise UnfitError(f"{backward}() raises {type(error).__name__}: {error!s:.80}") from None
    wanted = (7.0, 3.0) if is_product else (1.0, 1.0)
    mine, other = instance_attributes(a), instance_attributes(b)
    for one in mine:
        start = zero.get(one)
        if not isinstance(start, bool) and type(start) in (int, float) and start == 0:
            try:
                if (float(mine[one]), float(other[one])) == wanted:
                    return one, type(start) is int
            except (TypeError, ValueError, KeyError):
                continue
    for one in mine:
        if "grad" in one and zero.get(one) is None:
            raise UnfitError(f"{one} begins as None, and gradwalk's gradients begin as 0")
        if "grad" in one and type(mine[one]) not in (int, float, bool):  # a flag is no gradient
            kind = type(mine[one]).__name__
            raise UnfitError(f"its {one} is of type {kind} after {backward}(), not a number")
    shown = f"a {'*' if is_product else '+'} b with a=3, b=7"
    grads = {one: mine[one] for one in mine if "grad" in one and not callable(mine[one])}
    got = ", ".join([f"a.{one} = {grad!r:.20}" for one, grad in grads.items()]) or "no gradient"
    raise UnfitError(f"{backward}() from {shown} gives {got}, where {wanted[0]:g} is right")


def _holds(thing: Any, node: Any) -> bool:
    if not isinstance(thing, tuple | list | set | frozenset | dict):
        return thing is node
    return any(
        part is node or (isinstance(part, tuple | list) and any(p is node for p in part))
        for part in thing
    )


def _kind(thing: Any, edges: tuple[tuple[Any, float], ...]) -> str:
    """Return the kind of a container of inputs; `edges` are those of a product of two."""
    if type(thing) is dict and edges and list(thing.items()) == list(edges):
        return "dict"
    if type(thing) in (tuple, list) and edges and tuple(thing) == edges:
        return f"{type(thing).__name__} of pairs"
    for kind in (set, frozenset, tuple, list):
        if isinstance(thing, kind):
            flat = all(not isinstance(part, tuple | list) for part in thing)
            return {"frozenset": "set"}.get(kind.__name__, kind.__name__) if flat else "other"
    return "other"


def _is_pair(thing: Any, numbers: tuple[float, float]) -> bool:
    return isinstance(thing, tuple | list) and tuple(thing) == numbers


def _differs(attribute: str, *nodes: Any) -> bool:
    return len({getattr(node, attribute, None) for node in nodes}) > 1


_SIMPLE = (int, float, str, bool, type(None), tuple, frozenset)


def _rest(
    a: Any, b: Any, results: list[Any], known: set[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the attributes that begin alike on every instance, and those that do not."""
    extras: dict[str, Any] = {}
    varying: list[str] = []
    for one, thing in instance_attributes(a).items():
        if one in known:
            continue
        others = [instance_attributes(node).get(one, varying) for node in (b, *results)]
        empty = isinstance(thing, list | dict | set) and not thing
        try:
            alike = all(type(other) is type(thing) and other == thing for other in others)
        except Exception:
            alike = False
        if alike and (isinstance(thing, _SIMPLE) or empty):
            extras[one] = thing
        else:
            varying.append(one)
    return extras, tuple(varying)


def _push_style(node: Any, push: str) -> str:
    try:
        function = getattr(node, push)
        if not inspect.signature(function).parameters:
            return ""
        answer = function(2.0)
    except Exception:
        return "node" if _takes_node(node, push) else ""
    return "returns" if isinstance(answer, tuple | list) else "adds"


def _takes_node(node: Any, push: str) -> bool:
    try:
        return getattr(node, push)(node) is None
    except Exception:
        return False


def _takes_values(theirs: type, data: str) -> bool:
    try:
        return type(getattr(theirs(theirs(2.0)), data)) is float
    except Exception:
        return False


# ── The constructor ──────────────────────────────────────────────────────────────────────────


def _parameters(theirs: type, shape: Shape, flags: dict[str, object]) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for one in inspect.signature(theirs).parameters.values():
        required = one.default is one.empty
        default = None if required else one.default
        if one.kind == one.VAR_POSITIONAL:
            found.append(Parameter(one.name, _starred(theirs, shape, len(found)), starred=True))
        elif one.kind == one.VAR_KEYWORD:
            found.append(Parameter(one.name, ""))
        else:
            others = {name: flag for name, flag in flags.items() if name != one.name}
            make = partial(theirs, **others)
            role = "data" if not found else _role(make, shape, one.name, found)
            if not isinstance(default, _SIMPLE):
                default = () if role == "inputs" else None
            found.append(Parameter(one.name, role, default, required))
    return tuple(found)


def _starred(theirs: type, shape: Shape, before: int) -> str:
    child = theirs(2.0)
    try:
        made = instance_attributes(theirs(5.0, child)) if before == 1 else {}
    except Exception:
        return ""
    return "inputs" if any(_holds(made.get(one), child) for one in shape.inputs) else ""


def _role(make_one: Callable[..., Any], shape: Shape, name: str, before: list[Parameter]) -> str:
    child = make_one(2.0)
    inputs = next((one.name for one in before if one.role == "inputs"), "")
    edges = [one for one, kind in shape.inputs.items() if kind in EDGES]

    def make(thing: Any, **more: Any) -> dict[str, Any]:
        try:
            return instance_attributes(make_one(5.0, **{name: thing}, **more))
        except Exception:
            return {}

    for container in ({child: 2.5}, ((child, 2.5),), [(child, 2.5)]) if edges else ():
        made = make(container)
        if any(made.get(one) == container for one in edges):
            return "edges"
    for container in ((child,), [child], {child} if _hashable(child) else (child,)):
        made = make(container)
        if any(_holds(made.get(one), child) for one in shape.inputs):
            return "inputs"
    word = make("~word~")
    for one, thing in word.items():
        if thing == "~word~":
            if one == shape.op:
                return "op"
            if one == shape.label:
                return "label"
    for numbers in ((2.5,), [2.5]):
        made = make(numbers, **({inputs: (child,)} if inputs else {}))
        if shape.local_grads and list(made.get(shape.local_grads) or ()) == [2.5]:
            return "locals"
    made = make(2.5)
    if shape.grad and made.get(shape.grad) == 2.5:
        return "grad"
    if shape.push and make(_nothing).get(shape.push) is _nothing:
        return "push"
    marks: list[Callable[[], Any]] = [lambda: 2.5, lambda: "~word~", lambda: True, lambda: 3]
    for mark in marks:
        for one, thing in make(mark()).items():
            if one in shape.extras and type(thing) is type(mark()) and thing == mark():
                return f"attribute:{one}"
    return ""


def _nothing(*_: Any) -> None:
    return


def _hashable(thing: Any) -> bool:
    try:
        hash(thing)
    except TypeError:
        return False
    return True
