"""Problems with derivatives inside: a saddle point, and a charged particle.

Both minimise, by gradient descent, a function that itself computes derivatives. Outer and inner
derivatives are by forward or by reverse mode, so there are four variants: ff, fr, rf, rr.
"""

# What is recorded or differentiated has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradwalk import ops
from gradwalk.program import compile as compiled
from gradwalk.transforms import jvp, value_and_grad

Slopes = tuple[Any, list[Any]]  # the value and the gradient
Mode = Callable[[Callable[..., Any], Sequence[Any]], Slopes]


def _by_reverse(f: Callable[..., Any], x: Sequence[Any]) -> Slopes:
    return value_and_grad(f)(list(x))


def _by_forward(f: Callable[..., Any], x: Sequence[Any]) -> Slopes:
    units = [[1.0 if i == j else 0.0 for j in range(len(x))] for i in range(len(x))]
    pairs = [jvp(f, (list(x),), (unit,)) for unit in units]
    return pairs[0][0], [slope for _, slope in pairs]


MODES: dict[str, tuple[Mode, Mode]] = {
    "ff": (_by_forward, _by_forward),
    "fr": (_by_forward, _by_reverse),
    "rf": (_by_reverse, _by_forward),
    "rr": (_by_reverse, _by_reverse),
}


def saddle(start: Sequence[float], mode: str) -> list[float]:
    """Return x and y with min over x of max over y of x² - y², both of two coordinates."""
    outer, inner = MODES[mode]
    highest = peak(inner, start)
    x = _least(lambda x: outer(highest, x), start)
    y = _least(lambda y: outer(lambda y: _depth(x, y), y), start)
    return [*x, *y]


def peak(inner: Mode, start: Sequence[float]) -> Callable[..., Any]:
    """Return the function from x to the largest x² - y², found by descent from `start`."""
    # The inner derivative is recorded, with its mode. On Values it is differentiated once more.
    slopes = compiled(lambda x, y: inner(lambda y: _depth(x, y), y))
    return lambda x: -_depth(x, _least(lambda y: slopes(x, y), start))


def _depth(x: Sequence[Any], y: Sequence[Any]) -> Any:
    return y[0] * y[0] + y[1] * y[1] - (x[0] * x[0] + x[1] * x[1])


def particle(w: float, mode: str) -> float:
    """Return the charge's place w for which the particle crosses the axis at the origin."""
    outer, inner = MODES[mode]
    missed = crossing(inner)
    return _least(lambda x: outer(missed, x), [w])[0]


def crossing(inner: Mode) -> Callable[..., Any]:
    """Return the function from w to the square of the place where the particle crosses the axis.

    Its force is a gradient, by the mode `inner`.
    """

    def potential(x: Sequence[Any], w: Any) -> Any:
        charges = [(10.0, 10.0 - w), (10.0, 0.0)]
        return sum([1.0 / ops.hypot(x[0] - cx, x[1] - cy) for cx, cy in charges])

    slopes = compiled(lambda x, w: inner(lambda x: potential(x, w), x)[1])

    def missed(control: Sequence[Any]) -> Any:
        x: list[Any] = [0.0, 8.0]
        speed: list[Any] = [0.75, 0.0]
        step = 0.1
        while True:
            after = [a + step * b for a, b in zip(x, speed, strict=True)]
            if after[1] <= 0.0:
                break
            pairs = zip(speed, slopes(x, control[0]), strict=True)
            x, speed = after, [a - step * b for a, b in pairs]
        at = x[0] - x[1] / speed[1] * speed[0]
        return at * at

    return missed


def _least(slopes: Callable[[Sequence[Any]], Slopes], start: Sequence[Any]) -> list[Any]:
    """Return where a function is least: steps downhill, doubled after ten good ones, else halved.

    What decides is compared and not differentiated.
    """
    x: list[Any] = list(start)
    value, gradient = slopes(x)
    eta, good = 1e-5, 0
    while True:
        length = sum([_number(slope) ** 2 for slope in gradient]) ** 0.5
        if length <= 1e-5:
            return x
        if good == 10:
            eta, good = 2.0 * eta, 0
            continue
        if eta * length <= 1e-5:
            return x
        after = [a - eta * b for a, b in zip(x, gradient, strict=True)]
        value_after, gradient_after = slopes(after)
        if _number(value_after) < _number(value):
            x, value, gradient = after, value_after, gradient_after
            good += 1
        else:
            eta, good = eta / 2.0, 0


def _number(x: Any) -> float:
    return getattr(x, "data", x)
