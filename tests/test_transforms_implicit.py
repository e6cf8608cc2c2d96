"""root, fixed_point, solve, stop_gradient and custom_rule: derivatives that no sweep would find."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf

import gradwalk
from gradwalk import (
    OperandError,
    RecordingError,
    Value,
    custom_rule,
    fixed_point,
    grad,
    hessian,
    jacobian,
    jvp,
    root,
    solve,
    stop_gradient,
)


def eagerly(function):
    return function


HOW = pytest.mark.parametrize("how", [eagerly, gradwalk.compile])


def kepler(mean, eccentricity):
    """The eccentric anomaly, by Kepler's equation."""
    return root(lambda x, m, e: x - e * gradwalk.sin(x) - m, mean, mean, eccentricity)


def kepler_by_bisection(mean, eccentricity):
    f = lambda x, m, e: x - e * gradwalk.sin(x) - m  # noqa: E731
    return root(f, 0.0, mean, eccentricity, bracket=(0.0, 4.0))


def kepler_by_repeating(mean, eccentricity):
    return fixed_point(lambda x, m, e: m + e * gradwalk.sin(x), mean, mean, eccentricity)


def exact_kepler(mean, eccentricity):
    return mp.findroot(lambda x: x - eccentricity * mp.sin(x) - mean, mean)


@HOW
@pytest.mark.parametrize("f", [kepler, kepler_by_bisection, kepler_by_repeating])
def test_solutions_have_derivatives_up_to_the_third(how, f):
    at = (1.1, 0.4)
    with mp.workdps(60):
        exact = [
            float(mp.diff(exact_kepler, tuple(map(mpf, at)), orders, h=mpf(10) ** -12))
            for orders in [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2)]
        ]
    derived = [f, grad(f), grad(f, 1), grad(grad(f), 1), grad(grad(grad(f), 1), 1)]
    for function, right in zip(derived, exact, strict=True):
        assert how(function)(*at) == pytest.approx(right, rel=1e-9)


def circle_and_line(a, b):
    """The point where x² + y² = a and y = b·x."""
    f = lambda p, a, b: [p[0] ** 2 + p[1] ** 2 - a, p[1] - b * p[0]]  # noqa: E731
    return root(f, [1.0, 1.0], a, b)


@HOW
def test_systems_of_equations_have_jacobians(how):
    a, b = 2.0, 0.5
    x = math.sqrt(a / (1 + b * b))
    found = how(jacobian(lambda v: circle_and_line(v[0], v[1])))([a, b])
    by_a = [x / (2 * a), b * x / (2 * a)]
    by_b = [-b * x / (1 + b * b), x - b * b * x / (1 + b * b)]
    for k in range(2):
        assert found[k] == pytest.approx([by_a[k], by_b[k]], rel=1e-10)


def on_a_circle(start, a):
    """Where a circle of radius sqrt(a) meets the diagonal, from a start that may be far away."""
    f = lambda p, a: [p[0] ** 2 + p[1] ** 2 - a, p[1] - p[0]]  # noqa: E731
    return root(f, start, a)[0]


def test_a_recorded_system_takes_the_steps_that_its_numbers_need():
    compiled = gradwalk.compile(lambda start, a: on_a_circle([start, start], a))
    for start, a in ((1.0, 2.0), (1e4, 2.0), (1e7, 8.0), (1.5, 2.0)):  # 8 steps, 16 and 30
        value, gradient = compiled.value_and_grad(start, a)
        assert value == pytest.approx(math.sqrt(a / 2), rel=1e-14)
        assert gradient["a"] == pytest.approx(0.25 / math.sqrt(a / 2), rel=1e-12)
        assert gradient["start"] == 0.0
    mapped = gradwalk.compile(lambda start, a: on_a_circle([start, start], a))
    starts = np.array([1.0, 1e4, 2.0, 1e7])
    assert mapped.map(starts, np.full(4, 2.0)).tolist() == pytest.approx([1.0] * 4, rel=1e-14)


def test_a_system_of_many_unknowns_is_recorded_as_a_loop():
    size = 20
    linear = [[1.0 / (1 + abs(i - j)) + size * (i == j) for j in range(size)] for i in range(size)]

    def solution(a):
        def f(x, a):
            sums = [gradwalk.dot(row, x) for row in linear]
            return [s + 0.1 * v**3 - b for s, v, b in zip(sums, x, a, strict=True)]

        return root(f, [0.0] * size, a)

    at = [1.0 + 0.1 * i for i in range(size)]
    compiled = gradwalk.compile(lambda a: gradwalk.dot(solution(a), at))
    value, gradient = compiled.value_and_grad(at)
    if gradwalk.backend() == "native":  # C rolls programs up
        assert compiled.program.rolled is not None
    x = np.array(solution(at))
    slopes = np.array(linear) + np.diag(0.3 * x * x)
    assert value == pytest.approx(float(x @ at), rel=1e-14)
    assert gradient["a"] == pytest.approx(np.linalg.solve(slopes.T, at).tolist(), rel=1e-12)


MATRIX = [[0.0, 2.0, 1.0], [1.0, 1.0, 0.5], [3.0, -1.0, 2.0]]
RIGHT = [1.0, -2.0, 0.5]


@HOW
def test_derivatives_of_linear_equations_agree_with_differences(how):
    weights = [1.0, 2.0, -0.5]

    def f(entries):
        rows = [entries[3 * k : 3 * k + 3] for k in range(3)]
        return gradwalk.dot(weights, solve(rows, entries[9:]))

    def numpy_gradient(entries):
        a, b = np.reshape(entries[:9], (3, 3)), np.array(entries[9:])
        back = np.linalg.solve(a.T, weights)
        return np.concatenate([-np.outer(back, np.linalg.solve(a, b)).ravel(), back])

    at = [*[x for row in MATRIX for x in row], *RIGHT]
    assert how(grad(f))(at) == pytest.approx(numpy_gradient(at).tolist())
    found = how(hessian(f))(at)
    step = 1e-6
    for i in range(12):
        above, below = [[x + s * (k == i) for k, x in enumerate(at)] for s in (step, -step)]
        column = (numpy_gradient(above) - numpy_gradient(below)) / (2 * step)
        assert [row[i] for row in found] == pytest.approx(column.tolist(), abs=1e-7)


def test_what_cannot_be_solved_is_named():
    with pytest.raises(OperandError, match="singular"):
        solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0])
    with pytest.raises(OperandError, match="square"):
        solve([[1.0, 2.0]], [1.0, 1.0])
    with pytest.raises(OperandError, match="same sign"):
        root(lambda x: x * x + 1.0, 0.0, bracket=(-1.0, 1.0))
    with pytest.raises(OperandError, match="no solution"):
        root(lambda x: x * x + 1.0, 0.7)
    with pytest.raises(OperandError, match="still moves"):
        fixed_point(lambda x: x + 1.0, 0.0, steps=10)


# ── stop_gradient ────────────────────────────────────────────────────────────────────────────


@HOW
def test_a_stopped_number_is_a_constant(how):
    assert how(grad(lambda x: x * stop_gradient(x)))(3.0) == 3.0
    assert how(grad(lambda x: stop_gradient([x, {"a": x}])[1]["a"] * x))(3.0) == 3.0
    assert how(lambda x: jvp(lambda y: stop_gradient(y) * y, (x,), (1.0,))[1])(3.0) == 3.0


def test_a_recorded_number_is_stopped_to_the_last_bit():
    stopped = gradwalk.compile(stop_gradient)
    for x in (0.0, 1.0, -1 / 3, math.pi * 1e5, 1e300, -7e-20, 2.0**52 + 1, math.inf, -math.inf):
        assert stopped(x) == x
    assert math.isnan(stopped(math.nan))
    assert abs(stopped(1e-40) - 1e-40) < 1e-36
    f = gradwalk.compile(lambda x: x * stop_gradient(x))
    assert f.value_and_grad(3.0) == (9.0, {"x": 3.0})
    single = gradwalk.compile(float32=True)(lambda x: x * stop_gradient(x))
    assert single.value_and_grad(3.0) == (9.0, {"x": 3.0})
    assert single.value_and_grad(0.0) == (0.0, {"x": 0.0})


# ── custom_rule ──────────────────────────────────────────────────────────────────────────────


def bessel(order):
    """The Bessel function J of this order: its value by mpmath, its derivative by two others."""
    return custom_rule(
        lambda x: float(mp.besselj(order, x)),
        lambda out, x: 0.5 * (bessel(order - 1)(x) - bessel(order + 1)(x)),
        name=f"J{order}",
    )


def test_a_rule_of_your_own_is_differentiated_by_its_derivative():
    for order in range(4):
        f = bessel(0)
        for _ in range(order):
            f = grad(f)
        assert f(1.7) == pytest.approx(float(mp.diff(lambda x: mp.besselj(0, x), 1.7, order)))
    x = Value(1.7)
    (bessel(0)(x) * x).backward()
    assert x.grad == pytest.approx(float(mp.diff(lambda t: mp.besselj(0, t) * t, 1.7)))


cube = custom_rule(
    lambda x, y: x**3 * y,
    lambda out, x, y: (30.0 * x * x * y, x**3),  # ten times too much: so we see which is used
    replay=lambda x, y: x * x * x * y,
    name="cube",
)


@HOW
def test_a_rule_counts_more_than_the_derivative_of_its_replay_form(how):
    assert how(cube)(2.0, 3.0) == 24.0
    assert how(grad(lambda x, y: cube(x, y) * 2.0, (0, 1)))(2.0, 3.0) == (720.0, 16.0)
    assert how(grad(grad(cube)))(2.0, 3.0) == 360.0


def test_a_rule_says_what_it_lacks():
    with pytest.raises(RecordingError, match="replay="):
        gradwalk.compile(bessel(0))(1.0)
    short = custom_rule(lambda x, y: x * y, lambda out, x, y: (y,))
    with pytest.raises(OperandError, match="1 partial derivatives for 2"):
        short(Value(1.0), 2.0)
    with pytest.raises(OperandError, match="real numbers, not str"):
        cube("a", 1.0)
