"""`gradwalk exercise`, `drill` and `judge`: questions for a learner, a verdict on their class."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gradwalk.cli.arguments import Parser, UsageError, no_words, number, one_of, suggest, whole
from gradwalk.cli.terminal import (
    Stopped,
    colour,
    emit,
    emit_either,
    emit_json,
    ended_by_signals,
    note,
    show,
    width,
)
from gradwalk.errors import GradwalkError, GraphError

if TYPE_CHECKING:
    from gradwalk.practice.exercises import Exercise
    from gradwalk.practice.judge.verdict import Report

__all__ = ["drill", "exercise", "judge"]

OK, NO = 0, 1


def exercise(words: Sequence[str]) -> int:
    parser = Parser("exercise")
    parser.option("--answer", metavar="NUMBER", help="grade this answer; explain a wrong one")
    parser.option("--show", action="store_true", help="show the numbers instead of asking")
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.practice import exercises as book

    if len(options.words) > 1:
        raise UsageError(f"one exercise at a time, not {' and '.join(options.words)}")
    name = options.words[0] if options.words else ""
    if options.answer is not None:
        if name in ("", "all"):
            raise UsageError("an answer to which one? gradwalk exercise diamond-a --answer 15")
        grade = book.grade(_find_exercise(name), options.answer)
        emit_either(options, grade.json, lambda: grade.text(width(), colour()[0]))
        return OK if grade.ok else NO
    if not name:
        listed = [book.Run(one, ()) for one in book.EXERCISES.values()]
        left = max([len(name) for name in book.EXERCISES])
        lines = [f"{run.exercise.name:<{left}}  {run.exercise.title}" for run in listed]
        emit_either(
            options, lambda: {"exercises": [r.json() for r in listed]}, lambda: "\n".join(lines)
        )
        if not options.json:
            note("\ngradwalk exercise NAME asks you; with --show it gives the numbers")
        return OK
    if not (options.show or options.json) and _is_interactive():
        return _held(list(book.EXERCISES.values()) if name == "all" else [_find_exercise(name)])
    chosen = list(book.EXERCISES.values()) if name == "all" else [_find_exercise(name)]
    runs = [book.run(one) for one in chosen]
    good = [result.ok for run in runs for result in run.results]
    total = f"{sum(good)} of {len(good)} as expected"
    texts = (*[run.text(width()) for run in runs], total)
    emit_either(options, lambda: {"exercises": [r.json() for r in runs]}, lambda: "\n".join(texts))
    return OK if all(good) else NO


def _held(chosen: list[Exercise]) -> int:
    """Put exercises to a person at the terminal."""
    from gradwalk.practice.exercises import hold

    note("Type a number, ? for the solution, q to stop.\n")
    right: list[bool] = []
    for exercise in chosen:
        right += hold(exercise, _typed, _write, width(), colour()[0])
        print()
    if right:
        emit(f"{sum(right)} of {len(right)} right")
    return OK if all(right) else NO


def _is_interactive() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _typed() -> str | None:
    """Return the next line of stdin, None at its end."""
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line or (sys.stdin is not None and not sys.stdin.isatty()):
        _write(line or "\n")  # as if it had been typed here
    return line or None


def _write(text: str) -> None:
    print(text, end="", flush=True)


def _find_exercise(name: str) -> Exercise:
    from gradwalk.practice.exercises import EXERCISES, find

    try:
        return find(name)
    except GraphError as error:
        keys = [f"{e.name}-{item.key}" for e in EXERCISES.values() for item in e.items]
        hint = suggest(name.casefold(), [*EXERCISES, *keys])
        raise UsageError(f"{error}{hint or '; gradwalk exercise lists them'}") from None


def drill(words: Sequence[str]) -> int:
    parser = Parser("drill")
    parser.option("--seed", type=whole(0), metavar="N", help="ask the questions of this number")
    parser.option("--count", type=whole(1), default=5, metavar="K", help="how many (5)")
    options = parser.read(words)
    if options is None:
        return OK
    no_words(options, "drill")
    from gradwalk.practice.drill import hold, question_json, questions

    seed = options.seed
    if seed is None:
        from random import SystemRandom

        seed = SystemRandom().randrange(10_000)
        note(f"seed {seed}: gradwalk drill --seed {seed} asks the same again")
    asked = questions(seed, options.count)
    if options.json:
        data = {"seed": seed, "questions": [question_json(question) for question in asked]}
        emit_json({"version": 1, **data})
        return OK

    score = hold(asked, _typed, _write, width())
    emit(f"{score.right} of {score.asked} right" if score.asked else "no question answered")
    return OK if score.right == score.asked else NO


def judge(words: Sequence[str]) -> int:
    file: list[str] = []
    try:
        with ended_by_signals():
            judged = _judged(words, file)
    except BaseException as error:
        if "--json" in words:
            from gradwalk.practice.judge import failure_json

            emit_json(failure_json(" ".join(file), _why(error)))
        raise
    if judged is None:
        return OK
    from gradwalk.practice.judge.verdict import report_json, report_text

    options, report = judged
    if not report.contained:
        note("NOT CONTAINED: the file ran without a sandbox, as your own code would")
    emit_json(report_json(report)) if options.json else show(report_text(report, width()))
    return OK if report.ok else NO


def _judged(words: Sequence[str], file: list[str]) -> tuple[argparse.Namespace, Report] | None:
    """Return the options and the report, or None for help; note the file once it is known."""
    parser = Parser("judge")
    parser.option(
        "--timeout", type=number, default=10.0, metavar="S", help="seconds for each check (10)"
    )
    parser.option(
        "--memory", type=whole(64), default=2048, metavar="MB", help="megabytes for all (2048)"
    )
    parser.option("--seed", type=whole(0), default=0, metavar="N", help="other random graphs")
    parser.option("--trust", action="store_true", help="go on where the file cannot be contained")
    parser.option(
        "--sandbox",
        type=one_of("sandbox", ("on", "off")),
        default="on",
        metavar="on|off",
        help="off: run the file as your own code would run",
    )
    options = parser.read(words)
    if options is None:
        return None
    file += options.words
    if len(file) != 1:
        raise UsageError("name one file: gradwalk judge my_value.py")
    if not Path(file[0]).is_file():
        raise UsageError(
            f"{file[0]} is a folder" if Path(file[0]).is_dir() else f"there is no file {file[0]}"
        )
    from gradwalk.practice.judge import judge

    return options, judge(
        file[0],
        seconds=options.timeout,
        megabytes=options.memory,
        seed=options.seed,
        sandbox=options.sandbox == "on",
        trust=options.trust,
    )


def _why(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "stopped by Ctrl-C"
    known = isinstance(error, (GradwalkError, Stopped))
    return str(error) if known else f"{type(error).__name__}: {error}"
