"""What a recording cannot hold raises, with the user's line and the form to write instead."""

# ruff: noqa: PLW0108  (a lambda has the signature that is recorded, and a line of its own)

import copy
import math
import operator
import random
import threading
from queue import SimpleQueue

import pytest
from support.plain import RUNS_PLAINLY

import gradwalk
from gradwalk import (
    OperandError,
    RecordingError,
    TakeError,
    Value,
    compile,  # noqa: A004
    fori,
    take,
)

W = Value(3.0, label="w")
W.grad = 1.0


# What asks a recorded value for its number: each computes, or raises, what plain Python does.
FOLLOWED = {
    "int": lambda x: int(x),
    "if": lambda x: 1.0 if x > 0 else 2.0,
    "truth": lambda x: 1.0 if x else 2.0,
    "and": lambda x: x > 0 and x < 1,
    "not": lambda x: not x,
    "chained": lambda x: 0 < x < 1,
    "sorted": lambda x: sorted([x, x * 2.0]),
    "list[i]": lambda x: [1.0, 2.0][x],
    "range": lambda x: sum([2.5 for _ in range(x)]),
    "index": lambda x: operator.index(x),
    "in": lambda x: x in [1.0, 2.0],
    "dict": lambda x: {1.0: 2.0}[x],
    "round": lambda x: round(x),
    "ulp": lambda x: math.ulp(x),
    "comb": lambda x: math.comb(5, x),
    "a text times": lambda x: len("ab" * x),
    "isnan": lambda x: 1.0 if math.isnan(x) else 2.0,
    "nextafter": lambda x: math.sin(x) + math.nextafter(x, 2),
    "max beside": lambda x: max(2.0, 3.0) if x > 0 else 1.0,
    "ldexp": lambda x: math.exp(x) + math.ldexp(x, 1),
    "a Value's int": lambda x: x * int(W),
    "a Value's truth": lambda x: x if W else 2.0,
    "a Value's branch": lambda x: x if W > 2 else 2.0,
}


@RUNS_PLAINLY
@pytest.mark.parametrize("name", FOLLOWED)
@pytest.mark.parametrize("at", [1.5, 1, 0])
@pytest.mark.filterwarnings("ignore::gradwalk.GradientDroppedWarning")
def test_what_asks_for_a_number_follows_python(name: str, at: float) -> None:
    function = FOLLOWED[name]
    try:
        wanted = function(at)
    except (TypeError, KeyError) as error:
        with pytest.raises((type(error), OperandError)):
            compile(function)(at)
        return
    assert compile(function)(at) == wanted


def test_a_recording_inside_no_grad_has_its_gradients(backend: str) -> None:
    w = Value(3.0)
    with gradwalk.no_grad():
        program = compile(lambda x: x * (w * w)).record(2.0)
        assert program.value_and_grad(2.0) == (18.0, {"x": 9.0})
    program.backward(2.0)
    assert w.grad == 12.0


def test_a_value_that_escaped_its_recording_raises() -> None:
    queue = SimpleQueue()
    compile(lambda x: queue.put(x) or x * 2.0).record(1.0)
    kept = [queue.get()]
    for use in (lambda x: x + 1.0, lambda x: x.exp(), float, bool, lambda x: gradwalk.exp(x)):
        with pytest.raises(RecordingError, match="after its recording has ended"):
            use(kept[0])
    assert "ended" in repr(kept[0])


def test_a_failed_recording_leaves_nothing_behind() -> None:
    program = compile(lambda x: x.data)
    original = math.exp
    for _ in range(2):
        with pytest.raises(RecordingError):
            program(1.0)
    assert len(program._store) == 0
    assert math.exp is original
    assert gradwalk.engine.modes.active == set()


def test_another_thread_may_draw_random_numbers_meanwhile(backend: str) -> None:
    def draw() -> None:  # in a thread of its own, which has ended when the function goes on
        thread = threading.Thread(target=random.random)
        thread.start()
        thread.join()

    def innocent(x):
        draw()
        return x * 2.0

    def long(x):  # so long that its program has its loops rolled up
        draw()
        for _ in range(70_000):
            x = x * 1.0 + 0.25
        return x

    def guilty(x):
        draw()
        return x * random.random()

    end = threading.Event()
    waiting = threading.Thread(target=end.wait)  # so that there is another thread at all
    waiting.start()
    try:
        assert compile(innocent).record(1.0)(3.0) == 6.0
        assert compile(long).record(1.0)(3.0) == 17_503.0
        with pytest.raises(RecordingError, match="drew random numbers"):
            compile(guilty).record(1.0)
    finally:
        end.set()
        waiting.join()


def test_random_numbers_drawn_while_recording_raise() -> None:
    with pytest.raises(RecordingError, match="drew random numbers"):
        compile(lambda x: x * random.random()).record(1.0)
    np = pytest.importorskip("numpy")
    with pytest.raises(RecordingError, match="drew random numbers"):
        compile(lambda x: x * np.random.standard_normal()).record(1.0)
    own, of_numpy = random.Random(1), np.random.default_rng(1)
    for f in (
        lambda x: x * own.random(),
        lambda x: x * own.gauss(0.0, 1.0),
        lambda x: x * of_numpy.standard_normal(),
        lambda x: x * np.random.default_rng().normal(),
        lambda x: x * random.Random().uniform(0.0, 1.0),
    ):
        with pytest.raises(RecordingError, match=r"drew random numbers.*draw them outside") as no:
            compile(f).record(1.0)
        assert no.value.line == (__file__, f.__code__.co_firstlineno)


def test_a_generator_that_the_function_seeds_draws_the_same_each_time(backend: str) -> None:
    np = pytest.importorskip("numpy")
    for f in (
        lambda x: x * random.Random(7).gauss(0.0, 1.0),
        lambda x: x * np.random.default_rng(7).normal(),
        lambda x: x * np.random.default_rng(seed=7).normal(),
    ):
        assert compile(f)(2.0) == f(2.0) == compile(f)(2.0)


def test_what_is_no_number_raises_as_in_eager_code() -> None:
    for function in (lambda x: x + "3", lambda x: gradwalk.exp(x, x), lambda x: x * {}):
        with pytest.raises(TypeError):
            compile(function).record(1.0)
    with pytest.raises(OperandError, match="take needs a table"):
        compile(lambda x: take([], x)).record(1.0)
    with pytest.raises(TypeError):
        compile(lambda x: (x > 0) & x).record(1.0)


def test_copies_of_a_recorded_value_are_itself(backend: str) -> None:
    program = compile(lambda x: copy.deepcopy([x])[0] * copy.copy(x)).record(3.0)
    assert program(4.0) == 16.0


# ── math ─────────────────────────────────────────────────────────────────────────────────────


# ── take and fori ────────────────────────────────────────────────────────────────────────────


def test_take_records_a_gather_and_its_gradient(backend: str) -> None:
    program = compile(lambda table, i: take(table, i) * 2.0)
    assert program.value_and_grad([1.0, 5.0, 9.0], 1) == (
        10.0,
        {"table": [0.0, 2.0, 0.0], "i": 0.0},
    )
    assert program([1.0, 5.0, 9.0], 2) == 18.0
    assert len(program._store) == 1  # an index is an input
    rows = compile(lambda table, i: take(table, i))
    assert rows([[1.0, 2.0], [3.0, 4.0]], 1) == [3.0, 4.0]
    assert compile(lambda t, i: take(t, i))([(1.0, 2.0), (3.0, 4.0)], 1) == (3.0, 4.0)


def test_an_index_outside_the_table_names_the_recorded_line(backend: str) -> None:
    def f(table: list[float], i: int) -> float:
        return take(table, i)

    program = compile(f)
    line = f.__code__.co_firstlineno + 1
    for index in (3, -1, math.nan):
        with pytest.raises(TakeError, match=rf"of a table of 3, recorded at .*:{line}$"):
            program([1.0, 2.0, 3.0], index)
        with pytest.raises(IndexError):
            program.value_and_grad([1.0, 2.0, 3.0], index)
    assert program([1.0, 2.0, 3.0], 0) == 1.0


def test_take_gives_a_row_of_an_array(backend: str) -> None:
    np = pytest.importorskip("numpy")
    table = np.arange(12.0).reshape(3, 2, 2)

    def corner(table, i):
        row = take(table, i)
        return row[1, 0] * row.sum()

    program = compile(corner)
    value, grads = program.value_and_grad(table, 2)
    assert value == corner(table, 2) == 10.0 * 38.0
    assert grads["table"].tolist() == [[[0.0] * 2] * 2] * 2 + [[[10.0, 10.0], [48.0, 10.0]]]
    with pytest.raises(TakeError, match=r"index 3\.0 of a table of 3"):
        program(table, 3)
    captured = compile(lambda i: take(table, i)[0, 1])
    assert [captured(i) for i in range(3)] == [1.0, 5.0, 9.0]


@pytest.mark.parametrize(
    ("bound", "said"),
    [(5, "5.0"), (math.inf, "inf"), (math.nan, "nan")],
)
def test_fori_refuses_the_same_bounds_recorded_and_on_numbers(bound, said, backend: str) -> None:
    def count(n):
        return fori(0, n, lambda i, s: s + 1.0, 0.0, limit=4)

    message = f"fori: an upper bound of {said} is not within its limit=4"
    for run in (compile(count), count, lambda n: count(Value(n))):
        with pytest.raises(TakeError, match=message):
            run(bound)
    for odd in (math.nan, math.inf, "3"):
        with pytest.raises(OperandError, match="fori takes a"):
            fori(0, odd, lambda i, s: s, 0.0)


def test_fori_with_a_recorded_bound_masks_what_is_beyond(backend: str) -> None:
    def f(x: float, n: int) -> list:
        return fori(
            0,
            n,
            lambda i, s: {"p": s["p"] * x, "l": [s["l"][0] + i]},
            {"p": 1.0, "l": [0.0]},
            limit=6,
        )

    program = compile(f)
    for n in range(7):
        assert program(2.0, n) == {"p": 2.0**n, "l": [sum(range(n))]}
    assert len(program._store) == 1
    power = compile(lambda x, n: fori(0, n, lambda _, p: p * x, 1.0, limit=6))
    assert power.value_and_grad(2.0, 3)[1]["x"] == 12.0
    said = r"fori: an upper bound of 7.0 is not within its limit=6, recorded at .*\.py:\d+"
    with pytest.raises(TakeError, match=said):
        program(2.0, 7)  # beyond the limit, it would be a wrong number
    with pytest.raises(RecordingError, match="limit=N"):
        compile(lambda n: fori(0, n, lambda i, s: s + 1.0, 0.0)).record(3)
    with pytest.raises(RecordingError, match="keep the lengths"):
        compile(lambda n: fori(0, n, lambda i, s: [*s, 1.0], [0.0], limit=3)).record(3)


# ── numpy ────────────────────────────────────────────────────────────────────────────────────


@RUNS_PLAINLY
def test_numpys_functions_go_by_the_table(backend: str) -> None:
    np = pytest.importorskip("numpy")
    program = compile(
        lambda x, a: (
            np.exp(x) + np.maximum(x, 2.0) * np.float64(3.0) + np.sum(np.sqrt(a) * x) + (a @ a)
        )
    )
    a = np.array([1.0, 4.0, 9.0])
    wanted = math.exp(0.5) + 6.0 + 6.0 * 0.5 + 98.0
    value, grads = program.value_and_grad(0.5, a)
    assert value == pytest.approx(wanted, rel=1e-15)
    assert grads["a"].tolist() == pytest.approx([0.5 * 0.5 / r + 2 * r * r for r in (1, 2, 3)])
    assert compile(lambda a: np.std(a) + np.log10(a[0])).record(a)(a) == pytest.approx(
        np.std(a), rel=1e-15
    )
    for refused in (np.rint, np.spacing):
        with pytest.raises(RecordingError, match=rf"numpy\.{refused.__name__} does not record"):
            compile(_calling(refused)).record(1.0)
    assert compile(lambda x: 1.0 if np.greater(x, 0.0) else 2.0)(1.0) == 1.0


def _calling(function):
    return lambda x: function(x)


def test_a_refusal_that_the_function_swallows_is_raised_all_the_same(backend: str) -> None:
    def forgiving(x):
        try:
            return x.data
        except Exception:
            return 3.0

    with pytest.raises(RecordingError, match="compute with the value itself"):
        compile(forgiving).record(1.0)


def test_a_dict_is_no_table_to_take_from(backend: str) -> None:
    with pytest.raises(OperandError, match=r"list\(table\.values\(\)\)"):
        compile(lambda i: take({0: 1.0, 1: 2.0}, i)).record(1)
