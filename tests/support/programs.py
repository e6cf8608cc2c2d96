"""Random straight-line programs over all operations, and their exact values and gradients.

A program is leaves and steps; a step applies a row of the table to earlier nodes (an int is the
number of one) and constants (a float), or a sum, a dot, a take or a choice to earlier nodes.
`programs(leaves)` is the strategy that makes them, and `seeded(seed)` makes one of a seed.
"""

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st
from mpmath import mp, mpf

import gradwalk
from gradwalk import ops
from support import exact

Step = tuple[str, tuple[int | float, ...]]

DIGITS = 100
STEP = mpf(10) ** -45
ULP = mpf(2) ** -52

# The operations that have operators are used through them.
APPLY: dict[str, Callable[..., Any]] = {
    **ops.BY_NAME,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
    "abs": abs,
}


def _is_plain(numbers: Sequence[Any]) -> bool:
    return all(isinstance(x, (float, int)) for x in numbers)


def _sum(*terms: Any) -> Any:
    return float(sum(terms)) if _is_plain(terms) else gradwalk.sum(terms)


def _dot(*pairs: Any) -> Any:
    w, x = pairs[::2], pairs[1::2]
    if _is_plain(pairs):
        return float(sum([a * b for a, b in zip(w, x, strict=True)]))
    return gradwalk.dot(w, x)


def _take(index: Any, *table: Any) -> Any:
    return gradwalk.take(table, gradwalk.floor(abs(index))) * 1.0  # a node of its own


def _choose(a: Any, b: Any, x: Any, y: Any) -> Any:
    return gradwalk.where(a < b, x, y)


APPLY |= {"sum": _sum, "dot": _dot, "take": _take, "choose": _choose}
ARITY = {**{op.name: op.arity for op in ops.TABLE}, "sum": 3, "dot": 4, "take": 4, "choose": 4}
EXACT = {
    **exact.EXACT,
    "sum": lambda *terms: mp.fsum(terms),
    "dot": lambda *pairs: mp.fdot(zip(pairs[::2], pairs[1::2], strict=True)),
    "take": lambda index, *table: table[int(abs(index))],
    "choose": lambda a, b, x, y: x if a < b else y,
}


class Rounded(NamedTuple):
    """An edge, `position` of `step`, whose operand or its changes are scaled by a hair."""

    step: int
    position: int
    value: Any
    change: Any

    def read(self, nominal: Any, moved: Any) -> Any:
        return nominal * self.value + (moved - nominal) * self.change


def numbers_of(operands, nodes, moved=MappingProxyType({})) -> list[Any]:
    return [moved.get(x, nodes[x]) if isinstance(x, int) else mpf(x) for x in operands]


@dataclass(frozen=True)
class Program:
    leaves: tuple[float, ...]
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        def shown(operand: int | float) -> str:
            return f"n{operand}" if isinstance(operand, int) else repr(operand)

        lines = [f"n{i} = Value({leaf!r})" for i, leaf in enumerate(self.leaves)]
        for i, (name, operands) in enumerate(self.steps, len(self.leaves)):
            lines.append(f"n{i} = {name}({', '.join(map(shown, operands))})")
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.leaves) + len(self.steps)

    def run(self, make_leaf: Callable[[float], Any]) -> list[Any]:
        """Run it on the leaves that `make_leaf` makes; return all nodes, the root last."""
        return self.nodes([make_leaf(leaf) for leaf in self.leaves])

    def root(self, x: Sequence[Any]) -> Any:
        return self.nodes(x)[-1]

    def outputs(self, x: Sequence[Any]) -> list[Any]:
        """Return the root, a node in the middle, the root again and a leaf."""
        nodes = self.nodes(x)
        return [nodes[-1], nodes[len(nodes) // 2], nodes[-1], nodes[0]]

    def nodes(self, x: Sequence[Any]) -> list[Any]:
        nodes = list(x)
        for name, operands in self.steps:
            nodes.append(APPLY[name](*[nodes[x] if isinstance(x, int) else x for x in operands]))
        return nodes

    def exact(self) -> list[Any]:
        """Return all nodes in mpmath."""
        nodes = [mpf(leaf) for leaf in self.leaves]
        for name, operands in self.steps:
            nodes.append(EXACT[name](*numbers_of(operands, nodes)))
        return nodes

    def root_when(self, nodes, moved, rounded=None) -> Any:
        """Return the exact root when some nodes have other values than they have in `nodes`."""
        moved = dict(moved)
        first = min([*moved, *([rounded.step] if rounded else [])], default=len(self))
        for i, (name, operands) in enumerate(self.steps, len(self.leaves)):
            reads_moved = any(isinstance(x, int) and x in moved for x in operands)
            if i < first or i in moved or not (reads_moved or (rounded and rounded.step == i)):
                continue
            numbers = numbers_of(operands, nodes, moved)
            if rounded and rounded.step == i:
                place = rounded.position
                numbers[place] = rounded.read(numbers_of(operands, nodes)[place], numbers[place])
            moved[i] = EXACT[name](*numbers)
        return moved.get(len(self) - 1, nodes[-1])

    def slopes(self, nodes, targets, rounded=None) -> list[Any]:
        """Return the exact root and d root / d target for each target.

        A difference over a step of 1e-45 in 100 digits is right to 40: no derivative rule is used.
        """
        here = self.root_when(nodes, {}, rounded)
        there = [self.root_when(nodes, {t: nodes[t] + STEP}, rounded) for t in targets]
        return [here, *[(root - here) / STEP for root in there]]

    def rounding(self, nodes: Sequence[Any], targets: Sequence[int]) -> list[float]:
        """Return, for what `slopes` returns, how far one rounding everywhere can move it.

        The first-order bound. Each edge in turn reads its operand an ulp too large, or passes on
        the operand's changes an ulp too large, as a rounded local gradient would; what that does
        to the exact results is added up by size. Where paths cancel, it is large beside the result.
        """
        true = self.slopes(nodes, targets)
        moves = [abs(true[0]) * ULP] + [mpf(0)] * len(targets)
        for i, (_, operands) in enumerate(self.steps, len(self.leaves)):
            for position in range(len(operands)):
                for value, change in ((1 + ULP, 1), (1, 1 + ULP)):
                    off = self.slopes(nodes, targets, Rounded(i, position, value, change))
                    moves = [m + abs(o - t) for m, o, t in zip(moves, off, true, strict=True)]
        return [float(move) for move in moves]


# ── Making them ──────────────────────────────────────────────────────────────────────────────
# A step is kept where it is smooth and its value moderate; otherwise the next row of the table that
# is both takes its place. At kinks and edges the table decides: tests/test_ops.py holds it to that.

CONSTANTS = (-2.0, -1.0, -0.5, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0)

_SMOOTH: dict[str, Callable[..., bool]] = {
    "pow": lambda x, y: 1e-2 < x < 20 and abs(y) < 5,
    "div": lambda x, y: abs(y) > 1e-2,
    "abs": lambda x: abs(x) > 1e-6,
    "sqrt": lambda x: x > 1e-3,
    "log": lambda x: x > 1e-3,
    "log1p": lambda x: x > -0.99,
    "tan": lambda x: abs(math.cos(x)) > 0.05,
    "asin": lambda x: abs(x) < 0.99,
    "acos": lambda x: abs(x) < 0.99,
    "atan2": lambda y, x: abs(y) > 1e-3,
    "relu": lambda x: abs(x) > 1e-6,
    "leaky_relu": lambda x, slope: abs(x) > 1e-6,
    "maximum": lambda x, y: abs(x - y) > 1e-6,
    "minimum": lambda x, y: abs(x - y) > 1e-6,
    "where": lambda condition, x, y: abs(condition) > 1e-6,
    "clip": lambda x, low, high: low < high and min(abs(x - low), abs(x - high)) > 1e-6,
    "hypot": lambda x, y: abs(x) > 1e-3,
    "floor": lambda x: abs(x - round(x)) > 1e-6,
    "sign": lambda x: abs(x) > 1e-6,
    "log2": lambda x: x > 1e-3,
    "log10": lambda x: x > 1e-3,
    "cbrt": lambda x: abs(x) > 1e-3,
    "acosh": lambda x: x > 1.01,
    "atanh": lambda x: abs(x) < 0.99,
    "floordiv": lambda x, y: abs(y) > 1e-2 and abs(x / y - round(x / y)) > 1e-4,
    "mod": lambda x, y: abs(y) > 1e-2 and abs(x / y - round(x / y)) > 1e-4,
    "gamma": lambda x: x > 1e-2,
    "lgamma": lambda x: x > 1e-2,
    "digamma": lambda x: x > 1e-2,
    "polygamma": lambda order, x: False,  # its order is a whole number and has no slope
    "take": lambda index, *table: abs(index) < 2.99 and abs(index - round(index)) > 1e-6,
    "choose": lambda a, b, x, y: abs(a - b) > 1e-6,
}


def programs(leaves: int) -> st.SearchStrategy[Program]:
    numbers = st.floats(-3, 3, allow_subnormal=False).map(lambda x: round(x, 6))
    # Three bytes a step: the operation, and two that choose its operands.
    sizes = st.integers(2, 18).map(lambda steps: 3 * steps)
    codes = sizes.flatmap(lambda size: st.binary(min_size=size, max_size=size))
    return st.builds(_build, st.tuples(*[numbers] * leaves), codes)


def seeded(seed: int) -> Program:
    random = Random(seed)
    leaves = [round(random.uniform(-2.5, 2.5), 6) or 0.5 for _ in range(random.randint(1, 6))]
    return _build(tuple(leaves), random.randbytes(3 * random.randint(3, 30)))


def _build(leaves: tuple[float, ...], code: bytes) -> Program:
    with mp.workdps(20):  # enough to tell where a step is smooth
        nodes = [mpf(leaf) for leaf in leaves]
        steps: list[Step] = []
        unread = list(range(len(leaves)))

        def append(candidates: Iterable[Step]) -> None:
            outcomes = ((step, _moderate(step, nodes)) for step in candidates)
            step, number = next(outcome for outcome in outcomes if outcome[1] is not None)
            steps.append(step)
            read = {x for x in step[1] if isinstance(x, int)}  # a constant 3.0 is not node 3
            unread[:] = [x for x in unread if x not in read] + [len(nodes)]
            nodes.append(number)

        for which, left, right in zip(code[::3], code[1::3], code[2::3], strict=True):
            first = unread[0] if left % 2 else left // 2 % len(nodes)
            operands = (first, _operand(right, len(nodes)), _operand(left ^ right, len(nodes)))
            listed = (first, right % len(nodes), (left ^ right) % len(nodes), left % len(nodes))
            names = [*[*ARITY][which % len(ARITY) :], *ARITY]
            append(
                (name, (operands if name in ops.BY_NAME else listed)[: ARITY[name]])
                for name in names
            )
        while len(unread) > 1:  # so that every node takes part
            x, y, *_ = unread
            names = ("mul", "sub", "add", "hypot") if len(nodes) % 2 else ("sub", "hypot")
            append([*[(name, (x, y)) for name in names], ("where", (1.0, x, y))])
    return Program(leaves, tuple(steps))


def _operand(byte: int, count: int) -> int | float:
    """One operand in four is a constant; the others are any earlier node."""
    return CONSTANTS[byte // 4 % len(CONSTANTS)] if byte % 4 == 3 else byte // 4 % count


def _moderate(step: Step, nodes: Sequence[Any]) -> Any:
    """Return the step's value, or None where it is not smooth or not moderate."""
    name, operands = step
    numbers = numbers_of(operands, nodes)
    smooth = _SMOOTH.get(name)
    if smooth and not smooth(*map(float, numbers)):
        return None
    if name in {"exp", "expm1", "sinh", "cosh"} and abs(numbers[0]) > 9:
        return None
    number = EXACT[name](*numbers)
    return number if abs(number) < 1e4 else None
