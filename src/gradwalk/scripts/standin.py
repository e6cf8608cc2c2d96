"""gradwalk's Value dressed as a script's class: its names, its constructor, what is kept of it.

A `Plan` says what to do; `StandIn` does it and can take it back. It changes gradwalk's Value
itself, because results of operations are of that class. The process is the script's alone.
"""

# Instances of a script's class have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

from gradwalk import ops
from gradwalk.engine import Value, backend, topological_order
from gradwalk.engine.backends import keep_interior_grads, outdated
from gradwalk.engine.reference import newer_locals
from gradwalk.errors import BackwardError
from gradwalk.scripts.shape import EDGES, Shape, class_members

# Names that mean the same on gradwalk's Value as in the scripts.
OWN_NAMES = {"data", "grad", "label", "_op", "_children", "_prev", "_local_grads", "_backward"}

_MISSING: Any = object()
_ORIGINAL: dict[str, Any] = {
    name: vars(Value)[name] for name in (*OWN_NAMES, "backward", "__init__")
}


# Names that the engine itself uses, so that a script's own cannot have them.
RESERVED = {
    *["_apply", "_restore", "_custom", "_line", "_scope", "_data", "_grad", "_label"],
    *["_attributes"],
}

# Where the reference keeps the same thing under the same name.
_SLOTS: dict[str, set[str]] = {
    name: {f"_{name}"} & vars(Value).keys() for name in ("data", "grad", "label")
} | {name: set[str]() for name in ("_op", "_backward", "_local_grads")}


class Plan(NamedTuple):
    """How a class is replaced."""

    shape: Shape
    kept: dict[str, str]  # method of the script's that stays: why
    dressed: dict[str, Any]  # operation of gradwalk's: its name in the script's graph
    renamed: dict[str, Any]  # the same by gradwalk's own names, where `_op` can be read otherwise
    own_backward: str = ""  # why the script's backward() stays; "" when gradwalk's runs
    keeps_interior: bool = False
    adapts: bool = False  # whether the constructor is called in another form than gradwalk's
    written: tuple[str, ...] = ()  # attributes that the script stores outside of its constructor
    defaults: tuple[str, ...] = ()  # attributes of `shape.extras` that the script uses
    # Where the script sets data, and its rules read it in backward(): gradwalk's operations that
    # do so too, and those that cannot be made to.
    late: frozenset[str] | None = None
    unsure: frozenset[str] = frozenset()
    # Operations of gradwalk's that leave wrong operands to the script's own, which raises errors
    # that the script catches; and whether an instance is a wrong operand.
    guarded: dict[str, bool] = {}  # noqa: RUF012  (never changed)
    # Operations of gradwalk's that leave `a + a` to the script's own, whose dict has `a` once.
    alone: frozenset[str] = frozenset()
    # Divisions of gradwalk's that leave a divisor whose inverse or its square leaves the normal
    # doubles to the script's own: gradwalk's are then more exact than a * b**-1.
    plain: frozenset[str] = frozenset()
    whole: bool = False  # whether the script makes instances from whole numbers


class StandIn:
    """gradwalk's Value as `theirs`, after `install`; `remove` makes it gradwalk's own again."""

    def __init__(self, theirs: type, plan: Plan, as_set: Callable[[Any], Any] = set) -> None:
        self.theirs = theirs
        self.plan = plan
        self.as_set = as_set  # how inputs are made a set: trials decide on its order
        self._before: dict[str, Any] = {}

    def install(self) -> type:
        plan, shape = self.plan, self.plan.shape
        members = class_members(self.theirs)
        if "__eq__" not in members:
            self._set("__eq__", object.__eq__)
            self._set("__ne__", object.__ne__)
        if "__bool__" not in members and "__len__" not in members:
            self._set("__bool__", _always)
        for name, original in self._aliases():
            self._set(name, original)
        for name in plan.defaults:
            default = shape.extras[name]
            if name != "label":
                self._set(name, _Own(name, default))
        if label := shape.label or ("label" if "label" in shape.extras else ""):
            self._set(label, _Label(label, shape.extras.get(label, "")))
        for name in () if takes_attributes() else plan.written:
            if not hasattr(Value, name):
                self._set(name, _Own(name))
        for name, symbol in plan.dressed.items():
            # The reflected ones of C put a node that stands for a number first.
            original = {"__radd__": "__add__", "__rmul__": "__mul__"}.get(name, name)
            self._set(name, _dressed(vars(Value)[original], symbol))
        for name in plan.alone:
            self._set(name, _but_for_itself(vars(Value)[name], members[name]))
        for name in plan.plain:
            self._set(name, _where_plain(vars(Value)[name], members[name], name))
        for name, takes_no_instance in plan.guarded.items():
            self._set(name, _guarded(vars(Value)[name], members[name], takes_no_instance))
        for name in plan.kept:
            self._set(name, members[name])
        self._install_backward(members)
        keep_interior_grads(plan.keeps_interior)
        self._set("__name__", self.theirs.__name__)
        self._set("__qualname__", self.theirs.__qualname__)
        return self._facade() if plan.adapts else Value

    def remove(self) -> None:
        for name, before in self._before.items():
            if before is _MISSING:
                delattr(Value, name)
            else:
                setattr(Value, name, before)
        self._before.clear()
        keep_interior_grads(False)

    def _set(self, name: str, thing: Any) -> None:
        if name not in self._before:
            own = name in ("__name__", "__qualname__")
            self._before[name] = getattr(Value, name) if own else vars(Value).get(name, _MISSING)
        setattr(Value, name, thing)

    def _aliases(self) -> Iterable[tuple[str, Any]]:
        """Yield the script's attribute names with the descriptors that stand behind them."""
        shape = self.plan.shape
        for theirs, ours in (
            (shape.data, "data"),
            (shape.grad, "grad"),
            (shape.op, "_op"),
            (shape.push, "_backward"),
            (shape.local_grads, "_local_grads"),
        ):
            if ours == "_op" and theirs and (self.plan.renamed or shape.tagged):
                yield theirs, _symbols(self.plan.renamed)
            elif ours == "_backward" and shape.push_style:
                yield theirs, _push_given(shape.push_style, shape.leaf_pushes)
            elif theirs and theirs != ours and theirs not in _SLOTS[ours]:
                yield theirs, _ORIGINAL[ours]
        for name, kind in shape.inputs.items():
            as_ours = {"_prev": "set", "_children": "tuple"}.get(name) == kind
            as_ours = as_ours and (kind == "tuple" or self.as_set is set)
            if not (as_ours and (name == "_children" or name not in self.plan.written)):
                yield name, _inputs_as(kind, self.as_set)

    def _install_backward(self, members: Any) -> None:
        name, checks = self.plan.shape.backward, self.plan.late is not None
        if not name:
            if checks and self.plan.shape.push:
                self._set(self.plan.shape.push, _checked_push(self._renew))
            return
        own, method = members[name], _ORIGINAL["backward"]
        if self.plan.own_backward:
            method = own
        elif own.__code__.co_argcount > 1 or own.__code__.co_flags & 0x0C or own.__kwdefaults__:
            method = _with_arguments(own)
        if checks:
            method = _checked(method, self._renew_all)
        if name != "backward" or method is not _ORIGINAL["backward"]:
            self._set(name, method)

    def _renew_all(self, root: Any) -> None:
        """Recompute local gradients below a root from current data, as the script's rules do."""
        if backend() == "native" and outdated(root) is None:
            return
        for node in topological_order(root):
            self._renew(node)

    def _renew(self, node: Any) -> None:
        local_grads = newer_locals(node, self._symbol_of)
        if local_grads is None:
            return
        symbol = self._symbol_of(node)
        if symbol in self.plan.unsure:
            raise BackwardError(
                f"the .{self.plan.shape.data} of an input, or of the result, of {symbol!r} was set "
                f"after the operation; the script's rule for it would read that, gradwalk's cannot"
            )
        if symbol in (self.plan.late or ()):
            grad, shown = node.grad, raw_symbol(node)
            _ORIGINAL["__init__"](node, node.data, _inputs(node), local_grads, _text_of(node))
            node.grad = grad
            _ORIGINAL["_op"].__set__(node, shown)

    def _symbol_of(self, node: Any) -> str:
        """Return gradwalk's own name of the operation that made a node, whatever it shows."""
        shown = raw_symbol(node)
        names = [name for name, symbol in self.plan.dressed.items() if symbol == shown]
        return _symbol(names[0]) if names else shown

    def _facade(self) -> type:
        """Return a class that makes gradwalk's Values from what the script's constructor takes."""
        make = _maker(self.plan.shape, self.theirs)
        name = self.theirs.__name__

        class Facade(type(Value)):
            def __call__(cls, *args: Any, **named: Any) -> Any:
                if cls is facade:
                    return make(*args, **named)
                return super().__call__(*args, **named)

            def __instancecheck__(cls, thing: Any) -> bool:
                if cls is facade:
                    return isinstance(thing, Value)
                return super().__instancecheck__(thing)

            def __subclasscheck__(cls, kind: type) -> bool:
                if cls is facade:
                    return issubclass(kind, Value)
                return super().__subclasscheck__(kind)

            def __setattr__(cls, attribute: str, thing: Any) -> None:
                if cls is facade:
                    setattr(Value, attribute, thing)
                else:
                    super().__setattr__(attribute, thing)

        def initialise(self: Any, *args: Any, **named: Any) -> None:
            """For classes that a script derives from its Value."""
            made = make(*args, **named)
            third = _local_grads(made) or made._op
            _ORIGINAL["__init__"](self, made.data, _inputs(made), third, _text_of(made))

        facade = cast(
            "type",
            Facade(
                name, (Value,), {"__slots__": (), "__init__": initialise, "__module__": "gradwalk"}
            ),
        )
        return facade


def _always(_: Value) -> bool:
    return True


def takes_attributes() -> bool:
    """Say whether gradwalk's Value takes attributes of the script's own."""
    try:
        Value(0.0).an_attribute_of_the_script = 1  # pyright: ignore[reportAttributeAccessIssue]
    except AttributeError:
        return False
    return True


class _Own:
    """An attribute of the script's own, kept beside the nodes: one that has none costs nothing."""

    def __init__(self, name: str, default: Any = _MISSING) -> None:
        self.name = name
        self.default: Any = default
        self._make: Any = type(default) if isinstance(default, list | dict | set) else None
        self._kept: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def __get__(self, node: Any, owner: type) -> Any:
        if node is None:
            if self.default is _MISSING:
                raise AttributeError(self._lack(owner))
            return self.default
        kept = self._kept.get(id(node))
        if kept is not None:
            return kept[1]
        if self.default is _MISSING:
            raise AttributeError(self._lack(type(node)), name=self.name, obj=node)
        if self._make is not None:
            self.__set__(node, self._make())
            return self._kept[id(node)][1]
        return self.default

    def __set__(self, node: Any, thing: Any) -> None:
        key, kept = id(node), self._kept
        kept[key] = weakref.ref(node, lambda _: kept.pop(key, None)), thing

    def __delete__(self, node: Any) -> None:
        if self._kept.pop(id(node), None) is None:
            raise AttributeError(self._lack(type(node)))

    def _lack(self, owner: type) -> str:
        return f"'{owner.__name__}' object has no attribute '{self.name}'"


class _Label(_Own):
    """A label, which may be anything in a script; gradwalk keeps those that are text."""

    def __get__(self, node: Any, owner: type) -> Any:
        if node is None:
            return self
        kept = self._kept.get(id(node))
        return kept[1] if kept else _ORIGINAL["label"].__get__(node) or self.default

    def __set__(self, node: Any, thing: Any) -> None:
        self._kept.pop(id(node), None)
        is_text = isinstance(thing, str)
        _ORIGINAL["label"].__set__(node, thing if is_text else "")
        if not is_text and thing is not self.default:
            super().__set__(node, thing)


def _text_of(node: Any) -> str:
    """Return the label as gradwalk keeps it."""
    return _ORIGINAL["label"].__get__(node)


def _inputs(node: Any) -> tuple[Any, ...]:
    return _ORIGINAL["_children"].__get__(node)


def _local_grads(node: Any) -> tuple[float, ...]:
    return _ORIGINAL["_local_grads"].__get__(node)


def _inputs_as(kind: str, as_set: Callable[[Any], Any]) -> property:
    read = {"set": as_set, "list": list}.get(kind, tuple)
    as_edges: Any = {"dict": dict, "list of pairs": list}.get(kind, tuple)

    def get(node: Any) -> Any:
        return read(_inputs(node))

    def get_edges(node: Any) -> Any:
        return as_edges(zip(_inputs(node), _local_grads(node) or (), strict=False))

    def put(node: Any, inputs: Any) -> None:
        grad = node.grad
        _ORIGINAL["__init__"](node, node.data, tuple(inputs), node._op, _text_of(node))
        node.grad = grad

    def put_edges(node: Any, edges: Any) -> None:
        grad, shown = node.grad, raw_symbol(node)
        inputs, local_grads = _parted(edges)
        _ORIGINAL["__init__"](node, node.data, inputs, local_grads, _text_of(node))
        _ORIGINAL["_op"].__set__(node, shown)
        node.grad = grad

    return property(get_edges, put_edges) if kind in EDGES else property(get, put)


def _parted(edges: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the inputs and the local gradients that a script keeps together."""
    pairs = list((edges.items() if isinstance(edges, dict) else edges) or ())
    return tuple([node for node, _ in pairs]), tuple([local for _, local in pairs])


def _push_given(style: str, leaf_pushes: bool) -> property:
    """Return the attribute `_backward` for a script whose pushes take the gradient, or the node."""
    original: Any = _ORIGINAL["_backward"]

    def get(node: Any) -> Any:
        custom = getattr(original.__get__(node), "of_the_script", None)
        if custom is not None or not (_inputs(node) or leaf_pushes):
            return custom

        def push(given: Any) -> Any:
            grad = given.grad if style == "node" else given
            parts = [local * grad for local in _local_grads(node)]
            if style == "returns":
                return tuple(parts)
            for child, part in zip(_inputs(node), parts, strict=True):
                child.grad += part
            return None

        return push

    def put(node: Any, push: Any) -> None:
        if push is None:
            return
        inputs = _inputs(node)
        itself: Any = weakref.ref(node)

        def custom() -> None:
            parts = push(itself() if style == "node" else itself().grad)
            if style == "returns":
                for child, part in zip(inputs, parts, strict=False):
                    child.grad += part

        custom.of_the_script = push  # type: ignore[attr-defined]
        original.__set__(node, custom)

    return property(get, put)


def _symbols(names: dict[str, Any]) -> property:
    """Return `_op` in the script's words."""
    original: Any = _ORIGINAL["_op"]

    def get(node: Any) -> Any:
        symbol = original.__get__(node)
        return names.get(symbol, _tags.get(symbol, symbol))

    def put(node: Any, symbol: Any) -> None:
        original.__set__(node, _as_text(symbol))

    return property(get, put)


_tags: dict[str, Any] = {}  # operation names that are not strings, such as members of an Enum


def _as_text(symbol: Any) -> str:
    """Return the name of an operation as gradwalk keeps it."""
    if symbol is None or isinstance(symbol, str):
        return symbol or ""
    _tags[repr(symbol)] = symbol
    return repr(symbol)


def raw_symbol(node: Any) -> str:
    """Return gradwalk's own name of the operation that made a node."""
    return _ORIGINAL["_op"].__get__(node)


def _dressed(original: Any, symbol: Any) -> Callable[..., Any]:
    """Return an operation of gradwalk's whose graph is the script's: numbers become leaves, and the
    operation has the script's name for it.
    """

    def method(self: Any, *others: Any) -> Any:
        nodes = [other if isinstance(other, Value) else Value(other) for other in others]
        out = original(self, *nodes)
        out._op = _as_text(symbol)
        return out

    return method


def _guarded(ours: Any, own: Any, takes_no_instance: bool) -> Callable[..., Any]:
    """Return an operation of gradwalk's that leaves wrong operands to the script's own."""
    right = int | float if takes_no_instance else int | float | Value

    def method(self: Any, other: Any) -> Any:
        return ours(self, other) if isinstance(other, right) else own(self, other)

    return method


def _but_for_itself(ours: Any, own: Any) -> Callable[..., Any]:
    """Return an operation of gradwalk's that leaves `a + a` to the script's own."""

    def method(self: Any, other: Any) -> Any:
        return own(self, other) if other is self else ours(self, other)

    return method


def _where_plain(ours: Any, own: Any, name: str) -> Callable[..., Any]:
    """Return a division of gradwalk's that leaves extreme divisors to the script's own."""
    reflected = name.startswith("__r")

    def method(self: Any, other: Any) -> Any:
        divisor = self if reflected else other
        number = divisor.data if isinstance(divisor, Value) else ops.real(divisor) or 0.0
        if 1e-150 < number < 1e150 or -1e150 < number < -1e-150 or ops.divides_plainly(number):
            return ours(self, other)
        return own(self, other)

    return method


def _with_arguments(own: Callable[..., Any]) -> Callable[..., Any]:
    """Return gradwalk's backward(), but the script's own where it is given arguments."""
    original: Any = _ORIGINAL["backward"]

    def backward(self: Any, *args: Any, **named: Any) -> Any:
        if args or named:
            return own(self, *args, **named)
        return original(self)

    return backward


def _checked(method: Any, renew: Callable[[Any], None]) -> Callable[..., Any]:
    def backward(self: Any, *args: Any, **named: Any) -> Any:
        renew(self)
        return method(self, *args, **named)

    return backward


def _checked_push(renew: Callable[[Any], None]) -> property:
    """Return the attribute `_backward` for a script that walks the graph outside of the class.

    Reading it brings the local gradients of the node up to date first.
    """
    original: Any = _ORIGINAL["_backward"]

    def get(node: Any) -> Any:
        renew(node)
        return original.__get__(node)

    return property(get, original.__set__)


def _symbol(method: str) -> str:
    bare = method.strip("_")
    row = ops.BY_NAME.get({"truediv": "div"}.get(bare, bare.removeprefix("r"))) or ops.BY_NAME.get(
        bare
    )
    return row.symbol if row else ""


def _maker(shape: Shape, theirs: type) -> Callable[..., Any]:
    """Return a function that takes what the script's constructor takes and returns a Value.

    Anything but a number goes to the script's own constructor, which raises its own error.
    """
    parameters = shape.parameters
    names = [one.name for one in parameters]
    roles = {one.name: one.role for one in parameters}
    default_op = next((one.default for one in parameters if one.role == "op"), "") or ""
    star = next((index for index, one in enumerate(parameters) if one.starred), None)

    def make(*args: Any, **named: Any) -> Any:
        if star is not None:
            args = (*args[:star], args[star:])
        if len(args) > len(names):
            raise TypeError(f"the constructor takes {len(names)} arguments, not {len(args)}")
        for name in named:
            if name not in roles or name in names[: len(args)]:
                raise TypeError(f"the constructor got an unexpected argument {name!r}")
        given = {**dict(zip(names, args, strict=False)), **named}
        by_role = {roles[name]: thing for name, thing in given.items()}
        data = by_role.pop("data")
        if shape.takes_values and isinstance(data, Value):
            data = data.data
        if ops.real(data) is None:
            theirs(*args, **named)
        inputs, local_grads = by_role.pop("inputs", None), by_role.pop("locals", None)
        if edges := by_role.pop("edges", None):
            inputs, local_grads = _parted(edges)
        op = by_role.pop("op", default_op)
        symbol = _as_text(op)
        node: Any = Value(data, tuple(inputs or ()), tuple(local_grads) if local_grads else symbol)
        if local_grads and symbol:
            node._op = symbol
        for role, thing in by_role.items():
            if role == "label":
                setattr(node, shape.label or "label", thing)
            elif role == "grad":
                node.grad = thing
            elif role == "push":
                setattr(node, shape.push, thing)
            else:
                setattr(node, role.partition(":")[2], thing)
        return node

    return make
