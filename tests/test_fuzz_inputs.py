"""`tools/fuzz_inputs.py` in small: whatever reads a stranger's bytes accepts or refuses them."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the lab's server needs the extra lab")

_file = Path(__file__).parent.parent / "tools" / "fuzz_inputs.py"
_spec = importlib.util.spec_from_file_location("fuzz_inputs", _file)
assert _spec is not None
assert _spec.loader is not None
fuzz_inputs: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(fuzz_inputs)


@pytest.mark.parametrize("target", fuzz_inputs.TARGETS)
def test_an_input_is_accepted_or_refused(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz_inputs.main(["--target", target, "--inputs", "500"]) == 0, capsys.readouterr().out


def test_the_fuzzer_reports_a_reader_that_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz_inputs, "decode", lambda body: 1 / 0)
    assert fuzz_inputs.main(["--target", "request", "--inputs", "3"]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out
