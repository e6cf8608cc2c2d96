"""Problems of one formula: least squares, log-sum-exp, a determinant, a differential equation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradwalk import engine


def squared_residual(x: Sequence[Any], t: Any, s: Any) -> Any:
    """Half the square by which the polynomial with coefficients x misses s at t."""
    value: Any = 0.0
    for coefficient in reversed(x):
        value = value * t + coefficient
    rest = s - value
    return 0.5 * rest * rest


def log_sum_exp(x: Sequence[Any]) -> Any:
    """log Σ exp(x), with the largest taken out so that nothing overflows."""
    return engine.logsumexp(x)


def determinant(entries: Sequence[Any], size: int) -> Any:
    """The determinant of a square matrix, given row by row, by expansion along the first row."""

    def minor(row: int, columns: tuple[int, ...]) -> Any:
        if not columns:
            return 1.0
        total: Any = 0.0
        for k, column in enumerate(columns):
            term = entries[row * size + column] * minor(row + 1, columns[:k] + columns[k + 1 :])
            total = total - term if k % 2 else total + term
        return total

    return minor(0, tuple(range(size)))


def runge_kutta(x: Sequence[Any], steps: int) -> list[Any]:
    """The solution at time 2 of y₀' = x₀, yᵢ' = xᵢ·yᵢ₋₁ from y = 0, by so many steps of order 4."""
    h = 2.0 / steps
    y: list[Any] = [0.0] * len(x)

    def slope(at: list[Any]) -> list[Any]:
        return [x[0], *[a * b for a, b in zip(x[1:], at[:-1], strict=True)]]

    def moved(by: float, along: list[Any]) -> list[Any]:
        return [a + by * b for a, b in zip(y, along, strict=True)]

    for _ in range(steps):
        one = slope(y)
        two = slope(moved(h / 2.0, one))
        three = slope(moved(h / 2.0, two))
        four = slope(moved(h, three))
        y = [
            v + (a + 2.0 * b + 2.0 * c + d) * (h / 6.0)
            for v, a, b, c, d in zip(y, one, two, three, four, strict=True)
        ]
    return y
