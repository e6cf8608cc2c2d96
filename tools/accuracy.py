#!/usr/bin/env python3
"""Writes docs/accuracy.md: the largest errors of the functions of compiled programs.

`python tools/accuracy.py` measures 20,000 points per function against mpmath, on each level of
kernels that this processor has, and writes the page. `--print` prints it, `--points N` takes fewer.
tests/test_program_functions.py says when a figure no longer holds.
"""

import contextlib
import importlib
import math
import platform
import re
import sys
from pathlib import Path
from typing import Any

from gradwalk.program import backends

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "accuracy.md"
LEVELS = ("base", "avx2", "avx512")

INTRODUCTION = """\
# Accuracy of functions

`+ - * /` and `sqrt` of a compiled function are rounded as IEEE 754 prescribes. The other functions
and all derivatives are within 2 units in the last place (ulp) of the true result; `gamma` and its
kin are within 6. The table shows the largest errors among {points} points per function, measured
against mpmath by `tools/accuracy.py`: doubles of every exponent, subnormal numbers, and many points
near zeros, poles, kinks and whole numbers. No rounded result can be better than 0.5 in general.

A single call takes most values from the C library, {library} here, as Python's `math` does. `map`
and lists of numbers use gradwalk's vector functions. Their figures are the worst of the kernels
{levels}. A single call and `map` can therefore differ by the sum of their errors.
From one kind of processor to another, a function of `map` differs by at most 2 ulp, and arithmetic
does not differ. `compile(fast=True)` stays within the same bound.

| function | single call: value | derivatives | `map`: value | derivatives |
|---|---|---|---|---|
"""

REMARKS = """
Some results are exact: `log2` at powers of 2, `log10` at powers of 10, `cbrt` at cubes, `exp2` at
whole numbers.

Not in the table:

- `hypot` and `dist` of more than two numbers are trees of `hypot` of two: 0.8 ulp per level.
- `math.fsum` is correctly rounded unless its terms cancel to less than 1e-48 of the largest.
- The derivative of `x**n` for a fixed `n` is `n` times a power. Where the power is subnormal, it is
  off by up to `n` times half of the least double.
- `gamma`, `lgamma`, `digamma` and `polygamma` have the same steps in every engine, which are not
  those of Python's `math`. The table has x > 0. For x < 0, `gamma` is within 8 ulp, and the others
  lose relative accuracy near their zeros.
- `softmax`, `logsumexp` and their kin are made of the functions above and of sums.
- The eager engines take derivatives from the rules in `gradwalk.ops`, which are within 16 ulp.
"""


def measured(points: int) -> tuple[list[str], dict[str, list[float]]]:
    """Return the kernels, and by function the largest errors: of single calls, then of map."""
    sys.path.insert(0, str(ROOT / "tests"))
    accuracy: Any = importlib.import_module("support.accuracy")
    levels: list[str] = []
    for level in LEVELS:
        with contextlib.suppress(ValueError):
            levels.append(backends.replay.kernels(level))
    rows: dict[str, list[float]] = {}
    for name, case in accuracy.CASES.items():
        at = accuracy.points(name, points)
        true = [accuracy.truth(exact, at) for exact in case.exact]

        def far(got: list[Any], true: list[Any] = true) -> list[float]:
            units = [float(accuracy.units(*pair).max()) for pair in zip(got, true, strict=True)]
            return [units[0], max(units[1:])]

        runs: list[list[float]] = []
        for level in levels:
            backends.replay.kernels(level)
            runs.append(far(accuracy.mapped(name, at)))
        rows[name] = [*far(accuracy.single_calls(name, at)), *map(max, *runs)]
    return levels, rows


def page(points: int) -> str:
    levels, errors = measured(points)
    library = " ".join(platform.libc_ver()) or "that of the system"
    introduction = INTRODUCTION.format(
        points=f"{points:,}", library=library, levels=", ".join(levels)
    )
    rows = [
        f"| `{name}` | " + " | ".join(f"{math.ceil(x * 100) / 100:.2f}" for x in figures) + " |\n"
        for name, figures in errors.items()
    ]
    return introduction + "".join(rows) + REMARKS


def figures(text: str) -> dict[str, list[float]]:
    """Return the figures of a page by function."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", text, re.MULTILINE)
    return {name: [float(x) for x in numbers.split("|")] for name, numbers in rows}


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count = int(arguments[arguments.index("--points") + 1]) if "--points" in arguments else 20_000
    if "--print" in arguments:
        print(page(count), end="")
    else:
        PAGE.write_text(page(count), "utf-8")
