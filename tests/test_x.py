"""x.py without the network: its messages, its exit codes, and when it thinks `.venv` is current."""

import ast
import importlib.util
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = (ROOT / "x.py").read_text("utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
UV_LOCK = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
GROUPS = sorted(PYPROJECT["dependency-groups"].keys() - {"dev"})


@pytest.fixture
def x() -> Any:
    """A fresh copy of the module, so that a test may change it at will."""
    spec = importlib.util.spec_from_file_location("x", ROOT / "x.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(x: Any, tmp_path: Path) -> Any:
    """x.py at work in a checkout of its own, where each step of a set-up succeeds at once.

    `checkout.steps` collects the commands; a word in `checkout.broken` makes those with it fail.
    """
    x.ROOT, x.VENV, x.LOCKS = tmp_path, tmp_path / ".venv", tmp_path / "locks"
    x.BIN, x.STAMP, x.PRIVATE_UV = x.VENV / "bin", x.VENV / "x.json", tmp_path / ".uv"
    x.PEERS = tmp_path / ".bench"
    x.NOTEBOOK = tmp_path / ".notebook"
    for name in ["pyproject.toml", "uv.lock", "src/engine/core.c"] + [
        f"locks/{group}.txt" for group in GROUPS
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    x.steps, x.broken = [], set()

    def install(command: list[str | Path]) -> None:
        words = [str(word) for word in command]
        x.steps.append(words)
        if x.broken & set(words):
            raise x.StepError(f"broken: {words}", 3)
        for program in ("python", "gradwalk"):
            x.BIN.mkdir(parents=True, exist_ok=True)
            (x.BIN / program).touch()
        for folder in (x.PEERS, x.NOTEBOOK):
            if str(folder) in words:
                folder.mkdir()

    x.install = install
    x.find_uv = lambda: "uv"
    return x


def x_main(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "x.py"), *arguments],
        check=False,
        capture_output=True,
        text=True,
    )


# ---------------------------------------------------------------------------------- the script


def test_its_syntax_is_that_of_python_3_6() -> None:
    ast.parse(SOURCE, feature_version=(3, 6))


def test_an_old_python_gets_a_message_instead_of_a_traceback() -> None:
    pretend = "import sys; sys.version_info = (3, 6, 15); sys.version = '3.6.15 (old)'; "
    answer = subprocess.run(
        [sys.executable, "-c", pretend + f"exec(compile({SOURCE!r}, 'x.py', 'exec'))", "run"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 1
    assert "needs Python 3.11 or newer" in answer.stderr
    assert "is 3.6.15" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_it_imports_only_the_standard_library() -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            imported.add(node.module.split(".")[0])
    assert imported <= sys.stdlib_module_names


# ------------------------------------------------------------------------ help and exit codes


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",), ("help",)])
def test_help_starts_with_examples_and_names_every_command(
    x: Any, arguments: tuple[str, ...]
) -> None:
    answer = x_main(*arguments)
    assert answer.returncode == 0
    examples, _, commands = answer.stdout.partition("commands:")
    assert "python3 x.py run" in examples
    assert re.findall(r"^  ([a-z-]+) ", commands, re.M) == list(x.COMMANDS)
    assert max(map(len, answer.stdout.splitlines())) <= 100


def test_a_mistyped_command_gets_a_suggestion_and_exit_code_2() -> None:
    answer = x_main("tset")
    assert answer.returncode == 2
    assert answer.stderr == "x.py: no command 'tset'; did you mean test?\n"


def test_a_strange_command_gets_the_list() -> None:
    answer = x_main("xylophone")
    assert answer.returncode == 2
    assert "there is run, test, check" in answer.stderr


def test_a_mistyped_group_gets_a_suggestion() -> None:
    answer = x_main("setup", "orcale")
    assert (answer.returncode, answer.stderr) == (
        2,
        "x.py: no dependency group 'orcale'; did you mean oracle?\n",
    )


def test_a_failing_step_gives_its_exit_code_and_shows_the_command(
    x: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    x.COMMANDS = {
        "fail": (lambda words: x.call([sys.executable, "-c", "exit(7)"]), None, "", ""),
    }
    assert x.main(["fail"]) == 7
    assert capfd.readouterr().err == f"x.py: exit code 7 from {sys.executable} -c 'exit(7)'\n"


def test_a_step_killed_by_a_signal_counts_as_in_a_shell(x: Any) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    with pytest.raises(x.StepError) as caught:
        x.call([sys.executable, "-c", script])
    assert caught.value.code == 128 + signal.SIGTERM


def test_a_program_that_is_not_there_is_named(x: Any) -> None:
    with pytest.raises(x.StepError, match=r"cannot start .*/nothing: No such file") as caught:
        x.call([ROOT / "nothing"])
    assert caught.value.code == 127


def test_all_steps_of_a_check_run_and_the_first_failure_counts(
    x: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(x.ExitError, match="2 of 3 steps failed") as caught:
        x.call_all(*([sys.executable, "-c", f"print({code}); exit({code})"] for code in (4, 0, 5)))
    assert caught.value.code == 4
    assert capfd.readouterr().out.split() == ["4", "0", "5"]


@pytest.mark.parametrize("apart", [False, True])
def test_ctrl_c_exits_130_without_a_traceback_and_stops_the_program(
    apart: bool, tmp_path: Path
) -> None:
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
    x.COMMANDS[command][0](list(arguments))
    return calls


def test_bench_runs_all_tables_or_the_script_named(checkout: Any) -> None:
    folder = checkout.ROOT / "bench"
    every = [["python", str(folder / f"{name}.py"), "--quick"] for name in checkout.COMPARED]
    assert called(checkout, "bench", "--quick") == every
    assert {"eager", "replay"} < {*checkout.COMPARED}
    assert called(checkout, "bench", "eager", "--json") == [
        ["python", str(folder / "eager.py"), "--json"]
    ]
    assert called(checkout, "bench", "stream", "--steps", "3") == [
        ["python", str(folder / "stream.py"), "--steps", "3"]
    ]


def test_bench_installs_its_peers_once_apart_from_the_lock(
    checkout: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    checkout.broken = {"casadi"}
    script = str(checkout.ROOT / "bench" / "replay.py")
    assert called(checkout, "bench", "replay") == [["python", script]]
    installed = [words[-1] for words in checkout.steps if "install" in words]
    assert installed == checkout.PEERS_WANTED  # whatever one of them could not do
    assert not [words for words in checkout.steps if str(checkout.VENV) in " ".join(words)]
    assert "casadi" in capfd.readouterr().err
    checkout.steps.clear()
    assert called(checkout, "bench", "replay", "--quick") == [["python", script, "--quick"]]
    called(checkout, "bench", "eager")
    assert checkout.steps == []
    locked = {package["name"] for package in UV_LOCK["package"]}
    assert not {"torch", "numba", "casadi"} & locked


def test_bench_installs_pinned_versions_only(checkout: Any) -> None:
    assert [package for package in checkout.PEERS_WANTED if "==" not in package] == []


def test_the_notebooks_are_pinned_apart_and_handed_to_the_lab_s_tests(checkout: Any) -> None:
    checkout.ensure_browser_tools = lambda: None
    assert called(checkout, "test-notebook") == [["node", "test/run.mjs", "notebook"]]
    installed = [words[-1] for words in checkout.steps if "install" in words]
    assert installed == checkout.NOTEBOOK_WANTED
    assert [package for package in installed if "==" not in package] == []


def test_sanitize_runs_the_tests_of_the_engine_of_programs_and_of_the_c(x: Any) -> None:
    [[program, tool, *files]] = called(x, "sanitize")
    assert (program, tool) == ("python", "tools/sanitize.py")
    programs = {f"program_{name}" for name in ("native", "map", "files", "random")}
    wanted = {*x.ENGINE_TESTS, *programs} - {"oracles", "ops", "transforms", "proving"}
    assert {f"tests/test_{name}.py" for name in wanted} < {*files}
    assert files[-1] == "tests/native"
    assert all((ROOT / file).exists() for file in files)
    assert called(x, "sanitize", "tests/test_ops.py") == [["python", tool, "tests/test_ops.py"]]


def test_another_python_gets_the_tests_of_the_engine_or_those_named(x: Any) -> None:
    x.find_uv = lambda: None
    [[program, tool, there, python, *files]] = called(x, "test-on", "--if-there", "debian:3.14")
    assert (program, tool, there, python) == (
        *("python", "tools/other_python.py"),
        *("--if-there", "debian:3.14"),
    )
    assert "tests/native/test_mischief.py" in files
    assert all((ROOT / file).exists() for file in files)
    named = ["python3.13", "tests/test_ops.py", "-k", "exp"]
    assert called(x, "test-on", *named) == [["python", tool, *named]]
    x.find_uv = lambda: "uv"
    assert called(x, "test-on", *named) == [["python", tool, "--uv", "uv", *named]]


def test_check_holds_the_stubs_against_the_extension_where_there_is_one(
    checkout: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert [step[0] for step in called(checkout, "check")] == ["ruff", "ruff", "basedpyright"]
    assert "its stubs are not checked" in capfd.readouterr().err
    extension = checkout.VENV / "lib/site-packages/gradwalk/engine/_native.so"
    extension.parent.mkdir(parents=True)
    extension.touch()
    assert called(checkout, "check")[-1][:2] == ["stubtest", "gradwalk.engine"]
    assert len(called(checkout, "check", "src")) == 3


# -------------------------------------------------------------------------------- environment


def test_what_was_just_made_is_current_and_made_once(checkout: Any) -> None:
    assert not checkout.is_current(["test"])
    checkout.ensure_environment(["test"])
    assert checkout.is_current(["test"])
    made = list(checkout.steps)
    checkout.ensure_environment(["test"])
    checkout.ensure_environment([])
    assert checkout.steps == made


@pytest.mark.parametrize(
    "change",
    [
        lambda x: (x.ROOT / "uv.lock").write_text("newer"),
        lambda x: (x.ROOT / "pyproject.toml").write_text("newer"),
        lambda x: (x.ROOT / "locks" / "test.txt").write_text("newer"),
        lambda x: (x.ROOT / "src" / "engine" / "core.c").write_text("newer"),
        lambda x: (x.ROOT / "src" / "engine" / "core.h").write_text("new"),
        lambda x: (x.ROOT / "CMakeLists.txt").write_text("new"),
        lambda x: (x.ROOT / "src" / "engine" / "moved.py").write_text("new"),
        lambda x: (x.BIN / "python").unlink(),
        lambda x: (x.BIN / "gradwalk").unlink(),
        lambda x: x.STAMP.unlink(),
        lambda x: x.STAMP.write_text("{"),
        lambda x: x.STAMP.write_text("[1]"),
        lambda x: x.STAMP.write_text('{"groups": []}'),
        lambda x: setattr(x, "made_for", lambda: ["another Python"]),
    ],
    ids=[
        *["uv.lock", "pyproject", "pip lock", "C source", "new C header", "new CMakeLists"],
        "new Python source",
        *["no python", "no gradwalk", "no stamp", "cut stamp", "odd stamp", "old stamp", "python"],
    ],
)
def test_a_change_makes_it_stale(checkout: Any, change: Callable[[Any], object]) -> None:
    checkout.ensure_environment(["test"])
    change(checkout)
    assert not checkout.is_current(["test"])
    checkout.ensure_environment(["test"])
    assert checkout.is_current(["test"])


def test_an_edited_python_source_does_not_make_it_stale(checkout: Any) -> None:
    source = checkout.ROOT / "src" / "engine" / "core.py"
    source.write_text("old")
    checkout.ensure_environment([])
    source.write_text("new")
    assert checkout.is_current([])


def test_groups_add_up(checkout: Any) -> None:
    checkout.ensure_environment(["test"])
    checkout.ensure_environment(["docs"])
    assert checkout.read_stamp().groups == ["build", "docs", "test"]
    assert checkout.is_current(["docs", "test"])
    assert not checkout.is_current(["lint"])


def test_a_half_made_environment_is_made_anew(checkout: Any) -> None:
    checkout.ensure_environment([])
    (checkout.VENV / "rest").touch()
    checkout.broken = {"sync", "pip"}
    with pytest.raises(checkout.StepError):
        checkout.ensure_environment(["test"])
    assert not checkout.STAMP.exists()
    checkout.broken = set()
    checkout.ensure_environment(["test"])
    assert not (checkout.VENV / "rest").exists()


def test_a_new_lock_keeps_what_was_installed_by_hand(checkout: Any) -> None:
    checkout.ensure_environment([])
    (checkout.VENV / "torch").touch()
    (checkout.ROOT / "uv.lock").write_text("newer")
    checkout.ensure_environment([])
    assert (checkout.VENV / "torch").exists()


def test_pip_and_its_locks_stand_in_when_uv_fails(checkout: Any) -> None:
    checkout.broken = {"sync"}
    checkout.ensure_environment(["test"])
    assert [words[:4] for words in checkout.steps if "sync" not in words][1:] == [
        [str(checkout.BIN / "python"), "-m", "pip", "install"]
    ] * 2
    hashed = next(words for words in checkout.steps if "--require-hashes" in words)
    locks = [f"--requirement={checkout.LOCKS / group}.txt" for group in ("build", "test")]
    assert hashed[-2:] == locks


def test_a_project_that_does_not_build_is_not_tried_twice(checkout: Any) -> None:
    checkout.broken = {"--no-build-isolation-package"}
    with pytest.raises(checkout.StepError):
        checkout.ensure_environment([])
    assert not any("pip" in words for words in checkout.steps)


def test_a_python_without_venv_and_pip_gets_a_remedy(
    checkout: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    checkout.find_uv = lambda: None
    checkout.has_module = lambda name: False
    assert checkout.main(["setup", "test"]) == 1
    assert f"sudo apt install python3.{sys.version_info[1]}-venv" in capfd.readouterr().err


def test_a_python_with_pip_but_without_venv_lends_its_pip(checkout: Any) -> None:
    checkout.has_module = lambda name: name == "pip"
    assert checkout.make_venv(checkout.VENV)[-2:] == ["--python", str(checkout.BIN / "python")]
    assert "--without-pip" in checkout.steps[0]


def test_the_editable_path_becomes_relative(checkout: Any) -> None:
    site = checkout.VENV / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    pth = site / "_editable_backend_gradwalk.pth"
    pth.write_text(f"import finder\n{checkout.ROOT / 'src'}\n")
    checkout.make_editable_path_relative()
    assert pth.read_text() == f"import finder\n{os.path.join(*[os.pardir] * 4, 'src')}\n"


@pytest.mark.parametrize(
    ("version", "taken"), [("0.7.0", True), ("1.0.0", True), ("0.6.9", False), ("odd", False)]
)
def test_uv_on_path_is_taken_when_it_is_new_enough(
    x: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, taken: bool
) -> None:
    uv = tmp_path / "uv"
    uv.write_text(f"#!/bin/sh\necho uv {version}\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("GRADWALK_NO_UV", raising=False)
    x.PRIVATE_UV = tmp_path / ".uv"
    x.install = lambda command: (_ for _ in ()).throw(x.StepError("offline"))
    x.make_venv = lambda folder: ["pip"]
    assert x.find_uv() == (str(uv) if taken else None)
    monkeypatch.setenv("GRADWALK_NO_UV", "1")
    assert x.find_uv() is None


def test_the_persons_variables_win_except_on_where_the_environment_is(
    x: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_LINK_MODE", "hardlink")
    monkeypatch.setenv("UV_PROJECT_ENVIRONMENT", "/elsewhere")
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    variables = x.tool_environment()
    assert variables["UV_LINK_MODE"] == "hardlink"
    assert variables["UV_PYTHON_DOWNLOADS"] == "never"
    assert variables["UV_PROJECT_ENVIRONMENT"] == str(ROOT / ".venv")
    assert "VIRTUAL_ENV" not in variables


def test_without_a_writable_home_the_cache_is_in_the_checkout(
    x: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UV_CACHE_DIR", raising=False)
    x.is_writable = lambda path: False
    assert x.tool_environment()["UV_CACHE_DIR"] == str(ROOT / ".uv" / "cache")
    monkeypatch.setenv("UV_CACHE_DIR", "/mine")
    assert x.tool_environment()["UV_CACHE_DIR"] == "/mine"


def test_a_folder_to_be_made_is_writable_where_its_parent_is(
    x: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert x.is_writable(tmp_path / "to" / "be" / "made")
    assert not x.is_writable(Path("~", "unknown", "home"))  # what expanduser leaves without a HOME
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not x.is_writable(tmp_path / "to" / "be" / "made")


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


def test_pip_locks_are_exported_from_uv_lock() -> None:
    hashes = {
        f"{package['name']}=={package['version']}": {
            file["hash"] for file in [*package.get("wheels", []), package.get("sdist")] if file
        }
        for package in UV_LOCK["package"]
        if package["name"] != "gradwalk"
    }
    assert sorted(path.stem for path in (ROOT / "locks").iterdir()) == GROUPS
    for group in GROUPS:
        text = (ROOT / "locks" / f"{group}.txt").read_text()
        assert names(PYPROJECT["dependency-groups"][group]) <= names(text.splitlines())
        for entry in re.split(r"\n(?=\S)", text.strip()):
            pin = re.split(r"[ ;]", entry)[0]
            assert set(re.findall(r"--hash=(\S+)", entry)) == hashes[pin], "run: python3 x.py lock"


def test_the_lock_holds_one_public_index_and_no_torch() -> None:
    packages = [package for package in UV_LOCK["package"] if package["name"] != "gradwalk"]
    assert len({str(package["source"]) for package in packages}) == 1
    assert "torch" not in {package["name"] for package in packages}
