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
