"""Functions that are recorded a path at a time: their limits, and what they may swallow.

`test_program_ordinary.py` has those that only compute what plain Python computes.
"""

import bisect
import contextlib
import itertools
import json  # noqa: F401  (a source below)
import math
import re
import warnings
from typing import Any

import pytest
from support.plain import RUNS_PLAINLY

import gradwalk
from gradwalk import ProgramError, RecordingError, Value, compile  # noqa: A004
from gradwalk.program import load
from gradwalk.program.recordings import MOST_PATHS

np = pytest.importorskip("numpy")

POINTS = (
    *((1.25, 0.375), (-1.625, 0.375), (1.25, -2.625), (-0.875, -0.375), (2.375, 3.125)),
    *((3.625, 1.875), (0.125, 2.75), (-2.625, 1.375), (0.625, 0.875)),
)


def test_a_path_that_a_file_lacks_is_refused_by_name(tmp_path) -> None:
    def assign_to_a_chosen_list(x, y):
        one, other = [1.0, x], [3.0, 4.0]
        (one if x > 0 else other)[0] = y
        return one[0] * 10 + other[0] * one[1]

    compiled = compile(assign_to_a_chosen_list)
    compiled(1.0, 2.0)
    compiled.save(tmp_path / "it.gw")
    loaded = load(tmp_path / "it.gw")
    assert loaded(1.5, 2.0) == assign_to_a_chosen_list(1.5, 2.0)
    said = r"test_program_paths.py:\d+: assign_to_a_chosen_list was loaded .* not recorded"
    with pytest.raises(ProgramError, match=said):
        loaded(-1.0, 2.0)
    with pytest.raises(ProgramError, match=said):
        loaded.map(np.array([1.0, -1.0]), 2.0)


def text_in_a_number(x):
    return float(re.sub(r"\.", "", f"{x:.2f}")) + x


def text_of_a_whole_number(x):
    return len(str(int(x) + 1)) * x


@RUNS_PLAINLY
def test_text_is_pythons_and_has_no_gradient(backend: str) -> None:
    compiled = compile(text_in_a_number)
    for x in (1.25, -2.5, 100.0):
        assert compiled(x) == text_in_a_number(x)
    assert compiled.map(np.array([1.25, -2.5])).tolist() == [126.25, -252.5]
    with pytest.raises(RecordingError, match=r"paths\.py:\d+: .*re\.sub.*\n.*a format|text"):
        compiled.value_and_grad(1.25)
    compiled = compile(text_of_a_whole_number)
    for x in (1.25, 9.5, 98.5, 99.5):
        assert compiled(x) == text_of_a_whole_number(x)
        assert compiled.value_and_grad(x)[1]["x"] == len(str(int(x) + 1))


def test_beyond_some_paths_a_call_runs_as_python_by_the_same_rules(backend: str) -> None:
    def counts(xs, y):
        kept: list[float] = []
        while len(kept) < xs[0]:
            kept.append(math.exp(xs[1]))
        if xs[0] > 200.0:
            xs[1:] = [y]
        return sum(kept)

    compiled, calls = compile(counts), [0]
    for k in range(MOST_PATHS):
        assert compiled([k + 0.5, 0.0], 1.0) == k + 1.0
    with pytest.warns(RuntimeWarning, match="more than 64 paths"):
        assert compiled([80.5, 0.0], 1.0) == 81.0
    made = compiled._store._record
    compiled._store._record = lambda *given, **how: calls.append(1) or made(*given, **how)
    assert compiled([90.5, 0.0], 1.0) == 91.0
    assert calls == [0]
    assert compiled([91.5, 1000.0], 1.0) == math.inf  # and no OverflowError
    changed = [300.5, 0.0]
    assert compiled(changed, 2.0) == 301.0
    assert changed == [300.5, 2.0]


def test_beyond_some_paths_a_gradient_is_of_the_call_alone(backend: str) -> None:
    weight = Value(0.5)

    def counts(x):
        kept: list[Any] = []
        while len(kept) < x:
            kept.append(x * weight)
        return sum(kept)

    compiled = compile(counts)
    for k in range(MOST_PATHS):
        assert compiled(k + 0.5) == (k + 1) * (k + 0.5) / 2
    with pytest.warns(RuntimeWarning, match="more than 64 paths"):
        assert compiled(70.5) == 71 * 70.5 / 2
    made = compiled._store._record
    compiled._store._record = lambda *given, **how: pytest.fail("recorded")
    assert compiled(80.5) == 81 * 80.5 / 2
    assert compiled._store.by_specs[("n",)].paths == MOST_PATHS
    assert compiled.value_and_grad(80.5)[1]["x"] == 81.0 / 2
    assert compiled.backward(80.5) == 81 * 80.5 / 2
    assert weight.grad == 81 * 80.5
    given = Value(3.5)
    (compiled(given) * 2.0).backward()
    assert given.grad == 4.0
    compiled._store._record = made
    assert gradwalk.compile(gradwalk.grad(gradwalk.grad(counts)))(80.5) == 0.0


def test_beyond_some_paths_nothing_is_kept_for_the_next_call(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwalk.program.recordings.MOST_PATHS", 1)
    known: dict[int, float] = {}

    def remembers(x):
        if round(x) not in known:
            known[round(x)] = x
        return known[round(x)] + len(known)

    compiled, points = compile(remembers), (0.25, 1.5, 0.0, 2.5, 3.5, -0.25, 0.5, 4.0, 0.5, 1.75)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [compiled(x) for x in points]
    known.clear()
    assert found == [remembers(x) for x in points]


def test_beyond_some_paths_a_number_is_compared_with_pythons(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwalk.program.recordings.MOST_PATHS", 1)

    class Kinds:
        def __add__(self, other):
            return 2.0 if type(other) is float else 3.0

    kinds = Kinds()

    def counts(x):
        kept = [n for n in range(4) if n < x]
        return (kinds + x if len(kept) > 2 else 1.0) * len(kept)

    compiled = compile(counts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [compiled(x) for x in (0.5, 1.5, 2.5, 3.5)] == [1.0, 2.0, 6.0, 8.0]


def test_beyond_some_paths_an_anomaly_has_its_line(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwalk.program.recordings.MOST_PATHS", 1)

    @compile
    def counts(x):
        kept = []
        while len(kept) < x:
            kept.append(1.0 / (x - 2.5))
        return sum(kept)

    with pytest.warns(RuntimeWarning, match="paths"):
        assert [counts(x) for x in (0.5, 1.5, 3.5)] == [-0.5, -2.0, 4.0]
    with gradwalk.detect_anomaly(), pytest.raises(gradwalk.AnomalyError, match=r"paths\.py:\d+"):
        counts(2.5)
    assert counts(2.5) == math.inf


def test_beyond_some_paths_a_loop_without_end_is_an_error(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwalk.program.recordings.MOST_PATHS", 1)

    @compile(steps=20)
    def waits(x):
        kept = [x]
        while kept[-1] < 10.0:
            kept.append(kept[-1] * x)
        return kept[-1]

    with pytest.warns(RuntimeWarning, match="paths"):
        assert [waits(x) for x in (2.0, 3.0, 5.0)] == [16.0, 27.0, 25.0]
    with pytest.raises(gradwalk.LoopError, match="does not end"):
        waits(0.5)


def test_a_hash_is_right_for_its_own_number_alone(backend: str) -> None:
    compiled = compile(lambda x, y: (hash(x) % 7 + 1) * y)
    for x in (1.25, 2.5, 0.1, 1e-9):
        assert compiled(x, 2.0) == (hash(x) % 7 + 1) * 2.0


def test_training_follows_paths(backend: str) -> None:
    def loss(x, w):
        kept = [w[0] * x]
        if kept[0] > 1.0:
            kept.append(w[1])
        return sum([v * v for v in kept])

    def trained(how):
        weights = [Value(0.75), Value(0.5)]
        optimizer = gradwalk.optim.SGD(weights, lr=0.05)
        function = compile(lambda x: loss(x, weights))
        if how == "batch":
            with function.train(optimizer) as train:
                losses = [train.batch(np.array([1.0, 2.0, 0.5])) for _ in range(4)]
        elif how == "step":
            with function.train(optimizer) as train:
                losses = [train.step(x) for x in (1.0, 2.0, 1.0, 2.0)]
        else:
            losses = []
            for xs in [[1.0, 2.0, 0.5]] * 4 if how == "eager batch" else [[1.0], [2.0]] * 2:
                mean = sum([loss(x, weights) for x in xs]) / len(xs)
                mean.backward()
                optimizer.step()
                optimizer.zero_grad()
                losses.append(mean.data)
        return losses, [weight.data for weight in weights]

    for how, eager in (("batch", "eager batch"), ("step", "eager")):
        for found, wanted in zip(trained(how), trained(eager), strict=True):
            assert found == pytest.approx(wanted, rel=1e-13)


# ── What a function swallows, and the kinds of numbers ───────────────────────────────────────


class Swallowing:
    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> bool:
        return True


def return_in_finally(x, y):
    t = 0.0
    try:
        str(int(y) + 0)
        t += x
    finally:
        return t  # noqa: B012


def break_in_finally(x, y):
    t = 0.0
    for i in range(3):
        try:
            t += float(str(int(x) + i))
            if x > y:
                t += y
        finally:
            if i == 1:
                break  # noqa: B012
    return t + x


def suppressed(x, y):
    t = 1.0
    with contextlib.suppress(BaseException):
        t = float(str(int(y) + 1)) + x
    return t


def swallowed_by_a_manager(x, y):
    t = 0.0
    with Swallowing():
        t = x + [1.0, 2.0][int(abs(y))]
        t += len(str(int(y) * 2))
    return t


def swallowed_by_a_finaliser(x, y):
    log: list[Any] = []

    class Last:
        def __del__(self) -> None:
            log.append(str(int(x) * 2))
            if x > y:
                log.append("b")

    last = Last()
    del last
    return len(log) * 10.0 + len(log[0])


def leaves_or_returns(x, y):
    n = 0
    while x:
        n += 1
        if y * n > 3:
            break
        return 2.0
    return len(range(n)) * 1.0


def ints_beyond_doubles(x, y):
    n = int(x) + 7 if y > 0 else 3
    for _ in range(int(abs(y) * 4)):
        n = n * 1009 + 1
    return float(n % 1013) + float(13 ** int(abs(x) * 8) % 11)


def text_of_kinds(x, y):
    n = 1 if x > 0 else 2
    m = 1 if y > 0 else 2.0
    k = 0
    while k < abs(x):
        k += 1
    things = [
        *(math.floor(x), math.ceil(x), round(x), int(x) // 2, x // 1, int(x) ** 2),
        *(n, n + 1, m, k, [1, 2.0, 3][int(abs(y)) % 3], max(x, 3), min(int(x), y)),
        *(x > 0, (x > 0) + (y > 0), not x > y, math.isnan(x) + 1, bool(x), sum([int(x), int(y)])),
        *(bisect.bisect([0.0, 1.0], x), sorted([int(x), 1, y])[1], any([x > 0, y > 0])),
    ]
    return float(sum([(k + 1) * len(str(thing)) for k, thing in enumerate(things)]))


@RUNS_PLAINLY
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "function",
    [
        *(return_in_finally, break_in_finally, suppressed, swallowed_by_a_manager),
        *(swallowed_by_a_finaliser, leaves_or_returns, ints_beyond_doubles, text_of_kinds),
    ],
)
def test_a_swallowed_restart_and_a_kind_of_number_change_nothing(function) -> None:
    for points in (POINTS, POINTS[::-1]):
        compiled = compile(function)
        for point in (*points, *points):
            assert compiled(*point) == function(*point)
    every = np.array(POINTS)
    found = compile(function).map(every[:, 0], every[:, 1])
    assert found.tolist() == [function(*point) for point in POINTS]


def test_a_loop_without_end_is_told_where_the_function_catches_it() -> None:
    @compile(steps=50)
    def waits(x):
        n = 0
        try:
            while n < x:
                n += 1
                [].append(n)
        except Exception:
            return -1.0
        return n * 1.0

    with pytest.raises(gradwalk.LoopError, match="does not end within 50 rounds"):
        waits(1e3)


@pytest.mark.parametrize(
    "end",
    [
        *(itertools.count(), itertools.cycle([1, 2]), itertools.repeat(3), iter(int, 1)),
        *(zip(itertools.count()), enumerate(itertools.count()), map(abs, itertools.count())),
        (n for n in itertools.count()),
    ],
    ids=lambda end: type(end).__name__,
)
def test_a_loop_over_what_has_no_end_is_an_error_where_its_break_is_not_reached(end) -> None:
    @compile(steps=50)
    def adds(x):
        total = 0.0
        for _ in end:
            total += x
            if total > 10.0:
                break
        return total

    with pytest.raises(gradwalk.LoopError, match=r"for _ in end|does not end within 50 rounds"):
        adds(-1.0)
    adds(1.0)


@pytest.mark.parametrize("first", [next, any])
def test_a_comprehension_over_what_has_no_end_is_an_error_too(first) -> None:
    @compile(steps=50)
    def found(x):
        return x * first(n for n in itertools.count(1) if n * x > 10.0)

    with pytest.raises(gradwalk.LoopError, match="does not end within 50 rounds"):
        found(-1.0)
    assert found(3.0) == found.function(3.0)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: next(n for n in range(10**12) if n > x * 10**12),
        lambda x: next(n for n in range(10**20) if n > x * 10**12),
        lambda x: sum(itertools.takewhile(lambda n: n < x * 10**15, itertools.count())),
        lambda x: sum(1.0 for n in iter(range(10**12)) if n > x),
    ],
    ids=("range", "large range", "takewhile", "iterator"),
)
def test_what_does_not_end_within_steps_is_an_error(function) -> None:
    with pytest.raises(gradwalk.LoopError, match=r"does not end|within 20 rounds"):
        compile(steps=20)(function)(0.5)


@pytest.mark.parametrize("end", [itertools.count, lambda: itertools.repeat(0, 200)])
def test_only_rounds_that_what_is_recorded_could_end_are_counted(end) -> None:
    @compile(steps=50)
    def adds(x):
        total = x
        for n in end():
            total += 1.0
            if n == 199 or (n % 5 == 0 and total < 0.0):
                break
        for n in itertools.repeat(x, 90):
            if n > 100.0:
                break
        return total

    assert adds(3.0) == adds.function(3.0)
