"""Someone's own loop in the lab: what is told of it, and that nothing of it changes."""

import asyncio
import json
import math

import pytest

from gradwalk import Value, snapshot, source_lines
from gradwalk.anomaly import first_anomaly
from gradwalk.lab.watching import Watched


def told(watched: Watched) -> list[tuple[str, dict]]:
    found: list[tuple[str, dict]] = []
    watched.attach(lambda name, data: found.append((name, json.loads(data))))
    return found


def steps(watched: Watched, count: int) -> list[float]:
    w, losses = Value(3.0, label="w"), []
    for _ in range(count):
        w.grad = 0.0
        loss = (w * w - 1) ** 2
        loss.backward()
        losses.append(loss.data)
        watched.step(loss)
        w.data -= 0.01 * w.grad
    return losses


def test_every_step_is_told_and_the_losses_add_up():
    watched = Watched()
    watched.start("train.py")
    losses = steps(watched, 25)
    watched.end("finished")
    events = told(watched)
    assert [name for name, _ in events][:1] == ["start"]
    assert [name for name, _ in events][-2:] == ["end", "result"]
    lines = [data for name, data in events if name == "step"]
    assert sum([line["steps"] for line in lines]) == 25
    total = sum([line["loss"] * line["steps"] for line in lines])
    assert total == pytest.approx(sum(losses), rel=1e-12)


def test_a_curve_is_the_losses_themselves_and_no_mean_of_them():
    watched = Watched()
    watched.start("train.py")
    losses = steps(watched, 150)
    watched.end("finished")
    lines = [data for name, data in told(watched) if name == "step"]
    points = [point for line in lines for point in line["points"]]
    assert points[0] == [1, losses[0]]
    assert points[-1] == [150, losses[-1]]
    assert len(points) >= 70
    assert all(losses[step - 1] == loss for step, loss in points)


def test_the_first_nan_is_told_once_with_its_line_operands_and_path():
    watched = Watched()
    with source_lines():
        for _ in range(2):
            x = Value(-1.0, label="x")
            loss = x.log() * 2 + x
            loss.backward()
            watched.step(loss)
    found = [data for name, data in told(watched) if name == "anomaly"]
    assert len(found) == 1
    assert found[0]["operands"] == [["x", -1.0]]
    assert found[0]["path"] == ["log", "*", "+"]
    assert found[0]["line"][0] == __file__
    assert found[0]["source"] == "loss = x.log() * 2 + x"
    content = asyncio.run(watched.graph())
    assert content[:4] == b"GWGC"


def test_watching_changes_no_number_and_leaves_backward_as_it_was(capsys):
    pytest.importorskip("uvicorn", reason="the lab's server needs the extra lab")
    from gradwalk import watch

    original = Value.backward
    with watch("loop") as watched:
        w = Value(3.0)
        (w * w).backward()
        assert w.grad == 6.0
        assert watched.steps == 1
    assert Value.backward is original or Value.backward == original
    assert "/#1/gpt?token=" in capsys.readouterr().err


def test_the_first_anomaly_of_a_graph_is_a_value_or_else_a_gradient():
    assert first_anomaly(snapshot(Value(2.0) * 3)) is None
    x = Value(0.0, label="x")
    root = x**0.5 * 2
    root.backward()
    found = first_anomaly(snapshot(root))
    assert found is not None
    assert found.backward
    assert found.graph.name(found.node) == "x"
    assert math.isinf(found.graph[found.node].grad)
    assert found.path[0] == found.node
    assert found.path[-1] == found.graph.root
