"""Floor plans: text, SVG, and a page whose boxes open when they are clicked.

A closed box says how much is in it; an open one is a frame with its wiring inside, laid out by
itself and then placed like any other card. Start reading at `plan_svg`, then `_Sheet`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from math import hypot

from gradwalk.errors import GraphError
from gradwalk.graph import Graph, Node, named
from gradwalk.plan import Card, Plan, around, rooms
from gradwalk.render import theme as look
from gradwalk.render.layout import Box, Layout, Point, card_size, layout
from gradwalk.render.svg import PADDING, Picture, safe
from gradwalk.render.theme import Theme

#: A picture of more is nothing that a person could read.
MOST_CARDS = 400

BAR = 40  # the height of a frame's title


# ── Text ─────────────────────────────────────────────────────────────────────────────────────


def plan_text(subject: Plan, *, width: int = 80, most: int = 60) -> str:
    """Return a plan as a table, open boxes indented; of a long one, the first `most` rows."""
    rows = list(_rows(subject, 0))
    left_out = len(rows) - most
    rows = rows[:most] if left_out > 1 else rows
    head = ("", "operations", "parameters", "reads")
    if max([len(row[0]) for row in rows]) + 42 > width:  # 12 of them for what is read
        head = ("", "ops", "params", "reads")
    sizes = [max([len(row[i]) for row in [head, *rows]]) for i in range(3)]
    sizes.append(max(5, width - sum(sizes) - 8))
    lines = [*_heading(subject), "", *[_line(row, sizes) for row in [head, *rows]]]
    if left_out > 1:
        lines.append(f"  … {left_out} rows left out; --format json has them all")
    return "\n".join(lines) + "\n"


def _heading(subject: Plan) -> Iterator[str]:
    graph = subject.graph
    root = graph.name(graph.root)
    where = f"inside {subject.scope}" if subject.scope else "floor plan"
    yield f"{where}: {named(root, graph[graph.root].data)}, {len(graph):,} nodes"


def _rows(subject: Plan, depth: int) -> Iterator[tuple[str, str, str, str]]:
    marks = {"input": "from ", "output": "to ", "box": "▸ "}
    for card in subject.cards:
        mark = "▾ " if card.inside else marks.get(card.kind, "  ")
        name = "  " * depth + mark + card.name
        reads = ", ".join([subject.cards[i].name for i in card.operands])
        if card.kind in ("input", "output"):
            yield name, "", "", "" if card.kind == "input" else reads
            continue
        operations = sum(subject.operations(card).values())
        count = subject.parameters(card)
        yield name, f"{operations:,}" if operations else "", f"{count:,}" if count else "", reads
        if card.inside:
            yield from _rows(card.inside, depth + 1)


def _line(cells: tuple[str, str, str, str], sizes: list[int]) -> str:
    name, operations, parameters, reads = cells
    first, second, third, room = sizes
    reads = reads if len(reads) <= room else reads[: room - 1] + "…"
    return f"  {name:<{first}}  {operations:>{second}}  {parameters:>{third}}  {reads}".rstrip()


# ── SVG ──────────────────────────────────────────────────────────────────────────────────────


def plan_svg(
    subject: Plan,
    *,
    theme: Theme = "auto",
    linked: bool = False,
    wrap: float | None = None,
    animated: bool = False,
) -> str:
    """Return the picture. With `linked`, a closed box leads to `#` and the name of its scope.

    In an `animated` one, each card appears after those that it reads. `wrap` cuts a wide picture
    into rows, as in `svg`; the frame of an open box goes on in the next row.
    """
    cards = card_count(subject)
    if cards > MOST_CARDS:
        raise GraphError(
            f"a picture shows at most {MOST_CARDS} cards, and this plan has {cards}; "
            "open a smaller box, or take a shorter document"
        )
    return _PlanPicture(subject, look.stylesheet(theme), linked, animated).draw(wrap)


def card_count(subject: Plan) -> int:
    """Return how many cards a plan shows, those in open boxes included."""
    return sum([1 + (card_count(card.inside) if card.inside else 0) for card in subject.cards])


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A plan and where its cards go; `frames` are the sheets of its open boxes, by card."""

    plan: Plan
    layout: Layout
    frames: dict[int, _Sheet]

    @classmethod
    def of(cls, subject: Plan) -> _Sheet:
        frames = {i: cls.of(card.inside) for i, card in enumerate(subject.cards) if card.inside}
        sizes: list[tuple[int, int]] = []
        stand_ins: list[Node] = []
        for i, card in enumerate(subject.cards):
            node = Node(i, "", card.name, 0.0, 0.0, card.operands, (0.0,) * len(card.operands))
            stand_ins.append(node)
            if i in frames:
                inner = frames[i].layout
                sizes.append((inner.width, inner.height + BAR))
            else:
                sizes.append(_size(subject, card))
        outline = Graph(stand_ins)
        return cls(subject, layout(outline, pills=False, sizes=sizes), frames)


def _size(subject: Plan, card: Card) -> tuple[int, int]:
    if card.kind == "node":
        node = subject.graph[card.nodes[0]]
        return card_size(replace(node, operands=card.operands), 1, False)
    width = max(176 if card.kind in ("box", "tensor") else 96, look.width(card.name) + 56)
    return -(-width // 16) * 16, 84 if card.kind == "box" else 60 if card.kind == "tensor" else 36


class _PlanPicture(Picture):
    """The picture of a plan: its nodes are drawn as in that of a graph."""

    def __init__(self, subject: Plan, style: str, linked: bool, animated: bool) -> None:
        self.sheet = _Sheet.of(subject)
        self.linked = linked
        super().__init__(subject.graph, style, self.sheet.layout, animated=animated)

    def find_steps(self) -> None:
        self.steps = 1 + card_count(self.sheet.plan)

    def body(self, row: Box | None = None) -> None:
        self.part(self.sheet, row=row)

    def boxes(self) -> list[Box]:
        return [box for box, is_frame in _flat(self.sheet) if not is_frame]

    def lines(self) -> list[tuple[Point, ...]]:
        borders = [
            (Point(box.x, y, 0), Point(box.x + box.width, y, 0))
            for box, is_frame in _flat(self.sheet)
            if is_frame
            for y in (box.y, box.y + box.height)
        ]
        return [*super().lines(), *borders]

    def words(self) -> tuple[str, str]:
        subject = self.sheet.plan
        title = f"Inside {subject.scope}" if subject.scope else "Floor plan"
        root = self.graph.name(self.graph.root)
        shown = [
            f"{card.name} reads {', '.join([subject.cards[i].name for i in card.operands[:8]])}"
            for card in subject.cards[:60]
            if card.operands
        ]
        return f"{title} of {root}", "; ".join(shown)

    def part(self, sheet: _Sheet, first: int = 1, row: Box | None = None) -> None:
        """Draw a sheet, or what reaches into a row; its first card appears at the step `first`."""
        begin, end = (row.x, row.x + row.width) if row else (0, sheet.layout.width)
        cards = list(enumerate(zip(sheet.plan.cards, sheet.layout.cards, strict=True)))
        for i, (card, _) in cards:
            self.forward_at[i] = first
            first += 1 + (card_count(card.inside) if card.inside else 0)
        steps = dict(self.forward_at)
        for edge in sheet.layout.edges:
            if edge.points[0].x < end and edge.points[-1].x > begin:
                self.wires(edge)
        for i, (card, box) in cards:
            if box.x >= end or box.x + box.width <= begin:
                continue
            with self.at(steps[i]):
                if i in sheet.frames:
                    self.frame_of(card, box, sheet.frames[i], steps[i] + 1)
                elif card.kind == "node":
                    self.card(self.graph[card.nodes[0]], box)
                else:
                    self.closed(sheet.plan, card, box)

    def frame_of(self, card: Card, box: Box, inner: _Sheet, first: int) -> None:
        self.parts.append(f"<g><title>{safe(card.scope)}</title>")
        self.box("frame", box)
        self.text(box.x + PADDING + 4, box.y + 26, "name", card.name)
        size = f"{len(card.nodes):,} nodes"
        self.text(box.x + box.width - PADDING, box.y + 26, "muted end", size)
        self.parts.append(f'<g transform="translate({box.x} {box.y + BAR})">')
        self.part(inner, first)
        self.parts.append("</g></g>")

    def closed(self, subject: Plan, card: Card, box: Box) -> None:
        link = self.linked and card.kind == "box"
        self.parts.append(f'<a href="#{safe(card.scope)}">' if link else "<g>")
        self.parts.append(f"<title>{safe(self.told(subject, card))}</title>")
        left = box.x + PADDING
        if card.kind in ("input", "output"):
            self.box("card const", box)
            arrow = f"from {card.name}" if card.kind == "input" else f"to {card.name}"
            self.text(left, box.y + 22, "muted", look.fitting(arrow, box.width))
        else:
            self.box("card", box)
            self.text(left, box.y + 25, "name", look.fitting(card.name, box.width - 2 * PADDING))
            line = box.y + 47
            if card.kind == "box":
                self.text(left, line, "ahead", _operations(subject, card))
                line += 23
            count = subject.parameters(card)
            if count:
                grad = hypot(*[self.graph[i].grad for i in card.nodes if self._varies(i)])
                self.text(left, line, "muted", f"{count:,} parameters")
                end = box.x + box.width - PADDING
                if box.width > 240:
                    self.text(end, line, "back end", f"|grad| {look.short(grad)}")
        self.parts.append("</a>" if link else "</g>")

    def _varies(self, node: int) -> bool:
        return "leaf" in self.graph[node].tags

    def told(self, subject: Plan, card: Card) -> str:
        counts = [f"{n} {op}" for op, n in subject.operations(card).items()]
        parameters = subject.parameters(card)
        counts += [f"{parameters} parameters"] if parameters else []
        return f"{card.scope or card.name}: {', '.join(counts)}" if counts else card.name


def _flat(sheet: _Sheet, x: int = 0, y: int = 0) -> Iterator[tuple[Box, bool]]:
    """Yield every card of a sheet and of its frames where it stands, and whether it is a frame."""
    for i, box in enumerate(sheet.layout.cards):
        moved = Box(box.x + x, box.y + y, box.width, box.height)
        yield moved, i in sheet.frames
        if i in sheet.frames:
            title = look.width(sheet.plan.cards[i].name)
            yield Box(moved.x, moved.y, PADDING + 4 + title, BAR), False
            yield from _flat(sheet.frames[i], moved.x, moved.y + BAR)


def _operations(subject: Plan, card: Card) -> str:
    """Return `80 dot, 5 relu …`: the two most frequent operations of a box."""
    counts = subject.operations(card)
    shown = ", ".join([f"{n:,} {op}" for op, n in list(counts.items())[:2]])
    return shown + (" …" if len(counts) > 2 else "")


# ── HTML ─────────────────────────────────────────────────────────────────────────────────────


def plan_html(subject: Plan) -> str:
    """Return a page without a script: the plan, and behind each box the wiring inside it.

    A click on a box opens it; boxes too large to draw say how many nodes they have.
    """
    graph = subject.graph
    title = f"gradwalk: floor plan of {graph.name(graph.root)}"
    sections = [_section("plan", "Floor plan", [], plan_svg(subject, linked=True))]
    for inside in rooms(graph):
        if card_count(inside) <= MOST_CARDS:
            content = plan_svg(inside, linked=True)
        else:
            content = f"<p>{card_count(inside):,} cards are too many to draw.</p>"
        *above, _ = around(inside.scope)
        sections.append(_section(inside.scope, inside.scope, above, content))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="data:,">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


def _section(anchor: str, title: str, above: list[str], content: str) -> str:
    trail = [("plan", "Floor plan"), *[(outer, outer) for outer in above]]
    links = [f'<a href="#{escape(where)}">{escape(words)}</a> ›' for where, words in trail]
    back = "" if anchor == "plan" else f"<nav>{' '.join(links)}</nav>"
    return (
        f'<section id="{escape(anchor)}">{back}<h1>{escape(title)}</h1>\n'
        f"<figure>{content}</figure></section>"
    )


# One section is shown at a time: the one in the address, else the plan.
_STYLE = (
    "body{margin:0;font:14px/1.5 system-ui,sans-serif;color-scheme:light dark}"
    "main{padding:24px}h1{font-size:20px;margin:8px 0 16px}"
    "figure{margin:0;overflow:auto}svg a:hover .card{stroke-width:2.5}svg a{cursor:pointer}"
    "@supports selector(:has(a)){section:not(:target){display:none}"
    "main:not(:has(:target)) #plan{display:block}}"
)
