"""The mutation tool: it notices what is broken, says so when no test does, and stays current."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.alone import process

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
guards: Any = importlib.import_module("mutants_guards")


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return process(*arguments, cwd=ROOT, env={"PYTHONPATH": str(ROOT / "tools")})


@pytest.mark.slow
def test_broken_rules_are_noticed_and_the_tests_that_notice_can_be_asked_for() -> None:
    answer = python("tools/mutate.py", "--only", "d tanh / d x a millionth", "--json", "--every")
    assert answer.returncode == 0, answer.stderr
    outcome = json.loads(answer.stdout)
    assert (outcome["caught"], outcome["total"], outcome["survivors"]) == (1, 1, [])
    [[name, way, by]] = outcome["by"]
    assert (name, way) == ("d tanh / d x", "a millionth off")
    assert len(by) > 1
    assert all("::test_" in test for test in by)


@pytest.mark.slow
def test_rules_that_nobody_notices_are_listed_and_fail() -> None:
    script = (
        "import sys, mutants_rules, mutate\n"
        "mutants_rules.WAYS = {'barely': lambda rule, op: lambda *at: rule(*at) * (1 + 2**-52)}\n"
        "sys.exit(mutate.main(['--only', 'd tanh', '--json']))"
    )
    answer = python("-c", script)
    assert answer.returncode == 1, answer.stderr
    assert json.loads(answer.stdout)["survivors"] == [["d tanh / d x", "barely"]]


def test_every_line_of_the_engine_to_break_is_still_there() -> None:
    script = (
        "import mutants_rules as m, mutants\n"
        "print(len(m.lines(mutants.Options('', 0, 0))) - len(m.ENGINE))"
    )
    answer = python("-c", script)
    assert answer.stdout == "0\n", answer.stderr


@pytest.mark.parametrize("row", guards.ROWS, ids=str)
def test_every_guard_to_break_is_still_there(row: Any) -> None:
    thing: Any = importlib.import_module(f"gradwalk.program.{row.module}")
    for name in row.name.split("."):
        thing = getattr(thing, name)
    assert callable(row.change(thing))


def test_the_tests_that_have_to_notice_are_there() -> None:
    assert all((ROOT / test).is_file() for test in guards.TESTS)
