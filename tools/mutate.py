#!/usr/bin/env python3
"""Breaks each derivative rule, and the engine itself, in turn: the tests must notice.

    python3 x.py mutate                 all mutants; exit code 1 when fewer than 95 % are caught
    python3 x.py mutate --only tanh     those whose name contains this
    python3 x.py mutate --json

Two kinds. A rule mutant replaces one partial derivative of one row of `gradwalk.ops` by a wrong
one. pytest collects the tests once; each mutant then gets a fork of that process, breaks the rule
there and runs the tests until one fails, those of its operation first. An engine mutant is a line
changed in a copy of the package, which a pytest of its own imports. A mutant that changes nothing
at any sampled point, like the sign flip of a slope of 0, is no mutant and is left out.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
os.environ["GRADWALK_BACKEND"] = "python"  # the rules that are broken are the reference's

from support import exact  # noqa: E402
from support.bits import same  # noqa: E402

import gradwalk  # noqa: E402
from gradwalk import ops  # noqa: E402

ENOUGH = 0.95
SECONDS = 120  # a mutant that takes longer hangs, which is being noticed too

RULE_TESTS = ["tests/test_ops.py", "tests/test_engine.py", "tests/test_engine_operators.py"]
ENGINE_TESTS = [*RULE_TESTS[1:], "tests/test_modes.py", "tests/test_copying.py"]

# ── What to break ────────────────────────────────────────────────────────────────────────────

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
    ("reference", "self._grad += seed", "self._grad += 2.0", "seeded with 2"),
    ("reference", "self._grad += seed", "self._grad = seed", "a leaf's backward does not add up"),
    ("reference", "if child in visited:", "if False:", "no visited set"),
    ("reference", "for node in reversed(order):\n                    incoming",
     "for node in order:\n                    incoming", "walked forward"),
    ("reference", "if incoming == 0.0 or not node._children:", "if not node._children:",
     "gradient 0 not skipped"),
    ("reference", "if node._children:\n                            node._grad = 0.0",
     "if False:\n                            pass", "interior gradients not reset"),
    ("reference", "if node._children:\n                            node._grad = 0.0",
     "if True:\n                            node._grad = 0.0", "leaves reset too"),
    ("reference", "node._grad = grad\n", "pass\n", "gradients not restored after an interrupt"),
    ("reference", "(self, other), (1.0, 1.0))", "(self, other), (1.0, -1.0))", "wrong rule of +"),
    ("reference", "(self, other), (y, x))", "(self, other), (x, y))", "wrong rule of *"),
    ("reference", "other), (1.0, 0.0))", "other), (1.0, 1.0))", "a constant gets a gradient by +"),
    ("reference", "other), (other._data, 0.0))", "other), (x, 0.0))", "wrong rule of * a constant"),
    ("reference", 'self * other**-1.0, "/"', 'self * other**-2.0, "/"', "a / b is a / b²"),
    ("reference", "_renamed(self + -other", "_renamed(self + other", "a - b is a + b"),
    ("reference", "self.order.clear()", "pass", "buffers keep their nodes"),
    ("reference", "if self._busy:", "if False:", "buffers used twice at once"),
    ("reference", "order.append(node)\n", "order.insert(0, node)\n", "sorted the wrong way"),
    ("reference", "if not math.isfinite(child._grad):", "if False:", "no anomaly in backward"),
    ("reference", "0.0 if x._op == CONST else partial", "partial", "constants receive gradients"),
    ("modes", "block.flags = 0", "pass", "a task outlives no_grad"),
    ("modes", "_innermost.set(block)", "pass", "no_grad never begins"),
    ("modes", "return type(self)()", "return self", "decorated functions share their state"),
    ("copying", "if id(node) not in memo:", "if True:", "deep copies share nothing"),
    ("copying", "value._op, inputs,", "'', inputs,", "copies forget their operation"),
]  # fmt: skip


class Mutant(NamedTuple):
    name: str
    way: str
    op: ops.Op | None = None
    operand: int = 0
    file: str = ""
    old: str = ""
    new: str = ""


def mutants() -> Iterator[Mutant]:
    for op in ops.TABLE:
        for operand, name in enumerate(op.operands):
            for way in WAYS:
                mutant = Mutant(f"d {op.name} / d {name}", way, op, operand)
                if changes_something(mutant):
                    yield mutant
    for file, old, new, way in ENGINE:
        yield Mutant(f"engine/{file}.py", way, None, 0, file, old, new)


def broken_rule(mutant: Mutant) -> Rule:
    assert mutant.op
    return WAYS[mutant.way](mutant.op.partials[mutant.operand], mutant.op)


def changes_something(mutant: Mutant) -> bool:
    op, broken = mutant.op, broken_rule(mutant)
    assert op
    sampled = exact.points(op.name, 20, seed=mutant.name)
    points = [*op.probes, *[edge.operands for edge in op.edges], *sampled]
    at = [(op.value(*point), *point) for point in points]
    return not same([op.partials[mutant.operand](*x) for x in at], [broken(*x) for x in at])


# ── Who notices ──────────────────────────────────────────────────────────────────────────────


def noticed_rules(rules: list[Mutant], jobs: int) -> dict[Mutant, bool]:
    """Collect the tests once, then run them in one fork for each mutant."""
    runner = _Forks(rules, jobs)
    quiet = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", "--no-summary"]
    code = pytest.main([*quiet, *[str(ROOT / test) for test in RULE_TESTS]], plugins=[runner])
    if runner.problem:
        sys.exit(f"mutate: {runner.problem}; pytest ended with {code!r}")
    return runner.noticed


class _Forks:
    """A pytest plugin in place of the loop that runs the tests."""

    def __init__(self, rules: list[Mutant], jobs: int) -> None:
        self.rules = rules
        self.jobs = jobs
        self.noticed: dict[Mutant, bool] = {}
        self.problem = "the tests could not be collected"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        mutated = {mutant.op for mutant in self.rules}
        items = [item for item in session.items if parameter(item, "op") in {None, *mutated}]
        if self._fails(items, None):
            self.problem = "the tests fail as they are, mend them first"
            return True
        running: dict[int, Mutant] = {}
        for mutant in self.rules:
            if len(running) == self.jobs:
                self._wait(running)
            running[self._fork(items, mutant)] = mutant
        while running:
            self._wait(running)
        self.problem = ""
        return True

    def _fails(self, items: list[pytest.Item], mutant: Mutant | None) -> bool:
        return os.waitpid(self._fork(items, mutant), 0)[1] != 0

    def _wait(self, running: dict[int, Mutant]) -> None:
        child, status = os.wait()
        self.noticed[running.pop(child)] = status != 0

    def _fork(self, items: list[pytest.Item], mutant: Mutant | None) -> int:
        """Start a process that ends with 0 when all tests pass, and return its id."""
        if child := os.fork():
            return child
        signal.alarm(SECONDS)
        if mutant and mutant.op:
            rules = list(mutant.op.partials)
            rules[mutant.operand] = broken_rule(mutant)
            mutant.op.partials = tuple(rules)
            items = sorted(items, key=lambda item: distance(item, mutant))
        for item in items:
            if any(report.failed for report in runtestprotocol(item, log=False)):
                os._exit(1)
        os._exit(0)


def parameter(item: pytest.Item, name: str) -> Any:
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(name) if callspec else None


def distance(item: pytest.Item, mutant: Mutant) -> tuple[bool, bool, bool]:
    """Sort the tests most likely to notice to the front."""
    operand = parameter(item, "operand")
    return (
        parameter(item, "op") is not mutant.op,
        operand is not None and operand != mutant.operand,
        "value" in item.name,
    )


# A plugin for the pytest that tests a copy. An editable install finds the package by a hook of its
# own, before any path; without the hook PYTHONPATH decides, and the copy is the one imported.
USE_THE_COPY = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in type(f).__module__]
import gradwalk
assert gradwalk.__file__.startswith({folder!r}), gradwalk.__file__
"""


def is_noticed_in_the_engine(mutant: Mutant) -> bool:
    """Change the line in a copy of the package and run the engine's tests on that."""
    package = Path(gradwalk.__file__).parent
    with tempfile.TemporaryDirectory(prefix="gradwalk-mutant-") as folder:
        copy = Path(folder) / "gradwalk"
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
        file = copy / "engine" / f"{mutant.file}.py"
        file.write_text(with_mutation(file.read_text("utf-8"), mutant), "utf-8")
        (Path(folder) / "use_the_copy.py").write_text(USE_THE_COPY.format(folder=folder), "utf-8")
        plugins = ["-p", "use_the_copy", "-p", "no:cacheprovider"]
        try:
            answer = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-x", *plugins, *ENGINE_TESTS],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": folder, "GRADWALK_BACKEND": "python"},
                timeout=SECONDS,
                check=False,
                capture_output=True,
            )
        except subprocess.TimeoutExpired:
            return True
    if answer.returncode not in (0, 1):
        sys.exit(f"mutate: pytest could not run\n{answer.stdout.decode()}{answer.stderr.decode()}")
    return answer.returncode == 1


def with_mutation(source: str, mutant: Mutant) -> str:
    if mutant.old not in source:
        sys.exit(f"mutate: {mutant.name} has no {mutant.old!r} any more; mend ENGINE in {__file__}")
    return source.replace(mutant.old, mutant.new, 1)


# ── The report ───────────────────────────────────────────────────────────────────────────────


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Break each derivative rule; see who notices.")
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants whose name has TEXT")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--json", action="store_true", help="the outcome as JSON on stdout")
    options = parser.parse_args(arguments)

    begin = time.perf_counter()
    chosen = [m for m in mutants() if options.only in f"{m.name} {m.way}"][: options.limit]
    if not chosen:
        sys.exit(f"mutate: no mutant has {options.only!r} in its name")
    rules = [mutant for mutant in chosen if mutant.op]
    lines = [mutant for mutant in chosen if not mutant.op]
    stdout = os.dup(1)
    os.dup2(2, 1)  # what pytest prints is no part of the report
    noticed = noticed_rules(rules, options.jobs) if rules else {}
    with ThreadPoolExecutor(options.jobs) as pool:
        noticed |= dict(zip(lines, pool.map(is_noticed_in_the_engine, lines), strict=True))
    os.dup2(stdout, 1)

    caught = sum(noticed.values())
    share = caught / len(chosen)
    outcome = {
        "caught": caught,
        "total": len(chosen),
        "share": share,
        "seconds": round(time.perf_counter() - begin, 1),
        "survivors": [[m.name, m.way] for m in chosen if not noticed[m]],
    }
    print(json.dumps(outcome, indent=2) if options.json else table(chosen, noticed, outcome))
    return 0 if share >= ENOUGH else 1


def table(chosen: list[Mutant], noticed: dict[Mutant, bool], outcome: dict[str, Any]) -> str:
    groups: dict[str, list[Mutant]] = {}
    for mutant in chosen:
        groups.setdefault(mutant.name, []).append(mutant)
    lines = [f"{'mutated':<28} caught   not noticed"]
    for name, group in groups.items():
        survivors = ", ".join(mutant.way for mutant in group if not noticed[mutant])
        count = sum(noticed[mutant] for mutant in group)
        lines.append(f"{name:<28} {count:>2} of {len(group):<3} {survivors}".rstrip())
    lines.append(
        f"{outcome['caught']} of {outcome['total']} mutants caught, {outcome['share']:.1%}, "
        f"in {outcome['seconds']} s; at least {ENOUGH:.0%} is asked for"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
