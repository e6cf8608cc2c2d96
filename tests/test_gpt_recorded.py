"""The run that the lab's page GPT opens with is one that anyone can train."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILE = ROOT / "web" / "src" / "parts" / "gpt-run.json"


def test_the_recorded_run_is_what_training_gives_again() -> None:
    spec = importlib.util.spec_from_file_location("gpt_run", ROOT / "tools" / "gpt_run.py")
    assert spec
    assert spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    recorded = json.loads(FILE.read_text("utf-8"))
    assert len(json.dumps(recorded)) < 60_000
    assert recorded[-1]["data"]["step"] == tool.STEPS
    again = json.loads(json.dumps(tool.events(60)))
    for then, now in zip(recorded, again, strict=False):
        assert then["name"] == now["name"]
        if now["name"] != "step":
            assert then["data"].keys() == now["data"].keys()
            continue
        assert then["data"]["document"] == now["data"]["document"]
        for (step, loss), (same, other) in zip(
            then["data"]["points"], now["data"]["points"], strict=True
        ):
            assert step == same
            assert math.isclose(loss, other, rel_tol=1e-3)
