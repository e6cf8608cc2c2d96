"""DOT source and `draw_dot`: micrograd's call, our picture, no graphviz program."""

import re
import xml.etree.ElementTree as ET

import pytest
from support.pictures import HOSTILE, example

from gradwalk import OperandError, Value, snapshot
from gradwalk.render import dot, draw_dot, svg


def test_x1_is_the_record_graph_that_micrograd_draws():
    root = example("X1")
    root.backward()
    assert dot(snapshot(root)).splitlines() == [
        "digraph {",
        "  rankdir=LR",
        "  node [shape=record]",
        '  n0 [label="{ a | data 2 | grad 10 }"]',
        '  n1 [label="{ b | data -3 | grad 10 }"]',
        '  n2 [label="{  | data -1 | grad 10 }"]',
        '  op2 [label="+" shape=oval]',
        "  op2 -> n2",
        "  n0 -> op2",
        "  n1 -> op2",
        '  n3 [label="{ c | data 10 | grad -1 }"]',
        '  n4 [label="{  | data -10 | grad 1 }"]',
        '  op4 [label="*" shape=oval]',
        "  op4 -> n4",
        "  n2 -> op4",
        "  n3 -> op4",
        "}",
    ]


def test_one_object_is_one_node_and_each_input_position_one_edge():
    source = draw_dot(example("X3")).source
    assert source.count("[label=") == 3  # a, the product, and its operation
    assert source.count("n0 -> op1") == 2


@pytest.mark.parametrize("label", HOSTILE)
def test_a_hostile_label_stays_inside_its_field(label):
    source = dot(snapshot(Value(1.0, label=label) * 2))
    (record,) = re.findall(r'  n0 \[label="(.*)"\]\n', source)
    assert re.fullmatch(r'([^"\\\n]|\\.)*', record)  # the quotes do not end early
    bare = re.sub(r"\\.", "", record)
    assert (bare.count("{"), bare.count("|"), bare.count("}")) == (1, 2, 1)
    assert not set("<>") & set(bare)


def test_it_takes_the_arguments_of_micrograd():
    drawing = draw_dot(example("X1"), format="svg", rankdir="TB")
    assert "rankdir=TB" in str(drawing)
    assert str(drawing) == drawing.source


def test_formats_and_directions_it_does_not_have_are_refused():
    with pytest.raises(OperandError, match="svg or dot, not 'png'"):
        draw_dot(example("X1"), format="png")  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="rankdir is LR or TB, not 'XY'"):
        draw_dot(example("X1"), rankdir="XY")  # type: ignore[arg-type]


def test_a_notebook_shows_our_own_picture():
    root = example("X2")
    root.backward()
    drawing = draw_dot(root)
    assert drawing._repr_svg_() == drawing.svg() == svg(snapshot(root))
    bundle = drawing._repr_mimebundle_(include=None, exclude=None)
    ET.fromstring(bundle["image/svg+xml"])
    assert bundle["text/plain"] == repr(drawing)


@pytest.mark.parametrize(("name", "begin"), [("x.svg", "<svg"), ("x.dot", "digraph")])
def test_it_saves_by_the_end_of_the_name(tmp_path, name, begin):
    path = draw_dot(example("X1")).save(tmp_path / name)
    assert path.read_text("utf-8").startswith(begin)


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(OperandError, match=r"\.png, \.pdf or \.gif, not \.bmp"):
        draw_dot(example("X1")).save(tmp_path / "x.bmp")
    assert list(tmp_path.iterdir()) == []
