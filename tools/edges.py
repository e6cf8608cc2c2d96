#!/usr/bin/env python3
"""Writes docs/edges.md from the operation table: kinks, poles and the ends of the doubles; and
the list of functions in docs/expressions.md.

`python tools/edges.py` writes both, `--print` prints the first; tests/test_ops.py and test_expr.py
say when they are stale.
"""

import re
import sys
import textwrap
from pathlib import Path

from gradwalk import ops
from gradwalk.expr import FUNCTIONS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, EXPRESSIONS = DOCS / "edges.md", DOCS / "expressions.md"

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

`where`, `maximum`, `minimum`, `relu`, `leaky_relu` and `clip` pass nothing to the side not taken,
and `floor` and `sign` pass nothing at all. This holds for every incoming gradient: `0 * inf` is not
computed, so an infinite or `nan` gradient reaches only the side that was taken. PyTorch does the
same. `abs` at 0 multiplies by its slope 0, so an infinite gradient becomes `nan` there, as in
PyTorch.

## The ends of the doubles

A slope is right wherever it is itself a double, also where a factor of its formula is not. The
operations that need more than their formula for this:

- `x / y`: where `y` is finite, not 0, and its size is below `2**-511` or above `2**511`, then
  `y**-1` or `y**-2` is not a normal double. The quotient is one division node there, with slopes
  `1 / y` and `-(x / y) / y`. Elsewhere it is `x * y**-1`, to the bit.
- `x ** y`: where `x**(y - 1)` or `x**y` is not a normal double, it is multiplied in by halves.
- `atan(x)`: above `2**511` in size the slope is `1 / x / x`.
- `atan2(y, x)`: where the distance overflows, both are halved first.
- `hypot(x, y)`: where the length overflows or is subnormal, both are scaled first.
- `rmsnorm`, `layernorm`: where the cube of the scale is not a normal double, the slopes are
  computed from the normalised numbers.

A test draws exponents over the whole range and compares with mpmath. Two limits remain. A local
derivative that is itself beyond the doubles, such as `1 / y` at `y = 1e-310`, is `inf`, even where
a small incoming gradient would bring the product back. The norms square their inputs, so above
1e154 the square overflows.

## Softmax at infinity

The functions over lists do what PyTorch does:

- Where all inputs are `-inf`, or the largest is `inf`, `softmax`, `log_softmax` and
  `cross_entropy` are `nan`.
- `logsumexp` of all `-inf` is `-inf`, with slopes `nan`. Where the largest is `inf` it is `inf`,
  with slope `nan` to the infinite inputs and 0 to the others.
- `logaddexp(-inf, -inf)` is `-inf`, with slopes `nan`.

Inputs at `-inf` beside a finite one are ordinary: they have share 0. In a model with an unreachable
state the gradient that arrives at the `logsumexp` of all `-inf` is 0, so it pushes nothing.

## Sums over scenarios

With `reduce="sum"` or `"mean"`, each part of a gradient is added up over all scenarios before the
parts are added to each other. Where parts cancel in every scenario, this loses digits. An example
is `w*x - w*y` with `x` and `y` near 1e8 and 1e-4 apart: the parts of the gradient by `w` are `x`
and `-y`, and their sums over 4,000 scenarios are rounded to 1e-6. Write `w*(x - y)`, or leave
`reduce` out and add up the rows: `math.fsum(grads["w"])`. A row is one scenario's gradient, whose
parts are added first.

## The table

| operation | at | value | slopes | why |
|---|---|---|---|---|
"""


def page() -> str:
    return INTRODUCTION + "".join(line(op, edge) for op in ops.TABLE for edge in op.edges)


def expressions() -> str:
    """Return docs/expressions.md with the functions of today's table."""
    names = textwrap.fill(" ".join(sorted(FUNCTIONS)), 80)
    text = EXPRESSIONS.read_text("utf-8")
    return re.sub(r"(sorted\(FUNCTIONS\)\), 80\)\)\n).*?\n\n", rf"\1{names}\n\n", text, flags=re.S)


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
        EXPRESSIONS.write_text(expressions(), "utf-8")
