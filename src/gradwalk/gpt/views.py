"""What is inside a GPT, as plain data: parameters, gradients, attention, the graph of a loss.

Text and pictures of it are made in `render.plot`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from gradwalk.engine import Value, no_grad
from gradwalk.gpt.model import GPT, Past, Vector
from gradwalk.graph import Graph, snapshot

__all__ = ["Attention", "TensorView", "attention", "document_graph", "graph_rows", "tensor_views"]


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

    The parameters get their gradients back that they had before.
    """
    named = list(model.named_parameters())
    before = [(value.label, value.grad) for _, value in named]
    try:
        for name, value in named:
            value.label, value.grad = name, 0.0
        loss: Value = model.loss(tokens)
        loss.label = "loss"
        loss.backward()
        return snapshot(loss)
    finally:
        for (_, value), (label, grad) in zip(named, before, strict=True):
            value.label, value.grad = label, grad


def graph_rows(graph: Graph) -> list[dict[str, Any]]:
    """Return the nodes of a graph as JSON can hold them."""
    return [
        {
            "id": node.id,
            "op": node.op,
            "label": node.label,
            "data": node.data,
            "grad": node.grad,
            "operands": list(node.operands),
            "local_grads": list(node.local_grads),
            "tags": list(node.tags),
        }
        for node in graph.nodes
    ]
