"""Functions full of objects: a compiled one takes the path that plain Python takes.

Each row is a function that a recording of both sides of its branches would get wrong or refuse. All
are held against the function itself on floats, in every form: single calls that change sides,
`map` with mixed rows, gradients, gradients of gradients, saved and loaded.
"""

import bisect
import collections
import contextlib
import copy
import heapq
import itertools
import json  # noqa: F401  (a source below)
import math
import random
import re
from typing import Any

import pytest

import gradwalk
from gradwalk import ProgramError, RecordingError, Value, compile  # noqa: A004
from gradwalk.program import load
from gradwalk.program.recordings import MOST_PATHS

np = pytest.importorskip("numpy")

POINTS = (
    *((1.25, 0.375), (-1.625, 0.375), (1.25, -2.625), (-0.875, -0.375), (2.375, 3.125)),
    *((3.625, 1.875), (0.125, 2.75), (-2.625, 1.375), (0.625, 0.875)),
)
FUNCTIONS: dict[str, Any] = {}


def row(function: Any) -> Any:
    FUNCTIONS[function.__name__] = function
    return function


class Point:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __iadd__(self, other: Any) -> Any:
        self.v = self.v + other
        return self


class Counted:
    """A descriptor that counts how often its attribute is set."""

    def __get__(self, thing: Any, _: Any) -> Any:
        return self if thing is None else thing.kept

    def __set__(self, thing: Any, value: Any) -> None:
        thing.kept = value
        thing.sets += 1


class Gauge:
    level = Counted()

    def __init__(self, level: Any) -> None:
        self.sets = 0
        self.level = level


# ── Rows and objects that a recorded number chooses are themselves ───────────────────────────


@row
def an_attribute_with_a_descriptor(x, y):
    gauge = Gauge(x)
    if x > y:
        gauge.level = 2 * x
    return gauge.level * 10 + gauge.sets


@row
def rows_by_index(x, y):
    rows = [[0.0] * 3 for _ in range(3)]
    rows[int(abs(x)) % 3][int(abs(y)) % 3] += x
    return sum([sum(one) for one in rows]) * 2 + rows[0][0] - rows[1][1]


@row
def append_to_a_chosen_row(x, y):
    rows: Any = [[], []]
    for v in (x, y, x + y):
        rows[v > 1.0].append(v)
    return len(rows[0]) * 10.0 + sum(rows[1])


@row
def assign_to_a_chosen_list(x, y):
    one, other = [1.0, x], [3.0, 4.0]
    (one if x > 0 else other)[0] = y
    return one[0] * 10 + other[0] * one[1]


@row
def two_names_of_one_list(x, y):
    one = [1.0]
    both = one
    if x > 0:
        one += [x]
    else:
        one = one + [y]  # noqa: RUF005
    return sum(both) * 10 + len(one)


@row
def the_best_is_itself(x, y):
    points = [Point(x), Point(y), Point(0.5)]
    best = points[0]
    for point in points:
        if point.v > best.v:
            best = point
    others = [point for point in points if point is not best]
    return best.v * 10 + sum([point.v for point in others]) + (best in others)


@row
def objects_that_add_in_place(x, y):
    point = other = Point(0.0)
    if x > 0:
        point += x
    if y > 0:
        other += y
    return point.v * 2 + other.v


@row
def rows_that_are_sorted(x, y):
    rows = [[x, 1.0], [y, 2.0], [0.5, 3.0]]
    rows.sort()
    rows[0][1] = 9.0
    return rows[0][0] + rows[1][1] * 2 + rows[2][1] * 3


@row
def a_list_that_grows_on_one_side(x, y):
    kept = {"a": y}
    if x > 1:
        kept["b"] = x
    return sum(kept.values())


@row
def names_of_another_function(x, y):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    if x > 0:
        add(x)
    for k in range(3):
        if y > k:
            add(1.0)
    return total


# ── Iterators ────────────────────────────────────────────────────────────────────────────────


@row
def what_a_loop_leaves(x, y):
    each = iter([x, y, 1.0, 2.0, 3.0])
    for v in each:
        if v > 0.75:
            break
    return sum(each)


@row
def next_on_one_side(x, y):
    each, total = iter([1.0, 2.0, 3.0, 4.0]), x
    if x > 0:
        total += next(each)
    if y > 0:
        total += next(each) * 2
    return total + next(each) * 3


@row
def pairs_of_one_iterator(x, y):
    each, total = iter((x, y, 0.5, 1.5)), 0.0
    for a, b in zip(each, each, strict=False):
        total = total + a if a > b else total - b
    return total


@row
def a_generator_that_filters(x, y):
    def some():
        for v in (x, y, 2.0):
            if v > 0:
                yield v

    return sum(some()) + max(some(), default=0.0)


@row
def counting_without_end(x, y):
    for n in itertools.count():
        if n * 0.5 > abs(x):
            break
    return n * y


@row
def a_list_that_is_filtered(x, y):
    kept = [v for v in (x, y) if v > 0.0]
    return kept[0] * len(kept) if kept else y


# ── Libraries that change what they are given ────────────────────────────────────────────────


@row
def a_counter(x, y):
    tally: Any = collections.Counter()
    for v in (x, y, 1.0):
        if v > 0.5:
            tally["high"] += 1
        else:
            tally["low"] -= 2
    return tally["high"] * 3.0 + tally["low"] * y


@row
def a_heap(x, y):
    heap: list[Any] = []
    for v in (x, y, 0.25, -0.25):
        heapq.heappush(heap, v)
        if len(heap) > 2 and x > 0:
            heapq.heappop(heap)
    return sum(heap) * 0.5 + heap[0]


@row
def a_sorted_list(x, y):
    kept = [0.0, 1.0]
    if x > 0:
        bisect.insort(kept, x)
    bisect.insort(kept, y)
    return kept[1] * 10 + kept[-1] + len(kept)


@row
def a_deque(x, y):
    line: Any = collections.deque([0.0], maxlen=2)
    if x > 0:
        line.append(x)
    line.append(y)
    return line[0] * 10 + line[-1]


@row
def numbers_as_keys(x, y):
    seen: dict[Any, int] = {}
    for v in (x, y, x):
        seen[v] = seen.get(v, 0) + 1
    return len(seen) + seen[x] * y + len({x, y, 1.0})


@row
def what_numpy_asks(x, y):
    v = np.array([x, y, 0.25])
    kept = np.where(v > 0.0, v, 0.0).sum() + v.argmax() + np.sort(v)[0]
    return kept + (1.0 if np.any(v > 2.0) else 0.5) + np.searchsorted([0.0, 1.0], x)


# ── What a condition is ──────────────────────────────────────────────────────────────────────


@row
def a_flag_is_true(x, y):
    flag = x > 0
    return y if flag is True else -y


@row
def a_flag_is_matched(x, y):
    match x > 0:
        case True:
            return y
        case _:
            return -x


@row
def a_flag_is_inverted(x, y):
    return ~(x > 0) * y


@row
def flags_are_added(x, y):
    return ((x > 0) + (y > 0) * 2) * x


@row
def nan_is_sorted(x, y):
    odd = math.inf - math.inf if x > 0 else y
    return sum([k * v for k, v in enumerate(sorted([1.0, odd, 0.0, y])) if v == v])


# ── Exceptions ───────────────────────────────────────────────────────────────────────────────


@row
def a_domain_that_is_caught(x, y):
    try:
        return math.sqrt(x)
    except ValueError:
        return y * 2


@row
def a_division_that_is_caught(x, y):
    try:
        found = y / max(x, 0.0)
    except:  # noqa: E722
        found = y * 7.0
    return found


@row
def an_error_that_is_suppressed(x, y):
    found = y
    with contextlib.suppress(ZeroDivisionError):
        found = y / max(x, 0.0)
    return found


@row
def an_index_that_is_caught(x, y):
    try:
        return [1.0, 2.0, 3.0][int(x)] + y
    except IndexError:
        return -y


@row
def a_key_that_is_caught(x, y):
    try:
        return {0: 1.0, 1: 2.0}[int(x)] * y
    except KeyError:
        return -y


@row
def an_end_that_is_caught(x, y):
    try:
        return next(v for v in (x, y) if v > 1.0)
    except StopIteration:
        return x - y


@row
def an_error_with_arguments(x, y):
    try:
        if x > 0:
            raise KeyError("large", x)
    except KeyError as error:
        return error.args[1] * 2
    return y


@row
def what_is_done_at_last(x, y):
    log: list[Any] = []

    def inner():
        try:
            if x > 0:
                return x
            return 2.0
        finally:
            log.append(y)

    return inner() * 10 + sum(log)


@row
def an_error_from_a_function(x, y):
    def inner(v):
        if v > 1:
            {}["a"]
        return v

    try:
        x = inner(x)
    except KeyError:
        y = 2 * y
    return x * y


@row
def none_or_a_number(x, y):
    found = None
    for v in (x, y):
        if v > 0.5 and (found is None or v < found):
            found = v
    return x - y if found is None else found


@row
def a_recursion_of_two(x, y):
    def one(v):
        return v if v <= 0 else other(v)

    def other(v):
        return one(v - 1) * 0.5

    return one(x) * y


@row
def draws_from_a_seed(x, y):
    rng = random.Random(3)
    if x > 1:
        y = y * rng.random()
    return y * rng.random()


@row
def a_name_in_an_expression(x, y):
    z = y
    if x > 1 and (z := x * y) > 0:
        return z
    return -z


# ── Values, gradients, maps, files ───────────────────────────────────────────────────────────


def expected(function: Any) -> list[float]:
    return [float(function(*point)) for point in POINTS]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_take_the_path_that_python_takes(name: str, backend: str) -> None:
    function, wanted = FUNCTIONS[name], expected(FUNCTIONS[name])
    for order in (range(len(POINTS)), range(len(POINTS) - 1, -1, -1)):
        compiled = compile(function)
        for k in (*order, *order):
            assert compiled(*POINTS[k]) == wanted[k], POINTS[k]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_of_a_map_take_their_own_paths(name: str, backend: str) -> None:
    function, compiled = FUNCTIONS[name], compile(FUNCTIONS[name])
    columns = [np.array(column) for column in zip(*POINTS, strict=True)]
    assert compiled.map(*columns).tolist() == expected(function)
    values, rows = compiled.map.value_and_grad(*columns)
    assert values.tolist() == expected(function)
    for k, point in enumerate(POINTS):
        value, grads = compile(function).value_and_grad(*point)
        assert value == values[k]
        assert grads == {key: pytest.approx(rows[key][k], rel=1e-14) for key in grads}
    first = POINTS[0][0]
    total, shared = compiled.map.value_and_grad(first, columns[1], reduce="sum")
    assert total == pytest.approx(sum([function(first, y) for _, y in POINTS]), rel=1e-13)
    slopes = [compile(function).value_and_grad(first, y)[1]["x"] for _, y in POINTS]
    assert shared["x"] == pytest.approx(sum(slopes), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_those_of_the_path(name: str, backend: str) -> None:
    function, compiled = FUNCTIONS[name], compile(FUNCTIONS[name])
    again = compile(gradwalk.grad(function))
    for x, y in POINTS:
        _, grads = compiled.value_and_grad(x, y)
        h = 1e-7
        slope = (function(x + h, y) - function(x - h, y)) / (2 * h)
        assert grads["x"] == pytest.approx(slope, rel=1e-6, abs=1e-6)
        slope = (function(x, y + h) - function(x, y - h)) / (2 * h)
        assert grads["y"] == pytest.approx(slope, rel=1e-6, abs=1e-6)
        assert again(x, y) == pytest.approx(grads["x"], rel=1e-13)
        one, other = Value(x), Value(y)
        node = compiled(one, other)
        if isinstance(node, Value):
            node.backward()
            assert (one.grad, other.grad) == pytest.approx((grads["x"], grads["y"]), rel=1e-13)


PINNED = {"numbers_as_keys"}  # what is right for its own numbers alone is not saved


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - PINNED))
def test_saved_paths_are_loaded(name: str, tmp_path, backend: str) -> None:
    function, compiled = FUNCTIONS[name], compile(FUNCTIONS[name])
    for point in POINTS:
        compiled(*point)
    compiled.save(tmp_path / "it.gw")
    loaded = load(tmp_path / "it.gw")
    for point, wanted in zip(POINTS, expected(function), strict=True):
        assert loaded(*point) == wanted


def test_a_path_that_a_file_lacks_is_refused_by_name(tmp_path) -> None:
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


def test_beyond_some_paths_a_call_is_recorded_each_time(backend: str) -> None:
    def counts(x):
        kept: list[Any] = []
        while len(kept) < x:
            kept.append(x)
        return sum(kept)

    compiled = compile(counts)
    for k in range(MOST_PATHS):
        assert compiled(k + 0.5) == counts(k + 0.5)
    with pytest.warns(RuntimeWarning, match="more than 64 paths"):
        assert compiled(70.5) == counts(70.5)
    assert compiled(80.5) == counts(80.5)
    assert compiled._store.by_specs[("n",)].paths == MOST_PATHS
    assert compiled.value_and_grad(80.5)[1]["x"] == 81.0


def test_a_path_that_a_parameter_decides_is_followed(backend: str) -> None:
    weight = Value(1.0)

    def scaled(x):
        kept = [x]
        if weight * x > 0:
            kept.append(x * x)
        return sum(kept) * weight

    compiled = compile(scaled)
    assert compiled(2.0) == 6.0
    weight.data = -1.0
    assert compiled(2.0) == -2.0
    assert compiled.backward(2.0) == -2.0
    assert weight.grad == 2.0


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


def test_what_is_left_of_a_copy_is_one_thing(backend: str) -> None:
    def copied(x, y):
        kept = {"a": [x], "b": [y]}
        other = copy.deepcopy(kept)
        (kept if x > y else other)["a"].append(y)
        return len(kept["a"]) * 10.0 + sum(other["a"])

    compiled = compile(copied)
    for point in POINTS:
        assert compiled(*point) == copied(*point)


def test_a_loop_that_returns_on_some_paths_gives_the_number_on_those(backend: str) -> None:
    def function(x: Any, y: Any) -> Any:
        n = 0
        while x > n:
            n += 1
            if y * n > 3.0:
                return y + n

    compiled = compile(function)
    assert compiled(5.0, 1.5) == function(5.0, 1.5) == 4.5
    with pytest.raises(gradwalk.ProgramError, match="returns no number: None"):
        compiled(1.0, 0.5)
    assert compiled.value_and_grad(9.0, 0.5) == (7.5, {"x": 0.0, "y": 1.0})


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
    assert found.tolist() == expected(function)


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


@pytest.mark.parametrize("end", [itertools.count(), itertools.cycle([1, 2]), itertools.repeat(3)])
def test_a_loop_over_what_has_no_end_is_an_error_where_its_break_is_not_reached(end) -> None:
    @compile(steps=50)
    def adds(x):
        total = 0.0
        for n in end:  # noqa: B007  (read behind the loop)
            total += x
            if total > 10.0:
                break
        return total + n

    with pytest.raises(gradwalk.LoopError, match=r"for n in end|does not end within 50 rounds"):
        adds(-1.0)
    adds(1.0)


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
