"""Random programs by machine code and by the interpreter, bit for bit: `python3 x.py fuzz code`.

`map` over many scenarios runs machine code where the processor has AVX2 or AVX-512. Each seed makes
one program, and runs it both ways with each encoder that this processor has: values, gradients by
scenario, and their sums. Start reading at `examine_program`.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from fuzz import Draws, MismatchError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
native: Any = importlib.import_module("support.replay_library")
ARITY: dict[str, int] = native.ARITY
Library, Plan, Program = native.Library, native.Plan, native.Program

PROGRAMS = 10_000
LEVELS = ("avx2", "avx512")  # for which there is machine code
KINDS = ("functions", "arithmetic", "loops")
SMOOTH = [
    *["exp", "sin", "cos", "tanh", "sigmoid", "softplus", "silu", "gelu", "erf", "erfc"],
    *["atan", "sqrt", "log", "log1p", "expm1", "abs", "relu", "square", "root"],
    *["inverse", "sinh", "cosh", "tan", "maximum", "minimum", "where", "clip"],
    *["leaky_relu", "hypot", "atan2", "pow", "lt", "gt", "floor", "sign", "asin"],
]
LOOPED = [
    *["add", "sub", "mul", "mul", "div", "neg", "sqrt", "maximum", "minimum", "where"],
    *["lt", "relu", "square", "root", "inverse", "abs", "floor", "sign", "clip"],
]


def random_program(library: Any, rng: random.Random, slots: int, size: int) -> Any:
    program = Program(library, slots)
    values = [program.add("input", number=k) for k in range(slots)]
    values += [program.add("const", number=x) for x in (0.5, -1.25, 2.0)]
    for _ in range(size):
        kind = rng.random()
        recent = lambda: rng.choice(values[-12:] if rng.random() < 0.7 else values)  # noqa: E731
        if kind < 0.55:
            name = rng.choice(["add", "mul", "sub", "mul", "add", "neg", "div"])
            made = program.add(name, *(recent() for _ in range(ARITY[name])))
        elif kind < 0.62:
            many = [recent() for _ in range(2 * rng.randint(1, 20))]
            made = program.add(rng.choice(["sum", "dot"]), *many)
            made = program.add("tanh", made)
        elif kind < 0.67:
            most = program.add("const", number=2.99)
            index = program.add("floor", program.add("mul", program.add("sigmoid", recent()), most))
            made = program.add("take", index, *(recent() for _ in range(3)))
        else:
            name = rng.choice(SMOOTH)
            made = program.add(name, *(recent() for _ in range(ARITY[name])))
            if name in ("exp", "sinh", "cosh", "tan", "pow", "inverse", "expm1", "square"):
                made = program.add("tanh", made)
        values.append(made)
    outputs = rng.randint(1, 3)
    return program.results([values[-1 - k] for k in range(outputs)])


def arithmetic_program(library: Any, rng: random.Random, slots: int, size: int) -> Any:
    program = Program(library, slots)
    values = [program.add("input", number=k) for k in range(slots)]
    values += [program.add("const", number=x) for x in (0.1, -3.0, 1e200, 0.0)]
    for _ in range(size):
        name = rng.choice(["add", "sub", "mul", "mul", "div", "neg", "sqrt", "where", "lt"])
        operands = [rng.choice(values[-6:] + values[:3]) for _ in range(ARITY[name])]
        values.append(program.add(name, *operands))
    return program.results(values[-3:])


def looped_program(library: Any, rng: random.Random, rounds: int, each: int) -> Any:
    """A random body, written out for each round, with `each` inputs of its own.

    Operands are values of the rounds before, too. At the end come reads of a few
    rounds, and sometimes one round has a step more than the others.
    """
    program = Program(library, 3 + rounds * each)
    shared = [program.add("input", number=k) for k in range(3)]
    shared += [program.add("const", number=x) for x in (0.5, -1.25, 0.0)]
    shape = [
        (rng.choice(LOOPED), [(rng.choice("vvvics"), rng.random()) for _ in range(2)])
        for _ in range(rng.choice([1, 4, 8, 15]))
    ]
    odd = rng.choice([None, None, None, rng.randrange(rounds)])
    carried: list[int] = shared[:2]
    values: list[int] = []
    made: list[int] = []
    for k in range(rounds):
        inputs = [program.add("input", number=3 + k * each + j) for j in range(each)]
        values = [carried[0]]
        for x in inputs:
            values.append(program.add("add", program.add("mul", values[-1], shared[2]), x))
        for name, operands in shape:
            among = {"s": shared, "v": values, "i": inputs or shared, "c": carried}
            chosen = [among[kind][int(at * len(among[kind]))] for kind, at in operands]
            values.append(program.add(name, *[values[-1], *chosen][: ARITY[name]]))
        if k == odd:
            values.append(program.add("neg", values[-1]))
        # What is carried on stays of ordinary size, so that bits can differ.
        most = program.add("minimum", program.add("add", values[-1], carried[1]), shared[3])
        carried, made = [program.add("maximum", most, shared[4]), carried[0]], [*made, *values[-3:]]
    late: list[int] = [rng.choice(made) for _ in range(rng.choice([0, 0, 1, 3]))]
    late += values if rng.random() < 0.5 else []  # of the last round
    return program.results([carried[0], program.add("sum", *carried, *late)])


def compare(
    library: Any,
    level: str,
    program: Any,
    shared: list[bool],
    wrt: int,
    table: np.ndarray,
) -> int:
    """Compare the bits of both, single results and sums; return the bytes of code for a step.

    In memory the inputs of a scenario are side by side, or the scenarios of an input.
    """
    least = 10**9
    program.passes().gradient(range(wrt))
    layouts = (table, np.asfortranarray(table))
    for sums in (False, True):
        answers: list[list[Any]] = []
        for chosen, rows in product((level, f"{level} code"), layouts):
            columns = [np.asarray(rows[0, k]) if s else rows[:, k] for k, s in enumerate(shared)]
            library.choose(chosen)
            plan = Plan(program, shared, range(wrt), sums=sums)
            status, outputs, grads, totals = plan.run(columns, len(table))
            numbers = [np.where(np.isnan(x), 1e99, x) for x in (outputs, grads, totals)]
            answers.append([status, *[x.tobytes() for x in numbers]])
            assert (plan.sizes["code"] > 0) == (chosen != level)
            if chosen != level:
                least = min(least, plan.sizes["code"] // plan.sizes["steps"])
        assert all(answer == answers[0] for answer in answers)
    library.choose(None)
    return least


def examine_program(library: Any, kind: str, level: str, seed: int) -> int:
    """Make a program of a kind, and compare; return the bytes of code for a step."""
    rng = random.Random(seed)
    slots, shared, wrt, count = 12, 3, 12, 3 * 64 + 5  # whole blocks, and one that is not
    if kind == "functions":
        program = random_program(library, rng, slots, rng.choice([40, 300]))
    elif kind == "arithmetic":
        program, shared = arithmetic_program(library, rng, slots, 200), 1
    else:
        rounds, each = rng.choice([9, 60, 200]), rng.choice([0, 1, 2, 3, 8])
        program = looped_program(library, rng, rounds, each)
        slots, shared, wrt = 3 + rounds * each, 2, rng.choice([0, 3, 3])
    program.ir.contents.fast = rng.random() < 0.3
    table = np.random.default_rng(seed).uniform(-2, 2, (count, slots))
    if rng.random() < 0.3:
        table = np.asfortranarray(table)  # the inputs of a scenario are not side by side
    try:
        return compare(library, level, program, [k < shared for k in range(slots)], wrt, table)
    finally:
        library.choose(None)


# ── The kind ────────────────────────────────────────────────────────────────────────────────────


def make(draws: Draws, _options: Any) -> int:
    return int(draws.start)


def examine(seed: int, counts: Counter[str], _options: Any, _only: str = "") -> None:
    """Compare one program by each encoder that this processor has."""
    module = importlib.import_module("gradwalk.program._replay")
    library = Library(Path(str(module.__file__)), "tested_functions")
    for level in LEVELS:
        if not library.choose(f"{level} code"):
            continue
        try:
            examine_program(library, KINDS[seed % len(KINDS)], level, seed)
        except AssertionError as error:
            raise MismatchError(level, str(error)) from None
        counts[f"by code for {level}"] += 1


def script(seed: int, mismatch: MismatchError, _options: Any) -> str:
    return f"python3 x.py fuzz code --programs 1 --seed {seed}  # {mismatch.where}"


def arguments(_parser: argparse.ArgumentParser) -> None:
    """Add nothing."""
