"""`gradwalk exercise`, `drill`, `lessons` and `judge`: for learners, and for who teaches them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradwalk.cli.arguments import (
    Parser,
    UsageError,
    need_suffix,
    no_words,
    number,
    one_of,
    suggest,
    whole,
)
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
    write,
)
from gradwalk.errors import GradwalkError, GraphError
from gradwalk.files import check_writable, write_whole

if TYPE_CHECKING:
    from gradwalk.practice.exercises import Exercise
    from gradwalk.practice.judge.submission import Found

OK, NO = 0, 1


def exercise(words: Sequence[str]) -> int:
    parser = Parser("exercise")
    parser.option("--answer", metavar="NUMBER", help="grade this answer; explain a wrong one")
    parser.option("--show", action="store_true", help="show the numbers instead of asking")
    parser.option("--set", type=whole(1), metavar="K", help="a sheet of K new questions")
    parser.option("--seed", type=whole(0), default=1, metavar="N", help="which sheet (1)")
    parser.option("--output", "-o", metavar="FILE", help="the sheet as .md, .html or .json")
    parser.option("--key", metavar="FILE", help="its answers, apart")
    _language_option(parser)
    options = parser.read(words)
    if options is None:
        return OK
    if options.set is not None:
        return _sheet(options)
    if options.output or options.key:
        raise UsageError("a sheet has a number of questions: gradwalk exercise --set 10 -o a.html")
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


_FORMS = (".md", ".html", ".json")


def _sheet(options: argparse.Namespace) -> int:
    """Write questions for a class, and the answers into a file of their own."""
    from gradwalk.practice.sheet import Sheet, sheet
    from gradwalk.render.json import dumps

    no_words(options, "exercise --set")
    for file in (options.output, options.key):
        if file:
            need_suffix(file, "a sheet", _FORMS)
            check_writable(file)

    def written(one: Sheet, suffix: str) -> str:
        if suffix == ".json":
            return dumps(one.json())
        return one.html() if suffix == ".html" else one.markdown()

    made = sheet(options.seed, options.set, options.language)
    suffix = Path(options.output).suffix if options.output else ".json" if options.json else ".md"
    emit(written(made, suffix), options.output)
    if options.key:
        emit(written(made.key, Path(options.key).suffix), options.key)
    return OK


def _held(chosen: list[Exercise]) -> int:
    """Put exercises to a person at the terminal."""
    from gradwalk.practice.exercises import hold

    note("Type a number, ? for the solution, q to stop.\n")
    right: list[bool] = []
    for exercise in chosen:
        right += hold(exercise, _typed, _paint, width(), colour()[0])
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


def _write(text: str, *, painted: bool = False) -> None:
    write(text, painted=painted)
    if sys.stdout is not None:
        sys.stdout.flush()


def _paint(text: str) -> None:
    _write(text, painted=True)


def _find_exercise(name: str) -> Exercise:
    from gradwalk.practice.exercises import EXERCISES, find

    try:
        return find(name)
    except GraphError as error:
        keys = [f"{e.name}-{item.key}" for e in EXERCISES.values() for item in e.items]
        hint = suggest(name.casefold(), [*EXERCISES, *keys])
        raise UsageError(f"{error}{hint or '; gradwalk exercise lists them'}") from None


def lessons(words: Sequence[str]) -> int:
    parser = Parser("lessons")
    parser.option("--output", "-o", metavar="FILE", help="slides as .html, a notebook as .ipynb")
    _language_option(parser)
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.lab.lessons import course, markdown, notebook, slides

    if len(options.words) > 1:
        raise UsageError(f"one lesson at a time, not {' and '.join(options.words)}")
    every = {lesson["id"]: lesson for lesson in course(options.language)}
    for name in options.words:
        if name not in every:
            hint = suggest(name.casefold(), every) or "; gradwalk lessons lists them"
            raise UsageError(f"there is no lesson {name!r:.40}{hint}")
    chosen = [every[name] for name in options.words] or list(every.values())
    if options.output is None:
        left = max([len(name) for name in every])
        lines = [f"{one['id']:<{left}}  {markdown(one['title'])}" for one in chosen]
        emit_either(options, lambda: {"lessons": chosen}, lambda: "\n".join(lines))
        return OK
    need_suffix(options.output, "a lesson", (".html", ".ipynb"))
    check_writable(options.output)
    if Path(options.output).suffix.casefold() != ".ipynb":
        emit(slides(chosen, options.language), options.output)
    elif options.words:
        emit(notebook(chosen[0], options.language), options.output)
    else:
        raise UsageError("a notebook is of one lesson: gradwalk lessons order -o order.ipynb")
    return OK


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
            return _judge(words, file)
    except BaseException as error:
        if "--json" in words:
            from gradwalk.practice.judge.verdict import Report

            emit_json(Report(" ".join(file), error=_why(error)).json())
        raise


def _judge(words: Sequence[str], file: list[str]) -> int:
    """Judge what `words` name; note the file once it is known."""
    parser = Parser("judge")
    parser.option("--csv", metavar="FILE", help="a row for each file, for a spreadsheet")
    parser.option("--reports", metavar="DIR", help="a report for each learner, as text")
    _language_option(parser)
    parser.option(
        "--timeout", type=number, default=10.0, metavar="S", help="seconds for each check (10)"
    )
    parser.option(
        "--memory", type=whole(64), default=2048, metavar="MB", help="megabytes for all (2048)"
    )
    parser.option("--seed", type=whole(0), default=0, metavar="N", help="other random graphs")
    parser.option("--trust", action="store_true", help="go on where files cannot be contained")
    parser.option(
        "--sandbox",
        type=one_of("sandbox", ("on", "off")),
        metavar="on|off",
        help="contain the file; on where there are several, --csv or --reports",
    )
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.practice.judge.submission import collect

    if not options.words:
        raise UsageError("name a file: gradwalk judge my_value.py")
    for word in options.words:
        if not os.path.lexists(word):
            raise UsageError(f"there is no file {word}")
    is_class = bool(
        len(options.words) > 1 or options.csv or options.reports or os.path.isdir(options.words[0])
    )
    sandbox = is_class if options.sandbox is None else options.sandbox == "on"
    files = collect(options.words, strangers=is_class or sandbox)
    if not files:
        raise UsageError(f"there is no .py or .ipynb file in {' and '.join(options.words)}")
    file += [files[0].path] if len(files) == 1 else []
    limits = {
        "seconds": options.timeout,
        "megabytes": options.memory,
        "seed": options.seed,
        "sandbox": sandbox,
        "trust": options.trust,
    }
    if is_class:
        return _judge_class(files, options, limits)
    return _judge_one(files[0], options, limits)


def _judge_one(file: Found, options: argparse.Namespace, limits: dict[str, Any]) -> int:
    from gradwalk.practice.judge import judge

    report = judge(file, **limits)
    if limits["sandbox"]:
        _note_if_loose([report.contained])
    if options.json:
        emit_json(report.json(options.language))
    else:
        show(report.text(width(), options.language))
    return OK if report.ok else NO


def _judge_class(files: list[Found], options: argparse.Namespace, limits: dict[str, Any]) -> int:
    """Judge one file after the other; after each, the CSV and the reports on disk are current."""
    from gradwalk.practice.judge import judge_all, verdict

    language, done = options.language, list[verdict.Report]()
    names = verdict.report_names([file.path for file in files])
    if options.csv:
        check_writable(options.csv)
    if options.reports:
        Path(options.reports).mkdir(parents=True, exist_ok=True)
    for grade, name in zip(judge_all(files, **limits), names, strict=True):
        done.append(grade)
        note(f"{len(done)} of {len(files)}: {grade.file}")
        if options.csv:
            write_whole(options.csv, [verdict.grades_csv(done, language).encode()])
        if options.reports:
            path = Path(options.reports, f"{name}.txt")
            write_whole(path, [grade.text(80, language).encode()], follow=False)
    _note_if_loose([grade.contained for grade in done])
    if options.json:
        emit_json(verdict.grades_json(done, language))
    else:
        show(verdict.grades_text(done, width(), language))
    return OK if all(grade.ok for grade in done) else NO


def _note_if_loose(contained: list[bool]) -> None:
    if not all(contained):
        note("NOT CONTAINED: files ran without a sandbox, as your own code would")


def _language_option(parser: Parser) -> None:
    from gradwalk.practice.language import LANGUAGES

    parser.option(
        "--language",
        type=one_of("language", LANGUAGES),
        default="en",
        metavar="|".join(LANGUAGES),
        help="what the learner reads",
    )


def _why(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "stopped by Ctrl-C"
    known = isinstance(error, (GradwalkError, Stopped))
    return str(error) if known else f"{type(error).__name__}: {error}"
