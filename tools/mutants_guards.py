"""The mutants of `x.py mutate guards`: each kind of guard dropped and inverted.

A guard is a condition under which something counts: a side of an `if`, a round of a loop, an entry
of a filter, an error that is raised.
"""

import operator
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

from mutants import Group, Mutant, Options

ENOUGH = 1.0
SECONDS = 120
TESTS = [
    *("tests/test_program_branches.py", "tests/test_program_ordinary.py"),
    *("tests/test_program_errors.py", "tests/test_program_early.py"),
    "tests/test_program_paths.py",
]

Function = Callable[..., Any]


class Row(NamedTuple):
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
    return lambda test, names, given, facts: right(
        new(test) if bool(given) is flagged else test, names, given, facts
    )


def _only(right: Function, raising: bool) -> Function:
    """A tape's guards of one kind: those that raise, or those of rounds and levels."""

    def guard(tape: Any, condition: Any, act: str, *rest: Any) -> None:
        if (act == "raise") is raising:
            right(tape, condition, act, *rest)

    return guard


_BRANCHES, _RECORDER = "recording.branches", "recording.recorder"
ROWS = [
    Row(*row)
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
        ("names", "dropped", _BRANCHES, "_select_named", lambda f: lambda c, name, one, *_: one),
        (
            "names",
            "inverted",
            _BRANCHES,
            "_select_named",
            lambda f: lambda c, name, one, other, place: f(c, name, other, one, place),
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
        (
            "entries on a side",
            "dropped",
            _BRANCHES,
            "set_item",
            lambda f: operator.setitem,
        ),
        ("attributes on a side", "dropped", _BRANCHES, "set_attribute", lambda f: setattr),
        ("an entry that is chosen", "dropped", _BRANCHES, "_set_recorded", lambda f: _at_once),
        ("index on a side", "dropped", _BRANCHES, "active", lambda f: lambda tape: None),
        ("raise on a side", "dropped", _BRANCHES, "guard", lambda f: _only(f, False)),
        ("rounds of a loop", "dropped", _BRANCHES, "guard", lambda f: _only(f, True)),
        (
            "all guards",
            "inverted",
            _BRANCHES,
            "guard",
            lambda f: lambda tape, c, *rest: f(tape, c if c is None else ~c, *rest),
        ),
        (
            "the verdict",
            "dropped",
            _RECORDER,
            "Tape.verdict",
            lambda f: lambda tape: tape.guards.clear() or -1,
        ),
        ("an answer", "dropped", _RECORDER, "Tape.leave", lambda f: lambda *_: None),
        (
            "an answer",
            "inverted",
            _RECORDER,
            "Tape.leave",
            lambda f: lambda tape, failed: f(tape, ~failed),
        ),
        (
            "a number that is asked",
            "dropped",
            _RECORDER,
            "Tape.pin",
            lambda f: lambda tape, value, *_: tape.number(value._id),
        ),
        (
            "text",
            "dropped",
            _RECORDER,
            "Tape.escape",
            lambda f: lambda tape, value, *_: tape.pin(value),
        ),
        ("errors in a try", "dropped", _RECORDER, "Tape.computed", lambda f: lambda *_: None),
        ("the proof", "dropped", "recording.proof", "holds", lambda f: lambda *_: True),
        ("the proof of parts", "dropped", "recording.proof", "is_plain_part", lambda f: _always),
        (
            "where Python raises",
            "dropped",
            _RECORDER,
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


def _at_once(thing: Any, key: Any, value: Any) -> None:
    thing[int(key._tape.number(key._id))] = value


def _always(*_: object) -> bool:
    return True


def _inverted_end(right: Function, each: Any, over: Any, stopped: Any) -> Any:
    each.inside = _negated(each.inside)
    return right(each, over, stopped)


def _ones(program: Any, zeros: Any) -> Any:
    for i in zeros:
        program.numbers[i] = 1.0
    return program


def groups() -> Iterator[Group]:
    yield Group("guards", TESTS, "auto", mutants)


def mutants(options: Options) -> list[Mutant]:
    rows = [row for row in ROWS if options.only in f"{row.guard} {row.way}"]
    return [Mutant(row.guard, row.way, lambda row=row: apply(row)) for row in rows]


def apply(row: Row) -> None:
    """Break one guard in this process, before anything is recorded in it."""
    from gradwalk.program.recording import calls, syntax

    module: Any = import_module(f"gradwalk.program.{row.module}")
    *owner, name = row.name.split(".")
    thing = getattr(module, owner[0]) if owner else module
    changed = row.change(getattr(thing, name))
    setattr(thing, name, changed)
    if not owner and syntax.constant(name) in calls._CALLED:
        calls._CALLED[syntax.constant(name)] = changed
