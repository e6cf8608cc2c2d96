"""The figures of the field's problems: gradients beside PyTorch and JAX, and beside a C++ tape.

Answers are PyTorch's, to nine digits, before anything is timed; that of the determinant is numpy's.
The sizes are the GradBench suite's. The C++ tape is CoDiPack: it was measured once, on a machine of
this kind, and its figures stand here as numbers.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import problem_peers
from goals import Figures, Goal, Held, main
from replay import Arena, Part, Process, Size, Tell, _cells, _usual

from gradwalk.bench.gradbench import EVALS

__all__ = ["measure"]

TAPE = {"det": 1.04, "llsq": 1.03, "lse": 1.6, "ode": 3.4, "kmeans": 22.0}  # ms
PRIMAL = {"kmeans": "cost", "gmm": "objective", "lstm": "objective"}
HALF = {"kmeans": 2}  # a gradient and a diagonal of the Hessian, each with its own forward pass


def measure(
    *, quick: bool = False, long: bool = False, steps: int = 0, tell: Tell = print
) -> Figures:
    size = Size(quick, long)
    parts: dict[str, Part] = {}
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(Path(folder), size, problem_peers)
        for case in problem_peers.SIZES:
            tell(f"{case}, {problem_peers.SIZES[case]}")
            parts[case] = problem(arena, case)
    return Figures("problems", _rows(parts), (), parts, _beside(parts))


def problem(arena: Arena, case: str) -> Part:
    """Return what each took for the derivatives of a problem, and gradwalk for its value."""
    data = problem_peers.given(case)
    file = arena.file(case, data)
    if case == "det":
        a = data["A"].reshape(8, 8)
        expected = (np.linalg.det(a) * np.linalg.inv(a).T).ravel().tolist()
    else:
        process, said = Process.begin(case, "PyTorch", file, arena.size.limit, problem_peers)
        if process is None:
            return {"contenders": {"PyTorch": said}}
        process.end()
        expected = said["answer"]
    found = arena.contest(case, data, lambda _: expected)
    part: Part = {"contenders": found}
    if "steady" not in found["gradwalk"]:
        return part
    steady = found["gradwalk"]["steady"]
    part["ms"] = 1e3 * steady
    numbers = {name: array.tolist() for name, array in data.items()}
    given = {**problem_peers.SIZES[case], "gamma": problem_peers._GAMMA, **numbers}
    primal = EVALS[case][PRIMAL.get(case, "primal")](given)
    primal()
    part["over primal"] = steady / min([_usual(primal) for _ in range(arena.size.rounds)])
    for name in ("PyTorch", "JAX"):
        if "steady" in found.get(name, {}):
            part[name] = found[name]["steady"] / steady
    return part


def _rows(parts: dict[str, Part]) -> list[Held]:
    rows: list[Held] = []
    for case, part in parts.items():
        if "ms" not in part:
            continue
        tape = TAPE.get(case)
        goal = None if tape is None else Goal("≤", 3 * tape, tape, " ms")
        rows.append(Held(case + ("" if goal else ", ms"), part["ms"], goal=goal))
        bound = 4 * HALF.get(case, 1)
        rows.append(
            Held("  over the value alone", part["over primal"], goal=Goal("≤", bound, None, "×"))
        )
        if "PyTorch" in part:
            rows.append(Held("  PyTorch over it", part["PyTorch"], goal=Goal("≥", 1, None, "×")))
        if "JAX" in part:
            rows.append(Held("  JAX over it", part["JAX"]))
    return rows


def _beside(parts: dict[str, Part]) -> list[list[str]]:
    table = [["", "first", "then", "ratio", "answer"]]
    for case, part in parts.items():
        found: dict[str, Part] = part["contenders"]
        table.append([case, "", "", "", ""])
        ours = found.get("gradwalk", {}).get("steady", math.nan)
        for name, said in found.items():
            if "missing" not in said:
                first, then, _, ratio, right = _cells(said, said.get("steady"), ours)
                table.append([f"  {name}", first, then, ratio, right])
    return table


if __name__ == "__main__":
    main(measure)
