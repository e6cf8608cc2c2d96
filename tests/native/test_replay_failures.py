"""Every allocation of the replay's C made to fail in turn: MemoryError, nothing lost, still usable.

The hooks of a test build count the blocks in use and make any allocation fail, on threads too.
Runs in processes of their own, on a build that these tests make unless the package is one already.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support import builds
from support.alone import run

native = pytest.importorskip("gradwalk.program._replay")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

SCRIPT = """
import gc, importlib.machinery, importlib.util, sys
from array import array
sys.path.insert(0, {tests!r})
from support.raw_replays import everything, looped
from gradwalk.program import interpreter
loader = importlib.machinery.ExtensionFileLoader("gradwalk.program._replay", {path!r})
spec = importlib.util.spec_from_file_location("gradwalk.program._replay", {path!r}, loader=loader)
hooked = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooked)
raw = looped() if {rolled} else everything()
n, count, outputs = raw.slots, 100, len(raw.outputs)
numbers = array("d", [0.1 + 0.07 * k for k in range(n * count)])
holes = numbers[:]  # scenarios that are run again, carefully
holes[1 :: 7 * n] = array("d", [float("nan")] * len(holes[1 :: 7 * n]))

def make(kind=hooked.Replay):
    if not {rolled}:
        return raw.replay(kind, float32={float32})
    code = bytes(raw.codes), raw.starts, raw.args, raw.numbers
    places = array("i", bytes(8 * len(raw.codes)))
    rolled = hooked.roll(*code, raw.outputs, raw.slots, places, 16)
    return raw.replay(lambda *given: kind(rolled, None, None, None, *given[4:]))

def value(replay):
    out = array("d", bytes(8 * outputs))
    replay.value([numbers[:n]], out)
    return out

def gradient(replay, numbers=numbers):
    out, grads = array("d", bytes(8 * outputs)), array("d", bytes(8 * n))
    replay.value_and_grad([numbers[:n]], out, grads)
    return out + grads

def called(replay):
    if {float32}:
        return array("d")
    result = replay.call(("n",) * n, tuple(numbers[:n]), ("list", outputs), None)
    return array("d", result)

def many(replay, shared=(), sums=None, threads=1, numbers=numbers):
    out, grads = array("d", bytes(8 * outputs * count)), array("d", bytes(8 * n * count))
    sums = None if sums is None else array("d", bytes(8 * n))
    stride = array("q", [0 if k in shared else 8 * n for k in range(n)])
    where, offset = array("i", [0] * n), array("q", [8 * k for k in range(n)])
    replay.map([numbers], where, offset, stride, count, out, grads, sums, threads)
    return out + grads + (array("d") if sums is None else sums)

def bits(numbers):
    return array("B", numbers.tobytes())  # a nan is not equal to itself

actions = [
    value, gradient, called, many,
    lambda r: many(r, shared=range(3, n), sums=True),
    lambda r: many(r, shared=range(n), sums=True),
    lambda r: bits(gradient(r, holes)),
    lambda r: bits(many(r, numbers=holes)),
    lambda r: bits(many(r, shared=range(3, n), sums=True, numbers=holes)),
    lambda r: bits(many(r, shared=range(n), numbers=holes)),
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
assert failed > (20 if {rolled} else 100), failed
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
    return builds.hooked(tmp_path_factory, native, "replay")


@pytest.mark.parametrize("kind", ["float64", "float32", "rolled"])
def test_every_failing_allocation_is_a_memory_error_and_loses_nothing(hooked_replay, kind) -> None:
    script = SCRIPT.replace("{path!r}", repr(hooked_replay))
    for word in ("float32", "rolled"):
        script = script.replace("{" + word + "}", str(kind == word))
    script = script.replace("{tests!r}", repr(str(ROOT / "tests")))
    answer = run(script)
    assert answer.startswith("survived")
    assert int(answer.split()[1]) > 300


# The tape is appended to by steps; each step fails, and then goes well on the same tape.
RECORDING = """
import importlib.machinery, importlib.util, sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "gradwalk.program._replay":
            return importlib.util.spec_from_file_location(
                name, {path!r}, loader=importlib.machinery.ExtensionFileLoader(name, {path!r}))
sys.meta_path.insert(0, Finder)
import gc
import gradwalk
from gradwalk import Value, ops
from gradwalk.program import _replay as hooked
from gradwalk.program.ir import CODE, INPUT
from gradwalk.program.recording.recorder import Tape
import _testcapi
assert hooked.__file__ == {path!r}
w = [Value(float(k)) for k in range(300)]
inner = w[0] * w[1]

lines = [compile(f"x * {k}.5", f"line {k}", "eval") for k in range(80)]

def begun():
    tape = Tape(1)
    return tape, tape.traced(tape.source(INPUT, 0))

steps = [
    lambda tape, x: x * x - 2.5 / x,
    lambda tape, x: -abs(x) ** 2,
    lambda tape, x: [value * x for value in w],
    lambda tape, x: [x + float(k) for k in range(300)],
    lambda tape, x: [x * x for _ in range(2000)],
    lambda tape, x: [x.exp(), x.maximum(w[0]), x.clip(0.0, 1.0), x.leaky_relu()],
    lambda tape, x: type(x)._apply(ops.maximum, (x, w[0])),
    lambda tape, x: tape.emit(CODE["sum"], [x, *w]),
    lambda tape, x: [tape.emit(CODE["sum"], (x, x)) for _ in range(600)],
    lambda tape, x: (x < 2.0, tape.operand(w[3]), tape.settle(0)),
    lambda tape, x: hooked.function(CODE["exp"], abs)(x),
    lambda tape, x: hooked.method(ops.exp),
    lambda tape, x: tape.arrays(),
    lambda tape, x: begun(),
    lambda tape, x: ops.maximum(x, inner),
    lambda tape, x: tape.emit(CODE["dot"], [inner, x, True, 10**400]),
    lambda tape, x: [eval(line, {"x": x}) for line in lines],
]
whole = begun()
for step in steps:
    step(*whole)
expected = whole[0].arrays()[:4]
del whole
gc.collect()

def until_it_does(step, *given):
    failed = 0
    for start in range(1, 10**6):
        gc.disable()
        {fail}
        try:
            step(*given)
            done = True
        except MemoryError:
            done = False
            failed += 1
        finally:
            {stop}
        gc.enable()
        if done:
            return failed

start, total = hooked._live_memory(), 0
for step in steps:
    tape, x = begun()
    total += until_it_does(step, tape, x)
    codes, starts, args, *_ = tape.arrays()  # whole, whatever was left out
    assert len(starts) == len(codes) + 1 and starts[-1] == len(args)
    for i in range(len(codes)):
        assert all(argument < i for argument in args[starts[i] : starts[i + 1]])
    del tape, x, codes, starts, args, _
    gc.collect()
    assert not {counted} or hooked._live_memory() == start, ("lost", steps.index(step))
whole = begun()
for step in steps:
    step(*whole)
assert whole[0].arrays()[:4] == expected
print("survived", total)
"""

# Which allocations fail: the tape's own arrays, or what Python gives. The interpreter itself loses
# the operands of a call that it cannot make a frame for, so only the first are counted.
FAILING = {
    "own": ("hooked._fail_memory(start - 1, 1)", "hooked._fail_memory(-1, 0)", 20, True),
    "python's": (
        "_testcapi.set_nomemory(start, start + 1)", "_testcapi.remove_mem_hooks()", 100, False
    ),
}  # fmt: skip


@pytest.mark.parametrize("whose", FAILING)
def test_a_recording_survives_every_failing_allocation(hooked_replay: str, whose: str) -> None:
    pytest.importorskip("_testcapi")
    fail, stop, least, counted = FAILING[whose]
    script = RECORDING.replace("{path!r}", repr(hooked_replay))
    script = script.replace("{fail}", fail).replace("{stop}", stop)
    script = script.replace("{counted}", str(counted))
    answer = run(script)
    assert int(answer.split()[1]) > least
