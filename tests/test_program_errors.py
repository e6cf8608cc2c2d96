"""compile(errors="python"): a call raises what the plain function raises for these arguments."""

import math
import random
from typing import Any

import pytest
from support.plain import made

import gradwalk
from gradwalk import OperandError, ProgramError, Value, compile  # noqa: A004

np = pytest.importorskip("numpy")

UNARY = (
    *("acos", "acosh", "asin", "asinh", "atan", "cos", "cosh", "erf", "erfc", "exp"),
    *("expm1", "gamma", "lgamma", "log", "log10", "log2", "sin", "sinh", "sqrt", "tan"),
    *("tanh", "floor", "ceil", "trunc", "fabs", "log1p", "degrees", "radians", "cbrt", "atanh"),
    *("isnan", "isinf", "isfinite"),
)
POINTS = (0.0, -0.0, 0.5, 1.0, -1.0, 2.0, -3.0, 1000.0, -1000.0, 1e308, math.inf, -math.inf)


def quotient(x, y):
    return x / y


def remainder(x, y):
    return x % y + x // y


def power(x, y):
    return math.pow(x, y)


def logarithm(x, y):
    return math.log(x, y)


def c_remainder(x, y):
    return math.fmod(x, y)


def exact_sum(x, y):
    return math.fsum([x, y, x])


def guarded(x, y):
    return x / y if y != 0 else math.sqrt(x)


def early(x, y):
    if x < 0:
        return y
    y = math.log(y)
    if y > 1:
        raise KeyError("too large")
    return x / y


def looked_up(x, y):
    return [1.0, 2.0, 3.0][int(x / y)]


def outcome(call, *arguments):
    """Return the number, or what is raised."""
    try:
        return float(call(*arguments))
    except Exception as error:
        return type(error)


def same(one, other) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-12, abs=1e-300, nan_ok=True)
    return one is other


def check(function, given) -> None:
    program = compile(errors="python")(function)
    for point in given:
        wanted = outcome(function, *point)
        assert same(outcome(program, *point), wanted), point
        assert same(outcome(lambda *p: program.value_and_grad(*p)[0], *point), wanted), point
        if isinstance(wanted, type):
            rows = [np.array([2.0, 2.0, x]) for x in point]
            with pytest.raises(wanted) as caught:
                program.map(*rows)
            fails = isinstance(outcome(function, *[2.0 for _ in point]), type)
            assert f"scenario {0 if fails else 2}" in caught.value.__notes__
    fine = [point for point in given if not isinstance(outcome(function, *point), type)]
    found = program.map(*np.array(fine).T).tolist()
    assert all(same(a, function(*point) * 1.0) for a, point in zip(found, fine, strict=True))


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore:the gradient of")
def test_functions_of_math_raise_where_they_raise_on_floats(name) -> None:
    function = getattr(math, name)
    check(lambda x: function(x), [(x,) for x in (*POINTS, math.nan)])  # noqa: PLW0108


@pytest.mark.parametrize(
    "function",
    [quotient, remainder, power, logarithm, c_remainder, exact_sum, guarded, early, looked_up],
    ids=lambda f: f.__name__,
)
@pytest.mark.filterwarnings("ignore:the gradient of")
def test_operators_and_branches_raise_where_python_does(function) -> None:
    rng = random.Random(function.__name__)
    given = [(rng.choice(POINTS), rng.choice(POINTS)) for _ in range(40)]
    check(function, [*given, (1.0, 0.0), (3.0, 1.0), (math.nan, 0.0), (1.0, math.nan)])


def test_by_default_numbers_follow_ieee() -> None:
    assert compile(quotient)(1.0, 0.0) == math.inf
    with pytest.raises(ZeroDivisionError):
        compile(errors="python")(quotient)(1.0, 0.0)
    with pytest.raises(OperandError, match="errors is"):
        compile(errors="loud")(quotient)


def test_functions_of_gradwalk_stay_ieee() -> None:
    program = compile(errors="python")(lambda x: gradwalk.log(x) + gradwalk.exp(-x))
    assert program(0.0) == -math.inf
    assert program.map(np.array([0.0, 1.0]))[0] == -math.inf


def test_a_captured_value_never_raises_and_is_refused() -> None:
    w = Value(0.0)
    with pytest.raises(ProgramError, match="pass them as arguments"):
        compile(errors="python")(lambda x: x / w)(1.0)


def caught(expression: str, **handlers: float) -> Any:
    """Return a function of x with a handler for each of these exceptions."""
    lines = ["def function(x):", "    try:", f"        return {expression}"]
    for kind, number in handlers.items():
        lines += [f"    except {kind}:", f"        return {number}"]
    function = made("\n".join(lines), {"math": math, "np": np, "gradwalk": gradwalk})["function"]
    function.__qualname__ = expression
    return function


DOMAIN = {"OverflowError": 5.5, "ValueError": 7.5}
DIVISION = {"ZeroDivisionError": 6.5, **DOMAIN}
IN_A_TRY = [
    caught("math.log(x)", **DOMAIN),
    caught("math.exp(x) + math.cosh(x)", **DOMAIN),
    caught("math.sin(x) * math.acosh(x)", **DOMAIN),
    caught("math.gamma(x)", **DOMAIN),
    caught("math.lgamma(x)", **DOMAIN),
    caught("math.log(x, x - 1)", **DIVISION),
    caught("math.pow(x, -0.5)", **DIVISION),
    caught("math.fmod(5.0, x)", **DIVISION),
    caught("math.fmod(x, 3.0)", **DIVISION),
    caught("math.fsum([x, 1.0, -x, x])", **DOMAIN),
    caught("math.copysign(3.0, x)", **DIVISION),
    caught("x**-2.0", **DIVISION),
    caught("x % (x - 2)", **DIVISION),
    caught("x // (x - 2)", **DIVISION),
    caught("divmod(5.0, x)[1]", **DIVISION),
    caught("math.exp(x) / x", **DIVISION),
    caught("1 / x if x > -1 else math.log(x)", **DIVISION),
    caught("sum(1 / (x - k) for k in range(3))", **DIVISION),
    caught("float(int(x))", **DOMAIN),
    caught("math.floor(x) * 1.0", **DOMAIN),
    caught("round(x) * 1.0", **DOMAIN),
    caught("[1.0, 2.0, 3.0][int(x)]", IndexError=8.5, **DOMAIN),
    caught("gradwalk.take([1.0, 2.0, 3.0], x)", IndexError=8.5, **DOMAIN),
    caught("gradwalk.log(x) + np.log(abs(x))", **DOMAIN),
    caught("np.divide(1.0, x)", **DIVISION),
]
SHUFFLED = [2.0, 1.0, 0.0, -1.0, 0.5, 800.0, -2.5, math.inf, math.nan, 1e308, -math.inf, -0.0]
SHUFFLED += [1e-309, -1e-300, 1e17]


@pytest.mark.parametrize("function", IN_A_TRY, ids=lambda f: f.__qualname__)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore:.* encountered in")
def test_a_try_catches_the_same_whatever_the_calls_before_met(function, seed: int) -> None:
    order = random.Random(seed).sample(SHUFFLED, len(SHUFFLED))
    wanted = [function(x) for x in order]
    compiled = compile(function)
    assert [compiled(x) for x in order] == pytest.approx(wanted, rel=1e-13, nan_ok=True)
    found = compile(function).map(np.array(order)).tolist()
    assert found == pytest.approx(wanted, rel=1e-13, nan_ok=True)


def test_a_captured_value_raises_nothing_in_a_try_either() -> None:
    w = Value(2.0)

    def quotient(x):
        try:
            return gradwalk.exp(w / x) * 1.0
        except (ZeroDivisionError, OverflowError):
            return 7.0

    compiled = compile(quotient)
    for x in (1.0, 0.0, 1e-3, -0.0, 3.0):
        assert compiled(x) == quotient(x).data


@pytest.mark.parametrize("other", [(2.0,), (2.0, 3.0), ()], ids=["one", "two", "none"])
def test_a_tuple_is_no_number(other, backend: str) -> None:
    with pytest.raises(
        TypeError, match=r"unsupported operand type\(s\) for \+: 'float' and 'tuple'"
    ):
        compile(lambda x: x + other)(1.0)
