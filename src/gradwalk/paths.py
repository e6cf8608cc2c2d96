"""The paths behind one gradient: each path's product, and their sum, which is the gradient.

A graph of n nodes can have exponentially many paths. Their number and their sum cost one pass;
the largest are found best first, without going through the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, islice
from math import fsum, isfinite, isnan
from typing import NamedTuple

from gradwalk.engine import Value
from gradwalk.errors import GraphError
from gradwalk.graph import Graph, Node, snapshot

__all__ = ["Path", "Paths", "paths"]


@dataclass(frozen=True, slots=True)
class Path:
    """One way from the root to the leaf. `nodes` has one more entry than `locals`."""

    nodes: tuple[int, ...]
    locals: tuple[float, ...]
    product: float


@dataclass(frozen=True, slots=True)
class Paths:
    """The `count` paths from the root to a node, the `largest` of them, and the sum over all."""

    graph: Graph
    to: int
    count: int
    total: float
    largest: tuple[Path, ...]

    @property
    def complete(self) -> bool:
        """Whether every path is listed."""
        return len(self.largest) == self.count

    @property
    def rest(self) -> float:
        """What the paths that are not listed contribute."""
        if self.complete:
            return 0.0
        listed = [path.product for path in self.largest]
        if not all(map(isfinite, (self.total, *listed))):
            return self.total - sum(listed)  # fsum refuses inf - inf, which is nan
        return fsum((self.total, *[-product for product in listed]))


def paths(root: Value | Graph, to: Value | int | str | Node, most: int = 100) -> Paths:
    """Return the paths from `root` to `to`, the `most` largest by size of their product.

    >>> from gradwalk import Value, paths
    >>> a = Value(2.0, label="a")
    >>> found = paths((a + 1) * (a * 3), "a")
    >>> [path.product for path in found.largest], found.total
    ([9.0, 6.0], 15.0)
    """
    graph, goal = _locate(root, to)
    reach = _reach(graph, goal)
    if not reach[graph.root][0]:
        raise GraphError(f"no path leads from {graph.name(graph.root)} to {graph.name(goal)}")
    ways, _, total = reach[graph.root]
    return Paths(graph, goal, ways, total, tuple(islice(_best_first(graph, goal, reach), most)))


def _locate(root: Value | Graph, to: Value | int | str | Node) -> tuple[Graph, int]:
    if isinstance(root, Graph):
        if isinstance(to, Value):
            raise GraphError("a Value cannot be found in a Graph: name the node or give its id")
        return root, root.find(to).id
    if not isinstance(to, Value):
        graph = snapshot(root)
        return graph, graph.find(to).id
    # A Value is found by a mark, since a snapshot knows no objects. The mark keeps a node from
    # being folded away; the -1 inside of `a - b` and of `a / b` shows in primitives only.
    label, mark = to.label, "\0here"
    try:
        to.label = mark
        marked = snapshot(root)
    finally:
        to.label = label
    for graph in (marked, marked.unfold()):
        for node in graph.nodes:
            if node.label == mark:
                return graph.relabelled(mark, label), node.id
    raise GraphError(f"{to!r} is not in the graph of {root!r}")


# For each node: how many paths lead to the goal, the largest |product| among them, and their sum.
_Reach = tuple[int, float, float]


def _reach(graph: Graph, goal: int) -> list[_Reach]:
    reach: list[_Reach] = [(0, 0.0, 0.0)] * len(graph)
    reach[goal] = (1, 1.0, 1.0)
    for node in graph.nodes[goal + 1 :]:
        ways, largest, total = 0, 0.0, 0.0
        for operand, local in zip(node.operands, node.local_grads, strict=True):
            more, largest_below, total_below = reach[operand]
            if more:
                ways += more
                largest = max(largest, _size(local * largest_below))
                total += local * total_below
        reach[node.id] = (ways, largest, total)
    return reach


def _best_first(graph: Graph, goal: int, reach: list[_Reach]) -> Iterator[Path]:
    """Yield paths by falling size: the beginning that can still become the largest goes on first.

    A beginning's bound is the root's, times the share kept at each turn. The share of the best
    turn is exactly 1, so rounding never sends the search back, and among equals the newest
    beginning goes on: both keep it from spreading out over exponentially many.
    """
    newest = count(0, -1)
    heap: list[tuple[float, int, float, int, _Way | None]] = [
        (-reach[graph.root][1], next(newest), 1.0, graph.root, None)
    ]
    while heap:
        bound, _, product, node_id, way = heappop(heap)
        if node_id == goal:
            yield _path(goal, product, way)
            continue
        node = graph[node_id]
        best = reach[node_id][1]
        for operand, local in zip(reversed(node.operands), reversed(node.local_grads), strict=True):
            ways, largest, _ = reach[operand]
            if ways:
                here = _size(local * largest)
                share = 1.0 if here == best else here / best
                reached = bound * share if share else 0.0  # not inf · 0
                step = _Way(way, node_id, local)
                heappush(heap, (reached, next(newest), product * local, operand, step))


class _Way(NamedTuple):
    """A step of a path under way, and those before it: beginnings share their beginnings."""

    before: _Way | None
    node: int
    local: float


def _path(goal: int, product: float, way: _Way | None) -> Path:
    nodes, locals_ = [goal], list[float]()
    while way is not None:
        nodes.append(way.node)
        locals_.append(way.local)
        way = way.before
    return Path(tuple(nodes[::-1]), tuple(locals_[::-1]), product)


def _size(x: float) -> float:
    return float("inf") if isnan(x) else abs(x)  # a nan is worth seeing first
