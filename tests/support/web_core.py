"""The browser's engine, asked from Python.

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
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

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
