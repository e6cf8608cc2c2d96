"""The shape of the package: who may import whom, what is public, what an import costs."""

import ast
import importlib
import json
import pydoc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from support.alone import process

import gradwalk

PACKAGE = Path(__file__).parent.parent / "src" / "gradwalk"

# A module imports from the rungs above its own line only. Add a new module to the highest line
# whose modules it does without.
LADDER = """
errors contract
ops files
engine statements
graph expr data nn optim
sweeps
walk plan paths points anomaly program
transforms
gpt
render
scripts
practice
lab
bench
__init__
cli
__main__
"""
# The same inside of program/: its modules, and its packages as a whole.
PROGRAM_LADDER = """
ir options tree
loops interpreter checking
trace
backends
outside
recording
structure
recordings
early derive on_jax files
decisions
map inspection
train
compiled
__init__
"""
RUNG = {name: rung for rung, line in enumerate(LADDER.split("\n")) for name in line.split()}

# Each costs more to import than all of gradwalk does.
HEAVY = {"argparse", "asyncio", "email", "http", "numpy", "subprocess", "unittest", "xml"}


def module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def unit_of(module: str) -> str:
    """The name on the ladder that `module` belongs to: its first part below gradwalk."""
    return [*module.split("."), "__init__"][1]


def imports_of(file: Path, name: str, known: set[str]) -> Iterator[tuple[int, str]]:
    """Line and gradwalk module of every import in `file`, wherever it stands."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(filter(None, [base, node.module]))
            # `from gradwalk import ops` imports a module, `from gradwalk import Value` does not.
            inside = [f"{source}.{alias.name}" for alias in node.names]
            targets = [target if target in known else source for target in inside]
        else:
            continue
        for target in targets:
            if target.split(".")[0] == "gradwalk":
                yield node.lineno, target


def misdirected_imports(file: Path, name: str, known: set[str]) -> list[str]:
    own = unit_of(name)
    return [
        f"{file.name}:{line}: {own} imports {target}"
        for line, target in imports_of(file, name, known)
        if unit_of(target) != own and RUNG[unit_of(target)] >= RUNG[own]
    ]


def test_every_module_has_its_rung() -> None:
    homeless = {unit_of(module) for module in MODULES} - RUNG.keys()
    assert not homeless, f"add {sorted(homeless)} to LADDER in {__file__}"


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down_the_ladder(name: str) -> None:
    assert misdirected_imports(MODULES[name], name, set(MODULES)) == []


PROGRAM = [name for name in MODULES if name.startswith("gradwalk.program")]


@pytest.mark.parametrize("name", PROGRAM)
def test_imports_inside_program_point_down_a_ladder_of_their_own(name: str) -> None:
    lines = enumerate(PROGRAM_LADDER.split("\n"))
    rung = {f"gradwalk.program.{one}": at for at, line in lines for one in line.split()}
    rung["gradwalk.program"] = rung["gradwalk.program.__init__"]

    def home(module: str) -> str:
        return ".".join(module.split(".")[:3])

    assert home(name) in rung, f"add {name} to PROGRAM_LADDER in {__file__}"
    wrong = [
        f"{line}: {target}"
        for line, target in imports_of(MODULES[name], name, set(MODULES))
        if home(target) in rung and home(target) != home(name)
        if rung[home(target)] >= rung[home(name)]
    ]
    assert not wrong


def test_public_names_are_exactly_all() -> None:
    present = {
        name
        for name, value in vars(gradwalk).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert {*gradwalk.__all__} == present | {*gradwalk._LATER}


def test_a_fresh_import_has_every_public_name_in_dir_and_nn_and_optim_without_asking() -> None:
    script = (
        "import gradwalk, pydoc, sys\n"
        "assert 'gradwalk.nn' not in sys.modules and 'gradwalk.program' not in sys.modules\n"
        "assert {*gradwalk.__all__} <= {*dir(gradwalk)}\n"
        "gradwalk.nn.MLP, gradwalk.optim.Adam, gradwalk.errors.GradwalkError\n"
        "page = pydoc.plain(pydoc.render_doc(gradwalk))\n"
        "print([name for name in gradwalk.__all__ if name not in page])"
    )
    answer = process("-I", "-c", script, check=True)
    assert answer.stdout == "[]\n"


def test_every_exception_is_in_errors_under_one_base_and_a_builtin() -> None:
    for name in gradwalk.errors.__all__:
        kind = getattr(gradwalk.errors, name)
        if issubclass(kind, Warning) or kind is gradwalk.GradwalkError:
            continue
        assert issubclass(kind, gradwalk.GradwalkError)
        assert any(
            base.__module__ == "builtins" and base is not Exception
            for base in kind.__mro__
            if issubclass(base, Exception)
        ), f"{name} is no {kind.__mro__}"
    for name, file in MODULES.items():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and name != "gradwalk.errors":
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                assert not bases & {*gradwalk.errors.__all__}, f"{name} defines {node.name}"


def test_help_says_what_an_operation_computes() -> None:
    page = pydoc.plain(pydoc.render_doc(gradwalk.exp))
    assert "exp(x): the exponential function, e to the power x." in page
    assert "d/dx = exp(x)" in page
    assert gradwalk.ops.ABOUT.keys() <= gradwalk.ops.BY_NAME.keys()
    assert "One row of the table" in pydoc.plain(pydoc.render_doc(gradwalk.ops.Op))


@pytest.mark.parametrize("name", MODULES)
def test_names_in_all_exist_once(name: str) -> None:
    if name.endswith("__main__"):
        pytest.skip("importing it runs the program")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("gradwalk"):
            raise
        pytest.skip(f"{name} needs the optional {error.name}")
    names: list[str] = getattr(module, "__all__", [])
    assert len(names) == len(set(names))
    assert [missing for missing in names if not hasattr(module, missing)] == []


def test_import_loads_neither_third_party_nor_heavy_modules() -> None:
    script = (
        "import json, sys\nbefore = set(sys.modules)\nimport gradwalk\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    answer = process("-I", "-c", script, check=True)
    loaded = {name.split(".")[0] for name in json.loads(answer.stdout)}
    assert loaded - sys.stdlib_module_names == {"gradwalk"}
    assert loaded & HEAVY == set()
