"""The benchmarks: answers are checked before anything is timed, and the table says what it must.

No figure is held against a clock here; those that do not depend on one are."""

import json
import math
from typing import Any

import eager as driver
import peers
import pytest
from goals import Goal

from gradwalk.bench import BENCHMARKS, compiled, eager
from gradwalk.bench.report import Report, Row
from gradwalk.cli import main


def test_the_script_with_gradwalk_s_value_trains_to_the_same_bits() -> None:
    parts = eager.training(2)
    assert parts["training"]["bit-identical"] is True
    assert parts["n-ary"]["same losses"] is True
    for part, figure in [("training", "ratio, gc on"), ("n-ary", "ratio, gc off")]:
        assert parts[part][figure] > 0.0


def test_another_training_would_not_pass_for_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["own", "own", "gradwalk", "n-ary"])

    class Contender:
        def __init__(self, *_: Any) -> None:
            self.name = next(answers)
            self.seconds: list[float] = []

        def advance(self, steps: int) -> None:
            self.seconds += [1.0] * steps

        def outcome(self) -> dict[str, Any]:
            return {"digest": self.name, "losses": [3.0 if self.name == "own" else 3.0001]}

    monkeypatch.setattr(eager, "Contender", Contender)
    parts = eager.training(1)
    assert parts["training"]["bit-identical"] is False
    assert parts["n-ary"]["same losses"] is False


def test_floats_and_values_run_one_program() -> None:
    figures = eager.eager(1)
    assert figures["value equals the floats'"] is True
    assert 54_000 <= figures["nodes"] < 65_000


def test_every_peer_that_is_installed_gives_the_right_gradients() -> None:
    timed = {one.name: one for one in peers.measure(1)}
    assert set(timed) == {"gradwalk", "micrograd", "XAD", "PyTorch scalars"}
    assert not timed["gradwalk"].is_missing
    assert not timed["micrograd"].is_missing  # of the test group
    for one in timed.values():
        assert one.is_right != one.is_missing, one.name


def test_a_peer_that_is_wrong_or_fails_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = {"seconds": [0.001, 0.001], "loss": 3.0, "gradients": [1.0, -2.0]}
    wrong = {**right, "gradients": [1.0, -2.0001]}
    failed = {"seconds": [math.nan] * 2, "loss": math.nan, "gradients": []}
    answers = {"gradwalk": right, "micrograd": wrong, "XAD": failed}
    monkeypatch.setattr(peers, "find_spec", lambda name: name if name != "torch" else None)
    monkeypatch.delenv("GRADWALK_BENCH_PYTHON", raising=False)
    monkeypatch.setattr(peers, "_apart", lambda _python, name, _turns: answers[name])
    timed = peers.measure(1)
    assert [(one.is_right, one.is_missing) for one in timed] == [
        (True, False),
        (False, False),
        (False, False),
        (False, True),
    ]
    table = driver.beside(timed)
    assert [row[-1] for row in table] == ["answer", "right", "WRONG", "WRONG"]
    assert table[2][1:-1] == ["", "", ""]


@pytest.mark.parametrize(
    ("goal", "figure", "verdict"),
    [
        *((Goal("≥", 22, 28), 30.0, "moonshot"), (Goal("≥", 22, 28), 22.0, "met")),
        *((Goal("≥", 22, 28), 21.9, "MISSED"), (Goal("≤", 15, 8), 8.0, "moonshot")),
        *((Goal("≤", 15, 8), 15.1, "MISSED"), (Goal("≤", 15, 8), math.nan, "MISSED")),
        *((Goal("≤", 1.1), 1.0, "met"), (Goal("is", True), True, "met")),
        (Goal("is", True), False, "MISSED"),
    ],
)
def test_a_figure_is_held_against_its_goal(goal: Goal, figure: Any, verdict: str) -> None:
    assert goal.verdict(figure) == verdict


def test_a_compiled_training_and_compiled_paths_are_checked_and_timed() -> None:
    report = compiled.measure(quick=True, steps=3, tell=lambda _: None)
    assert [row.measure for row in report.rows] == [words for words, _ in compiled.ROWS.values()]
    assert report.parts["training"]["difference"] < 1e-12
    assert "must" not in report.text()
    assert all(len(line) <= 80 for line in report.text().splitlines())


def test_the_command_lists_measures_and_says_what_there_is_not(capsys, monkeypatch) -> None:
    asked: list[dict[str, Any]] = []

    def measure(**options: Any) -> Report:
        options.pop("tell")("something")
        asked.append(options)
        return Report("eager", [Row("a figure", 2.5)])

    monkeypatch.setattr(eager, "measure", measure)
    assert main(["bench"]) == 0
    assert list(BENCHMARKS) == [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert main(["bench", "eager", "--steps", "7", "--json"]) == 0
    assert asked == [{"quick": False, "long": False, "steps": 7}]
    answer = capsys.readouterr()
    assert json.loads(answer.out)["rows"][0]["figure"] == 2.5
    assert answer.err == "measuring: something\n"
    assert main(["bench", "eagre"]) == 2
    assert "did you mean eager?" in capsys.readouterr().err
