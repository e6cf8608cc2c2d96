"""x.py without the network: its messages, its exit codes, and the programs that it starts."""

import ast
import importlib.util
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import conftest
import pytest
from support.alone import process

ROOT = Path(__file__).parent.parent
SOURCE = (ROOT / "x.py").read_text("utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
UV_LOCK = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
GROUPS = sorted(PYPROJECT["dependency-groups"])


@pytest.fixture
def x() -> Iterator[Any]:
    """A fresh copy of the module, so that a test may change it and the environment at will."""
    spec = importlib.util.spec_from_file_location("x", ROOT / "x.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with patch.dict(os.environ):
        spec.loader.exec_module(module)
        yield module


@pytest.fixture
def checkout(x: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """x.py at work in a checkout of its own, where each step of a set-up succeeds at once.

    `checkout.steps` collects the commands; a word in `checkout.broken` makes those with it fail.
    """
    monkeypatch.delenv("GRADWALK_REQUIRE_NATIVE", raising=False)
    x.ROOT, x.VENV, x.PRIVATE_UV = tmp_path, tmp_path / ".venv", tmp_path / ".uv"
    x.BIN, x.LOCKED_UV = x.VENV / "bin", tmp_path / "uv.txt"
    x.LOCKED_UV.write_text("uv==1.2.3 --hash=sha256:0")
    x.COMPILERS = (sys.executable,)
    x.site = x.VENV / "lib" / "python3.11" / "site-packages"
    x.cache = tmp_path / "build" / sys.implementation.cache_tag / "CMakeCache.txt"
    x.steps, x.broken = [], set()

    def install(command: list[str | Path], environment: Path | None = None) -> None:
        words = [str(word) for word in command]
        x.steps.append([Path(words[0]).name, *words[1:], *([str(environment)] * bool(environment))])
        if x.broken & {*x.steps[-1]}:
            raise x.ExitError(f"broken: {words}", 3)
        if words[0] == "uv":
            x.site.mkdir(parents=True, exist_ok=True)
            x.BIN.mkdir(exist_ok=True)
            (x.BIN / "activate").write_text(f"VIRTUAL_ENV={x.VENV}")
        if levels := [word for word in words if "GRADWALK_LEVELS" in word]:
            x.cache.parent.mkdir(parents=True, exist_ok=True)
            x.cache.write_text(levels[0].removeprefix("-D") + "\n")

    x.install = install
    x.uv, x.find_uv = x.find_uv, lambda: "uv"
    return x


# ---------------------------------------------------------------------------------- the script


def test_its_syntax_is_that_of_python_3_6() -> None:
    ast.parse(SOURCE, feature_version=(3, 6))


def test_an_old_python_gets_a_message_instead_of_a_traceback() -> None:
    pretend = "import sys; sys.version_info = (3, 6, 15); sys.version = '3.6.15 (old)'; "
    answer = process("-c", pretend + f"exec(compile({SOURCE!r}, 'x.py', 'exec'))", "run")
    assert answer.returncode == 1
    assert "needs Python 3.11 or newer, not 3.6.15; for example python3.1" in answer.stderr
    assert "Traceback" not in answer.stderr


# ------------------------------------------------------------------------ help and exit codes


def test_a_failing_step_gives_its_exit_code_and_shows_the_command(x, capfd) -> None:
    x.COMMANDS = {
        "fail": (lambda words: x.call([sys.executable, "-c", "exit(7)"]), None, "", ""),
    }
    assert x.main(["fail"]) == 7
    assert capfd.readouterr().err == f"x.py: exit code 7 from {sys.executable} -c 'exit(7)'\n"


KILLED = [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"]


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (KILLED, 128 + signal.SIGTERM, "exit code 143"),  # as in a shell
        ([ROOT / "nothing"], 127, r"cannot start .*/nothing: No such file"),
    ],
)
def test_a_step_that_is_killed_or_not_there_is_said(x: Any, command, code: int, said: str) -> None:
    with pytest.raises(x.ExitError, match=said) as caught:
        x.call(command)
    assert caught.value.code == code


@pytest.mark.parametrize("apart", [False, True])
def test_ctrl_c_exits_130_without_a_traceback_and_stops_the_program(apart, tmp_path) -> None:
    ready = tmp_path / "ready"
    # The program obeys Ctrl-C silently, as gradwalk does; apart, it must not even get it.
    program = (
        "import pathlib, signal, time; signal.signal(signal.SIGINT, signal.SIG_DFL);"
        f"pathlib.Path({str(ready)!r}).write_text('go'); time.sleep(60)"
    )
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import x\n"
        f"step = lambda words: x.call([sys.executable, '-c', {program!r}], apart={apart})\n"
        "x.COMMANDS['wait'] = (step, None, '', '')\n"
        "sys.exit(x.main(['wait']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", script], stderr=subprocess.PIPE, start_new_session=True
    )
    while process.poll() is None and not ready.exists():
        pass
    os.killpg(process.pid, signal.SIGINT)
    # The pipe closes only when the program, which inherited it, has ended too.
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, b"")


# ------------------------------------------------------------------------------ what commands run


def called(x: Any, command: str, *arguments: str) -> list[list[str]]:
    """The programs that a command starts, by name and arguments."""
    calls: list[list[str]] = []
    x.call = lambda words, **_: calls.append([Path(words[0]).name, *map(str, words[1:])])
    x.call_all = lambda *commands: [x.call(words) for words in commands]
    x.attempt = x.call
    x.COMMANDS[command][0](list(arguments))
    return calls


@pytest.mark.parametrize(
    ("arguments", "marks", "runs"),
    [
        ([], "not slow", 2),
        (["--all"], None, 2),
        (["--no-browser"], "not browser and not slow", 2),
        (["--all", "--no-browser"], "not browser", 2),
        (["tests/test_x.py"], None, 1),  # what is named runs whole
        (["--no-browser", "-k", "lab"], "not browser", 1),
    ],
)
def test_all_tests_run_or_those_that_a_change_can_break(checkout, arguments, marks, runs) -> None:
    checkout.ensure_programs = lambda *_: None
    commands = called(checkout, "test", *arguments)
    assert len(commands) == runs
    for words in commands:
        rest = words[words.index("pytest") + 1 :]
        assert (rest[rest.index("-m") + 1] if "-m" in rest else None) == marks
    if runs == 2:  # the second on the reference, of whatever an engine decides
        assert os.environ["GRADWALK_BACKEND"] == "python"
        assert [word for word in commands[1] if "only" in word] == ["--only=engine"]


@pytest.mark.parametrize("only", conftest.ONLY)
def test_what_an_engine_decides_and_what_reaches_the_c_are_tests_that_there_are(only: str) -> None:
    files = [ROOT / "tests" / f"test_{name}.py" for name in conftest.ONLY[only].split()]
    assert [file for file in files if not file.exists()] == []
    config: Any = SimpleNamespace(getoption={"--only": only}.get)
    every = [*(ROOT / "tests").rglob("test_*.py"), ROOT / "tests", ROOT / "tests" / "native"]
    found = [path for path in every if not conftest.pytest_ignore_collect(path, config)]
    folders = [ROOT / "tests", ROOT / "tests" / "native"]
    c = (ROOT / "tests" / "native").glob("test_*.py") if only == "c" else []
    assert {*found} == {*folders, *files, *c}


# -------------------------------------------------------------------------------- environment


def test_the_locked_packages_are_installed_and_then_the_c_is_compiled(checkout: Any) -> None:
    checkout.ensure_environment(["test"])
    [[uv, sync, *words], *compiling] = checkout.steps
    assert (uv, sync) == ("uv", "sync")
    assert {"--frozen", "--inexact", "--group=build", "--group=test"} <= {*words}
    assert words[-2:] == ["--no-build-isolation-package", "gradwalk"]
    assert [words[0] for words in compiling] == ["cmake", "ninja"]
    checkout.steps.clear()
    checkout.ensure_environment(["test"])
    assert [words[0] for words in checkout.steps] == ["uv", "ninja"]  # which do nothing again


def test_run_shows_the_walk_first_then_sets_up_for_this_processor(checkout: Any) -> None:
    checkout.call = lambda words, **_: checkout.steps.append([*map(str, words)])
    assert checkout.main(["run"]) == 0
    assert checkout.steps[0] == [checkout.BASE, "-m", "gradwalk", "walk"]
    assert "GRADWALK_LEVELS:STRING=native" in checkout.cache.read_text()
    assert checkout.main(["run", "walk", "a"]) == 0
    assert checkout.steps[-1] == [str(checkout.BIN / "gradwalk"), "walk", "a"]


@pytest.mark.parametrize("program", ["cmake", "ninja"])
def test_c_that_does_not_compile_is_said_and_ends_the_set_up(checkout, program, capfd) -> None:
    checkout.broken = {program}
    assert checkout.main(["setup", "test"]) == 3
    assert "x.py: the C does not compile: " in capfd.readouterr().err


def test_without_a_compiler_python_runs_and_ci_fails(checkout, capfd, monkeypatch) -> None:
    checkout.COMPILERS = ("no-compiler-here",)
    monkeypatch.delenv("CC", raising=False)
    assert checkout.main(["setup", "test"]) == 0
    assert [words[0] for words in checkout.steps] == ["uv"]
    assert "there is no C compiler here, so gradwalk runs in Python" in capfd.readouterr().err
    monkeypatch.setenv("GRADWALK_REQUIRE_NATIVE", "1")
    assert checkout.main(["setup", "test"]) == 1


def test_uv_is_that_on_path_or_a_private_one_of_the_locked_version(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    private = checkout.PRIVATE_UV / "uv-1.2.3" / "bin" / "uv"
    assert checkout.uv() == str(private)
    [[_, *words]] = checkout.steps
    assert words[:4] == ["-m", "pip", "install", "--target"]
    assert {"--require-hashes", str(checkout.LOCKED_UV)} < {*words}
    private.parent.mkdir(parents=True)
    private.touch()
    assert checkout.uv() == str(private)
    assert len(checkout.steps) == 1
    mine = tmp_path / "uv"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    assert checkout.uv() == str(mine)


@pytest.mark.parametrize("broken", ["pip", "venv"])
def test_where_uv_cannot_be_had_a_sentence_says_so(checkout, tmp_path, monkeypatch, broken) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if broken == "venv":
        monkeypatch.setattr(checkout, "find_spec", lambda name: None)
    checkout.broken = {broken}
    with pytest.raises(checkout.ExitError, match=r"x\.py needs uv: put one on PATH"):
        checkout.uv()
    assert not checkout.PRIVATE_UV.exists()


# -------------------------------------------------------------------------------------- locks


def names(requirements: list[str | dict[str, str]]) -> set[str]:
    found: set[str] = set()
    for requirement in requirements:
        if isinstance(requirement, dict):
            found |= names(PYPROJECT["dependency-groups"][requirement["include-group"]])
        else:
            found.add(re.split(r"[^\w-]", requirement)[0])
    return found


def test_the_lock_knows_every_group_as_pyproject_has_it() -> None:
    project = next(package for package in UV_LOCK["package"] if package["name"] == "gradwalk")
    locked = {
        group: {requirement["name"] for requirement in requirements}
        for group, requirements in project["metadata"]["requires-dev"].items()
    }
    assert {group: locked[group] for group in GROUPS} == {
        group: names(PYPROJECT["dependency-groups"][group]) for group in GROUPS
    }


def test_the_lock_of_uv_itself_is_exported_from_uv_lock() -> None:
    [package] = [package for package in UV_LOCK["package"] if package["name"] == "uv"]
    text = (ROOT / "locks" / "uv.txt").read_text()
    hashes = {file["hash"] for file in [*package["wheels"], package["sdist"]]}
    assert set(re.findall(r"--hash=(\S+)", text)) == hashes, "run: python3 x.py lock"
    assert text.startswith(f"uv=={package['version']} ")


def test_the_lock_holds_one_public_index_and_no_torch() -> None:
    packages = [package for package in UV_LOCK["package"] if package["name"] != "gradwalk"]
    assert len({str(package["source"]) for package in packages}) == 1
    assert "torch" not in {package["name"] for package in packages}


def test_what_others_wrote_is_fetched_by_its_hash() -> None:
    for workflow in (ROOT / ".github" / "workflows").iterdir():
        actions = re.findall(r"uses: (\S+)", workflow.read_text("utf-8"))
        assert [one for one in actions if not re.fullmatch(r"\S+@[0-9a-f]{40}", one)] == []
    for lock in (UV_LOCK, tomllib.loads((ROOT / "bench" / "uv.lock").read_text("utf-8"))):
        for package in lock["package"]:
            files = [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
            ours = {"editable", "virtual"} & {*package["source"]}
            assert ours or files, package
            assert all(file["hash"].startswith("sha256:") for file in files)
    assert "npm install" not in SOURCE
