"""A sheet of questions to print or to hand out, and its key: as Markdown, as a page, as data.

The questions are those of the drill: the same seed gives the same ones. A sheet never has the
answers in it, not even hidden; `key` is a sheet of its own, with how each answer comes about.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from gradwalk.graph import number
from gradwalk.practice.answers import shown
from gradwalk.practice.drill import Question, question_json, questions, solution
from gradwalk.practice.language import say, told


@dataclass(frozen=True, slots=True)
class Sheet:
    """Questions, or with `is_key` the answers to them."""

    seed: int
    questions: tuple[Question, ...]
    is_key: bool = False
    language: str = "en"

    @property
    def key(self) -> Sheet:
        return Sheet(self.seed, self.questions, True, self.language)

    @property
    def title(self) -> str:
        title = say("Answers to sheet {}", self.seed) if self.is_key else say("Sheet {}", self.seed)
        return told(title, self.language)

    def json(self) -> dict[str, Any]:
        every = [question_json(question) for question in self.questions]
        for question, data in zip(self.questions, every, strict=True):
            data["question"] = question.told(self.language)
            if not self.is_key:
                del data["answer"]
        return {"version": 1, "seed": self.seed, "key": self.is_key, "questions": every}

    def markdown(self) -> str:
        lines = [f"# {self.title}", ""]
        for index, question in enumerate(self.questions, 1):
            at = ", ".join([f"`{name} = {number(x)}`" for name, x in question.values.items()])
            lines += [f"## {index}", "", f"    {question.text}", "", at, ""]
            lines += [question.told(self.language), ""]
            if self.is_key:
                lines += [f"**{shown(question.answer)}**", ""]
                lines += [f"    {line}".rstrip() for line in self._solution(question)] + [""]
            else:
                lines += [f"{told('Answer', self.language)}: ____________", ""]
        return "\n".join(lines)

    def html(self) -> str:
        """Return a page that prints well and needs nothing beside it."""
        parts: list[str] = []
        for question in self.questions:
            at = ", ".join([f"{name} = {number(x)}" for name, x in question.values.items()])
            end = f'<p class="line">{told("Answer", self.language)}: <span></span></p>'
            if self.is_key:
                solved = escape("\n".join(self._solution(question)))
                end = f"<p><strong>{shown(question.answer)}</strong></p><pre>{solved}</pre>"
            asked = escape(question.told(self.language))
            parts.append(
                f"<li><pre>{escape(question.text)}</pre><p>{escape(at)}</p><p>{asked}</p>{end}</li>"
            )
        name = (
            ""
            if self.is_key
            else f'<p class="line">{told("Name", self.language)}: <span></span></p>'
        )
        return _PAGE.format(
            language=self.language, title=escape(self.title), name=name, items="\n".join(parts)
        )

    def _solution(self, question: Question) -> list[str]:
        return solution(question, None, 76, self.language).rstrip().split("\n")


def sheet(seed: int, count: int, language: str = "en") -> Sheet:
    """Return a sheet of `count` questions. A longer sheet of the same seed begins with these."""
    return Sheet(seed, tuple(questions(seed, count)), language=language)


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif }}
body {{ max-width: 44rem; margin: 2rem auto; padding: 0 1rem }}
li {{ break-inside: avoid; margin: 0 0 2rem; padding-left: .5rem }}
pre {{ font: 15px/1.5 ui-monospace, monospace; white-space: pre-wrap; margin: 0 0 .5rem }}
p {{ margin: 0 0 .5rem }}
.line span {{ display: inline-block; min-width: 14rem; border-bottom: 1px solid }}
@media print {{ body {{ margin: 0; max-width: none }} }}
</style>
<h1>{title}</h1>
{name}
<ol>
{items}
</ol>
</html>
"""
