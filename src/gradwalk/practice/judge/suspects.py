"""Known bugs of a `Value`, each as a test of the gradients it leaves behind.

A suspect says whether its bug would have left just these gradients on a graph of one root. A bug
often changes nothing on a small graph, so a suspect that fits one failure must also fit everything
that came out right: `why` sees to that. `again` is about calling backward() more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from gradwalk.errors import GraphError
from gradwalk.graph import Graph
from gradwalk.practice.answers import close
from gradwalk.walk import walk

Grads = Sequence[float | None]
"""A gradient for each node of a graph; None for a plain number, which has none."""


class Suspect(NamedTuple):
    name: str
    words: str
    remedy: str
    fits: Callable[[Graph, Grads], bool]


def same(got: Grads, expected: Grads) -> bool:
    """Whether two lists of gradients agree wherever both have one."""
    return all(
        g is None or e is None or close(g, e, 1e-7) for g, e in zip(got, expected, strict=True)
    )


Edges = Iterable[tuple[int, int]]
"""Nodes, each with the index of an operand that it pushes to, in the order of the pushes."""

_MOST_PUSHES = 20_000


def _push(
    graph: Graph, edges: Edges, use: str = "both", grads: list[float] | None = None
) -> list[float]:
    """Push along edges, one by one: incoming × local, or either of them alone."""
    if grads is None:
        grads = [0.0] * graph.root + [1.0]
    for node_id, index in edges:
        node, incoming = graph[node_id], grads[node_id]
        local = node.local_grads[index]
        pushed = {"both": local * incoming, "local": local, "incoming": incoming}[use]
        grads[node.operands[index]] += pushed
    return grads


def _fits(*ways: Callable[[Graph], Iterable[Grads]]) -> Callable[[Graph, Grads], bool]:
    """Return whether gradients are some that one of these ways gives."""
    return lambda graph, got: any(same(got, wrong) for way in ways for wrong in way(graph))


def _along(*ways: Callable[[Graph, int], Edges]) -> Callable[[Graph, Grads], bool]:
    """Return whether gradients come of pushes along these edges, from the left or the right."""

    def grads(graph: Graph) -> Iterator[Grads]:
        for way in ways:
            for step in (1, -1):
                edges = list(islice(way(graph, step), _MOST_PUSHES + 1))
                if len(edges) <= _MOST_PUSHES:
                    yield _push(graph, edges)

    return _fits(grads)


def _of_nodes(graph: Graph, order: Iterable[int]) -> Edges:
    """Yield all edges of one node after the other."""
    return ((node, index) for node in order for index in range(len(graph[node].operands)))


def _with_part(use: str) -> Callable[[Graph, Grads], bool]:
    """Return whether gradients come of the right walk with local or incoming gradients alone."""
    return _fits(lambda graph: [_push(graph, _of_nodes(graph, range(graph.root, -1, -1)), use)])


def _overwritten(graph: Graph, got: Grads) -> bool:
    """Whether every gradient is one of its contributions, as the consumers' gradients make them."""
    contributions: list[list[float]] = [[] for _ in graph.nodes]
    for node in graph.nodes:
        for operand, local in zip(node.operands, node.local_grads, strict=True):
            contributions[operand].append(local * (got[node.id] or 0.0))
    return got[graph.root] == 1.0 and all(
        grad is None or not parts or any(close(grad, part, 1e-7) for part in parts)
        for grad, parts in zip(got, contributions, strict=True)
    )


def _depth_first(graph: Graph, step: int) -> tuple[list[int], list[int], list[int]]:
    """Return the nodes as met on the way down, each behind all its inputs, and last met first."""
    met: list[int] = []
    placed: list[int] = []
    stack = [(graph.root, True)]
    while stack:
        node, entering = stack.pop()
        if not entering:
            placed.append(node)
        elif node not in met:
            met.append(node)
            stack += [(node, False), *[(x, True) for x in graph[node].operands[::-step]]]
    return met, placed, met[::-1]


def _sorted(*which: int) -> Callable[[Graph, Grads], bool]:
    """Return whether gradients come of nodes that push in these orders of the depth-first sort."""

    def way(order: int) -> Callable[[Graph, int], Edges]:
        return lambda graph, step: _of_nodes(graph, _depth_first(graph, step)[order])

    return _along(*map(way, which))


def _level_by_level(graph: Graph, step: int) -> Edges:
    order = [graph.root]
    for node in order:
        order += [x for x in dict.fromkeys(graph[node].operands[::step]) if x not in order]
    return _of_nodes(graph, order)


def _each_input_once(graph: Graph, step: int) -> Edges:
    """`a * a` pushes once: the inputs are a set."""
    for node in reversed(graph.nodes):
        last = dict(list(zip(node.operands, range(len(node.operands)), strict=True))[::step])
        yield from [(node.id, index) for index in last.values()]


def _on_arrival(graph: Graph, step: int, start: int | None = None) -> Edges:
    """Each node pushes all it has whenever something arrives, and calls its inputs to do so."""
    node = graph.root if start is None else start
    for index, operand in list(enumerate(graph[node].operands))[::step]:
        yield node, index
        yield from _on_arrival(graph, step, operand)


def _pushed_first(graph: Graph, step: int) -> Edges:
    """As on arrival, but all inputs receive before the first of them goes on."""
    stack = [graph.root]
    while stack:
        node = stack.pop()
        yield from _of_nodes(graph, [node])
        stack += graph[node].operands[::-step]


def _without_visited(graph: Graph) -> Iterator[Grads]:
    with suppress(GraphError):  # too many visits to be simulated
        yield walk(graph, bug="no-visited").grads


_ORDER = (
    "Place a node after all of its inputs, then walk that order from its end: a node may push "
    "only when everything that reads it has pushed."
)

SUSPECTS = (
    Suspect(
        "no-seed",
        "every gradient is 0: the walk starts from a root whose gradient was never set",
        "Set self.grad = 1.0 at the start of backward(), after the sort: d root / d root is 1.",
        _fits(lambda graph: [[0.0] * len(graph)]),
    ),
    Suspect(
        "nothing-pushed",
        "the root has its 1 and nothing else has received anything",
        "Walk every node of the sorted graph, not only the root, and let each push to its inputs.",
        _fits(lambda graph: [_push(graph, [])]),
    ),
    Suspect(
        "set-of-inputs",
        "a node that is used twice by one operation is pushed to once: the inputs are a set",
        "Keep the inputs as a tuple, in order: a * a has two edges.",
        _along(_each_input_once),
    ),
    Suspect(
        "overwrite",
        "`=` in place of `+=`: a second contribution replaces the first",
        "Write input.grad += local * out.grad: the contributions of all paths add up.",
        _overwritten,
    ),
    Suspect(
        "wrong-order",
        "the order is not reversed: nodes push before their gradient has arrived",
        _ORDER,
        _sorted(1, 2),
    ),
    Suspect(
        "as-met",
        "nodes are placed on the way down, before their inputs: a shared node pushes too early",
        _ORDER,
        _sorted(0),
    ),
    Suspect(
        "level-by-level",
        "the graph is walked level by level: a node with a short way to the root pushes before "
        "its long way has arrived",
        _ORDER,
        _along(_level_by_level),
    ),
    Suspect(
        "no-visited",
        "a sort without the visited set: a shared node is placed, and pushes, again",
        "Keep a set of the nodes already seen, and let the sort pass over those.",
        _fits(_without_visited),
    ),
    Suspect(
        "on-arrival",
        "there is no sort: a node pushes whenever something arrives, each time all it has so far",
        "Sort the graph first, then let each node push exactly once. " + _ORDER,
        _along(_on_arrival, _pushed_first),
    ),
    Suspect(
        "no-chain",
        "local gradients are added as they are: the gradient coming from above is left out",
        "The chain rule multiplies: input.grad += local * out.grad.",
        _with_part("local"),
    ),
    Suspect(
        "no-local",
        "the gradient is passed on unchanged by every operation: the local gradient is left out",
        "The chain rule multiplies: input.grad += local * out.grad.",
        _with_part("incoming"),
    ),
)


def again(graph: Graph, roots: Sequence[int], reset: str) -> list[float]:
    """Return the gradients after backward() on each root in turn.

    `reset` says what each starts by setting to 0: "inner" nodes as gradwalk does, "all" below the
    root, or "none". With "kept" a node is walked by the first call that meets it, and no other.
    """
    grads = [0.0] * len(graph)
    walked: set[int] = set()
    for root in roots:
        below = {root}
        for node in reversed(graph.nodes[: root + 1]):
            if node.id in below:
                below.update(set(node.operands) - walked)
                if reset == "all" or (reset == "inner" and node.operands):
                    grads[node.id] = 0.0
        grads[root] = 1.0
        _push(graph, _of_nodes(graph, sorted(below, reverse=True)), grads=grads)
        walked |= below if reset == "kept" else set()
    return grads


AGAIN = (
    (
        "none",
        "no-reset",
        "gradients left in the inner nodes by the first backward() are pushed a second time",
        "At the start of backward(), set the gradient of every node that has inputs to 0; leaves "
        "keep theirs and accumulate.",
    ),
    (
        "kept",
        "kept-visited",
        "the second backward() passes over what the first has visited: the visited set is kept",
        "Make the list and the visited set inside backward(), not as a default argument or a "
        "global.",
    ),
)


# What people write for a local gradient: the symbol, which operand, the wrong formula, in words.
# `out` is the result, `x` and `y` are the operands.
RULES: tuple[tuple[str, int, str, str], ...] = (
    ("+", 1, "0", "only the first input receives something"),
    ("*", 0, "x", "each input is given its own value, but multiply swaps them"),
    ("*", 0, "1", "that is the rule of +, but multiply swaps and scales"),
    ("*", 1, "0", "only the first input receives something"),
    ("-", 1, "1", "the second input of a difference receives -1, not 1"),
    ("/", 1, "x / y**2", "the minus sign is missing"),
    ("/", 1, "1 / y", "that is the rule for the first input"),
    ("/", 1, "-1 / y**2", "the first input's value is missing as a factor"),
    ("**", 0, "x**(y - 1)", "the factor n is missing"),
    ("**", 0, "y * x**y", "the exponent must go down by one"),
    ("**", 0, "y * x", "that is right for squares alone"),
    ("neg", 0, "1", "the minus sign is missing"),
    ("exp", 0, "x", "that is the input, but exp scales by its output"),
    ("exp", 0, "x * out", "there is one factor too many"),
    ("exp", 0, "1", "the gradient is passed on unchanged, but exp scales it by its output"),
    ("log", 0, "out", "that is the output"),
    ("log", 0, "x", "that is the input, not one over it"),
    ("log", 0, "1 / out", "that is one over the output, not over the input"),
    ("tanh", 0, "1 - x**2", "it takes the input where it should take the output"),
    ("tanh", 0, "1 - out", "the square is missing"),
    ("tanh", 0, "1 + out**2", "the sign of the square is wrong"),
    ("relu", 0, "1", "a closed relu passes nothing on"),
    ("relu", 0, "0", "an open relu passes the gradient on unchanged"),
    ("relu", 0, "out", "that is the output, but an open relu passes the gradient on unchanged"),
    ("sigmoid", 0, "1 - out", "the factor s is missing"),
)
