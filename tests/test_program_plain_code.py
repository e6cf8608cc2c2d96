"""Ordinary scalar code records: `math`, builtins and numpy compute what plain Python computes."""

# ruff: noqa: PLW0108  (a lambda has the signature that is recorded, and a line of its own)

import math
import numbers

import pytest

import gradwalk
from gradwalk import Value, compile  # noqa: A004

np = pytest.importorskip("numpy")

POINTS = [0.7, -0.7, 2.0, -2.5, 1e-9, 0.0, -0.0, 1e300]


def same(found, wanted) -> bool:
    if isinstance(wanted, tuple | list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    wanted = float(wanted)
    if math.isnan(wanted) or wanted == 0.0 or math.isinf(wanted):
        return str(float(found)) == str(wanted)
    return found == pytest.approx(wanted, rel=1e-14)


MATH = {
    "copysign": lambda x: (math.copysign(x, -2.0), math.copysign(3.0, x), math.copysign(x, x)),
    "modf": lambda x: math.modf(x),
    "isclose": lambda x: (math.isclose(x, 0.7), math.isclose(x, 0.7 + 1e-12, abs_tol=1e-3)),
    "trunc": lambda x: float(math.trunc(x)),
    "float": lambda x: float(x) + float("1.5"),
    "max": lambda x: (max(x, 0.5), max([x, 0.5, -x]), max(v for v in (x, 0.5)), max(1, 2)),
    "min": lambda x: (min(x, 0.5), min((x, 0.5, -x)), min([x]), min(3, 2)),
    "abs and pow": lambda x: (abs(x), pow(abs(x) + 1.0, 0.5)),
    "a clamp": lambda x: max(-1.0, min(1.0, x)),
    "hypot of three": lambda x: math.hypot(x, 0.5 * x, 1.0),
}


@pytest.mark.parametrize("name", MATH)
def test_math_and_builtins_compute_what_python_computes(name: str, backend: str) -> None:
    f = MATH[name]
    program = compile(f)
    for x in POINTS:
        assert same(program(x), f(x)), x


# ── isinstance ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "kinds", [float, (int, float), numbers.Real, numbers.Number, object, str, list, (str, dict)]
)
def test_isinstance_answers_for_the_number_that_a_recorded_value_stands_for(kinds, backend) -> None:
    program = compile(lambda x: x * 2.0 if isinstance(x, kinds) else x * 3.0)
    assert program(1.5) == (3.0 if isinstance(1.5, kinds) else 4.5)


# ── numpy ────────────────────────────────────────────────────────────────────────────────────

NUMPY = {
    "where": lambda x: np.where(x > 0.5, x * 2.0, -x),
    "where of arrays": lambda x: np.where(np.greater(np.array([x, 2.0 * x]), 1.0), x, [1.0, 2.0]),
    "where by a mask": lambda x: np.where(np.array([True, False]), x, 0.5),
    "clip": lambda x: np.clip(x, -1.0, 0.5),
    "clip of an array": lambda x: np.clip(np.array([x, -x]), None, 0.25),
    "interp": lambda x: np.interp(x, [-1.0, 0.0, 2.0], [3.0, 1.0, 5.0]),
    "interp with ends": lambda x: np.interp(x, [-1.0, 0.0, 2.0], [3.0, 1.0, x], left=x, right=7.0),
    "radians": lambda x: np.radians(x) + np.deg2rad(np.array([x]))[0],
    "an array, then arithmetic": lambda x: np.array([x, 1.0, x * x]) * 2.0 + x,
    "an array of floats": lambda x: np.array([x, 1.0], dtype=float) + np.asarray([x, x]),
    "functions of arrays": lambda x: np.exp(-np.abs(np.array([x, 2.0 * x])) / 1e300),
    "sum": lambda x: np.sum(np.array([x, 1.0, 2.0])) + np.array([x, x]).sum(),
    "sum by axis": lambda x: np.sum(np.array([[x, 1.0], [2.0, x]]), axis=0),
    "dot": lambda x: np.dot([x, 2.0], [1.0, x]) + np.array([x, 1.0]).dot(np.array([x, x])),
    "matrix": lambda x: np.dot(np.array([[x, 1.0], [2.0, x]]), np.array([1.0, x])),
    "mean": lambda x: np.mean(np.array([x, 3.0])) + np.array([x, 1.0]).mean(),
    "max": lambda x: np.max(np.array([x, 0.5])) - np.array([x, 0.25]).min(),
    "maximum of arrays": lambda x: np.maximum(np.array([x, 1.0]), 0.5),
    "a ufunc of two": lambda x: np.arctan2(np.array([x, 1.0]), 2.0),
}


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_computes_what_it_computes_on_numbers(name: str, backend: str) -> None:
    f = NUMPY[name]
    program = compile(f)
    for x in (0.7, -0.7, 0.25, 2.0, -1.0, 3.5):
        found, wanted = program(x), f(x)
        assert np.shape(found) == np.shape(wanted)
        assert np.allclose(found, wanted, rtol=1e-13, atol=0.0), x


def test_sums_and_dots_of_numpy_are_one_instruction() -> None:
    text = (
        compile(lambda x: np.sum(x) + np.dot(x, x) + x.sum()).record(np.ones(4)).explain("recorded")
    )
    assert (text.count("= sum"), text.count("= dot"), text.count("= mul")) == (2, 1, 0)


def test_an_interpolation_has_the_slope_of_its_segment(backend: str) -> None:
    program = compile(lambda x, y: np.interp(x, [0.0, 1.0, 3.0], [0.0, y, 6.0]))
    value, grads = program.value_and_grad(2.0, 2.0)
    assert (value, grads) == (4.0, {"x": 2.0, "y": 0.5})
    assert program.value_and_grad(9.0, 2.0) == (6.0, {"x": 0.0, "y": 0.0})


# ── The remedies of errors are tried ─────────────────────────────────────────────────────────


def test_a_bisection_by_where_has_no_gradient_and_says_so(backend: str) -> None:
    def solve(a):
        low, high = 0.0, 10.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            above = middle * middle > a
            low, high = gradwalk.where(above, low, middle), gradwalk.where(above, middle, high)
        return 0.5 * (low + high)

    program = compile(solve)
    assert program(2.0) == pytest.approx(math.sqrt(2.0))
    with pytest.warns(gradwalk.GradientDroppedWarning, match=r"by a .*only in conditions.* Newton"):
        assert program.value_and_grad(2.0)[1] == {"a": 0.0}
    with pytest.warns(gradwalk.GradientDroppedWarning, match="solve by a"):
        compile(solve).map.value_and_grad(np.array([2.0, 3.0]), reduce="sum")
    with pytest.warns(gradwalk.GradientDroppedWarning, match="solve by a"):
        compile(solve)(Value(2.0))

    def mended(a):  # the remedy: one step of Newton behind it
        x = solve(a)
        return x - (x * x - a) / (2.0 * x)

    assert compile(mended).value_and_grad(2.0)[1]["a"] == pytest.approx(0.5 / math.sqrt(2.0))
    flag = compile(lambda x, k: gradwalk.where(k > 0, x, -x))
    assert flag.value_and_grad(1.0, 2.0)[1] == {"x": 1.0, "k": 0.0}  # a switch beside an input


def test_fmod_records_with_c_s_sign_and_bits(backend: str) -> None:
    numbers = [7.5, -7.5, 0.1, -1e8, 6.0, -6.0, -0.0, 1e-5]
    by_math, by_numpy = compile(lambda x, y: math.fmod(x, y)), compile(lambda x, y: np.fmod(x, y))
    for x in numbers:
        for y in (2.0, -3.0, 0.3, 1e-3, math.inf):
            expected = math.fmod(x, y)
            for program in (by_math, by_numpy):
                assert program(x, y).hex() == expected.hex(), (x, y)
    assert by_math.value_and_grad(-7.5, 2.0)[1] == {"x": 1.0, "y": 3.0}  # x + 3 y
