"""One gradient by every way there is, each with its distance from the exact one.

    prove          value and gradient by both engines, replay, forward mode, differences and others
    complex_step   the gradient by a step into the complex plane, which cancels no digits

The function is recorded. Its program is then computed on other numbers: complex ones, mpmath's,
JAX's and PyTorch's, where these are installed.
"""

# A number here is of any library, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gradwalk.engine import backend, reference
from gradwalk.engine import backends as engines
from gradwalk.errors import OperandError
from gradwalk.expr import Expression
from gradwalk.program import record
from gradwalk.program.derive import computed
from gradwalk.program.ir import CODES, COMPARISONS, CONST, INPUT, Program
from gradwalk.transforms.functional import jvp

__all__ = ["Proof", "Way", "complex_step", "prove"]

DIGITS = 60
STEP = 1e-100
DIFFERENCE = 6e-6  # the cube root of the doubles' precision


@dataclass(frozen=True, slots=True)
class Way:
    """A value and a gradient, with the gap to the exact ones in units in the last place.

    Where a way has no form for an operation, `missing` names it and there are no numbers.
    """

    name: str
    value: float
    gradient: dict[str, float]
    value_gap: float
    gradient_gap: float
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The ways, and the one that the gaps are measured from."""

    exact_by: str
    ways: tuple[Way, ...]


class _MissingFormError(Exception):
    """A library has no form of an operation."""


def prove(expression: Expression, values: Mapping[str, float]) -> Proof:
    """Return value and gradient of an expression by every way there is.

    >>> from gradwalk import parse
    >>> from gradwalk.transforms.proving import prove
    >>> proof = prove(parse("tanh(a * b)"), {"a": 0.5, "b": -1.5})
    >>> [way.name for way in proof.ways][-3:]
    ['forward', 'differences', 'complex']
    """
    names = expression.names
    at = [float(values[name]) for name in names]
    program = record(expression.function(), *at).program
    found: list[tuple[str, Any]] = []

    def add(name: str, compute: Callable[[], tuple[float, Sequence[float]]]) -> None:
        try:
            value, gradient = compute()
            found.append((name, (float(value), [float(slope) for slope in gradient])))
        except _MissingFormError as lacking:
            found.append((name, str(lacking)))

    for name, attempt in (("mpmath", _by_mpmath), ("jax", _by_jax), ("torch", _by_torch)):
        try:
            import_module(name)
        except ImportError:
            continue
        add(name, lambda attempt=attempt: attempt(program, at))
    add("reference", lambda: _by_engine(expression, names, at, reference))
    if backend() == "native":
        add("native", lambda: _by_engine(expression, names, at, engines))
    add("replay", lambda: _by_replay(expression, names, at))
    add("forward", lambda: _by_forward(expression, at))
    add("differences", lambda: _by_differences(program, at))
    add("complex", lambda: _by_complex(program, at))

    numbers = {name: result for name, result in found if not isinstance(result, str)}
    exact_by = next(iter(numbers))
    exact, slopes = numbers[exact_by]
    ways: list[Way] = []
    for name, result in found:
        if isinstance(result, str):
            ways.append(Way(name, math.nan, {}, math.nan, math.nan, result))
            continue
        value, gradient = result
        gaps = [_ulps(a, b) for a, b in zip(gradient, slopes, strict=True)]
        by_name = dict(zip(names, gradient, strict=True))
        ways.append(Way(name, value, by_name, _ulps(value, exact), max(gaps, default=0.0)))
    return Proof(exact_by, tuple(ways))


def complex_step(f: Callable[..., Any], *args: float) -> list[float]:
    """Return the gradient of `f` by each argument, as the imaginary part of f(x + ih) / h.

    >>> from gradwalk import exp
    >>> from gradwalk.transforms.proving import complex_step
    >>> complex_step(lambda x: x * exp(x), 0.0)
    [1.0]
    """
    try:
        return _by_complex(record(f, *args).program, [float(x) for x in args])[1]
    except _MissingFormError as lacking:
        raise OperandError(f"complex_step: {lacking}") from None


def _ulps(found: float, exact: float) -> float:
    if found == exact or (found != found and exact != exact):
        return 0.0
    if not math.isfinite(found) or not math.isfinite(exact):
        return math.inf
    return abs(found - exact) / math.ulp(exact)


# ── Ways ─────────────────────────────────────────────────────────────────────────────────────


def _by_engine(
    expression: Expression, names: Sequence[str], at: Sequence[float], engine: Any
) -> tuple[float, list[float]]:
    leaves = {name: engine.Value(x) for name, x in zip(names, at, strict=True)}
    root = expression.compute(leaves, engine.constant)
    root.backward()
    return root.data, [leaf.grad for leaf in leaves.values()]


def _by_replay(
    expression: Expression, names: Sequence[str], at: Sequence[float]
) -> tuple[float, list[float]]:
    if not names:
        return record(expression.function())(), []
    value, gradient = record(expression.function(), *at).value_and_grad(*at)
    return value, [gradient[name] for name in names]


def _by_forward(expression: Expression, at: Sequence[float]) -> tuple[float, list[float]]:
    f, count = expression.function(), len(at)
    pairs = [jvp(f, at, [1.0 if k == i else 0.0 for k in range(count)]) for i in range(count)]
    return pairs[0][0] if pairs else f(), [moved for _, moved in pairs]


def _by_differences(program: Program, at: Sequence[float]) -> tuple[float, list[float]]:
    def value(point: Sequence[float]) -> float:
        return _last(program, computed(program, point))

    slopes: list[float] = []
    for i, x in enumerate(at):
        h = DIFFERENCE * max(1.0, abs(x))
        above, below = x + h, x - h
        up, down = [value([*at[:i], y, *at[i + 1 :]]) for y in (above, below)]
        slopes.append((up - down) / (above - below))
    return value(at), slopes


def _by_complex(program: Program, at: Sequence[float]) -> tuple[float, list[float]]:
    def value(point: Sequence[complex]) -> complex:
        return complex(_last(program, _on(program, point, _complex, float)))

    slopes = [
        value([x + 1j * STEP if k == i else x for k, x in enumerate(at)]).imag / STEP
        for i in range(len(at))
    ]
    return value(at).real, slopes


def _by_mpmath(program: Program, at: Sequence[float]) -> tuple[float, list[float]]:
    mp: Any = import_module("mpmath").mp
    with mp.workdps(2 * DIGITS):

        def value(*point: Any) -> Any:
            return _last(program, _on(program, point, lambda name: _exact(mp, name), mp.mpf))

        point = [mp.mpf(x) for x in at]
        h = mp.mpf(10) ** (-DIGITS // 2)
        slopes: list[float] = []
        for i, x in enumerate(point):
            up, down = [value(*point[:i], y, *point[i + 1 :]) for y in (x + h, x - h)]
            slopes.append(float((up - down) / (2 * h)))
        return float(value(*point)), slopes


def _by_jax(program: Program, at: Sequence[float]) -> tuple[float, list[float]]:
    jax: Any = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    form = _from_library(jax.numpy, jax.nn, jax.scipy.special, jax.lax)

    def value(*point: Any) -> Any:
        return _last(program, _on(program, point, form, jax.numpy.float64))

    point = [jax.numpy.float64(x) for x in at]
    return value(*point), jax.grad(value, tuple(range(len(at))))(*point) if at else []


def _by_torch(program: Program, at: Sequence[float]) -> tuple[float, list[float]]:
    torch: Any = import_module("torch")
    form = _from_library(torch, torch.nn.functional, torch.special)
    point = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in at]
    number = lambda x: torch.tensor(x, dtype=torch.float64)  # noqa: E731
    out = _last(program, _on(program, point, form, number))
    slopes = torch.autograd.grad(out, point, allow_unused=True) if at else []
    return out.item(), [0.0 if slope is None else slope.item() for slope in slopes]


# ── A program on other numbers ───────────────────────────────────────────────────────────────


def _on(
    program: Program,
    slots: Sequence[Any],
    form: Callable[[str], Callable[..., Any]],
    number: Callable[[float], Any],
) -> list[Any]:
    values: list[Any] = []
    for i, code in enumerate(program.codes):
        operands = [values[operand] for operand in program.operands(i)]
        if code == CONST:
            values.append(number(program.numbers[i]))
        elif code == INPUT:
            values.append(slots[int(program.numbers[i])])
        else:
            name = CODES[code]
            common = _COMMON.get(name)
            values.append((common or form(name))(*operands))
    return values


def _last(program: Program, values: Sequence[Any]) -> Any:
    return values[program.outputs[0]]


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
        raise _MissingFormError(f"{name} has no form for complex numbers")
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


def _exact(mp: Any, name: str) -> Callable[..., Any]:
    forms: dict[str, Callable[..., Any]] = {
        "pow": mp.power,
        "exp2": lambda x: mp.power(2, x),
        "log2": lambda x: mp.log(x, 2),
        "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
        "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
        "softplus": lambda x: mp.log1p(mp.exp(x)),
        "silu": lambda x: x / (1 + mp.exp(-x)),
        "gelu": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
        "lgamma": lambda x: mp.log(abs(mp.gamma(x))),
        "polygamma": lambda order, x: mp.psi(mp.nint(order), x),
    }
    return forms.get(name) or getattr(mp, name)


def _from_library(*modules: Any) -> Callable[[str], Callable[..., Any]]:
    def form(name: str) -> Callable[..., Any]:
        for module in modules:
            for spelling in (name, f"arc{name[1:]}" if name[0] == "a" else name):
                found = getattr(module, spelling, None)
                if found is not None:
                    return found
        raise _MissingFormError(f"{modules[0].__name__} has no {name}")

    return form
