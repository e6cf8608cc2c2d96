#!/usr/bin/env python3
"""Writes docs/accuracy.md: how far the functions of compiled programs are from mpmath, at their worst.

`python tools/accuracy.py` measures 20,000 points per function, on each kind of kernel that this processor
has, and writes the page; `--print` prints it; `--points N` takes fewer. It takes some minutes.
tests/test_program_functions.py says when a figure no longer holds.
"""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "accuracy.md"
LEVELS = ("base", "avx2", "avx512")

INTRODUCTION = """\
# Accuracy of functions

`+ - * /` and `sqrt` of a compiled function are rounded as IEEE prescribes. The other functions are within 2
units in the last place (ulp) of the true result, and so are their derivatives. The table has the
largest errors among {points} points per function, measured against mpmath by `tools/accuracy.py`: doubles of
every exponent, subnormal numbers, and many near zeros, poles, kinks and whole numbers. 0.5 is the best that
any rounded result can have.

A single call takes most values from the C library, glibc {glibc} here, as Python's `math` does. `map` and lists of
numbers take vector functions of gradwalk's own, the figures of which are the worst of the kernels {levels}.
So a single call and `map` can differ by the sum of their errors. `compile(fast=True)` stays within the
same bound.

| function | single call: value | derivatives | `map`: value | derivatives |
|---|---|---|---|---|
"""

REMARKS = """
Some results are exact: `log2` at powers of 2, `log10` at powers of 10, `cbrt` at cubes, `exp2` at whole numbers.

What is not in the table:

- `hypot` and `dist` of more than two numbers are trees of `hypot` of two: 0.8 ulp for each level of the tree.
- `math.fsum` of recorded values is correctly rounded unless its terms cancel to less than 1e-48 of the largest.
- The derivative of `x**n` for a fixed `n` is `n` times a power: two roundings, and where the power is subnormal,
  `n` times half of the least double.
- `softmax`, `logsumexp` and their kin are made of the functions above, and of sums.
- The eager engines take their derivatives from the rules in `gradwalk.ops`, which are held to 16 ulp, and in
  the far tails of `erf`, `erfc` and `gelu` to the rounding of x².
"""


def measured(points: int) -> dict[str, list[float]]:
    """Return by function the largest errors: value and derivatives of single calls, then of map."""
    worst: dict[str, list[float]] = {}
    for level in LEVELS:
        environment = os.environ | {"GRADWALK_KERNELS": level}
        command = [sys.executable, __file__, "--level", level, "--points", str(points)]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False)
        if done.returncode == 0:
            for name, row in json.loads(done.stdout).items():
                kept = worst.setdefault(name, row)
                worst[name] = [max(pair) for pair in zip(kept, row, strict=True)]
    return worst


def measure(points: int, level: str) -> dict[str, list[float]]:
    sys.path.insert(0, str(ROOT / "tests"))
    from support import accuracy

    rows: dict[str, list[float]] = {}
    for name, case in accuracy.CASES.items():
        at = accuracy.points(name, points)
        true = [accuracy.truth(exact, at) for exact in case.exact]
        runs = [accuracy.mapped(name, at)]
        runs.insert(0, accuracy.single_calls(name, at) if level == LEVELS[0] else runs[0])
        far = [
            [float(accuracy.units(got, exact).max()) for got, exact in zip(run, true, strict=True)]
            for run in runs
        ]
        if level != LEVELS[0]:
            far[0] = [0.0] * len(true)
        rows[name] = [figure for run in far for figure in (run[0], max(run[1:]))]
    return rows


def page(points: int) -> str:
    levels = "base, AVX2 and AVX-512"
    glibc = os.confstr("CS_GNU_LIBC_VERSION").split()[-1]  # pyright: ignore[reportOptionalMemberAccess]
    introduction = INTRODUCTION.format(points=f"{points:,}", glibc=glibc, levels=levels)
    rows = [
        f"| `{name}` | " + " | ".join(f"{math.ceil(x * 100) / 100:.2f}" for x in figures) + " |\n"
        for name, figures in measured(points).items()
    ]
    return introduction + "".join(rows) + REMARKS


def figures(text: str) -> dict[str, list[float]]:
    """Return the figures of a page by function."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", text, re.MULTILINE)
    return {name: [float(x) for x in numbers.split("|")] for name, numbers in rows}


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count = int(arguments[arguments.index("--points") + 1]) if "--points" in arguments else 20_000
    if "--level" in arguments:
        print(json.dumps(measure(count, arguments[arguments.index("--level") + 1])))
    elif "--print" in arguments:
        print(page(count), end="")
    else:
        PAGE.write_text(page(count), "utf-8")
