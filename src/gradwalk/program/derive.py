"""Programs on other numbers than floats: the steps of a recording, computed with Values.

`computed` is what a derivative of a compiled function's derivative needs. The replay has fixed
local gradients, and Values remember how they came about.
"""

# A number here is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from gradwalk import engine, ops, sweeps
from gradwalk.program.ir import CODES, COMPARISONS, CONST, INPUT, Program

__all__ = ["computed", "rule_of"]


def computed(program: Program, slots: Sequence[Any]) -> list[Any]:
    """Return the value of each instruction, with these numbers or Values in the slots."""
    values: list[Any] = []
    for i, code in enumerate(program.codes):
        if code == CONST:
            values.append(program.numbers[i])
        elif code == INPUT:
            values.append(slots[int(program.numbers[i])])
        else:
            values.append(_STEPS[code](*[values[operand] for operand in program.operands(i)]))
    return values


def rule_of(
    program: Program, numbers: Sequence[float], slots: Sequence[int], output: int
) -> Callable[..., list[Any]]:
    """Return the rule of a node that stands for an output: see `sweeps`.

    Its operands are Values for the given slots; the other slots have these numbers.
    """
    last = program.outputs[output]

    def result(*operands: Any) -> Any:
        filled: list[Any] = list(numbers)
        for slot, operand in zip(slots, operands, strict=True):
            filled[slot] = operand
        return computed(program, filled)[last]

    def rule(_: Any, operands: Sequence[Any], places: Sequence[int]) -> list[Any]:
        return sweeps.expanded(operands, places, result)

    return rule


def _compared(name: str) -> Callable[[Any, Any], float]:
    compare = getattr(operator, name)
    return lambda x, y: 1.0 if compare(x, y) else 0.0


def _dot(*operands: Any) -> Any:
    return engine.dot(operands[::2], operands[1::2])


_STEPS: list[Any] = [
    _compared(name) if name in COMPARISONS
    else {
        "take": lambda index, *table: engine.take(table, index),
        "sum": lambda *terms: engine.sum(terms),
        "dot": _dot,
    }.get(name) or ops.BY_NAME.get(name)
    for name in CODES
]  # fmt: skip
