"""Copying and pickling of whole graphs, at any depth, without recursion. Serves both engines.

The trouble with depth: `pickle` asks a node for its parts, which are its inputs, which it asks for
theirs, and so on down a million frames. So the first node asked hands over everything below it as
one flat list in topological order. The pickler then goes through that list; each node on it finds
its inputs already pickled, and answers for itself alone. Identity is kept: one object stays one
object, also across several values in the same pickle.
"""

from __future__ import annotations

import copyreg
from copy import deepcopy as copy_deeply
from threading import local
from typing import TYPE_CHECKING, Any
from weakref import ref

from gradwalk.errors import GraphError

if TYPE_CHECKING:
    from gradwalk.engine import Value

# data, grad, label, _op, _children, _local_grads
State = tuple[float, float, str, str, tuple[Any, ...], "tuple[float, ...] | None"]


def copy(value: Value) -> Value:
    """Return a node with the same inputs: the graph below is shared."""
    twin = type(value)._restore(_state(value, value._operands))
    _set_extras(twin, _extras(value))
    return twin


def deepcopy(value: Value, memo: dict[int, Any]) -> Value:
    """Return a copy of the whole graph below, shared with other copies made under `memo`."""
    from gradwalk.engine import topological_order

    for node in topological_order(value):
        if id(node) not in memo:
            inputs = tuple([memo[id(child)] for child in node._operands])
            memo[id(node)] = twin = type(node)._restore(_state(node, inputs))
            if extras := _extras(node):  # after the memo: what was added may lead back to the node
                _set_extras(twin, copy_deeply(extras, memo))
    return memo[id(value)]


def reduce(value: Value, _protocol: object) -> tuple[Any, ...]:
    """Tell pickle how to make `value` again; see the top of this file."""
    parts = (type(value), *_state(value, value._operands))
    extras = (_extras(value) or None, None, None, _set_extras)
    announced = _announced()
    if not value._operands or (announced is not None and id(value) in announced.ids):
        return _restore, parts, *extras

    from gradwalk.engine import topological_order

    below = topological_order(value)[:-1]
    announcement = _Announcement(frozenset(map(id, below)), announced)
    _thread.announcement = ref(announcement)
    return _restore_after, (below, announcement, *parts), *extras


class _Announcement:
    """The nodes of the flat list being pickled now. Pickled after the list, it removes itself.

    The thread holds it weakly: when a dump fails half-way, it goes away with the pickler.
    """

    def __init__(self, ids: frozenset[int], outer: _Announcement | None) -> None:
        self.ids = ids
        self._outer = outer

    def __reduce__(self) -> tuple[Any, ...]:
        _thread.announcement = ref(self._outer) if self._outer else None
        return bool, ()


_thread = local()


def _announced() -> _Announcement | None:
    announcement = getattr(_thread, "announcement", None)
    return announcement() if announcement else None


def _restore(kind: type[Value], *state: Any) -> Value:
    return kind._restore(state)


def _restore_after(_below: list[Value], _ended: bool, kind: type[Value], *state: Any) -> Value:
    return kind._restore(state)


def _state(value: Value, inputs: tuple[Value, ...]) -> State:
    local_grads = value._partials
    if local_grads is None and getattr(value, "_custom", None) is not None:
        raise GraphError(
            f"{value!r} pushes by a _backward function of its own, which would go on pushing to "
            "the original; give it local gradients instead: Value(data, inputs, local_grads)"
        )
    return value.data, value.grad, value.label, value._op, inputs, local_grads


def _extras(value: Value) -> dict[str, Any]:
    """Return the attributes that the user added, and those of a subclass's slots."""
    kind = type(value)
    if kind.__module__ == "gradwalk":
        return value._attributes or {}
    extras: dict[str, Any] = dict(value._attributes or {})
    base = next(base for base in kind.__mro__ if base.__module__ == "gradwalk")
    slot_names: list[str] = getattr(copyreg, "_slotnames")(kind)  # noqa: B009  (no public name)
    for name in slot_names:
        if name not in base.__dict__ and hasattr(value, name):
            extras[name] = getattr(value, name)
    return extras


def _set_extras(value: Value, extras: dict[str, Any]) -> None:
    for name, extra in extras.items():
        setattr(value, name, extra)
