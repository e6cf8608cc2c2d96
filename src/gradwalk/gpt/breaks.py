"""The same model with one thing broken, to see what that thing is for.

`BREAKS` is the list. A row changes a method of the model, in either form, or a habit of the
training: which one, `training` asks by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gradwalk.engine import Value, take, topological_order
from gradwalk.errors import OperandError
from gradwalk.gpt.model import GPT, Vector


@dataclass(frozen=True, slots=True)
class Break:
    """`methods` replace those of the model; a break of the training has none."""

    name: str
    words: str
    methods: dict[str, Callable[..., Any]]


def _only_the_change(_self: GPT, change: Vector, _x: Vector) -> Vector:
    return change


def _unchanged(_self: GPT, x: Vector) -> Vector:
    return x


def _token_alone(self: GPT, token: int, _position: int) -> Vector:
    return take(self.wte, token)


def _itself_alone(_self: GPT, _query: Vector, keys: list[Vector]) -> Vector:
    return [Value(0.0) for _ in keys[1:]] + [Value(1.0)]


def _without_relu(self: GPT, layer: Any, x: Vector) -> Vector:
    from gradwalk.engine import linear

    return linear(layer.fc2, linear(layer.fc1, x))


BREAKS: dict[str, Break] = {
    row.name: row
    for row in (
        Break("no-residual", "each layer replaces x, where it should change it",
              {"add": _only_the_change}),
        Break("no-rmsnorm", "vectors keep whatever size they have",
              {"norm": _unchanged}),
        Break("no-position", "the model knows the tokens and not where they stand",
              {"embed": _token_alone}),
        Break("no-attention", "each token takes from itself alone and never looks back",
              {"look": _itself_alone}),
        Break("no-relu", "two matrices in a row, which are no more than one",
              {"mlp": _without_relu}),
        Break("overwrite-grads", "= in place of +=: a second contribution replaces the first", {}),
        Break("no-zero-grad", "gradients are not set back to 0 between steps", {}),
        Break("no-decay", "the learning rate stays where it begins", {}),
    )
}  # fmt: skip


def find(name: str) -> Break | None:
    """Return the row of this name; none for the empty name, which is the sound model."""
    if not name:
        return None
    if name not in BREAKS:
        raise OperandError(f"there is no break {name!r}; there are {', '.join(BREAKS)}")
    return BREAKS[name]


def broken(form: type[GPT], name: str) -> type[GPT]:
    """Return the model class with this break's methods in place of its own."""
    row = find(name)
    if row is None or not row.methods:
        return form
    return type(f"{form.__name__}:{name}", (form,), dict(row.methods))


def backward_overwriting(root: Value) -> None:
    """Walk backward with the classic mistake: `input.grad = …`, where `+=` is right."""
    order = topological_order(root)
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(order):
        if node.grad != 0.0:
            for child, local in zip(node._children, node._local_grads or (), strict=True):
                child.grad = local * node.grad
