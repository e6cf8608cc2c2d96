"""The first nan or infinity of a graph: where it was made, from what, and how it reaches the root.

`detect_anomaly()` stops at the line that makes one, before there is a loss. Here the graph is
whole: the first node that is not finite though its inputs are, or else the first gradient on the
way back.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from gradwalk.graph import Graph

__all__ = ["Anomaly", "first_anomaly"]


@dataclass(frozen=True, slots=True)
class Anomaly:
    """`node` made it, as a value or, `backward`, as a gradient; `path` leads to the root."""

    graph: Graph
    node: int
    backward: bool
    path: tuple[int, ...]


def first_anomaly(graph: Graph) -> Anomaly | None:
    """Return the first value that is not finite, else the first such gradient, else None.

    >>> from gradwalk import Value, snapshot
    >>> from gradwalk.anomaly import first_anomaly
    >>> x = Value(-1.0, label="x")
    >>> found = first_anomaly(snapshot(x.log() * 2 + x))
    >>> found.graph.name(found.node), [found.graph.name(i) for i in found.path]
    ('log', ['log', '*', '+'])
    """
    for node in graph.nodes:  # inputs come first, so those of the first one are finite
        if not isfinite(node.data):
            return Anomaly(graph, node.id, False, _path(graph, node.id))
    for node in reversed(graph.nodes):
        if not isfinite(node.grad):
            return Anomaly(graph, node.id, True, _path(graph, node.id))
    return None


def _path(graph: Graph, node: int) -> tuple[int, ...]:
    """Return a shortest way from a node to the root."""
    consumers = graph.consumers()
    before: dict[int, int] = {node: node}
    waiting = [node]
    for at in waiting:
        if at == graph.root:
            break
        for consumer in consumers[at]:
            if consumer not in before:
                before[consumer] = at
                waiting.append(consumer)
    way = [graph.root]
    while way[-1] != node:
        way.append(before[way[-1]])
    return tuple(reversed(way))
