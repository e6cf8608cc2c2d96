"""What a notebook shows: a picture without scripts, and text where there is none."""

import xml.etree.ElementTree as ET

import gradwalk
from gradwalk import Value


def test_a_value_shows_its_graph_and_its_gradients() -> None:
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    out = a * b + a
    out.backward()
    shown = out._repr_mimebundle_(include=None, exclude=None)
    assert shown["text/plain"] == f"{out!r}\na.grad = -2, b.grad = 2"
    picture = ET.fromstring(shown["image/svg+xml"])
    assert picture.tag.endswith("svg")
    assert not [part for part in picture.iter() if part.tag.endswith("script")]
    assert "-4" in "".join(picture.itertext())


def test_a_walk_shows_its_picture() -> None:
    shown = gradwalk.walk(Value(2.0, label="a") * 3.0)._repr_mimebundle_()
    assert shown["text/plain"].startswith("<Walk of ")
    assert shown["image/svg+xml"].startswith("<svg ")


def test_a_large_graph_is_told_and_not_drawn() -> None:
    total = Value(0.0)
    for _ in range(5000):
        total = total + 1.0
    shown = total._repr_mimebundle_()
    assert set(shown) == {"text/plain"}
    assert "10,001 nodes" in shown["text/plain"]


def test_a_number_alone_is_said() -> None:
    assert Value(2.0)._repr_mimebundle_()["text/plain"] == repr(Value(2.0))
