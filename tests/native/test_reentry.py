"""Python code that runs while C is at work: signal handlers, other threads, finalisers, callees.

Each script runs in a process of its own, because what it does once ended in a crash.
"""
# ruff: noqa: E501  (scripts, one thing a line)

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.alone import run

pytest.importorskip("gradwalk.program._replay")
signals = pytest.mark.skipif(os.name == "nt", reason="signals to one's own process")

# ── A program that is compiled again when a gradient is not finite ───────────────────────────

ROLLED = """
import gc, signal, threading
import gradwalk

@gradwalk.compile
def f(x, w):
    s = 0.0
    for k in range(40_000):
        s = (s + w * (k % 7)) * 0.5
    return s + x ** 0.5

other = gradwalk.compile(f.function)
finite, infinite = other.value_and_grad(4.0, 3.0), other.value_and_grad(0.0, 3.0)
assert infinite[1]["x"] == float("inf")
assert f.value_and_grad(4.0, 3.0) == finite
answers = []
"""

HANDLER_CALLS = """
def handler(*_):
    answers.append(f.value_and_grad(4.0, 3.0))
    signal.setitimer(signal.ITIMER_REAL, 1e-3)  # not before: a handler does not interrupt itself
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 1e-3)
answer = f.value_and_grad(0.0, 3.0)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
"""

HANDLER_WAITS_FOR_A_THREAD = """
inside, done = threading.Event(), threading.Event()
def handler(*_):
    signal.setitimer(signal.ITIMER_REAL, 0)
    inside.set()
    done.wait()
def elsewhere():
    inside.wait()
    answers.append(f.value_and_grad(4.0, 3.0))
    done.set()
thread = threading.Thread(target=elsewhere)
thread.start()
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)
answer = f.value_and_grad(0.0, 3.0)
inside.set()
thread.join()
"""

FINALISER_CALLS = """
class Dying:
    def __del__(self):
        answers.append(f.value_and_grad(4.0, 3.0))
gc.disable()
for _ in range(3):
    dying = Dying()
    dying.itself = dying
del dying
gc.set_threshold(1)
gc.enable()
answer = f.value_and_grad(0.0, 3.0)
"""


@signals
@pytest.mark.parametrize(
    "script",
    [HANDLER_CALLS, HANDLER_WAITS_FOR_A_THREAD, FINALISER_CALLS],
    ids=["handler", "thread", "finaliser"],
)
def test_a_rolled_program_may_be_called_while_it_compiles_its_careful_gradient(script: str) -> None:
    run(
        ROLLED
        + script
        + """
assert str(answer) == str(infinite), answer
assert answers and set(map(str, answers)) == {str(finite)}, answers
"""
    )


def test_the_last_calls_may_be_dropped_while_they_are_read() -> None:
    run("""
import gc
from array import array
from gradwalk.program import _replay
from gradwalk.program.ir import CODE
codes = bytes([CODE["input"]] * 1000 + [CODE["add"]])
starts = array("i", [0] * 1001 + [2])
replay = _replay.Replay(codes, starts, array("i", [0, 1]), array("d", [*range(1000), 0.0]), array("i", [1000]),
                        1000, array("i"), array("d", [1.0]))
replay.keep_calls(1000)
for _ in range(1000):
    replay.value([array("d", [7.0] * 1000)], array("d", [0.0]))
class Dying:
    def __del__(self):
        replay.keep_calls(1)
        taken.append(bytearray(8_000_000))
taken = []
gc.disable()
dying = Dying()
dying.itself = dying
del dying
pairs = [(k, k) for k in range(10_000)]  # the next one is new memory
gc.set_threshold(1)
gc.enable()
made, kept = replay.calls
gc.disable()
assert made == 1000 and array("d", kept) == array("d", [7.0] * 1_000_000)
""")


@signals
def test_a_map_goes_by_the_strides_that_were_checked() -> None:
    run("""
import signal
from array import array
from gradwalk.program import _replay
from gradwalk.program.ir import CODE
codes = bytes([CODE["input"]] + [CODE["sin"]] * 200)
starts = array("i", [0, *range(201)])
args = array("i", range(200))
replay = _replay.Replay(codes, starts, args, array("d", bytes(8 * 201)), array("i", [200]), 1, array("i"), array("d", [1.0]))
count = 1 << 19
stride, outputs = array("q", [8]), array("d", bytes(8 * count))
numbers = array("d", [0.5] * count)
heard = []
def handler(*_):
    stride[0] = 1 << 40
    heard.append(1)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 1e-3)
while not heard:
    stride[0] = 8
    replay.map([numbers], array("i", [0]), array("q", [0]), stride, count, outputs, None, None, 1)
assert len(set(outputs)) == 1, set(outputs)
""")


@signals
def test_a_plan_in_use_is_not_dropped_for_others() -> None:
    run("""
import signal
from array import array
from gradwalk.program import _replay
from gradwalk.program.ir import CODE
slots = 10
codes = bytes([CODE["input"]] * slots + [CODE["add"], *[CODE["sin"]] * 200])
starts = array("i", [0] * (slots + 1) + [2, *range(3, 203)])
args = array("i", [0, 1, *range(slots, slots + 200)])
numbers = array("d", [*map(float, range(slots)), *[0.0] * 201])
replay = _replay.Replay(codes, starts, args, numbers, array("i", [slots + 200]), slots, array("i"), array("d", [1.0]))
def mapped(shared, count, interrupted=False):
    "Return the results, of a plan that is of its own for these bits of `shared`."
    data = array("d", [0.5]) * (slots * count)
    outputs = array("d", [0.0]) * count
    stride = array("q", [0 if shared >> k & 1 else 8 for k in range(slots)])
    where, offset = array("i", [0] * slots), array("q", [8 * k * count for k in range(slots)])
    if interrupted:
        signal.setitimer(signal.ITIMER_REAL, 1e-3)
    replay.map([data], where, offset, stride, count, outputs, None, None, 1)
    return set(outputs)
def handler(*_):
    heard.append([mapped(k << 2, 3) for k in range(20)])  # more plans than are kept
heard, count = [], 1 << 19
wanted = mapped(0, 1)
signal.signal(signal.SIGALRM, handler)
while not heard:
    assert mapped(2, count, interrupted=True) == wanted
assert heard == [[wanted] * 20]
""")


# ── What only looks like numpy's ─────────────────────────────────────────────────────────────


def test_a_class_named_like_one_of_numpys_is_not_read_as_that() -> None:
    run("""
from array import array
from gradwalk.program import _replay
numbers = array("d", [0.0, 0.0])
Array = type("numpy.ndarray", (array,), {})
assert not _replay.read(("array", (2,)), Array("d", [1.0, 2.0]), numbers)
Float = type("numpy.float64", (float,), {"__mul__": lambda self, other: 7.0})
assert not _replay.read("n", Float(1.0), numbers[:1])
""")


def test_numpys_own_types_are_read() -> None:
    pytest.importorskip("numpy")
    run("""
from array import array
import numpy as np
from gradwalk.program import _replay
numbers = array("d", [0.0, 0.0])
assert _replay.read(("array", (2,)), np.array([1.0, 2.0]), numbers)
assert _replay.read(("list", ("n", "n")), [np.float64(3.0), 4], numbers)
""")


# ── Recording ────────────────────────────────────────────────────────────────────────────────

TAPE = """
import functools, gc
from gradwalk import Value
from gradwalk.program import _replay
from gradwalk.program.ir import CODE

class Tape(_replay.Tape):
    answer = None
    def reach(self, callee):
        return self.answer(callee) if self.answer else None
    def refuse(self, what):
        return RuntimeError("refused")
    def foreign(self, thing):
        return None

junk = []
def end():
    "End the recording, and write over the memory that it had."
    tape.close()
    junk.extend([bytes([255] * size) for size in range(8, 500, 4) for _ in range(40)])

def called(*args):
    return _replay.recording(tape, lambda: _replay.call(*args))

def summed(terms):
    return _replay.recording(tape, lambda: _replay.sum(terms))

def taped():
    tape = Tape(1)
    return tape, tape.traced(tape.source(CODE["input"], 0.0))
"""

CASES = {
    "a callee finds its tuple of arguments as it was": """
class Looks:
    def method(self, *rest):
        assert given[0] is bound, given
        return "seen"
bound = Looks().method
given = (bound, 1, 2)
assert _replay.call(*given) == "seen"
def called(*args):
    assert args == given
    return _replay.recording(tape, lambda: _replay.call(*given))
tape, x = taped()
assert called(*given) == "seen"  # as it is
tape, x = taped()
tape.answer = lambda callee: callee.__code__
assert called(*given) == "seen"  # by its code
bound = functools.partial(Looks().method)
given = (bound,)
tape, x = taped()
assert called(*given) == "seen"  # a callee in C
""",
    "a function may lose its code while it is asked for": """
def f(): return 1
def g(): return 2
def answer(callee):
    callee.__code__ = g.__code__.replace(co_name="other")
    return None
tape, x = taped()
tape.answer = answer
for _ in range(100):
    f.__code__ = g.__code__.replace(co_name="one")
    assert called(f) == 2
tape.close()
""",
    "what is called in the place of a function may close the tape": """
def f(): return 1
def making(function):
    tape.close()
    gc.collect()
    return lambda: 3
tape, x = taped()
tape.answer = lambda callee: functools.lru_cache(maxsize=2)(making)
assert called(f) == 3
""",
    "a generator may end the recording that sums it": """
def terms():
    yield Value(1.0)
    end()
    yield Value(2.0)
tape, x = taped()
assert summed(terms()).data == 3.0
""",
    "an operand may end the recording that sums it": """
class Ends:
    __add__ = __radd__ = lambda self, other: self
    @property
    def __class__(self):
        end()
        return float
tape, x = taped()
try:
    summed([1.0, Ends(), Ends()])
except RuntimeError as error:
    assert str(error) == "refused"
""",
    "a tape has ended when what it held is told so": """
class Answer:
    def __call__(self, *args):
        return 4
    def __del__(self):
        try:
            x + 1.0
        except RuntimeError as error:
            told.append((str(error), tape.count))
class Called:
    __slots__ = ()
    def __call__(self):
        return 5
told = []
tape, x = taped()
tape.answer = lambda callee: Answer()
assert called(Called()) == 4
tape.close()
assert told == [("refused", 0)], told
""",
}


@pytest.mark.parametrize("case", CASES)
def test_recording(case: str) -> None:
    run(TAPE + CASES[case])


# ── The engine ───────────────────────────────────────────────────────────────────────────────

ENGINE = """
import gc, threading
import gradwalk
from gradwalk import Value

def before_garbage(act):
    "Let `act` run when the next container is made, on a Python whose collector does not wait."
    class Dying:
        def __del__(self):
            act()
    gc.disable()
    dying = Dying()
    dying.itself = dying
    del dying
    empty.append([[] for _ in range(1000)])  # the next list is new memory
    gc.set_threshold(1)
    gc.enable()
empty = []
"""

ENGINE_CASES = {
    "inputs may be taken away while they are read": """
for read in ("_children", "_local_grads"):
    node = gradwalk.sum([Value(1.0) for _ in range(40)])
    def cut():
        node._children = ()
    before_garbage(cut)
    parts = getattr(node, read)
    gc.disable()
    assert len(parts) in (0, 40) and len(set(map(type, parts))) < 2
""",
    "a finaliser in a dying graph may collect garbage": """
class Dying:
    def __del__(self):
        gc.collect()
def hooked(inner):
    node = inner * 2.0
    dying = Dying()
    node._backward = lambda: dying
    return node
for _ in range(20):
    leaf = Value(1.0)
    nodes = [leaf]
    for _ in range(5):
        nodes.append(hooked(nodes[-1]))
    top = nodes.pop()
    del nodes
    del top
    assert leaf.grad == 0.0
    total = sum(leaf * k for k in range(300))
    total.backward()
    assert leaf.grad == sum(range(300))
""",
    "the text of a line may give the node another line and symbol": """
class File:
    def __str__(self):
        node._line = None
        node._op = "else"
        return "here" * 1000
node = Value(3.0, (Value(2.0),), (float("inf"),))
node._op = "so" * 1000
node._line = (File(), File())
try:
    with gradwalk.detect_anomaly():
        node.backward()
except gradwalk.errors.AnomalyError as error:
    assert "here" in str(error) and "soso" in str(error)
else:
    raise AssertionError
""",
    "the nodes of a walk may be gone when there is a list for them": """
from gradwalk.engine import Buffers
inside, go_on = threading.Event(), threading.Event()
buffers, leaf = Buffers(), Value(2.0)
node = Value(3.0, (leaf,), "hook")
def push():
    inside.set()
    go_on.wait()
node._backward = push
root = sum(node * k for k in range(50))
thread = threading.Thread(target=root.backward, args=(buffers,))
thread.start()
inside.wait()
def end():
    go_on.set()
    thread.join()
before_garbage(end)
order = buffers.order
gc.disable()
go_on.set()
thread.join()
assert set(map(type, order)) <= {Value}, order
""",
}


@pytest.mark.parametrize("case", ENGINE_CASES)
def test_engine(case: str) -> None:
    run(ENGINE + ENGINE_CASES[case])


# ── What cannot happen unless we err ─────────────────────────────────────────────────────────

NATIVE = Path(__file__).resolve().parents[2] / "src/gradwalk"


def test_no_check_of_the_c_vanishes_in_a_release_build() -> None:
    sources = [*NATIVE.glob("*/native/**/*.[ch]")]
    assert sources
    assert [source.name for source in sources if "assert(" in source.read_text()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="the code is for Unix")
def test_code_that_outgrows_its_distances_is_given_up(tmp_path: Path) -> None:
    source, program = tmp_path / "most.c", tmp_path / "most"
    source.write_text("""
#include "x86.h"
int main(void)
{
    Code code = {NULL, INT32_MAX - 8, SIZE_MAX, false};
    x86_bytes(&code, (const uint8_t[16]){0}, 16);
    return code.failed ? 0 : 1;
}
""")
    compiler = os.environ.get("CC", "cc")
    folder = NATIVE / "program/native"
    subprocess.run([compiler, f"-I{folder}", source, "-o", program], check=True)
    assert subprocess.run([program], check=False).returncode == 0
