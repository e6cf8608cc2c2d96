"""Every allocation of the replay's C made to fail in turn: MemoryError, nothing lost, still usable.

The hooks of a test build count the blocks in use and make any allocation fail, on threads too.
Runs in processes of their own, on a build that these tests make unless the package is one already.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gradwalk

native = pytest.importorskip("gradwalk.program._replay")

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "tools" / "build_native.py"

SCRIPT = """
import gc, importlib.machinery, importlib.util, sys
from array import array
sys.path.insert(0, {tests!r})
from support.raw_replays import everything
from gradwalk.program import interpreter
loader = importlib.machinery.ExtensionFileLoader("gradwalk.program._replay", {path!r})
spec = importlib.util.spec_from_file_location("gradwalk.program._replay", {path!r}, loader=loader)
hooked = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooked)
raw = everything()
n, count, outputs = raw.slots, 100, len(raw.outputs)
numbers = array("d", [0.1 + 0.07 * k for k in range(n * count)])

def make(kind=hooked.Replay):
    return raw.replay(kind, float32={float32})

def value(replay):
    out = array("d", bytes(8 * outputs))
    replay.value([numbers[:n]], out)
    return out

def gradient(replay):
    out, grads = array("d", bytes(8 * outputs)), array("d", bytes(8 * n))
    replay.value_and_grad([numbers[:n]], out, grads)
    return out + grads

def called(replay):
    if {float32}:
        return array("d")
    result = replay.call(("n",) * n, tuple(numbers[:n]), ("list", outputs), None)
    return array("d", result)

def many(replay, shared=(), sums=None, threads=1):
    out, grads = array("d", bytes(8 * outputs * count)), array("d", bytes(8 * n * count))
    sums = None if sums is None else array("d", bytes(8 * n))
    stride = array("q", [0 if k in shared else 8 * n for k in range(n)])
    where, offset = array("i", [0] * n), array("q", [8 * k for k in range(n)])
    replay.map([numbers], where, offset, stride, count, out, grads, sums, threads)
    return out + (array("d") if sums is None else sums)

actions = [
    value, gradient, called, many,
    lambda r: many(r, shared=range(3, n), sums=True),
    lambda r: many(r, shared=range(n), sums=True),
    lambda r: array("d", [len(r.stage("tidy")[0]), len(r.blocks(True))]),
]

def fails(action, *given):
    # Run an action with its k-th allocation failing, for every k, once and from there on.
    failed = 0
    for times in (1, 10**9):
        for after in range(10**6):
            start = hooked._live_memory()
            hooked._fail_memory(after, times)
            try:
                result = action(*given)
            except MemoryError:
                failed += 1
            else:
                hooked._fail_memory(-1, 0)
                break
            hooked._fail_memory(-1, 0)
            if not given:
                assert hooked._live_memory() == start, ("lost", after, times)
    return failed, result

start = hooked._live_memory()
failed, replay = fails(make)
assert failed > 100, failed
total = failed
for k, action in enumerate(actions):
    expected = action(make())
    for times in (1, 10**9):
        for after in range(10**6):
            made = make()
            hooked._fail_memory(after, times)
            try:
                result = action(made)
                done = True
            except MemoryError:
                done = False
                total += 1
            hooked._fail_memory(-1, 0)
            assert action(made) == expected, (k, after)
            del made
            if done:
                assert result == expected
                break
    total += fails(action, replay)[0]
# On threads the order is not the same each time: no crash, and the right answer afterwards.
expected = many(make(), shared=range(3, n), sums=True)
for after in range(60):
    made = make()
    hooked._fail_memory(after, 1)
    try:
        many(made, shared=range(3, n), sums=True, threads=4)
    except MemoryError:
        total += 1
    hooked._fail_memory(-1, 0)
    assert many(made, shared=range(3, n), sums=True, threads=2) == expected
del made, replay, expected, result
gc.collect()
assert hooked._live_memory() == start, ("lost", hooked._live_memory() - start)
print("survived", total)
"""


@pytest.fixture(scope="session")
def hooked_replay(tmp_path_factory: pytest.TempPathFactory) -> str:
    if hasattr(native, "_fail_memory"):
        return importlib.import_module("gradwalk.program._replay").__file__ or ""
    if not BUILD.exists() or not shutil.which(os.environ.get("CC", "gcc")):
        pytest.skip("no compiler for the build with hooks")
    folder = tmp_path_factory.mktemp("hooks")
    command = [sys.executable, str(BUILD), "--kind", "hooks", "--only", "replay", "--into"]
    command.append(str(folder))
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("float32", [False, True])
def test_every_failing_allocation_is_a_memory_error_and_loses_nothing(
    hooked_replay: str, float32: bool
) -> None:
    script = SCRIPT.replace("{path!r}", repr(hooked_replay)).replace("{float32}", str(float32))
    script = script.replace("{tests!r}", repr(str(ROOT / "tests")))
    source = str(Path(gradwalk.__file__).parents[1])
    answer = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script],
        env={**os.environ, "GRADWALK_BACKEND": "native", "PYTHONPATH": source},
        capture_output=True,
        check=False,
        text=True,
    )
    assert answer.returncode == 0, f"exit code {answer.returncode}\n{answer.stderr[-3000:]}"
    assert answer.stdout.startswith("survived")
    assert int(answer.stdout.split()[1]) > 300
