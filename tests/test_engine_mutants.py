"""The mutation tool: it notices broken rules, says so when nobody does, and stays current."""

import json
import os
import subprocess
import sys
from pathlib import Path

import gradwalk

ROOT = Path(__file__).parent.parent
SOURCE = Path(gradwalk.__file__).parent


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT / "tools"), str(SOURCE.parent)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
        capture_output=True,
        text=True,
    )


def test_broken_rules_are_noticed() -> None:
    answer = python("tools/mutate.py", "--only", "d tanh", "--limit", "3", "--json")
    assert answer.returncode == 0, answer.stderr
    outcome = json.loads(answer.stdout)
    assert (outcome["caught"], outcome["total"], outcome["survivors"]) == (3, 3, [])


def test_rules_that_nobody_notices_are_listed_and_fail() -> None:
    script = (
        "import sys, mutate\n"
        "mutate.WAYS = {'barely': lambda rule, op: lambda *at: rule(*at) * (1 + 2**-52)}\n"
        "sys.exit(mutate.main(['--only', 'd tanh', '--json']))"
    )
    answer = python("-c", script)
    assert answer.returncode == 1, answer.stderr
    assert json.loads(answer.stdout)["survivors"] == [["d tanh / d x", "barely"]]


def test_every_line_to_break_is_still_there() -> None:
    answer = python("-c", "import json, mutate; print(json.dumps(mutate.ENGINE))")
    gone = [
        (file, old)
        for file, old, *_ in json.loads(answer.stdout)
        if old not in (SOURCE / "engine" / f"{file}.py").read_text("utf-8")
    ]
    assert gone == []
