"""What is inside a GPT, as plain data: parameters, gradients, attention, the graph of a loss.

Text and pictures of it are made in `render.plot`.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gradwalk.engine import Value, no_grad, scope, topological_order
from gradwalk.gpt.model import GPT, Past, Vector, Weights
from gradwalk.graph import Graph, snapshot


class TensorView(NamedTuple):
    """One matrix of parameters in numbers; `norm` is the root of the sum of squares."""

    name: str
    shape: tuple[int, ...]
    parameters: int
    mean: float
    norm: float
    largest: float
    grad_norm: float
    grad_largest: float


class Attention(NamedTuple):
    """`weights[layer][head][now][then]`: how much of token `then` goes into token `now`."""

    tokens: tuple[int, ...]
    weights: list[list[list[list[float]]]]


def tensor_views(model: GPT) -> list[TensorView]:
    """Return one row for each matrix, with the gradients that are there now."""
    rows: list[TensorView] = []
    for name, tensor in model.tensors():
        data: list[float] = [value.data for row in tensor for value in row]
        grad: list[float] = [value.grad for row in tensor for value in row]
        rows.append(
            TensorView(
                name,
                (len(tensor), len(tensor[0])),
                len(data),
                math.fsum(data) / len(data) if math.isfinite(sum(data)) else math.nan,
                math.hypot(*data),
                max(map(abs, data)),
                math.hypot(*grad),
                max(map(abs, grad)),
            )
        )
    return rows


def histogram(numbers: Sequence[float], bins: int = 25) -> dict[str, Any]:
    """Count numbers in equal bins from -most to most, where most is the largest size."""
    finite = [x for x in numbers if math.isfinite(x)]
    most = max(map(abs, finite), default=0.0) or 1.0
    counts = [0] * bins
    for x in finite:
        counts[min(bins - 1, int((x / most + 1.0) / 2.0 * bins))] += 1
    return {"low": -most, "high": most, "counts": counts, "strange": len(numbers) - len(finite)}


def log_histogram(numbers: Sequence[float], low: int = -10, high: int = 2) -> dict[str, Any]:
    """Count numbers by the power of ten of their size, two bins each; zeros are counted apart."""
    counts = [0] * (2 * (high - low))
    zeros = strange = 0
    for x in numbers:
        if x == 0.0:
            zeros += 1
        elif not math.isfinite(x):
            strange += 1
        else:
            place = int(2 * (math.log10(abs(x)) - low))
            counts[max(0, min(len(counts) - 1, place))] += 1
    return {"low": low, "high": high, "counts": counts, "zeros": zeros, "strange": strange}


def attention(model: GPT, tokens: Sequence[int]) -> Attention:
    """Read a document and return where each token looked."""
    n = min(model.config.block_size, len(tokens) - 1)
    heads = model.config.n_head
    looks: list[list[float]] = []  # in the order they happen: position, layer, head
    look = model.look

    def noted(query: Vector, keys: list[Vector]) -> Vector:
        weights = look(query, keys)
        looks.append([weight.data for weight in weights])
        return weights

    watched: Any = copy.copy(model)  # the same parameters; the model itself stays as it is
    watched.look = noted
    with no_grad():
        past = [Past() for _ in model.layers]
        for position in range(n):
            watched.logits(tokens[position], position, past)
    layers = model.config.n_layer
    weights = [
        [
            [looks[(now * layers + layer) * heads + head] for now in range(n)]
            for head in range(heads)
        ]
        for layer in range(layers)
    ]
    return Attention(tuple(tokens[:n]), weights)


def document_graph(model: GPT, tokens: Sequence[int]) -> Graph:
    """Return the graph of one document's loss, walked backward, parameters by their names.

    Its nodes carry the part of the model that made them, and the token they were made for, as their
    scope: `layers.0.attention.wq.token.2`.
    The parameters get their gradients back that they had before.
    """
    named = list(model.named_parameters())
    before = [(value.label, value.grad) for _, value in named]
    try:
        for name, value in named:
            value.label, value.grad = name, 0.0
        with scope():
            loss: Value = _boxed(model).loss(tokens)
        loss.label = "loss"
        _name_inside(loss)
        loss.backward()
        return snapshot(loss)
    finally:
        for (_, value), (label, grad) in zip(named, before, strict=True):
            value.label, value.grad = label, grad


def _boxed(model: GPT) -> GPT:
    """Return the model, its parameters shared, with a scope around each of its parts."""

    class Boxed(type(model)):
        def logits(self, token: int, position: int, past: list[Past]) -> Vector:
            # In the order of `logits`: a norm, then for each layer norm, attention, add, norm, …
            stages = [f"layers.{i}.{part}" for i in range(len(self.layers)) for part in "12"]
            self.norms = iter(["norm", *[f"{stage[:-1]}norm{stage[-1]}" for stage in stages]])
            self.adds = iter([f"{stage[:-1]}add{stage[-1]}" for stage in stages])
            self.token = f"token.{position}"
            with scope(self.token):
                return super().logits(token, position, past)

        def surprise(self, logits: Vector, target: int) -> Value:
            with scope(self.token), scope("surprise"):
                return super().surprise(logits, target)

        def norm(self, x: Vector) -> Vector:
            with scope(next(self.norms)):
                return super().norm(x)

        def add(self, change: Vector, x: Vector) -> Vector:
            with scope(next(self.adds)):
                return super().add(change, x)

        def attention(self, layer: Weights, x: Vector, past: Past) -> Vector:
            self.heads = iter(range(self.config.n_head))
            with scope(f"layers.{self.layers.index(layer)}.attention"):
                return super().attention(layer, x, past)

        def look(self, query: Vector, keys: list[Vector]) -> Vector:
            with scope(f"head.{next(self.heads)}"):
                return super().look(query, keys)

        def mlp(self, layer: Weights, x: Vector) -> Vector:
            with scope(f"layers.{self.layers.index(layer)}.mlp"):
                return super().mlp(layer, x)

    def inside(name: str) -> Callable[..., Any]:
        method: Callable[..., Any] = getattr(type(model), name)

        def run(*args: Any) -> Any:
            with scope(name):
                return method(*args)

        return run

    for name in ("embed", "read_out"):
        setattr(Boxed, name, inside(name))
    boxed: Any = copy.copy(model)
    boxed.__class__ = Boxed
    return boxed


def _name_inside(loss: Value) -> None:
    """Turn `token.2.layers.0.attention`, as made, into `layers.0.attention.wq.token.2`.

    Tokens come last: the outer boxes are the parts of the model, the innermost ones what a part
    does for one token. Attention and MLP are parted further. A node that reads a matrix belongs to
    it, one that reads a head's weights to that head, and what only works on such nodes belongs
    where they do. What is outside all parts sums the losses up.
    """
    parts: dict[Value, str] = {}
    for value in topological_order(loss):
        made = re.fullmatch(r"(token\.\d+)\.(.*)", getattr(value, "_scope", ""))
        if made is None:
            parts[value] = ""
            if value._children and value is not loss:
                value._scope = "sum"  # pyright: ignore[reportAttributeAccessIssue]
            continue
        token, part = made.groups()
        if part.endswith((".attention", ".mlp")):
            part = _inner_part(value, f"{part}.", parts) or part
        parts[value] = part
        value._scope = f"{part}.{token}"  # pyright: ignore[reportAttributeAccessIssue]


def _inner_part(value: Value, part: str, parts: dict[Value, str]) -> str:
    labels = {child.label.partition("[")[0] for child in value._children}
    matrices = sorted({label.rpartition(".")[2] for label in labels if label})
    near = {parts[child] for child in value._children if parts[child].startswith(part)}
    heads = sorted({found for found in near if found.startswith(f"{part}head.")})
    if len(matrices) == 1:
        return part + matrices[0]
    if heads:
        return heads[0]
    return near.pop() if len(near) == 1 else ""
