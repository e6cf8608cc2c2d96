"""`gradwalk walk`, `explain` and `check`: an expression and a point in, its gradients out.

Each function takes the command's words and returns an exit code. What it needs beyond the engine it
imports itself, so that no command waits for what only another uses.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradwalk.cli.arguments import (
    FORMATS,
    PICTURES,
    Parser,
    UsageError,
    format_of,
    number,
    one_of,
    picture_options,
    point,
    suggest,
    whole,
)
from gradwalk.cli.terminal import colour, emit, emit_either, emit_picture, width
from gradwalk.engine import Value, constant
from gradwalk.graph import snapshot
from gradwalk.walk import BUGS, Walk

if TYPE_CHECKING:
    from gradwalk.expr import Expression

OK, NO = 0, 1


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
    picture_options(parser)
    parser.option(
        "--wrap",
        type=number,
        metavar="SHAPE",
        help="of a picture: rows that fill a page of shape 16/9",
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
    elif f".{format_}" in PICTURES:
        from gradwalk.render.svg import svg

        wrap = options.wrap or (options.size and options.size[0] / options.size[1])
        moves = options.animate or format_ == "gif"
        drawn = svg(done, theme=options.theme, wrap=wrap, animated=moves)
        emit_picture(drawn, options, options.file, format_)
    else:
        emit(_written(done, format_, options), options.file, painted=format_ == "text")
    return OK


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
    from gradwalk.render import json, text

    emit_either(
        options,
        lambda: json.paths_json(found),
        lambda: text.paths_text(found, color=colour()[0], width=width()),
    )
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
        return expression.compute(leaves, constant)

    done = gradcheck(f, step=options.step, tolerance=options.tolerance, **values)
    from gradwalk.render import json, text

    emit_either(
        options,
        lambda: json.gradcheck_json(done),
        lambda: text.gradcheck_text(done, color=colour()[0], width=width()),
    )
    return OK if done.ok else NO
