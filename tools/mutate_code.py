#!/usr/bin/env python3
"""Changes one line of a module at a time: the tests must notice. `x.py mutate code`

    python3 x.py mutate code                     a seeded sample of every module below
    python3 x.py mutate code --only paths        modules whose name contains this
    python3 x.py mutate code --sample 60 --seed 2

pytest collects the tests once and runs them once, to learn which tests call which function. Each
mutant then gets a fork of that process: the mutated function's code is replaced there, and the
tests that call it run until one fails. So a mutant costs no import and no copy. Only bodies of
functions are mutated: tables at the top of a module are data, and the tests compare those.

A change that makes no difference (`<` for `<=` where equal never comes) survives rightly, so the
threshold is below 100 %. Error messages, annotations, asserts and __repr__ are left alone.
"""

# A syntax tree has fields of any type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import argparse
import ast
import copy
import gc
import json
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

ENOUGH = 0.85
SECONDS = 60  # a mutant that takes longer hangs, which is being noticed too
LONGEST = 20.0  # a test that takes longer is left out: another one must notice

_PROGRAM = [
    *("tests/test_program_compiled.py", "tests/test_program_calls.py", "tests/test_program_map.py"),
    *("tests/test_program_files.py", "tests/test_program_inspection.py"),
    *("tests/test_program_trace.py", "tests/test_program_functions.py", "tests/test_remainder.py"),
    *("tests/test_program_rewrite.py", "tests/test_program_guards.py"),
    *("tests/test_program_plain_code.py", "tests/test_optim.py", "tests/test_program_exact.py"),
    *("tests/test_program_branches.py", "tests/test_program_checking.py"),
    "tests/test_program_mutants.py",
]
#: The modules, and the tests that have to notice.
MODULES: dict[str, list[str]] = {
    "walk": ["tests/test_walk.py", "tests/test_render_text.py"],
    "graph": ["tests/test_graph.py", "tests/test_walk.py"],
    "paths": ["tests/test_paths.py"],
    "expr": ["tests/test_expr.py"],
    "optim": ["tests/test_optim.py"],
    "nn": ["tests/test_nn.py"],
    "plan": ["tests/test_plan.py"],
    "program/compiled": _PROGRAM,
    "program/structure": _PROGRAM,
    "program/map": _PROGRAM,
    "program/train": _PROGRAM,
    "program/interpreter": _PROGRAM,
    "program/ir": _PROGRAM,
    "program/files": _PROGRAM,
    "program/inspection": _PROGRAM,
    "program/trace": _PROGRAM,
    "program/recording/recorder": _PROGRAM,
    "program/recording/calls": _PROGRAM,
    "program/recording/rewrite": _PROGRAM,
}
#: These run only where the C does not. The others have functions that run only where it does.
_OF_PYTHON = {"program/trace", "program/interpreter"}


# ── What to change ───────────────────────────────────────────────────────────────────────────

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_QUIET = {"__repr__", "__doc__"}  # what they say is for people


class Place(NamedTuple):
    """A node that can be changed: which of the tree's nodes, in which function, and how."""

    node: int  # its position in ast.walk order
    function: int  # the first line of the outermost function around it
    line: int
    way: str


class Mutant(NamedTuple):
    module: str
    place: Place

    def __str__(self) -> str:
        return f"{self.module}.py:{self.place.line} {self.place.way}"


def places(tree: ast.Module) -> Iterator[Place]:
    """Yield every change that can be made inside the functions of a module."""
    order = {id(node): place for place, node in enumerate(ast.walk(tree))}
    for function in _outermost(tree.body):
        first = min([function.lineno, *[d.lineno for d in function.decorator_list]])
        for node in _inside(function):
            for way in _ways(node):
                yield Place(order[id(node)], first, node.lineno, way)


def _outermost(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            if statement.name not in _QUIET and not _is_overload(statement):
                yield statement
        elif isinstance(statement, ast.ClassDef):
            yield from _outermost(statement.body)


def _is_overload(function: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in function.decorator_list)


def _inside(node: ast.AST) -> Iterator[Any]:
    """Yield the nodes below that are neither messages nor annotations."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        if isinstance(node, ast.AnnAssign) and name == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(
                child, (ast.Raise, ast.Assert, ast.JoinedStr, ast.arguments)
            ):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue  # of zip: the lengths are equal, so nothing changes
            yield child
            yield from _inside(child)


def _ways(node: Any) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
        yield f"{type(node.ops[0]).__name__} → {_COMPARE[type(node.ops[0])].__name__}"
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
        if not any(isinstance(s, (ast.JoinedStr, ast.List)) or _is_text(s) for s in sides):
            yield f"{type(node.op).__name__} → {_ARITHMETIC[type(node.op)].__name__}"
    elif isinstance(node, ast.BoolOp):
        yield "and ↔ or"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield f"{type(node.op).__name__} dropped"
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield "condition negated"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number: Any = node.value
        yield f"{number} → {number + 1}"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} → {not node.value}"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call dropped"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "returns None"
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield f"{type(node).__name__.lower()} dropped"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def changed(tree: ast.Module, place: Place) -> ast.Module:
    """Return a copy of the tree with this one change."""
    tree = copy.deepcopy(tree)
    target: Any = list(ast.walk(tree))[place.node]
    if isinstance(target, ast.Compare):
        target.ops[0] = _COMPARE[type(target.ops[0])]()
    elif isinstance(target, (ast.BinOp, ast.AugAssign)):
        target.op = _ARITHMETIC[type(target.op)]()
    elif isinstance(target, ast.BoolOp):
        target.op = ast.And() if isinstance(target.op, ast.Or) else ast.Or()
    elif isinstance(target, (ast.If, ast.IfExp, ast.While)):
        target.test = ast.copy_location(ast.UnaryOp(ast.Not(), target.test), target.test)
    elif isinstance(target, ast.Constant):
        number: Any = target.value
        target.value = not number if type(number) is bool else number + 1
    elif isinstance(target, ast.Return):
        target.value = ast.copy_location(ast.Constant(None), target)
    else:
        _replace(tree, target)
    return ast.fix_missing_locations(tree)


def _replace(tree: ast.Module, target: Any) -> None:
    """Put an operand in the place of its sign, and `pass` in the place of a statement."""
    new: Any = target.operand if isinstance(target, ast.UnaryOp) else ast.Pass()
    for parent in ast.walk(tree):
        fields: list[tuple[str, Any]] = list(ast.iter_fields(parent))
        for name, value in fields:
            if value is target:
                setattr(parent, name, ast.copy_location(new, target))
            elif isinstance(value, list):
                items: list[Any] = value
                if any(item is target for item in items):
                    items[:] = [ast.copy_location(new, v) if v is target else v for v in items]


def codes(tree: ast.Module, file: str) -> dict[int, CodeType]:
    """Return the code of each outermost function, by its first line."""
    found: dict[int, CodeType] = {}

    def collect(code: CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                if constant.co_flags & 2:  # a function's, not the body of a class
                    found[constant.co_firstlineno] = constant
                else:
                    collect(constant)

    collect(compile(tree, file, "exec"))
    return found


def _nested(code: CodeType) -> list[CodeType]:
    """Return the code of a function and of all functions inside it, in the order of the text."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *[found for one in inner for found in _nested(one)]]


# ── Who notices ──────────────────────────────────────────────────────────────────────────────


class Forks:
    """A pytest plugin in place of the loop that runs the tests."""

    def __init__(self, modules: list[str], sample: int, seed: int, jobs: int) -> None:
        self.sample, self.seed, self.jobs = sample, seed, jobs
        package = ROOT / "src" / "gradwalk"
        self.files = {module: str(package / f"{module}.py") for module in modules}
        self.trees = {m: ast.parse(Path(file).read_text("utf-8")) for m, file in self.files.items()}
        self.noticed: dict[Mutant, bool] = {}
        self.uncalled: set[Mutant] = set()
        self.problem = "the tests could not be collected"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        callers, failed = self._learn(session.items)
        for name in failed:  # being watched disturbs some: they count memory or frames
            print(f"mutate: left out, because it fails while it is watched: {name}")
        if len(failed) > len(session.items) / 50:
            self.problem = "the tests fail as they are, mend them first"
            return True
        chosen = [mutant for module in self.files for mutant in self._sampled(module)]
        running: dict[int, Mutant] = {}
        for mutant in chosen:
            tests = callers.get((self.files[mutant.module], mutant.place.function), [])
            if not tests:
                self.noticed[mutant] = False
                self.uncalled.add(mutant)
                continue
            if len(running) == self.jobs:
                self._wait(running)
            running[self._fork(mutant, [session.items[test] for test in tests])] = mutant
        while running:
            self._wait(running)
        self.problem = ""
        return True

    def _sampled(self, module: str) -> list[Mutant]:
        found = list(places(self.trees[module]))
        # A `where` of its own per module: another module's change leaves this sample as it is.
        random = Random(f"{module} {self.seed}")
        return [Mutant(module, p) for p in random.sample(found, min(self.sample, len(found)))]

    def _learn(
        self, items: list[pytest.Item]
    ) -> tuple[dict[tuple[str, int], list[int]], list[str]]:
        """Run all tests once, in a fork; return which of them call each outermost function."""
        return _in_a_fork(lambda: self._callers(items))

    def _callers(
        self, items: list[pytest.Item]
    ) -> tuple[dict[tuple[str, int], list[int]], list[str]]:
        outer = self._outer_lines()
        callers: dict[tuple[str, int], list[tuple[float, int]]] = {}
        failed: list[str] = []
        for number, item in enumerate(items):
            called: set[CodeType] = set()

            def hook(frame: Any, event: str, _: Any, called: set[CodeType] = called) -> None:
                if event == "call":
                    called.add(frame.f_code)

            sys.setprofile(hook)
            began = time.perf_counter()
            reports = runtestprotocol(item, log=False)
            sys.setprofile(None)
            seconds = time.perf_counter() - began
            if any(report.failed for report in reports):
                failed.append(item.nodeid)
            if seconds > LONGEST or any(report.failed for report in reports):
                continue
            lines = {(code.co_filename, code.co_firstlineno) for code in called}
            for key in {outer[line] for line in lines if line in outer}:
                callers.setdefault(key, []).append((seconds, number))
        return {key: [n for _, n in sorted(found)] for key, found in callers.items()}, failed

    def _outer_lines(self) -> dict[tuple[str, int], tuple[str, int]]:
        """Return, for the first line of every function and lambda, the outermost one around it."""
        lines: dict[tuple[str, int], tuple[str, int]] = {}
        for module, file in self.files.items():
            for first, code in codes(self.trees[module], file).items():
                stack = [code]
                while stack:
                    inner = stack.pop()
                    lines[file, inner.co_firstlineno] = (file, first)
                    stack += [c for c in inner.co_consts if isinstance(c, CodeType)]
        return lines

    def _wait(self, running: dict[int, Mutant]) -> None:
        child, status = os.wait()
        self.noticed[running.pop(child)] = status != 0

    def _fork(self, mutant: Mutant, items: list[pytest.Item]) -> int:
        """Start a process that ends with 0 when all tests pass, and return its id."""
        if child := os.fork():
            return child
        signal.alarm(SECONDS)
        file = self.files[mutant.module]
        first, tree = mutant.place.function, self.trees[mutant.module]
        old = _nested(codes(tree, file)[first])
        new = _nested(codes(changed(tree, mutant.place), file)[first])
        # The inner functions too: those that exist already were made from the old code.
        by_old = dict(zip(old, new, strict=True)) if len(old) == len(new) else {old[0]: new[0]}
        gc.unfreeze()  # tests/conftest.py freezes what there is: gc does not list that
        for function in [thing for thing in gc.get_objects() if type(thing) is FunctionType]:
            if function.__code__ in by_old:
                function.__code__ = by_old[function.__code__]
        for item in items:
            if any(report.failed for report in runtestprotocol(item, log=False)):
                os._exit(1)
        os._exit(0)


# ── The report ───────────────────────────────────────────────────────────────────────────────


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Change a line of a module; see who notices.")
    parser.add_argument("--only", default="", metavar="TEXT", help="modules whose name has TEXT")
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="mutants per module")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--json", action="store_true", help="the outcome as JSON on stdout")
    options = parser.parse_args(arguments)
    modules = [module for module in MODULES if options.only in module]
    if not modules:
        sys.exit(
            f"mutate: no module has {options.only!r} in its name; there is {', '.join(MODULES)}"
        )

    began = time.perf_counter()
    stdout = os.dup(1)
    os.dup2(2, 1)  # what pytest prints is no part of the report
    noticed: dict[Mutant, bool] = {}
    uncalled: set[Mutant] = set()
    groups: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for module in modules:
        groups.setdefault((module in _OF_PYTHON, tuple(MODULES[module])), []).append(module)
    for (of_python, tests), group in groups.items():
        forks = Forks(group, options.sample, options.seed, options.jobs)
        found, missed, problem = _run(forks, tests, "python" if of_python else "auto")
        if problem:
            sys.exit(f"mutate: {problem}")
        print(table(group, found, missed))  # to stderr, while the others run
        noticed |= found
        uncalled |= missed
    os.dup2(stdout, 1)

    caught = sum(noticed.values())
    share = caught / len(noticed)
    if options.json:
        survivors = [str(mutant) for mutant, is_noticed in noticed.items() if not is_noticed]
        print(json.dumps({"caught": caught, "total": len(noticed), "survivors": survivors}))
    else:
        print(table(modules, noticed, uncalled))
        print(
            f"{caught} of {len(noticed)} mutants caught, {share:.1%}, in "
            f"{time.perf_counter() - began:.0f} s; at least {ENOUGH:.0%} is asked for"
        )
    return 0 if share >= ENOUGH else 1


def _run(
    forks: Forks, tests: tuple[str, ...], backend: str
) -> tuple[dict[Mutant, bool], set[Mutant], str]:
    """Run the tests in a process of their own, which imports gradwalk with this back end."""

    def run() -> tuple[dict[Mutant, bool], set[Mutant], str]:
        os.environ["GRADWALK_BACKEND"] = backend
        quiet = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", "--no-summary"]
        code = pytest.main([*quiet, *[str(ROOT / test) for test in tests]], plugins=[forks])
        problem = forks.problem and f"{forks.problem}; pytest ended with {code!r}"
        return forks.noticed, forks.uncalled, problem

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
        found = pickle.load(answer)
    os.waitpid(child, 0)
    return found


def table(modules: list[str], noticed: dict[Mutant, bool], uncalled: set[Mutant]) -> str:
    lines = [f"{'module':<28} caught"]
    for module in modules:
        own = {
            mutant: is_noticed for mutant, is_noticed in noticed.items() if mutant.module == module
        }
        lines.append(f"{module:<28} {sum(own.values()):>2} of {len(own)}")
        for mutant, is_noticed in own.items():
            if not is_noticed:
                never = "  (no test calls it)" if mutant in uncalled else ""
                lines.append(f"    line {mutant.place.line}: {mutant.place.way}{never}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
