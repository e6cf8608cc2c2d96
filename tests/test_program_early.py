"""Early exits in a map: in groups, a map gives what it gives as a whole."""

import math

import pytest

from gradwalk import compile  # noqa: A004
from gradwalk.program import backends, early

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(
    not hasattr(backends.replay.Replay, "sizes"), reason="groups are the native back end's"
)


def barrier(s, sigma, level, z):
    for zi in z:
        s = s * math.exp(sigma * zi - 0.5 * sigma * sigma)
        if s < level:
            return 0.5 * s
    return s - level


def root(c, start):
    x = start
    while abs(x * x - c) > 1e-13 * c:
        x = 0.5 * (x + c / x)
    return x


def found_in(table, x):
    n = 0
    for entry in table:
        if entry > x:
            break
        n += 1
    else:
        n = -1
    return n * x


def checked(x, z):
    for zi in z:
        x += zi
        if x > 3:
            return x
        if x < -60:
            raise ValueError("too low")
    return x * z[0]


@pytest.fixture
def asked(monkeypatch):
    """The numbers of stages that the maps were run in."""
    stages = []
    choose = early._chosen

    def chosen(*given):
        found = choose(*given)
        stages.append(len(found))
        return found

    monkeypatch.setattr(early, "_chosen", chosen)
    monkeypatch.setattr(early, "LEAST_WORK", 1000)
    return stages


def as_a_whole(monkeypatch, work):
    with monkeypatch.context() as context:
        context.setattr(early, "run", lambda *_: False)
        return work()


RNG = np.random.default_rng(5)
CASES = {
    "rows": (barrier, (1.0, 0.02, 0.99, RNG.standard_normal((3000, 60)))),
    "columns": (barrier, (1.0, 0.02, 0.99, np.asfortranarray(RNG.standard_normal((3000, 60))))),
    "one number each": (root, (RNG.uniform(0.99, 1.01, 3000), 1.0)),
    "break": (found_in, (sorted(RNG.uniform(0, 9, 80).tolist()), RNG.uniform(0, 1, 3000))),
    "several": (barrier, (RNG.uniform(1, 2, 3000), 0.02, RNG.uniform(1, 1.5, 3000),
                          RNG.standard_normal((3000, 40)))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:the gradient of")
def test_values_and_gradients_are_those_of_the_whole(name, asked, monkeypatch) -> None:
    function, given = CASES[name]
    monkeypatch.setattr(early, "_WORTH", 5.0)  # in groups, whatever the time
    program = compile(function)
    for threads in (1, 2):
        value, grads = program.map.value_and_grad(*given, threads=threads)
        alone = program.map(*given, threads=threads)
        mean = program.map.value_and_grad(*given, reduce="mean", threads=threads)
        if threads == 1:
            first = (value, alone, mean)
            assert all(asked), asked
    assert np.array_equal(first[0], value)
    assert np.array_equal(first[1], alone)
    assert str(first[2]) == str(mean)  # to the last digit, whatever the threads
    program = compile(function)
    whole, slopes = as_a_whole(monkeypatch, lambda: program.map.value_and_grad(*given))
    assert np.array_equal(value, whole)
    assert np.array_equal(alone, whole)
    for argument, slope in slopes.items():
        assert np.allclose(grads[argument], slope, rtol=1e-12, atol=1e-14)
    assert mean[0] == pytest.approx(whole.mean(), rel=1e-12)
    rows = [[x[i] if isinstance(x, np.ndarray) else x for x in given] for i in range(40)]
    plain = [function(*[x.tolist() if hasattr(x, "tolist") else x for x in row]) for row in rows]
    assert value[:40].tolist() == pytest.approx(plain, rel=1e-12)


def test_no_question_is_asked_where_nothing_ends_early(asked) -> None:
    z = RNG.standard_normal((3000, 60))
    found = compile(barrier).map(1.0, 0.02, 1e-9, z)
    assert asked == [0]
    assert (found > 0.1).all()


def test_a_fault_names_its_scenario(asked) -> None:
    x, z = np.full(3000, 2.9), RNG.standard_normal((3000, 60))
    program = compile(checked)
    assert program.map(x, z).shape == (3000,)
    assert asked in ([1], [2], [3])
    z[2711] = -5.0
    with pytest.raises(ValueError, match="too low") as caught:
        program.map(x, z)
    assert "scenario 2711" in caught.value.__notes__
