"""What a request may say: strict JSON, known fields, and the one way to say no.

`Refusal` is every error that a client gets, `decode` reads a body, `FIELDS` has what tasks take,
one row each. Nothing here knows of HTTP beyond the status code.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from gradwalk.gpt.breaks import BREAKS
from gradwalk.practice.language import LANGUAGES

MOST_DEPTH = 8
MOST_DIGITS = 400  # of a number: 1.8e308, written out, has 309

Json = dict[str, Any]


class Refusal(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """An answer that says no: its status, a word for programs, a sentence for people."""

    def __init__(
        self,
        status: int,
        error: str,
        message: str,
        column: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, error, message)
        self.status = status
        self.error = error
        self.message = message
        self.column = column
        self.headers = dict(headers or {})

    def body(self) -> bytes:
        found: Json = {"error": self.error, "message": self.message}
        if self.column is not None:
            found["column"] = self.column
        return json.dumps(found).encode("ascii")


def decode(body: bytes) -> Json:
    """Return the object that `body` writes, or refuse it.

    Stricter than Python's own reader: UTF-8, no NaN, no number beyond the doubles, no name twice,
    and no nesting that could exhaust a stack.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _malformed(f"byte {error.start} of the body is not UTF-8") from None
    if _depth(text) > MOST_DEPTH:
        raise _malformed(f"the JSON is nested more than {MOST_DEPTH} deep")
    try:
        found: object = json.loads(
            text,
            parse_constant=_not_a_number,
            parse_float=_number,
            parse_int=_whole,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise _malformed(f"the body is not JSON: {error.msg} at character {error.pos}") from None
    if not isinstance(found, dict):
        raise _malformed(f"the body is a JSON object, not {_kind(found)}")
    return cast("Json", found)


def _malformed(message: str) -> Refusal:
    return Refusal(400, "MalformedRequest", message)


# A string, closed or not, or a bracket. Nothing here is tried twice: the scan is linear.
_PARTS = re.compile(r'"(?:[^"\\]++|\\.?)*+"?|[\[\]{}]', re.DOTALL)


def _depth(text: str) -> int:
    """Return how deep brackets nest; those inside strings do not count."""
    depth = most = 0
    for part in _PARTS.findall(text):
        if part in "[{":
            depth += 1
            most = max(most, depth)
        elif part in "]}":
            depth -= 1
    return most


def _not_a_number(word: str) -> NoReturn:
    raise _malformed(f"{word} is not a JSON number")


def _number(text: str) -> float:
    number = float(text) if len(text) <= MOST_DIGITS else math.inf
    if math.isinf(number):
        raise _malformed(f"{text[:20]}… is beyond the largest double, 1.8e308")
    return number


def _whole(text: str) -> int | float:
    return int(text) if len(text) <= 15 else _number(text)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise _malformed(f"the field {name!r:.40} is there twice")
        found[name] = value
    return found


_KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
}


def _kind(thing: object) -> str:
    return "null" if thing is None else _KINDS.get(type(thing), "an object")


def _told(thing: object) -> str:
    """Return the kind of a thing; of a number or a short text, the thing itself."""
    short = isinstance(thing, (int, float, str)) and not isinstance(thing, bool)
    return f"{thing!r:.40}" if short and len(str(thing)) <= 40 else _kind(thing)


# ── Fields ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Field:
    """What a field holds, in words and as a test; `default` where a request may leave it out."""

    wants: str
    accepts: Callable[[Any], bool]
    default: object = None
    required: bool = False


def _is_number(thing: object) -> bool:
    return isinstance(thing, (int, float)) and not isinstance(thing, bool)


def _are_values(thing: object) -> bool:
    return isinstance(thing, dict) and all(map(_is_number, cast("Json", thing).values()))


MOST_SOURCE = 32_000


def _is_source(thing: object) -> bool:
    """Whether it is a text that can be a file: no half of a surrogate pair, and not too long."""
    if not isinstance(thing, str) or len(thing) > MOST_SOURCE:
        return False
    return not any("\ud800" <= one <= "\udfff" for one in thing)


_POSITIVE = "a number above 0"


def _one_of(words: tuple[str, ...], default: str) -> Field:
    return Field(f"one of {', '.join(words)}", lambda x: x in words, default)


def _count(least: int, most: int, default: int) -> Field:
    def accepts(thing: object) -> bool:
        return isinstance(thing, int) and not isinstance(thing, bool) and least <= thing <= most

    return Field(f"a whole number from {least} to {most}", accepts, default)


def _text(most: int, default: str) -> Field:
    def accepts(thing: object) -> bool:
        return isinstance(thing, str) and len(thing) <= most

    return Field(f"a text of at most {most} characters", accepts, default)


FIELDS: dict[str, Field] = {
    "expression": Field("a text", lambda x: isinstance(x, str), required=True),
    "values": Field("an object of numbers", _are_values, required=True),
    "source": Field(f"a text of at most {MOST_SOURCE} characters", _is_source, required=True),
    "language": _one_of(LANGUAGES, "en"),
    "strict": Field("true or false", lambda x: isinstance(x, bool), False),
    "step": Field(_POSITIVE, lambda x: _is_number(x) and x > 0, 1e-6),
    "tolerance": Field(_POSITIVE, lambda x: _is_number(x) and x > 0, 1e-6),
    "model": _one_of(("neuron", "mlp", "block", "gpt"), "neuron"),
    "document": _text(64, "isabel"),
    "seed": _count(0, 2**31 - 1, 42),
    "steps": _count(1, 100_000, 1000),
    "n_embd": _count(1, 64, 16),
    "n_layer": _count(1, 4, 1),
    "n_head": _count(1, 8, 4),
    "block_size": _count(2, 32, 16),
    "text": _text(60_000, ""),
    "lr": Field("a number from 0 to 1", lambda x: _is_number(x) and 0 <= x <= 1, 0.01),
    "broken": _one_of(("", *BREAKS), ""),
    "pace": _count(0, 10_000, 100),
    "at": _count(1, 100_000, 1),
}


def read_fields(found: Json, fields: tuple[str, ...]) -> Json:
    """Return a value for each of `fields`, names of rows above; refuse any other field."""
    for name in found:
        if name not in fields:
            known = ", ".join(fields)
            raise Refusal(422, "UnknownField", f"there is no field {name!r:.40}; there is {known}")
    values: Json = {}
    for name in fields:
        row = FIELDS[name]
        if name not in found:
            if row.required:
                raise Refusal(422, "MissingField", f"the field {name} is missing: {row.wants}")
            values[name] = row.default
        elif row.accepts(found[name]):
            values[name] = found[name]
        else:
            message = f"{name} is {row.wants}, not {_told(found[name])}"
            raise Refusal(422, "WrongField", message)
    return values
