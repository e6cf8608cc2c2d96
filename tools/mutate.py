#!/usr/bin/env python3
"""Breaks something on purpose, one thing at a time: the tests must notice.

    python3 x.py mutate                          each derivative rule, and the engine
    python3 x.py mutate code                     single lines: a seeded sample of every module
    python3 x.py mutate guards                   each kind of guard of compiled control flow
    python3 x.py mutate code --only paths        those whose name contains this
    python3 x.py mutate code --sample 60 --seed 2
    python3 x.py mutate --json --every           all tests that notice each, not only the first

Exit code 1 when fewer are noticed than the kind asks for. What is broken, and how, is in the
modules mutants_*.py; here is who notices. For each group of tests pytest collects once and runs
once, which shows which tests call which function. Each mutant then gets a fork of that process,
breaks its thing there, and runs the tests that can notice until one fails: no import, no copy.
"""

import argparse
import importlib
import json
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import TestReport, runtestprotocol
from _pytest.warnings import catch_warnings_for_item

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from mutants import Function, Group, Mutant, Options  # noqa: E402

KINDS = ("rules", "code", "guards")
Calls = dict[int, frozenset[Function]]  # by the number of a test: the functions that it calls

LONGEST = 20.0  # a test that takes longer is left out: another one must notice


class Outcome(NamedTuple):
    name: str
    way: str
    noticed: bool
    tested: bool  # some test could notice
    by: list[str]  # the tests that noticed, where all were asked for


def reports_of(item: pytest.Item) -> list[TestReport]:
    """Run a test, under the warnings that it asks for."""
    with catch_warnings_for_item(item.config, item.ihook, when="runtest", item=item):
        return runtestprotocol(item, log=False)


class Forks:
    """A pytest plugin in place of the loop that runs the tests."""

    def __init__(self, mutants: list[Mutant], jobs: int, seconds: int, every: bool) -> None:
        self.mutants, self.jobs, self.seconds, self.every = mutants, jobs, seconds, every
        self.outcomes: dict[Mutant, Outcome] = {}
        self.problem = "the tests could not be collected"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        calls, failed = _in_a_fork(lambda: self._learn(session.items))
        for name in failed:  # being watched disturbs some: they count memory or frames
            print(f"mutate: left out, because it fails while it is watched: {name}")
        if len(failed) > len(session.items) / 50:
            self.problem = "the tests fail as they are, mend them first"
            return True
        running: dict[int, tuple[Mutant, int]] = {}
        for mutant in self.mutants:
            items = self._able(mutant, session.items, calls)
            if not items:
                self.outcomes[mutant] = Outcome(mutant.name, mutant.way, False, False, [])
                continue
            if len(running) == self.jobs:
                self._wait(running)
            child, reading = self._fork(mutant, items)
            running[child] = mutant, reading
        while running:
            self._wait(running)
        self.problem = ""
        return True

    def _able(self, mutant: Mutant, items: list[pytest.Item], calls: Calls) -> list[pytest.Item]:
        """Return the tests that can notice, nearest first, else fastest first."""
        called = mutant.functions
        able = [items[n] for n in calls if not called or called & calls[n]]
        if mutant.distance:
            far = {item: mutant.distance(item) for item in able}
            able = sorted([item for item in able if far[item] is not None], key=far.__getitem__)
        return able

    def _learn(self, items: list[pytest.Item]) -> tuple[Calls, list[str]]:
        """Run the tests once; return what each calls, fastest tests first, and those that fail."""
        wanted = frozenset[Function]().union(*[mutant.functions for mutant in self.mutants])
        calls: dict[int, tuple[float, frozenset[Function]]] = {}
        failed: list[str] = []
        for number, item in enumerate(items):
            if all(mutant.distance and mutant.distance(item) is None for mutant in self.mutants):
                continue
            called: set[CodeType] = set()

            def hook(frame: Any, event: str, _: Any, called: set[CodeType] = called) -> None:
                if event == "call":
                    called.add(frame.f_code)

            threading.setprofile(hook if wanted else None)
            sys.setprofile(hook if wanted else None)
            began = time.perf_counter()
            reports = reports_of(item)
            sys.setprofile(None)
            threading.setprofile(None)
            seconds = time.perf_counter() - began
            if any(report.failed for report in reports):
                failed.append(item.nodeid)
            elif seconds <= LONGEST:
                found = {(code.co_filename, code.co_firstlineno) for code in called}
                calls[number] = seconds, wanted & found
        fastest = sorted(calls, key=lambda number: calls[number][0])
        return {number: calls[number][1] for number in fastest}, failed

    def _wait(self, running: dict[int, tuple[Mutant, int]]) -> None:
        child, status = os.wait()
        mutant, reading = running.pop(child)
        with os.fdopen(reading, encoding="utf-8") as answer:
            by = answer.read().split("\n")[:-1]
        self.outcomes[mutant] = Outcome(mutant.name, mutant.way, status != 0, True, by)

    def _fork(self, mutant: Mutant, items: list[pytest.Item]) -> tuple[int, int]:
        """Start a process that ends with 0 when all tests pass; return its id and its answer."""
        reading, writing = os.pipe()
        if child := os.fork():
            os.close(writing)
            return child, reading
        signal.alarm(self.seconds)  # a mutant that takes longer hangs, which is being noticed too
        mutant.apply()
        noticed = False
        for item in items:
            if any(report.failed for report in reports_of(item)):
                noticed = True
                os.write(writing, f"{item.nodeid}\n".encode())
                if not self.every:
                    break
        os._exit(noticed)


def noticed(
    group: Group, seconds: int, options: Options, jobs: int, every: bool
) -> tuple[list[Outcome], str]:
    """Run a group in a process of its own, which imports gradwalk with the group's back end."""

    def run() -> tuple[list[Outcome], str]:
        os.environ["GRADWALK_BACKEND"] = group.backend
        os.dup2(2, 1)  # what pytest prints is no part of the report
        mutants = group.mutants(options)
        if not mutants:
            return [], ""
        forks = Forks(mutants, jobs, seconds, every)
        quiet = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", "--no-summary"]
        code = pytest.main([*quiet, *[str(ROOT / test) for test in group.tests]], plugins=[forks])
        problem = forks.problem and f"{forks.problem}; pytest ended with {code!r}"
        return [forks.outcomes[mutant] for mutant in mutants if mutant in forks.outcomes], problem

    return _in_a_fork(run)


def _in_a_fork(work: Callable[[], Any]) -> Any:
    """Return what `work` returns in a child process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "wb") as out:
            pickle.dump(work(), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found = answer.read()
    os.waitpid(child, 0)
    if not found:
        sys.exit("mutate: a process ended without an answer; its error stands above")
    return pickle.loads(found)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="x.py mutate", description="See what the tests notice.")
    parser.add_argument("kind", nargs="?", choices=KINDS, default=KINDS[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants whose name has TEXT")
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="mutants per module")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--every", action="store_true", help="all tests that notice each mutant")
    parser.add_argument("--json", action="store_true", help="the outcome as JSON on stdout")
    given = parser.parse_args(arguments)
    options = Options(given.only, given.sample, given.seed)

    kind: Any = importlib.import_module(f"mutants_{given.kind}")
    began = time.perf_counter()
    found: list[Outcome] = []
    for group in kind.groups():
        outcomes, problem = noticed(group, kind.SECONDS, options, given.jobs, given.every)
        if problem:
            sys.exit(f"mutate: {problem}")
        if outcomes:
            print(table(outcomes), file=sys.stderr, flush=True)  # while the others run
        found += outcomes
    if not found:
        sys.exit(f"mutate: no mutant has {given.only!r} in its name")
    caught = sum(one.noticed for one in found)
    share = caught / len(found)
    if given.json:
        survivors = [[one.name, one.way] for one in found if not one.noticed]
        said: dict[str, Any] = {"caught": caught, "total": len(found), "survivors": survivors}
        if given.every:
            said["by"] = [[one.name, one.way, one.by] for one in found]
        print(json.dumps(said, indent=2))
    else:
        print(table(found))
        print(
            f"{caught} of {len(found)} mutants caught, {share:.1%}, in "
            f"{time.perf_counter() - began:.0f} s; at least {kind.ENOUGH:.0%} is asked for"
        )
    return 0 if share >= kind.ENOUGH else 1


def table(outcomes: list[Outcome]) -> str:
    rows: dict[str, list[Outcome]] = {}
    for one in outcomes:
        rows.setdefault(one.name.partition(":")[0], []).append(one)
    lines = [f"{'mutated':<28} caught   not noticed"]
    for name, group in rows.items():
        lines.append(f"{name:<28} {sum(one.noticed for one in group):>2} of {len(group)}")
        for one in group:
            if not one.noticed:
                never = "" if one.tested else "  (no test calls it)"
                lines.append(f"    {one.name.removeprefix(name)} {one.way}{never}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
