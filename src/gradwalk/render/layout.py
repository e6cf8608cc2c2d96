"""Where everything in a picture goes: leaves left, operations right of their inputs, the root last.
Or, with `down`, leaves at the top and the root at the bottom: the same with the axes exchanged.
What follows, and the names below, speak of the first.

The picture is cut into columns. Even columns hold cards, odd ones between them hold the pills of
the edges, and a wire that passes a column has a place of its own in it. Between two columns lies a
channel, and only there do wires bend. So two things can overlap only if they share a column, and
there they are stacked: nothing covers anything, by construction.

    layers   longest path, then what can move to its consumer at no cost does
    order    depth first from the root, then barycentre sweeps; the fewest crossings win
    heights  least squares towards the neighbours, keeping the distances
    place    columns get their widths, channels grow with how far their wires must climb

Positions depend on structure alone (operations, labels, operands, tags), never on a number, so a
picture stands still while its values change. All of it is whole pixels, and the same in every
implementation: tests/fixtures/layout.json holds this one and the browser's together.

Start reading at `layout`, then `_Sheet`. What is drawn in the boxes is decided in `svg`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from gradwalk.graph import Graph, Node
from gradwalk.render.columns import Pull, ordered, settled

MARGIN = 24
PILL_WIDTH, PILL_HEIGHT = 200, 20
SPREAD = 6  # half the distance between the forward and the backward wire of an edge
CARD_GAP = 24
CHANNEL = 32, 128  # the least and the most width of a channel
RAIL_HEIGHT = 2 * SPREAD + 8

# A node read further away than this many layers sends its wire over the top of the picture: the
# places that passing wires take in columns then stay linear in the number of nodes.
LONGEST_PASSAGE = 6

# How much a segment wants to be straight; the trunk of the graph runs level, the rest gives way.
STRAIGHT, STRAIGHT_PASSAGE, STRAIGHT_MAIN = 2, 6, 512


class Box(NamedTuple):
    """A rectangle; x and y are its upper left corner."""

    x: int
    y: int
    width: int
    height: int


class Point(NamedTuple):
    """A turn of a wire: forward passes it `spread` above y, backward as far below.

    In a picture that goes down, forward passes to the left of x, and backward to the right.
    Between two points, a wire is the cubic curve that leaves and arrives level, with both control
    points half way across; where the heights are equal that is a straight line.
    """

    x: int
    y: int
    spread: int


@dataclass(frozen=True, slots=True)
class Edge:
    """The wire from a node to one operand of its consumer; `pill` is room for its label."""

    source: int
    target: int
    operand: int
    points: tuple[Point, ...]
    pill: Box | None


@dataclass(frozen=True, slots=True)
class Layout:
    """`cards` has one box for each node, `edges` go by target and operand."""

    width: int
    height: int
    cards: tuple[Box, ...]
    edges: tuple[Edge, ...]


def layout(
    graph: Graph,
    *,
    pills: bool = True,
    compare: bool = False,
    sizes: Sequence[tuple[int, int]] | None = None,
    down: bool = False,
    pill: int = PILL_WIDTH,
    gap: int = CARD_GAP,
    channel: tuple[int, int] = CHANNEL,
    margin: int = MARGIN,
) -> Layout:
    """Return where the cards, wires and pills of `graph` go.

    Without `pills` there is one wire an edge and no room for labels; `compare` makes the cards
    wide enough for two gradients, one wrong and one right. `sizes` are those of cards that hold
    something else than a node, all even. `down` goes from the top to the bottom. `pill` is the
    width of one, `gap` the distance between neighbouring cards, `channel` the least and the most
    width of a channel: more of them fills a larger page. `margin` is left free around the picture.
    """
    room = _Room(down, pill, gap, channel, margin)
    return _Sheet(graph, pills, compare, sizes, room).place()


class _Room(NamedTuple):
    down: bool
    pill: int
    gap: int
    channel: tuple[int, int]
    margin: int


def card_size(node: Node, uses: int, compare: bool) -> tuple[int, int]:
    """Return the width and height of a card: room for its symbol, label, tag and any number."""
    width = 104 + 9 * min(len(node.label), 16)
    if node.is_const:
        return _whole(width + 32, 8), 36
    if node.operands:
        width += 24 if len(node.op) < 2 else 16 + 9 * min(len(node.op), 10)
    width += 64 if "derived" in node.tags else 0
    least = 144 if not node.operands else 176 if len(node.operands) < 3 else 240
    if uses > 1:
        least = max(least, 176)  # the gradient is a sum: `1 + 3 = 4`
    if compare:
        least = max(least, 208)
    height = max(84, 48 + 12 * len(node.operands)) if node.operands else 60
    return _whole(max(width, least), 16), height


def _whole(width: int, grid: int) -> int:
    return -(-width // grid) * grid


def layers(graph: Graph) -> tuple[list[int], list[int]]:
    """Return the depth of each node, the length of its longest path to a leaf, and its layer.

    A node goes next to its nearest consumer if that does not make more wires longer than shorter:
    all leaves do, and with them whole subtrees that nothing else reads.
    """
    consumers = graph.consumers()
    depths: list[int] = []
    follows: list[bool] = []  # used once, and so is all below it: it can move along
    for node in graph.nodes:
        depths.append(1 + max([depths[operand] for operand in node.operands], default=-1))
        loose = [follows[operand] for operand in node.operands]
        follows.append(all(loose) and len(consumers[node.id]) == 1)
    found = list(depths)
    for node in reversed(graph.nodes):
        reads = set(consumers[node.id])
        staying = len({operand for operand in node.operands if not follows[operand]})
        if reads and staying <= len(reads):
            found[node.id] = min([found[consumer] for consumer in reads]) - 1
    return depths, found


class _Sheet:
    """The picture in the making: items in columns, segments between neighbouring columns.

    Items 0 … n-1 are the cards. Behind them come the passages, one for each column that a longer
    wire crosses, and then the slots, one for each edge in the odd column left of its target.
    """

    def __init__(
        self,
        graph: Graph,
        pills: bool,
        compare: bool,
        sizes: Sequence[tuple[int, int]] | None,
        room: _Room,
    ) -> None:
        self.graph = graph
        self.pills = pills
        self.room = room
        # How far a pill reaches from its wire, upwards and downwards.
        half = room.pill // 2
        self.pill_above, self.pill_below = SPREAD + 2, SPREAD + PILL_HEIGHT // 2
        if room.down:
            self.pill_above = self.pill_below = half
        self.depths, self.layers = layers(graph)
        consumers = graph.consumers()
        self.sizes = list(sizes or ()) or [
            card_size(n, len(consumers[n.id]), compare) for n in graph.nodes
        ]
        if room.down:
            self.sizes = [(height, width) for width, height in self.sizes]
        self.column: list[int] = [2 * layer for layer in self.layers]
        self.above = [height // 2 for _, height in self.sizes]
        self.below = list(self.above)
        self.left: list[list[int]] = [[] for _ in graph.nodes]
        self.right: list[list[int]] = [[] for _ in graph.nodes]
        self.rails: dict[int, int] = {}  # nodes whose wire goes over the top: their furthest layer
        self.passages = [self._lay_wire(node.id, consumers[node.id]) for node in graph.nodes]
        self.first_slot = len(self.column)
        self.slots = [[self._slot(n.id, operand) for operand in n.operands] for n in graph.nodes]
        self.columns = ordered(self._depth_first(), self.left, self.right, len(graph))
        self._find_ports()
        distances = [self._distances(column) for column in self.columns]
        self.y = settled(self.columns, distances, *self._pulls())

    # ── What there is to place ───────────────────────────────────────────────────────────────

    def _item(self, column: int, above: int, below: int, source: int | None) -> int:
        item = len(self.column)
        self.column.append(column)
        self.above.append(above)
        self.below.append(below)
        self.left.append([])
        self.right.append([])
        if source is not None:
            self.left[item].append(source)
            self.right[source].append(item)
        return item

    def _lay_wire(self, node: int, consumers: Sequence[int]) -> list[int]:
        """Return the passages of a node's wire, left to right, as far as its last consumer."""
        here = self.layers[node]
        furthest = max([self.layers[consumer] for consumer in consumers], default=here)
        if furthest - here > LONGEST_PASSAGE:
            self.rails[node] = furthest
            return []
        passages: list[int] = []
        for column in range(2 * here + 1, 2 * furthest - 1):
            node = self._item(column, SPREAD + 2, SPREAD + 2, node)
            passages.append(node)
        return passages

    def _slot(self, target: int, operand: int) -> int:
        column = 2 * self.layers[target] - 1
        span = column - 2 * self.layers[operand]
        if span == 1:
            source = operand
        else:
            source = None if operand in self.rails else self.passages[operand][span - 2]
        above, below = SPREAD + 2, SPREAD
        if self._has_pill(operand):
            above, below = self.pill_above, self.pill_below
        slot = self._item(column, above, below, source)
        self.left[target].append(slot)
        self.right[slot].append(target)
        return slot

    def _has_pill(self, source: int) -> bool:
        return self.pills and not self.graph[source].is_const

    def _depth_first(self) -> list[list[int]]:
        """Return the columns in the order of a walk from the root, which no tree crosses."""
        columns: list[list[int]] = [[] for _ in range(2 * self.layers[self.graph.root] + 1)]
        seen = {self.graph.root}
        stack = [self.graph.root]
        while stack:
            node = stack.pop()
            for item in (node, *self.passages[node], *self.slots[node]):
                columns[self.column[item]].append(item)
            for operand in reversed(self.graph[node].operands):
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        return columns

    # ── Ports, pulls, distances ──────────────────────────────────────────────────────────────

    def _find_ports(self) -> None:
        """Spread the wires of each card over its sides, in the order in which they come."""
        place = {item: index for column in self.columns for index, item in enumerate(column)}
        self.main = [self._main_input(node) for node in self.graph.nodes]
        self.port_left: list[dict[int, int]] = []
        self.port_right: list[dict[int, int]] = []
        self.spread_left: list[int] = []
        self.spread_right: list[int] = []
        for card, (_, height) in enumerate(self.sizes):
            left = sorted(self.left[card], key=place.__getitem__)
            right = sorted(self.right[card], key=place.__getitem__)
            if card in self.rails:
                right.insert(0, card)  # the port of its rail
            ports, spread = _ports(left, height, self.main[card])
            self.port_left.append(ports)
            self.spread_left.append(spread)
            ports, spread = _ports(right, height, None)
            self.port_right.append(ports)
            self.spread_right.append(spread)

    def _main_input(self, node: Node) -> int | None:
        """Return the slot of the input that the trunk of the graph comes through, if it is one.

        Its wire meets the card in the middle, so that a long chain runs level.
        """
        slots = self.slots[node.id]
        if len(slots) != 2:
            return slots[0] if len(slots) == 1 else None
        first, second = [self.depths[operand] for operand in node.operands]
        return None if first == second else slots[int(second > first)]

    def _pulls(self) -> tuple[list[list[Pull]], list[list[Pull]]]:
        """Return what pulls on each item from its left, and from its right."""
        cards = len(self.graph)
        pull_left: list[list[Pull]] = [[] for _ in self.column]
        pull_right: list[list[Pull]] = [[] for _ in self.column]
        for item, others in enumerate(self.right):
            for other in others:
                shift = self.port_right[item][other] if item < cards else 0
                shift -= self.port_left[other][item] if other < cards else 0
                slot = item if other < cards else other
                if slot < self.first_slot:
                    weight = STRAIGHT_PASSAGE
                elif self.main[self.right[slot][0]] == slot:
                    weight = STRAIGHT_MAIN
                else:
                    weight = STRAIGHT
                pull_left[other].append((item, shift, weight))
                pull_right[item].append((other, -shift, weight))
        return pull_left, pull_right

    def _distances(self, column: list[int]) -> list[int]:
        """Return how far the line of each item must be below that of the one above it."""
        cards = len(self.graph)
        distances = [0]
        for upper, lower in pairwise(column):
            gap = self.room.gap if upper < cards and lower < cards else 8
            distances.append(self.below[upper] + gap + self.above[lower])
        return distances

    # ── Placing ──────────────────────────────────────────────────────────────────────────────

    def place(self) -> Layout:
        """Return the finished layout: columns get their x, the top left corner its margin."""
        margin = self.room.margin
        lanes = self._lanes()
        rails = RAIL_HEIGHT * (1 + max(lanes.values())) + 8 if lanes else 0
        top = min([self.y[column[0]] - self.above[column[0]] for column in self.columns])
        self.y = [y - top + rails + margin for y in self.y]
        self.rail_y = {card: margin + 8 + RAIL_HEIGHT * lane for card, lane in lanes.items()}
        self._place_columns()
        self.cards = [
            self._box(self.end[column] - width, y - height // 2, width, height)
            for column, y, (width, height) in zip(self.column, self.y, self.sizes, strict=False)
        ]
        edges = [
            Edge(source, node.id, index, *self._wire(source, node.id, self.slots[node.id][index]))
            for node in self.graph.nodes
            for index, source in enumerate(node.operands)
        ]
        bottom = max([self.y[column[-1]] + self.below[column[-1]] for column in self.columns])
        width, height = self._turned(self.end[-1] + margin, bottom + margin)
        return Layout(width, height, tuple(self.cards), tuple(edges))

    def _turned(self, x: int, y: int) -> tuple[int, int]:
        return (y, x) if self.room.down else (x, y)

    def _box(self, x: int, y: int, width: int, height: int) -> Box:
        return Box(*self._turned(x, y), *self._turned(width, height))

    def _lanes(self) -> dict[int, int]:
        """Return the lane of each rail, 0 at the top; rails that do not meet may share one."""
        lanes: dict[int, int] = {}
        free: list[int] = []
        busy: list[tuple[int, int]] = []
        for card in sorted(self.rails, key=lambda card: (self.layers[card], card)):
            while busy and busy[0][0] <= self.layers[card]:
                heappush(free, heappop(busy)[1])
            lanes[card] = heappop(free) if free else len(busy)
            heappush(busy, (self.rails[card], lanes[card]))
        return lanes

    def _place_columns(self) -> None:
        """Find the x at which each column begins and ends."""
        self.begin: list[int] = []
        self.end: list[int] = []
        cards = len(self.graph)
        x = self.room.margin
        for index, column in enumerate(self.columns):
            if index % 2:
                lowest = max([self.below[item] for item in column])
                thick = PILL_HEIGHT if self.room.down else self.room.pill
                width = thick if lowest == self.pill_below else 0
            else:
                width = max([self.sizes[item][0] for item in column if item < cards])
            self.begin.append(x)
            self.end.append(x + width)
            climb = 0
            for item in column:
                for other in self.right[item]:
                    leaving = self.port_right[item][other] if item < cards else 0
                    arriving = self.port_left[other][item] if other < cards else 0
                    way = self.y[other] + arriving - self.y[item] - leaving
                    climb = max(climb, abs(way))
            least, most = self.room.channel
            x += width + min(max(least, climb // 3), most)

    def _wire(self, source: int, target: int, slot: int) -> tuple[tuple[Point, ...], Box | None]:
        y, column, begin, end = self.y, self.column, self.begin, self.end
        start, odd = column[source], column[slot]
        spread = SPREAD if self._has_pill(source) else 0
        levels: list[tuple[int, int, int]] = []  # from x to x at this height
        if odd - start > 1 and source in self.rails:
            first, passed = source, []
            levels.append((begin[start + 1], end[odd - 1], self.rail_y[source]))
        else:
            passed = self.passages[source][: odd - start - 1]
            first = passed[0] if passed else slot
        items = (*passed, slot)
        if not self.pills:  # slots hold nothing: one curve is better than two halves
            items = [item for item in items if not column[item] % 2]
        levels += [(begin[column[item]], end[column[item]], y[item]) for item in items]
        leaving = y[source] + self.port_right[source][first]
        points = [(end[start], leaving, min(spread, self.spread_right[source]))]
        for left, right, height in levels:
            points.append((left, height, spread))
            if right > left:
                points.append((right, height, spread))
        arriving = y[target] + self.port_left[target][slot]
        into = min(spread, self.spread_left[target])
        points.append((begin[odd + 1], arriving, into))
        side = end[odd + 1] - self.sizes[target][0]
        if side > begin[odd + 1]:  # narrower than its column: go on level
            points.append((side, arriving, into))
        turned = tuple([Point(*self._turned(x, height), apart) for x, height, apart in points])
        return turned, self._pill(begin[odd], y[slot]) if spread else None

    def _pill(self, x: int, y: int) -> Box:
        pill = self.room.pill
        if self.room.down:
            return Box(y - pill // 2, x, pill, PILL_HEIGHT)
        return Box(x, y + SPREAD - PILL_HEIGHT // 2, pill, PILL_HEIGHT)


def _ports(items: list[int], height: int, main: int | None) -> tuple[dict[int, int], int]:
    """Return where each wire meets a side of this height, and how far its pair may spread there.

    Ports count from the middle, which the main one takes.
    """
    gap = min(28, (height - 24) // max(1, len(items) - 1))
    middle = gap * (len(items) - 1) // 2 if main is None else gap * items.index(main)
    spread = max(1, min(SPREAD, gap // 4))
    return {item: gap * index - middle for index, item in enumerate(items)}, spread
