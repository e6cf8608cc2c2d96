"""bench/replay.py: answers are checked before anything is timed, and slow ones are stopped.

No figure is held against a clock here."""

import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import branches
import goals
import numpy as np
import pytest
import replay
import replay_peers
from replay import Arena, Size

from gradwalk.program import backends, interpreter

P = list(replay.HESTON.values())


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena(tmp_path, small())


def contender(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str) -> None:
    """Let every contender but gradwalk be this script."""
    script = tmp_path / "contender.py"
    script.write_text(f"import json, sys, time\n{body}\n")
    monkeypatch.setattr(replay, "PEERS_FILE", script)


# ── The answers that others are held to ──────────────────────────────────────────────────────


def test_heston_by_hand_has_the_derivatives_of_differences() -> None:
    z = np.random.default_rng(3).standard_normal((20, 2, 50))

    def price(p: list[float]) -> float:
        return replay_peers.heston_by_hand(np, p, z)[0]

    _, *slopes = replay_peers.heston_by_hand(np, P, z)
    for i, slope in enumerate(slopes):
        h = 1e-6 * max(1.0, abs(P[i]))
        up, down = [*P], [*P]
        up[i] += h
        down[i] -= h
        difference = (price(up) - price(down)) / (2 * h)
        assert slope == pytest.approx(difference, rel=1e-5, abs=1e-6), list(replay.HESTON)[i]


def test_the_barrier_by_hand_has_the_derivatives_of_differences() -> None:
    z = np.random.default_rng(3).standard_normal((40, 30))
    _, *slopes = branches.barrier_by_hand(z)
    for i, slope in enumerate(slopes):
        ends: list[float] = []
        for h in (1e-6, -1e-6):
            p = [*branches.BARRIER]
            p[i] += h * p[i]
            ends.append(branches.barrier_by_hand(z, p)[0])
        difference = (ends[0] - ends[1]) / (2e-6 * branches.BARRIER[i])
        assert slope == pytest.approx(difference, rel=1e-5)


def test_both_forms_of_the_barrier_have_its_answer(arena: Arena) -> None:
    z = np.random.default_rng(3).standard_normal((40, 30))
    for form in ("if", "where"):
        data = {"p": np.array(branches.BARRIER), "z": z}
        found = replay_peers._gradwalk_barrier(data, form)
        assert found.answer == pytest.approx(branches.barrier_by_hand(z), rel=1e-12)


# ── Contenders ───────────────────────────────────────────────────────────────────────────────


def test_a_wrong_answer_is_not_timed(arena, monkeypatch, tmp_path) -> None:
    body = "print(json.dumps({'answer': [1.0, 2.0001], 'first': 0.5, 'paths': None}), flush=True)"
    contender(monkeypatch, tmp_path, f"{body}\nfor line in sys.stdin: print(0.25, flush=True)")
    found = arena.contest("asian", {"x": 1.0}, lambda _: [1.0, 2.0])
    assert found["gradwalk"]["right"] is False
    assert "steady" not in found["gradwalk"]
    assert replay._cells(found["gradwalk"], None, 1.0) == ["", "", "", "", "WRONG"]
    found = arena.contest("asian", {"x": 1.0}, lambda _: [1.0, 2.0001])
    assert found["gradwalk"]["steady"] == 0.25


def test_one_that_fails_says_why_in_a_note(arena, monkeypatch, tmp_path) -> None:
    contender(monkeypatch, tmp_path, "sys.exit('no such processor')")
    said = arena.contest("asian", {"x": 1.0}, lambda _: [1.0])["gradwalk"]
    assert said["failed"] == "failed"
    assert said["why"] == "asian, gradwalk: exit code 1, no such processor"


# ── The whole of it, small ───────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.skipif(backends.replay is interpreter, reason="the interpreter takes minutes for it")
def test_the_whole_of_it_small(tmp_path: Path) -> None:
    """One test: several would measure again on each worker."""
    found = measured(tmp_path / "growth.svg")
    for holds in (
        every_row_is_there, every_contender_is_right_or_missing,
        training_by_replay_has_the_losses_of_values_and_of_the_script,
        growth_is_measured_on_right_answers, two_threads_give_the_bits_of_one,
    ):  # fmt: skip
        holds(found)


def measured(picture: Path) -> tuple[dict[str, Any], str]:
    """What `x.py bench replay --quick --json -o FILE` prints and writes, made smaller yet."""
    command = ["--quick", "--steps", "4", "--json", "-o", str(picture)]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
        patch.setenv("GRADWALK_BENCH_PYTHON", sys.executable)
        patch.setattr(replay, "Size", small)
        goals.main(replay.measure, command)
    return json.loads(out.getvalue()), picture.read_text("utf-8")


def small(*_: bool) -> Size:
    size = Size(quick=True)
    size.paths, size.rounds, size.most, size.limit = 80, 1, 3_000, 600.0
    return size


def every_row_is_there(measured: Any) -> None:
    data, _ = measured
    compared = "right" in data["parts"]["Asian"]["contenders"]["JAX"]
    assert [row["measure"] for row in data["rows"]] == [
        words
        for (part, figure), (words, _) in replay.GOALS.items()
        if figure in data["parts"][part] or not figure.startswith("long")
        if compared or (part, figure) != ("Asian", "ratio")
    ]
    assert "long, ms" not in data["parts"]["growth"]  # of 1,000,000 nodes: in the full measurement


def every_contender_is_right_or_missing(measured: Any) -> None:
    for case in replay._CASES:
        found = measured[0]["parts"][case]["contenders"]
        assert found["gradwalk"]["right"] is True, case
        for name, said in found.items():
            assert "missing" in said or (said["right"] and said["steady"] > 0), (case, name, said)


def training_by_replay_has_the_losses_of_values_and_of_the_script(measured: Any) -> None:
    part = measured[0]["parts"]["training"]
    assert part["largest difference"] <= 1e-12
    assert part["same losses as the script"] is True
    assert part["recordings"] > 1  # documents of several lengths


def growth_is_measured_on_right_answers(measured: Any) -> None:
    part = measured[0]["parts"]["growth"]
    assert [point["nodes"] // 100 for point in part["points"]] == [10, 30]
    assert all(point["right"] for point in part["points"])
    for name, rows in part["contenders"].items():
        for row in rows:
            assert row.keys() & {"missing", "failed"} or row["right"], (name, row)


def two_threads_give_the_bits_of_one(measured: Any) -> None:
    assert measured[0]["parts"]["threads"]["bit-equal"] is True
