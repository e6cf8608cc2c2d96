"""The browser's engine, asked from Python, and random texts to ask it about.

`Core` runs web/test/core/driver.mjs under Node. Where the sign of a zero or a nan matters, doubles
travel as the hex digits of their bits (`support.bits`); else JSON's shortest digits lose nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest

from gradwalk.expr import FUNCTIONS
from gradwalk.graph import Graph, Node
from support.bits import bits

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"
SOURCE = WEB / "test/core/contract.ts"
DRIVER = WEB / "test/core/driver.mjs"
RUNS_TYPESCRIPT = (22, 18)  # the first Node that strips types by itself


class Core:
    """A running engine. `ask` returns its answer, or fails the test with its stack trace."""

    def __init__(self, node: str, module: Path) -> None:
        self.process = subprocess.Popen(
            [node, str(DRIVER), str(module)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, question: str, **details: Any) -> Any:
        return self.ask_all([{"ask": question, **details}])[0]

    def ask_all(self, questions: list[dict[str, Any]]) -> list[Any]:
        """Ask many at once: a turn of two processes on a busy machine is what takes the time."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(questions) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"Node ended with exit code {self.process.wait()}"
        answer = json.loads(line, parse_int=_whole_number)
        assert "failure" not in answer, f"{str(questions)[:2000]}\n{answer['failure']}"
        return answer["answers"]

    def close(self) -> None:
        self.process.communicate()


def running(source: Path = SOURCE) -> Iterator[Core]:
    """Yield the engine, bundled from its sources; the body of a fixture."""
    if source == SOURCE:
        subprocess.run([sys.executable, str(ROOT / "tools/web_rows.py")], check=True)
    node = shutil.which("node")
    if node is None:
        _unable("there is no node on PATH")
    with tempfile.TemporaryDirectory() as folder:
        core = Core(node, _module(node, source, Path(folder) / "core.mjs"))
        yield core
        core.close()


def _module(node: str, source: Path, bundle: Path) -> Path:
    """Return the engine as a file that this Node can import."""
    esbuild = WEB / "node_modules/.bin/esbuild"
    if esbuild.exists():
        command = [esbuild, source, "--bundle", "--format=esm", f"--outfile={bundle}"]
        subprocess.run([*map(str, command), "--log-level=warning"], check=True)
        return bundle
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    numbers = tuple(map(int, version.stdout.strip().lstrip("v").split(".")))
    if numbers >= RUNS_TYPESCRIPT:
        return source
    _unable("web/node_modules is missing (cd web && npm ci), and Node is too old")


def _unable(why: str) -> NoReturn:
    message = f"THE BROWSER'S ENGINE IS NOT TESTED: {why}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def _whole_number(digits: str) -> int | float:
    """JavaScript writes the double 2**60 as 1152921504606847000: not its value, but its name."""
    return int(digits) if len(digits) < 16 else float(digits)


# ── Structures with every double as its bits ─────────────────────────────────────────────────


def exact(thing: Any) -> Any:
    if isinstance(thing, (int, float)) and not isinstance(thing, bool):
        return bits(float(thing))
    if isinstance(thing, (list, tuple)):
        return [exact(part) for part in thing]
    if isinstance(thing, dict):
        return {key: exact(value) for key, value in thing.items()}
    return thing


def double(text: str) -> float:
    return float("nan") if text == "nan" else struct.unpack(">d", bytes.fromhex(text))[0]


_WORDS = {"NaN": "nan", "Infinity": bits(float("inf")), "-Infinity": bits(float("-inf"))}


def _number(json_number: str) -> float:
    """A double of the contract, through `exact`: its bits, or the word for what JSON lacks."""
    return double(_WORDS.get(json_number, json_number))


def graph_from(exact_json: dict[str, Any]) -> Graph:
    """Return the graph whose exact JSON this is, as Python's own class."""
    return Graph(
        [
            Node(
                int(double(node["id"])),
                node["op"],
                node["label"],
                _number(node["data"]),
                _number(node["grad"]),
                tuple(int(double(operand)) for operand in node["operands"]),
                tuple(map(_number, node["local_grads"])),
                tuple(node["tags"]),
            )
            for node in exact_json["nodes"]
        ]
    )


def rows(graph: Graph) -> list[dict[str, Any]]:
    """Return a graph's nodes as the driver takes them."""
    return [
        {
            "op": node.op,
            "label": node.label,
            "data": bits(node.data),
            "grad": bits(node.grad),
            "operands": node.operands,
            "local_grads": [*map(bits, node.local_grads)],
            "tags": node.tags,
        }
        for node in graph.nodes
    ]


# ── Random texts ─────────────────────────────────────────────────────────────────────────────

NAMES = ["a", "b", "c", "x", "y", "x1", "w_2", "long_name", "é", "μ", "变量", "𝑥", "constructor"]
NAMES += ["__proto__", "toString", "_", "Ω"]
NUMBERS = ["0", "1", "2", "3", ".5", "1.", "2.5", "1e-3", "1_000", "0.1", "1E2", "7e-1", "12.5e+0"]
SIGNS = ["+", "-", "*", "/", "**"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
BLANKS = ["", "", "", " ", "  ", "\t", "\u00a0"]
#: Those on which JavaScript and Python agree to the last bit, given that they do on / (see tests).
EXACT_FUNCTIONS = ["abs", "sqrt", "relu", "leaky_relu", "maximum", "minimum", "where", "clip"]
EXACT_FUNCTIONS += ["floor", "sign"]


def expression(random: Random, size: int, names: Sequence[str], functions: Sequence[str]) -> str:
    """Return a text that parses, of about `size` operations."""
    blank = random.choice(BLANKS)
    if size <= 0:
        return random.choice([*names, *names, *NUMBERS])
    kind = random.random()
    if kind < 0.55:
        part = random.randint(0, size - 1)
        left = expression(random, part, names, functions)
        right = expression(random, size - 1 - part, names, functions)
        sign = random.choice(SIGNS[:3] if random.random() < 0.7 else SIGNS)
        if random.random() < 0.6:
            left, right = f"({left})", f"({right})"
        if sign == "**":
            left = f"({left})"
            right = random.choice(["2", "3", "-1", "0.5", ".5", "-2", f"({right})"])
        return f"{left}{blank}{sign}{blank}{right}"
    if kind < 0.65:
        return f"{random.choice('-+-')}{blank}{expression(random, size - 1, names, functions)}"
    if kind < 0.75:
        return f"({blank}{expression(random, size - 1, names, functions)}{blank})"
    name = random.choice(functions)
    op = FUNCTIONS[name]
    count = random.randint(op.least, op.arity)
    shares = [expression(random, (size - 1) // count, names, functions) for _ in range(count)]
    if name == "where" and random.random() < 0.8:
        other = expression(random, 0, names, functions)
        shares[0] = f"({shares[0]}) {random.choice(COMPARISONS)} {other}"
    return f"{name}({f',{blank}'.join(shares)})"


def program(random: Random, functions: Sequence[str]) -> str:
    """Return statements that parse: some parts named, some names given twice."""
    names = random.sample(NAMES, random.randint(1, 4))
    statements: list[str] = []
    known = list(names)
    for _ in range(random.choice([0, 0, 1, 2, 3])):
        made = random.choice([*names, "d", "e", "f", "ß"])
        statements.append(f"{made} = {expression(random, random.randint(0, 6), known, functions)}")
        known.append(made)
    if not statements or random.random() < 0.8:
        statements.append(expression(random, random.randint(0, 12), known, functions))
    between = random.choice(["; ", ";", "\n", " ;; ", "\r\n"])
    return between.join(statements)


SOUP = [*"abxy01.()+-*/=,;<>!^%_# \n\t'\"[]{}:&|~@$?\\×·÷−√≤²½٣é𝑥😀ªﬁ℘"]
SOUP += [
    "**",
    "//",
    "==",
    "+=",
    ":=",
    "1e400",
    "1__0",
    "0x1F",
    "1e",
    "exp",
    "expo",
    "math.exp",
    "np.",
    "sin(",
    "where(",
    "max(",
    "ln(",
]
SOUP += ["if", "True", "lambda", "𝐢𝐟", "·x", "e\u0301", "\u0301", "\u0387", "\u200b", "\u00a0"]
SOUP += ["\ud800", "\x00", "\x7f", "\u2028"]


def mutated(random: Random, text: str) -> str:
    """Return a text with a few things put in, taken out or doubled; it may still parse."""
    characters = list(text)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        place = random.randint(0, len(characters))
        kind = random.random()
        if kind < 0.5:
            characters.insert(place, random.choice(SOUP))
        elif kind < 0.8:
            del characters[place : place + random.randint(1, 3)]
        else:
            characters[place:place] = characters[max(0, place - 3) : place]
    return "".join(characters)


def soup(random: Random) -> str:
    return "".join(random.choice(SOUP) for _ in range(random.randint(0, 9)))
