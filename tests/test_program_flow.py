"""`tools/fuzz_flow.py` in small: random control flow, compiled, against plain Python.

`python3 x.py fuzz flow` tries 10,000 functions.
"""

import importlib
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy")

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
harness: Any = importlib.import_module("fuzz")
flow: Any = importlib.import_module("fuzz_flow")

COUNT, BATCH = 120, 40


@pytest.mark.parametrize("start", range(0, COUNT, BATCH))
def test_random_control_flow_computes_what_python_computes(start: int) -> None:
    found = harness.fuzz(flow, range(start, start + BATCH), stop_after=1)
    assert not found.failures, harness.told(flow, found.failures, None)
    assert found.counts["results"] > 30 * BATCH
    assert found.counts["gradients"] > BATCH
    refused = [count for what, count in found.counts.items() if what.startswith("refused")]
    assert sum(refused) <= BATCH // 5


def made(seed: int) -> Any:
    return flow.make(harness.Draws(seed), None)


def test_a_wrong_selection_is_found_and_made_small(monkeypatch, tmp_path, capsys) -> None:
    from gradwalk.program.recording import branches

    right = branches._select_number
    monkeypatch.setattr(branches, "_select_number", lambda c, one, two: right(c, two, one))
    # With wrong selections a loop may run to its limit, which takes seconds.
    seeds = [k for k in range(40) if not re.search("while|range", made(k).source)]
    found = (harness.fuzz(flow, [seed]).failures for seed in seeds)
    wrong = next(one for some in found for one in some if one.mismatch.where == "single")
    small = harness.shrink(flow, wrong, None, tries=30)
    assert len(small.case.source) < len(wrong.case.source)
    file = tmp_path / "small.py"
    file.write_text(flow.script(small.case, small.mismatch, None), "utf-8")
    runpy.run_path(str(file))  # it stands alone, and prints both numbers of each point
    both = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert any(found != wanted for found, wanted in both)
