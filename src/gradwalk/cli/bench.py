"""`gradwalk bench`: what gradwalk does on this machine, in figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from gradwalk.cli.arguments import Parser, UsageError, suggest, whole
from gradwalk.cli.terminal import emit_either, emit_json, note, show

OK = 0


def bench(words: Sequence[str]) -> int:
    parser = Parser("bench")
    parser.option("--quick", action="store_true", help="a look: 30 training steps")
    parser.option("--long", action="store_true", help="also what takes long")
    parser.option("--steps", type=whole(1), default=0, metavar="N", help="training steps")
    options = parser.read(words)
    if options is None:
        return OK
    from gradwalk.bench import BENCHMARKS

    if options.words == ["gradbench"]:
        from gradwalk.bench.gradbench import serve

        serve(sys.stdin, sys.stdout)
        return OK
    if not options.words:
        listed = [{"name": name, "measures": what} for name, (_, what) in BENCHMARKS.items()]
        lines = [f"{one['name']:<10} {one['measures']}" for one in listed]
        emit_either(options, lambda: {"benchmarks": listed}, lambda: "\n".join(lines))
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
        emit_json(report.json()) if options.json else show(report.text())
    return OK


def _progress(text: str) -> None:
    note(f"measuring: {text}")
