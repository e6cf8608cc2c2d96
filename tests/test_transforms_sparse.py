"""Sparse Jacobians and Hessians: the entries of the dense ones, and no others."""

from itertools import pairwise

import numpy as np
import pytest

import gradwalk
from gradwalk import hessian, jacobian, ops, sparse_hessian, sparse_jacobian


def chain(x):
    """Neighbours are joined: a Jacobian of two diagonals."""
    return [gradwalk.sin(a) * b for a, b in pairwise(x)]


def valley(x):
    """Rosenbrock's function: a Hessian of three diagonals."""
    total = 0.0
    for a, b in pairwise(x):
        total = total + 100.0 * (b - a * a) ** 2 + (1.0 - a) ** 2
    return total


def mixed(x):
    """Every operation whose second derivative has a form of its own, and some that have none."""
    a, b, c, d = x
    total = a / b + a**3.5 + b**c + gradwalk.hypot(a, c) + gradwalk.atan2(a, b) + a * a * d
    for op in ops.TABLE:
        if op.arity == 1 and op.name not in ("neg", "acosh", "floor", "sign"):
            total = total + op(0.3 * a) * op(0.2 * b + 0.1)
    total = total + gradwalk.acosh(1.0 + a * a) + gradwalk.maximum(a, b) * c
    total = total + gradwalk.where(a > b, a * b, c * c) + gradwalk.clip(a, 0.0, 2.0) * b
    total = total + gradwalk.leaky_relu(-a, c) + gradwalk.dot([a, b, a], [b, c, a])
    return total + gradwalk.take([a * a, b, c], 0) + sum([a, b, c]) * d


AT = [0.9, 0.4, 1.3, -0.7]


def test_a_chain_takes_two_sweeps_whatever_its_length():
    for length in (4, 9, 30):
        at = [0.1 * i + 0.2 for i in range(length)]
        found = sparse_jacobian(chain)(at)
        assert found.colours == 2
        assert len(found.values) == 2 * (length - 1)
        for row, right in zip(found.dense(), jacobian(chain)(at), strict=True):
            assert row == pytest.approx(right, rel=1e-13)


@pytest.mark.parametrize("method", ["edges", "colours"])
def test_a_valley_has_three_diagonals(method):
    at = [0.1 * i - 0.3 for i in range(12)]
    found = sparse_hessian(valley, method=method)(at)
    assert found.colours == (3 if method == "colours" else 0)
    assert len(found.values) == 3 * 12 - 2
    for row, right in zip(found.dense(), hessian(valley)(at), strict=True):
        assert row == pytest.approx(right, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("method", ["edges", "colours"])
def test_second_derivatives_of_every_operation_are_pushed(method):
    found = sparse_hessian(mixed, method=method)(AT).dense()
    for row, right in zip(found, hessian(mixed)(AT), strict=True):
        assert row == pytest.approx(right, rel=1e-9, abs=1e-9)


def test_the_pattern_is_read_and_not_probed():
    # At 0 the entry is 0, and it is an entry all the same; a condition is none.
    found = sparse_hessian(lambda x: x[0] ** 3 + gradwalk.where(x[2] > 0.0, x[1], 2.0 * x[1]))(
        [0.0, 1.0, 1.0]
    )
    assert (found.rows, found.columns, found.values) == ([0], [0], [0.0])
    jac = sparse_jacobian(lambda x: [gradwalk.floor(x[0]) * x[1], x[0] * 0.0])([1.5, 2.0])
    assert list(zip(jac.rows, jac.columns, jac.values, strict=True)) == [(0, 1, 1.0), (1, 0, 0.0)]


@pytest.mark.parametrize("method", ["edges", "colours"])
def test_entries_are_mapped_over_rows(method):
    rows = np.array([[0.1, 0.5, -0.2], [1.0, 1.0, 1.0], [0.0, 2.0, 0.3]])
    found = gradwalk.compile(sparse_hessian(valley, method=method)).map(rows)
    for i, row in enumerate(rows.tolist()):
        one = sparse_hessian(valley, method=method)(row)
        assert np.asarray(found["values"])[i].tolist() == pytest.approx(one.values, rel=1e-13)
