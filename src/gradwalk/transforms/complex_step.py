"""The gradient by a step into the complex plane, which cancels no digits.

The function is recorded, and its program is computed on complex numbers.
"""

# An entry of a table of operations takes floats and complex numbers, so it has no one type.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from gradwalk.errors import OperandError
from gradwalk.program import record
from gradwalk.program.ir import CODES, COMPARISONS, CONST, INPUT, Program

__all__ = ["complex_step"]

STEP = 1e-100


def complex_step(f: Callable[..., Any], *args: float) -> list[float]:
    """Return the gradient of `f` by each argument, as the imaginary part of f(x + ih) / h.

    >>> from gradwalk import exp
    >>> from gradwalk.transforms.complex_step import complex_step
    >>> complex_step(lambda x: x * exp(x), 0.0)
    [1.0]
    """
    program = record(f, *args).program
    at = [float(x) for x in args]
    return [
        _value(program, [x + 1j * STEP if k == i else x for k, x in enumerate(at)]).imag / STEP
        for i in range(len(at))
    ]


def _value(program: Program, slots: Sequence[complex]) -> complex:
    values: list[Any] = []
    for i, code in enumerate(program.codes):
        operands = [values[operand] for operand in program.operands(i)]
        if code == CONST:
            values.append(program.numbers[i])
        elif code == INPUT:
            values.append(slots[int(program.numbers[i])])
        else:
            name = CODES[code]
            values.append((_COMMON.get(name) or _complex(name))(*operands))
    return complex(values[program.outputs[0]])


def _real(x: Any) -> Any:
    return x.real if isinstance(x, complex) else x


def _is_one(x: Any) -> bool:
    return bool(_real(x) != 0)


_COMMON: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "sum": lambda *terms: sum(terms),
    "dot": lambda *x: sum([a * b for a, b in zip(x[::2], x[1::2], strict=True)]),
    "take": lambda index, *table: table[int(_real(index))],
    "where": lambda condition, x, y: x if _is_one(condition) else y,
    "relu": lambda x: x if _real(x) > 0 else 0.0 * x,
    "leaky_relu": lambda x, slope: x if _real(x) > 0 else slope * x,
    "abs": lambda x: x if _real(x) > 0 else -x,
    "maximum": lambda x, y: x if _real(x) > _real(y) else y if _real(y) > _real(x) else (x + y) / 2,
    "minimum": lambda x, y: x if _real(x) < _real(y) else y if _real(y) < _real(x) else (x + y) / 2,
    "clip": lambda x, low, high: (
        high if _real(x) > _real(high) else low if _real(x) < _real(low) else x
    ),
    "floor": lambda x: 0.0 * x + math.floor(_real(x)),
    "floordiv": lambda x, y: 0.0 * x + math.floor(_real(x) / _real(y)),
    "mod": lambda x, y: x - y * math.floor(_real(x) / _real(y)),
    "sign": lambda x: 0.0 * x + (1.0 if _real(x) > 0 else -1.0 if _real(x) < 0 else 0.0),
    **{
        name: lambda x, y, name=name: 1.0 if getattr(operator, name)(_real(x), _real(y)) else 0.0
        for name in COMPARISONS
    },
}


def _complex(name: str) -> Callable[..., Any]:
    found = _COMPLEX.get(name) or getattr(cmath, name, None)
    if found is None:
        raise OperandError(f"complex_step: {name} has no form for complex numbers")
    return found


def _small_log(x: Any) -> complex:
    """Return log(1 + x) without losing the digits of a small x."""
    y = complex(x)
    return complex(math.log1p(y.real), math.atan2(y.imag, 1.0 + y.real))


_COMPLEX: dict[str, Callable[..., Any]] = {
    "pow": lambda x, y: complex(x) ** y,
    "expm1": lambda x: complex(math.expm1(x.real), math.exp(x.real) * complex(x).imag),
    "exp2": lambda x: cmath.exp(x * math.log(2.0)),
    "log1p": _small_log,
    "log2": lambda x: cmath.log(x) / math.log(2.0),
    "log10": lambda x: cmath.log(x) / math.log(10.0),
    "cbrt": lambda x: cmath.exp(cmath.log(x) / 3) if x.real > 0 else -cmath.exp(cmath.log(-x) / 3),
    "sigmoid": lambda x: 1.0 / (1.0 + cmath.exp(-x)),
    "softplus": lambda x: (x if x.real > 0 else 0.0) + _small_log(
        cmath.exp(-x if x.real > 0 else x)
    ),
    "silu": lambda x: x / (1.0 + cmath.exp(-x)),
    "hypot": lambda x, y: cmath.sqrt(x * x + y * y),
    "atan2": lambda y, x: complex(
        math.atan2(complex(y).real, complex(x).real),
        (complex(y).imag * complex(x).real - complex(x).imag * complex(y).real)
        / (complex(x).real ** 2 + complex(y).real ** 2),
    ),
}  # fmt: skip
