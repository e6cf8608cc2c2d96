"""Chooses the engine: the C one when it is built, else the reference; GRADWALK_BACKEND decides.

Everything above imports `Value` and its kin from here and never knows which it got.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from gradwalk.engine.modes import detect_anomaly, no_grad, source_lines
from gradwalk.engine.nary import (
    cross_entropy,
    dot,
    layernorm,
    linear,
    log_softmax,
    logsumexp,
    mean,
    rmsnorm,
    softmax,
    sum,  # noqa: A004
)
from gradwalk.engine.reference import CONST, Buffers, Value, constant, topological_order
from gradwalk.errors import BackendError, OperandError

__all__ = [
    "CONST",
    "Buffers",
    "Value",
    "backend",
    "constant",
    "cross_entropy",
    "detach",
    "detect_anomaly",
    "dot",
    "layernorm",
    "linear",
    "log_softmax",
    "logsumexp",
    "mean",
    "no_grad",
    "rmsnorm",
    "softmax",
    "source_lines",
    "sum",
    "topological_order",
    "zero_grad",
]


def backend() -> str:
    """Return the name of the engine in use."""
    return "python"


def detach(value: Value) -> Value:
    """Return a leaf with the same data: gradients stop there."""
    return value.detach()


def zero_grad(values: Value | Iterable[Value]) -> None:
    """Set gradients to 0: of a root and all below it, or of just the Values in an iterable."""
    for value in topological_order(values) if isinstance(values, Value) else values:
        if not isinstance(value, Value):
            raise OperandError(f"zero_grad takes Values, not {type(value).__name__}: {value!r:.40}")
        value.grad = 0.0


_asked = os.environ.get("GRADWALK_BACKEND", "auto")
if _asked == "native":
    raise BackendError(
        "GRADWALK_BACKEND=native, but this installation has no native engine; "
        "set GRADWALK_BACKEND=python or auto"
    )
if _asked not in ("auto", "python", "native"):
    raise BackendError(f"GRADWALK_BACKEND is python, native or auto, not {_asked!r}")
