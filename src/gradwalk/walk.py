"""The walk as data: every step of forward, sort and backward, with its numbers and its reason.

`walk(root)` is the right walk. `walk(root, order=[…])` runs any visit order under one rule, a
visited node accepts nothing more, and reports what was lost; `walk(root, bug=…)` makes a classic
mistake on purpose. Either way `grads` is what this walk computed, `expected` what is right.

Start reading at `Walk`, then `walk`. Text, pictures and JSON are made from this in `render`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gradwalk import ops
from gradwalk.engine import Value, nary
from gradwalk.errors import GraphError, OrderError
from gradwalk.graph import Graph, Node, number, snapshot
from gradwalk.statements import relation

__all__ = ["BUGS", "BackwardStep", "ForwardStep", "Lost", "Push", "SortStep", "Walk", "walk"]

BUGS = {
    "overwrite": "`=` in place of `+=`: a second contribution replaces the first",
    "no-reset": "a second backward() on gradients that were not set back to 0",
    "no-visited": "a sort without the visited set: a shared node is placed, and pushes, again",
    "wrong-order": "the order is not reversed: nodes push before their gradient has arrived",
}

_MOST_VISITS = 100_000


@dataclass(frozen=True, slots=True)
class ForwardStep:
    """A node computes its data; leaves have theirs already."""

    node: int
    data: float
    equation: str


class _Cell(NamedTuple):
    """An entry of the sort's stack, and those below it.

    Linked, so that every step keeps its own stack at the cost of a cell, not of a copy.
    """

    below: _Cell | None
    node: int
    next_input: int


@dataclass(frozen=True, slots=True)
class SortStep:
    """One turn of the sort: a (node, index of its next input) is popped from the stack.

    `note` is "", "leaf", "done", or "a already visited".
    """

    pop: tuple[int, int]
    note: str
    placed: int
    _stack: _Cell | None = field(repr=False, compare=False)
    _order: tuple[int, ...] = field(repr=False, compare=False)

    @property
    def stack(self) -> list[tuple[int, int]]:
        """The stack after this step, bottom first."""
        entries: list[tuple[int, int]] = []
        cell = self._stack
        while cell is not None:
            entries.append((cell.node, cell.next_input))
            cell = cell.below
        return entries[::-1]

    @property
    def sorted(self) -> tuple[int, ...]:
        """The nodes placed so far, in order."""
        return self._order[: self.placed]


@dataclass(frozen=True, slots=True)
class Push:
    """One contribution along one edge: incoming × local, added to what the input had."""

    to: int
    operand: int
    incoming: float
    local: float
    contribution: float
    before: float
    after: float
    formula: str
    reason: str


@dataclass(frozen=True, slots=True)
class BackwardStep:
    """A node is visited with the gradient it has by then, and pushes to its inputs.

    `note` says why nothing was pushed: "leaf", or "gradient 0".
    """

    node: int
    grad: float
    pushes: tuple[Push, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """A contribution that arrived at a node after its visit, so that it went nowhere."""

    source: int
    to: int
    contribution: float
    why: str
    _up: Sequence[int] = field(repr=False, compare=False)

    @property
    def path(self) -> tuple[int, ...]:
        """A shortest way from the root to the source, and the node that it did not reach."""
        way = [self.to, self.source]
        while self._up[way[-1]] != way[-1]:
            way.append(self._up[way[-1]])
        return tuple(reversed(way))


@dataclass(frozen=True, slots=True, repr=False)
class Walk:
    """A whole walk. `order` is the order of visits; lists of numbers have one per node."""

    graph: Graph
    forward: tuple[ForwardStep, ...]
    sort: tuple[SortStep, ...]
    order: tuple[int, ...]
    backward: tuple[BackwardStep, ...]
    grads: tuple[float, ...]
    expected: tuple[float, ...]
    lost: tuple[Lost, ...] = ()
    bug: str | None = None

    def __repr__(self) -> str:
        return f"<Walk of {len(self.graph)} nodes, {len(self.wrong)} gradients wrong>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows at the end of a cell: see `Value.show` for the import."""
        from importlib import import_module

        return import_module("gradwalk.render.notebook").bundle(self)

    @property
    def own_order(self) -> list[int]:
        """The order of visits where it is not the one that the sort makes, without constants."""
        order = [node for node in self.order if not self.graph[node].is_const]
        usual = [node for node in reversed(self.sort[-1].sorted) if not self.graph[node].is_const]
        return [] if order == usual else order

    def until(self, pushes: int) -> Walk:
        """Return the walk as it stands after so many pushes along an edge.

        >>> c = (a := Value(2.0, label="a")) * a
        >>> walk(c).until(0).grads, walk(c).until(1).grads
        ((0.0, 1.0), (2.0, 1.0))
        """
        grads, done = [0.0] * len(self.graph), list[BackwardStep]()
        grads[self.graph.root] = 1.0
        for step in self.backward:
            if pushes <= 0:
                break
            done.append(replace(step, pushes=step.pushes[:pushes]))
            pushes -= len(step.pushes)
            for push in done[-1].pushes:
                grads[push.to] = push.after
        received = tuple(grads)
        return replace(self, backward=tuple(done), grads=received, expected=received, lost=())

    @property
    def wrong(self) -> tuple[int, ...]:
        """The ids of nodes whose gradient came out other than it should."""
        return tuple(
            [
                node.id
                for node in self.graph.nodes
                if not node.is_const and not _same(self.grads[node.id], self.expected[node.id])
            ]
        )


def walk(
    root: Value | Graph,
    *,
    order: Sequence[int | str | Node] | None = None,
    bug: str | None = None,
) -> Walk:
    """Return the walk of the graph under `root`.

    `order` names every node but the constants, in the order to visit them. `bug` is a key of BUGS;
    only "overwrite" goes together with an order.

    >>> from gradwalk import Value, walk
    >>> a, b = Value(2.0, label="a"), Value(3.0, label="b")
    >>> w = walk(a * b + a)
    >>> [(w.graph.name(push.to), push.before, push.contribution, push.after)
    ...  for step in w.backward for push in step.pushes]
    [('*', 0.0, 1.0, 1.0), ('a', 0.0, 1.0, 1.0), ('a', 1.0, 3.0, 4.0), ('b', 0.0, 2.0, 2.0)]
    """
    graph = root if isinstance(root, Graph) else snapshot(root)
    if bug is not None and bug not in BUGS:
        raise GraphError(f"there is no bug {bug!r}; the bugs are {', '.join(BUGS)}")
    if order is not None and bug not in (None, "overwrite"):
        raise OrderError(f"an order of your own goes with no bug but overwrite, not with {bug}")

    sort, placed = _sort(graph)
    right = tuple(reversed(placed))
    expected = _Backward(graph).visit(right).grads
    run = _Backward(graph, overwrite=bug == "overwrite", closes=order is not None)
    if order is not None:
        visits = _checked_order(graph, order)
    elif bug == "wrong-order":
        visits = placed
    elif bug == "no-visited":
        visits = tuple(reversed(_sort_without_visited(graph)))
    else:
        visits = right
    run.visit(visits)
    if bug == "no-reset":
        run.visit(visits)
    return Walk(
        graph.with_grads(expected),
        tuple(_forward(graph)),
        sort,
        visits,
        tuple(run.steps),
        tuple(run.grads),
        tuple(expected),
        tuple(run.lost),
        bug,
    )


# ── Forward ──────────────────────────────────────────────────────────────────────────────────


def _forward(graph: Graph) -> Iterator[ForwardStep]:
    for node in graph.nodes:
        if node.operands:
            yield ForwardStep(node.id, node.data, equation(graph, node))


def equation(graph: Graph, node: Node) -> str:
    """Return a node's arithmetic in numbers: `2 + -3 = -1`, `tanh(0.5) ≈ 0.462117`."""
    operands = [number(graph[operand].data) for operand in node.operands]
    out = number(node.data)
    end = f" {relation(node.op, operands, out)} {out}"
    op = ops.BY_SYMBOL.get(node.op)
    if op is not None and op.infix:
        base, other = operands
        left = f"({base})" if node.op == "**" and base.startswith("-") else base
        return f"{left} {node.op} {other}{end}"
    if node.op == "neg":
        return f"-({operands[0]}){end}"
    return f"{node.op or 'node'}({', '.join(operands)}){end}"


# ── Sort ─────────────────────────────────────────────────────────────────────────────────────


def _sort(graph: Graph) -> tuple[tuple[SortStep, ...], tuple[int, ...]]:
    """Sort with a stack of (node, index of its next input), keeping every turn."""
    turns: list[tuple[tuple[int, int], str, int, _Cell | None]] = []
    placed: list[int] = []
    visited = {graph.root}
    stack: _Cell | None = _Cell(None, graph.root, 0)
    while stack is not None:
        below, node, index = stack
        operands = graph[node].operands
        if index == len(operands):
            placed.append(node)
            stack, note = below, "done" if operands else "leaf"
        else:
            stack, note = _Cell(below, node, index + 1), ""
            operand = operands[index]
            if operand in visited:
                note = f"{graph.name(operand)} already visited"
            else:
                visited.add(operand)
                stack = _Cell(stack, operand, 0)
        turns.append(((node, index), note, len(placed), stack))
    order = tuple(placed)
    return tuple([SortStep(*turn, order) for turn in turns]), order


def _sort_without_visited(graph: Graph) -> list[int]:
    """Return the order that the sort gives when it forgets which nodes it has seen."""
    visits = [1] * len(graph)
    for node in graph.nodes:
        visits[node.id] += sum([visits[operand] for operand in node.operands])
    if visits[graph.root] > _MOST_VISITS:
        raise GraphError(
            f"without the visited set this sort makes {_written(visits[graph.root])} visits to "
            f"{len(graph)} nodes; take a smaller graph, up to {_MOST_VISITS} visits"
        )
    placed: list[int] = []
    stack = [(graph.root, 0)]
    while stack:
        node, index = stack.pop()
        operands = graph[node].operands
        if index == len(operands):
            placed.append(node)
        else:
            stack += [(node, index + 1), (operands[index], 0)]
    return placed


def _written(count: int) -> str:
    """Return a count with all its digits, or a power of ten that it is above: Python writes no
    number of more than 4,300 digits, and nobody reads one of more than 20.
    """
    if count < 10**20:
        return str(count)
    return f"more than 10^{(count.bit_length() - 1) * 30103 // 100000}"


# ── Backward ─────────────────────────────────────────────────────────────────────────────────


class _Backward:
    """A backward walk under way; `visit` may be called again, on the gradients left behind.

    `closes` is the order puzzle's rule: a visited node accepts nothing more.
    """

    def __init__(self, graph: Graph, *, overwrite: bool = False, closes: bool = False) -> None:
        self.graph = graph
        self.overwrite = overwrite
        self.closes = closes
        self.grads = [0.0] * len(graph)
        self.steps: list[BackwardStep] = []
        self.lost: list[Lost] = []
        self._up: list[int] | None = None

    def visit(self, order: Iterable[int]) -> _Backward:
        self.grads[self.graph.root] = 1.0
        closed: set[int] = set()
        for node_id in order:
            node = self.graph[node_id]
            if node.is_const:
                continue
            closed.add(node_id)
            grad = self.grads[node_id]
            if not node.operands:
                step = BackwardStep(node_id, grad, (), "leaf")
            elif grad == 0.0:
                step = BackwardStep(node_id, grad, (), "gradient 0")
            else:
                step = BackwardStep(node_id, grad, tuple(self._pushes(node, grad, closed)))
            self.steps.append(step)
        return self

    def _pushes(self, node: Node, incoming: float, closed: set[int]) -> Iterator[Push]:
        row = ops.BY_SYMBOL.get(node.op)
        for index, (to, local) in enumerate(zip(node.operands, node.local_grads, strict=True)):
            if self.graph[to].is_const:
                continue
            contribution = _contribution(row, local, incoming)
            before = self.grads[to]
            if self.closes and to in closed:
                if contribution != 0.0:
                    self.lost.append(self._lose(node.id, to, contribution))
                continue
            after = contribution if self.overwrite else before + contribution
            self.grads[to] = after
            formula = _formula(self.graph, node, row, index)
            reason = _reason(node, row)
            yield Push(to, index, incoming, local, contribution, before, after, formula, reason)

    def _lose(self, source: int, to: int, contribution: float) -> Lost:
        if self._up is None:
            self._up = _ways_up(self.graph)
        there = self.graph.name(to)
        why = (
            f"{there} was visited before {self.graph.name(source)}, "
            "and a visited node accepts nothing more"
        )
        return Lost(source, to, contribution, why, self._up)


def _contribution(row: ops.Op | None, local: float, incoming: float) -> float:
    """Return local × incoming; a side that was not selected gets nothing, even of an infinity."""
    if local == 0.0 and row is not None and row.selects and incoming - incoming != 0.0:
        return 0.0
    return local * incoming


def _reason(node: Node, row: ops.Op | None) -> str:
    if row is not None:
        return row.reason
    if node.op in nary.TABLE:
        return nary.TABLE[node.op].reason
    return f"{node.op or 'this node'} brings its own local gradient"


def _formula(graph: Graph, node: Node, row: ops.Op | None, index: int) -> str:
    """Return the local derivative with the inputs' own names: `c` for d(s * c)/ds."""
    if row is None:
        return number(node.local_grads[index])
    names = dict(
        zip(row.operands, [graph.name(operand) for operand in node.operands], strict=False)
    )
    # A nameless input reads better as its number than as a symbol inside a formula.
    for operand, name in zip(node.operands, list(names), strict=False):
        if not graph[operand].label:
            names[name] = number(graph[operand].data)
    return re.sub(r"[a-z_]\w*", lambda word: names.get(word[0], word[0]), row.formulas[index])


def _ways_up(graph: Graph) -> list[int]:
    """Return, for each node, the consumer on a shortest way to the root; for the root, itself."""
    far = len(graph)
    distance = [far] * len(graph)
    up = list(range(len(graph)))
    distance[graph.root] = 0
    # Ids are topological, so by the time a node is reached all its consumers are known. Among
    # equally short ways the one by the consumer with the smallest id counts, hence `<=`.
    for node in reversed(graph.nodes):
        for operand in node.operands:
            if distance[node.id] + 1 <= distance[operand]:
                distance[operand] = distance[node.id] + 1
                up[operand] = node.id
    return up


def _checked_order(graph: Graph, order: Sequence[int | str | Node]) -> tuple[int, ...]:
    given = [graph.find(node).id for node in order]
    times = Counter(given)
    twice = sorted([node for node, count in times.items() if count > 1])
    missing = [node.id for node in graph.nodes if not node.is_const and node.id not in times]
    for nodes, what in ((twice, "twice"), (missing, "not at all")):
        if nodes:
            names = ", ".join([graph.name(node) for node in nodes])
            raise OrderError(f"the order has {names} {what}; it must have every node once")
    return tuple(given)


def _same(x: float, y: float) -> bool:
    return x == y or (x != x and y != y)
