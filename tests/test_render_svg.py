"""Pictures: where things go, what they say, and that nothing covers anything."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from support.pictures import (
    example,
    few,
    random_graph,
    random_walk,
    seeds,
    sizes,
)

from gradwalk import Graph, Node, OperandError, Value, snapshot, walk
from gradwalk.render import svg
from gradwalk.render.layout import Box, Layout, Point, layout
from gradwalk.render.theme import INKS, MONO, PALETTE, PAPERS, THEMES, short
from gradwalk.render.theme import width as name_width

FIXTURE = Path(__file__).parent / "fixtures" / "layout.json"
CSS = (Path(svg.__code__.co_filename).parent / "svg.css").read_text("utf-8")
SIZES = {"large": 16, "name": 14, "small": 11}


def picture(name: str, **how) -> str:
    return svg(walk(example(name), **how))


def texts(drawn: str) -> list[str]:
    """Every text of a picture, as it reads."""
    return ["".join(text.itertext()) for text in by_tag(drawn, "text")]


def by_tag(drawn: str, tag: str) -> list[ET.Element]:
    return list(ET.fromstring(drawn).iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


# ── Pages ────────────────────────────────────────────────────────────────────────────────────


@few
@given(seeds, sizes)
def test_a_picture_that_wraps_shows_every_card_and_pill_once_and_cuts_none(seed, size):
    done = random_walk(seed, size)
    for shape in (16 / 9, 1.0, 0.3):
        drawn = svg(done, wrap=shape)
        rows = [one for one in by_tag(drawn, "svg") if one.get("viewBox") and one.get("y")]
        for kind in ("card", "pill"):
            found = [r for r in by_tag(drawn, "rect") if kind in r.get("class", "").split()]
            assert len(found) == svg(done).count(f'class="{kind}'), kind
        for row in rows:
            left, top, width, height = map(int, row.get("viewBox", "").split())
            for rect in row.iter("{http://www.w3.org/2000/svg}rect"):
                x, y, w, h = [int(rect.get(key, "0")) for key in ("x", "y", "width", "height")]
                assert left <= x <= x + w <= left + width, rect.attrib
                assert top <= y <= y + h <= top + height, rect.attrib


# ── Layout ───────────────────────────────────────────────────────────────────────────────────


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def assert_nothing_covers_anything(found: Layout) -> None:
    pills = [edge.pill for edge in found.edges if edge.pill is not None]
    boxes = [*found.cards, *pills]
    by_x = sorted(boxes)
    for index, box in enumerate(by_x):
        for other in by_x[index + 1 :]:
            if other.x >= box.x + box.width:
                break
            assert not overlap(box, other), (box, other)
        assert min(box.x, box.y) > 0
        assert box.x + box.width < found.width
        assert box.y + box.height < found.height


def along(one: Point, other: Point, side: int) -> Iterator[tuple[float, float]]:
    """Points of the curve between two turns, close enough that none can jump over a card."""
    y, to = one.y + side * one.spread, other.y + side * other.spread
    steps = 1 + (abs(other.x - one.x) + abs(to - y)) // 4
    for step in range(steps + 1):
        t = step / steps
        across = 1.5 * t - 1.5 * t * t + t * t * t
        up = 3 * t * t - 2 * t * t * t
        yield one.x + (other.x - one.x) * across, y + (to - y) * up


def assert_no_wire_runs_under_anything(found: Layout) -> None:
    owned: list[tuple[Box, object]] = [(card, None) for card in found.cards]
    owned += [(edge.pill, edge) for edge in found.edges if edge.pill is not None]
    for edge in found.edges:
        for one, other in pairwise(edge.points):
            low, high = sorted([one.y, other.y])
            spread = max(one.spread, other.spread)
            around = Box(one.x, low - spread, other.x - one.x, high - low + 2 * spread)
            near = [box for box, owner in owned if owner is not edge and overlap(box, around)]
            for side in (-1, 1) if near else ():
                for x, y in along(one, other, side):
                    for box in near:
                        assert not overlap(box, Box(x, y, 0, 0)), (edge, box)  # type: ignore[arg-type]


@few
@given(seeds, sizes)
def test_nothing_covers_anything_in_a_random_graph(seed, size):
    graph = random_graph(seed, size)
    for pills in (True, False):
        assert_nothing_covers_anything(layout(graph, pills=pills))


def turned(found: Layout) -> Layout:
    """The layout with its axes exchanged."""
    boxes = [Box(box.y, box.x, box.height, box.width) for box in found.cards]
    edges = [
        replace(
            edge,
            points=tuple(Point(p.y, p.x, p.spread) for p in edge.points),
            pill=edge.pill and Box(edge.pill.y, edge.pill.x, edge.pill.height, edge.pill.width),
        )
        for edge in found.edges
    ]
    return Layout(found.height, found.width, tuple(boxes), tuple(edges))


@few
@given(seeds, sizes)
def test_nothing_covers_anything_in_a_picture_that_goes_down(seed, size):
    found = layout(random_graph(seed, size), down=True, pill=72, gap=10, channel=(10, 40))
    assert_nothing_covers_anything(found)
    assert_no_wire_runs_under_anything(turned(found))
    for edge in found.edges:
        source, target = found.cards[edge.source], found.cards[edge.target]
        assert source.y + source.height <= target.y


@few
@given(seeds, sizes)
def test_each_operation_is_right_of_its_inputs_and_the_root_is_last(seed, size):
    graph = random_graph(seed, size)
    cards = layout(graph).cards
    for node in graph.nodes:
        for operand in node.operands:
            assert cards[operand].x + cards[operand].width < cards[node.id].x
        if node.id != graph.root:
            assert cards[node.id].x < cards[graph.root].x


@few
@given(seeds, sizes)
def test_a_change_of_values_moves_nothing(seed, size):
    graph = random_graph(seed, size)
    changed = Graph(
        Node(n.id, n.op, n.label, 7e-9, -1e9, n.operands, n.local_grads, n.tags)
        for n in graph.nodes
    )
    assert layout(graph) == layout(changed)


def test_a_graph_deeper_than_any_recursion_is_laid_out_in_bounded_room():
    shared, value = Value(0.5, label="shared"), Value(1.0, label="x")
    for _ in range(3000):
        value = value * shared + 1
    found = layout(snapshot(value))
    assert len(found.cards) == 9002
    # The wire of a leaf that is read 3,000 layers away goes over the top, not through each column.
    assert max(len(edge.points) for edge in found.edges) < 20
    assert found.height < 1000
    assert_nothing_covers_anything(found)


def test_the_fixture_that_the_browser_reads_is_what_the_layout_gives():
    cases = json.loads(FIXTURE.read_text("utf-8"))["cases"]
    assert len(cases) > 40
    for case in cases:
        graph = Graph(
            Node(i, op, label, 0.0, 0.0, tuple(operands), (0.0,) * len(operands), tuple(tags))
            for i, (op, label, operands, tags) in enumerate(case["nodes"])
        )
        found = layout(graph, **case["options"])
        assert [list(card) for card in found.cards] == case["cards"], case["name"]
        edges = [
            [e.source, e.target, e.operand, list(map(list, e.points)), e.pill and list(e.pill)]
            for e in found.edges
        ]
        assert edges == case["edges"], case["name"]
        assert (found.width, found.height) == (case["width"], case["height"])


# ── What a picture says ──────────────────────────────────────────────────────────────────────


SAID = [  # a picture, and how often it says what
    ("X1", {}, {"10 × 1 = 10": 2, "1 × 10 = 10": 1, "1 × −1 = −1": 1, "grad": 5, "seed": 1}),
    ("X1", {}, dict.fromkeys(["a", "b", "c", "+", "×", "−3", "2 + −3 = −1", "−1 × 10 = −10"], 1)),
    ("X7", {}, {"1 + 3 =": 1}),
    ("X9", {}, {"derived": 2, "const": 3}),
    ("X8", {}, {"1 × 0 = 0": 1, "gradient 0: nothing to push": 2}),
    ("X3", {"bug": "overwrite"}, {"6": 1, "1 × 3 = 3 replaced": 1, "Bug: overwrite": 1}),
    ("X6", {"order": ["d", "b", "a", "c"]}, {"3 × 3 = 9 lost": 1, "Order d b a c": 1}),
    ("X5", {"bug": "no-reset"}, {"2 times, 2 × 3 = 6": 1}),
]


@pytest.mark.parametrize(("name", "how", "said"), SAID)
def test_a_picture_says_its_labels_numbers_equations_and_what_went_wrong(name, how, said):
    found = texts(picture(name, **how))
    assert {text: found.count(text) for text in said} == said


def test_the_wrong_number_is_struck_and_a_lost_contribution_is_marked_on_its_wire():
    struck = by_tag(picture("X3", bug="overwrite"), "text")
    assert [text.text for text in struck if "struck" in text.get("class", "")] == ["3"]
    drawn = picture("X6", order=["d", "b", "a", "c"])
    assert [p for p in by_tag(drawn, "path") if "broken" in p.get("class", "")]
    assert "should be 15.0" in drawn


@pytest.mark.parametrize(
    ("x", "digits", "text"),
    [
        (2.0, 4, "2"),
        (-0.12345, 4, "−0.1235"),
        (0.00012, 4, "1.2e−4"),
        (123456.0, 4, "1.235e5"),
        (-0.0, 4, "0"),
        (9999.9, 3, "1e4"),
        (float("inf"), 4, "∞"),
        (float("-inf"), 4, "−∞"),
        (float("nan"), 4, "nan"),
    ],
)
def test_numbers_are_short_and_have_true_minus_signs(x, digits, text):
    assert short(x, digits) == text


# ── What it is made of ───────────────────────────────────────────────────────────────────────


def extent(text: ET.Element) -> tuple[float, float]:
    """From where to where a text goes, by the measures that the picture is drawn with."""
    classes = text.get("class", "").split()
    size = next((SIZES[kind] for kind in classes if kind in SIZES), 12)
    words = "".join(text.itertext())
    if text.get("textLength"):
        wide = float(text.get("textLength", 0))
    elif "number" in classes:
        wide = len(words) * size * MONO
    else:
        wide = name_width(words) if size == 14 else len(words) * size * 0.55
    x = float(text.get("x", 0))
    if "end" in classes:
        return x - wide, x
    return (x - wide / 2, x + wide / 2) if "middle" in classes else (x, x + wide)


@few
@given(seeds, sizes)
def test_texts_stay_on_their_cards_and_apart(seed, size):
    root = ET.fromstring(svg(random_walk(seed, size)))
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        card = next((e for e in group if e.get("class", "").startswith("card")), None)
        if card is None:
            continue
        left = float(card.get("x", 0))
        right = left + float(card.get("width", 0))
        lines: dict[int, list[tuple[float, float]]] = {}
        for text in group.iter("{http://www.w3.org/2000/svg}text"):
            begin, end = extent(text)
            assert left <= begin <= end <= right, "".join(text.itertext())
            lines.setdefault(round(float(text.get("y", 0)) / 4), []).append((begin, end))
        for line in lines.values():
            for (_, end), (begin, _) in pairwise(sorted(line)):
                assert end <= begin + 1


def test_it_needs_nothing_from_outside():
    for drawn in (picture("X2"), svg(snapshot(example("X2")))):
        without_namespace = drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")
        for word in ("http", "href", "url(", "@import", "<script", " id=", "onload"):
            assert word not in without_namespace


# ── Colours ──────────────────────────────────────────────────────────────────────────────────


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", range(len(THEMES)))
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("ink", INKS)
def test_every_ink_reads_on_every_paper(ink, paper, theme):
    assert contrast(PALETTE[ink][theme], PALETTE[paper][theme]) >= 4.5


def test_texts_are_written_in_inks_only():
    assert set(PALETTE) == {*INKS, *PAPERS, "line"}
    papers = {"canvas", "card", "frame", "badge", "pill", "chip", "idle", "lost"}  # of boxes
    for kind, role in re.findall(r"\.gradwalk \.?(\w+) \{[^}]*?fill: var\(--([\w-]+)\)", CSS):
        assert role in (PAPERS if kind in papers else INKS), kind


def test_a_theme_is_fixed_unless_it_is_auto():
    drawn = {
        theme: svg(snapshot(example("X1")), theme=theme) for theme in ("light", "dark", "auto")
    }
    assert PALETTE["card"][0] in drawn["light"]
    assert PALETTE["card"][1] not in drawn["light"]
    assert PALETTE["card"][1] in drawn["dark"]
    assert PALETTE["card"][0] not in drawn["dark"]
    light, dark = drawn["auto"].split("@media (prefers-color-scheme: dark)")
    assert PALETTE["card"][0] in light
    assert PALETTE["card"][1] in dark
    assert "var(" not in "".join(drawn.values())


def test_an_unknown_theme_is_refused():
    with pytest.raises(OperandError, match="auto, light, dark or print, not 'sepia'"):
        svg(snapshot(example("X1")), theme="sepia")  # type: ignore[arg-type]
