"""Operations over lists: dot, sum, softmax and their kin, each result one node.

A result's inputs are all the Values of the list; its local gradients are the row of the Jacobian
that belongs to it. Parameters (the class of cross_entropy, which element of a softmax, epsilon)
stand behind the inputs as constants, so that a graph holds all there is to know.

`TABLE` says for each what it stands for, written out in scalar operations. Graphs unfold a node by
it; dot, sum and linear agree with it bit for bit, the rest to rounding.

The functions here run on the reference engine and are the specification of native/nary.c, which
takes their place on the native one. The sums run from left to right from 0.0, as Python's do: the C
repeats them in that order, to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, SupportsFloat, TypeVar

from gradwalk import ops
from gradwalk.engine import backends, modes
from gradwalk.engine.backends import Value, constant, record
from gradwalk.errors import OperandError

Number = Value | SupportsFloat

_add = sum  # the builtin: this module's own sum makes nodes

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


def _recordable(function: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Hand the call to the recording where a function is being recorded (`gradwalk.program`)."""

    @wraps(function)
    def call(*operands: _Given.args, **named: _Given.kwargs) -> _Made:
        if modes.active:
            recorder = modes.recorder()
            if recorder is not None:
                return recorder.nary(function.__name__, *operands, **named)
        return function(*operands, **named)

    return call


@_recordable
def dot(w: Sequence[Number], x: Sequence[Number]) -> Value:
    """Return w₀x₀ + w₁x₁ + … as one node.

    >>> from gradwalk import Value, dot
    >>> w = [Value(1.0), Value(2.0)]
    >>> y = dot(w, [3.0, 4.0])
    >>> y.backward()
    >>> y.data, [v.grad for v in w]
    (11.0, [3.0, 4.0])
    """
    if len(w) != len(x):
        raise OperandError(f"dot takes two lists of one length, not {len(w)} and {len(x)}")
    # Interleaved, as the written-out products have them: the sort then visits in the same order.
    inputs = _inputs("dot", [operand for pair in zip(w, x, strict=True) for operand in pair])
    total = 0.0
    local_grads: list[float] = []
    for left, right in zip(inputs[::2], inputs[1::2], strict=True):
        total += left.data * right.data
        local_grads += (right.data, left.data)
    return record(total, "dot", inputs, local_grads)


@_recordable
def linear(
    W: Sequence[Sequence[Number]],  # noqa: N803  (a matrix)
    x: Sequence[Number],
    b: Sequence[Number] | None = None,
) -> list[Value]:
    """Return W·x, or W·x + b: one dot for each row of W."""
    rows = [dot(row, x) for row in W]
    if b is None:
        return rows
    if len(b) != len(rows):
        raise OperandError(f"linear takes a bias for each row: {len(rows)}, not {len(b)}")
    return [row + bias for row, bias in zip(rows, b, strict=True)]


@_recordable
def sum(x: Iterable[Number]) -> Value:  # noqa: A001
    """Return x₀ + x₁ + … as one node."""
    inputs = _inputs("sum", x)
    return record(_total([v.data for v in inputs]), "sum", inputs, [1.0] * len(inputs))


@_recordable
def mean(x: Iterable[Number]) -> Value:
    """Return the mean as one node."""
    inputs = _some("mean", x)
    share = ops.pow_.value(float(len(inputs)), -1.0)
    total = _total([v.data for v in inputs])
    return record(total * share, "mean", inputs, [share] * len(inputs))


@_recordable
def logsumexp(x: Iterable[Number]) -> Value:
    """Return log(exp(x₀) + exp(x₁) + …) as one node, without overflow."""
    inputs = _some("logsumexp", x)
    numbers = [v.data for v in inputs]
    out, shares = _shares(numbers)
    if math.isinf(largest := _largest(numbers)):  # no share is known, but the value is
        out, shares = largest, [math.nan if n == largest else 0.0 for n in numbers]
    return record(out, "logsumexp", inputs, shares)


@_recordable
def softmax(x: Iterable[Number]) -> list[Value]:
    """Return exp(xᵢ) / Σ exp(xⱼ), one node for each i."""
    inputs = _some("softmax", x)
    _, shares = _shares([v.data for v in inputs])
    return [
        record(
            share,
            "softmax",
            [*inputs, _parameter(i)],
            [*[share * ((i == j) - other) for j, other in enumerate(shares)], 0.0],
        )
        for i, share in enumerate(shares)
    ]


@_recordable
def log_softmax(x: Iterable[Number]) -> list[Value]:
    """Return xᵢ - logsumexp(x), one node for each i."""
    inputs = _some("log_softmax", x)
    out, shares = _shares([v.data for v in inputs])
    return [
        record(
            v.data - out,
            "log_softmax",
            [*inputs, _parameter(i)],
            [*[(i == j) - share for j, share in enumerate(shares)], 0.0],
        )
        for i, v in enumerate(inputs)
    ]


@_recordable
def cross_entropy(logits: Iterable[Number], target: int) -> Value:
    """Return -log softmax(logits)[target] as one node."""
    inputs = _some("cross_entropy", logits)
    if not isinstance(target, int) or not 0 <= target < len(inputs):
        raise OperandError(
            f"the target of cross_entropy is an index from 0 to {len(inputs) - 1}, not {target!r}"
        )
    out, shares = _shares([v.data for v in inputs])
    return record(
        out - inputs[target].data,
        "cross_entropy",
        [*inputs, _parameter(target)],
        [*[share - (j == target) for j, share in enumerate(shares)], 0.0],
    )


@_recordable
def rmsnorm(x: Iterable[Number], epsilon: float = 1e-5) -> list[Value]:
    """Return xᵢ / sqrt(mean(x²) + epsilon), one node for each i."""
    epsilon = _epsilon("rmsnorm", epsilon)
    inputs = _some("rmsnorm", x)
    numbers = [v.data for v in inputs]
    share = ops.pow_.value(float(len(numbers)), -1.0)
    square = _total([n * n for n in numbers]) * share
    scale = ops.pow_.value(square + epsilon, -0.5)
    results = [n * scale for n in numbers]
    bend = scale * scale * scale * share
    if not ops.is_normal(bend):  # the products may be among the doubles though this is not
        numbers, bend = results, scale * share
    return [
        record(
            out,
            "rmsnorm",
            [*inputs, _parameter(epsilon), _parameter(i)],
            [*[scale * (i == j) - n * other * bend for j, other in enumerate(numbers)], 0.0, 0.0],
        )
        for i, (n, out) in enumerate(zip(numbers, results, strict=True))
    ]


@_recordable
def layernorm(x: Iterable[Number], epsilon: float = 1e-5) -> list[Value]:
    """Return (xᵢ - mean) / sqrt(variance + epsilon), one node for each i."""
    epsilon = _epsilon("layernorm", epsilon)
    inputs = _some("layernorm", x)
    numbers = [v.data for v in inputs]
    share = ops.pow_.value(float(len(numbers)), -1.0)
    middle = _total(numbers) * share
    offsets = [n - middle for n in numbers]
    variance = _total([d * d for d in offsets]) * share
    scale = ops.pow_.value(variance + epsilon, -0.5)
    results = [d * scale for d in offsets]
    bend = scale * scale * scale * share
    if not ops.is_normal(bend):
        offsets, bend = results, scale * share
    return [
        record(
            out,
            "layernorm",
            [*inputs, _parameter(epsilon), _parameter(i)],
            [
                *[scale * ((i == j) - share) - d * e * bend for j, e in enumerate(offsets)],
                *(0.0, 0.0),
            ],
        )
        for i, (d, out) in enumerate(zip(offsets, results, strict=True))
    ]


# ── What each stands for ─────────────────────────────────────────────────────────────────────


class Nary(NamedTuple):
    """One row: `written` is the node in scalar operations, over its inputs and parameters."""

    name: str
    parameters: int
    reason: str
    written: Callable[..., Any]


def _written_dot(*operands: Any) -> Any:
    return _add([w * x for w, x in zip(operands[::2], operands[1::2], strict=True)])


def _written_sum(*x: Any) -> Any:
    return _add(x)


def _written_mean(*x: Any) -> Any:
    return _add(x) / len(x)


def _written_shares(x: tuple[Any, ...]) -> tuple[list[Any], Any]:
    largest = max([v.data for v in x])
    powers = [(v - largest).exp() for v in x]
    return powers, _add(powers)


def _written_softmax(*operands: Any) -> Any:
    *x, index = operands
    powers, total = _written_shares(tuple(x))
    return powers[int(index.data)] / total


def _written_logsumexp(*x: Any) -> Any:
    largest = max([v.data for v in x])
    if math.isinf(largest):
        total: Any = _add([v.exp() for v in x])
        return total.log()
    return _written_shares(x)[1].log() + largest


def _written_log_softmax(*operands: Any) -> Any:
    *x, index = operands
    return x[int(index.data)] - _written_logsumexp(*x)


def _written_cross_entropy(*operands: Any) -> Any:
    *x, target = operands
    return _written_logsumexp(*x) - x[int(target.data)]


def _written_rmsnorm(*operands: Any) -> Any:
    *x, epsilon, index = operands
    square = _add([v * v for v in x]) / len(x)
    return x[int(index.data)] * (square + epsilon.data) ** -0.5


def _written_layernorm(*operands: Any) -> Any:
    *x, epsilon, index = operands
    middle = _add(x) / len(x)
    offsets = [v - middle for v in x]
    variance = _add([d * d for d in offsets]) / len(x)
    return offsets[int(index.data)] * (variance + epsilon.data) ** -0.5


TABLE: dict[str, Nary] = {
    row.name: row
    for row in (
        Nary("dot", 0, "dot multiplies pairwise and adds: each input receives the gradient times "
             "its partner", _written_dot),
        Nary("sum", 0, "sum copies: each input receives the gradient unchanged",
             _written_sum),
        Nary("mean", 0, "mean shares: each input receives an equal part of the gradient",
             _written_mean),
        Nary("logsumexp", 0, "logsumexp shares by softmax: the largest input receives most",
             _written_logsumexp),
        Nary("softmax", 1, "softmax weighs: an input that gains takes from all others",
             _written_softmax),
        Nary("log_softmax", 1, "log softmax passes the gradient to its own input and takes each "
             "input's probability from all", _written_log_softmax),
        Nary("cross_entropy", 1, "cross entropy gives each input its probability, less one for "
             "the target", _written_cross_entropy),
        Nary("rmsnorm", 2, "rmsnorm scales, and takes back what lies along the input itself",
             _written_rmsnorm),
        Nary("layernorm", 2, "layernorm scales, and takes back the mean and what lies along the "
             "input itself", _written_layernorm),
    )
}  # fmt: skip


# C has an operation code for each; a name that it lacks would be recorded under another's.
if backends.name == "native":
    from gradwalk.engine import _native  # pyright: ignore[reportMissingModuleSource]

    _known = {name for name, code in _native._CODES.items() if code >= _native._CODES["dot"]}
    if _known != TABLE.keys():
        raise ImportError(
            "the operations over lists differ between native/nary.c and nary.py: "
            f"{', '.join(sorted(_known ^ TABLE.keys()))}"
        )


# ── Helpers ──────────────────────────────────────────────────────────────────────────────────


def _inputs(name: str, x: Iterable[Number]) -> list[Value]:
    inputs: list[Value] = []
    for operand in list(x):  # asking an operand for its number may change x
        value = operand if isinstance(operand, Value) else constant(operand)
        if value is None:
            kind = type(operand).__name__
            raise OperandError(f"{name} takes Values or real numbers, not {kind}: {operand!r:.40}")
        inputs.append(value)
    return inputs


def _some(name: str, x: Iterable[Number]) -> list[Value]:
    inputs = _inputs(name, x)
    if not inputs:
        raise OperandError(f"{name} takes at least one input, got an empty list")
    return inputs


def _epsilon(name: str, epsilon: object) -> float:
    number = ops.real(epsilon)
    if number is None:
        kind = type(epsilon).__name__
        raise OperandError(f"the epsilon of {name} is a real number, not {kind}: {epsilon!r:.40}")
    return number


def _parameter(number: float) -> Value:
    value = constant(number)
    assert value is not None
    return value


def _total(numbers: list[float]) -> float:
    total = 0.0
    for number in numbers:  # not the builtin, which from Python 3.12 on compensates
        total += number
    return total


def _shares(numbers: list[float]) -> tuple[float, list[float]]:
    """Return log Σ exp(x), and the softmax of x; nan where the largest is infinite."""
    largest = _largest(numbers)
    powers = [ops.exp.value(number - largest) for number in numbers]
    total = _total(powers)
    inverse = math.nan if largest == -math.inf else ops.pow_.value(total, -1.0)  # as PyTorch has it
    return ops.log.value(total) + largest, [power * inverse for power in powers]


def _largest(numbers: list[float]) -> float:
    largest = numbers[0]
    for number in numbers:
        largest = ops.maximum.value(largest, number)
    return largest
