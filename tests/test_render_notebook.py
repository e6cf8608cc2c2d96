"""What a notebook shows: a picture without scripts, and text where there is none."""

import math
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import gradwalk
from gradwalk import Value
from gradwalk.errors import OperandError
from gradwalk.nn import MLP, Module


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


def test_a_large_graph_is_told_and_not_drawn() -> None:
    total = Value(0.0)
    for _ in range(5000):
        total = total + 1.0
    shown = total._repr_mimebundle_()
    assert set(shown) == {"text/plain"}
    assert "10,001 nodes" in shown["text/plain"]


# ── Compiled functions, models, curves ───────────────────────────────────────────────────────


@gradwalk.compile
def path(start, drift, shocks):
    s = start
    for shock in shocks:
        s = s * math.exp(drift + shock)
    return s - 1.0


def texts(shown: dict[str, str]) -> list[str]:
    root = ET.fromstring(shown["image/svg+xml"])
    return ["".join(part.itertext()) for part in root.iter() if part.tag.endswith("}text")]


def test_a_compiled_function_shows_its_arguments_and_its_lines() -> None:
    function = gradwalk.compile(path.function)
    assert set(function._repr_mimebundle_()) == {"text/plain"}
    function(2.0, 0.1, [0.3, -0.2])
    shown = function._repr_mimebundle_()
    assert "1 recording" in shown["text/plain"]
    words = texts(shown)
    assert {"start", "drift", "shocks", "path(start, drift, shocks)"} <= set(words)
    (line,) = [word for word in words if re.fullmatch(r"\d+: s = s \* math\.exp.*", word)]
    assert words[words.index(line) + 1] == "2 +, 2 exp …"


def test_a_compiled_function_is_watched_at_its_arguments() -> None:
    view = gradwalk.watch(path, 2.0, 0.1, shocks=[0.3, -0.2])
    assert view.value.data == pytest.approx(2.0 * math.exp(0.3) - 1.0)
    view.value.backward()
    assert view.leaves["start"].grad == pytest.approx(math.exp(0.3))
    assert view.leaves["shocks_1"].grad == pytest.approx(2.0 * math.exp(0.3))
    view._link.hear({"values": {**{k: v.data for k, v in view.leaves.items()}, "start": 4.0},
                     "expression": view._link.state["expression"]})  # fmt: skip
    assert view.value.data == pytest.approx(4.0 * math.exp(0.3) - 1.0)
    view.close()


def test_a_model_shows_what_it_is_made_of() -> None:
    shown = MLP(2, [3, 1])._repr_mimebundle_()
    assert shown["text/plain"].endswith("13 parameters")
    assert {"layers.0", "9 parameters", "layers.1", "4 parameters"} <= set(texts(shown))

    class Empty(Module): ...

    assert set(Empty()._repr_mimebundle_()) == {"text/plain"}


def test_watch_says_what_it_takes() -> None:
    subject: Any = 3
    with pytest.raises(OperandError, match="a model or a compiled function, not int"):
        gradwalk.watch(subject)
    value: Any = Value(2.0)
    with pytest.raises(OperandError, match="only for a model or a compiled function"):
        gradwalk.watch(value, 3.0)
