"""The API reference has every public name with an example; comparisons show measured figures."""

import importlib
import inspect
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gradwalk.ops import TABLE, Op

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from pages import fenced_lines  # noqa: E402

DOCS = ROOT / "docs"
MODULES = [
    *["", ".errors", ".nn", ".optim", ".data", ".program", ".transforms", ".walk", ".paths", ".gpt"]
]
CODE = "\n".join(
    line
    for page in [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("api/*.md")]
    for line in fenced_lines(page.read_text("utf-8"), "python").values()
)


def documented() -> list[str]:
    names: list[str] = []
    for page in sorted(DOCS.glob("api/*.md")):
        blocks = re.findall(r"^```{api}\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
        names += [name for block in blocks for name in block.split()]
    if "operations" in names:
        names.remove("operations")
        names += [f"gradwalk.{op.name}" for op in TABLE if op.is_function]
    return names


def find(name: str) -> Any:
    module, _, own = name.rpartition(".")
    return getattr(importlib.import_module(module), own, None)


def public() -> list[str]:
    """Return every public function and class, by the shortest name that it has."""
    seen: dict[int, str] = {}
    for part in MODULES:
        module = importlib.import_module(f"gradwalk{part}")
        for name in module.__all__:
            found = getattr(module, name)
            if callable(found) and hasattr(found, "__module__"):
                seen.setdefault(id(found), f"gradwalk{part}.{name}")
    return sorted(seen.values())


def test_every_public_name_is_in_the_reference() -> None:
    entries = {id(find(name)) for name in documented()}
    assert len(entries) > 150
    missing = [name for name in public() if id(find(name)) not in entries]
    assert missing == ["gradwalk.optim.Schedule"]  # a type for annotations


def test_every_entry_of_the_reference_has_a_text_and_an_example() -> None:
    without: list[str] = []
    for name in documented():
        found = find(name)
        if found is None:  # `abs` is a builtin
            continue
        text = inspect.getdoc(found) or ""
        assert text, name
        own = name.rpartition(".")[2]
        if not isinstance(found, Op) and ">>>" not in text and not re.search(rf"\b{own}\b", CODE):
            without.append(name)
    assert without == []


def script(name: str) -> Path:
    return ROOT / "examples" / "beside" / f"with_{name}.py"


def printed(name: str) -> str:
    command = [sys.executable, str(script(name))]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


PAGE = (DOCS / "beside.md").read_text("utf-8")
LIBRARIES = {"gradwalk": "gradwalk", "micrograd": "micrograd", "pytorch": "torch", "jax": "jax",
             "casadi": "casadi", "numba": "numba"}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, needs in LIBRARIES.items() if find_spec(needs)])
def test_each_library_that_is_here_prints_the_line_of_the_page(name: str) -> None:
    (line,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert printed(name) == line
