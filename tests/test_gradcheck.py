"""gradcheck and gradgradcheck: derivatives by a way that shares no code."""

import pytest

import gradwalk
from gradwalk import OperandError, Value, custom_rule, gradcheck, gradgradcheck, ops


def test_a_right_gradient_passes_and_the_report_has_a_row_for_each_input():
    check = gradcheck(lambda a, b: (a * b).tanh() + a.exp(), 0.5, -1.5)
    assert check
    assert [leaf.name for leaf in check.leaves] == ["a", "b"]
    assert check.leaves[0].gradient == pytest.approx(check.leaves[0].difference, abs=1e-6)


@pytest.mark.parametrize("name", ["exp", "log", "sin", "tanh", "sqrt", "sigmoid", "gelu"])
def test_it_catches_a_wrong_rule(name):
    row = ops.BY_NAME[name]
    right = row.partials[0]

    def check(factor: float):
        # A row of its own, which every engine reads: the C engine has the table's rows built in.
        copy = ops.Op(
            f"a_{name}",
            "x",
            row.value,
            (lambda out, x: right(out, x) * factor,),
            row.formulas,
            row.reason,
            probes=row.probes,
        )
        return gradcheck(lambda x: x * copy(x), 0.7)

    assert check(1.0)
    assert not check(1.001)
    assert check(1.001).leaves[0].error > 1e-5


def test_a_kink_is_named_and_any_slope_between_its_sides_is_right():
    (row,) = gradcheck(lambda x: x.relu(), 0.0).leaves
    assert (row.kink, row.ok, row.left, row.right) == (True, True, 0.0, 1.0)
    (row,) = gradcheck(lambda x: x.relu(), 1.0).leaves
    assert not row.kink


def test_strong_bending_is_not_taken_for_a_kink():
    (row,) = gradcheck(lambda x: (x * 30).sin(), 0.3).leaves
    assert (row.kink, row.ok) == (False, True)


def test_the_step_and_the_tolerance_are_the_callers():
    coarse = gradcheck(lambda x: x.exp(), 1.0, step=0.1)
    assert not coarse
    assert coarse.step == 0.1
    assert gradcheck(lambda x: x.exp(), 1.0, step=0.1, tolerance=0.01)
    with pytest.raises(OperandError, match="takes a function and its arguments, not Value"):
        gradcheck(Value(1.0))  # pyright: ignore[reportArgumentType]
    with pytest.raises(OperandError, match="step is a positive number"):
        gradcheck(lambda x: x, 1.0, step=0.0)
    with pytest.raises(OperandError, match=r"lost in rounding at x = 1\.0: take a larger one"):
        gradcheck(lambda x: x, 1.0, step=1e-18)


def test_a_function_that_gives_no_value_is_an_error():
    with pytest.raises(OperandError, match="returns a Value, not 3"):
        gradcheck(lambda x: 3, 1.0)


def test_second_and_third_derivatives_are_checked():
    f = lambda a, b: (a * b).tanh() + a.exp() * b**2.0  # noqa: E731
    report = gradgradcheck(f, 0.5, -1.5)
    assert report.ok
    assert [leaf.name for leaf in report.leaves] == ["d2/da da", "d2/da db", "d2/db da", "d2/db db"]
    assert gradgradcheck(f, 0.5, -1.5, order=3).ok
    with pytest.raises(OperandError, match="order"):
        gradgradcheck(f, 0.5, -1.5, order=1)


def test_a_wrong_second_derivative_is_caught_where_the_first_is_right():
    slope = custom_rule(lambda x: 3.0 * x * x, lambda out, x: 7.0 * x)  # it is 6 x
    cube = custom_rule(lambda x: x**3, lambda out, x: slope(x))
    assert gradwalk.gradcheck(cube, 2.0).ok
    report = gradgradcheck(cube, 2.0)
    assert not report.ok
    assert report.leaves[0].gradient == pytest.approx(14.0)
