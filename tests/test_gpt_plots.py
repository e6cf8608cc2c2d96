"""Curves, decision boundaries and attention maps."""

import math
import re
from xml.etree import ElementTree

import pytest

from gradwalk import OperandError
from gradwalk.gpt import Tokenizer
from gradwalk.render.plot import (
    Curve,
    attention_svg,
    attention_text,
    boundary,
    boundary_svg,
    curves_svg,
    curves_text,
    smoothed,
)

FALLING = Curve("falling", [(x, 3 - x / 10) for x in range(20)])
RISING = Curve("rising <&>", [(x, 1 + x / 20) for x in range(20)])
PLANE = boundary(lambda x, y: x - y, [(0.0, 1.0), (1.0, 0.0)], [-1, 1], cells=9)
WEIGHTS = [[[[1.0], [0.25, 0.75]], [[1.0], [0.5, 0.5]]]]


@pytest.mark.parametrize("theme", ["auto", "light", "dark", "print"])
def test_pictures_are_well_formed_and_name_what_they_show(theme):
    for picture, words in [
        (curves_svg([FALLING, RISING], title="a < b", x="step", theme=theme), "rising <&>"),
        (boundary_svg(PLANE, title="plane", theme=theme), "side +1"),
        (attention_svg("ab", WEIGHTS, title="look", theme=theme), "layer 1, head 2"),
    ]:
        root = ElementTree.fromstring(picture)
        texts = [element.text for element in root.iter() if element.tag.endswith("text")]
        assert words in texts
        assert "var(" not in picture
        assert "nan" not in picture


def test_a_curve_with_missing_numbers_is_drawn_with_a_gap():
    gap = Curve("gap", [(0, 1.0), (1, math.nan), (2, 2.0), (3, math.inf), (4, 2.5)])
    (path,) = [
        element.get("d")
        for element in ElementTree.fromstring(curves_svg([gap], title="")).iter()
        if "curve" in (element.get("class") or "")
    ]
    assert path.count("M") == 3
    assert "●" in curves_text([gap])


def test_nothing_to_draw_is_an_error():
    with pytest.raises(OperandError, match="nothing to draw"):
        curves_text([Curve("empty", [])])
    with pytest.raises(OperandError, match="nothing to draw"):
        curves_svg([Curve("nan", [(0, math.nan)])], title="")


def test_smoothing_is_the_mean_over_the_last_steps_however_many_of_them_have_a_point():
    points = [(0, 1.0), (1, 3.0), (2, 8.0)]
    sparse = [(0, 9.0), (1, 7.0), (400, 2.0)]
    assert smoothed("s", sparse, 20).points == [(0, 9.0), (1, 8.0), (400, 2.0)]
    assert smoothed("s", points, 2) == Curve("s", [(0, 1.0), (1, 2.0), (2, 5.5)], points)
    assert smoothed("s", points, 1) == Curve("s", points)


def test_attention_over_many_tokens_fits_into_the_width():
    weights = [[[[1.0 / now] * now for now in range(1, 5)]]]
    head = "layer 1, head 1"
    fits = ["    a b c d", "  a X", "  b 5 5", "  c 3 3 3", "  d 2 2 2 2"]
    close = ["    abcd", "  a X", "  b 55", "  c 333", "  d 2222"]
    cut = ["    ab…", "  a X", "  b 55", "  c 333", "  d 22…"]
    for width, lines in ((11, fits), (10, close), (7, cut)):
        assert attention_text("abcd", weights, width).splitlines() == [head, *lines]


def test_characters_that_show_nothing_have_names_to_see():
    tokenizer = Tokenizer(" \x1b\x00\u200d\u0301\u00a0a🎉")
    names = tokenizer.names(range(len(tokenizer)))
    assert names == ["␀", "␛", "␣", "a", "␣", "◌\u0301", "◌", "🎉", "▸"]


def test_a_curve_that_leaves_the_frame_is_cut_off_there_and_does_not_follow_its_edge():
    wild = Curve("wild", [(0, 3.0), (1, 1e9), (2, 1e12), (3, 3.0)])
    calm = Curve("calm", [(0, 3.0), (3, 2.0)])
    root = ElementTree.fromstring(curves_svg([calm, wild], title=""))
    (frame,) = root.findall("{*}svg")
    top, height = float(frame.get("y")), float(frame.get("height"))
    assert frame.get("viewBox").split() == [frame.get(k) for k in ("x", "y", "width", "height")]
    paths = [element.get("d") for element in frame if "curve" in element.get("class")]
    lines = [
        float(pair.split()[1])
        for pair in re.split("[ML]", paths[0])[1:]  # the last is drawn first
    ]
    assert len(paths) == 2
    assert top <= lines[0] == lines[3] <= top + height
    assert lines[1] < top - height
    names = [e for e in root.findall("{*}text") if e.text == "wild"]
    assert top <= float(names[0].get("y")) <= top + height + 16
