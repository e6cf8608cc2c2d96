"""The data that ships with the package."""

from pathlib import Path

import pytest

from gradwalk import OperandError
from gradwalk.data import SHAPES, read_points


@pytest.mark.parametrize("shape", SHAPES)
def test_points_depend_on_the_seed_alone(shape):
    make = SHAPES[shape]
    assert make(20, seed=3) == make(20, seed=3)
    assert make(20, seed=3) != make(20, seed=4)


@pytest.mark.parametrize(
    "wrong", [{"count": 1}, {"noise": -1.0}, {"noise": float("nan")}, {"noise": 1e308}]
)
def test_shapes_that_cannot_be_drawn_are_refused(wrong):
    with pytest.raises(OperandError):
        SHAPES["moons"](**wrong)


# ── Points of one's own ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "0,0,0\n10,4,1\n5,1,0\n",
        "x,y,label\r\n0,0,0\r\n10,4,1\r\n5,1,0\r\n",
        "\ufeffx;y;side\n\n0;0;-1\n10; 4; 1\n5;1;-1",
        "# measured by hand\n0 0 cat\n10\t4 dog # barks\n5 1 cat\n",
    ],
)
def test_points_are_read_from_text_and_fitted_to_the_plane(text, tmp_path):
    file = tmp_path / "points.csv"
    file.write_text(text, "utf-8", newline="")
    (points, signs), sides = read_points(file)
    assert points == [(-1.0, -1.0), (1.0, 1.0), (0.0, -0.5)]
    assert signs == [-1, 1, -1]
    assert sides in [("0", "1"), ("-1", "1"), ("cat", "dog")]


def test_points_far_out_and_an_axis_without_extent_are_fitted_too(tmp_path):
    (tmp_path / "p").write_text("-1.7e308 3 a\n1.7e308 3 b\n")
    assert read_points(tmp_path / "p")[0].points == [(-1.0, 0.0), (1.0, 0.0)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"1,2\n", "p:1: a point is x, y and a side, not '1,2'"),
        (b"x,y,c\n1,2,a\n1,oops,b\n", "p:3: a point is x, y and a side"),
        (b"1,2,a\nnan,2,b\n", "p:2: a point"),
        (b"1,2,a,b\n", "p:1: a point"),
        (b"", "p: points must have two sides, not 0"),
        (b"1,2,a\n2,3,a\n", "two sides, not 1: a"),
        (b"1,2,a\n2,3,b\n4,4,c", "two sides, not 3: a, b, c"),
        (b"\xff\xfe", "is not UTF-8 text: byte 0"),
    ],
)
def test_what_are_no_points_is_refused(text, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("p").write_bytes(text)
    with pytest.raises(OperandError, match=complaint):
        read_points("p")
