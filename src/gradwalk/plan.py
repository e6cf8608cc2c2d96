"""A graph as a floor plan: its scopes are boxes, and a box opens into the wiring inside.

`plan(graph)` shows the outermost scopes closed; `plan(graph, ["layers.0"])` opens that box in its
place. Everything in it is of the same graph: each card says which nodes it stands for.

    node     one node of the graph, made in the scope that is shown, or in none
    box      a scope: all nodes made in it and in the scopes inside it
    tensor   parameters whose labels differ only in their indices: `wq[0][0]`, `wq[0][1]` …
    input    what a box reads from outside, and who makes it
    output   who reads what the box makes

A leaf belongs to the innermost scope that all its readers share: parameters are drawn inside the
box that uses them. A scope that is left and entered again, so that one box for it would stand both
before and after another, becomes several: `cell`, `cell (2)`. Constants are left out: they are part
of the operation that reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from gradwalk.errors import GraphError
from gradwalk.graph import Graph

__all__ = ["Card", "Plan", "around", "plan", "rooms", "scopes"]


@dataclass(frozen=True, slots=True)
class Card:
    """One thing of a plan. `operands` are the cards that it reads, each once, by their places.

    `nodes` are ids in the graph; `inside` is the wiring of a box that is open.
    """

    kind: str
    name: str
    scope: str
    nodes: tuple[int, ...]
    operands: tuple[int, ...]
    inside: Plan | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The cards of one scope, each behind those that it reads; `""` is the whole graph."""

    graph: Graph
    scope: str
    cards: tuple[Card, ...]

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows at the end of a cell: see `Value.show` for the import."""
        from importlib import import_module

        return import_module("gradwalk.render.notebook").bundle(self)

    def parameters(self, card: Card) -> int:
        """Return how many of a card's nodes are leaves that may vary."""
        return len([i for i in card.nodes if "leaf" in self.graph[i].tags])

    def operations(self, card: Card) -> dict[str, int]:
        """Return how often each operation occurs in a card, the most frequent first."""
        counts: dict[str, int] = {}
        for node in [self.graph[i] for i in card.nodes]:
            if node.operands:
                counts[node.op or "node"] = counts.get(node.op or "node", 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def plan(graph: Graph, open: Iterable[str] = (), scope: str = "") -> Plan:  # noqa: A002
    """Return the plan of a graph, or of one scope of it, with the boxes in `open` opened.

    >>> from gradwalk import Value, scope, snapshot
    >>> with scope("double"):
    ...     b = Value(2.0, label="a") * 2
    >>> [(card.kind, card.name, card.nodes) for card in plan(snapshot(b + 1)).cards]
    [('box', 'double', (0, 2)), ('node', '+', (4,))]
    """
    homes = _homes(graph)
    known = _counted(homes)
    opened: set[str] = set()
    for name in (*open, *([scope] if scope else [])):
        if name not in known:
            raise GraphError(_unknown(name, list(known)))
        opened.update(around(name))
    return _Draft(graph, homes, graph.consumers(), opened).plan(scope)


def scopes(graph: Graph) -> dict[str, int]:
    """Return every scope of a graph, outer ones first, with the number of nodes in it."""
    counts = _counted(_homes(graph))
    return {name: counts[name] for name in sorted(counts)}


def rooms(graph: Graph) -> Iterator[Plan]:
    """Yield the plan of every scope, all boxes in it closed: outer ones first."""
    homes = _homes(graph)
    members: dict[str, list[int]] = {}
    for node, home in enumerate(homes):
        for name in around(home):
            members.setdefault(name, []).append(node)
    draft = _Draft(graph, homes, graph.consumers(), set())
    for name in sorted(members):
        yield draft.plan(name, members[name])


@lru_cache(4096)  # thousands of nodes share a scope
def around(scope: str) -> tuple[str, ...]:
    """Return a scope and all that it is in, outermost first."""
    steps = _steps(scope)
    return tuple([".".join(steps[: i + 1]) for i in range(len(steps))])


def _unknown(name: str, known: list[str]) -> str:
    if not known:
        return "this graph has no scopes: make it inside `with scope():`"
    near = get_close_matches(name, known, 1, 0.6) if len(name) <= 80 else []
    outer = sorted(known, key=lambda scope: (len(_steps(scope)), scope))[:12]
    hint = f": did you mean {near[0]}?" if near else f"; this graph has {', '.join(outer)}"
    return f"there is no scope {name!r:.80}{hint}"


# ── Where nodes belong ───────────────────────────────────────────────────────────────────────

_BEFORE_A_NAME = re.compile(r"\.(?!\d)")
_INDICES = re.compile(r"(\[\d+\])+$")


def _steps(scope: str) -> list[str]:
    """Return the boxes of a scope, outermost first: a number belongs to the name before it."""
    return _BEFORE_A_NAME.split(scope) if scope else []


def _counted(homes: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for home in homes:
        for name in around(home):
            counts[name] = counts.get(name, 0) + 1
    return counts


def _homes(graph: Graph) -> list[str]:
    """Return the scope of each node; a leaf without one has what its readers share."""
    homes = [node.scope for node in graph.nodes]
    readers = graph.consumers()
    for node in reversed(graph.nodes):
        if not node.operands and not node.scope and readers[node.id]:
            shared, *others = [_steps(home) for home in {homes[r] for r in readers[node.id]}]
            for other in others:
                same = [a == b for a, b in zip(shared, other, strict=False)]
                shared = shared[: [*same, False].index(False)]
            homes[node.id] = ".".join(shared)
    return homes


# ── Cards ────────────────────────────────────────────────────────────────────────────────────


class _Slot(NamedTuple):
    """What stands for some nodes on the way to a card; `turn` counts the entries into a scope."""

    kind: str
    name: str
    turn: int


class _Draft:
    def __init__(
        self, graph: Graph, homes: Sequence[str], readers: list[list[int]], opened: set[str]
    ) -> None:
        self.graph = graph
        self.homes = homes
        self.readers = readers
        self.opened = opened

    def plan(self, scope: str, members: Sequence[int] | None = None) -> Plan:
        if members is None:
            members = [i for i, home in enumerate(self.homes) if _is_in(home, scope)]
        slots, reads = self._placed(scope, members)
        order = _sorted(reads)
        place = {slot: i for i, slot in enumerate(order)}
        held: dict[_Slot, list[int]] = {slot: [] for slot in order}
        for node, slot in slots.items():
            held[slot].append(node)
        cards: list[Card] = []
        for slot in order:
            path = f"{scope}.{slot.name}" if scope else slot.name
            name = slot.name
            if slot.kind == "node":
                name = self.graph.name(held[slot][0])
            elif slot.turn > 1:
                name = f"{name} ({slot.turn})"
            is_open = slot.kind == "box" and path in self.opened
            cards.append(
                Card(
                    slot.kind,
                    name,
                    path if slot.kind == "box" else "",
                    tuple(held[slot]),
                    tuple([place[read] for read in reads[slot]]),
                    self.plan(path, held[slot]) if is_open else None,
                )
            )
        return Plan(self.graph, scope, tuple(cards))

    def _placed(
        self, scope: str, members: Sequence[int]
    ) -> tuple[dict[int, _Slot], dict[_Slot, list[_Slot]]]:
        """Return the slot of each member, and which slots each slot reads, in order."""
        inside = set(members)
        slots: dict[int, _Slot] = {}
        reads: dict[_Slot, list[_Slot]] = {}
        before: dict[_Slot, set[_Slot]] = {}  # everything that a slot depends on
        turns: dict[tuple[str, str], int] = {}
        leaving: list[int] = []
        for node in members:
            if self.graph[node].is_const and self.readers[node]:
                continue
            kind, name = self._slot(scope, node)
            sources: list[_Slot] = []
            for operand in self.graph[node].operands:
                if self.graph[operand].is_const:
                    continue
                if operand in inside:
                    source = slots[operand]
                else:
                    source = _Slot("input", self._outside(scope, operand), 1)
                    reads.setdefault(source, [])
                    before.setdefault(source, set())
                if source not in sources:
                    sources.append(source)
            turn = turns.get((kind, name), 1)
            slot = _Slot(kind, name, turn)
            if any(slot in before[source] for source in sources if source != slot):
                slot = _Slot(kind, name, turn + 1)  # it would stand before and after them
            turns[kind, name] = slot.turn
            slots[node] = slot
            known = reads.setdefault(slot, [])
            behind = before.setdefault(slot, set())
            for source in sources:
                if source != slot and source not in known:
                    known.append(source)
                    added = {source, *before[source]} - behind
                    for later in before.values() if added else ():
                        if later is behind or slot in later:
                            later.update(added)
            if scope and any(reader not in inside for reader in self.readers[node]):
                leaving.append(node)
        if scope:
            last = [node for node in (*leaving, members[-1]) if node in inside]
            names = [
                self._outside(scope, r) for n in leaving for r in self.readers[n] if r not in inside
            ]
            told = list(dict.fromkeys(names))
            title = ", ".join(told[:2]) + (" …" if len(told) > 2 else "")
            out = _Slot("output", title or "out", 1)
            reads[out] = list(dict.fromkeys([slots[node] for node in last]))
        return slots, reads

    def _slot(self, scope: str, node: int) -> tuple[str, str]:
        rest = _steps(self.homes[node])[len(_steps(scope)) :]
        if rest:
            return "box", rest[0]
        label = self.graph[node].label
        if not self.graph[node].operands and _INDICES.search(label):
            return "tensor", _INDICES.sub("", label)
        return "node", str(node)

    def _outside(self, scope: str, node: int) -> str:
        """Return the name of what a node outside belongs to, as far as it differs from here."""
        here, there = _steps(scope), _steps(self.homes[node])
        same = 0
        while same < min(len(here), len(there)) and here[same] == there[same]:
            same += 1
        if len(there) > same:
            return there[same]
        label = self.graph[node].label
        return _INDICES.sub("", label) if label else self.graph.name(node)


def _is_in(home: str, scope: str) -> bool:
    return not scope or home == scope or home.startswith(f"{scope}.")


def _sorted(reads: dict[_Slot, list[_Slot]]) -> list[_Slot]:
    """Return the slots, each behind all that it reads; the one that nothing reads comes last."""
    order: dict[_Slot, None] = {}
    for first, sources in reads.items():
        stack = [(first, iter(sources))]
        while stack:
            slot, rest = stack[-1]
            if slot in order:
                stack.pop()
                continue
            waiting = next((source for source in rest if source not in order), None)
            if waiting is None:
                order[slot] = None
                stack.pop()
            else:
                stack.append((waiting, iter(reads[waiting])))
    return list(order)
