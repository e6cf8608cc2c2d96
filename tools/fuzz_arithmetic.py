"""Random functions, compiled, against plain Python: `python3 x.py fuzz`.

Each seed makes one function as Python source and some points to call it at. What it computes is
compared with an oracle that does one IEEE operation after the other, as Python does:

    single     a call of the compiled function
    map        all points at once, on every kernel level that the processor has, by 1 and 2 threads
    gradient   both, against the chain rule over slopes in mpmath
    reference  a call of the interpreter in Python

Arithmetic, sqrt, comparisons and selections must agree to the last bit, the sign of a zero
included. Results of functions and of written reductions (`sum`, `dot`) are outputs of the function:
each is held to its stated error at the operands that it really had, and what comes after it starts
from it. So no error has to be carried along, and no digit of the arithmetic is forgiven.

Start reading at `examine`; `write_function` makes the functions, `Oracle` judges them.
"""

from __future__ import annotations

import argparse
import importlib
import math
import operator
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from fuzz import Draws, MismatchError, made
from mpmath import mp, mpf

import gradwalk
from gradwalk.program import backends, interpreter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
accuracy: Any = importlib.import_module("support.accuracy")

MODULES = {"math": math, "gradwalk": gradwalk}
TARGETS = ("single", "map", "gradient", "reference")
PROGRAMS = 100_000
EPSILON = 2.0**-52
LARGEST = sys.float_info.max
inf, nan = math.inf, math.nan

# How many units in the last place a function may be off, where it is not DEFAULT_ULPS.
DEFAULT_ULPS = 2.0
ULPS: dict[str, float] = {}


# ── Writing a function ───────────────────────────────────────────────────────────────────────
# A line gives a variable a value. It is exact, or it calls a function or a written reduction, whose
# result is then an output of the function, or it is one of several for a loop, say.

COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}

EXACT_CALLS = {
    "abs": "abs({})",
    "fabs": "math.fabs({})",
    "sqrt": "math.sqrt({})",
    "root": "gradwalk.sqrt({})",
    **{name: f"gradwalk.{name}({{}})" for name in ("floor", "sign", "relu")},
    **{name: f"gradwalk.{name}({{}}, {{}})" for name in ("leaky_relu", "maximum", "minimum")},
    "clip": "gradwalk.clip({}, {}, {})",
}
FUNCTIONS = {
    **{
        name: f"gradwalk.{name}({{}})"
        for name in (
            *("exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh"),
            *("cosh", "tanh", "sigmoid", "softplus", "silu", "gelu", "erf", "erfc"),
        )
    },
    **{name: f"math.{name}({{}})" for name in ("log2", "log10", "cbrt", "asinh", "acosh", "atanh")},
    "hypot": "gradwalk.hypot({}, {})",
    "atan2": "gradwalk.atan2({}, {})",
    "pow": "{} ** {}",
}

# Exact operations that are written over several lines; {0} and {1} are names, {r} is the result.
LOOPS = (
    ("{r} = 0.0", "for x in xs:", "    {r} += x"),
    ("{r} = 0.0", "for x in xs:", "    {r} += x - {0}"),
    ("{r} = {0}", "for x in xs:", "    {r} -= x"),
    ("{r} = {0}", "for x in xs:", "    {r} += x * {1}"),
    ("{r} = 0.0", "for x in xs:", "    {r} = {r} * {0} + x"),
    ("{r} = 1.0", "for x in xs:", "    {r} *= x"),
    ("{r} = {0}", "for x in xs:", "    {r} += x / {1}"),
    ("{r} = {0}", "for x in xs:", "    {r} = {1} - {r} * x"),
    ("{r} = {0}", "for x in xs:", "    {r} = gradwalk.where(x > {r}, x, {r} - {1})"),
    ("{r} = 0.0", "for x in xs:", "    {r} += (x - {0}) * (x - {0})", "{r} = math.sqrt({r})"),
    (
        "{r}, {r}c = 0.0, 0.0",
        "for x in xs:  # Kahan",
        "    {r}y = x - {r}c",
        "    {r}t = {r} + {r}y",
        "    {r}c = ({r}t - {r}) - {r}y",
        "    {r} = {r}t",
    ),
    (
        "{r}, {r}c = {0}, 0.0",
        "for x in xs:  # Neumaier",
        "    {r}t = {r} + x",
        "    {r}c += gradwalk.where(abs({r}) >= abs(x), ({r} - {r}t) + x, (x - {r}t) + {r})",
        "    {r} = {r}t",
        "{r} = {r} + {r}c",
    ),
)
PIECES = (
    ("{r}s = {0} + {1}", "{r}b = {r}s - {0}", "{r} = ({0} - ({r}s - {r}b)) + ({1} - {r}b)"),
    (
        "{r}p = {0} * {1}",
        "{r}u = 134217729.0 * {0}",
        "{r}a = {r}u - ({r}u - {0})",
        "{r}v = 134217729.0 * {1}",
        "{r}b = {r}v - ({r}v - {1})",
        "{r} = (({r}a * {r}b - {r}p) + {r}a * ({1} - {r}b) + ({0} - {r}a) * {r}b)"
        " + ({0} - {r}a) * ({1} - {r}b)",
    ),
    ("{r} = {0} - 49.0 * gradwalk.floor({0} / 49.0) + {1}",),
    ("{r} = {0} - {1} + 1.0",),
    ("{r} = {0}", "for _ in range(3):", "    {r} = ({r} + {1} / {r}) / 2.0"),
)
SUMS = (  # written reductions: these may be added up in any order
    "sum({})",
    "gradwalk.sum({})",
    "gradwalk.dot({}, {})",
)


@dataclass(frozen=True)
class Function:
    """A function of some numbers and of a list `xs` of `items`; `outputs` are names of lines."""

    numbers: tuple[str, ...]
    items: int
    lines: tuple[str, ...]
    outputs: tuple[str, ...]
    result: str

    def source(self, name: str, whole: bool = True) -> str:
        outputs = self.outputs if whole else ()
        last = f"[{', '.join([*outputs, self.result])}]" if outputs else self.result
        head = f"def {name}({', '.join([*self.numbers, *(['xs'] if self.items else [])])}):"
        return "\n    ".join([head, *self.lines, f"return {last}"]) + "\n"


def write_function(rng: Random) -> Function:
    """Return a random function of two to thirty operations or so."""
    numbers = tuple("abcd"[: rng.randint(1, 4)])
    items = rng.choice((0, 0, 2, 3, 5, 9, 17))
    names = [*numbers, *[f"xs[{i}]" for i in range(min(items, 3))]]
    functions = rng.random() < 0.5  # half of all are exact from end to end
    lines: list[str] = []
    outputs: list[str] = []

    def atom() -> str:
        if rng.random() < 0.15:
            return repr(constant(rng))
        # What is new is likelier, so that functions grow deep as well as wide.
        return names[-1] if rng.random() < 0.4 else name()

    def name() -> str:
        return rng.choice(names)

    def is_number(text: str) -> bool:
        return text[0] in "-0123456789"

    def varying(text: str) -> str:
        """Return an expression, or a name for a number: Python alone computes with numbers."""
        return name() if is_number(text) else text

    def expression(depth: int) -> str:
        if depth == 0 or rng.random() < 0.15:
            return atom()
        draw = rng.random()
        if draw < 0.72:
            sign = rng.choice(("+", "-", "*", "+", "-", "*", "/"))
            left, right = expression(depth - 1), expression(depth - 1)
            return f"({varying(left) if is_number(right) else left} {sign} {right})"
        if draw < 0.80:
            return f"(-{varying(expression(depth - 1))})"
        if draw < 0.90:
            form = rng.choice(list(EXACT_CALLS.values()))
            first, *rest = [expression(depth - 1) for _ in range(form.count("{}"))]
            return form.format(varying(first), *rest)
        condition = f"{{}} {COMPARE[rng.choice(list(COMPARE))]} {{}}".format(name(), atom())
        return f"gradwalk.where({condition}, {expression(depth - 1)}, {expression(depth - 1)})"

    for fresh in [f"t{i}" for i in range(rng.randint(1, 6))]:
        draw = rng.random()
        if functions and draw < 0.45:
            form = rng.choice(list(FUNCTIONS.values()))
            parts = [varying(expression(1)) for _ in range(form.count("{}"))]
            if form == FUNCTIONS["pow"] and rng.random() < 0.7:
                power = rng.choice((2, 3, -1, 0.5, 4, -2, 1.5, 7, 0, 1, -0.5, 16))
                parts[1] = repr(rng.choice((power, float(power))))
            lines.append(f"{fresh} = {form.format(*parts)}")
            outputs.append(fresh)
        elif functions and draw < 0.6:
            form = rng.choice(SUMS)
            width = rng.choice((1, 2, 3, 4, 9))
            rows = [[varying(expression(1)) for _ in range(width)] for _ in range(form.count("{}"))]
            lists = ["[" + ", ".join(row) + "]" for row in rows]
            lines.append(f"{fresh} = {form.format(*lists)}")
            outputs.append(fresh)
        elif draw < 0.75:
            form = rng.choice(LOOPS if items and rng.random() < 0.6 else PIECES)
            parts = [name(), name()]
            lines += [line.format(*parts, r=fresh) for line in form]
        else:
            lines.append(f"{fresh} = {varying(expression(3))}")
        names.append(fresh)
    return Function(numbers, items, tuple(lines), tuple(outputs), varying(expression(2)))


CONSTANTS = (
    *(0.0, -0.0, 1.0, 2.0, -1.0, 0.5, 3.0, 0.1, -0.3, 49.0, 10.0, 1e16, 1e-16, 1e200, 1e-200),
    *(1e308, 5e-324, 1e12, 7.0, 1.0 / 3.0, -2.0),
)
SPECIAL = (
    *(0.0, -0.0, 1.0, -1.0, 2.0, 0.5, inf, -inf, nan, 5e-324, -5e-324, 2.2250738585072014e-308),
    *(LARGEST, -LARGEST, 1e16, 9007199254740993.0, 1e-16, 49.0, 0.3, 0.1, 1e200, -1e-200, 1e308),
    *(709.78, -745.1, 1e15, 3.0, 1000.0, 8.0, 64.0, math.pi, math.pi / 2),
)


def constant(rng: Random) -> float:
    if rng.random() < 0.7:
        return rng.choice(CONSTANTS)
    return rng.uniform(-3, 3) if rng.random() < 0.7 else any_double(rng)


def any_double(rng: Random) -> float:
    """Every exponent alike, subnormals included; finite."""
    return math.ldexp(rng.choice((-1, 1)) * rng.uniform(1, 2), rng.randint(-1074, 1022))


Point = list[Any]  # a number for each name, and a list


def write_points(rng: Random, function: Function) -> list[Point]:
    """Return points of one style: how many is odd as a rule, so that tails of vectors are run."""
    style = rng.choice(("moderate", "moderate", "cluster", "cluster", "wild", "special", "close"))
    centre = any_double(rng)
    scale = abs(any_double(rng)) if style == "cluster" else 1.0

    def number() -> float:
        if style == "special" and rng.random() < 0.5:
            return rng.choice(SPECIAL)
        if rng.random() < 0.02:
            return rng.choice(SPECIAL)
        if style == "moderate":
            x = rng.uniform(-4, 4)
            return round(x, rng.randint(0, 3)) if rng.random() < 0.3 else x
        if style == "cluster":
            return rng.uniform(-1, 1) * scale
        if style == "close":
            return centre * (1 + rng.randint(-4, 4) * EPSILON)
        return any_double(rng)

    rows = rng.choice((1, 2, 3, 3, 5, 5, 7, 7, 9, 11, 17, 19, 33, 67))
    points: list[Point] = []
    for _ in range(rows):
        point: Point = [number() for _ in function.numbers]
        if function.items:
            point.append([number() for _ in range(function.items)])
        points.append(point)
    for place in range(len(points[0])):  # what all share goes to map as one number
        if rng.random() < 0.25 and place > 0:
            for point in points:
                point[place] = points[0][place]
    return points


# ── The oracle ───────────────────────────────────────────────────────────────────────────────
# The source is run on numbers that do each operation as the table of operations does, which mpmath
# and plain Python check elsewhere, and that write down what was done, for the chain rule.

# Each function and its slopes in mpmath.
EXACT: dict[str, tuple[Callable[..., Any], ...]] = {
    **{name: accuracy.CASES[name].exact for name in FUNCTIONS},
    "pow": (mp.power, lambda x, y: y * x ** (y - 1), lambda x, y: x**y * mp.log(x)),
}


def bits(number: float) -> int:
    """Return a number that two doubles share exactly when they are the same one, or both nan."""
    return -1 if number != number else struct.unpack("<Q", struct.pack("<d", number))[0]


class Noted:
    """A number that an oracle computes with."""

    __slots__ = ("op", "operands", "oracle", "place", "value")

    def __init__(self, oracle: Oracle, op: str, value: float, operands: Sequence[Noted] = ()):
        self.oracle, self.op, self.value, self.operands = oracle, op, value, operands
        self.place = len(oracle.tape)
        oracle.tape.append(self)

    def __neg__(self) -> Noted:
        return self.oracle.note("neg", self)

    def __abs__(self) -> Noted:
        return self.oracle.note("abs", self)


def _give_operators() -> None:
    for name in ("add", "sub", "mul", "truediv", "pow", *COMPARE):
        op = "div" if name == "truediv" else name

        def forward(self: Noted, other: Any, op: str = op) -> Noted:
            return self.oracle.note(op, self, other)

        def backward(self: Noted, other: Any, op: str = op) -> Noted:
            return self.oracle.note(op, other, self)

        setattr(Noted, f"__{name}__", forward)
        if name not in COMPARE:
            setattr(Noted, f"__r{name}__", backward)


_give_operators()


class Oracle:
    """What a function should compute, given the outputs that are rough: of functions and sums."""

    def __init__(self, function: Function) -> None:
        def noting(op: str) -> Callable[..., Noted]:
            return lambda *parts: self.note(op, *joined(parts))

        noted = {name: noting(name) for name in (*EXACT_CALLS, *FUNCTIONS, "where", "sum", "dot")}
        names: dict[str, Any] = {
            "gradwalk": SimpleNamespace(**noted),
            "math": SimpleNamespace(**{**noted, "fabs": noted["abs"]}),
            "sum": noted["sum"],
        }
        exec(function.source("f", whole=False), names)
        self.function = names["f"]
        self.inputs = len(function.numbers) + function.items
        self.lists = bool(function.items)
        self.rough = bool(function.outputs)
        self.tape: list[Noted] = []

    def run(self, point: Point, outputs: Sequence[float], check: bool = True) -> float:
        """Return the last output. Raise MismatchError where one before is further off than it may.

        The tape has the instructions from then on.
        """
        self.tape = []
        self.outputs, self.check = iter(outputs), check
        given = [Noted(self, "input", x) for x in joined(point)]
        count = len(point) - self.lists
        result = self.function(*given[:count], *([given[count:]] if self.lists else []))
        self.result: int = result.place
        return result.value

    def note(self, op: str, *parts: Any) -> Noted:
        operands = [x if isinstance(x, Noted) else Noted(self, "number", float(x)) for x in parts]
        numbers = [operand.value for operand in operands]
        if op in COMPARE:
            value = float(getattr(operator, op)(*numbers))
        elif op in FUNCTIONS or op in ("sum", "dot"):
            value = next(self.outputs)
            if op == "sum" and any(operand.op == "mul" for operand in operands):
                op = "sum of products"
            if self.check:
                check_rough(op, numbers, value)
        elif op == "div":
            value = divide(*numbers)
        else:
            value = gradwalk.ops.BY_NAME[op].value(*numbers)
        return Noted(self, op, value, operands)

    def slopes(self) -> tuple[list[float], list[float]] | None:
        """Return the gradient by the inputs, and how far off rounding can make each one.

        None where a number on the way is not finite or leaves the normal doubles: there the
        gradient is one of the edges, which have tests of their own.
        """
        grads, sizes = [0.0] * len(self.tape), [0.0] * len(self.tape)
        grads[self.result] = sizes[self.result] = 1.0
        for noted in reversed(self.tape[self.inputs :]):
            incoming, size = grads[noted.place], sizes[noted.place]
            if size == 0.0 or noted.op == "number":
                continue
            locals_ = local_slopes(noted.op, [part.value for part in noted.operands], noted.value)
            if locals_ is None:
                return None
            # Where a slope of these crosses 0 its parts cancel, and a last bit of them is left.
            noise = 1.0 if noted.op in ("gelu", "silu") else 0.0
            for part, slope in zip(noted.operands, locals_, strict=True):
                if (slope == 0.0 and noise == 0.0) or part.op == "number":
                    continue
                grads[part.place] += slope * incoming
                moved = (abs(slope) + noise) * size
                sizes[part.place] += moved
                if not 1e-290 < moved < 1e290:  # or a nan
                    return None
        rounding = EPSILON * (64 + 4 * len(self.tape))
        return grads[: self.inputs], [rounding * size for size in sizes[: self.inputs]]


def divide(x: float, y: float) -> float:
    """Divide as IEEE does: the table has the product with a power, which rounds twice."""
    if y:
        return x / y
    return nan if x != x or not x else math.copysign(inf, x) * math.copysign(1.0, y)


def check_rough(op: str, operands: Sequence[float], found: float) -> None:
    """Raise MismatchError unless `found` is the function, within its stated error."""
    shown_call = f"{op}({', '.join(map(repr, operands))})"
    if op in ("sum", "sum of products", "dot"):
        wanted, most = reduction(op, operands)
        near = wanted is None or (
            bits(found) == bits(wanted)
            if not math.isfinite(wanted)
            else math.isfinite(found) and abs(Fraction(found) - Fraction(wanted)) <= most
        )
        if not near:
            raise MismatchError("", f"{shown_call} is {found!r}, should be {wanted!r}", "sum")
        return
    wanted = plain(op, operands)
    if bits(found) == bits(wanted):
        return
    if math.isfinite(wanted) and wanted and abs(found - wanted) <= math.ulp(wanted):
        return
    limit = ULPS.get(op, DEFAULT_ULPS)
    if math.isnan(wanted) or math.isnan(found):
        off = inf
    elif math.isinf(wanted):  # the exact number may be just below the limit of the doubles
        same_side = math.copysign(1.0, found) == math.copysign(1.0, wanted)
        off = (LARGEST - abs(found)) / math.ulp(LARGEST) if same_side else inf
    else:
        with mp.workdps(40):
            exact = EXACT[op][0](*map(mpf, operands)) if wanted else mpf(0)
            nearest = as_float(exact)
            if math.isinf(found):
                off = as_float((LARGEST - abs(exact)) / math.ulp(LARGEST))
            else:
                off = as_float(abs(mpf(found) - exact) / math.ulp(nearest))
            if nearest == 0.0 and found == 0.0:  # a zero has its sign, what underflows either
                off = 0.0 if EXACT[op][0](*map(mpf, operands)) else inf
    if off > limit:
        words = f"{shown_call} is {found!r}, should be {wanted!r}: {off:.3g} ulp"
        raise MismatchError("", words, "function")


def as_float(number: Any) -> float:
    """Return an mpmath number as a float; mpmath itself raises beyond the doubles."""
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def plain(op: str, operands: Sequence[float]) -> float:
    """Return what Python has for a function, with IEEE's answers where math raises."""
    if op in gradwalk.ops.BY_NAME:
        return gradwalk.ops.BY_NAME[op].value(*operands)
    (x,) = operands
    try:
        return getattr(math, op)(x)
    except OverflowError:
        return math.copysign(inf, x)
    except ValueError:
        if op in ("log2", "log10") and x == 0:
            return -inf
        if op == "atanh" and abs(x) == 1:
            return math.copysign(inf, x)
        return nan


def reduction(op: str, operands: Sequence[float]) -> tuple[float | None, float]:
    """Return a sum or a dot and how far off it may be; None where the order decides."""
    if op == "dot":
        half = len(operands) // 2
        pairs = list(zip(operands[:half], operands[half:], strict=True))
        rounded = [x * y for x, y in pairs]
    else:
        pairs, rounded = [(x, 1.0) for x in operands], list(operands)
    if not all(map(math.isfinite, rounded)):
        if op == "sum of products":
            return None, 0.0
        for (x, y), product in zip(pairs, rounded, strict=True):
            if math.isinf(product) and math.isfinite(x) and math.isfinite(y):
                return None, 0.0  # a product overflows that a fused one might not
        if sum([abs(Fraction(x)) for x in rounded if math.isfinite(x)]) > LARGEST / 2:
            return None, 0.0  # a part of it may overflow the other way, which gives a nan
        return sum(rounded), 0.0
    size = sum([abs(Fraction(x) * Fraction(y)) for x, y in pairs])
    if size > LARGEST / 2:
        return None, 0.0
    exact = sum([Fraction(x) * Fraction(y) for x, y in pairs])
    most = (len(pairs) + 2) * (EPSILON * size + Fraction(5e-324))
    return float(exact), most


def local_slopes(op: str, operands: Sequence[float], out: float) -> list[float] | None:
    """Return each partial derivative; nan for one that is a number in special cases alone."""
    if not all(map(math.isfinite, (*operands, out))):
        return None
    if op in COMPARE:
        return [0.0, 0.0]
    if op.startswith("sum"):
        return [1.0] * len(operands)
    if op == "dot":
        half = len(operands) // 2
        return [*operands[half:], *operands[:half]]
    if op == "div":
        x, y = operands
        by_y = -x / y / y if 1e-290 < abs(y) < 1e290 else nan
        return [1.0 / y, by_y] if not x or 1e-290 < abs(by_y) < 1e290 else None
    if op not in EXACT:
        found = [rule(out, *operands) for rule in gradwalk.ops.BY_NAME[op].partials]
        return found if all(map(math.isfinite, found)) else None
    with mp.workdps(30):
        slopes: list[float] = []
        for rule in EXACT[op][1:]:
            try:
                exact = rule(*map(mpf, operands))
            except (ZeroDivisionError, ValueError):
                return None
            if not isinstance(exact, mpf) or not mp.isfinite(exact):
                if op != "pow" or not slopes:
                    return None
                exact = mp.nan  # by the exponent, of a negative base: as a rule it is a number
            slope = float(exact)
            if exact == exact and exact and not 1e-290 < abs(slope) < 1e290:
                return None
            slopes.append(slope)
    return slopes


# ── Running one ──────────────────────────────────────────────────────────────────────────────


@dataclass
class Case:
    """A function with its points."""

    function: Function
    points: list[Point]


def make(draws: Draws, _options: Any) -> Case:
    function = write_function(draws)
    draws.part()
    return Case(function, write_points(draws, function))


def levels() -> list[str]:
    """Return the kernel levels that this processor and this build have."""
    choose = getattr(backends.replay, "kernels", None)
    if choose is None:
        return [""]
    present = choose()
    found: list[str] = []
    for name in ("base", "avx2", "avx512"):
        with suppress(ValueError):  # a level that this processor lacks
            choose(name)
            found.append(name)
    choose(present)
    return found


def examine(case: Case, counts: Counter[str], options: Any, only: str = "") -> None:
    """Raise MismatchError at the first thing that a compiled function does not do as Python does.

    `whole` returns the rough outputs and the result, `last` the result alone, for its gradient.
    """
    targets = options.target or TARGETS
    whole, last = [made(case.function.source("f", whole=each), MODULES) for each in (True, False)]
    oracle = Oracle(case.function)
    right: set[tuple[int, bytes]] = set()  # rows with outputs that were found right

    def check(row: int, outputs: Any) -> None:
        counts["results"] += len(outputs)
        key = (row, struct.pack(f"{len(outputs)}d", *outputs))
        if key not in right:
            wanted = oracle.run(case.points[row], outputs)
            if bits(wanted) != bits(outputs[-1]):
                raise MismatchError("", f"{outputs[-1]!r} should be {wanted!r}")
            right.add(key)

    def check_gradient(row: int, outputs: Any, value: float, grads: Any) -> None:
        if not oracle.rough and bits(value) != bits(outputs[-1]):
            raise MismatchError("", f"value {value!r} should be {outputs[-1]!r}")
        counts["gradients"] += judge_gradient(oracle, case.points[row], outputs, grads)

    def by_calls(compiled: Any, graded: Any) -> Iterator[int]:
        for row, point in enumerate(case.points[:4]):
            yield row
            outputs = listed(compiled(*point))
            check(row, outputs)
            if graded is not None and row < 2:
                value, grads = graded.value_and_grad(*point)
                check_gradient(row, outputs, value, joined([*grads.values()]))

    def by_map(compiled: Any, graded: Any) -> Iterator[int]:
        yield 0
        arguments = columns(case.points)
        found = [compiled.map(*arguments, threads=n) for n in (1, 2)]
        if not np.array_equal(*found, equal_nan=True):
            raise MismatchError("", "two threads give other numbers than one", "threads")
        rows = np.asarray(found[0]).reshape(len(case.points), -1).tolist()
        for row, outputs in enumerate(rows):
            yield row
            check(row, outputs)
        if graded is not None:
            values, grads = graded.map.value_and_grad(*arguments, threads=1)
            for row in range(min(3, len(case.points))):
                yield row
                one = [np.asarray(grads[name])[row].tolist() for name in grads]
                check_gradient(row, rows[row], float(values[row]), joined(one))

    for where in [only] if only else places(targets):
        target, _, level = where.partition(" ")
        if level:
            _backend.kernels(level)
        backends.replay = interpreter if target == "reference" else _backend
        row = 0
        try:
            compiled = gradwalk.compile(whole, fast=options.fast)
            graded = gradwalk.compile(last, fast=options.fast) if "gradient" in targets else None
            for row in (by_map if target == "map" else by_calls)(compiled, graded):  # noqa: B007
                pass
        except MismatchError as wrong:
            raise MismatchError(where, wrong.words, wrong.sort, row) from None
        except Exception as error:
            raise MismatchError(where, f"{type(error).__name__}: {error}", "error", row) from error
        finally:
            backends.replay = _backend


_backend = backends.replay


def places(targets: Sequence[str]) -> Iterator[str]:
    for target in ("single", "map"):
        if target in targets:
            for level in levels() if _backend is not interpreter else [""]:
                yield f"{target} {level}".strip()
    if "reference" in targets:
        yield "reference"


def listed(result: Any) -> list[float]:
    return result if isinstance(result, list) else [result]


def joined(parts: Sequence[Any]) -> list[float]:
    return [x for part in parts for x in (part if isinstance(part, list) else [part])]


def columns(points: list[Point]) -> list[Any]:
    """Return arguments for map: what all points share as it is, anything else as an array."""
    arguments: list[Any] = []
    for place, column in enumerate(zip(*points, strict=True)):
        first = [bits(x) for x in joined([column[0]])]
        shared = all([bits(x) for x in joined([other])] == first for other in column)
        arguments.append(column[0] if shared and place else np.array(column))
    return arguments


def judge_gradient(
    oracle: Oracle, point: Point, outputs: Sequence[float], grads: Sequence[float]
) -> int:
    """Raise MismatchError where a gradient is off; return how many could be judged."""
    oracle.run(point, outputs)
    wanted = oracle.slopes()
    if wanted is None:
        return 0
    for place, (found, right, most) in enumerate(zip(grads, *wanted, strict=True)):
        if abs(found - right) <= most:
            continue
        # Functions may have had other last bits on the way to the gradient than to the outputs.
        if oracle.rough and abs(found - right) <= most + spread(oracle, point, outputs, place):
            continue
        words = f"by input {place}: {found!r} should be {right!r} ± {most:.2g}"
        raise MismatchError("", words, "gradient")
    return len(grads)


def spread(oracle: Oracle, point: Point, outputs: Sequence[float], place: int) -> float:
    """Return how far a gradient moves when functions have other last bits."""
    rng, found = Random(0), []
    for _ in range(8):
        shaken = [
            x * (1 + rng.choice((-2, -1, 0, 1, 2)) * EPSILON) if math.isfinite(x) else x
            for x in outputs
        ]
        oracle.run(point, shaken, check=False)
        judged = oracle.slopes()
        if judged is None:
            return inf
        found.append(judged[0][place])
    return 4 * (max(found) - min(found)) if found else inf


# ── Telling ──────────────────────────────────────────────────────────────────────────────────


def script(case: Case, mismatch: MismatchError, options: Any) -> str:
    point = case.points[mismatch.row]
    target, _, level = mismatch.where.partition(" ")
    gradient = mismatch.sort == "gradient"
    call = ".value_and_grad" if gradient else ""
    lines = ["import math", "", "import numpy as np", "from numpy import array, inf, nan", ""]
    lines += ["import gradwalk", "", case.function.source("f", whole=not gradient), ""]
    lines.append(f"compiled = gradwalk.compile(f{', fast=True' if options.fast else ''})")
    if level:
        lines.append(f"gradwalk.program.backends.replay.kernels({level!r})")
    if target == "reference":
        lines.append("from gradwalk.program import backends, interpreter")
        lines.append("backends.replay = interpreter")
    if target == "map":
        lines.append(f"print(compiled.map{call}({', '.join(map(repr, columns(case.points)))}))")
        lines.append(f"# look at row {mismatch.row}")
    else:
        lines.append(f"print(compiled{call}({', '.join(map(repr, point))}))")
    if not gradient:
        lines.append(f"print(f({', '.join(map(repr, point))}))  # Python")
    return "\n".join(lines)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target", action="append", choices=TARGETS, help="what to compare, repeatable (all)"
    )
    parser.add_argument("--fast", action="store_true", help="see what compile(fast=True) costs")
