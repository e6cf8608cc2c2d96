"""The replay's C against whoever calls it wrongly, from many sides at once, or stops it half-way."""
# ruff: noqa: E501  (tables, one thing a line)

from __future__ import annotations

import contextlib
import copy
import gc
import itertools
import math
import os
import pickle
import random
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest
from support.alone import run
from support.raw_replays import Raw, everything
from support.threads import at_once

from gradwalk.errors import ProgramError
from gradwalk.program import interpreter

native = pytest.importorskip("gradwalk.program._replay")

REFUSED = (ProgramError, ValueError, TypeError, BufferError, OverflowError, MemoryError)


def arguments(raw: Raw) -> dict[str, Any]:
    return {
        "codes": bytes(raw.codes), "starts": raw.starts, "args": raw.args, "numbers": raw.numbers,
        "outputs": raw.outputs, "slots": raw.slots, "wrt": array("i", range(raw.slots)),
        "seeds": array("d", [1.0] * len(raw.outputs)),
    }  # fmt: skip


def small() -> Raw:
    raw = Raw(2)
    x, y = raw.inputs()
    raw.outputs.append(raw.add("mul", raw.add("sin", x), y))
    return raw


# ── Making one ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("codes", b""), ("codes", b"\xff\x01\x02\x03"), ("codes", b"\x00" * 9), ("codes", "text"),
        ("codes", array("d", [1.0])), ("starts", array("i", [0])), ("starts", array("i", [0, -5, 0, 1, 3])),
        ("starts", array("i", [0, 0, 2**31 - 1, 1, 3])), ("starts", array("i", [1, 0, 0, 1, 3])),
        ("starts", array("i", [0, 0, 0, 1, 2])), ("starts", array("q", [0, 0, 0, 1, 3])),
        ("args", array("i", [0, 2, 99])), ("args", array("i", [0, -1, 1])), ("args", array("i", [0, 3, 1])),
        ("args", array("i", [0, 2])), ("args", array("d", [0, 2, 1])), ("args", None),
        ("numbers", array("d", [math.nan, 1, 0, 0])), ("numbers", array("d", [0, 2, 0, 0])),
        ("numbers", array("d", [0.5, 1, 0, 0])), ("numbers", array("d", [-1, 1, 0, 0])),
        ("numbers", array("d", [0, 1e300, 0, 0])), ("numbers", array("d", [0, math.inf, 0, 0])),
        ("numbers", array("d", [0, 1, 0])), ("numbers", array("f", [0, 1, 0, 0])),
        ("outputs", array("i")), ("outputs", array("i", [4])), ("outputs", array("i", [-1])),
        ("slots", -1), ("slots", 1), ("slots", 2**31 - 1), ("slots", 2**40), ("slots", 2.0),
        ("wrt", array("i", [2])), ("wrt", array("i", [-1])), ("wrt", b"\x00"),
        ("seeds", array("d")), ("seeds", array("d", [1.0, 1.0])), ("seeds", 1.0),
        ("slot_of", array("i", [0])), ("slot_of", array("i", [0, 2])), ("slot_of", array("i", [-1, 0])),
        ("slot_of", array("d", [0, 1])), ("slot_of", 3),
    ],
    ids=repr,
)  # fmt: skip
def test_a_malformed_program_is_refused(field: str, wrong: Any) -> None:
    with pytest.raises(REFUSED):
        native.Replay(**{**arguments(small()), field: wrong})


def test_numbers_where_none_belong_do_no_harm() -> None:
    raw = small()
    raw.numbers[2], raw.numbers[3] = math.nan, 1e300
    raw.numbers[0] = -0.0  # slot 0
    x = raw.add("input", number=0.0)
    raw.outputs[0] = raw.add("mul", raw.outputs[0], x)
    replay = raw.replay(native.Replay)
    out, grads = array("d", [0.0]), array("d", [0.0, 0.0])
    replay.value_and_grad([array("d", [0.5, 3.0])], out, grads)
    assert math.isclose(out[0], math.sin(0.5) * 1.5)
    assert math.isclose(grads[0], 3 * (math.sin(0.5) + 0.5 * math.cos(0.5)))


@pytest.mark.parametrize("seed", range(300))
def test_random_damage_is_refused_or_harmless(seed: int) -> None:
    rng = random.Random(seed)
    given = arguments(everything(seed % 7))
    for _ in range(rng.randint(1, 3)):
        field = rng.choice(["codes", "starts", "args", "numbers", "outputs", "wrt"])
        damaged = bytearray(bytes(memoryview(given[field]).cast("B")))
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.choice(
                [0, 1, 2, 127, 128, 255, rng.randrange(256)]
            )
        if rng.random() < 0.1:
            del damaged[-rng.randint(1, 8) :]
        given[field] = bytes(damaged)
    given["slots"] = rng.choice([given["slots"], given["slots"], 0, 1, 13, 1000])
    try:
        replay = native.Replay(**given)
    except REFUSED:
        return
    n, outputs = (
        given["slots"],
        len(given["outputs"]) // (1 if isinstance(given["outputs"], array) else 4),
    )
    wrt = len(given["wrt"]) // (1 if isinstance(given["wrt"], array) else 4)
    numbers = array(
        "d", [rng.choice([0.5, -2.0, 3.0, math.nan, math.inf, 1e300]) for _ in range(n * 3)]
    )
    out, grads = array("d", bytes(8 * outputs)), array("d", bytes(8 * wrt))
    for action in (
        lambda: replay.value([numbers[:n]], out),
        lambda: replay.value_and_grad([numbers[:n]], out, grads),
        lambda: replay.map([numbers], array("i", [0] * n), array("q", range(0, 8 * n, 8)), array("q", [8 * n] * n),
                           3, array("d", bytes(24 * outputs)), array("d", bytes(24 * wrt)), None, 2),
        lambda: [replay.stage(stage) for stage in replay.stages if stage not in ("blocks", "lanes")],
    ):  # fmt: skip
        action()


# ── Calling one ──────────────────────────────────────────────────────────────────────────────


WRONG_CALLS: list[Any] = [
    lambda r, o, g: r.value(),
    lambda r, o, g: r.value(None, o),
    lambda r, o, g: r.value([], o),
    lambda r, o, g: r.value([array("d", [1.0])], o),
    lambda r, o, g: r.value([array("d", [1.0] * 3)], o),
    lambda r, o, g: r.value([array("d", [1.0])] * 3000, o),
    lambda r, o, g: r.value([array("f", [1.0, 2.0])], o),
    lambda r, o, g: r.value([[1.0, 2.0]], o),
    lambda r, o, g: r.value([memoryview(array("d", range(4)))[::2]], o),
    lambda r, o, g: r.value([array("d", [1.0, 2.0])], array("d")),
    lambda r, o, g: r.value([array("d", [1.0, 2.0])], bytes(8)),
    lambda r, o, g: r.value([array("d", [1.0, 2.0])], memoryview(array("d", [0.0])).toreadonly()),
    lambda r, o, g: r.value([array("d", [1.0, 2.0])], memoryview(bytearray(17))[1:9].cast("d")),
    lambda r, o, g: r.value_and_grad([array("d", [1.0, 2.0])], o, o),
    lambda r, o, g: r.stage("none"),
    lambda r, o, g: r.stage("\udc80"),
    lambda r, o, g: r.stage(None),
    lambda r, o, g: copy.copy(r),
    lambda r, o, g: pickle.dumps(r),
    lambda r, o, g: type(r)(),
    lambda r, o, g: type("Sub", (type(r),), {}),
]  # fmt: skip


@pytest.mark.parametrize("call", WRONG_CALLS, ids=map(str, range(len(WRONG_CALLS))))
def test_a_wrong_call_is_refused_and_the_next_right_one_works(call: Any) -> None:
    replay = small().replay(native.Replay)
    out, grads = array("d", [0.0]), array("d", [0.0, 0.0])
    with pytest.raises((TypeError, ValueError, BufferError, UnicodeEncodeError)):
        call(replay, out, grads)
    replay.value_and_grad([array("d", [0.5, 2.0])], out, grads)
    assert math.isclose(out[0], 2 * math.sin(0.5))
    assert math.isclose(grads[1], math.sin(0.5))


def test_outputs_may_be_the_inputs_of_one_scenario() -> None:
    replay = small().replay(native.Replay)
    both = array("d", [0.5, 2.0])
    replay.value([both], memoryview(both)[:1])
    assert math.isclose(both[0], 2 * math.sin(0.5))
    both = array("d", [0.5, 2.0])
    replay.value_and_grad([both], array("d", [0.0]), both)
    assert math.isclose(both[0], 2 * math.cos(0.5))
    assert math.isclose(both[1], math.sin(0.5))


def mapped(replay: Any, **given: Any) -> tuple[array[float], Any]:
    count = given.get("count", 3)
    room = count if 0 <= count < 10**6 else 3
    numbers = array("d", [0.5, 1.0, 1.5, 2.0, 2.5, 3.0])
    call = {
        "buffers": [numbers], "where": array("i", [0, 0]), "offset": array("q", [0, 24]),
        "stride": array("q", [8, 8]), "count": 3, "outputs": array("d", [0.0] * room), "grads": None,
        "sums": None, "threads": 1, **given,
    }  # fmt: skip
    replay.map(*call.values())
    return call["outputs"], call


MOST = 2**63 - 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"where": array("i", [0, 1])}, {"where": array("i", [0, -1])}, {"where": array("i", [0])},
        {"where": array("q", [0, 0])}, {"offset": array("q", [0, 25])}, {"offset": array("q", [-8, 0])},
        {"offset": array("q", [0, MOST])}, {"offset": array("q", [0, MOST - 7])}, {"offset": array("q", [0, -MOST - 1])},
        {"offset": array("q", [0, MOST]), "stride": array("q", [0, 0])}, {"offset": array("q", [0, 41]), "stride": array("q", [0, 0])},
        {"stride": array("q", [8, 9])}, {"stride": array("q", [8, -8])}, {"stride": array("q", [8, MOST])},
        {"stride": array("q", [8, 2**62])}, {"stride": array("q", [8, -MOST - 1])}, {"stride": array("i", [8, 8])},
        {"count": -1}, {"count": 4}, {"count": MOST}, {"count": 2**61}, {"count": 2**61, "outputs": array("d")},
        {"count": 2**61, "outputs": array("d"), "stride": array("q", [0, 0])},
        {"count": 2**31, "outputs": array("d"), "stride": array("q", [0, 0])}, {"count": 2**64},
        {"threads": 0}, {"threads": -1}, {"threads": 2**40}, {"outputs": array("d", [0.0])}, {"outputs": None},
        {"outputs": bytes(24)}, {"grads": array("d", [0.0])}, {"sums": array("d", [0.0])}, {"buffers": []},
        {"buffers": [b"1234567"]}, {"buffers": [None]}, {"buffers": None}, {"grads": array("f", [0.0] * 6)},
    ],
    ids=repr,
)  # fmt: skip
def test_a_map_that_would_read_or_write_outside_is_refused(wrong: dict[str, Any]) -> None:
    replay = small().replay(native.Replay)
    with pytest.raises((ValueError, TypeError, BufferError, OverflowError)):
        mapped(replay, **wrong)
    assert math.isclose(mapped(replay)[0][2], 3 * math.sin(1.5))


def test_a_map_does_not_write_into_what_it_reads() -> None:
    replay = small().replay(native.Replay)
    numbers = array("d", range(12))
    for given in (
        {"buffers": [numbers], "outputs": memoryview(numbers)[3:6]},
        {"buffers": [numbers], "grads": memoryview(numbers)[6:]},
        {"buffers": [numbers], "sums": memoryview(numbers)[:2], "grads": array("d", bytes(48))},
    ):
        with pytest.raises(ValueError, match="reads"):
            mapped(replay, **given)
    free = array("d", bytes(48))
    with pytest.raises(ValueError, match="in common"):
        mapped(replay, outputs=memoryview(free)[:3], grads=free)
    assert numbers == array("d", range(12))


def test_a_map_over_nothing_and_on_too_many_threads() -> None:
    replay = small().replay(native.Replay)
    assert mapped(replay, count=0)[0] == array("d")
    sums = array("d", [7.0, 7.0])
    mapped(replay, count=0, grads=array("d"), sums=sums, stride=array("q", [0, 0]))
    assert sums == array("d", [0.0, 0.0])
    assert mapped(replay, threads=10_000)[0] == mapped(replay)[0]


@pytest.mark.parametrize("kind", [interpreter.Replay, native.Replay], ids=["python", "native"])
def test_a_map_reads_at_any_byte(kind: Any) -> None:
    replay = small().replay(kind)
    odd = bytearray(b"?") + bytes(array("d", [0.5, 2.0] * 40))
    out, grads = array("d", [0.0] * 40), array("d", [0.0] * 80)
    where, offset, stride = array("i", [0, 0]), array("q", [1, 9]), array("q", [16, 16])
    replay.map([odd], where, offset, stride, 40, out, grads, None, 1)
    assert all(math.isclose(x, 2 * math.sin(0.5), rel_tol=1e-14) for x in out)
    assert all(math.isclose(x, 2 * math.cos(0.5), rel_tol=1e-14) for x in grads[::2])


def test_buffers_in_use_cannot_shrink() -> None:
    replay = small().replay(native.Replay)
    numbers, out = array("d", [0.5, 2.0]), array("d", [0.0])

    class Shrinking(list):
        """Gives its items one by one, and takes memory away in between."""

        def __iter__(self) -> Any:
            yield numbers
            out.append(1.0)  # the buffer is held already

    with pytest.raises(BufferError):
        replay.value(Shrinking([numbers]), out)
    numbers.append(1.0)  # all was let go
    out.append(1.0)


# ── Many sides at once ───────────────────────────────────────────────────────────────────────


def test_many_threads_on_one_replay() -> None:
    raw = everything(1)
    n = raw.slots
    replay = raw.replay(native.Replay)
    points = [array("d", [0.1 + 0.05 * (k + t) for k in range(n)]) for t in range(8)]
    where, offset = array("i", [0] * n), array("q", range(0, 8 * n, 8))

    def answers(t: int, tool: Any) -> list[Any]:
        out, grads = array("d", bytes(8 * len(raw.outputs))), array("d", bytes(8 * n))
        tool.value_and_grad([points[t]], out, grads)
        rows = array("d", bytes(8 * 40 * len(raw.outputs)))
        some = array("d", points[t] * 40)
        stride = array("q", [8 * n if (t + k) % 3 else 0 for k in range(n)])
        gradients, sums = array("d", bytes(8 * 40 * n)), array("d", bytes(8 * n))
        tool.map(
            [some], where, offset, stride, 40, rows, gradients, sums if t % 2 else None, 1 + t % 3
        )
        return [out, grads, rows, sums]

    expected = [answers(t, raw.replay(native.Replay)) for t in range(8)]

    def work(t: int) -> None:
        for _ in range(60):
            assert answers(t, replay) == expected[t]

    at_once(work, range(8))


def test_plans_for_many_choices_of_shared_slots_come_and_go() -> None:
    raw = everything(2)
    n = raw.slots
    replay = raw.replay(native.Replay)
    numbers = array("d", [0.3 + 0.01 * k for k in range(n)])
    seen = set()
    for shared in itertools.islice(itertools.product([0, 8], repeat=n), 0, 4096, 61):
        out = array("d", bytes(8 * len(raw.outputs)))
        replay.map([numbers], array("i", [0] * n), array("q", range(0, 8 * n, 8)), array("q", shared), 1, out,
                   None, None, 1)  # fmt: skip
        seen.add(tuple(round(x, 12) for x in out))
    assert len(seen) == 1


LONG = """
import signal, sys, threading, time, os
from array import array
sys.path.insert(0, {tests!r})
from support.raw_replays import Raw
from gradwalk.program import _replay
raw = Raw(2)
x, y = raw.inputs()
for _ in range(2000): x = raw.add("add", raw.add("sin", x), y)
raw.outputs.append(x)
replay = raw.replay(_replay.Replay)
count = 3_000_000
numbers = array("d", bytes(8 * count))
def run(count):
    out = array("d", bytes(8 * count))
    replay.map([numbers], array("i", [0, 0]), array("q", [0, 0]), array("q", [8, 8]), count, out, array("d", bytes(16 * count)), None, 2)
    return out
before = run(100)
"""

INTERRUPTED = (
    LONG
    + """
told = []
def tell():
    time.sleep(0.3)
    told.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=tell).start()
try:
    run(count)
    print("was not stopped")
except KeyboardInterrupt:
    print("stopped", time.perf_counter() - told[0])
assert run(100) == before
"""
)

FORKED = (
    LONG
    + """
child = os.fork()
if child == 0:
    os._exit(0 if run(100) == before else 1)
assert os.waitpid(child, 0)[1] == 0
# While another thread is in a map; AddressSanitizer's own locks do not survive that.
if "GRADWALK_SANITIZE" not in os.environ:
    busy = threading.Thread(target=run, args=(60_000,))
    busy.start()
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        os._exit(0 if run(100) == before else 1)
    assert os.waitpid(child, 0)[1] == 0
    busy.join()
assert run(100) == before
print("fine")
"""
)

OTHERS = (
    LONG
    + """
try:
    import _xxsubinterpreters as subinterpreters
except ImportError:
    import _interpreters as subinterpreters
for _ in range(3):
    other = subinterpreters.create()
    try:
        subinterpreters.run_string(other, "import gradwalk.program\\nassert gradwalk.compile(lambda x: x * x)(3.0) == 9.0")
    except Exception as error:
        assert "ImportError" in str(error), error  # refused is well
    subinterpreters.destroy(other)
assert run(100) == before
print("fine")
"""
)


def run_script(script: str) -> str:
    tests = repr(str(Path(__file__).parents[1]))
    return run(script.replace("{tests!r}", tests), timeout=600)  # where it hangs, let that be seen


@pytest.mark.skipif(os.name == "nt", reason="signals to one's own process")
def test_ctrl_c_stops_a_map_and_leaves_it_usable() -> None:
    # Half a minute of work is left undone: that it ends at all is what shows.
    assert run_script(INTERRUPTED).startswith("stopped")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_can_go_on_where_its_parent_forked() -> None:
    assert run_script(FORKED) == "fine\n"


def test_other_interpreters_have_it_or_are_refused() -> None:
    pytest.importorskip("_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters")
    assert run_script(OTHERS) == "fine\n"


# ── Size ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", ["chain", "sum", "product"])
def test_a_million_nodes_need_no_stack_and_the_answers_are_known(shape: str) -> None:
    """A recursion or a step that is not linear would end here, in a crash or not at all."""
    n = 100_000 if os.environ.get("GRADWALK_SANITIZE") else 1_000_000
    raw = Raw(2)
    x, y = raw.inputs()
    if shape == "sum":
        raw.outputs.append(raw.add("sum", *[x, y] * (n // 2)))
        value, by = n // 2 * 1.5, [n / 2, n / 2]
    elif shape == "chain":
        for _ in range(n // 2):
            x = raw.add("abs", raw.add("add", x, y))
        raw.outputs.append(x)
        value, by = 0.5 + n // 2, [1.0, n / 2]
    else:
        for _ in range(n):
            x = raw.add("mul", x, y)
        raw.outputs.append(raw.add("abs", x))
        value, by = 0.5, [1.0, n / 2]
    replay = raw.replay(native.Replay)
    out, grads, sums = array("d", [0.0]), array("d", [0.0, 0.0]), array("d", [0.0, 0.0])
    numbers = array("d", [0.5, 1.0])
    replay.value_and_grad([numbers], out, grads)
    assert math.isclose(out[0], value, rel_tol=1e-9)
    assert grads == pytest.approx(by)
    for stride in ([8, 0], [0, 0], [8, 8]):
        grads = array("d", [0.0, 0.0])
        places = array("i", [0, 0]), array("q", [0, 8]), array("q", stride)
        replay.map([numbers], *places, 1, out, grads, sums, 2)
        assert math.isclose(out[0], value, rel_tol=1e-9)
        found = [s if step == 0 else g for g, s, step in zip(grads, sums, stride, strict=True)]
        assert found == pytest.approx(by)
    del replay
    gc.collect()


# ── Structures of arguments and results ──────────────────────────────────────────────────────


def test_structures_that_no_recording_makes_do_no_harm() -> None:
    """Random nonsense where specs, arguments and results are expected: an answer or an exception."""
    rng = random.Random(5)
    replay = small().replay(native.Replay)
    deep: Any = "n"
    for _ in range(50_000):
        deep = ("list", (deep,))

    def nonsense(depth: int = 0) -> Any:
        words = ["n", "", "list", "tuple", "dict", "array", "is", "fields", "no"]
        plain = [*words, None, 0, 1, 2, -1, 10**30, 1.5, b"n", (), [1.0], (1.0, 2.0), {"x": 1.0}]
        plain.append(deep)
        if depth > 3 or rng.random() < 0.3:
            return rng.choice(plain)
        if rng.random() < 0.7:
            return (rng.choice(words), *[nonsense(depth + 1) for _ in range(rng.randrange(4))])
        return tuple([nonsense(depth + 1) for _ in range(rng.randrange(4))])

    answered = 0
    for _ in range(20_000):
        specs = rng.choice([("n", "n"), nonsense()])
        given = rng.choice([(1.0, 2.0), nonsense()])
        call = rng.choice([replay.call, replay.call_with_gradient])
        with contextlib.suppress(*REFUSED, RecursionError):
            answered += call(specs, given, nonsense(), lambda *_: None) is not NotImplemented
        captured = rng.choice([array("d", range(rng.randrange(4))), array("f", [1.0]), nonsense()])
        grads = rng.choice([array("d", [0.0, 0.0]), array("d", [0.0]), b"12345678" * 2, nonsense()])
        with contextlib.suppress(*REFUSED, RecursionError):
            answered += replay.call_into(specs, given, captured, grads) is not NotImplemented
    assert answered
    assert replay.call(("n", "n"), (0.0, 2.0), "n", None) == 0.0
    grads = array("d", [0.0, 0.0])
    assert replay.call_into(("n", "n"), (0.0, 2.0), array("d"), grads) == 0.0
    assert replay.call_into(("n",), (0.0,), array("d", [2.0]), grads) == 0.0
    assert replay.call_into(("n",), (0.0,), array("d", [2.0, 3.0]), grads) is NotImplemented
    tuple_of_deep = (deep, deep)
    assert replay.call(tuple_of_deep, tuple_of_deep, "n", None) is NotImplemented
    with pytest.raises(RecursionError):
        replay.call(("n", "n"), (1.0, 2.0), deep, None)
    while isinstance(deep, tuple):  # one at a time: older Pythons free them by recursion
        deep = deep[-1][0] if isinstance(deep[-1], tuple) else deep[-1]
    for wrong in ((), (1,), (1, 2, 3), (1, 2, 3, 4, 5)):
        for call in (replay.call, replay.call_with_gradient, replay.call_into):
            with pytest.raises(TypeError):
                call(*wrong)


# ── The last calls ───────────────────────────────────────────────────────────────────────────


def test_the_last_calls_are_kept_as_the_reference_keeps_them() -> None:
    raw = small()
    kept = [kind(**arguments(raw)) for kind in (native.Replay, interpreter.Replay)]
    out, grads = array("d", [0.0]), array("d", [0.0, 0.0])
    for replay in kept:
        assert replay.calls == (0, b"")
        replay.keep_calls(3)
        for k in range(5):
            replay.value([array("d", [k, 1.0])], out)
        replay.value_and_grad([array("d", [9.0, 9.0])], out, grads)
    rows = [sorted(memoryview(replay.calls[1]).cast("d", (3, 2)).tolist()) for replay in kept]
    assert [replay.calls[0] for replay in kept] == [6, 6]
    assert rows[0] == rows[1] == [[3.0, 1.0], [4.0, 1.0], [9.0, 9.0]]
    kept[0].keep_calls(1)
    assert kept[0].calls == (0, b"")


@pytest.mark.parametrize("most", [0, -1, 2**31, 2**80, None, "3"])
def test_a_count_of_calls_that_is_none_is_refused(most) -> None:
    replay = native.Replay(**arguments(small()))
    with pytest.raises(REFUSED):
        replay.keep_calls(most)
    assert replay.calls == (0, b"")
