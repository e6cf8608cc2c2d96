"""Choosing by number: what stands for `table[i]`, for a loop and for `max` in code to be recorded.

On plain numbers and on Values these do what the Python they stand for does. On recorded values
(`gradwalk.program`) they become part of the program, where `table[i]` itself would fix one entry.
`where`, `maximum` and `minimum` are rows of the operation table and need nothing of this.
"""

# What a function to be recorded computes with has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from gradwalk import ops
from gradwalk.engine import modes
from gradwalk.engine.backends import Value
from gradwalk.errors import OperandError, RecordingError, TakeError


def take(table: Sequence[Any], index: Any) -> Any:
    """Return table[index], also where the index is a recorded value; of a table of rows, a row.

    The index counts from 0 and is cut to a whole number; outside the table it raises TakeError.

    >>> from gradwalk import take
    >>> take([2.0, 3.0, 5.0], 1)
    3.0
    """
    index = _lifted(index)
    recorded = getattr(type(index), "_take", None)
    if recorded is not None:
        shape = getattr(table, "shape", ())
        if len(shape) < 2:
            return recorded(index, table)
        import numpy as np  # whose array the table is

        row = recorded(index, np.reshape(table, (shape[0], -1)).tolist())
        return np.array(row, object).reshape(shape[1:])
    number = index.data if isinstance(index, Value) else index
    if type(number) is not int:
        real = ops.real(number)
        if real is None:
            raise OperandError(f"take takes a number as index, not {type(index).__name__}")
        number = int(real) if math.isfinite(real) else -1
    if not 0 <= number < len(table):
        raise TakeError(f"take: index {index!r:.40} of a table of {len(table)}")
    return table[number]


def fori(
    lower: int,
    upper: Any,
    body: Callable[[int, Any], Any],
    state: Any,
    limit: int | None = None,
) -> Any:
    """Run `state = body(i, state)` for i from `lower` to below `upper`; return the last state.

    The state is a number, or lists, tuples and dicts of them. Recorded, the body is written out for
    each i. Where `upper` itself is a recorded value, `limit` says how large it can become: what is
    at or beyond `upper` is computed and left out. `upper` is cut to a whole number; above `limit`,
    or nan, it raises TakeError.

    >>> from gradwalk import fori
    >>> fori(0, 4, lambda i, x: x * 2.0, 1.0)
    16.0
    """
    upper = _lifted(upper)
    recorded = getattr(type(upper), "_fori", None)
    if recorded is None:
        for i in range(lower, _bound(upper, limit)):
            state = body(i, state)
        return state
    if limit is None:
        raise RecordingError("fori needs limit=N where its upper bound is a recorded value")
    within = recorded(upper, limit)
    for i in range(lower, limit):
        state = _chosen(within >= i + 1, body(i, state), state)
    return state


def _bound(upper: Any, limit: int | None) -> int:
    """Return the upper bound of a loop that is run, held against its limit as a replay does."""
    number = upper.data if isinstance(upper, Value) else ops.real(upper)
    if number is None:
        raise OperandError(f"fori takes a number as upper bound, not {type(upper).__name__}")
    if limit is not None and not number <= limit:
        raise TakeError(beyond(repr(float(number)), limit))
    if not math.isfinite(number):
        raise OperandError(f"fori takes a finite number as upper bound, not {number!r}")
    return math.floor(number)


def beyond(upper: str, limit: float) -> str:
    """Say what is wrong with an upper bound."""
    return f"fori: an upper bound of {upper} is not within its limit={limit:g}"


def largest(values: Sequence[Any]) -> Any:
    """Return the largest number of some Values, as a number: no gradient goes there.

    What softmax takes away so that exp cannot overflow. Recorded, it is the whole number below the
    largest, which does as well and is as flat.
    """
    if not modes.active or modes.recorder() is None:
        return max([value.data for value in values])
    result = _lifted(values[0])
    for value in values[1:]:
        result = ops.maximum(result, value)
    return ops.floor(result)


def _lifted(thing: Any) -> Any:
    """Return a Value as a recorded value where a function is being recorded."""
    if modes.active and isinstance(thing, Value):
        recorder = modes.recorder()
        return thing if recorder is None else recorder.lift(thing)
    return thing


def _chosen(condition: Any, new: Any, old: Any) -> Any:
    if isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        if len(old) != len(new):
            raise RecordingError("the body of fori must keep the lengths of the lists in its state")
        parts = [_chosen(condition, n, o) for n, o in zip(new, old, strict=True)]
        return tuple(parts) if isinstance(old, tuple) else parts
    if isinstance(old, dict) and isinstance(new, dict):
        if old.keys() != new.keys():
            raise RecordingError("the body of fori must keep the keys of the dicts in its state")
        return {key: _chosen(condition, new[key], old[key]) for key in old}
    return ops.where(condition, new, old)
