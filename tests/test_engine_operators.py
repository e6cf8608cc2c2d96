"""Value among Python's numbers and numpy's: operators, comparisons, conversions, text."""

import math
import operator
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from support import engines
from support.alone import run
from support.bits import same

import gradwalk
from gradwalk import ops
from gradwalk.errors import GradientDroppedError, GradientDroppedWarning, OperandError

pytest_generate_tests = engines.on_every_engine

NUMBERS = [
    *(2, 2.5, True, Fraction(5, 2), np.float64(2.5), np.float32(2.5), np.int64(2), np.uint8(2)),
    np.bool_(True),
]
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow]
COMPARISONS = [
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
]


def by_type(number: object) -> str:
    kind = type(number)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def by_name(function: object) -> str:
    return function.__name__  # type: ignore[attr-defined]


# ── Arithmetic with plain numbers ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("left", [False, True], ids=["right", "left"])
@pytest.mark.parametrize("apply", ARITHMETIC, ids=by_name)
@pytest.mark.parametrize("number", NUMBERS, ids=by_type)
def test_a_number_on_either_side_is_a_value_with_that_number(Value, apply, number, left) -> None:
    a, b = Value(1.5), Value(1.5)
    one, other = ((a, number), (b, Value(float(number))))
    found, expected = (apply(*(pair[::-1] if left else pair)) for pair in (one, other))
    found.backward()
    expected.backward()
    assert type(found) is Value
    assert same((found.data, a.grad), (expected.data, b.grad))


@pytest.mark.parametrize("apply", IN_PLACE, ids=by_name)
@pytest.mark.parametrize("number", NUMBERS, ids=by_type)
def test_in_place_makes_a_new_node_and_leaves_the_old_one_alone(Value, apply, number) -> None:
    a = Value(1.5)
    b = apply(a, number)
    b.backward()
    assert b is not a
    assert (a.data, a._children) == (1.5, ())
    assert a.grad != 0.0
    assert type(apply(number, Value(1.5))) is Value


@pytest.mark.parametrize(
    ("number", "data"),
    [(10**400, math.inf), (-(10**400), -math.inf), (Fraction(-(10**400)), -math.inf)],
    ids=["int", "negative int", "Fraction"],
)
def test_a_number_beyond_the_doubles_is_an_infinity(Value, number, data: float) -> None:
    assert Value(number).data == (Value(0.0) + number).data == data


@pytest.mark.parametrize("thing", ["3", None, 1j, Decimal(1), set(), {}, object()], ids=by_type)
@pytest.mark.parametrize("apply", [*ARITHMETIC, *IN_PLACE], ids=by_name)
def test_an_unknown_type_is_a_type_error_that_names_both(Value, apply, thing) -> None:
    for operands in ((Value(1.0), thing), (thing, Value(1.0))):
        with pytest.raises(TypeError) as caught:
            apply(*operands)
        assert "Value" in str(caught.value)
        # str multiplies by itself, in its own words
        assert type(thing).__name__ in str(caught.value) or "sequence" in str(caught.value)


def test_a_class_of_ones_own_may_take_the_other_side(Value) -> None:
    class Metres:
        def __radd__(self, other: object) -> str:
            return f"{type(other).__name__} in metres"

    assert Value(1.0) + Metres() == "Value in metres"


def test_plus_sign_changes_nothing_and_abs_differentiates(Value) -> None:
    a = Value(-2.0)
    assert +a is a
    abs(a).backward()
    assert a.grad == -1.0


# ── Rows of the table as methods and functions ───────────────────────────────────────────────


@pytest.mark.parametrize("op", [op for op in ops.TABLE if op.is_method], ids=lambda op: op.name)
def test_row_is_a_method_and_a_function_with_one_result(Value, op: ops.Op) -> None:
    operands = [Value(x) for x in op.probes[0]]
    for name in (op.name, *op.aliases):
        assert getattr(operands[0], name)(*operands[1:]).data == op(*operands).data
    assert op(*operands).data == op(*op.probes[0])
    assert op.reason[1:] in getattr(Value, op.name).__doc__


def test_leaky_relu_and_its_kin_fill_in_their_defaults(Value) -> None:
    assert Value(-2.0).leaky_relu().data == -0.02
    assert Value(-2.0).leaky_relu(0.5).data == -1.0


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda v: ops.exp("3"), "exp takes a Value or a real number, not str: '3'"),
        (lambda v: v.maximum("3"), "maximum takes a Value or a real number, not str: '3'"),
        (lambda v: v.exp(1), "exp takes 1 operand, got 2"),
        (lambda v: v.maximum(), "maximum takes 2 operands, got 1"),
        (lambda v: ops.leaky_relu(), "leaky_relu takes 1 to 2 operands, got 0"),
        (lambda v: v.clip(1), "clip takes 3 operands, got 2"),
    ],
)
def test_a_wrong_operand_is_named_with_its_operation(Value, call, complaint: str) -> None:
    with pytest.raises(OperandError) as caught:
        call(Value(1.0))
    assert str(caught.value) == complaint


# ── A number among numbers ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("compare", COMPARISONS, ids=by_name)
@pytest.mark.parametrize("other", [*NUMBERS, 1.5, math.nan], ids=repr)
def test_comparison_is_by_value_with_values_and_numbers(Value, compare, other) -> None:
    expected = compare(1.5, float(other))
    assert compare(Value(1.5), Value(other)) is expected
    assert compare(Value(1.5), other) is expected
    assert bool(compare(other, Value(1.5))) is compare(float(other), 1.5)


def test_comparison_with_another_type_is_python_s_own(Value) -> None:
    assert Value(1.0) != "1"
    assert not Value(1.0) == None  # noqa: E711, SIM201
    with pytest.raises(TypeError, match="'<' not supported between instances of 'Value' and 'str'"):
        Value(1.0) < "1"  # noqa: B015


@pytest.mark.parametrize("data", [0.0, -0.0, 2.0, math.nan], ids=repr)
def test_truth_is_that_of_the_number(Value, data: float) -> None:
    assert bool(Value(data)) is bool(data)


LEAVING = {
    "float": float,
    "int": int,
    "math.exp": math.exp,
    "math.fsum": lambda value: math.fsum([value, value]),
    "complex": complex,
    "an array of floats": lambda value: np.array([value, value], dtype=float),
    "random.choices": lambda value: random.choices("ab", weights=[value, value]),
}


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
@pytest.mark.parametrize("inner", [False, True], ids=["leaf", "inner node"])
def test_a_value_that_becomes_a_plain_number_warns_at_the_users_line(Value, leave, inner) -> None:
    value = Value(2.0) * 1.0 if inner else Value(2.0)
    with pytest.warns(GradientDroppedWarning, match=r"what is computed from it has no") as caught:
        leave(value)
    assert {warning.filename for warning in caught} == {__file__}


def test_the_warning_comes_once_for_each_line(engine_name: str) -> None:
    script = """
import math, sys
from gradwalk import Value
sys.stderr = sys.stdout
for _ in range(3):
    math.exp(Value(1.0))
    math.log(Value(1.0))
"""
    printed = run(script, engine_name).splitlines()
    assert [line.split(": ")[:2] for line in printed if "Warning" in line] == [
        ["<string>:6", "GradientDroppedWarning"],
        ["<string>:7", "GradientDroppedWarning"],
    ]


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_under_strict_it_raises(Value, leave) -> None:
    with gradwalk.strict(), pytest.raises(GradientDroppedError, match=r"takes a Value out"):
        leave(Value(2.0))


def test_strict_changes_nothing_else(Value) -> None:
    a, b = Value(2.0), Value(3.0)
    with gradwalk.strict():
        root = (a * b).tanh() + gradwalk.dot([a, b], [b, a]) + a.data
        root.backward()
    assert (a.grad, b.grad) == pytest.approx((6.0, 4.0), rel=1e-3)


def test_reading_printing_and_comparing_leave_no_graph_and_are_silent(Value) -> None:
    value = Value(2.0)
    with gradwalk.strict():
        assert (value.data, value > 1, value == 2, bool(value)) == (2.0, True, True, True)
        assert (f"{value:.1f}", "%.2f|%d" % (value, value)) == ("2.0", "2.00|2")  # noqa: UP031
        assert "{:.1f}".format(value) == "2.0"  # noqa: UP032
        assert repr(value) == "Value(data=2.0, grad=0.0)"


def test_a_format_spec_formats_the_number(Value) -> None:
    assert f"{Value(math.pi):.2f} {Value(2.0):>6.1f} {Value(1.0)}" == (
        "3.14    2.0 Value(data=1.0, grad=0.0)"
    )


def test_repr_does_not_look_below_its_node(Value) -> None:
    class Untouchable(Value):
        @property
        def data(self) -> float:
            raise AssertionError("repr read the data of an input")

        @data.setter
        def data(self, number: float) -> None: ...

    root = Value(1.0, (Untouchable(2.0),), (1.0,))
    assert repr(root) == str(root) == "Value(data=1.0, grad=0.0)"


def test_detach_is_a_leaf_with_the_same_data_where_gradients_stop(Value, detach) -> None:
    a = Value(3.0)
    b = a * a
    for cut in (detach(b), b.detach()):
        assert (cut.data, cut._children, cut is b) == (9.0, (), False)
        (cut * a).backward()
    assert (a.grad, b.grad) == (18.0, 0.0)


# ── numpy ────────────────────────────────────────────────────────────────────────────────────

UFUNCS = {"absolute": ops.abs_, "negative": ops.neg}
for name in ("asin", "acos", "atan"):
    UFUNCS["arc" + name[1:]] = getattr(ops, name)
for name in "sqrt exp expm1 log log1p sin cos tan sinh cosh tanh floor".split():  # noqa: SIM905
    UFUNCS[name] = getattr(ops, name)


@pytest.mark.parametrize("name", UFUNCS)
def test_unary_ufunc_is_the_row_of_the_table_for_a_value_and_each_of_an_array(Value, name) -> None:
    ufunc, row, a, b = getattr(np, name), UFUNCS[name], Value(0.5), Value(0.5)
    out, expected = ufunc(a), row(b)
    out.backward()
    expected.backward()
    assert type(out) is Value
    assert same((out.data, a.grad), (expected.data, b.grad))
    values = [Value(0.25), Value(0.5)]
    assert [v.data for v in ufunc(np.array(values))] == [row(v).data for v in values]


def test_sign_of_a_value_by_numpy_is_the_number_as_no_gradient_passes(Value) -> None:
    assert np.sign(Value(-2.0)) == ops.sign(-2.0)


def test_a_value_against_an_array_goes_through_each_element(Value) -> None:
    a = Value(2.0)
    for array in (a * np.array([1.0, 3.0]), np.array([1.0, 3.0]) * a):
        assert [element.data for element in array] == [2.0, 6.0]
    assert (a == np.array([2.0, 3.0])).tolist() == [True, False]


def test_arrays_of_values_do_linear_algebra(Value) -> None:
    w = np.array([Value(1.0), Value(-2.0)])
    x = np.array([3.0, 4.0])
    out = (w @ x + w.sum() * w.mean()) * np.float64(2)
    out.backward()
    assert out.data == -9.0
    assert [value.grad for value in w] == [4.0, 6.0]
