"""grad, vjp, jvp, jacobian, hessian: nested, on every structure, eager and recorded."""

import itertools
import math
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from mpmath import mp, mpf
from support.exact import EXACT

import gradwalk
from gradwalk import (
    BackwardError,
    OperandError,
    Value,
    grad,
    hessian,
    hessian_diagonal,
    hvp,
    jacobian,
    jvp,
    ops,
    value_and_grad,
    value_and_hessian,
    value_and_jacobian,
    vjp,
)


def eagerly(function):
    return function


HOW = pytest.mark.parametrize("how", [eagerly, gradwalk.compile])


# ── Nesting ──────────────────────────────────────────────────────────────────────────────────


def by_grad(f, x):
    return grad(f)(x)


def by_jvp(f, x):
    return jvp(f, (x,), (1.0,))[1]


def by_vjp(f, x):
    return vjp(f, x)[1](1.0)[0]


def by_jacobian(f, x):
    return jacobian(f)(x)


MODES = [by_grad, by_jvp, by_vjp, by_jacobian]


@HOW
@pytest.mark.parametrize("outer", MODES)
@pytest.mark.parametrize("inner", MODES)
def test_an_inner_derivative_takes_an_outer_variable_for_a_constant(how, outer, inner):
    assert how(lambda at: outer(lambda x: x * inner(lambda y: x + y, 1.0), at))(1.0) == 1.0
    assert how(lambda at: outer(lambda x: x * inner(lambda y: x * y, x), at))(3.0) == 6.0


@HOW
def test_the_derivative_of_the_derivative_to_any_depth(how):
    def derived(depth):
        f = lambda x: gradwalk.sin(2.0 * x)  # noqa: E731
        for i in range(depth):
            f = grad(f) if i % 2 else partial(by_jvp, f)
        return how(f)(0.3)

    for depth in range(1, 7):
        exact = mp.diff(lambda x: mp.sin(2 * x), mpf(0.3), depth)
        assert derived(depth) == pytest.approx(float(exact), rel=1e-12)


def test_an_inner_gradient_does_not_walk_over_the_rounds_before_it(monkeypatch):
    # Quadratic work would be some 200 times as many steps.
    from gradwalk import sweeps

    steps = []
    plain = sweeps.of_values

    def counting(*args: Any, **named: Any) -> Any:
        trace = plain(*args, **named)
        steps.append(len(trace.steps))
        return trace

    seen = []
    original = gradwalk.transforms.functional.Point._recent

    def watched(self: Any, root: Any) -> Any:
        order = original(self, root)
        seen.append(len(order))
        return order

    monkeypatch.setattr(sweeps, "of_values", counting)
    monkeypatch.setattr(gradwalk.transforms.functional.Point, "_recent", watched)

    def loop(x):
        y = x
        for _ in range(100):
            y = y - 0.1 * grad(lambda z: (z - x) ** 2)(y)
        return y

    grad(loop)(0.5)
    assert len(seen) == 100
    assert max(seen[1:]) < 40


# ── backward(create_graph=True) ──────────────────────────────────────────────────────────────


def test_backward_gives_gradients_that_can_be_walked_back():
    x, y = Value(2.0), Value(3.0)
    gradients = (x**3 * y).backward(create_graph=True)
    assert {leaf.data: gradient.data for leaf, gradient in gradients.items()} == {2.0: 36.0, 3.0: 8}
    assert (x.grad, y.grad) == (36.0, 8.0)
    x.grad = y.grad = 0.0
    gradients[x].backward()
    assert (x.grad, y.grad) == (36.0, 12.0)


def test_numbers_written_by_hand_have_no_second_derivative():
    def double(x):
        return Value(2.0 * x.data, (x,), (2.0,))

    assert grad(double)(3.0) == 2.0
    with pytest.raises(BackwardError, match="custom_rule"):
        grad(grad(double))(3.0)


# ── Second and third derivatives of every operation ──────────────────────────────────────────


def partial_of(f, orders):
    """Return the function that takes the derivative of these orders by each argument."""
    for place, order in enumerate(orders):
        for _ in range(order):
            f = grad(f, place)
    return f


@HOW
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("name", [op.name for op in ops.TABLE])
def test_derivatives_of_every_operation_agree_with_mpmath(how, order, name):
    row = ops.BY_NAME[name]
    for orders in itertools.product(range(order + 1), repeat=row.arity):
        if sum(orders) != order or (name == "where" and orders[0]):  # a condition is a jump
            continue
        derived = how(partial_of(row, orders))
        for probe in row.probes:
            if max(map(abs, probe)) > 1e100:
                continue
            with mp.workdps(120):
                exact = float(mp.diff(EXACT[name], probe, orders, h=mpf(10) ** -25))
            size = max(abs(exact), 1e-13 * max(1.0, abs(row.value(*probe))))
            assert abs(derived(*probe) - exact) <= 1e-10 * size + 1e-14, (probe, orders)


LISTS = {
    "dot": lambda x: gradwalk.dot(x, [x[1], x[0], 3.0]),
    "sum": lambda x: gradwalk.sum([x[0] * x[1], x[2], x[1]]),
    "mean": lambda x: gradwalk.mean([x[0] * x[1], x[2], x[1]]),
    "softmax": lambda x: gradwalk.softmax(x)[1],
    "log_softmax": lambda x: gradwalk.log_softmax(x)[2],
    "logsumexp": gradwalk.logsumexp,
    "cross_entropy": lambda x: gradwalk.cross_entropy(x, 1),
    "rmsnorm": lambda x: gradwalk.rmsnorm(x)[0],
    "layernorm": lambda x: gradwalk.layernorm(x)[2],
}


@HOW
@pytest.mark.parametrize("name", LISTS)
def test_hessians_of_operations_over_lists_agree_with_differences(how, name):
    at, step = [0.3, -1.2, 0.8], 1e-4
    slopes = grad(LISTS[name])
    found = how(hessian(LISTS[name]))(at)
    for i in range(3):
        above, below = [[x + s * (k == i) for k, x in enumerate(at)] for s in (step, -step)]
        pairs = zip(slopes(above), slopes(below), strict=True)
        for k, (up, down) in enumerate(pairs):
            assert found[k][i] == pytest.approx((up - down) / (2 * step), abs=1e-7)


# ── Structures ───────────────────────────────────────────────────────────────────────────────


@dataclass
class Model:
    rate: float
    curve: list[float]
    name: str = "flat"


class Pair(NamedTuple):
    x: float
    y: float


def of_model(m):
    return m.rate * m.curve[0] * m.curve[0] + gradwalk.exp(m.curve[1])


@HOW
def test_a_gradient_has_the_structure_of_its_argument(how):
    assert how(grad(lambda x: x[0][0] * x[1][0]))([[2.0], (3.0,)]) == [[3.0], (2.0,)]
    by_name = how(grad(lambda d: d["a"] * d["b"][0]))
    assert by_name({"a": 2.0, "b": [3.0]}) == {"a": 3.0, "b": [2.0]}
    assert how(grad(lambda p: p.x * p.y))(Pair(2.0, 3.0)) == Pair(3.0, 2.0)
    found = how(grad(of_model))(Model(2.0, [3.0, 0.0]))
    assert (found.rate, found.curve, found.name) == (9.0, [12.0, 1.0], "flat")
    of_array = how(grad(lambda x: np.sum(x**2)))(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert np.array_equal(of_array, [[2.0, 4.0], [6.0, 8.0]])
    assert of_array.dtype == np.float64


@HOW
def test_arguments_are_chosen_by_place_and_by_name(how):
    f = lambda x, y, scale=1.0: x * y * y * scale  # noqa: E731
    assert how(grad(f, 1))(2.0, 3.0) == 12.0
    assert how(grad(f, (0, 1)))(2.0, 3.0) == (9.0, 12.0)
    assert how(grad(f, "y"))(2.0, 3.0) == 12.0
    assert grad(f, "scale")(2.0, 3.0, scale=2.0) == 18.0
    assert how(value_and_grad(lambda x, y: x * y * y, -1))(2.0, 3.0) == (18.0, 12.0)


@HOW
def test_a_jacobian_has_a_row_for_each_result(how):
    f = lambda x: {"a": x[0] * x[1], "b": [x[2], 4.0]}  # noqa: E731
    rows = {"a": [3.0, 2.0, 0.0], "b": [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]}
    for mode in (None, "forward", "reverse"):
        assert how(jacobian(f, mode=mode))([2.0, 3.0, 5.0]) == rows
    value, found = how(value_and_jacobian(f))([2.0, 3.0, 5.0])
    assert (value, found) == ({"a": 6.0, "b": [5.0, 4.0]}, rows)


def valley(x):
    return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] * x[0]) ** 2


VALLEY = [[1200.0 * 1.44 - 400.0 * 0.5 + 2.0, -480.0], [-480.0, 200.0]]


@HOW
def test_second_derivatives_of_a_valley(how):
    at = [1.2, 0.5]
    full = how(hessian(valley))(at)
    assert full == [pytest.approx(row, rel=1e-13) for row in VALLEY]
    value, slopes, again = how(value_and_hessian(valley))(at)
    assert again == full
    assert value == pytest.approx(valley(at))
    assert slopes == pytest.approx(grad(valley)(at))
    assert how(hessian_diagonal(valley))(at) == [full[0][0], full[1][1]]
    (product,) = how(lambda x, v: hvp(valley, (x,), (v,)))(at, [2.0, -1.0])
    assert product == pytest.approx([2.0 * row[0] - row[1] for row in VALLEY])


def entropy(p):
    return -p * gradwalk.log(p) - (1.0 - p) * gradwalk.log(1.0 - p) if 0.0 < p < 1.0 else 0.0


def cardano(q):
    """The largest or only root of y³ - 3y + q."""
    inside = 0.25 * q * q - 1.0
    if inside >= 0.0:
        root = gradwalk.sqrt(inside)
        return gradwalk.cbrt(root - 0.5 * q) + gradwalk.cbrt(-0.5 * q - root)
    return 2.0 * gradwalk.cos(gradwalk.acos(-0.5 * q) / 3.0)


def clamped_angle(x):
    return gradwalk.acos(-1.0 if x < -1.0 else 1.0 if x > 1.0 else x)


def guarded_quotient(x):
    return gradwalk.where(x > 0.0, x * x, (x / x) / (x * x))


def from_zero(x):
    return (x - 1.0) * gradwalk.exp(x)


def of_cardano(q):
    y = cardano(q)
    slope = -1.0 / (3.0 * y * y - 3.0)
    return slope, 6.0 * y * slope**3


# A side that is not taken has infinite or missing slopes here. The last has a gradient that is 0 at
# 1.0 and changes there: what it passes on is 0, and its derivative is not.
@pytest.mark.parametrize(
    ("function", "point", "slope", "curvature"),
    [
        (entropy, 0.0, 0.0, 0.0),
        (entropy, 1.0, 0.0, 0.0),
        (entropy, 0.3, math.log(0.7 / 0.3), -1.0 / 0.21),
        (cardano, 1.0, *of_cardano(1.0)),
        (cardano, 4.0, *of_cardano(4.0)),
        (clamped_angle, 2.0, 0.0, 0.0),
        (clamped_angle, -3.0, 0.0, 0.0),
        (clamped_angle, 0.5, -(0.75**-0.5), -0.5 * 0.75**-1.5),
        (guarded_quotient, 3.0, 6.0, 2.0),
        (from_zero, 1.0, math.e, 2.0 * math.e),
    ],
)
def test_a_gradient_of_0_passes_nothing_on(function, point, slope, curvature, backend):
    first, second = pytest.approx(slope, rel=1e-12), pytest.approx(curvature, rel=1e-12)
    slopes = [grad(function), lambda x: jvp(function, (x,), (1.0,))[1]]
    curvatures = [
        *[grad(grad(function)), hessian(function), hessian_diagonal(function)],
        *[lambda x: hvp(function, (x,), (1.0,))[0], lambda x: jvp(grad(function), (x,), (1.0,))[1]],
    ]
    for derivatives, wanted in ((slopes, first), (curvatures, second)):
        for derivative in derivatives:
            assert derivative(point) == wanted
            program = gradwalk.compile(derivative)
            assert program(point) == wanted
            assert program.map(np.array([point, 0.4, point]))[2] == wanted
    program = gradwalk.compile(lambda x: grad(function)(x) * 3.0 + function(x))
    rows = np.array([point, point])
    for found in (
        program.value_and_grad(point)[1]["x"],
        program.map.value_and_grad(rows)[1]["x"][1],
    ):
        assert found == pytest.approx(3.0 * curvature + slope, rel=1e-12)
    shared = gradwalk.compile(lambda x, row: grad(function)(x) * row)
    total = shared.map.value_and_grad(point, np.array([1.0, 2.0]), reduce="sum")[1]["x"]
    assert total == pytest.approx(3.0 * curvature, rel=1e-12)


@pytest.mark.parametrize(
    ("transform", "recordings"),
    [(grad, 1), (gradwalk.value_and_grad, 1), (gradwalk.jacobian, 1), (gradwalk.hessian, 2)],
)
def test_first_derivatives_of_a_compiled_function_are_by_its_own_adjoint(
    transform, recordings: int, monkeypatch
) -> None:
    """Only a second derivative records something more: the gradient."""
    from gradwalk.program.recordings import Recordings

    made, record = [], Recordings._record
    monkeypatch.setattr(
        Recordings, "_record", lambda *args, **named: made.append(args) or record(*args, **named)
    )
    function = lambda x: math.exp(x[0]) * x[1] + math.sin(x[0] * x[1])  # noqa: E731
    derived = transform(gradwalk.compile(function).record([0.5, 2.0]))
    found = [derived([0.5, 2.0]), derived([0.25, 2.0])]
    assert len(made) == recordings
    plain = transform(lambda x: gradwalk.exp(x[0]) * x[1] + gradwalk.sin(x[0] * x[1]))
    for got, x in zip(found, ([0.5, 2.0], [0.25, 2.0]), strict=True):
        np.testing.assert_allclose(np.hstack(got), np.hstack(plain(x)), rtol=1e-13)


# ── Modes, cost and errors ───────────────────────────────────────────────────────────────────


def test_a_recorded_rule_chooses_at_replay_and_not_when_recorded():
    f = gradwalk.compile(grad(lambda x: gradwalk.relu(x) * 3.0 + gradwalk.maximum(x, 1.0)))
    assert [f(x) for x in (-2.0, 0.5, 1.0, 2.0)] == [0.0, 3.0, 3.5, 4.0]
    power = gradwalk.compile(grad(lambda x, y: x**y, (0, 1)))
    assert power(0.0, 0.0) == (0.0, 0.0)
    assert power(0.0, 2.0) == (0.0, 0.0)
    assert power(2.0, 3.0) == (12.0, pytest.approx(8.0 * math.log(2.0)))
    table = gradwalk.compile(grad(lambda t, i: gradwalk.take(t, i) ** 2))
    assert table([1.0, 2.0, 3.0], 2) == [0.0, 0.0, 6.0]
    along = gradwalk.compile(lambda t, i: jvp(lambda t: gradwalk.take(t, i) ** 2, (t,), (t,))[1])
    assert along([1.0, 2.0, 3.0], 1) == 8.0


def test_what_is_wrong_is_named():
    with pytest.raises(OperandError, match="returns one number"):
        grad(lambda x: [x, x])(1.0)
    with pytest.raises(OperandError, match="no argument 1"):
        grad(lambda x: x, 1)(1.0)
    with pytest.raises(OperandError, match="without the argument 'z'"):
        grad(lambda x: x, "z")(1.0)
    with pytest.raises(OperandError, match="structure of its primals"):
        jvp(lambda x: x[0], ([1.0, 2.0],), ([1.0],))
    with pytest.raises(OperandError, match="structure of its result"):
        vjp(lambda x: [x, x], 1.0)[1](1.0)
    with pytest.raises(OperandError, match="mode is"):
        jacobian(lambda x: x, mode="both")
    with pytest.raises(OperandError, match=r"not 3.0; the point comes after: grad\(f\)"):
        grad(lambda x: x, 3.0)(1.0)


# ── Of compiled functions ────────────────────────────────────────────────────────────────────


def test_a_compiled_function_is_differentiated_by_its_own_programs(monkeypatch, capsys):
    def weighed(x, weight):
        print("run")  # not a list, which would be seen to change
        return (x * x * x).sum() * weight if hasattr(x, "sum") else x[0] * x[1] ** 2 * weight

    program = gradwalk.compile(weighed)
    rows, entries = np.array([2.0, 3.0]), [2.0, 3.0]
    for at, value, slopes in ((entries, 36.0, [18.0, 24.0]), (rows, 70.0, [24.0, 54.0])):
        found, gradient = value_and_grad(program)(at, 2.0)
        assert (type(found), type(gradient)) == (float, type(at))  # as scipy's minimize wants it
        assert (found, list(gradient)) == (value, slopes)
        assert program.value_and_grad(at, 2.0, wrt="x") == (value, {"x": pytest.approx(slopes)})
        assert list(grad(program, "x")(at, weight=2.0)) == slopes
        assert grad(program, (1, 0))(at, 2.0)[0] == value / 2.0
    assert len(program._store) == 2  # x + x is not the same of a list and of an array
    wanted = [[0.0, 12.0], [12.0, 8.0]]
    assert hessian(program)(entries, 2.0) == jacobian(grad(program))(entries, 2.0) == wanted
    assert value_and_hessian(program)(entries, 2.0)[2] == wanted
    capsys.readouterr()
    monkeypatch.setattr(gradwalk.sweeps, "recorded_partials", None)
    assert hessian(program)(entries, 2.0) == wanted
    assert grad(program)(entries, 3.0) == [27.0, 36.0]
    assert capsys.readouterr().out == ""
    assert len(program._store) == 2


def test_what_a_compiled_function_cannot_do_by_itself_is_done_in_general():
    @dataclass
    class Pair:
        x: float
        y: Any

    program = gradwalk.compile(lambda pair: pair.x * pair.y["z"] ** 2)
    assert grad(program)(Pair(2.0, {"z": 3.0})) == Pair(9.0, {"z": 12.0})
    w = Value(3.0)
    kept = gradwalk.compile(lambda x: x * x * w)
    slope = grad(kept)(2.0)
    slope.backward()
    assert (slope.data, w.grad) == (12.0, 4.0)
    x = Value(2.0)
    assert grad(program)(Pair(x, {"z": 3.0})).x.data == 9.0
    with pytest.raises(OperandError, match="one number"):
        grad(gradwalk.compile(lambda x: [x, x]))(1.0)
    entries = np.array([Value(2.0), Value(3.0)], dtype=object)
    assert gradwalk.compile(lambda x: (x + x)[1])(entries).data == 6.0
