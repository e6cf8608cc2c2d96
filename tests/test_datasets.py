"""The data that ships with the package."""

import importlib.util
from pathlib import Path

import pytest

from gradwalk import OperandError
from gradwalk.data import NAMES_FILE, SHAPES, names

ROOT = Path(__file__).parent.parent


def test_there_are_two_thousand_names_or_more_each_once_and_in_order():
    assert len(names()) >= 2000
    assert names() == sorted(set(names()))


def test_every_name_has_three_to_ten_letters_and_every_letter_occurs():
    assert all(3 <= len(name) <= 10 and name.isascii() and name.islower() for name in names())
    assert len(set("".join(names()))) == 26


def test_the_file_is_what_its_grammar_writes():
    tool = ROOT / "tools" / "names.py"
    if not tool.exists():
        pytest.skip("not a checkout")
    spec = importlib.util.spec_from_file_location("names_tool", tool)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert NAMES_FILE.read_text("utf-8") == "\n".join(module.names()) + "\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_points_depend_on_the_seed_alone(shape):
    make = SHAPES[shape]
    assert make(20, seed=3) == make(20, seed=3)
    assert make(20, seed=3) != make(20, seed=4)


@pytest.mark.parametrize("shape", SHAPES)
def test_both_sides_have_half_of_the_points(shape):
    points, signs = SHAPES[shape](21)
    assert len(points) == len(signs) == 21
    assert (signs.count(-1), signs.count(1)) == (10, 11)


def test_without_noise_points_lie_on_their_shape():
    points, signs = SHAPES["circles"](40, noise=0)
    for (x, y), sign in zip(points, signs, strict=True):
        assert (x * x + y * y) ** 0.5 == pytest.approx(1.0 if sign < 0 else 0.5)


@pytest.mark.parametrize(
    "wrong", [{"count": 1}, {"noise": -1.0}, {"noise": float("nan")}, {"noise": 1e308}]
)
def test_shapes_that_cannot_be_drawn_are_refused(wrong):
    with pytest.raises(OperandError):
        SHAPES["moons"](**wrong)
