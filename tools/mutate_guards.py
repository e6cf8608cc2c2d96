#!/usr/bin/env python3
"""Drops and inverts each kind of guard of compiled control flow: the tests must notice.

    python3 x.py mutate guards                all; exit code 1 when one is not noticed
    python3 x.py mutate guards --only loop    those whose name contains this

A guard is a condition under which something counts: a side of an `if`, a round of a loop, an entry
of a filter, a fault. Each mutant runs the tests below in a process of its own, until one fails.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TESTS = [
    *("tests/test_program_branches.py", "tests/test_program_idioms.py"),
    *("tests/test_program_errors.py", "tests/test_program_early.py"),
]
SECONDS = 120  # a mutant that takes longer hangs, which is being noticed too

Function = Callable[..., Any]


class Mutant(NamedTuple):
    guard: str
    way: str
    module: str  # of gradwalk.program
    name: str  # of a function there, or of a method
    change: Callable[[Function], Function]

    def __str__(self) -> str:
        return f"{self.guard}, {self.way}"


def _negated(thing: Any) -> Any:
    from gradwalk.program.recording import branches

    return branches.negation(thing)


def _truth(thing: Any) -> Any:
    from gradwalk.program.recording import branches

    return branches.truth(thing)


def _if(right: Function, flagged: bool, new: Function) -> Function:
    """An `if` of the user's, or one that a jump has set flags for."""
    return lambda test, names, given: right(
        new(test) if bool(given) is flagged else test, names, given
    )


def _only_rounds(right: Function, rounds: bool) -> Function:
    def fault(tape: Any, condition: Any, kind: Any, said: str, place: Any) -> None:
        if (kind is None) is not rounds:
            right(tape, condition, kind, said, place)

    return fault


_BRANCHES = "recording.branches"
MUTANTS = [
    Mutant(*row)
    for row in (
        ("if", "dropped", _BRANCHES, "choice", lambda f: _if(f, False, lambda _: True)),
        ("if", "inverted", _BRANCHES, "choice", lambda f: _if(f, False, _negated)),
        ("behind a jump", "dropped", _BRANCHES, "choice", lambda f: _if(f, True, lambda _: True)),
        ("behind a jump", "inverted", _BRANCHES, "choice", lambda f: _if(f, True, _negated)),
        ("x if c else y", "dropped", _BRANCHES, "pick", lambda f: lambda c, x, y: f(c, x, x)),
        ("x if c else y", "inverted", _BRANCHES, "pick", lambda f: lambda c, x, y: f(c, y, x)),
        ("and, or", "dropped", _BRANCHES, "joined", lambda f: lambda c, x, y: f(c, y, y)),
        ("and, or", "inverted", _BRANCHES, "joined", lambda f: lambda c, x, y: f(c, y, x)),
        ("not", "dropped", _BRANCHES, "negation", lambda f: _truth),
        ("in", "inverted", _BRANCHES, "contains", lambda f: lambda x, y: _negated(f(x, y))),
        ("is", "inverted", _BRANCHES, "identical", lambda f: lambda x, y: _negated(f(x, y))),
        ("while", "inverted", _BRANCHES, "Loop.goes_on", lambda f: lambda s, c: f(s, _negated(c))),
        (
            "names in a while",
            "dropped",
            _BRANCHES,
            "_kept",
            lambda f: lambda c, name, new, old: new,
        ),
        (
            "names in a while",
            "inverted",
            _BRANCHES,
            "_kept",
            lambda f: lambda c, name, new, old: f(c, name, old, new),
        ),
        ("end of a range", "dropped", _BRANCHES, "beyond", lambda f: lambda each, over, _: over),
        (
            "end of a range",
            "inverted",
            _BRANCHES,
            "beyond",
            lambda f: (
                lambda each, over, stopped: (
                    over
                    if type(each).__name__ != "_Round"
                    else _inverted_end(f, each, over, stopped)
                )
            ),
        ),
        ("lists on sides", "dropped", _BRANCHES, "touch", lambda f: lambda thing: None),
        (
            "lists on sides",
            "inverted",
            _BRANCHES,
            "_settle",
            lambda f: lambda c, one, other: f(_negated(c), one, other),
        ),
        (
            "lists that were selected",
            "dropped",
            _BRANCHES,
            "Twins.check",
            lambda f: lambda *_: None,
        ),
        ("index on a side", "dropped", _BRANCHES, "active", lambda f: lambda tape: None),
        ("raise on a side", "dropped", _BRANCHES, "_fault", lambda f: _only_rounds(f, False)),
        ("rounds of a loop", "dropped", _BRANCHES, "_fault", lambda f: _only_rounds(f, True)),
        (
            "faults",
            "inverted",
            _BRANCHES,
            "_fault",
            lambda f: lambda tape, c, *rest: f(tape, c if c is None else ~c, *rest),
        ),
        (
            "outputs of faults",
            "dropped",
            "recording.recorder",
            "Tape.guarded",
            lambda f: lambda s, i: i,
        ),
        (
            "None or a number",
            "inverted",
            _BRANCHES,
            "_either",
            lambda f: lambda c, one, other: f(~c, one, other),
        ),
        ("None or a number", "dropped", _BRANCHES, "_is_one", lambda f: lambda *_: False),
        (
            "depth of a recursion",
            "dropped",
            _BRANCHES,
            "recursed",
            lambda f: lambda callee, line, tree, *args, **named: callee(*args, **named),
        ),
        (
            "filter",
            "dropped",
            "recording.filtered",
            "entry",
            lambda f: lambda truth, value: getattr(f(truth, value), "value", value),
        ),
        (
            "where Python raises",
            "dropped",
            "recording.recorder",
            "Tape.note_where_python_raises",
            lambda f: lambda *_: None,
        ),
        (
            "early exits",
            "inverted",
            "early",
            "_with_zeros",
            lambda f: lambda program, zeros: _ones(f(program, zeros), zeros),
        ),
        ("early exits", "dropped", "early", "_chosen", lambda f: lambda *_: []),
    )
]


def _inverted_end(right: Function, each: Any, over: Any, stopped: Any) -> Any:
    each.inside = _negated(each.inside)
    return right(each, over, stopped)


def _ones(program: Any, zeros: Any) -> Any:
    for i in zeros:
        program.numbers[i] = 1.0
    return program


def apply(mutant: Mutant) -> None:
    """Break one guard in this process, before anything is recorded in it."""
    from importlib import import_module

    from gradwalk.program.recording import calls, syntax

    module: Any = import_module(f"gradwalk.program.{mutant.module}")
    *owner, name = mutant.name.split(".")
    thing = getattr(module, owner[0]) if owner else module
    changed = mutant.change(getattr(thing, name))
    setattr(thing, name, changed)
    if not owner and syntax.constant(name) in calls._CALLED:
        calls._CALLED[syntax.constant(name)] = changed


def is_noticed(mutant: Mutant | None, tests: list[str]) -> bool:
    """Run the tests on a mutant in another process, and say whether one of them fails."""
    child = os.fork()
    if not child:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.chdir(ROOT)
        import pytest

        if mutant is not None:
            apply(mutant)
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        os._exit(int(pytest.main([*options, *tests])) != 0)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status != 0
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="x.py mutate guards", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT")
    only = parser.parse_args(arguments).only
    chosen = [mutant for mutant in MUTANTS if only in str(mutant)]
    if is_noticed(None, TESTS):
        print("the tests fail as they are, mend them first")
        return 1
    survived = 0
    for mutant in chosen:
        noticed = is_noticed(mutant, TESTS)
        survived += not noticed
        print(f"{'noticed ' if noticed else 'SURVIVED'}  {mutant}", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} broken guards are noticed")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
