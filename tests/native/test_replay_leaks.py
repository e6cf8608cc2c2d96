"""Thousands of replays made, run, failed half-way and dropped: memory and references stay level."""

from __future__ import annotations

import gc
import os
import sys
from array import array
from queue import SimpleQueue
from typing import Any

import numpy
import pytest
from support.raw_replays import Raw, everything

import gradwalk
from gradwalk import Value
from gradwalk.errors import OperandError, ProgramError, RecordingError
from gradwalk.program.recording import Traced

native = pytest.importorskip("gradwalk.program._replay")
pytestmark = pytest.mark.slow


def resident() -> int:
    """Bytes of this process in memory."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pytest.skip("no /proc")


RAW = everything(3)
N, OUTPUTS = RAW.slots, len(RAW.outputs)
NUMBERS = array("d", [0.2 + 0.01 * k for k in range(N * 40)])
KEPT = RAW.replay(native.Replay)
HALF = RAW.replay(native.Replay, float32=True)
WHERE, OFFSET = array("i", [0] * N), array("q", range(0, 8 * N, 8))


def value(replay: Any) -> None:
    replay.value_and_grad([NUMBERS[:N]], array("d", bytes(8 * OUTPUTS)), array("d", bytes(8 * N)))
    replay.value([NUMBERS[:1]] * N, array("d", bytes(8 * OUTPUTS)))


def many(replay: Any, k: int = 0) -> None:
    stride = array("q", [0 if (k >> s) & 1 else 8 * N for s in range(N)])
    out, grads = array("d", bytes(8 * OUTPUTS * 40)), array("d", bytes(8 * N * 40))
    replay.map([NUMBERS], WHERE, OFFSET, stride, 40, out, grads, array("d", bytes(8 * N)), 2)


def refused(k: int) -> None:
    """Errors at every stage of every call."""
    for wrong in ({"wrt": [99]}, {"seeds": [1.0]}):
        with pytest.raises(ProgramError):
            RAW.replay(native.Replay, **wrong)
    with pytest.raises(ValueError, match="segments"):
        KEPT.value([NUMBERS], array("d", bytes(8 * OUTPUTS)))
    with pytest.raises(TypeError):
        KEPT.value([NUMBERS[:N], None], array("d", bytes(8 * OUTPUTS)))
    places = [NUMBERS], WHERE, OFFSET, OFFSET
    with pytest.raises(ValueError, match="outside"):
        KEPT.map(*places, 4000, array("d", bytes(32000 * OUTPUTS)), None, None, 1)
    with pytest.raises(ValueError, match="room"):
        KEPT.map(*places, 2, array("d", bytes(16 * OUTPUTS)), array("d"), None, 1)
    with pytest.raises(ValueError, match="stage"):
        KEPT.stage("nothing")


PRODUCT = Raw(2)
PRODUCT.outputs.append(PRODUCT.add("mul", *PRODUCT.inputs()))
ONE = PRODUCT.replay(native.Replay)
MAKE_ARRAY = lambda numbers, shape: numpy.frombuffer(numbers).reshape(shape)  # noqa: E731


def called(_: int) -> None:
    """Structures read and built, and given up half-way."""
    table = {"a": numpy.ones((1, 2)), "b": None}
    by_name = ("dict", ("x", "y"), ("n", ("list", 1)))
    assert ONE.call(("n", "n"), (2.0, 3), ("tuple", ("n",)), MAKE_ARRAY) == (6.0,)
    assert ONE.call_with_gradient(("n", ("list", 1)), (2.0, [3]), by_name, MAKE_ARRAY)[1] == {
        "x": 3.0,
        "y": [2.0],
    }
    into = array("d", [0.0, 0.0])
    assert ONE.call_into(("n",), (2.0,), array("d", [3.0]), into) == 6.0
    assert ONE.call_into(("n",), ("2",), array("d", [3.0]), into) is NotImplemented
    with pytest.raises(BufferError):
        ONE.call_into(("n",), (2.0,), array("d", [3.0]), b"")
    as_array = ("dict", ("a", "b"), (("array", (1, 2)), ("is", "NoneType", None)))
    grads = ONE.call_with_gradient((as_array,), (table,), as_array, MAKE_ARRAY)[1]
    assert grads["a"].tolist() == [[1.0, 1.0]]
    for wrong in ((2.0,), (2.0, "3"), (2.0, [3.0]), (2.0, 10**400)):
        assert ONE.call(("n", "n"), wrong, "n", MAKE_ARRAY) is NotImplemented
    for result in (
        ("list", 2),
        ("list", ("n", "n")),
        ("dict", ("x",), ("n", "n")),
        ("array", (1, 2)),
        ("fields", "n"),
    ):
        with pytest.raises(TypeError):
            ONE.call(("n", "n"), (1.0, 2.0), result, MAKE_ARRAY)
    with pytest.raises(ZeroDivisionError):
        ONE.call(("n", "n"), (1.0, 2.0), ("array", (1,)), lambda *_: 1 // 0)


ACTIONS = {
    "called": called,
    "made and dropped": lambda k: RAW.replay(native.Replay),
    "made, run and dropped": lambda k: (value(r := RAW.replay(native.Replay)), many(r)),
    "run": lambda k: (value(KEPT), value(HALF)),
    "mapped": lambda k: many(KEPT, k % 50),
    "refused": refused,
    "seen": lambda k: (
        KEPT.sizes,
        KEPT.stages,
        KEPT.stage("adjoint"),
        KEPT.blocks(True),
        KEPT.lanes(),
    ),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_memory_stays_level(name: str) -> None:
    action = ACTIONS[name]
    counted = [NUMBERS, WHERE, OFFSET, KEPT, native.Replay, None]
    for k in range(200):  # caches and plans
        action(k)
    gc.collect()
    references = [sys.getrefcount(thing) for thing in counted[:-1]]
    start = resident()
    for k in range(1500):
        action(k)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in counted[:-1]] == references
    assert resident() - start < 2_000_000  # 1,500 times the smallest program is more


# ── Recordings ───────────────────────────────────────────────────────────────────────────────

W = [Value(0.1 * k) for k in range(20)]
COMPUTED = W[0] * W[1] - gradwalk.softmax(W[:3])[0]


def recorded(x: Any) -> Any:
    y = sum(w * x for w in W) + COMPUTED * 2.5 - x.exp().maximum(1) + gradwalk.dot(W[:3], [x, 2, x])
    return gradwalk.take([y, x, W[3]], x) + gradwalk.where(x > 0.5, y, abs(-x) ** 2 / 3)


def late() -> None:
    """A value that outlives its recording, and what is refused of it, in a cycle."""
    queue: SimpleQueue[Any] = SimpleQueue()  # nothing that is put here can be made a number later
    gradwalk.compile(lambda x: queue.put(x * W[0]) or x).record(1.0)
    kept: list[Any] = [queue.get()]
    with pytest.raises(RecordingError) as caught:
        kept[0] * W[1]
    kept.append(caught)


def given_up(x: Any) -> Any:
    x.label = [x * W[0]]


def swallowed(x: Any) -> Any:
    try:
        return x.data
    except RecordingError as error:
        return x * len(str(error))


def refused_recordings() -> None:
    for function, error in (
        (lambda x: x + "3", TypeError),
        (lambda x: x.maximum("3"), OperandError),
        (lambda x: x.clip(1.0), OperandError),
        (lambda x: gradwalk.dot([x, W[0]], [x, "3"]), OperandError),
        (lambda x: x * W[0].data, RecordingError),
        (lambda x: sum(w * x for w in W) / 0 + W[99], IndexError),
        (swallowed, RecordingError),
        (given_up, AttributeError),
    ):
        with pytest.raises((error, RecordingError)):
            gradwalk.compile(function).record(1.0)


RECORDINGS = {
    "recorded": lambda: gradwalk.compile(recorded).record(1.0).program.places,
    "refused": refused_recordings,
    "late": late,
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_recordings_come_and_go(name: str) -> None:
    action = RECORDINGS[name]
    counted = [*W, COMPUTED, recorded.__code__, Traced, native.Tape]
    for _ in range(500):  # caches of the interpreter fill slowly
        action()
    gc.collect()
    references = [sys.getrefcount(thing) for thing in counted]
    of_name = sys.getrefcount("_children")
    blocks, start = sys.getallocatedblocks(), resident()
    for _ in range(400):
        action()
    gc.collect()
    assert [sys.getrefcount(thing) for thing in counted] == references
    # Not one a time; the name is everybody's, and a few may come and go with others.
    assert abs(sys.getrefcount("_children") - of_name) < 400
    assert sys.getallocatedblocks() - blocks < 400
    assert resident() - start < 2_000_000
