"""A Value in a notebook, live. `x.py test-notebook` tries it in JupyterLab and marimo."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import gradwalk
from gradwalk import Value, softmax
from gradwalk.errors import GradwalkError
from gradwalk.render import view as views
from gradwalk.render.view import Link, Picture

anywidget: Any = pytest.importorskip("anywidget", reason="the live view needs the extra notebook")


def moved(link: Link, **values: float) -> dict[str, Any]:
    """What the page says when someone moves sliders."""
    state = link.state
    return {"expression": state["expression"], "values": {**state["values"], **values}}


def test_a_slider_writes_the_leaf_and_the_value_is_computed_again_from_it() -> None:
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    f = a * b + a
    link = Link(f)
    assert link.state["expression"] == "a * b + a"
    link.hear(moved(link, a=7.0))
    assert (a.data, b.data) == (7.0, -3.0)
    assert link.value.data == 7.0 * -3.0 + 7.0
    assert (a.grad, b.grad) == (-2.0, 7.0)
    assert f.data == -4.0  # what was recorded stays as it was


def test_leaves_and_shared_parts_without_a_name_get_one_in_the_page_only() -> None:
    x, y = Value(2.0), Value(3.0, label="x1")
    shared = x * y
    link = Link((shared - x) / shared)
    assert link.state["expression"] == "t1 = x2 * x1; (t1 - x2) / t1"
    assert (x.label, shared.label) == ("", "")
    link.hear(moved(link, x2=4.0))
    assert x.data == 4.0
    assert link.value.data == pytest.approx((12.0 - 4.0) / 12.0)


def test_the_node_picked_in_the_page_is_the_value_in_python() -> None:
    a, b = Value(5.0, label="a"), Value(3.0, label="b")
    product = a * b
    link = Link(product - b / a)
    for node, value in {0: a, 1: b, 2: product}.items():
        link.hear({"node": node})
        assert link.selected is value
    link.hear({"node": 4})
    assert link.selected is link.value
    link.hear(moved(link, a=6.0))
    assert link.selected is link.value
    link.hear({"node": 99})
    assert link.selected is None
    primitives = len(gradwalk.snapshot(link.value, fold=False))
    link.hear({"node": primitives - 1, "unfold": True})
    assert link.selected is link.value


def test_what_cannot_be_written_as_an_expression_is_shown_as_a_graph() -> None:
    values = [Value(float(i), label=f"v{i}") for i in range(3)]
    link = Link(softmax(values)[0])
    assert "expression" not in link.state
    link.hear({"node": 1, "values": {"v0": 9.0}, "expression": "v0"})
    assert link.selected is not None
    assert values[0].data == 0.0
    with pytest.raises(GradwalkError, match=r"update\(\)"):
        link.refresh()
    link.update(values[0] * 2)
    assert link.state["expression"] == "v0 * 2"


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"node": "1"},
        {"values": [], "expression": "a"},
        {"values": {"a": float("nan")}, "expression": "a * a"},
        {"values": {"a": 1.0}, "expression": None},
    ],
)
def test_a_message_that_is_no_message_changes_nothing(message: dict[str, Any]) -> None:
    a = Value(2.0, label="a")
    link = Link(a * a)
    link.hear(message)
    assert (a.data, link.value.data, link.selected) == (2.0, 4.0, None)


def test_a_picture_is_a_frame_below_a_megabyte_with_a_drawing_and_a_text_beside_it() -> None:
    f = Value(2.0, label="it's <b>") * Value(3.0, label="b")
    found = Picture(f)._repr_mimebundle_()
    assert set(found) == {"text/plain", "image/svg+xml", "image/png", "text/html"}
    frame = found["text/html"]
    assert len(frame.encode()) < 1_000_000
    assert frame.count("'") == 2  # the page is inside, whatever it quotes
    assert re.search(r"(src|href)=.?https?:", frame) is None


def test_a_widget_sends_what_the_link_says_and_hears_the_page() -> None:
    a = Value(2.0, label="a")
    widget = gradwalk.watch(a * a)
    sent: list[Any] = []
    widget.observe(lambda change: sent.append(change["new"]), "state")
    widget._handle_custom_msg({"node": 0, **moved(widget._link, a=3.0)}, [])
    assert (a.data, widget.value.data, widget.selected) == (3.0, 9.0, a)
    assert sent == []  # the page knows already
    a.data = 4.0
    widget.refresh()
    assert (sent[-1]["values"], widget.value.data) == ({"a": 4.0}, 16.0)
    widget.update(a * 5)
    assert sent[-1]["expression"] == "a * 5"
    data, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "<iframe" in data["text/html"]
    widget.close()


def test_show_is_a_view_in_a_notebook_and_a_file_elsewhere(monkeypatch, tmp_path) -> None:
    class ZMQInteractiveShell: ...

    f = Value(2.0, label="a") * 2
    assert f.show(tmp_path / "walk.html", open=False).is_file()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=ZMQInteractiveShell))
    shown = f.show()
    assert shown.value is f
    shown.close()
    monkeypatch.setattr(views, "find_spec", lambda _: None)
    assert isinstance(f.show(), Picture)
    assert f.show(tmp_path / "again.html", open=False).is_file()
