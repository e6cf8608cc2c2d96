#!/usr/bin/env python3
"""Writes docs/edges.md from the operation table: kinks, poles and the ends of the doubles.

`python tools/edges.py` writes it, `--print` prints it; tests/test_ops.py says when it is stale.
"""

import sys
from pathlib import Path

from gradwalk import ops

PAGE = Path(__file__).resolve().parent.parent / "docs" / "edges.md"

INTRODUCTION = """\
# Kinks and edges

Where calculus or real numbers leave a choice, every engine makes the one below. Each row is data
in `gradwalk.ops`, this page is written from it by `tools/edges.py`, and a test checks each row
exactly, the sign of a zero included.

Three rules cover what is not listed. Numbers are IEEE doubles: an overflow is `inf`, what has no
real value is `nan`, and nothing raises. At a corner the slope is one that lies between those of the
two sides. At a jump, and where a function is flat, it is 0.

A node whose gradient is 0 pushes nothing, so a `nan` or `inf` in this table only spreads to what is
really reached. In particular `x / y` is recorded as `x * y**-1`: with `x` at 0 the power receives
the gradient 0, and `y` keeps 0 where the formula alone gives `nan`.

## Selection

`where`, `maximum`, `minimum`, `relu`, `leaky_relu` and `clip` pass nothing to the side not taken, and
`floor` and `sign` pass nothing at all. This holds for every incoming gradient: `0 * inf` is not
computed, so an infinite or `nan` gradient reaches only the side that was taken. PyTorch does the same.
`abs` at 0 multiplies by its slope 0, so an infinite gradient becomes `nan` there, as in PyTorch.

## The ends of the doubles

A slope is right wherever it is itself a double, also where a factor of its formula is not. The
operations that need more than their formula for this:

| operation | where | what is done |
|---|---|---|
| `x / y` | `y` is finite, not 0, and below `2**-511` or above `2**511` in size | one division node with slopes `1 / y` and `-(x / y) / y`, because `y**-1` or `y**-2` is not a normal double; elsewhere `x * y**-1`, to the bit |
| `x ** y` | `x**(y - 1)` or `x**y` is not a normal double | the power is multiplied in by halves |
| `atan(x)` | `x` is above `2**511` in size | `1 / x / x` |
| `atan2(y, x)` | the distance overflows | both are halved first |
| `hypot(x, y)` | the length overflows or is subnormal | both are scaled first |
| `rmsnorm`, `layernorm` | the cube of the scale is not a normal double | the normalised numbers take its place |

A test draws exponents over the whole range and compares with mpmath. Two limits remain. A local
derivative that is itself beyond the doubles, such as `1 / y` at `y = 1e-310`, is `inf`, even where a small
incoming gradient would bring the product back. The norms square their inputs, so above 1e154 the
square overflows.

## Softmax at infinity

The functions over lists do what PyTorch does:

| function | all inputs `-inf` | the largest is `inf` |
|---|---|---|
| `softmax`, `log_softmax`, `cross_entropy` | `nan` | `nan` |
| `logsumexp` | `-inf`, with slopes `nan` | `inf`, with slope `nan` to the infinite inputs and 0 to the others |
| `logaddexp` of numpy | `-inf`, with slopes `nan` | `inf` |

Some inputs at `-inf` beside a finite one are ordinary: they have share 0. In a model with an unreachable
state the gradient that arrives at `logsumexp` of all `-inf` is 0, and pushes nothing.

## The table

| operation | at | value | slopes | why |
|---|---|---|---|---|
"""


def page() -> str:
    return INTRODUCTION + "".join(line(op, edge) for op in ops.TABLE for edge in op.edges)


def line(op: ops.Op, edge: ops.Edge) -> str:
    call = f" {op.symbol} ".join(op.operands)
    if not op.infix:
        call = f"{op.name}({', '.join(op.operands)})"
    point = zip(op.operands, edge.operands, strict=True)
    at = ", ".join(f"{name} = {number(x)}" for name, x in point)
    slopes = ", ".join(f"`{number(slope)}`" for slope in edge.partials)
    return f"| `{call}` | {at} | `{number(edge.value)}` | {slopes} | {edge.why} |\n"


def number(x: float) -> str:
    """Return a number in full, but 2 for 2.0; the sign of a zero stays."""
    return repr(x).removesuffix(".0")


if __name__ == "__main__":
    if "--print" in sys.argv[1:]:
        print(page(), end="")
    else:
        PAGE.write_text(page(), "utf-8")
