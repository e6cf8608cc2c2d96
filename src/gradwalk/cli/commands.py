"""What each command does: read the words, ask the library, write the result.

Each takes its words and returns an exit code. Whatever it needs beyond the engine it imports
itself, so that no command waits for what only another uses.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradwalk.cli.arguments import (
    FORMATS,
    Parser,
    UsageError,
    format_of,
    number,
    one_of,
    point,
    suggest,
    whole,
)
from gradwalk.cli.signals import Stopped, ended_by_signals
from gradwalk.cli.terminal import colour, emit, note, show, width
from gradwalk.engine import Value
from gradwalk.errors import GraphError
from gradwalk.graph import snapshot
from gradwalk.walk import BUGS, Walk

if TYPE_CHECKING:
    from gradwalk.expr import Expression
    from gradwalk.practice.exercises import Exercise

__all__ = ["bench", "check", "doctor", "drill", "exercise", "explain", "judge", "lab", "walk"]

OK, NO = 0, 1

# ── Expressions ──────────────────────────────────────────────────────────────────────────────

_THEMES = ("auto", "light", "dark")


def walk(words: Sequence[str]) -> int:
    parser = Parser("walk", takes_expression=True)
    parser.option("--order", metavar="NODES", help="visit the nodes in this order: 'd b c a'")
    bug = one_of("bug", BUGS)
    parser.option("--bug", type=bug, metavar="BUG", help=", ".join(BUGS))
    parser.option("--short", action="store_true", help="the result and the backward pass alone")
    parser.option("--only", metavar="PARTS", help="forward, sort, backward, gradients")
    parser.option("--strict", action="store_true", help="only numbers as exponents")
    parser.option(
        "--unfold", action="store_true", help="show a - b as a + b*-1, a / b as a * b**-1"
    )
    formats = tuple(dict.fromkeys(FORMATS.values()))
    format_ = one_of("format", formats)
    parser.option("--format", type=format_, metavar="FORMAT", help=", ".join(formats))
    parser.option("-o", dest="file", metavar="FILE", help="write FILE; its suffix is a format")
    theme = one_of("theme", _THEMES)
    parser.option(
        "--theme", type=theme, default="auto", metavar="THEME", help="of svg: " + ", ".join(_THEMES)
    )
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.walk import walk

    expression, values = point(options.words, "walk", strict=options.strict)
    graph = snapshot(expression.evaluate(values), fold=not options.unfold)
    done = walk(graph, order=_order(options.order), bug=options.bug)
    format_ = format_of(options)
    if format_ == "html":
        from gradwalk.render.html import html

        emit(html(done, expression=expression.text, values=values), options.file)
    else:
        emit(_written(done, format_, options), options.file, painted=format_ == "text")
    return OK


def lab(words: Sequence[str]) -> int:
    parser = Parser("lab", takes_expression=True)
    parser.option("--port", type=_port, default=0, metavar="N", help="(any free one)")
    parser.option("--no-browser", action="store_true", help="only print the address")
    parser.option("--export", metavar="DIR", help="write the lab's files into DIR and end")
    options = parser.read(words)
    if options is None:
        return OK
    if options.export is not None:
        return _export_lab(Path(options.export), options.json)
    if options.words[:1] in (["list"], ["stop"]):
        return _lab_control(options)
    from gradwalk.lab import serve

    expression, values = point(options.words, "lab") if options.words else (None, None)
    text = expression.text if expression else None
    return serve(text, values, options.port, not options.no_browser, as_json=options.json)


def _export_lab(folder: Path, as_json: bool) -> int:
    from gradwalk.lab.copying import copy_to

    written = copy_to(folder)
    if as_json:
        print(json.dumps({"folder": str(folder), "files": [str(file) for file in written]}))
    else:
        print(f"{len(written)} files in {folder}: put them on any web server, then share its links")
    return OK


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r:.40}")


def _lab_control(options: argparse.Namespace) -> int:
    """Run `lab list` or `lab stop [PORT]`."""
    from datetime import datetime

    from gradwalk.lab import control

    what, *rest = options.words
    if len(rest) > (what == "stop"):
        raise UsageError(f"lab {what} does not know what to do with {rest[-1]!r:.40}")
    if what == "list":
        labs = control.addresses()
        lines = [
            f"{lab['address'] or 'port ' + str(lab['port']) + ' does not answer'}\n"
            f"  since {datetime.fromtimestamp(lab['started']):%Y-%m-%d %H:%M}, "
            f"process {lab['process']}"
            for lab in labs
        ]
        text = "\n".join(lines) or "no lab is running"
        _emit_either(options, lambda: {"labs": labs}, lambda: text)
        return OK
    port = None
    if rest:
        try:
            port = _port(rest[0])
        except argparse.ArgumentTypeError as error:
            raise UsageError(str(error)) from None
    stopped = control.stop(port)
    none = "no lab is running" if port is None else f"no lab is running on port {port}"
    text = f"stopped {', '.join(map(str, stopped))}" if stopped else none
    _emit_either(options, lambda: {"stopped": stopped}, lambda: text)
    return OK if stopped or port is None else NO


def _order(text: str | None) -> list[int | str] | None:
    if text is None:
        return None
    return [int(word) if word.isdecimal() else word for word in text.replace(",", " ").split()]


def _written(done: Walk, format_: str, options: argparse.Namespace) -> str:
    if format_ == "json":
        from gradwalk.render.json import dumps, walk_json

        return dumps(walk_json(done))
    if format_ == "dot":
        from gradwalk.render.dot import dot

        return dot(done.graph.with_grads(done.grads))
    if format_ == "svg":
        from gradwalk.render.svg import svg

        return svg(done, theme=options.theme)
    from gradwalk.render.text import walk_text

    color = not options.file and colour()[0]
    only = _parts(options.only or "")
    return walk_text(done, color=color, width=width(), only=only, short=options.short)


def _parts(text: str) -> list[str]:
    """Return the tables that --only names."""
    from gradwalk.render.text import SECTIONS

    found = text.replace(",", " ").split()
    for part in found:
        if part not in SECTIONS:
            hint = suggest(part, SECTIONS) or f"; there is {', '.join(SECTIONS)}"
            raise UsageError(f"--only has no part {part!r:.40}{hint}")
    return found


def explain(words: Sequence[str]) -> int:
    parser = Parser("explain", takes_expression=True)
    parser.option("--wrt", metavar="NAME", help="with respect to this variable or part")
    parser.option(
        "--most", type=whole(1), default=20, metavar="K", help="list the K largest paths (20)"
    )
    parser.option("--strict", action="store_true", help="only numbers as exponents")
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.paths import paths

    expression, values = point(options.words, "explain", strict=options.strict)
    found = paths(expression.evaluate(values), options.wrt or _only(expression), options.most)
    if options.json:
        from gradwalk.render.json import dumps, paths_json

        emit(dumps(paths_json(found)))
    else:
        from gradwalk.render.text import paths_text

        emit(paths_text(found, color=colour()[0], width=width()), painted=True)
    return OK


def _only(expression: Expression) -> str:
    if len(expression.names) != 1:
        names = ", ".join([f"--wrt {name}" for name in expression.names])
        raise UsageError(f"say with respect to what: {names}" if names else _NOTHING)
    return expression.names[0]


_NOTHING = "the expression has no variable, so there is no gradient"


def check(words: Sequence[str]) -> int:
    parser = Parser("check", takes_expression=True)
    parser.option(
        "--step", type=number, default=1e-6, metavar="H", help="how far to step aside (1e-6)"
    )
    parser.option(
        "--tolerance", type=number, default=1e-6, metavar="T", help="how near is right (1e-6)"
    )
    parser.option("--strict", action="store_true", help="only numbers as exponents")
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.transforms import gradcheck

    expression, values = point(options.words, "check", strict=options.strict)
    if not values:
        raise UsageError(_NOTHING)
    expression.bind(values)  # says what is wrong with the names, before differences are taken

    def f(**leaves: Value) -> Value:
        # The expression makes leaves of its own; one node carries their gradients to these.
        root, own = expression.bind({name: leaf.data for name, leaf in leaves.items()})
        root.backward()
        return Value(root.data, leaves.values(), tuple([own[name].grad for name in leaves]))

    done = gradcheck(f, step=options.step, tolerance=options.tolerance, **values)
    if options.json:
        from gradwalk.render.json import dumps, gradcheck_json

        emit(dumps(gradcheck_json(done)))
    else:
        from gradwalk.render.text import gradcheck_text

        emit(gradcheck_text(done, color=colour()[0], width=width()), painted=True)
    return OK if done.ok else NO


# ── Practice ─────────────────────────────────────────────────────────────────────────────────


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
        _emit_either(options, grade.json, lambda: grade.text(width(), colour()[0]))
        return OK if grade.ok else NO
    if not name:
        listed = [book.Run(one, ()) for one in book.EXERCISES.values()]
        left = max([len(name) for name in book.EXERCISES])
        lines = [f"{run.exercise.name:<{left}}  {run.exercise.title}" for run in listed]
        _emit_either(
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
    _emit_either(options, lambda: {"exercises": [r.json() for r in runs]}, lambda: "\n".join(texts))
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
    _no_words(options, "drill")
    from gradwalk.practice.drill import hold, question_json, questions

    seed = options.seed
    if seed is None:
        from random import SystemRandom

        seed = SystemRandom().randrange(10_000)
        note(f"seed {seed}: gradwalk drill --seed {seed} asks the same again")
    asked = questions(seed, options.count)
    if options.json:
        data = {"seed": seed, "questions": [question_json(question) for question in asked]}
        emit(_dumps({"version": 1, **data}))
        return OK

    score = hold(asked, _typed, _write, width())
    emit(f"{score.right} of {score.asked} right" if score.asked else "no question answered")
    return OK if score.right == score.asked else NO


def judge(words: Sequence[str]) -> int:
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
        return OK
    if len(options.words) != 1:
        raise UsageError("name one file: gradwalk judge my_value.py")
    if not options.json:
        return _judge(options)
    from gradwalk.errors import GradwalkError
    from gradwalk.practice.judge import failure_json

    try:
        return _judge(options)
    except (GradwalkError, Stopped, KeyboardInterrupt) as error:
        emit(_dumps(failure_json(options.words[0], str(error) or "stopped by Ctrl-C")))
        raise


def _judge(options: argparse.Namespace) -> int:
    file = options.words[0]
    if not Path(file).is_file():
        raise UsageError(
            f"{file} is a folder" if Path(file).is_dir() else f"there is no file {file}"
        )
    from gradwalk.practice.judge import judge
    from gradwalk.practice.verdict import report_json, report_text

    with ended_by_signals():
        report = judge(
            file,
            seconds=options.timeout,
            megabytes=options.memory,
            seed=options.seed,
            sandbox=options.sandbox == "on",
            trust=options.trust,
        )
    if not report.contained:
        note("NOT CONTAINED: the file ran without a sandbox, as your own code would")
    emit(_dumps(report_json(report))) if options.json else show(report_text(report, width()))
    return OK if report.ok else NO


# ── The rest ─────────────────────────────────────────────────────────────────────────────────


def bench(words: Sequence[str]) -> int:
    parser = Parser("bench")
    parser.option("--quick", action="store_true", help="a look: 30 steps in place of 1,000")
    parser.option("--long", action="store_true", help="also what takes half an hour")
    parser.option("--steps", type=whole(1), default=0, metavar="N", help="training steps")
    parser.option("-o", dest="file", metavar="FILE", help="write replay's growth curves as SVG")
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.bench import BENCHMARKS

    if not options.words:
        listed = [{"name": name, "measures": what} for name, (_, what) in BENCHMARKS.items()]
        lines = [f"{one['name']:<10} {one['measures']}" for one in listed]
        _emit_either(options, lambda: {"benchmarks": listed}, lambda: "\n".join(lines))
        return OK
    for name in options.words:
        if name not in (*BENCHMARKS, "all"):
            hint = suggest(name, BENCHMARKS) or f"; there is {', '.join(BENCHMARKS)}"
            raise UsageError(f"there is no benchmark {name!r:.40}{hint}")
    chosen = list(BENCHMARKS) if "all" in options.words else options.words
    for name in chosen:
        measure = import_module(BENCHMARKS[name][0]).measure
        report = measure(
            quick=options.quick, long=options.long, steps=options.steps, tell=_progress
        )
        if options.file and report.picture:
            emit(report.picture, options.file)
        emit(_dumps(report.json())) if options.json else show(report.text())
    return OK


def _progress(text: str) -> None:
    note(f"measuring: {text}")


def doctor(words: Sequence[str]) -> int:
    options = Parser("doctor").read(words)
    if options is None:
        return OK
    _no_words(options, "doctor")
    from gradwalk.cli.doctor import examine, report_text

    found = examine()
    emit(_dumps(found)) if options.json else show(report_text(found))
    return OK


def _no_words(options: argparse.Namespace, command: str) -> None:
    if options.words:
        raise UsageError(f"{command} takes options only, not {options.words[0]!r:.40}")


def _emit_either(
    options: argparse.Namespace, data: Callable[[], dict[str, Any]], text: Callable[[], str]
) -> None:
    emit(_dumps({"version": 1, **data()}) if options.json else text(), painted=not options.json)


def _dumps(data: dict[str, Any]) -> str:
    from gradwalk.render.json import dumps

    return dumps(data)
