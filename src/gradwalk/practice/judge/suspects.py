"""Known bugs of a `Value`, each as a test of the gradients it leaves behind.

A suspect looks at a graph and at the gradients a learner's class gave for it, and says whether
its bug would have given just these. A bug often changes nothing on a small graph, so a suspect
that fits one failure must also fit everything that came out right: `judge` sees to that.

Suspects know graphs of one root. `again` is about calling backward() more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from gradwalk.errors import GraphError
from gradwalk.graph import Graph
from gradwalk.practice.answers import close
from gradwalk.walk import walk

__all__ = ["AGAIN", "RULES", "SUSPECTS", "Grads", "Suspect", "again", "same"]

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


# ── One backward ─────────────────────────────────────────────────────────────────────────────


def _no_seed(graph: Graph, got: Grads) -> bool:
    return not any(got)


def _nothing_pushed(graph: Graph, got: Grads) -> bool:
    return got[graph.root] == 1.0 and not any(list(got)[:-1])


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


def _one_of(grads: Callable[[Graph], Iterable[Grads]]) -> Callable[[Graph, Grads], bool]:
    return lambda graph, got: any(same(got, wrong) for wrong in grads(graph))


def _in_orders(
    *traversals: Callable[[Graph, bool], list[int]],
) -> Callable[[Graph], Iterator[Grads]]:
    """Return the gradients of walks in these orders, inputs taken from the left or the right."""

    def grads(graph: Graph) -> Iterator[Grads]:
        for traverse in traversals:
            for from_left in (True, False):
                yield _push(graph, traverse(graph, from_left))

    return grads


def _push(graph: Graph, order: Iterable[int], use: str = "both") -> list[float]:
    """Walk in any order, adding `incoming`, `local` or the product of both along each edge."""
    grads = [0.0] * len(graph)
    grads[graph.root] = 1.0
    for node_id in order:
        node = graph[node_id]
        for operand, local in zip(node.operands, node.local_grads, strict=True):
            incoming = grads[node_id]
            grads[operand] += {"both": local * incoming, "local": local, "incoming": incoming}[use]
    return grads


def _inputs(graph: Graph, node: int, from_left: bool) -> Sequence[int]:
    operands = graph[node].operands
    return operands if from_left else operands[::-1]


def _inputs_first(graph: Graph, from_left: bool) -> list[int]:
    """The usual depth-first sort, not reversed."""
    return [node for node, entering in _depth_first(graph, from_left) if not entering]


def _as_met(graph: Graph, from_left: bool) -> list[int]:
    """Depth first from the root, each node placed on the way down."""
    return [node for node, entering in _depth_first(graph, from_left) if entering]


def _as_met_reversed(graph: Graph, from_left: bool) -> list[int]:
    return _as_met(graph, from_left)[::-1]


def _depth_first(graph: Graph, from_left: bool) -> Iterator[tuple[int, bool]]:
    visited: set[int] = set()
    stack = [(graph.root, True)]
    while stack:
        node, entering = stack.pop()
        if entering and node in visited:
            continue
        visited.add(node)
        yield node, entering
        if entering:
            stack.append((node, False))
            stack += [(x, True) for x in reversed(_inputs(graph, node, from_left))]


def _level_by_level(graph: Graph, from_left: bool) -> list[int]:
    order = [graph.root]
    for node in order:
        order += [x for x in dict.fromkeys(_inputs(graph, node, from_left)) if x not in order]
    return order


def _each_input_once(graph: Graph) -> Iterator[Grads]:
    """`a * a` pushes once: the inputs are a set."""
    for last in (True, False):
        grads = [0.0] * len(graph)
        grads[graph.root] = 1.0
        for node in reversed(graph.nodes):
            edges = list(zip(node.operands, node.local_grads, strict=True))
            for operand, local in dict(edges if last else edges[::-1]).items():
                grads[operand] += local * grads[node.id]
        yield grads


def _without_visited(graph: Graph) -> Iterator[Grads]:
    try:
        yield walk(graph, bug="no-visited").grads
    except GraphError:  # too many visits to be simulated
        return


def _without_sort(graph: Graph) -> Iterator[Grads]:
    yield from _on_arrival(graph)
    yield from _pushed_first(graph)


def _without_incoming(graph: Graph) -> Iterator[Grads]:
    yield _push(graph, reversed(range(len(graph))), "local")


def _without_local(graph: Graph) -> Iterator[Grads]:
    yield _push(graph, reversed(range(len(graph))), "incoming")


def _on_arrival(graph: Graph) -> Iterator[Grads]:
    """Each node pushes all it has whenever something arrives, and calls its inputs to do so."""
    for from_left in (True, False):
        grads = [0.0] * len(graph)
        grads[graph.root] = 1.0
        # (node, edges it has yet to push along), as the calls would be nested
        stack = [(graph.root, 0)]
        for _ in range(20_000):
            if not stack:
                yield grads
                break
            node_id, index = stack.pop()
            node = graph[node_id]
            edges = list(zip(node.operands, node.local_grads, strict=True))
            if index < len(edges):
                operand, local = edges[index if from_left else -1 - index]
                grads[operand] += local * grads[node_id]
                stack += [(node_id, index + 1), (operand, 0)]


def _pushed_first(graph: Graph) -> Iterator[Grads]:
    """As on arrival, but all inputs receive before the first of them goes on."""
    grads = [0.0] * len(graph)
    grads[graph.root] = 1.0
    stack = [graph.root]
    for _ in range(20_000):
        if not stack:
            yield grads
            return
        node = graph[stack.pop()]
        for operand, local in zip(node.operands, node.local_grads, strict=True):
            grads[operand] += local * grads[node.id]
        stack += reversed(node.operands)


_ORDER = (
    "Place a node after all of its inputs, then walk that order from its end: a node may push "
    "only when everything that reads it has pushed."
)

SUSPECTS = (
    Suspect(
        "no-seed",
        "every gradient is 0: the walk starts from a root whose gradient was never set",
        "Set self.grad = 1.0 at the start of backward(), after the sort: d root / d root is 1.",
        _no_seed,
    ),
    Suspect(
        "nothing-pushed",
        "the root has its 1 and nothing else has received anything",
        "Walk every node of the sorted graph, not only the root, and let each push to its inputs.",
        _nothing_pushed,
    ),
    Suspect(
        "set-of-inputs",
        "a node that is used twice by one operation is pushed to once: the inputs are a set",
        "Keep the inputs as a tuple, in order: a * a has two edges.",
        _one_of(_each_input_once),
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
        _one_of(_in_orders(_inputs_first, _as_met_reversed)),
    ),
    Suspect(
        "as-met",
        "nodes are placed on the way down, before their inputs: a shared node pushes too early",
        _ORDER,
        _one_of(_in_orders(_as_met)),
    ),
    Suspect(
        "level-by-level",
        "the graph is walked level by level: a node with a short way to the root pushes before "
        "its long way has arrived",
        _ORDER,
        _one_of(_in_orders(_level_by_level)),
    ),
    Suspect(
        "no-visited",
        "a sort without the visited set: a shared node is placed, and pushes, again",
        "Keep a set of the nodes already seen, and let the sort pass over those.",
        _one_of(_without_visited),
    ),
    Suspect(
        "on-arrival",
        "there is no sort: a node pushes whenever something arrives, each time all it has so far",
        "Sort the graph first, then let each node push exactly once. " + _ORDER,
        _one_of(_without_sort),
    ),
    Suspect(
        "no-chain",
        "local gradients are added as they are: the gradient coming from above is left out",
        "The chain rule multiplies: input.grad += local * out.grad.",
        _one_of(_without_incoming),
    ),
    Suspect(
        "no-local",
        "the gradient is passed on unchanged by every operation: the local gradient is left out",
        "The chain rule multiplies: input.grad += local * out.grad.",
        _one_of(_without_local),
    ),
)


# ── More than one ────────────────────────────────────────────────────────────────────────────


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
        for node in reversed(graph.nodes[: root + 1]):
            if node.id in below:
                for operand, local in zip(node.operands, node.local_grads, strict=True):
                    grads[operand] += local * grads[node.id]
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


# ── Rules ────────────────────────────────────────────────────────────────────────────────────

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
