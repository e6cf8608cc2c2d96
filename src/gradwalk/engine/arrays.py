"""numpy's functions on Values: `np.where(v > 0, v, 0)`, `np.clip(v, 0, 1)`, `np.radians(v)`.

numpy asks a Value that it meets as an argument: `call` for functions, `call_ufunc` for those that
go entry by entry. Most work on Values as they are. The tables below have those that numpy would
compute on floats, or not at all. Arrays of Values come here only with a Value beside them.
"""

# Values and arrays have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownLambdaType=false

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from typing import Any

from gradwalk import ops


def call(self: Any, function: Any, types: Any, args: Any, named: Any) -> Any:
    """Return what a function of numpy's gives; the `__array_function__` of a Value."""
    form = _FUNCTIONS.get(function.__name__)
    numbers = args[:1] if form is _interp else args
    if form is not None and not any(getattr(x, "ndim", 0) for x in numbers):
        return form(*args, **named)
    return function._implementation(*args, **named)


def call_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Return what a ufunc gives, entry by entry; the `__array_ufunc__` of a Value."""
    import numpy as np

    form = _UFUNCS.get(ufunc.__name__)
    if form is not None and method == "__call__" and not options:
        ufunc = np.frompyfunc(form, len(inputs), 2 if form is _modf else 1)
    boxed = [_boxed(np, x) if hasattr(type(x), "_apply") else x for x in inputs]
    return getattr(ufunc, method)(*boxed, **options)


def _boxed(np: Any, value: Any) -> Any:
    box = np.empty((), object)
    box[()] = value
    return box


def _number(x: Any) -> float:
    return x.data if hasattr(type(x), "_apply") else x


def _where(condition: Any, x: Any, y: Any) -> Any:
    return ops.where(bool(condition), x, y)


def _clip(a: Any, a_min: Any = None, a_max: Any = None, **named: Any) -> Any:
    low, high = named.pop("min", a_min), named.pop("max", a_max)
    if named:
        raise TypeError(f"np.clip of a Value takes no {min(named)}=")
    low, high = [-math.inf if low is None else low, math.inf if high is None else high]
    return ops.clip(a, low, high)


def _interp(
    x: Any, xp: Sequence[float], fp: Sequence[Any], left: Any = None, right: Any = None
) -> Any:
    """Return the piecewise straight line through the points, as numpy computes it."""
    if len(xp) != len(fp) or not len(xp):
        raise ValueError("np.interp takes as many xp as fp, at least one")
    at = _number(x)
    if at != at:
        return x * 1.0
    if at < xp[0]:
        return x * 0.0 + (fp[0] if left is None else left)
    if at >= xp[-1]:
        return x * 0.0 + (fp[-1] if right is None or at == xp[-1] else right)
    k = bisect.bisect_right(xp, at) - 1
    return (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k]) * (x - xp[k]) + fp[k]


def _copysign(x: Any, y: Any) -> Any:
    return ops.abs_(x) * math.copysign(1.0, _number(y))


def _truncated(x: Any) -> Any:
    return ops.floor(x) if _number(x) >= 0.0 else -ops.floor(-x)


def _fmod(x: Any, y: Any) -> Any:
    return _copysign(ops.mod(ops.abs_(x), ops.abs_(y)), x)


def _modf(x: Any) -> tuple[Any, Any]:
    whole = _truncated(x)
    return _copysign(x - whole, x), whole


_FUNCTIONS: dict[str, Callable[..., Any]] = {"where": _where, "clip": _clip, "interp": _interp}

_UFUNCS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("radians", "deg2rad"), lambda x: x * (math.pi / 180.0)),
    **dict.fromkeys(("degrees", "rad2deg"), lambda x: x * (180.0 / math.pi)),
    "clip": ops.clip,
    "copysign": _copysign,
    "fmod": _fmod,
    "modf": _modf,
    "trunc": _truncated,
    "ceil": lambda x: -ops.floor(-x),
    "floor": ops.floor,
    "sign": ops.sign,
    "isnan": lambda x: math.isnan(_number(x)),
    "isinf": lambda x: math.isinf(_number(x)),
    "isfinite": lambda x: math.isfinite(_number(x)),
}
