"""The lessons of the lab as slides for a class and as notebooks.

    course      the lessons of a language, as the lab's page reads them: static/lessons-en.json
    slides      some lessons as one page, without scripts from elsewhere: → and ← turn the slides,
                the answer of a question is behind a click, and printing gives a page per slide
    notebook    one lesson, with a cell of code for every walk, so a learner can change the numbers

Both stop where the lesson stops, so they do not show the answer of its question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any

from gradwalk.expr import parse
from gradwalk.graph import Graph, snapshot
from gradwalk.practice.language import told
from gradwalk.render.svg import svg
from gradwalk.walk import Walk, walk

#: A text, or a piece of it: [kind, text], where c is code, b bold and i italic.
Span = str | list[str]
Block = dict[str, Any]
Step = dict[str, Any]
Lesson = dict[str, Any]


def course(language: str) -> list[Lesson]:
    """Return the lessons, in order."""
    file = files("gradwalk.lab") / "static" / f"lessons-{language}.json"
    return json.loads(file.read_text("utf-8"))["lessons"]


def graph_of(directive: dict[str, Any]) -> Graph:
    """Return the graph that a step puts on the stage."""
    return snapshot(parse(directive["text"]).evaluate(directive["values"]))


def pushes_of(directive: dict[str, Any]) -> int | None:
    """Return how many pushes backward a lesson shows, None for all of them."""
    moment, _, count = directive["at"].partition(" ")
    return None if moment == "end" else int(count) if moment == "backward" else 0


def answer(check: dict[str, Any]) -> tuple[list[Span], list[Span]]:
    """Return the answer to a question, and why it is that one."""
    for option in check.get("options", []):
        if option["right"]:
            return option["text"], option["why"]
    return [["c", f"{check['answer']:.4g}"]], check["why"]


# ── Notebooks ────────────────────────────────────────────────────────────────────────────────


def notebook(lesson: Lesson, language: str) -> str:
    """Return a lesson as a notebook: its text, its walks as code, its answers folded."""
    cells = [_text(f"# {markdown(lesson['title'])}")]
    for step in lesson["steps"]:
        title = f"## {markdown(step['title'])}\n"
        parts = [title, *[markdown_block(block) for block in step["blocks"]]]
        if "source" in step:
            parts.append(f"```python\n{_rows(step)}\n```\n")
        cells.append(_text("\n".join(parts).rstrip()))
        if "walk" in step:
            cells.append(_code(code_of(step["walk"])))
        if "check" in step:
            check = step["check"]
            asked = [f"**{told('Question', language)}.** {markdown(check['ask'])}\n"]
            asked += ["".join([f"- {markdown(one['text'])}\n" for one in check.get("options", [])])]
            said, why = answer(check)
            folded = f"<details><summary>{told('Answer', language)}</summary>"
            asked += [f"{folded}\n\n{markdown(said)}. {markdown(why)}\n\n</details>"]
            cells.append(_text("\n".join(asked)))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    head = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
    named = [{"id": f"cell-{i}", **cell} for i, cell in enumerate(cells)]
    return json.dumps({**head, "cells": named}, ensure_ascii=False, indent=1) + "\n"


def code_of(directive: dict[str, Any]) -> str:
    """Return the code of a walk, which a learner would write.

    It stops where the lesson stops. Before the first number, that is at the expression.
    """
    values = ", ".join([f'"{name}": {x:g}' for name, x in directive["values"].items()])
    bug = f', bug="{directive["bug"]}"' if "bug" in directive else ""
    pushes = pushes_of(directive)
    begin = f'from gradwalk.expr import parse\n\nexpression = "{directive["text"]}"\n'
    if directive["at"] == "start":
        return f"{begin}values = {{{values}}}\nparse(expression).names"
    stop = "" if pushes is None else f".until({pushes})"
    call = f"walk(parse(expression).evaluate({{{values}}}){bug}){stop}"
    return f"from gradwalk import walk\n{begin}{call}"


def markdown(line: list[Span]) -> str:
    marks = {"c": "`", "b": "**", "i": "*"}
    return "".join(
        [one if isinstance(one, str) else f"{marks[one[0]]}{one[1]}{marks[one[0]]}" for one in line]
    )


def markdown_block(block: Block) -> str:
    if "code" in block:
        return f"```text\n{block['code']}\n```\n"
    if "ul" in block:
        return "".join([f"- {markdown(item)}\n" for item in block["ul"]])
    return markdown(block["p"]) + "\n"


def noted(row: dict[str, str]) -> str:
    """Return a line of the engine's source with what is said of it."""
    return f"{row['text']}  # {row['note']}" if "note" in row else row["text"]


def _rows(step: Step) -> str:
    return "\n".join([noted(row) for row in step["source"]["rows"]])


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(source: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"execution_count": None, "metadata": {}, "outputs": []}
    return {"cell_type": "code", **empty, "source": source.splitlines(keepends=True)}


# ── Slides ───────────────────────────────────────────────────────────────────────────────────


def slides(lessons: list[Lesson], language: str) -> str:
    """Return lessons as one page, a slide for each step; of several, a contents comes first."""
    title = told("Lessons", language)
    out = [_slide(f"<h1>{title}</h1><ol>{_contents(lessons)}</ol>")] if len(lessons) > 1 else []
    for lesson in lessons:
        out.append(_slide(f"<h1>{_line(lesson['title'])}</h1>", lesson["id"]))
        for step in lesson["steps"]:
            out += _slides_of(step, language)
    return _PAGE.format(language=language, title=title, slides="\n".join(out))


def _slides_of(step: Step, language: str) -> Iterator[str]:
    """Yield the text with its picture; then the engine's source and the question, if there are."""
    title = f"<h2>{_line(step['title'])}</h2>"
    parts, solved = [title, *[_block(one) for one in step["blocks"]]], ""
    if "walk" in step:
        whole = walk(graph_of(step["walk"]), bug=step["walk"].get("bug"))
        pushes = pushes_of(step["walk"])
        parts.append(f"<figure>{_stage(step['walk'], whole, pushes)}</figure>")
        if pushes is not None and "check" in step:  # the rest of the walk is behind the answer
            solved = f"<figure>{svg(whole, wrap=3)}</figure>"
    yield _slide("".join(parts))
    if "source" in step:
        yield _slide(f'{title}<pre class="source">{escape(_rows(step))}</pre>')
    if "check" in step:
        check = step["check"]
        said, why = answer(check)
        options = [f"<li>{_line(one['text'])}</li>" for one in check.get("options", [])]
        listed = f"<ul>{''.join(options)}</ul>" if options else ""
        yield _slide(
            f"<h2>{told('Question', language)}</h2><p>{_line(check['ask'])}</p>{listed}<details>"
            f"<summary>{told('Answer', language)}</summary>"
            f"<p>{_line(said)}. {_line(why)}</p>{solved}</details>"
        )


def _stage(directive: dict[str, Any], whole: Walk, pushes: int | None) -> str:
    if directive["at"] == "start":
        values = ", ".join([f"{name} = {x:g}" for name, x in directive["values"].items()])
        return f"<pre>{escape(directive['text'])}\n{values}</pre>"
    return svg(whole if pushes is None else whole.until(pushes), wrap=3)


def _contents(lessons: list[Lesson]) -> str:
    return "".join(
        [f'<li><a href="#{one["id"]}">{_line(one["title"])}</a></li>' for one in lessons]
    )


def _slide(content: str, name: str = "") -> str:
    mark = f' id="{name}"' if name else ""
    return f"<section{mark}>{content}</section>"


def _line(spans: list[Span]) -> str:
    tags = {"c": "code", "b": "b", "i": "i"}
    return "".join(
        [
            escape(one)
            if isinstance(one, str)
            else f"<{tags[one[0]]}>{escape(one[1])}</{tags[one[0]]}>"
            for one in spans
        ]
    )


def _block(one: Block) -> str:
    if "code" in one:
        return f"<pre>{escape(one['code'])}</pre>"
    if "ul" in one:
        return f"<ul>{''.join([f'<li>{_line(item)}</li>' for item in one['ul']])}</ul>"
    return f"<p>{_line(one['p'])}</p>"


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; scroll-snap-type: y mandatory }}
body {{ margin: 0; font: clamp(16px, min(2.1vw, 3.6vh), 34px)/1.4 system-ui, sans-serif }}
section {{ height: 100vh; box-sizing: border-box; padding: 5vh 7vw; scroll-snap-align: start }}
section {{ display: flex; flex-direction: column; justify-content: center }}
h1, h2 {{ line-height: 1.2; margin: 0 0 .6em }}
p, ul, ol {{ margin: 0 0 .6em; max-width: 46em }}
ol {{ columns: 2; font-size: .9em }}
pre, code {{ font-family: ui-monospace, monospace; font-size: .85em }}
pre {{ white-space: pre-wrap; margin: 0 }}
.source {{ font-size: min(.7em, 2.1vh); line-height: 1.35; overflow: auto }}
figure {{ margin: 0; flex: 0 1 60vh; min-height: 0 }}
details figure {{ height: 42vh }}
figure svg {{ width: 100%; height: 100% }}
summary {{ cursor: pointer }}
@media print {{ section {{ break-after: page }} }}
@media (max-width: 700px) {{ section {{ height: auto; min-height: 100vh }} ol {{ columns: 1 }} }}
</style>
{slides}
<script>
const all = [...document.querySelectorAll("section")];
const here = () => all.findIndex((one) => one.getBoundingClientRect().bottom > innerHeight / 2);
addEventListener("keydown", (event) => {{
  const step = {{ ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }}[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, here() + step))].scrollIntoView();
}});
</script>
</html>
"""
