"""`tools/fuzz_inputs.py` in small: whatever reads a stranger's bytes accepts or refuses them."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the lab's server needs the extra lab")

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
fuzz: Any = importlib.import_module("fuzz")
fuzz_inputs: Any = importlib.import_module("fuzz_inputs")


@pytest.mark.parametrize("target", fuzz_inputs.TARGETS)
def test_an_input_is_accepted_or_refused(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["inputs", "--target", target, "--programs", "500", "--jobs", "1"]
    assert fuzz.main(words) == 0, capsys.readouterr().out


def test_the_fuzzer_reports_a_reader_that_fails(monkeypatch, capsys) -> None:
    monkeypatch.setattr(fuzz_inputs, "decode", lambda body: 1 / 0)
    assert fuzz.main(["inputs", "--target", "request", "--programs", "3", "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    assert "ZeroDivisionError" in said
    assert "3 wrong, seeds 0, 1, 2" in said
