"""Branches and loops of compiled functions: what they raise, their limits, what is not taken.

`test_program_ordinary.py` has those that only compute what plain Python computes.
"""

import math

import pytest

from gradwalk import LoopError, compile  # noqa: A004

np = pytest.importorskip("numpy")


def checked_root(x):
    if x < 0:
        raise ValueError("x is negative")
    if x >= 100:
        raise OverflowError(f"{x} is too large")
    return math.sqrt(x)


def test_a_raise_in_a_branch_is_raised_by_the_replays_that_get_there(backend) -> None:
    program = compile(checked_root)
    assert program(4.0) == 2.0
    with pytest.raises(ValueError, match="x is negative"):
        program(-1.0)
    with pytest.raises(OverflowError, match="is too large"):
        program(101.0)
    assert program.value_and_grad(4.0) == (2.0, {"x": 0.25})
    with pytest.raises(ValueError, match="x is negative") as caught:
        program.map(np.array([1.0, 4.0, -1.0]))
    assert "scenario 2" in caught.value.__notes__
    assert program.map(np.array([1.0, 4.0])).tolist() == [1.0, 2.0]


def halve(x):
    n = 0
    while x > 1.0:
        x = x / 2
        n += 1
    return n + x


def test_a_loop_gets_as_many_rounds_as_its_scenarios_need(backend) -> None:
    program = compile(halve)
    for x in (0.5, 3.0, 1e3, 1e30, 2.0, 1e200):
        assert program(x) == halve(x)
    xs = [10.0 ** (k % 60) for k in range(200)]
    assert program.map(np.array(xs)).tolist() == [halve(x) for x in xs]


def test_a_loop_without_end_meets_its_limit() -> None:
    program = compile(steps=32)(halve)
    assert program(2.0**32) == 33
    with pytest.raises(LoopError, match=r"while x > 1\.0[^$]*32 rounds; give compile\(steps=…\)"):
        program(2.0**33)
    with pytest.raises(LoopError, match="scenario 1: the loop does not end"):
        program.map(np.array([1.0, math.inf]))


def test_an_assignment_beyond_a_list_raises_in_the_replay() -> None:
    def f(x, i):
        xs = [x, 2.0]
        if x > 0:
            xs[int(i)] = 5.0
        return xs[0]

    program = compile(f)
    assert [program(1.0, 0.0), program(1.0, -1.5), program(-1.0, 7.0)] == [5.0, 1.0, -1.0]
    for i in (2.0, -3.0, math.nan):
        with pytest.raises(IndexError, match="list assignment index"):
            program(1.0, i)


def test_a_use_of_nothing_raises_in_the_replays_that_get_there(backend) -> None:
    @compile
    def doubled(x):
        found = None
        if x > 0:
            found = x
        return found * 2

    @compile
    def unset(x):
        if x > 0:
            found = x
        return found * 2

    for program, error in ((doubled, TypeError), (unset, UnboundLocalError)):
        assert program(3.0) == 6.0
        assert program.map(np.array([1.0, 2.0])).tolist() == [2.0, 4.0]
        with pytest.raises(error):
            program.function(-1.0)
        with pytest.raises(error):
            program(-1.0)
        with pytest.raises(error) as caught:
            program.map(np.array([1.0, 2.0, -1.0]))
        assert "scenario 2" in caught.value.__notes__


def test_nothing_greatest_and_nothing_found_raise_as_pythons_do(backend) -> None:
    greatest = compile(lambda x: max(v for v in [x, 1.0] if v > 1))
    place = compile(lambda x: [1.0, x, 3.0].index(2.0) * 1.0)
    entry = compile(lambda x: {0: 1.0, 2: 5.0}[int(x)])
    assert (greatest(4.0), place(2.0), entry(2.5)) == (4.0, 1.0, 5.0)
    for program, error in ((greatest, ValueError), (place, ValueError), (entry, KeyError)):
        for call in (program, program.function, lambda x, f=program: f.map(np.array([x]))):
            with pytest.raises(error):
                call(1.0)


def test_an_entry_beyond_a_list_raises_only_in_a_replay_that_reads_it() -> None:
    def first(n):
        total = 0.0
        for k in range(int(n)):
            total += (1.0, 2.0, 4.0)[k]
        return total

    program = compile(first)
    assert [program(n) for n in (0.0, 2.0, 3.0)] == [0.0, 3.0, 7.0]
    with pytest.raises(IndexError, match="tuple index out of range"):
        program(4.0)
    with pytest.raises(IndexError, match="tuple index out of range"):
        program.map(np.array([1.0, 9.0]))
