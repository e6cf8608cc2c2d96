"""Hostile inputs to everything that reads a stranger's bytes: `python3 x.py fuzz inputs`.

Each seed takes a sound input and damages it, by parts that have made trouble before.
A reader may accept it or refuse it by its own error. Anything else is a failure: another exception,
or an answer that breaks the reader's promise.

    request     a body that a web page sends to the lab
    answer      a line that a judged file writes into the judge's pipe
    program     a saved program, under a right check sum
    checkpoint  a checkpoint of a GPT
    stream      the lines of a training that is resumed
    terminal    text on its way to a terminal
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import traceback
import zlib
from array import array
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from fuzz import Draws, MismatchError

from gradwalk import compile  # noqa: A004
from gradwalk.cli.terminal import harmless
from gradwalk.errors import CheckpointError, ProgramFileError
from gradwalk.gpt import checkpoint
from gradwalk.gpt.stream import lines_up_to
from gradwalk.lab.requests import Refusal, decode
from gradwalk.practice.judge import learner
from gradwalk.program import files

PROGRAMS = 100_000
PARTS = [
    *['"', "\\", "\\\\", '\\"', "[", "]", "{", "}", ",", ":", "\n", "\0", "\x1b]52;c;", "\u202e"],
    *["Infinity", "NaN", "-1", "9" * 400, "9" * 5000, "1e999", "true", "null", "[" * 500, "é"],
    *['"id": 1', '"error": 3', '"data": [1, "x"]', '"step": "1"', '"names": [[]]', "ÿ", "\u2028"],
    "\ud83d",
]
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def damaged(random: Random, sound: bytes) -> bytes:
    """Return a sound input with some bytes changed, cut, doubled or replaced by a part."""
    data = bytearray(sound)
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((0, 1, 1, 4, 40)))
        part = random.choice(PARTS).encode("utf-8", "surrogatepass")
        data[at:end] = random.choice((b"", random.randbytes(2), part, bytes(data[at:end]) * 2))
    return bytes(data)


def request(random: Random) -> None:
    sound = b'{"expression": "(a + b) * c", "values": {"a": 2, "b": -3.5e2}, "order": null}'
    try:
        found = decode(damaged(random, sound))
        json.dumps(found, allow_nan=False)
    except Refusal as refusal:
        if not 400 <= refusal.status < 500 or not json.loads(refusal.body()):
            raise RuntimeError(f"a refusal with status {refusal.status}") from None


JOB = {"nodes": [["leaf", 2.0, []], ["number", 3, []], ["*", 0, [0, 1]]], "roots": [2]}


def answer(random: Random) -> None:
    names = {name: name for name in ("class", "data", "grad", "backward")}
    loaded = {"classes": ["A"], "is_class": True, "names": ["f"], **names}
    numbers = {"data": [2, None, 6], "grads": [3, None, 1]}
    failed = {"error": "E", "message": "m", "line": 3, "source": "s", "doing": "node 2"}
    readers: list[tuple[learner.Answer, learner.Reader]] = [
        (loaded, learner.read_loaded),
        (numbers, learner.read_answers(JOB)),
        (failed, learner.read_loaded),
    ]
    row, read = random.choice(readers)
    sound = json.dumps({"id": "1", **row, "borrowed": []}).encode()
    # What is kept must be plain: it is printed, and compared with numbers.
    json.dumps(learner.believed(damaged(random, sound), "1", read)).encode()


def _square(x: float, n: object) -> float:
    return x * x + 1.0


_compiled = compile(_square, static=["n"])
_compiled(2.0, (1, "a"))
PROGRAM = files.packed(_compiled._store)


def program(random: Random) -> None:
    magic, version, head, _, _ = files._HEAD.unpack_from(PROGRAM)
    start = files._HEAD.size
    header, body = PROGRAM[start : start + head], PROGRAM[start + head :]
    if random.random() < 0.7:
        header = damaged(random, header)
    else:
        body = damaged(random, body)
    rest = header + body
    data = files._HEAD.pack(magic, version, len(header), len(body), zlib.crc32(rest)) + rest
    try:
        files.unpacked(data)
    except ProgramFileError:
        return


CHECKPOINT = b"".join(checkpoint.encode({"x": ((2, 2), array("d", [1, 2, 3, 4]))}, {"a": "b"}))


def checkpoints(random: Random) -> None:
    try:
        checkpoint.decode(damaged(random, CHECKPOINT))
    except CheckpointError:
        return


def stream(random: Random) -> None:
    rows = [{"event": "start"}, *[{"event": "step", "step": i, "loss": 1.5} for i in (1, 2, 3)]]
    sound = "".join([json.dumps(row) + "\n" for row in rows]).encode()
    with tempfile.NamedTemporaryFile() as file:
        file.write(damaged(random, sound))
        file.flush()
        kept = lines_up_to(Path(file.name), 2)
    assert all(line.endswith("\n") and json.loads(line).get("step", 0) <= 2 for line in kept)


def terminal(random: Random) -> None:
    text = "".join(random.choices([*PARTS, *map(chr, range(0x300)), "\u2069", "\U000e0041"], k=40))
    shown = harmless(text)
    assert not STEERING.search(shown), ascii(shown)
    assert harmless(shown) == shown


TARGETS: dict[str, Callable[[Random], None]] = {
    "request": request,
    "answer": answer,
    "program": program,
    "checkpoint": checkpoints,
    "stream": stream,
    "terminal": terminal,
}


def make(draws: Draws, _options: Any) -> Draws:
    return draws


def examine(draws: Draws, counts: Counter[str], options: Any, only: str = "") -> None:
    """Give one damaged input to each target."""
    for name in options.target or TARGETS:
        draws.part()
        if only not in ("", name):
            continue
        counts[name] += 1
        try:
            TARGETS[name](draws)
        except Exception as error:
            raise MismatchError(name, traceback.format_exc(), type(error).__name__) from error


def script(draws: Draws, mismatch: MismatchError, _options: Any) -> str:
    return f"# python3 x.py fuzz inputs --programs 1 --seed {draws.start} --target {mismatch.where}"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--target", action="append", choices=TARGETS, help="repeatable (all)")
