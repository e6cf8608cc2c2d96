"""Derivatives that you choose: none at all, or your own.

stop_gradient   the same number, with derivative 0
custom_rule     an operation with your own value and derivative
"""

# A number is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradwalk import ops
from gradwalk.engine import Value, constant, modes
from gradwalk.engine.backends import record
from gradwalk.errors import OperandError, RecordingError
from gradwalk.program import backends
from gradwalk.program.tree import flatten, rebuild
from gradwalk.transforms.functional import name_of


def stop_gradient(x: Any) -> Any:
    """Return the same numbers with derivative 0: no gradient and no tangent goes through.

    >>> from gradwalk import grad, stop_gradient
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """
    leaves, shape = flatten(x)
    recorder: Any = modes.recorder() if modes.active else None
    if recorder is not None:
        begin = recorder.count
        stopped = [_stopped(recorder.lift(leaf)) for leaf in leaves]
        recorder.settle(begin)
        return rebuild(shape, stopped)
    return rebuild(shape, [constant(x.data) if isinstance(x, Value) else x for x in leaves])


def _stopped(x: Any) -> Any:
    """Return a recorded value without its derivative, by an operation that has none.

    A double times a large enough power of two is a whole number, which `floor` leaves as it is. So
    this is exact from 2**-70 on, and right to 2**-122 below. The powers fit into single precision.
    """
    size = ops.abs_(x)
    fine = ops.floor(x * 2.0**122) * 2.0**-122
    middle = ops.floor(x * 2.0**60) * 2.0**-60
    return ops.where(size >= 2.0**53, ops.floor(x), ops.where(size >= 2.0**-8, middle, fine))


class CustomRule:
    """An operation of your own: see `custom_rule`."""

    def __init__(
        self,
        value: Callable[..., float],
        derivative: Callable[..., Any],
        replay: Callable[..., Any] | None,
        name: str,
    ) -> None:
        self.value = value
        self.derivative = derivative
        self.replay = replay
        self.__name__ = name

    def __repr__(self) -> str:
        return f"<custom rule {self.__name__}>"

    def __call__(self, *operands: Any) -> Any:
        recorder: Any = modes.recorder() if modes.active else None
        if recorder is not None:
            return self._recorded(recorder, operands)
        if not any(isinstance(operand, Value) for operand in operands):
            return self.value(*[self._real(operand) for operand in operands])
        inputs: list[Any] = [
            operand if isinstance(operand, Value) else constant(self._real(operand))
            for operand in operands
        ]
        numbers = [value.data for value in inputs]
        out = self._real(self.value(*numbers))
        node: Any = record(out, self.__name__, inputs, self._partials(out, numbers))
        node._rule = self._rule
        return node

    def _rule(self, out: Any, operands: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
        return self._partials(out, operands)

    def _partials(self, out: Any, operands: Sequence[Any]) -> Sequence[Any]:
        found = self.derivative(out, *operands)
        partials: Sequence[Any] = found if isinstance(found, (tuple, list)) else [found]
        if len(partials) != len(operands):
            raise OperandError(
                f"the derivative of {self.__name__} gives {len(partials)} partial derivatives "
                f"for {len(operands)} operands"
            )
        return [float(x) if type(x) is int else x for x in partials]

    def _recorded(self, recorder: Any, operands: Sequence[Any]) -> Any:
        if self.replay is None:
            raise RecordingError(
                f"{self.__name__} has no replay form, so it cannot be recorded; give custom_rule "
                "replay=, a function of recorded values that computes the same"
            )
        inputs = [recorder.lift(operand) for operand in operands]
        value = stop_gradient(recorder.lift(backends.tape.call(self.replay, *inputs)))
        # A replay differentiates this sum: its terms are 0, and their slopes are the derivative.
        for x, partial in zip(inputs, self._partials(value, inputs), strict=True):
            value = value + stop_gradient(partial) * (x - stop_gradient(x))
        recorder.rules[value._id] = (inputs, self._partials)
        return value

    def _real(self, number: Any) -> float:
        found = ops.real(number)
        if found is None:
            raise OperandError(
                f"{self.__name__} takes and gives real numbers, not {type(number).__name__}: "
                f"{number!r:.40}"
            )
        return found


def custom_rule(
    value: Callable[..., float],
    derivative: Callable[..., Any],
    replay: Callable[..., Any] | None = None,
    name: str | None = None,
) -> CustomRule:
    """Return an operation with its own value and derivative.

    `value` takes and gives floats. `derivative(out, *operands)` gives one partial derivative per
    operand; written with operators and functions of gradwalk, it is differentiated again for
    higher orders. `replay` computes the value on recorded values, for compiled functions.

    >>> from gradwalk import custom_rule, grad
    >>> cube = custom_rule(lambda x: x**3, lambda out, x: 3.0 * x * x)
    >>> grad(cube)(2.0), grad(grad(cube))(2.0)
    (12.0, 12.0)
    """
    return CustomRule(value, derivative, replay, name or name_of(value))
