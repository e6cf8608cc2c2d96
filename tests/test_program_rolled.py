"""Long programs are kept with their loops rolled up, and everything works as without.

`test_program_loops.py` has the random programs.
"""

import math
from array import array
from collections.abc import Sequence
from typing import Any

import pytest
from support.raw_replays import looped

import gradwalk
from gradwalk import TakeError, Value
from gradwalk.program import backends, compile, interpreter, load  # noqa: A004
from gradwalk.program.recording import recorder

pytestmark = pytest.mark.skipif(backends.name != "native", reason="C rolls programs up")


@pytest.fixture(autouse=True)
def rolled_from_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "ROLLED_FROM", 64)
    monkeypatch.setattr(recorder, "LEAST_LOOP", 16)


def path(p: Sequence[Any], z: Sequence[Any]) -> Any:
    """A price that moves with a volatility of its own."""
    price, variance, level, speed = p
    for k in range(len(z) // 2):
        root = gradwalk.sqrt(abs(variance))
        price = price * (1.0 + root * z[2 * k])
        variance = variance + speed * (level - variance) + 0.1 * root * z[2 * k + 1]
    return price


def twice(x: Any, steps: int) -> Any:
    """Two loops; the second reads what every round of the first computed."""
    seen: list[Any] = []
    for k in range(steps):
        x = x + gradwalk.sin(x) * (0.1 / (k + 1))
        seen.append(x)
    total = x
    for k, y in enumerate(seen):
        total = total * 0.5 + y * gradwalk.cos(total) * (0.1 / (k + 1))
    return total


def nested(x: Any, steps: int) -> Any:
    """Inner loops that are too small to be rolled up by themselves."""
    for _ in range(steps):
        y = x
        for _ in range(3):
            y = y * 0.5 + x
        x = gradwalk.tanh(y) - 0.25 * x
    return x


def fibonacci(x: Any, steps: int) -> Any:
    """Each round reads the two before."""
    before, now = x, 0.5 * x + 1.0
    for _ in range(steps):
        before, now = now, 0.5 * (before + now * x)
    return now


def branching(x: Any, steps: int) -> Any:
    for k in range(steps):
        x = x * 1.5 if x < 1.0 else x - 0.75 / (k + 1)
    return x


def by_values(function: Any, *args: Any) -> tuple[float, list[float]]:
    """The eager engine's value, and its gradient by the first argument."""
    first = args[0]
    leaves = [Value(x) for x in (first if isinstance(first, list) else [first])]
    result = function(leaves if isinstance(first, list) else leaves[0], *args[1:])
    result.backward()
    return result.data, [leaf.grad for leaf in leaves]


def pieces(compiled: Any) -> list[tuple[int, int, int]]:
    return compiled._store.last.program.rolled.pieces


NOISE = [math.sin(3.0 * k) for k in range(400)]


@pytest.mark.parametrize(
    ("function", "first", "rest"),
    [
        (path, [1.0, 0.04, 0.05, 0.3], (NOISE,)),
        (twice, 0.7, (60,)),
        (nested, 0.3, (40,)),
        (fibonacci, 0.9, (50,)),
        (branching, 0.3, (80,)),
    ],
)
def test_values_are_pythons_and_gradients_the_eager_engines(function, first, rest) -> None:
    static = [] if function is path else ["steps"]
    compiled = gradwalk.compile(static=static)(function)
    wrt = compiled.arguments[0]
    value, grads = compiled.value_and_grad(first, *rest, wrt=wrt)
    assert max([count for _, _, count in pieces(compiled)]) >= 30  # there is a loop
    assert value == compiled(first, *rest) == function(first, *rest)
    data, slopes = by_values(function, first, *rest)
    assert value == data
    found = grads[wrt] if isinstance(first, list) else [grads[wrt]]
    assert found == pytest.approx(slopes, rel=1e-13)
    again = compiled.value_and_grad(first, *rest, wrt=wrt)
    assert again == (value, grads)


def test_a_gradient_of_0_leaves_the_program_rolled_up() -> None:
    """All gradients are 0, so that the program is asked for comparisons: it has none."""

    def flat(x: Any) -> Any:
        for _ in range(400):
            x = x + 0.001 * x
        return gradwalk.maximum(x - 100.0, 0.0)

    compiled = gradwalk.compile(flat)
    assert compiled.value_and_grad(1.0, wrt="x") == (0.0, {"x": 0.0})
    with pytest.raises(AttributeError):
        object.__getattribute__(compiled._store.last.program, "codes")


def test_what_varies_from_round_to_round() -> None:
    """A value of two rounds before, inputs, numbers, an invariant and a take, against the twin."""
    raw = looped()
    numbers = array("d", [1.5 * math.cos(k) for k in range(raw.slots)])
    code = bytes(raw.codes), raw.starts, raw.args, raw.numbers
    places = array("i", bytes(8 * len(raw.codes)))
    rolled = backends.replay.roll(*code, raw.outputs, raw.slots, places, 16)
    assert [count for _, _, count in rolled.pieces if count > 1] == [raw.slots, 39]
    found: list[array[float]] = []
    for make in (
        interpreter.Replay,
        lambda *given: backends.replay.Replay(rolled, None, None, None, *given[4:]),
    ):
        replay = raw.replay(make)
        out, grads = array("d", bytes(32)), array("d", bytes(8 * raw.slots))
        replay.value_and_grad([numbers], out, grads)
        found += [out, grads]
    assert found[0] == pytest.approx(found[2], rel=1e-15)  # tanh has an ulp
    assert found[1] == pytest.approx(found[3], rel=1e-13)
    assert sum(map(bool, found[1])) > 12


def test_map_inspection_files_and_other_precisions(tmp_path, monkeypatch) -> None:
    np = pytest.importorskip("numpy")
    p = [1.0, 0.04, 0.05, 0.3]
    with monkeypatch.context() as patch:
        patch.setattr(recorder, "ROLLED_FROM", 10**9)
        plain = compile(path).record(p, NOISE)
    assert plain.program.rolled is None
    for options in ({}, {"fast": True}, {"float32": True}):
        compiled = gradwalk.compile(**options)(path)
        compiled(p, NOISE)
        assert pieces(compiled)
        many = np.array([p, [1.1, 0.03, 0.05, 0.2]])
        exact = 0.0 if not options else 1e-5 if "float32" in options else 1e-13
        values = compiled.map(many, NOISE)
        assert values == pytest.approx([path(list(row), NOISE) for row in many], rel=exact)
    compiled = gradwalk.compile(path)
    compiled(p, NOISE)
    assert compiled.explain("recorded") == plain.explain("recorded")
    assert compiled.program.codes == plain.program.codes
    assert compiled.program.places == plain.program.places
    compiled.save(tmp_path / "path.gw")
    assert load(tmp_path / "path.gw")(p, NOISE) == path(p, NOISE)


def test_an_index_out_of_range_names_the_line() -> None:
    table = [1.0, 2.0, 3.0]

    def walk(x: Any, steps: int) -> Any:
        for _ in range(steps):
            x = x + 0.01 * gradwalk.take(table, x)
        return x

    compiled = gradwalk.compile(static="steps")(walk)
    assert compiled(0.5, 60) == walk(0.5, 60)
    assert pieces(compiled)
    with pytest.raises(TakeError, match=r"of a table of 3.*test_program_rolled\.py:\d+"):
        compiled(2.9, 60)


def test_a_long_program_takes_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    compiled = gradwalk.compile(path)
    noise = [math.sin(3.0 * k) for k in range(16_000)]
    value, _ = compiled.value_and_grad([1.0, 0.04, 0.05, 0.3], noise, wrt="p")
    recording = compiled._store.last
    (replay,) = recording.made_replays()
    assert len(recording.program) > recorder.ROLLED_FROM
    assert replay.sizes["rolled bytes"] < 100_000
    assert value == path([1.0, 0.04, 0.05, 0.3], noise)
    kept = replay.sizes["rolled"]
    assert f"kept with its loops rolled up, as {kept} instructions" in compiled.explain()
    with pytest.raises(AttributeError, match="a program has no colour"):
        _ = recording.program.colour


def test_what_is_no_program_is_refused() -> None:
    raw = looped()
    code = bytes(raw.codes), raw.starts, raw.args, raw.numbers
    places = array("i", bytes(8 * len(raw.codes)))
    roll, make = backends.replay.roll, backends.replay.Replay
    with pytest.raises(gradwalk.ProgramError, match="two integers of places"):
        roll(*code, raw.outputs, raw.slots, places[2:], 16)
    rolled = roll(*code, raw.outputs, raw.slots, places, 16)
    nothing = (rolled, None, None, None)
    for outputs, slots, wrt, seeds in [
        ([10**6], raw.slots, [0], [1.0]),
        ([0], raw.slots + 1, [0], [1.0]),
        ([], raw.slots, [0], []),
        ([0], raw.slots, [raw.slots], [1.0]),
        ([0], raw.slots, [0], [1.0, 1.0]),
    ]:
        with pytest.raises(gradwalk.ProgramError):
            make(*nothing, array("i", outputs), slots, array("i", wrt), array("d", seeds))
    with pytest.raises(TypeError):
        type(rolled)()
