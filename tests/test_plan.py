"""Scopes of modules, and graphs as floor plans whose boxes open."""

import random
import re
from xml.etree import ElementTree

import pytest

from gradwalk import GraphError, Value, scope, snapshot
from gradwalk.gpt import GPT, Config, FastGPT
from gradwalk.gpt.views import document_graph
from gradwalk.nn import MLP, constant
from gradwalk.plan import plan, scopes
from gradwalk.render import plan_svg, plan_text

TINY = Config(n_embd=4, n_head=2, n_layer=2, block_size=4, vocabulary=5)
DOCUMENT = [4, 0, 1, 2, 4]


@pytest.fixture(params=[GPT, FastGPT], scope="module")
def graph(request):
    return document_graph(request.param(TINY, random.Random(1)), DOCUMENT)


def names(cards, kind):
    return [card.name for card in cards if card.kind == kind]


# ── Modules ──────────────────────────────────────────────────────────────────────────────────


def test_modules_name_their_nodes_inside_a_scope_and_only_there():
    model = MLP(2, [3, 1], init=constant(0.5))
    assert {node.scope for node in snapshot(model([1.0, 2.0])).nodes} == {""}
    with scope("loss"):
        out = (model([1.0, 2.0]) - 1) ** 2
    made = {(node.op, node.scope) for node in snapshot(out).nodes if node.operands}
    assert made == {
        ("dot", "loss.MLP.layers.0"), ("relu", "loss.MLP.layers.0"), ("dot", "loss.MLP.layers.1"),
        ("-", "loss"), ("**", "loss"),
    }  # fmt: skip


# ── Plans ────────────────────────────────────────────────────────────────────────────────────


def test_every_node_but_constants_is_on_one_card(graph):
    opened = plan(graph, [name for name in scopes(graph) if name.startswith("layers")])

    def nodes(subject):
        for card in subject.cards:
            yield from nodes(card.inside) if card.inside else card.nodes

    found = list(nodes(opened))
    assert len(found) == len(set(found))
    assert set(found) == {node.id for node in graph.nodes if not node.is_const}


def test_a_card_reads_what_its_nodes_read_and_stands_behind_it(graph):
    for name in ["", *scopes(graph)]:
        shown = plan(graph, scope=name)
        home = {i: place for place, card in enumerate(shown.cards) for i in card.nodes}
        for place, card in enumerate(shown.cards):
            assert all(operand < place for operand in card.operands)
            read = {home[o] for i in card.nodes for o in graph[i].operands if o in home} - {place}
            drawn = {i for i in card.operands if shown.cards[i].kind != "input"}
            assert card.kind == "output" or read == drawn, (name, card.name)


def test_the_plan_of_a_gpt_is_its_architecture_in_both_forms(graph):
    shown = plan(graph, ["layers.1.attention"])
    boxes = ["embed", "norm", "layers.0", "layers.1", "read_out", "surprise", "sum"]
    assert names(shown.cards, "box") == boxes
    assert [[shown.cards[i].name for i in card.operands] for card in shown.cards[1:5]] == [
        ["embed"], ["norm"], ["layers.0"], ["layers.1"],
    ]  # fmt: skip
    layer = shown.cards[3].inside
    assert names(layer.cards, "box") == ["norm1", "attention", "add1", "norm2", "mlp", "add2"]
    assert (names(layer.cards, "input"), names(layer.cards, "output")) == (
        ["layers.0"],
        ["read_out"],
    )
    heads = layer.cards[2].inside
    boxes = names(heads.cards, "box")
    assert sorted(boxes[:3]) == ["wk", "wq", "wv"]  # side by side: any of them may come first
    assert boxes[3:] == ["head.0", "head.1", "wo"]
    by_name = {card.name: card for card in heads.cards}
    reads = {heads.cards[i].name for i in by_name["head.1"].operands}
    assert reads == {"wq", "wk", "wv"}
    assert heads.parameters(by_name["wq"]) == 16


def test_a_scope_entered_again_behind_another_is_a_second_box():
    x = Value(1.0, label="x")
    for _ in range(2):
        with scope("cell"):
            x = x * 2
        with scope("out"):
            x = x.tanh()
    shown = plan(snapshot(x))
    assert [(card.name, card.operands) for card in shown.cards] == [
        ("cell", ()), ("out", (0,)), ("cell (2)", (1,)), ("out (2)", (2,)),
    ]  # fmt: skip


def test_a_leaf_that_two_boxes_read_stands_outside_both():
    x = Value(1.0, label="x")
    with scope("a"):
        left = x * 2
    with scope("b"):
        right = x * 3
    shown = plan(snapshot(left + right))
    assert [(card.kind, card.name) for card in shown.cards] == [
        ("node", "x"), ("box", "a"), ("box", "b"), ("node", "+"),
    ]  # fmt: skip


def test_a_scope_that_is_not_there_is_named():
    with scope("here"):
        out = Value(1.0) * 2
    with pytest.raises(GraphError, match="there is no scope 'attic'; this graph has here"):
        plan(snapshot(out), ["attic"])
    with pytest.raises(GraphError, match="there is no scope 'there': did you mean here"):
        plan(snapshot(out), ["there"])
    with pytest.raises(GraphError, match="this graph has no scopes: make it inside `with scope"):
        plan(snapshot(Value(1.0) * 2), ["there"])


# ── Drawn ────────────────────────────────────────────────────────────────────────────────────


def rectangles(root, kinds, dx=0.0, dy=0.0):
    """Yield (x, y, width, height) of rects of these classes, in the picture's coordinates."""
    if move := re.fullmatch(r"translate\((\S+) (\S+)\)", root.get("transform", "")):
        dx, dy = dx + float(move[1]), dy + float(move[2])
    if root.tag.endswith("rect") and root.get("class", "").split()[0] in kinds:
        x, y, width, height = [float(root.get(a, 0)) for a in ("x", "y", "width", "height")]
        yield x + dx, y + dy, width, height
    for child in root:
        yield from rectangles(child, kinds, dx, dy)


@pytest.mark.parametrize("opened", [[], ["layers.0"], ["layers.0.attention", "layers.1.mlp"]])
def test_a_picture_is_xml_in_which_no_card_covers_another(graph, opened):
    root = ElementTree.fromstring(plan_svg(plan(graph, opened)))
    cards = list(rectangles(root, {"card"}))
    frames = list(rectangles(root, {"frame"}))
    assert len(frames) == len({part for name in opened for part in (name, name[:8])})
    for i, (x, y, width, height) in enumerate(cards):
        for left, top, wide, high in cards[:i]:
            assert x + width <= left or left + wide <= x or y + height <= top or top + high <= y
    for x, y, width, height in cards:
        for left, top, wide, high in frames:
            inside = (
                left <= x and x + width <= left + wide and top <= y and y + height <= top + high
            )
            outside = x + width <= left or left + wide <= x or y + height <= top or top + high <= y
            assert inside or outside


def test_a_plan_too_large_to_draw_says_what_to_do():
    with scope("big"):
        total = sum([Value(float(i)) * 2 for i in range(300)])
    with pytest.raises(GraphError, match=r"at most 400 cards, .* open a smaller box"):
        plan_svg(plan(snapshot(total), ["big"]))


@pytest.mark.parametrize("width", [40, 80])
def test_text_shows_open_boxes_indented_and_fits_its_width(graph, width):
    text = plan_text(plan(graph, ["layers.0"]), width=width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert any(line.startswith("  ▾ layers.0 ") for line in lines)
    (row,) = [line for line in lines if line.startswith("    ▸ mlp ")]
    assert row.split()[-2:] == ["128", "norm2"]
