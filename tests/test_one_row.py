"""A new operation takes two rows: one in ops.py, one in operations.h. CONTRIBUTING.md shows them.

The test adds them to a copy of the sources, in a folder of its own, builds the copy without
optimisation and for one kind of processor, runs the generators of `x.py fix`, and then uses the
operation everywhere: `.venv/bin/python -m pytest tests/test_one_row.py`, about 30 seconds of work.
"""

import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from support import web_core
from support.alone import process
from support.builds import made_once

pytest.importorskip("numpy")
pytest.importorskip("gradwalk.program._replay", reason="there is no compiler for the C here")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ROWS = ("src/gradwalk/ops.py", "src/gradwalk/engine/native/operations.h")
GENERATORS = ("stubs", "web_rows")
POINTS = [0.5, -2.0, 0.0, 3.0, 30.0, -1e-3, 12.0, 100.0]

# Run in the copy. Prints what the operation gives in each place.
SCRIPT = """
import importlib.util, json, sys
import numpy as np
import gradwalk
from gradwalk import Value, compile, grad, parse, sinc, snapshot, walk
from gradwalk.engine import reference
from gradwalk.lab.tasks import ANSWERS, JOBS
from gradwalk.render import dot, svg
from gradwalk.render.json import graph_json, walk_json

points = json.loads(sys.argv[1])
said = {"backend": gradwalk.backend()}
said["plain"] = [sinc(x) for x in points]

def eager(kind):
    pairs = []
    for x in points:
        leaf = kind(x)
        leaf.sinc().backward()
        pairs.append([leaf.sinc().data, leaf.grad])
    return pairs

said["native"], said["reference"] = eager(Value), eager(reference.Value)

f = compile(lambda x: sinc(x))
said["single"] = [[value, grads["x"]] for value, grads in map(f.value_and_grad, points)]
over_list = compile(lambda x: sum(sinc(v) * w for w, v in enumerate(x, 1)))
value, grads = over_list.value_and_grad(points)
said["list"] = [value, list(grads["x"])]
for precision in (False, True):
    over = compile(lambda x: sinc(x), float32=precision)
    values, grads = over.map.value_and_grad(np.array(points))
    said["map in float32" if precision else "map"] = [list(values), list(grads["x"])]
said["program"] = f.explain("lanes")

second = compile(grad(lambda x: sinc(x)))
said["compiled grad"] = [[value, grads["x"]] for value, grads in map(second.value_and_grad, points)]
if importlib.util.find_spec("jax"):
    import jax
    jax.config.update("jax_enable_x64", True)
    on_jax = f.to_jax(0.5)
    said["on JAX"] = [list(map(float, (x, *jax.value_and_grad(on_jax)(x)))) for x in points]
    said["in rows on JAX"] = list(map(float, f.map(np.array(points), devices=1)))

root = Value(0.5, label="x").sinc()
said["walk"] = walk_json(walk(root))
root.backward()
said["graph"] = graph_json(snapshot(root))
said["parsed"] = parse("sinc(x) + 1").evaluate({"x": 0.5}).data
said["lab"] = [
    json.loads(list(task.run({"values": {"x": 0.5}, "strict": False, **fields}))[-1][1])
    for task, fields in (
        (ANSWERS["program"], {"expression": "sinc(x) * 2"}),
        (JOBS["gradcheck"], {"expression": "sinc(x)", "step": 1e-6, "tolerance": 1e-6}),
    )
]
said["svg"], said["dot"] = svg(snapshot(root)), dot(snapshot(root))
print(json.dumps(said, default=float))
"""


def added_rows() -> dict[str, str]:
    """Return the lines that CONTRIBUTING.md adds to each file."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    [diff] = re.findall(r"```diff\n(.*?)```", page, re.S)
    files = re.findall(r"^\+\+\+ (\S+)\n(.*?)(?=^\+\+\+ |\Z)", diff, re.M | re.S)
    return {
        name: "".join([line[1:] for line in lines.splitlines(True) if line.startswith("+")])
        for name, lines in files
    }


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "one_row", with_two_rows)


def with_two_rows(root: Path) -> Path:
    """Copy the sources, add the two rows, build and generate."""
    built = shutil.ignore_patterns("*.so", "*.pyd", "static", "__pycache__")
    for folder in ("src", "tools", "web/src/core", "web/src/strings", "web/test/core"):
        shutil.copytree(ROOT / folder, root / folder, ignore=built)
    ends = {ROWS[0]: "TABLE: tuple[Op, ...]", ROWS[1]: "#undef EVERY\n#undef UNARY"}
    rows = added_rows()
    assert rows.keys() == ends.keys(), (
        "an operation is a row in each of these files, and in no other"
    )
    for name, end in ends.items():
        text = (root / name).read_text("utf-8")
        assert text.count(end) == 1
        (root / name).write_text(text.replace(end, f"{rows[name]}\n{end}"), "utf-8")
    build = [sys.executable, "tools/build_native.py", "--kind", "hooks"]
    subprocess.run(build, cwd=root, check=True, stdout=subprocess.DEVNULL)
    for tool in GENERATORS:
        run(root, f"tools/{tool}.py")
    return root


def run(root: Path, *arguments: str) -> str:
    """Run Python on the copy. -S keeps the installed gradwalk out."""
    paths = [str(root / "src"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    env = {"PYTHONPATH": os.pathsep.join(paths), "GRADWALK_BACKEND": "native"}
    done = process("-S", *arguments, cwd=root, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def said(copy: Path) -> dict[str, Any]:
    return json.loads(run(copy, "-c", SCRIPT, json.dumps(POINTS)))


def truth(x: float) -> tuple[float, float]:
    if x == 0:
        return 1.0, 0.0
    return math.sin(x) / x, (x * math.cos(x) - math.sin(x)) / (x * x)


TRUE = [truth(x) for x in POINTS]
NEAR: dict[str, Any] = {"rel": 1e-9, "abs": 1e-12}


def test_both_engines_agree_to_the_last_bit(said: dict[str, Any]) -> None:
    assert said["backend"] == "native"
    assert said["native"] == said["reference"]
    assert [value for value, _ in said["native"]] == said["plain"]
    for got, want in zip(said["native"], TRUE, strict=True):
        assert got == pytest.approx(want, **NEAR)


def test_compiled_functions_compute_it_one_by_one_over_lists_and_in_map(said) -> None:
    values, slopes = map(list, zip(*TRUE, strict=True))
    for got, want in zip(said["single"], TRUE, strict=True):
        assert got == pytest.approx(want, **NEAR)
    weights = range(1, len(POINTS) + 1)
    total = sum(w * value for w, value in zip(weights, values, strict=True))
    assert said["list"][0] == pytest.approx(total, **NEAR)
    weighed = [w * slope for w, slope in zip(weights, slopes, strict=True)]
    assert said["list"][1] == pytest.approx(weighed, **NEAR)
    assert said["map"][0] == pytest.approx(values, **NEAR)
    assert said["map"][1] == pytest.approx(slopes, **NEAR)
    assert said["map in float32"][0] == pytest.approx(values, rel=1e-5, abs=1e-5)


def second_slope(x: float) -> float:
    return (2 * math.sin(x) - 2 * x * math.cos(x) - x * x * math.sin(x)) / x**3 if x else 0.0


def test_its_derivative_is_compiled_and_differentiated_again(said: dict[str, Any]) -> None:
    wanted = [[slope, second_slope(x)] for (_, slope), x in zip(TRUE, POINTS, strict=True)]
    near = {x: 1e-3 if abs(x) == 1e-3 else 1e-9 for x in POINTS}  # where the formula cancels
    for x, got, want in zip(POINTS, said["compiled grad"], wanted, strict=True):
        assert got == pytest.approx(want, rel=near[x], abs=1e-9)


def test_jax_runs_it_by_its_row(said: dict[str, Any]) -> None:
    pytest.importorskip("jax")
    for x, got, want in zip(POINTS, said["on JAX"], TRUE, strict=True):
        assert got == pytest.approx([x, *want], **NEAR)
    assert said["in rows on JAX"] == pytest.approx([value for value, _ in TRUE], **NEAR)


def test_the_lab_compiles_it_and_checks_its_gradient(said: dict[str, Any]) -> None:
    program, check = said["lab"]
    rows = [row for stage in program["stages"] for row in stage["rows"]]
    assert {"sinc"} <= {row.get("op") for row in rows}
    assert check["ok"]


def test_the_steps_over_scenarios_have_it_and_its_derivative(said: dict[str, Any]) -> None:
    assert " = sinc(m" in said["program"]
    assert " = slope of sinc(m" in said["program"]


def test_walks_pictures_json_and_expressions_know_it(said: dict[str, Any]) -> None:
    assert "sinc" in json.dumps(said["walk"])
    assert "sinc" in json.dumps(said["graph"])
    assert "sinc" in said["svg"]
    assert "sinc" in said["dot"]
    assert said["parsed"] == pytest.approx(truth(0.5)[0] + 1.0)


def test_the_generated_files_have_it(copy: Path) -> None:
    assert "def sinc(self) -> Value" in (copy / "src/gradwalk/engine/__init__.pyi").read_text()
    assert '    "sinc",\n' in (copy / "src/gradwalk/__init__.py").read_text("utf-8")


def test_the_browser_computes_it(copy: Path) -> None:
    for core in web_core.running(copy / "web/test/core/contract.ts"):
        rows = {row["name"]: row for row in core.ask("table")}
        assert rows["sinc"]["formulas"] == ["(cos(x) - sinc(x)) / x"]
        values = core.ask("values", name="sinc", points=[[bits(x)] for x in POINTS])
        assert [number(value) for value in values] == pytest.approx([v for v, _ in TRUE], **NEAR)
        pairs = zip(values, POINTS, strict=True)
        slopes = core.ask("partials", name="sinc", points=[[out, bits(x)] for out, x in pairs])
        assert [number(slope) for [slope] in slopes] == pytest.approx([s for _, s in TRUE], **NEAR)


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


def number(text: str) -> float:
    return struct.unpack(">d", bytes.fromhex(text))[0]
