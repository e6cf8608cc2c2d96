"""The engine, in plain Python: the specification that every other engine must match bit for bit.

The idea fits on one screen. An operation makes a `Value` that remembers its inputs and, for each
input, the local gradient d out / d input at that point. `backward()` sorts the graph so that
inputs come before their consumers, seeds the root with 1, and walks the order in reverse:

    input.grad += local * node.grad        along every edge

Start reading at `backward`, then `topological_order`, then the operators. The rules themselves
are rows of `gradwalk.ops`; copying and pickling are in `copying`; `no_grad` and its kin in `modes`.

Nothing here recurses, so depth is limited by memory alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from gradwalk import ops
from gradwalk.engine import arrays, copying, modes
from gradwalk.errors import AnomalyError, BackwardError, OperandError
from gradwalk.ops import Op, real

if TYPE_CHECKING:
    from pathlib import Path

CONST = "const"  # the _op of a plain number that an operation met


class Value:
    """A number that remembers how it was computed.

    >>> a, b, c = Value(2.0), Value(-3.0), Value(10.0)
    >>> f = (a + b) * c
    >>> f.backward()
    >>> f.data, a.grad, b.grad, c.grad
    (-10.0, 10.0, 10.0, -1.0)

    `_children` are the inputs in order (`a * a` has two), `_local_grads` one number for each.
    Both are those of the recorded point: changing `.data` later does not change what was computed.
    """

    __slots__ = (
        "__dict__",  # attributes that the user adds; made when the first one comes
        "__weakref__",
        "_children",
        "_custom",
        "_data",
        "_grad",
        "_label",
        "_line",
        "_local_grads",
        "_op",
        "_scope",
    )

    # What the engine reads: a script's own class may keep something else as `_children`.
    _operands: tuple[Value, ...]
    _partials: tuple[float, ...] | None
    data: float  # both take real numbers only: see `_number_property`
    grad: float

    def __init__(
        self,
        data: Any,
        _children: Iterable[Value] = (),
        _op: str | tuple[Any, ...] = "",
        label: str = "",
    ) -> None:
        """Make a leaf; or a node, in micrograd's form (children, op) or microGPT's (children, local
        gradients): a third argument that is a tuple is local gradients.
        """
        number = real(data)
        if number is None:
            raise OperandError(
                f"Value takes a real number, not {type(data).__name__}: {data!r:.40}"
            )
        children = tuple(_children)
        for child in children:
            if not isinstance(child, Value):
                raise OperandError(
                    f"an input is a Value, not {type(child).__name__}: {child!r:.40}"
                )
        self._data = number
        self._grad = 0.0
        self.label = label
        self._operands = children
        if isinstance(_op, tuple):
            if len(_op) != len(children):
                raise OperandError(
                    f"{len(children)} inputs need as many local gradients, not {_op!r:.40}"
                )
            self._op = ""
            self._partials = tuple([_local_grad(local) for local in _op])
        elif not isinstance(_op, str):  # a list, say, would be a name, and its gradients lost
            raise OperandError(
                "the third argument is the operation's name or a tuple of local gradients, "
                f"not {type(_op).__name__}: {_op!r:.40}"
            )
        else:
            self._op = _op
            self._partials = None if children else ()

    # ── The walk ─────────────────────────────────────────────────────────────────────────────

    def backward(
        self,
        buffers: Buffers | None = None,
        *,
        gradient: Any = 1.0,
        create_graph: bool = False,
    ) -> Any:
        """Fill `.grad` of every node below: d self / d node, times `gradient`.

        Interior gradients start at 0, leaves accumulate over calls. Either the whole walk happens
        or, when it is interrupted or raises, no gradient changes.

        With `create_graph`, the gradients of the leaves are computed as Values and returned in a
        dict by leaf, to be differentiated again. `.grad` of the leaves has their numbers.
        """
        if modes.active:
            modes.forbid("backward()")
        seed = real(gradient)
        if seed is None:
            raise OperandError(
                f"gradient is a real number, not {type(gradient).__name__}: {gradient!r:.40}"
            )
        if create_graph:  # by its name: the sweep that writes nodes stands above both engines
            from importlib import import_module

            return import_module("gradwalk.sweeps").backward_as_graph(self, seed)
        lent = _lend(buffers)
        modes.enclosed(lent._begin, lambda: _walk_back(self, lent, seed), lent._end)
        return None

    @property
    def _backward(self) -> Callable[[], None]:
        """Push this node's gradient one step back, to its inputs.

        Assigning a function of your own, as micrograd's operations do, replaces the local
        gradients: `backward()` then calls it.
        """
        return getattr(self, "_custom", None) or (lambda: _push(self))

    @_backward.setter
    def _backward(self, push: Callable[[], None]) -> None:
        self._custom = push
        self._partials = None

    @property
    def label(self) -> str:
        """A name for people. Only a str: an object could lead back to the node, in a cycle."""
        return self._label

    @label.setter
    def label(self, label: str) -> None:
        if not isinstance(label, str):
            raise OperandError(f"a label is a str, not {type(label).__name__}: {label!r:.40}")
        try:
            label.encode()
        except UnicodeEncodeError:
            raise OperandError(
                f"no file can hold half of a surrogate pair, as in the label {label!r:.40}"
            ) from None
        self._label = label

    @property
    def _prev(self) -> set[Value]:
        """The inputs as a set, micrograd's name for them."""
        return set(self._operands)

    def item(self) -> float:
        """Return the number, as PyTorch and numpy call it: the same as `.data`."""
        if modes.active:
            modes.forbid(".item()")
        return self._data

    def detach(self) -> Value:
        """Return a leaf with the same data: gradients stop there."""
        if modes.active:
            modes.forbid("detach()")
        return Value(self._data)

    def show(self, path: str | Path | None = None, open: bool = True) -> Any:  # noqa: A002
        """Write the walk over the graph below as a page of one file, open it, return its path.

        Without a path it goes to a temporary file; in a notebook it is a live view there. The page
        is the lab itself: play, step, try.
        """
        # By its name, when wanted: what draws stands above the engine, which imports nothing of it.
        from importlib import import_module

        return import_module("gradwalk.render.html").show(self, path, open)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows at the end of a cell."""
        from importlib import import_module

        return import_module("gradwalk.render.notebook").bundle(self)

    # ── Operators ────────────────────────────────────────────────────────────────────────────
    # + * ** are written out because they are most of every graph. The rest of the table becomes
    # methods at the end of this file.

    def __add__(self, other: Any) -> Value:
        if not isinstance(other, Value):
            if (other := constant(other)) is None:
                return NotImplemented
            return _node(self._data + other._data, "+", (self, other), (1.0, 0.0))
        return _node(self._data + other._data, "+", (self, other), (1.0, 1.0))

    def __mul__(self, other: Any) -> Value:
        x = self._data
        if not isinstance(other, Value):
            if (other := constant(other)) is None:
                return NotImplemented
            return _node(x * other._data, "*", (self, other), (other._data, 0.0))
        y = other._data
        return _node(x * y, "*", (self, other), (y, x))

    def __pow__(self, other: Any) -> Value:
        if not isinstance(other, Value) and (other := constant(other)) is None:
            return NotImplemented
        return Value._apply(ops.pow_, (self, other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rpow__(self, other: Any) -> Value:
        return NotImplemented if (base := constant(other)) is None else base**self

    # As in micrograd and microGPT, a - b is a + (b * -1) and a / b is a * b**-1, to the last bit.
    # The outer node carries the derived symbol, so that pictures can fold the pair into one. Where
    # b**-1 or b**-2 leaves the normal doubles, a / b is one node, with the row's own derivatives.

    # Where the left one is a constant, `_apply` is what knows that no gradient flows there.

    def __neg__(self) -> Value:
        flipped = Value._apply(ops.mul, (self, -1.0)) if self._op == CONST else self * -1.0
        return _renamed(flipped, "neg")

    def __sub__(self, other: Any) -> Value:
        if not isinstance(other, Value) and (other := constant(other)) is None:
            return NotImplemented
        return _renamed(self + -other, "-")

    def __rsub__(self, other: Any) -> Value:
        if (left := constant(other)) is None:
            return NotImplemented
        return _renamed(Value._apply(ops.add, (left, -self)), "-")

    def __truediv__(self, other: Any) -> Value:
        if not isinstance(other, Value) and (other := constant(other)) is None:
            return NotImplemented
        if not ops.divides_plainly(other._data):
            return _row(ops.div, (self, other))
        return _renamed(self * other**-1.0, "/")

    def __rtruediv__(self, other: Any) -> Value:
        if (left := constant(other)) is None:
            return NotImplemented
        if not ops.divides_plainly(self._data):
            return _row(ops.div, (left, self))
        return _renamed(Value._apply(ops.mul, (left, self**-1.0)), "/")

    def __floordiv__(self, other: Any) -> Value:
        if not isinstance(other, Value) and (other := constant(other)) is None:
            return NotImplemented
        return _row(ops.floordiv, (self, other))

    def __rfloordiv__(self, other: Any) -> Value:
        return NotImplemented if (left := constant(other)) is None else left // self

    def __mod__(self, other: Any) -> Value:
        if not isinstance(other, Value) and (other := constant(other)) is None:
            return NotImplemented
        return _row(ops.mod, (self, other))

    def __rmod__(self, other: Any) -> Value:
        return NotImplemented if (left := constant(other)) is None else left % self

    def __divmod__(self, other: Any) -> tuple[Value, Value]:
        if not isinstance(other, Value) and (other := constant(other)) is None:
            return NotImplemented
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Value, Value]:
        return NotImplemented if (left := constant(other)) is None else divmod(left, self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return Value._apply(ops.abs_, (self,))

    def __floor__(self) -> Value:  # math.floor, and numpy.floor by way of it
        return Value._apply(ops.floor, (self,))

    @staticmethod
    def _apply(op: Op, operands: tuple[Any, ...]) -> Value:
        """Record one row of the table: its value, and a local gradient for each operand."""
        if op.derived:
            return _DERIVED[op.name](*operands)
        return _row(
            op, tuple([x if isinstance(x, Value) else _number(op.real(x)) for x in operands])
        )

    # ── A number among numbers ───────────────────────────────────────────────────────────────
    # Compared by value, hashed by identity: sets and dicts hold nodes, not numbers.

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        if modes.active and (recorded := modes.compared("eq", self, other)) is not None:
            return recorded
        return self._data == y if (y := _comparable(other)) is not None else NotImplemented

    def __ne__(self, other: object) -> bool:
        if modes.active and (recorded := modes.compared("ne", self, other)) is not None:
            return recorded
        return self._data != y if (y := _comparable(other)) is not None else NotImplemented

    def __lt__(self, other: object) -> bool:
        if modes.active and (recorded := modes.compared("lt", self, other)) is not None:
            return recorded
        return self._data < y if (y := _comparable(other)) is not None else NotImplemented

    def __le__(self, other: object) -> bool:
        if modes.active and (recorded := modes.compared("le", self, other)) is not None:
            return recorded
        return self._data <= y if (y := _comparable(other)) is not None else NotImplemented

    def __gt__(self, other: object) -> bool:
        if modes.active and (recorded := modes.compared("gt", self, other)) is not None:
            return recorded
        return self._data > y if (y := _comparable(other)) is not None else NotImplemented

    def __ge__(self, other: object) -> bool:
        if modes.active and (recorded := modes.compared("ge", self, other)) is not None:
            return recorded
        return self._data >= y if (y := _comparable(other)) is not None else NotImplemented

    def __bool__(self) -> bool:
        if modes.active:
            modes.forbid("bool()")
        return self._data != 0.0

    def __float__(self) -> float:
        if modes.active:
            modes.forbid("float()")
        modes.leave_graph("float()")
        return float(self._data)

    def __int__(self) -> int:
        if modes.active:
            modes.forbid("int()")
        modes.leave_graph("int()")
        return int(self._data)

    def __format__(self, spec: str) -> str:
        if modes.active and spec:
            modes.forbid("a format")
        return format(self._data, spec) if spec else repr(self)

    def __repr__(self) -> str:
        label = f", label={self.label!r}" if self.label else ""
        return f"Value(data={self._data}, grad={self._grad}{label})"

    @property
    def _attributes(self) -> dict[str, Any] | None:
        """The attributes that the user added, or None."""
        return self.__dict__ or None

    # ── Copies ───────────────────────────────────────────────────────────────────────────────

    @classmethod
    def _restore(cls, state: copying.State) -> Value:
        """Make a node from what `copying` kept of one."""
        value = cls.__new__(cls)
        value._data, value._grad, value.label = state[:3]
        value._op, value._operands, value._partials = state[3:]
        return value

    __array_function__ = arrays.call
    __array_ufunc__ = arrays.call_ufunc
    __copy__ = copying.copy
    __deepcopy__ = copying.deepcopy
    __reduce_ex__ = copying.reduce


class Buffers:
    """The sort's lists, kept between calls: `root.backward(buffers)` in a training loop.

    One backward at a time may use them; they hold no node after it.
    """

    __slots__ = ("_busy", "order", "stack", "visited")

    def __init__(self) -> None:
        self.order: list[Value] = []
        self.visited: set[Value] = set()
        self.stack: list[tuple[Value, int]] = []
        self._busy = False

    def _begin(self) -> None:
        self._busy = True

    def _end(self) -> None:
        self.order.clear()
        self.visited.clear()
        self.stack.clear()
        self._busy = False


_keeps_interior = False


def keep_interior_grads(on: bool, /) -> None:
    """Let backward() add to gradients of inner nodes, as micrograd's does, or start them at 0.

    For `gradwalk run` alone: there a second backward() has to count the first one again, because
    the script's own class does.
    """
    global _keeps_interior
    _keeps_interior = on


def topological_order(root: Value) -> list[Value]:
    """Return the nodes below and including `root`, inputs before consumers, each once."""
    order: list[Value] = []
    _sort(root, order, set(), [])
    return order


def outdated(root: Value, /) -> Value | None:
    """Return a node below `root` that the data of its inputs would no longer give, or None.

    For `gradwalk run` alone: there the rules of a script may read data that was set after the
    operation, and gradwalk's local gradients are those of the recorded point.
    """
    symbol_of = operator.attrgetter("_op")
    nodes = topological_order(root)
    return next((node for node in nodes if newer_locals(node, symbol_of) is not None), None)


def newer_locals(node: Value, symbol_of: Callable[[Value], str]) -> tuple[float, ...] | None:
    """Return the local gradients at the data that the inputs have now; None where nothing differs.

    Those of + and - do not depend on data, and no rule reads a product's own data.
    """
    op, local_grads = ops.BY_SYMBOL.get(symbol_of(node)), node._partials
    numbers = [child.data for child in node._operands]
    if op is None or not local_grads or op.name in ("add", "sub", "neg"):
        return None
    if len(numbers) != op.arity:
        return None  # made by hand
    out, now = node.data, numbers[::-1]
    agree = any(x == y for x, y in zip(now, local_grads, strict=True))
    # a / b is a * b**-1, but one node where b is extreme.
    if not (op.name == "mul" or (op.name == "div" and agree)):
        out = op.value(*numbers)
        now = [partial(out, *numbers) for partial in op.partials]
    fixed = [symbol_of(child) == CONST for child in node._operands]
    now = [0.0 if is_fixed else local for is_fixed, local in zip(fixed, now, strict=True)]
    pairs = [(out, node.data), *zip(now, local_grads, strict=True)]
    differs = any(x != y and (x == x or y == y) for x, y in pairs)
    return tuple(now) if differs else None


def constant(number: object) -> Value | None:
    """Return a plain number as a node tagged const, or None when it is not a real number.

    It does not vary, so the local gradient towards it is 0.
    """
    value = real(number)
    return None if value is None else _number(value)


def record(data: float, op: str, inputs: Sequence[Value], local_grads: Sequence[float]) -> Value:
    """Return the node that an operation over a list makes, with local gradient 0 to constants."""
    pairs = zip(inputs, local_grads, strict=True)
    locals_ = tuple([0.0 if child._op == CONST else local for child, local in pairs])
    return _node(data, op, tuple(inputs), locals_)


def _sort(
    root: Value, order: list[Value], visited: set[Value], stack: list[tuple[Value, int]]
) -> None:
    """Append the graph to `order`, depth first, with a stack of (node, index of its next input)."""
    visited.add(root)
    node, index = root, 0
    while True:
        children = node._operands
        while index < len(children):
            child = children[index]
            index += 1
            if child in visited:
                continue
            visited.add(child)
            if child._operands:
                stack.append((node, index))
                node, children, index = child, child._operands, 0
            else:  # a leaf is done at once
                order.append(child)
        order.append(node)
        if not stack:
            return
        node, index = stack.pop()


def _local_grad(local: object) -> float:
    number = real(local)
    if number is None:
        raise OperandError(
            f"a local gradient is a real number, not {type(local).__name__}: {local!r:.40}"
        )
    return number


def _push(node: Value) -> None:
    if node._partials is None:
        return
    # 0 times an infinite gradient is nan; the side that was not selected receives nothing.
    chosen_only = node._op in _SELECTS and not math.isfinite(node._grad)
    for child, local in zip(node._operands, node._partials, strict=True):
        if local != 0.0 or not chosen_only:
            child._grad += local * node._grad


def _walk_back(root: Value, lent: Buffers, seed: float) -> None:
    order = lent.order
    _sort(root, order, lent.visited, lent.stack)
    before = [node._grad for node in order]
    try:
        if _keeps_interior:
            root._grad = seed
        else:
            for node in order:
                if node._operands:
                    node._grad = 0.0
            root._grad += seed
        if modes.active and modes.current() & modes.ANOMALY:
            _walk_watching(order)
            return
        for node in reversed(order):
            incoming = node._grad
            if incoming == 0.0 or not node._operands:
                continue
            local_grads = node._partials
            if local_grads is None:
                node._backward()
            elif incoming - incoming == 0.0:  # finite
                for child, local in zip(node._operands, local_grads):  # noqa: B905
                    child._grad += local * incoming
            else:
                _push(node)
    except BaseException:
        for node, grad in zip(order, before, strict=True):
            node._grad = grad
        raise


def _walk_watching(order: list[Value]) -> None:
    """The reverse walk of `backward`, stopping at the first gradient that is not finite."""
    for node in reversed(order):
        if node._grad == 0.0 or not node._operands:
            continue
        node._backward()
        for child in node._operands:
            if not math.isfinite(child._grad):
                raise AnomalyError(
                    f"backward through {node._op or 'a node'} gives an input the gradient "
                    f"{child._grad}{_made_at(node)}",
                    node._op,
                    getattr(node, "_line", None),
                )


_new = object.__new__


def _node(
    data: float, op: str, children: tuple[Value, ...], local_grads: tuple[float, ...]
) -> Value:
    """Make the result of an operation: the one door every node comes through."""
    value = _new(Value)
    value._data = data
    value._grad = 0.0
    value._label = ""
    value._op = op
    value._operands = children
    value._partials = local_grads
    if modes.active:
        _obey_modes(value)
    return value


def _row(op: Op, inputs: tuple[Value, ...]) -> Value:
    """Record one row of the table on Values."""
    numbers = [x._data for x in inputs]
    out = op.value(*numbers)
    local_grads = [
        0.0 if x._op == CONST else partial(out, *numbers)
        for x, partial in zip(inputs, op.partials, strict=True)
    ]
    return _node(out, op.symbol, inputs, tuple(local_grads))


def _number(data: float) -> Value:
    value = _new(Value)
    value._data = data
    value._grad = 0.0
    value._label = ""
    value._op = CONST
    value._operands = value._partials = ()
    return value


def _renamed(value: Value, symbol: str) -> Value:
    if value._operands:  # under no_grad there is no operation to name
        value._op = symbol
    return value


def _obey_modes(value: Value) -> None:
    flags = modes.current()
    if flags & modes.LINES:
        value._line = modes.calling_line()
    if flags & modes.SCOPES:
        value._scope = modes.current_scope()
    if flags & modes.ANOMALY and not math.isfinite(value._data):
        operands = ", ".join([repr(child._data) for child in value._operands])
        name = ops.BY_SYMBOL[value._op].name if value._op in ops.BY_SYMBOL else value._op
        raise AnomalyError(
            f"{name}({operands}) is {value._data}{_made_at(value)}",
            value._op,
            value._line,
        )
    if flags & modes.NO_GRAD:
        value._op = ""
        value._operands = value._partials = ()


def _made_at(value: Value) -> str:
    line = getattr(value, "_line", None)
    return f", made at {line[0]}:{line[1]}" if line else ""


def _comparable(other: object) -> float | None:
    return other._data if isinstance(other, Value) else real(other)


def _lend(buffers: Buffers | None) -> Buffers:
    if buffers is None:
        return Buffers()
    if not isinstance(buffers, Buffers):
        raise OperandError(f"backward takes Buffers or nothing, not {type(buffers).__name__}")
    if buffers._busy:
        raise BackwardError("these Buffers are in use by a backward() that has not returned")
    return buffers


_SELECTS = frozenset([op.symbol for op in ops.TABLE if op.selects])

_DERIVED: dict[str, Callable[..., Any]] = {
    "neg": operator.neg,
    "sub": operator.sub,
    "div": operator.truediv,  # pyright: ignore[reportUnknownMemberType]
}


def _method(op: Op) -> Callable[..., Any]:
    def method(self: Value, *others: Any) -> Any:
        return Value._apply(op, op.complete((self, *others)))

    method.__name__ = op.name
    method.__qualname__ = f"Value.{op.name}"
    method.__doc__ = f"{op.name}({', '.join(op.operands)}). {op.reason[0].upper()}{op.reason[1:]}."
    return method


for _op in ops.TABLE:
    if _op.is_method:
        for _name in (_op.name, *_op.aliases):
            setattr(Value, _name, _method(_op))


def _number_property(name: str, doc: str) -> property:
    """Return the property over the slot `_name`: it takes real numbers and keeps them as floats.

    While a function is recorded, neither reading nor setting it is allowed. The engine itself uses
    the slot.
    """
    get, put = getattr(Value, f"_{name}").__get__, getattr(Value, f"_{name}").__set__

    def read(self: Value) -> float:
        if modes.active:
            modes.forbid(f".{name}")
        return get(self)

    def assign(self: Value, number: object) -> None:
        if modes.active:
            modes.forbid(f".{name}")
        value = real(number)
        if value is None:
            raise OperandError(
                f"{name} is a real number, not {type(number).__name__}: {number!r:.40}"
            )
        put(self, value)

    def delete(self: Value) -> None:
        raise AttributeError(f"a Value keeps its {name}: it cannot be deleted")

    return property(read, assign, delete, doc)


for _name, _doc in (("data", "The number."), ("grad", "d root / d self, after root.backward().")):
    setattr(Value, _name, _number_property(_name, _doc))

Value._operands, Value._partials = vars(Value)["_children"], vars(Value)["_local_grads"]
Value.__module__ = (
    "gradwalk"  # where users find it, and where pickle looks for whichever engine runs
)
