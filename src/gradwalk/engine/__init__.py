"""The engine: everything above imports `Value` and its kin from here, whichever engine runs.

backends    which one that is: the C one when it is built, else the reference
reference   the specification, in plain Python (start reading here)
native      the same in C, bit for bit
nary        operations over lists: what they stand for, and their specification in Python
control     take and fori: table[i] and loops, in a form that can be recorded
steps       the loops of the optimisers, where they are in C
modes       no_grad, detect_anomaly, source_lines, scope, strict; whether a function is recorded
copying     copy, deepcopy and pickle, at any depth
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from gradwalk.engine import backends, nary
from gradwalk.engine.backends import Buffers, Value, constant, topological_order
from gradwalk.engine.control import fori, largest, take
from gradwalk.engine.modes import detect_anomaly, no_grad, scope, source_lines, strict
from gradwalk.engine.reference import CONST
from gradwalk.engine.steps import clear_grads
from gradwalk.errors import OperandError

_lists = nary if backends.name == "python" else import_module("gradwalk.engine._native")
dot, linear, sum, mean = _lists.dot, _lists.linear, _lists.sum, _lists.mean  # noqa: A001
softmax, log_softmax, logsumexp = _lists.softmax, _lists.log_softmax, _lists.logsumexp
cross_entropy, rmsnorm, layernorm = _lists.cross_entropy, _lists.rmsnorm, _lists.layernorm

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
    "fori",
    "largest",
    "layernorm",
    "linear",
    "log_softmax",
    "logsumexp",
    "mean",
    "no_grad",
    "rmsnorm",
    "scope",
    "softmax",
    "source_lines",
    "strict",
    "sum",
    "take",
    "topological_order",
    "zero_grad",
]


def backend() -> str:
    """Return the name of the engine in use."""
    return backends.name


def detach(value: Value) -> Value:
    """Return a leaf with the same data: gradients stop there."""
    return value.detach()


def zero_grad(values: Value | Iterable[Value]) -> None:
    """Set gradients to 0: of a root and all below it, or of just the Values in an iterable."""
    listed = topological_order(values) if isinstance(values, Value) else list(values)
    done = clear_grads(listed)  # pyright: ignore[reportArgumentType]  (either engine's Value)
    for value in listed[done:]:
        if not isinstance(value, Value):
            raise OperandError(f"zero_grad takes Values, not {type(value).__name__}: {value!r:.40}")
        value.grad = 0.0
