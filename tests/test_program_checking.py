"""A new recording is compared with plain Python, where nobody can tell that the function ran."""

import collections
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from support.plain import RUNS_PLAINLY

import gradwalk
from gradwalk import RecordingError, Value, compile  # noqa: A004

np = pytest.importorskip("numpy")
pytestmark = RUNS_PLAINLY


@dataclass
class Unseen:
    """What operators of a class ask is not rewritten."""

    def __add__(self, x):
        return x if type(x) is float else x + 1.0


def asks_type(x):
    return Unseen() + x


def behind_a_branch(x):
    return Unseen() + (x + 1.0 if x > 0.0 else x)


@pytest.mark.parametrize(
    ("function", "plain", "recorded"), [(asks_type, 3.0, 4.0), (behind_a_branch, 4.0, 5.0)]
)
def test_a_function_whose_path_depends_on_the_type_of_a_number_runs_plainly(
    function, plain: float, recorded: float, backend: str
) -> None:
    program = compile(function)
    said = rf"gives {plain} in plain Python and {recorded} as recorded.*\n?.*run as plain Python"
    with pytest.warns(RuntimeWarning, match=said):
        assert program(3.0) == plain
    assert program(2.0) == plain - 1.0
    assert not program._store.by_specs
    with pytest.raises(RecordingError, match="as recorded") as caught:
        program.value_and_grad(3.0)
    assert caught.value.line == (__file__, function.__code__.co_firstlineno)


@pytest.mark.parametrize("at", [2.5, 3, True])
def test_the_class_of_a_number_is_pythons(at: float, backend: str) -> None:
    def asks(x: Any) -> Any:
        kinds = [isinstance(x, float), isinstance(x, int), type(x) is float, type(x) is int]
        kinds += [x.__class__ is float, x is True, isinstance(x * 1.5, float), len(str(x)) > 1]
        match x:
            case float():
                kinds.append(True)
        return sum([k * flag for k, flag in enumerate(kinds, 1)]) * x

    compiled = compile(asks)
    for x in (at, 1.5, 4, False, at):
        assert compiled(x) == asks(x)


counts = [0]
seen: list[object] = []


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def attribute(self, x):
        self.calls += 1
        return x * 2.0


def subscript(x):
    counts[0] += 1
    return x * 2.0


def appended(x):
    seen.append(1)
    return x * 2.0


def nested(x):
    return subscript(x)


def test_what_a_function_changes_outside_is_changed_once(backend: str) -> None:
    counts[0] = 0
    seen.clear()
    for function, count in ((subscript, 1), (nested, 2)):
        assert compile(function)(3.0) == 6.0
        assert counts[0] == count
    assert compile(appended)(3.0) == 6.0
    assert len(seen) == 1
    counter = Counter()
    assert compile(counter.attribute)(3.0) == 6.0
    assert counter.calls == 1


kept: list[Any] = []
memo: dict[float, float] = {}
latest: collections.deque[float] = collections.deque()


def logs_first(x):
    kept.append(x)
    return Unseen() + x


def logs_what_it_computes(x):
    kept.append(Unseen() + x)
    return x


def raises_behind(x):
    kept.append(x)
    found = Unseen() + x
    if x > 2.5:
        raise ValueError(found)
    return found


def memorizes(x):
    kept.append(x)
    if x not in memo:
        memo[x] = Unseen() + x
    return memo[x]


def keeps_the_latest(x):
    kept.append(x)
    latest.append(Unseen() + x)
    return latest[-1]


def counts_in_an_attribute(x):
    logs_first.calls = getattr(logs_first, "calls", 0) + 1
    return logs_first(x) * logs_first.calls


def writes_into_its_argument(x):
    box = [x]
    fills(box)
    return box[0]


def fills(box):
    kept.append(box[0])
    box.append(Unseen() + box[0])


EFFECTS = [
    *(logs_first, logs_what_it_computes, raises_behind, memorizes, keeps_the_latest),
    *(counts_in_an_attribute, writes_into_its_argument),
]


def after(call: Callable[[], Any]) -> tuple[Any, ...]:
    """Return what calls give, or raise, and the state that they leave outside."""
    vars(logs_first).clear()
    for table in (kept, memo, latest):
        table.clear()
    try:
        found = call()
    except Exception as error:
        found = repr(error)
    return found, list(kept), dict(memo), list(latest), dict(vars(logs_first))


@pytest.mark.parametrize("function", EFFECTS)
def test_a_function_that_changes_something_outside_is_compared(
    function: Callable[..., Any], backend: str
) -> None:
    points = (1.5, 2.0, 1.5, 3.0)
    compiled = compile(function)
    assert after(lambda: compiled(1.5)) == after(lambda: function(1.5))
    several = after(lambda: [compiled(x) for x in points])
    assert several == after(lambda: [function(x) for x in points])
    mapped = after(lambda: compile(function).map(np.array(points)).tolist())
    plain = after(lambda: [function(x) for x in points])
    assert mapped[1:] == plain[1:]
    assert mapped[0] == plain[0] or "ValueError" in plain[0]


@pytest.mark.parametrize("function", [logs_first, memorizes, keeps_the_latest])
def test_a_function_that_asks_for_types_and_changes_something_has_no_gradient(
    function: Callable[..., Any], backend: str
) -> None:
    kept.clear()
    memo.clear()
    compiled = compile(function)
    for count, x in enumerate((1.5, 2.0), 1):
        with pytest.raises(RecordingError, match="as recorded"):
            compiled.value_and_grad(x)
        assert kept == [1.5, 2.0][:count]


def test_a_function_that_changes_something_has_its_gradient_where_python_agrees(backend) -> None:
    class Doubled:
        def __init__(self) -> None:
            self.calls = 0

        def __add__(self, x):
            self.calls += 1
            return 2.0 * x

    doubled, notes = Doubled(), list[float]()

    def f(x):
        notes.append(x)
        return doubled + x

    compiled = compile(f)
    for count, x in enumerate((1.5, 2.0, 1.5), 1):
        assert compiled.value_and_grad(x) == (2.0 * x, {"x": 2.0})
        assert doubled.calls == len(notes) == count
        assert [type(note) for note in notes] == [float] * count


def test_an_argument_that_is_written_into_is_written_once(backend: str) -> None:
    for wrong in (0.0, 1.0):

        def f(box, x, wrong=wrong):
            kept.append(x)
            box.append(x)
            return (Unseen() + x) * wrong + len(box)

        compiled, box = compile(static=["wrong"])(f), [1.0, 2.0]
        plain = list(box)
        kept.clear()
        for x in (3.0, 4.0):
            assert compiled(box, x) == f(plain, x)
            assert box == plain
        assert kept == [3.0, 3.0, 4.0, 4.0]


def test_what_python_raises_and_a_recording_does_not_leaves_the_state_of_one_run(backend) -> None:
    def f(x):
        kept.append(x)
        return (Unseen() + x) + 1.0 / (x - x)

    kept.clear()
    assert compile(f)(3.0) == math.inf
    assert kept == [3.0]


def test_a_function_that_captures_values_is_not_compared(backend: str) -> None:
    weight = Value(2.0)

    def model(x):
        return weight * asks_type(x)

    assert compile(model)(3.0) == 8.0


def test_a_compiled_function_inside_is_run_as_plain_python(backend: str) -> None:
    inner = compile(lambda x: x * x)
    outer = compile(lambda x: inner(x) + 1.0)
    assert outer(3.0) == 10.0
    assert len(inner._store) == 0


def test_no_warning_tells_of_values_that_are_made_while_comparing(backend, recwarn) -> None:
    def adds_up(x: Any) -> Any:  # on floats, sum gives a Value and fsum takes its number
        return math.fsum([gradwalk.sum([x, 1.0]), x])

    assert compile(adds_up)(0.5) == 2.0
    assert not recwarn.list


def test_a_difference_that_no_rounding_makes_is_one(backend: str) -> None:
    assert compile(lambda x: asks_type(x) - x)(1.0) == 0.0


def test_a_last_bit_that_cancellation_makes_large_is_no_other_path(backend: str) -> None:
    def error_of_a_product(a: Any) -> Any:  # Dekker's, which is all rounding
        root = math.cbrt(a)
        high, other = 134217729.0 * root, 134217729.0 * a
        high, other = high - (high - root), other - (other - a)
        left, right = root - high, a - other
        return a / (((high * other - root * a) + high * right + left * other) + left * right)

    compiled = compile(error_of_a_product)
    assert abs(compiled(1.508)) > 1e15
    assert compiled(1.508) == pytest.approx(error_of_a_product(1.508), rel=0.5)
    assert isinstance(compile(float32=True)(error_of_a_product)(1.508), float)
