"""The mutants of `x.py mutate`: one derivative rule, or one line of the engine, broken.

A mutant that changes nothing at any sampled point, like the sign flip of a slope of 0, is no mutant
and is left out.
"""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]
os.environ["GRADWALK_BACKEND"] = "python"  # the rules that are broken are the reference's

from mutants import Group, Mutant, Options  # noqa: E402
from mutants_code import by_text  # noqa: E402
from support import exact  # noqa: E402
from support.bits import same  # noqa: E402

from gradwalk import ops  # noqa: E402

ENOUGH = 0.95
SECONDS = 120

TESTS = ["tests/test_ops.py", "tests/test_engine.py", "tests/test_engine_operators.py"]
ENGINE_TESTS = [*TESTS[1:], "tests/test_modes.py", "tests/test_copying.py"]

Rule = Callable[..., Any]

WAYS: dict[str, Callable[[Rule, ops.Op], Rule]] = {
    "sign flipped": lambda rule, op: lambda *at: rule(*at) * -1.0,
    "doubled": lambda rule, op: lambda *at: rule(*at) * 2.0,
    "a millionth off": lambda rule, op: lambda *at: rule(*at) * 1.000001,
    "0.001 added": lambda rule, op: lambda *at: rule(*at) + 0.001,
    "always 0": lambda rule, op: lambda *at: 0.0,
    "always 1": lambda rule, op: lambda *at: 1.0,
    "operands swapped": lambda rule, op: (
        (lambda out, x, y, *rest: rule(out, y, x, *rest)) if op.arity > 1 else rule
    ),
    "wrong at its edges": lambda rule, op: (
        lambda out, *at: 0.123 if any(same(at, e.operands) for e in op.edges) else rule(out, *at)
    ),
}

# file, line as it stands, line as it must not be, what that breaks
ENGINE = [
    ("reference", "child._grad += local * incoming", "child._grad = local * incoming", "= for +="),
    ("reference", "root._grad += seed", "root._grad += 2.0", "seeded with 2"),
    ("reference", "root._grad += seed", "root._grad = seed", "a leaf's backward does not add up"),
    ("reference", "if child in visited:", "if False:", "no visited set"),
    ("reference", "for node in reversed(order):\n            incoming",
     "for node in order:\n            incoming", "walked forward"),
    ("reference", "if incoming == 0.0 or not node._operands:", "if not node._operands:",
     "gradient 0 not skipped"),
    ("reference", "if node._operands:\n                    node._grad = 0.0",
     "if False:\n                    pass", "interior gradients not reset"),
    ("reference", "if node._operands:\n                    node._grad = 0.0",
     "if True:\n                    node._grad = 0.0", "leaves reset too"),
    ("reference", "node._grad = grad\n", "pass\n", "gradients not restored after an interrupt"),
    ("reference", "(self, other), (1.0, 1.0))", "(self, other), (1.0, -1.0))", "wrong rule of +"),
    ("reference", "(self, other), (y, x))", "(self, other), (x, y))", "wrong rule of *"),
    ("reference", "other), (1.0, 0.0))", "other), (1.0, 1.0))", "a constant gets a gradient by +"),
    ("reference", "other), (other._data, 0.0))", "other), (x, 0.0))", "wrong rule of * a constant"),
    ("reference", 'self * other**-1.0, "/"', 'self * other**-2.0, "/"', "a / b is a / b²"),
    ("reference", "_renamed(self + -other", "_renamed(self + other", "a - b is a + b"),
    ("reference", "self.order.clear()", "pass", "buffers keep their nodes"),
    ("reference", "if buffers._busy:", "if False:", "buffers used twice at once"),
    ("reference", "order.append(node)\n", "order.insert(0, node)\n", "sorted the wrong way"),
    ("reference", "if not math.isfinite(child._grad):", "if False:", "no anomaly in backward"),
    ("reference", "0.0 if x._op == CONST else partial", "partial", "constants receive gradients"),
    ("modes", "block.end()\n        _innermost.set(block.outer)",
     "pass\n        _innermost.set(block.outer)",
     "a task outlives no_grad"),
    ("modes", "_tell_of(block)\n            _innermost.set(block)",
     "_tell_of(block)\n            pass",
     "no_grad never begins"),
    ("modes", "return type(self)()", "return self", "decorated functions share their state"),
    ("copying", "if id(node) not in memo:", "if True:", "deep copies share nothing"),
    ("copying", "value._op, inputs,", "'', inputs,", "copies forget their operation"),
]  # fmt: skip


def groups() -> Iterator[Group]:
    yield Group("rules", TESTS, "python", rules)
    yield Group("engine", ENGINE_TESTS, "python", lines)


def rules(options: Options) -> list[Mutant]:
    chosen = [(op, k, way) for op in ops.TABLE for k in range(len(op.operands)) for way in WAYS]
    named = [(f"d {op.name} / d {op.operands[k]}", op, k, way) for op, k, way in chosen]
    wanted = [row for row in named if options.only in f"{row[0]} {row[3]}"]
    return [_rule(*row) for row in wanted if _changes_something(*row)]


def _rule(name: str, op: ops.Op, operand: int, way: str) -> Mutant:
    def apply() -> None:
        changed = list(op.partials)
        changed[operand] = WAYS[way](changed[operand], op)
        op.partials = tuple(changed)

    def distance(item: pytest.Item) -> tuple[bool, bool, bool] | None:
        """Sort the tests most likely to notice to the front."""
        tested, by = _parameter(item, "op"), _parameter(item, "operand")
        if tested not in (None, op):
            return None
        return tested is None, by is not None and by != operand, "value" in item.name

    return Mutant(name, way, apply, distance=distance)


def _parameter(item: pytest.Item, name: str) -> Any:
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(name) if callspec else None


def _changes_something(name: str, op: ops.Op, operand: int, way: str) -> bool:
    rule = op.partials[operand]
    broken = WAYS[way](rule, op)
    sampled = exact.points(op.name, 20, seed=name)
    points = [*op.probes, *[edge.operands for edge in op.edges], *sampled]
    at = [(op.value(*point), *point) for point in points]
    return not same([rule(*x) for x in at], [broken(*x) for x in at])


def lines(options: Options) -> list[Mutant]:
    rows = [row for row in ENGINE if options.only in f"engine/{row[0]}.py {row[3]}"]
    return [by_text(f"engine/{file}", old, new, way) for file, old, new, way in rows]
