"""A new recording is compared with plain Python, where nobody can tell that the function ran."""

import math
from dataclasses import dataclass
from typing import Any

import pytest
from support.plain import RUNS_PLAINLY

import gradwalk
from gradwalk import RecordingError, Value, compile  # noqa: A004

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
