"""A graph or a walk as one self-contained SVG: no script, no font, no link, no id.

Cards are nodes: symbol, label, value, arithmetic, gradient. Wires are edges: forward solid, on a
walk backward dashed beside it, with a pill that says `incoming × local = contribution`. A sign is a
colour and a glyph, ▲ ▼; no colour is the only carrier of anything. A walk that went wrong shows
what it got beside what is right, and crosses out the contributions that got lost.

Where things go is decided in `layout`, by structure alone. Numbers have four digits everywhere,
squeezed where a place is narrow, and stand in full in the tooltip. Start reading at `svg`, then
`Picture.card`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from gradwalk.errors import printable
from gradwalk.graph import Graph, Node, named, number
from gradwalk.render import theme as look
from gradwalk.render.layout import MARGIN, SPREAD, Box, Edge, Layout, Point, layout
from gradwalk.render.theme import Theme
from gradwalk.statements import relation
from gradwalk.walk import BUGS, Push, Walk

RADIUS = 8
PADDING = 12
HEADER, LEGEND = 36, 32
LEAST_WIDTH, LEAST_WIDTH_WALK = 400, 680  # what the legend takes
BODY, MEDIUM, LARGE = 12, 14, 16  # sizes of numbers; svg.css has all four sizes
MOST_WORDS = 60  # nodes that the description names
MOST_ROWS = 40  # of a picture that wraps


def svg(
    subject: Graph | Walk,
    *,
    theme: Theme = "auto",
    wrap: float | None = None,
    animated: bool = False,
) -> str:
    """Return the picture. `auto` follows the reader's preference for light or dark.

    An `animated` one plays once, without a script: forward, then backward, node by node.

    `wrap` is the shape of a page, width over height. A wide picture is then cut into rows, one
    below the other, which fill that page best. The wires of a row go on at the left of the next.

    >>> from gradwalk import Value, snapshot
    >>> svg(snapshot(Value(2.0, label="a") * 3)).startswith("<svg ")
    True
    """
    return Picture(subject, look.stylesheet(theme), animated=animated).draw(wrap)


def headline(walk: Walk) -> tuple[str, str] | None:
    """Return what is special about a walk, as a name and a sentence; None for the right walk."""
    if walk.bug:
        return f"Bug: {walk.bug}", BUGS[walk.bug].replace("`", "")
    given = walk.own_order
    if not given:
        return None
    names = " ".join([walk.graph.name(node) for node in given[:24]])
    more = " …" if len(given) > 24 else ""
    return f"Order {names}{more}", "a visited node accepts nothing more"


class _Flow(NamedTuple):
    """What went backward along one edge. `fate` is "", "idle", "lost", "replaced", or "ahead"
    where the walk stops before it.
    """

    incoming: float
    contribution: float
    times: int
    fate: str


class Picture:
    """A picture in the making; `render.plan` draws its own body."""

    def __init__(
        self,
        subject: Graph | Walk,
        style: str,
        placed: Layout | None = None,
        *,
        animated: bool = False,
    ) -> None:
        self.style = style
        self.animated = animated
        self.walk = subject if isinstance(subject, Walk) else None
        self.graph = subject.graph if isinstance(subject, Walk) else subject
        self.headline = headline(self.walk) if self.walk else None
        self.wrong = set(self.walk.wrong) if self.walk else set[int]()
        self.arrived: dict[int, list[Push]] = {}  # at each node, in order
        self.flows: dict[tuple[int, int], _Flow] = {}  # along each edge (consumer, operand)
        if self.walk:
            self._find_flows(self.walk)
        compare = self.headline is not None
        self.layout = placed or layout(self.graph, pills=self.walk is not None, compare=compare)
        self.parts: list[str] = []
        self.forward_at: dict[int, int] = {}  # the step of an animation at which a node appears
        self.backward_at: dict[int, int] = {}  # … at which it pushes
        self.gradient_at: dict[int, int] = {}  # … at which its gradient is complete
        self.steps = 1
        if animated:
            self.find_steps()

    def find_steps(self) -> None:
        """Decide when everything appears: the leaves first, then a node at a time."""
        for node in self.graph.nodes:
            self.forward_at[node.id] = self.steps if node.operands else 0
            self.steps += 1 if node.operands else 0
        if self.walk is None:
            return
        self.gradient_at = {node.id: self.steps for node in self.graph.nodes}
        for visit in self.walk.backward:
            if visit.pushes:
                self.backward_at[visit.node] = self.steps
                self.gradient_at.update({push.to: self.steps for push in visit.pushes})
                self.steps += 1

    @contextmanager
    def at(self, step: int) -> Generator[None]:
        """Let what is drawn meanwhile appear at a step of the animation."""
        if not self.animated:
            yield
            return
        self.parts.append(f'<g class="s{step * min(self.steps, look.MOST_STEPS) // self.steps}">')
        yield
        self.parts.append("</g>")

    def _find_flows(self, walk: Walk) -> None:
        incoming: dict[int, float] = {}
        pushes: dict[tuple[int, int], list[Push]] = {}
        for step in walk.backward:
            incoming[step.node] = step.grad
            for push in step.pushes:
                pushes.setdefault((step.node, push.operand), []).append(push)
                self.arrived.setdefault(push.to, []).append(push)
        lost = {(loss.source, loss.to) for loss in walk.lost}
        for node in self.graph.nodes:
            grad = incoming.get(node.id, 0.0)
            for index, (to, local) in enumerate(zip(node.operands, node.local_grads, strict=True)):
                went = pushes.get((node.id, index), [])
                if went:
                    last = went[-1]
                    replaced = walk.bug == "overwrite" and self.arrived[to][-1] is not last
                    fate = "replaced" if replaced else ""
                    flow = _Flow(last.incoming, last.contribution, len(went), fate)
                else:
                    fate = "lost" if (node.id, to) in lost else "ahead"
                    if node.id in incoming and not grad * local:
                        fate = "idle"
                    flow = _Flow(grad, grad * local, 0, fate)
                self.flows[node.id, index] = flow

    def body(self, row: Box | None = None) -> None:
        """Draw everything, or what reaches into a row."""
        begin, end = (row.x, row.x + row.width) if row else (0, self.layout.width)
        for edge in self.layout.edges:
            if edge.points[0].x < end and edge.points[-1].x > begin:
                self.wires(edge)
        for edge in self.layout.edges:
            if edge.pill is not None and begin <= edge.pill.x < end:
                with self.at(self.backward_at.get(edge.target, self.steps - 1)):
                    self.pill(edge, edge.pill)
        for node, box in zip(self.graph.nodes, self.layout.cards, strict=True):
            if begin <= box.x < end:
                with self.at(self.forward_at.get(node.id, 0)):
                    self.card(node, box)

    def draw(self, wrap: float | None = None) -> str:
        rows = _rows(self.boxes(), self.lines(), wrap) if wrap else []
        if len(rows) > 1:
            wide, high = self._draw_rows(rows)
        else:
            self.body()
            wide, high = self.layout.width, self.layout.height
        picture, self.parts = "\n".join(self.parts), []
        width = max(wide, LEAST_WIDTH_WALK if self.walk else LEAST_WIDTH)
        top = -HEADER if self.headline else 0
        height = high + LEGEND - top
        self.frame(top, width, height)
        frame = "\n".join(self.parts)
        moved = look.motion("gradwalk", min(self.steps, look.MOST_STEPS)) if self.animated else ""
        title, description = self.words()
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="gradwalk" role="img" '
            f'width="{width}" height="{height}" viewBox="0 {top} {width} {height}" '
            f'aria-label="{safe(title)}">\n'
            f"<title>{safe(title)}</title>\n<desc>{safe(description)}</desc>\n"
            f"<style>\n{self.style}{moved}</style>\n"
            f'<rect class="canvas" y="{top}" width="{width}" height="{height}" rx="{RADIUS}"/>\n'
            f'<g transform="translate({(width - wide) // 2} 0)">\n{picture}\n</g>\n'
            f"{frame}\n</svg>\n"
        )

    def boxes(self) -> list[Box]:
        """Return what no row may cut: cards and pills."""
        return [*self.layout.cards, *[edge.pill for edge in self.layout.edges if edge.pill]]

    def lines(self) -> list[tuple[Point, ...]]:
        """Return what goes on from one row to the next."""
        return [edge.points for edge in self.layout.edges]

    def _draw_rows(self, rows: list[Box]) -> tuple[int, int]:
        """Draw one row below the other; return the width and height that they take."""
        y = MARGIN
        for row in rows:
            x, width, height = MARGIN, row.width, row.height
            self.parts.append(
                f'<svg x="{x}" y="{y}" width="{width}" height="{height}" '
                f'viewBox="{row.x} {row.y} {width} {height}">'
            )
            self.body(row)
            self.parts.append("</svg>")
            for side in ([x] if row is not rows[0] else []) + (
                [x + width] if row is not rows[-1] else []
            ):
                self.parts.append(f'<path class="wire faint" d="M{side} {y}v{height}"/>')
            y += height + MARGIN
        return max([row.width for row in rows]) + 2 * MARGIN, y

    def words(self) -> tuple[str, str]:
        """Return the picture in words: a title, and the numbers of its nodes."""
        graph = self.graph
        shown = [
            named(graph.name(node.id), node.data)
            + ("" if node.is_const else f", gradient {number(self.grad(node))}")
            for node in graph.nodes[:MOST_WORDS]
        ]
        if len(graph) > MOST_WORDS:
            shown.append(f"and {len(graph) - MOST_WORDS} more nodes")
        if self.headline:
            shown.insert(0, ": ".join(self.headline))
        kind = "Backward walk" if self.walk else "Computation graph"
        root = named(graph.name(graph.root), graph[graph.root].data)
        return f"{kind} of {root}", "; ".join(shown)

    def frame(self, top: int, width: int, height: int) -> None:
        """Draw the headline and the legend."""
        if self.headline:
            head, sentence = self.headline
            head = look.fitting(head, width - 48 - 7 * len(sentence))
            after = 24 + look.width(head) + 12
            self.text(24, top + 32, "name", head)
            self.text(after, top + 32, "muted", look.fitting(sentence, 1.3 * (width - 24 - after)))
        x, y = 24, top + height - 18
        self.parts.append(f'<path class="wire forward" d="M{x} {y}h30"/>')
        self.head(x + 36, y, 1, "ahead")
        x = self.legend(x + 44, y, "forward")
        if self.walk:
            self.parts.append(f'<path class="wire backward" d="M{x + 6} {y}h30"/>')
            self.head(x, y, -1, "back")
            x = self.legend(x + 46, y, "backward: incoming × local = contribution")
        for value, word in ((1.0, "positive"), (-1.0, "negative")):
            self.glyph(x + 4, y, value)
            x = self.legend(x + 14, y, word)

    def legend(self, x: int, y: int, words: str) -> int:
        self.text(x, y + 4, "muted", words)
        return x + int(len(words) * 6.2) + 20

    # ── Cards ────────────────────────────────────────────────────────────────────────────────

    def card(self, node: Node, box: Box) -> None:
        kind = "card"
        if node.is_const:
            kind += " const"
        elif node.id in self.wrong:
            kind += " wrong"
        elif node.id == self.graph.root:
            kind += " root"
        self.parts.append(f"<g><title>{safe(self.tooltip(node))}</title>")
        self.box(kind, box)
        left, right = box.x + PADDING, box.x + box.width - PADDING
        line = box.y + (box.height // 2 + 5 if node.is_const else 25)
        if node.is_const:
            right -= self.signed(right, line - 1, node.data, "name", MEDIUM, 6) + 4
        else:
            right -= self.signed(right, line, node.data, "large", LARGE, 7) + 6
        if node.operands:
            left += self.symbol(node, left, line)
            self.arithmetic(node, box)
        self.naming(node, left, right, line)
        if not node.is_const:
            with self.at(self.gradient_at.get(node.id, 0)):
                self.gradient(node, box)
        self.parts.append("</g>")

    def tooltip(self, node: Node) -> str:
        text = f"{self.graph.name(node.id)} = {node.data!r}"
        if node.is_const:
            return text
        if self.walk and node.id in self.wrong:
            should = self.walk.expected[node.id]
            return f"{text}, gradient {self.grad(node)!r} should be {should!r}"
        return f"{text}, gradient {self.grad(node)!r}"

    def symbol(self, node: Node, x: int, line: int) -> int:
        """Draw the operation on its badge; return how far it reaches."""
        glyph = look.GLYPHS.get(node.op, node.op or "?")
        glyph = glyph if len(glyph) <= 10 else glyph[:9] + "…"
        if not node.label:  # the subscript that tells it from its likes
            glyph += self.graph.name(node.id).removeprefix(node.op or "v")
        width = 24 if len(glyph) < 2 else int(len(glyph) * 14 * look.MONO) + 12
        self.box("badge", Box(x, line - 17, width, 24))
        self.text(x + width // 2, line, "name number ahead middle", glyph)
        return width + 8

    def naming(self, node: Node, left: int, right: int, line: int) -> None:
        """Write the label and the tag, between the symbol and the value."""
        tag = next((tag for tag in node.tags if tag in ("derived", "const")), "")
        width = 6 * len(tag) + 14 if tag else 0
        nameless = not node.label and (node.operands or node.is_const)
        name = "" if nameless else look.fitting(self.graph.name(node.id), right - left - width)
        if name:
            self.text(left, line, "name", name)
            left += look.width(name) + 6
        if tag:
            self.box("chip", Box(left, line - 14, width, 18))
            self.text(left + width // 2, line - 1, "small muted middle", tag)

    def arithmetic(self, node: Node, box: Box) -> None:
        room = box.width - 2 * PADDING
        text = look.arithmetic(self.graph, node)
        self.text(box.x + PADDING, box.y + 47, "number muted", text, room)

    def grad(self, node: Node) -> float:
        return self.walk.grads[node.id] if self.walk else node.grad

    def gradient(self, node: Node, box: Box) -> None:
        line = box.y + box.height - 13
        left, right = box.x + PADDING, box.x + box.width - PADDING
        self.text(left, line, "back", "grad")
        if self.walk and node.id in self.wrong:
            self.tick(right, line)
            right -= 20 + self.signed(right - 16, line, self.walk.expected[node.id], "", BODY, 6)
            self.cross(right - 6, line - 4)
            self.signed(right - 15, line, self.grad(node), "struck", BODY, 6)
            return
        if self.headline:
            self.tick(right, line)
            right -= 16
        right -= self.signed(right, line, self.grad(node), "", BODY, 9) + 6
        room = right - left - 38
        arrived = [push.contribution for push in self.arrived.get(node.id, [])]
        note = ""
        if node.id == self.graph.root and self.walk:
            note = "seed"
        elif len(arrived) > 1 and not self.headline:
            note = _sum(arrived, self.grad(node))
            if len(note) * BODY * look.MONO > room * 1.05:
                note = f"sum of {len(arrived)}"
        if note:
            self.text(right, line, "number muted end", note, room)

    # ── Wires and pills ──────────────────────────────────────────────────────────────────────

    def wires(self, edge: Edge) -> None:
        start, end = edge.points[0], edge.points[-1]
        with self.at(self.forward_at.get(edge.target, 0)):
            self.parts.append(f'<path class="wire forward" d="{_curve(edge.points, -1)}"/>')
            self.head(end.x, end.y - end.spread, 1, "ahead")
        if edge.pill is None:
            return
        fate = self.flows[edge.target, edge.operand].fate
        if fate == "ahead":
            return
        kind, tip = {"idle": (" faint", "zero"), "lost": (" broken", "negative")}.get(
            fate, ("", "back")
        )
        with self.at(self.backward_at.get(edge.target, self.steps - 1)):
            self.parts.append(f'<path class="wire backward{kind}" d="{_curve(edge.points, 1)}"/>')
            self.head(start.x, start.y + start.spread, -1, tip)

    def head(self, x: int, y: int, way: int, kind: str) -> None:
        self.parts.append(f'<path class="{kind}" d="M{x} {y}l{-8 * way} -4v8z"/>')

    def pill(self, edge: Edge, box: Box) -> None:
        """Write `incoming × local = contribution` around the middle of the room it has."""
        flow = self.flows[edge.target, edge.operand]
        local = self.graph[edge.target].local_grads[edge.operand]
        if flow.fate == "ahead":
            return
        if flow.fate == "idle" and not flow.incoming:
            self.capsule(box, "idle", [("muted", "gradient 0: nothing to push")], None)
            return
        lead = f"{flow.times} times, " if flow.times > 1 else ""
        gone = flow.fate in ("lost", "replaced")
        tail = f" {flow.fate}" if gone else ""

        factors = [look.short(flow.incoming), look.short(local)]
        result = look.short(flow.contribution)
        spans = [
            ("", f"{lead}{' × '.join(factors)} {relation('*', factors, result)} "),
            (look.sign(flow.contribution) + (" struck" if gone else ""), result),
            ("negative", tail),
        ]
        self.capsule(box, "lost" if gone else "", spans, flow.contribution)

    def capsule(
        self, room: Box, kind: str, spans: list[tuple[str, str]], signed: float | None
    ) -> None:
        size = BODY if signed is not None else 11
        glyph = 13 if signed is not None else 0
        wanted = sum([len(text) for _, text in spans]) * size * look.MONO
        width = min(room.width, int(wanted) + glyph + 16)
        x = room.x + (room.width - width) // 2
        self.box(f"pill {kind}".strip(), Box(x, room.y, width, room.height), room.height // 2)
        if signed is not None:
            self.glyph(x + 12, room.y + room.height // 2, signed)
        written = [(ink, safe(text)) for ink, text in spans if text]
        inside = "".join([f'<tspan class="{ink}">{text}</tspan>' for ink, text in written])
        squeeze = _squeeze(wanted, width - glyph - 16)
        small = " small" if size < BODY else ""
        self.parts.append(
            f'<text class="number{small}" x="{x + 8 + glyph}" y="{room.y + 14}"{squeeze}>'
            f"{inside}</text>"
        )

    # ── Marks ────────────────────────────────────────────────────────────────────────────────

    def box(self, kind: str, box: Box, radius: int = RADIUS) -> None:
        self.parts.append(
            f'<rect class="{kind}" x="{box.x}" y="{box.y}" width="{box.width}" '
            f'height="{box.height}" rx="{radius}"/>'
        )

    def text(
        self, x: int, y: int, kind: str, text: str, room: float = 0.0, size: int = BODY
    ) -> None:
        squeeze = _squeeze(len(text) * size * look.MONO, room) if room else ""
        self.parts.append(f'<text class="{kind}" x="{x}" y="{y}"{squeeze}>{safe(text)}</text>')

    def signed(self, x: int, line: int, value: float, kind: str, size: int, most: int) -> int:
        """Write a number that ends at x, its sign's glyph before it; return how wide that is."""
        room = most * size * look.MONO
        text = look.short(value)
        self.text(x, line, f"number end {look.sign(value)} {kind}".strip(), text, room, size)
        width = int(min(room, len(text) * size * look.MONO)) + (9 if size == BODY else 11)
        if look.sign(value) == "zero":
            return width
        self.glyph(x - width, line - size // 3, value)
        return width + 4

    def glyph(self, x: int, y: int, value: float) -> None:
        way = 1 if value > 0 else -1
        shape = f"M{x - 4} {y + 3 * way}h8l-4 {-7 * way}z"
        self.parts.append(f'<path class="{look.sign(value)}" d="{shape}"/>')

    def tick(self, x: int, line: int) -> None:
        self.parts.append(f'<path class="tick" d="M{x - 9} {line - 4}l3 3l6 -7"/>')

    def cross(self, x: int, y: int) -> None:
        self.parts.append(f'<path class="cross" d="M{x - 4} {y - 4}l8 8m0 -8l-8 8"/>')


def _rows(boxes: list[Box], lines: list[tuple[Point, ...]], shape: float) -> list[Box]:
    """Return the parts of a picture that, one below the other, fill a page of this shape best."""
    cuts = [MARGIN - 2]  # x at which no card and no pill stands
    reach = MARGIN
    for box in sorted(boxes):
        if box.x > reach > MARGIN:
            cuts.append((reach + box.x) // 2)
        reach = max(reach, box.x + box.width)
    cuts.append(reach + 2)
    found: list[tuple[float, list[Box]]] = []
    for count in range(1, min(MOST_ROWS, len(cuts) - 1) + 1):
        rows = [_row(boxes, lines, *ends) for ends in pairwise(_even(cuts, count))]
        high = sum([row.height + MARGIN for row in rows]) + MARGIN + LEGEND
        found.append((min(shape / (max([row.width for row in rows]) + 2 * MARGIN), 1 / high), rows))
    return max(found, key=lambda pair: pair[0])[1]


def _even(cuts: list[int], count: int) -> list[int]:
    """Return the ends of at most `count` rows of about the same width."""
    most = (cuts[-1] - cuts[0]) // count
    while True:
        ends = [cuts[0]]
        for before, cut in pairwise(cuts):
            if cut - ends[-1] > most and before > ends[-1]:
                ends.append(before)
        if len(ends) <= count and cuts[-1] - ends[-1] <= most:
            return [*ends, cuts[-1]]
        most += 8


def _row(boxes: list[Box], lines: list[tuple[Point, ...]], begin: int, end: int) -> Box:
    """Return the part of a picture between two cuts, as high as what it shows."""
    inside = [box for box in boxes if begin <= box.x < end]
    heights = [y for box in inside for y in (box.y, box.y + box.height)]
    for points in lines:
        for left, right in pairwise(points):
            if left.x < end and right.x > begin:
                heights += [y + side for y in (left.y, right.y) for side in (-SPREAD, SPREAD)]
    return Box(begin, min(heights) - 4, end - begin, max(heights) - min(heights) + 8)


def _sum(terms: list[float], total: float) -> str:
    written = [look.short(term) for term in terms]
    return f"{' + '.join(written)} {relation('+', written, look.short(total))}"


def _squeeze(wanted: float, room: float) -> str:
    if wanted <= room + 1:
        return ""
    return f' textLength="{int(room)}" lengthAdjust="spacingAndGlyphs"'


def safe(text: str) -> str:
    """Return text for XML: escaped, and without the characters that XML cannot hold."""
    text = printable(text)
    for plain, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, escaped)
    return text


def _curve(points: tuple[Point, ...], side: int) -> str:
    """Return the path data of the forward (-1) or the backward (1) wire through these points."""
    return " ".join(_turns(points, side))


def _turns(points: tuple[Point, ...], side: int) -> Iterator[str]:
    x, y = points[0].x, points[0].y + side * points[0].spread
    yield f"M{x} {y}"
    for point in points[1:]:
        to = point.y + side * point.spread
        if to == y:
            yield f"H{point.x}"
        else:
            half = (x + point.x) / 2
            yield f"C{half:g} {y} {half:g} {to} {point.x} {to}"
        x, y = point.x, to
