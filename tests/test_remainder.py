"""`//`, `%`, `divmod`, `item()` and `backward(gradient=)`: Python's own floats are the oracle."""

import itertools
import math

import pytest
from support import engines
from support.bits import same

import gradwalk
from gradwalk.errors import OperandError
from gradwalk.program import backends, interpreter

pytest_generate_tests = engines.on_every_engine

NUMBERS = (
    *(0.0, -0.0, 1.0, -1.0, 7.5, -7.5, 2.0, -2.0, 0.1, -0.3, 3.0, 1e16, 5e-324),
    *(1.7e308, -1.7e308, math.inf, -math.inf, math.nan),
)
PAIRS = [(x, y) for x, y in itertools.product(NUMBERS, NUMBERS) if y]


def test_floor_division_and_remainder_are_those_of_python_floats(Value) -> None:
    for x, y in PAIRS:
        found = [(Value(x) // Value(y)).data, (Value(x) % Value(y)).data]
        assert same(found, [x // y, x % y]), (x, y)
        assert same([(x // Value(y)).data, (Value(x) % y).data], [x // y, x % y]), (x, y)


def test_divmod_is_the_pair(Value) -> None:
    for found in (divmod(Value(-7.0), 2), divmod(-7, Value(2.0))):
        assert [value.data for value in found] == [-4.0, 1.0]
    with pytest.raises(TypeError):
        divmod(Value(1.0), "2")


def test_at_zero_nothing_raises(Value) -> None:
    assert same([(Value(x) // 0.0).data for x in (1.0, -1.0, 0.0)], [math.inf, -math.inf, math.nan])
    assert math.isnan((Value(1.0) % 0).data)


def test_a_remainder_hands_back_one_and_minus_the_whole_steps(Value) -> None:
    x, y = Value(-7.5), Value(2.0)
    (x % y).backward()
    assert (x.grad, y.grad) == (1.0, 4.0)  # -7.5 = -4·2 + 0.5
    (x // y).backward()
    assert (x.grad, y.grad) == (1.0, 4.0)  # nothing added


@pytest.mark.parametrize("kind", ["interpreter", "chosen"])
def test_a_compiled_function_has_the_bits_of_plain_python(kind, monkeypatch) -> None:
    if kind == "interpreter":
        monkeypatch.setattr(backends, "replay", interpreter)
    both = gradwalk.compile(lambda x, y: [x // y, x % y, 5.0 % x, x // 3])
    for x, y in PAIRS:
        if x:
            assert same(both(x, y), [x // y, x % y, 5.0 % x, x // 3]), (x, y)
    steps = gradwalk.compile(lambda x, y: (x % y) * 3.0 + x // y)
    assert steps.value_and_grad(-7.5, 2.0) == (-2.5, {"x": 3.0, "y": 12.0})


def test_a_map_has_them_too() -> None:
    np = pytest.importorskip("numpy")
    x = np.linspace(-9.0, 9.0, 37)
    value, grads = gradwalk.compile(lambda x, y: x % y).map.value_and_grad(x, np.full(37, 2.5))
    assert value.tolist() == [number % 2.5 for number in x.tolist()]
    assert grads["x"].tolist() == [1.0] * 37
    assert grads["y"].tolist() == [-(number // 2.5) for number in x.tolist()]


def test_item_is_the_number(Value) -> None:
    assert Value(3).item() == 3.0
    assert type(Value(3).item()) is float


def test_backward_starts_from_the_gradient_given(Value, Buffers) -> None:
    x = Value(3.0)
    square = x * x
    square.backward(gradient=0.5)
    assert (square.grad, x.grad) == (0.5, 3.0)
    square.backward(Buffers(), gradient=-1)
    assert (square.grad, x.grad) == (-1.0, -3.0)
    square.backward()
    assert (square.grad, x.grad) == (1.0, 3.0)


@pytest.mark.parametrize("wrong", ["1", None, 1j])
def test_a_gradient_that_is_no_number_is_refused(Value, wrong) -> None:
    x = Value(3.0)
    with pytest.raises(OperandError, match="gradient is a real number, not"):
        (x * x).backward(gradient=wrong)
    assert x.grad == 0.0


def test_backward_takes_no_other_argument(Value) -> None:
    for call in (
        lambda x: x.backward(None, 1.0),
        lambda x: x.backward(seed=1.0),
        lambda x: x.backward(None, buffers=None),
    ):
        with pytest.raises(TypeError):
            call(Value(1.0))
