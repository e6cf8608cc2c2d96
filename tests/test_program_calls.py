"""The short way: calls whose arguments have the structure of the last one, read and answered in C.

Whatever comes, the answer is that of the function itself on plain numbers, and whatever C does not
know goes the long way.
"""

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from support.threads import at_once

import gradwalk
from gradwalk import Value, compile  # noqa: A004
from gradwalk.program import backends

np = pytest.importorskip("numpy")


def total(thing: Any) -> Any:
    """Add up the squares of all numbers in any structure."""
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, np.ndarray):
        thing = thing.reshape(-1).tolist()
    if isinstance(thing, str) or thing is None:
        return 0.0
    if isinstance(thing, (list, tuple)):
        return sum([total(part) for part in thing], 0.0)
    return thing * thing


def fill(thing: Any, rng: random.Random) -> Any:
    """Return the same structure with other numbers."""
    if isinstance(thing, dict):
        return {key: fill(part, rng) for key, part in thing.items()}
    if isinstance(thing, np.ndarray):
        return np.array(rng.choices([0.5, -1.25, 3.0], k=thing.size)).reshape(thing.shape)
    if isinstance(thing, (list, tuple)):
        return type(thing)([fill(part, rng) for part in thing])
    return thing if isinstance(thing, str) or thing is None else rng.gauss(0, 3)


STRUCTURES = [
    1.0,
    [1.0, 2.0],
    (1.0, 2.0, 3.0),
    [],
    [[1.0, 2.0], [3.0]],
    ([1.0], (2.0, [3.0])),
    {"a": 1.0, "b": [2.0, 3.0]},
    {"outer": {"inner": (1.0,)}, "none": None, "word": "call"},
    np.arange(6.0).reshape(2, 3),
    [np.array([1.0, 2.0]), 5.0],
    {1: 2.0, "x": np.array(3.0)},
]


@pytest.mark.parametrize("thing", STRUCTURES, ids=lambda thing: str(thing)[:30])
def test_any_structure_again_and_again(thing: Any, backend: str) -> None:
    rng = random.Random(1)
    program = compile(lambda x, y: total(x) + 2.0 * y)
    for _ in range(4):
        given, y = fill(thing, rng), rng.random()
        assert program(given, y) == pytest.approx(total(given) + 2.0 * y, rel=1e-14, abs=1e-14)
        value, grads = program.value_and_grad(given, y)
        assert value == pytest.approx(total(given) + 2.0 * y, rel=1e-14, abs=1e-14)
        assert grads["y"] == 2.0
        if "x" in grads:
            twice, got = flat(given), flat(grads["x"])
            assert got == pytest.approx([2 * x for x in twice])
            assert type(grads["x"]) is (float if isinstance(given, float) else type(given))
    assert len(program._store) == 1


def flat(thing: Any) -> list[float]:
    if isinstance(thing, dict):
        return [x for part in thing.values() for x in flat(part)]
    if isinstance(thing, np.ndarray):
        return thing.reshape(-1).tolist()
    if isinstance(thing, (list, tuple)):
        return [x for part in thing for x in flat(part)]
    return [] if isinstance(thing, str) or thing is None else [thing]


@pytest.mark.skipif(backends.name != "native", reason="it is in C")
def test_the_short_way_is_taken() -> None:
    """Or all of this would be tests of the long one."""
    program = compile(lambda x, y: x * y)
    program(1.0, 2.0)
    program.value_and_grad(1.0, 2.0)
    program._store.prepare = None  # pyright: ignore[reportAttributeAccessIssue]
    assert program(3.0, 4) == 12.0
    assert program(np.float64(3.0), y=4.0) == 12.0
    assert program.value_and_grad(3.0, 4.0) == (12.0, {"x": 4.0, "y": 3.0})
    with pytest.raises(TypeError, match="not callable"):  # a Value is for the long way
        program(3.0, Value(4.0))


NUMBERS = [3, True, 2**70, 10**400, -(10**400), Fraction(1, 2), math.nan, np.float64(2.5),
           np.float32(0.5), np.int64(7), Value(4.0)]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_numbers_of_all_kinds(number: Any, backend: str) -> None:
    program = compile(lambda x, y: x + y)
    assert program(1.0, 2.0) == 3.0
    plain = number.data if isinstance(number, Value) else number
    expected = pytest.approx(0.5 + gradwalk.ops.real(plain), rel=0.0, nan_ok=True)
    for _ in range(2):
        assert program(0.5, number) == expected
        assert program.value_and_grad(0.5, number) == (expected, {"x": 1.0, "y": 1.0})
    assert len(program._store) == 1


def test_arrays_that_are_no_plain_rows_of_doubles(backend: str) -> None:
    program = compile(total)
    rows = np.arange(6.0).reshape(2, 3)
    kinds = [rows, np.asfortranarray(rows), rows.astype(np.float32), rows.astype(int)]
    kinds += [np.repeat(rows, 2, axis=1)[:, ::2], rows.astype(">f8")]
    for array in kinds:
        assert program(array) == 55.0
        assert program.value_and_grad(array)[1]["thing"].tolist() == (2 * rows).tolist()
    read_only = rows.copy()
    read_only.flags.writeable = False
    assert program(read_only) == 55.0
    assert len(program._store) == 1
    grads = program.value_and_grad(rows)[1]["thing"]
    grads += 1.0  # one's own, to write to


def test_threads_do_not_mix_their_numbers(backend: str) -> None:
    program = compile(lambda x, z: x * sum(z))
    program(1.0, [1.0] * 50)
    program.value_and_grad(1.0, [1.0] * 50)

    def work(k: float) -> None:
        z = [k] * 50
        for _ in range(2000 if backend == "native" else 20):
            found = program(k, z), program.value_and_grad(k, z)[1]["x"]
            assert found == (50 * k * k, 50 * k)

    at_once(work, (1.0, 2.0, 3.0, 4.0))
