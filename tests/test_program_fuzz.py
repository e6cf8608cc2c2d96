"""`tools/fuzz.py` in small: compiled functions against plain Python, and the fuzzer against both.

`python3 x.py fuzz` tries 100,000 functions. GRADWALK_PROGRAMS says how many are tried here.
"""

import importlib
import math
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from support.batches import batches

import gradwalk
from gradwalk.program import backends, interpreter

pytest.importorskip("numpy")

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
harness: Any = importlib.import_module("fuzz")
fuzz: Any = importlib.import_module("fuzz_arithmetic")

COUNT = int(os.environ.get("GRADWALK_PROGRAMS", "1000"))


@pytest.mark.parametrize("seeds", batches(COUNT, 100, usual=300))
def test_compiled_functions_compute_what_python_computes(seeds: range) -> None:
    found = harness.fuzz(fuzz, seeds, stop_after=1)
    options = harness.options_of(fuzz)
    assert not found.failures, harness.told(fuzz, found.failures, options)
    assert found.counts["results"] > 50 * len(seeds)
    assert found.counts["gradients"] > 20 * len(seeds)


@pytest.mark.skipif(backends.replay is interpreter, reason="the interpreter is always exact")
def test_the_fuzzer_finds_what_fast_costs_and_makes_it_small() -> None:
    options = harness.options_of(fuzz, ["--fast", "--target", "single", "--target", "map"])
    found = harness.fuzz(fuzz, range(60), 60, options)
    wrong = [failure for failure in found.failures if failure.mismatch.sort == "value"]
    assert len(wrong) > 5
    assert {failure.mismatch.where.split()[0] for failure in wrong} <= {"single", "map"}
    small = harness.shrink(fuzz, wrong[0], options, tries=100)
    assert small.place == wrong[0].place
    assert small.size < wrong[0].size
    assert len(small.case.points) <= len(wrong[0].case.points)
    assert len(small.case.function.source("f")) < len(wrong[0].case.function.source("f"))
    names: dict[str, Any] = {"print": lambda *_: None}
    exec(fuzz.script(small.case, small.mismatch, options), names)  # it stands alone


def make_case(seed: int) -> Any:
    return fuzz.make(harness.Draws(seed), None)


def test_the_oracle_computes_what_python_computes() -> None:
    compared = 0
    for seed in range(400):
        case = make_case(seed)
        oracle = fuzz.Oracle(case.function)
        if oracle.rough:
            continue
        names: dict[str, Any] = {"math": math, "gradwalk": gradwalk}
        exec(case.function.source("f"), names)
        for point in case.points:
            try:
                wanted = names["f"](*point)
            except (ZeroDivisionError, ValueError, OverflowError):
                continue  # where Python raises, IEEE goes on
            found = oracle.run(point, [])
            assert fuzz.bits(found) == fuzz.bits(wanted), (seed, point)
            compared += 1
    assert compared > 500


@pytest.mark.parametrize(
    ("op", "operands", "found"),
    [
        ("exp", [1.0], 2.718281828459047),
        ("exp", [1000.0], 1.0),
        ("log", [-1.0], 0.0),
        ("sin", [0.0], -0.0),
        ("sum", [1e16, 1.0, -1e16], 41.0),
        ("sum", [1.0, 2.0], math.nan),
        ("dot", [1.0, 2.0, 3.0, 4.0], 10.999999999999988),
    ],
)
def test_a_function_that_is_off_is_noticed(op: str, operands: list[float], found: float) -> None:
    with pytest.raises(harness.MismatchError):
        fuzz.check_rough(op, operands, found)
