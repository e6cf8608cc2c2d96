"""The lessons as slides and as notebooks, from the same sources as the lab's: lessons/.

    python3 tools/lesson_forms.py DIR     DIR/en/slides.html, DIR/en/01-start.ipynb, …

The docs have them beside the pages of the lessons. Slides are one file for each language, without
scripts from elsewhere: → and ← turn them, the answer of a question is behind a click, and printing
gives a page for each slide. A notebook has a cell of code for every walk, so a learner can change
the numbers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from gradwalk.render.svg import svg
from gradwalk.walk import walk

sys.path.insert(0, str(Path(__file__).parent))
from lessons import (  # beside this file
    LANGUAGES,
    PAGE_WORDS,
    Block,
    Lesson,
    Span,
    Step,
    course,
    graph_of,
    markdown,
    markdown_block,
    noted,
)

# ── Notebooks ────────────────────────────────────────────────────────────────────────────────


def notebook(number: int, lesson: Lesson, language: str) -> dict[str, Any]:
    """Return a lesson as a notebook: its text, its walks as code, its answers folded."""
    question, answers = PAGE_WORDS[language][2:4]
    cells = [_text(f"# {number}. {lesson.title}")]
    for step in lesson.steps:
        parts = [f"## {step.title}\n", *[markdown_block(block) for block in step.blocks]]
        if step.source:
            rows = "\n".join([noted(row) for row in step.source["rows"]])
            parts.append(f"```python\n{rows}\n```\n")
        cells.append(_text("\n".join(parts).rstrip()))
        if step.walk:
            cells.append(_code(code_of(step.walk)))
        if step.check:
            options = step.check.get("options", [])
            asked = [f"**{question}.** {markdown(step.check['ask'])}\n"]
            asked += ["".join([f"- {markdown(one['text'])}\n" for one in options])]
            said, why = answer(step)
            told = f"{markdown(said)}. {markdown(why)}"
            asked += [f"<details><summary>{answers}</summary>\n\n{told}\n\n</details>"]
            cells.append(_text("\n".join(asked)))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": [
        {"id": f"cell-{i}", **cell} for i, cell in enumerate(cells)
    ]}  # fmt: skip


def code_of(directive: dict[str, Any]) -> str:
    """Return the code of a walk: what a learner would write, on its first line the expression.

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


def pushes_of(directive: dict[str, Any]) -> int | None:
    """Return how many pushes backward a lesson shows, None for all of them."""
    moment, _, count = directive["at"].partition(" ")
    return None if moment == "end" else int(count) if moment == "backward" else 0


def answer(step: Step) -> tuple[list[Span], list[Span]]:
    """Return the answer to a step's question, and why it is that one."""
    check: dict[str, Any] = step.check or {}
    for option in check.get("options", []):
        if option["right"]:
            return option["text"], option["why"]
    return [["c", f"{check['answer']:.4g}"]], check["why"]


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(source: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"execution_count": None, "metadata": {}, "outputs": []}
    return {"cell_type": "code", **empty, "source": source.splitlines(keepends=True)}


# ── Slides ───────────────────────────────────────────────────────────────────────────────────


def slides(lessons: list[Lesson], language: str) -> str:
    """Return the whole course as one page, a slide for each step."""
    title, _, question, answers = PAGE_WORDS[language][:4]
    out = [_slide(f"<h1>{title}</h1><ol>{_contents(lessons)}</ol>", "contents")]
    for number, lesson in enumerate(lessons, 1):
        head = f"<h1>{number}. {escape(lesson.title)}</h1>"
        out.append(_slide(head, lesson.id))
        for step in lesson.steps:
            out += _slides_of(step, question, answers)
    return _PAGE.format(language=language, title=title, slides="\n".join(out))


def _slides_of(step: Step, question: str, answers: str) -> Iterator[str]:
    """Yield the text with its picture; then the engine's source and the question, if there are."""
    title = f"<h2>{escape(step.title)}</h2>"
    parts = [title, *[block(one) for one in step.blocks]]
    solved = ""
    if step.walk:
        whole, pushes = walk(graph_of(step.walk), bug=step.walk.get("bug")), pushes_of(step.walk)
        if pushes is None and step.check and step.check["kind"] != "choice":
            pushes = 0  # the whole walk has the number that is asked for
        drawn = svg(whole if pushes is None else whole.until(pushes), wrap=3)
        if pushes is not None and step.check:  # the rest of the walk is behind the answer
            solved = f"<figure>{svg(whole, wrap=3)}</figure>"
        if step.walk["at"] == "start":
            values = ", ".join([f"{name} = {x:g}" for name, x in step.walk["values"].items()])
            drawn = f"<pre>{escape(step.walk['text'])}\n{values}</pre>"
        parts.append(f"<figure>{drawn}</figure>")
    yield _slide("".join(parts))
    if step.source:
        rows = "\n".join([noted(row) for row in step.source["rows"]])
        yield _slide(f'{title}<pre class="source">{escape(rows)}</pre>')
    if step.check:
        said, why = answer(step)
        options = [f"<li>{line(one['text'])}</li>" for one in step.check.get("options", [])]
        listed = f"<ul>{''.join(options)}</ul>" if options else ""
        yield _slide(
            f"<h2>{question}</h2><p>{line(step.check['ask'])}</p>{listed}<details>"
            f"<summary>{answers}</summary><p>{line(said)}. {line(why)}</p>{solved}</details>"
        )


def _contents(lessons: list[Lesson]) -> str:
    return "".join([f'<li><a href="#{one.id}">{escape(one.title)}</a></li>' for one in lessons])


def _slide(content: str, name: str = "") -> str:
    return f"<section{f' id={chr(34)}{name}{chr(34)}' if name else ''}>{content}</section>"


def line(spans: list[Span]) -> str:
    tags = {"c": "code", "b": "b", "i": "i"}
    return "".join(
        [
            escape(one)
            if isinstance(one, str)
            else f"<{tags[one[0]]}>{escape(one[1])}</{tags[one[0]]}>"
            for one in spans
        ]
    )


def block(one: Block) -> str:
    if "code" in one:
        return f"<pre>{escape(one['code'])}</pre>"
    if "ul" in one:
        return f"<ul>{''.join([f'<li>{line(item)}</li>' for item in one['ul']])}</ul>"
    return f"<p>{line(one['p'])}</p>"


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


# ── Files ────────────────────────────────────────────────────────────────────────────────────


def write(folder: Path) -> None:
    """Write slides and notebooks of every language."""
    for language in LANGUAGES:
        lessons = course(language)
        (folder / language).mkdir(parents=True, exist_ok=True)
        (folder / language / "slides.html").write_text(slides(lessons, language), "utf-8")
        for number, lesson in enumerate(lessons, 1):
            made = json.dumps(notebook(number, lesson, language), ensure_ascii=False, indent=1)
            file = folder / language / f"{number:02}-{lesson.id}.ipynb"
            file.write_text(made + "\n", "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("name a folder: python3 tools/lesson_forms.py DIR")
    write(Path(sys.argv[1]))
