"""Sentences for learners, in their language: English, Russian or Estonian.

`say` makes a sentence from an English template and its parts. The result is that sentence, an
ordinary str; and it remembers how it was made, so that `told` can say it in another language:

    why = say("the rule of {} is wrong: {}", "exp", hint)
    told(why, "et")

A translation has the same places {} in any order, by number where the order differs: {1} … {0}.
The catalogues are gradwalk/data/sentences.*.json, from the English template to the other language.
A template that is not in one is said in English; a test sees to it that there is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

LANGUAGES = ("en", "ru", "et")


class Said(str):
    """A sentence that knows its template and the parts that were put into it."""

    template: str
    parts: tuple[object, ...]
    names: Mapping[str, object]


def say(template: str, /, *parts: object, **names: object) -> Said:
    """Return the sentence in English. A part may be such a sentence itself."""
    made = Said(template.format(*parts, **names))
    made.template, made.parts, made.names = template, parts, names
    return made


def told(text: str, language: str) -> str:
    """Return a sentence in this language; other text comes back unchanged."""
    if language == "en" or not text:
        return text
    known = catalogue(language)
    if not isinstance(text, Said):
        return known.get(text, text)
    parts = [told(part, language) if isinstance(part, str) else part for part in text.parts]
    return known.get(text.template, text.template).format(*parts, **text.names)


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the sentences of a language by their English templates."""
    file = resources.files("gradwalk.data").joinpath(f"sentences.{language}.json")
    return json.loads(file.read_text("utf-8"))
