#!/usr/bin/env python3
"""Everything one does with a gradwalk checkout, by one file of standard-library Python.

`python3 x.py` prints the commands. Each first makes sure that `.venv` is right, then runs its tools
from there. Start reading at COMMANDS, then go on to `ensure_environment`.

The syntax is that of Python 3.6, so that an old Python gets as far as the message below.
"""

import contextlib
import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036
    newer = [name for name in ("python3.13", "python3.12", "python3.11") if shutil.which(name)]
    version = sys.version.split()[0]
    sys.exit(
        f"x.py: gradwalk needs Python 3.11 or newer; {sys.executable} is {version}.\n"
        + (
            f"This machine has a newer one: {newer[0]} x.py {' '.join(sys.argv[1:])}"
            if newer
            else "Install a newer Python and start x.py with it, for example: python3.12 x.py run"
        )
    )

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

Word = str | Path
Command = Sequence[Word]

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
STAMP = VENV / "x.json"
LOCKS = ROOT / "locks"
PRIVATE_UV = ROOT / ".uv"
PEERS = ROOT / ".bench"
NOTEBOOK = ROOT / ".notebook"

# An older uv on PATH is left alone and the private one used.
OLDEST_UV = (0, 7, 0)

# What the environment is made from. C sources are in it because an editable install compiles them
# only while it is being installed. Python sources are read in place, but an editable install knows
# where each was: their names count, so that a module that moved is found.
INPUTS = ["pyproject.toml", "uv.lock", "locks/*.txt", "CMakeLists.txt", "src/**/*.[ch]"]

# Scripts that write generated files, each a list of arguments to `.venv/bin/python`. `fix` runs
# them after the formatter. Whoever adds one adds a test that what it writes is current.
GENERATORS: list[Command] = [
    *[["tools/stubs.py"], ["tools/edges.py"], ["tools/contract.py"], ["tools/names.py"]],
    *[["tools/web_rows.py"], ["tools/lessons.py"]],
]

COMPARED = ("eager", "replay", "branches", "problems")  # of bench/: with other systems beside
# What stands beside gradwalk in bench/, in an environment of its own and no lock:
# torch's would bring CUDA. Each version is pinned, so that a release of tomorrow changes no figure
# and runs no code here that nobody has looked at.
PEERS_WANTED = [
    *["numpy==2.4.6", "numba==0.68.1", "casadi==3.8.2", "jax==0.10.2", "xad==1.5.2"],
    "torch==2.13.0",
]

# The notebooks that `test-notebook` tries, likewise in an environment of their own.
NOTEBOOK_WANTED = [
    *["anywidget==0.11.0", "ipykernel==7.4.0", "jupyterlab==4.6.6"],
    *["marimo==0.25.2", "nbconvert==7.17.2"],
]

# The tests that run on each engine, here on the reference after the rest ran on the native one.
ENGINE_TESTS = [
    *["engine", "engine_operators", "ops", "modes", "copying", "depth", "oracles", "nary"],
    *["microgpt_bits", "graph", "walk", "paths", "gradcheck", "program_guards", "program_compiled"],
    *["program_trace", "edges", "attributes", "transforms", "transforms_implicit"],
    *["transforms_sparse", "proving"],
]

# What the lab's browser tests run on; tests/test_lab_browser.py looks for the same.
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]

EXAMPLES = """\
examples:
  python3 x.py run                             watch (a + b) * c being differentiated
  python3 x.py run walk "a*b + a" a=2 b=3      any gradwalk command
  python3 x.py test                            all tests
  python3 x.py test tests/test_x.py -k stamp   some tests: what follows `test` goes to pytest
  python3 x.py check                           lint, format and types, as CI does
"""

VARIABLES = """\
environment:
  GRADWALK_NO_UV=1            install by pip and locks/ even where uv could be had
"""


COMPILING = "2 of 2: compiling the C engine and its kernels (the slow part)"


class ExitError(Exception):
    """The end of this run: a message for the person and an exit code for the shell."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class StepError(ExitError):
    """A program that x.py started has failed; another way may still work."""


# ------------------------------------------------------------------------------------- commands


def run(arguments: list[str]) -> None:
    # In the caller's folder: `gradwalk judge my_value.py` names a file of theirs.
    call([BIN / "gradwalk", *(arguments or ["walk"])], cwd=Path.cwd())
    if not arguments and sys.stdout.isatty():
        call([BIN / "gradwalk", "lab"], cwd=Path.cwd())


def test(arguments: list[str]) -> None:
    if not arguments:
        ensure_browser_tools()
        # Whatever the engine decides is tested on each; the rest once, on the engine a user gets.
        # One worker more than there are processors: one of them mostly waits for the browser.
        workers = min(8, (os.cpu_count() or 1) + 1)
        parallel = ["-n", str(workers), "--dist", "worksteal"]
        python("-m", "pytest", *parallel)
        os.environ["GRADWALK_BACKEND"] = "python"
        python("-m", "pytest", *parallel, *(f"tests/test_{name}.py" for name in ENGINE_TESTS))
    else:
        # One process: a few tests start sooner so, and --pdb and -s work.
        python("-m", "pytest", *arguments)


def check(arguments: list[str]) -> None:
    steps: list[Command] = [
        [BIN / "ruff", "check", *arguments],
        [BIN / "ruff", "format", "--check", *arguments],
        # By name, or a configuration in some folder above the checkout would win.
        [BIN / "basedpyright", *(arguments or ["--project", "pyproject.toml"])],
    ]
    if arguments:
        pass
    elif any(VENV.glob("**/gradwalk/engine/_native.*")):
        settings = ["--mypy-config-file", "pyproject.toml", "--allowlist", "tools/stubtest.txt"]
        steps.append([BIN / "stubtest", "gradwalk.engine", *settings])
    else:
        say("there is no native engine here, so its stubs are not checked")
    call_all(*steps)


def fix(arguments: list[str]) -> None:
    call_all(
        [BIN / "ruff", "check", "--fix", *arguments],
        [BIN / "ruff", "format", *arguments],
        *([BIN / "python", *generator] for generator in GENERATORS),
    )


def bench(arguments: list[str]) -> None:
    """Run bench/NAME.py, or without a name the tables of figures that have peers beside them."""
    names, options = [], list(arguments)
    if options and not options[0].startswith("-"):
        names = [options.pop(0)]
    variables = dict(os.environ)
    for name in names or COMPARED:
        if name == "lab":
            ensure_browser_tools()
        if name in COMPARED and not {"-h", "--help"} & set(options):
            ensure_packages(PEERS, PEERS_WANTED, "what to compare with")
            variables["GRADWALK_BENCH_PYTHON"] = str(PEERS / BIN.name / f"python{EXE}")
        call([BIN / "python", ROOT / "bench" / f"{name}.py", *options], env=variables)


def mutate(arguments: list[str]) -> None:
    if arguments[:1] in (["code"], ["guards"]):
        python(f"tools/mutate_{arguments[0]}.py", *arguments[1:])
    else:
        python("tools/mutate.py", *arguments)


def fuzz(arguments: list[str]) -> None:
    if arguments[:1] in (["inputs"], ["flow"], ["loops"]):
        python(f"tools/fuzz_{arguments[0]}.py", *arguments[1:])
    else:
        python("tools/fuzz.py", *arguments)


def sanitize(arguments: list[str]) -> None:
    # Not those whose time goes into digits of mpmath's: other tests reach the same C.
    digits = {"oracles", "ops", "transforms", "proving"}
    names = [name for name in ENGINE_TESTS if name not in digits]
    names += ["program_native", "program_map", "program_files", "program_random"]
    files = [*(f"tests/test_{name}.py" for name in names), "tests/native"]
    python("tools/sanitize.py", *(arguments or files))


def test_on(arguments: list[str]) -> None:
    """The engine's tests on another Python; the script says how it gets one."""
    uv = find_uv()
    chosen = ["--uv", uv] if uv else []
    named = [word for word in arguments if not word.startswith("-")]
    files = [f"tests/test_{name}.py" for name in ["engine", "attributes", "copying"]]
    if len(named) == 1:
        arguments = [*arguments, *files, "tests/native/test_mischief.py"]
    python("tools/other_python.py", *chosen, *arguments)


def wheels(arguments: list[str]) -> None:
    python("tools/wheels.py", "--uv", needed_uv("wheels"), *arguments)


def test_notebook(arguments: list[str]) -> None:
    """The live view in JupyterLab, nbconvert and marimo: too slow for every run of the tests."""
    ensure_browser_tools()
    ensure_packages(NOTEBOOK, NOTEBOOK_WANTED, "notebooks to try")
    variables = {**os.environ, "GRADWALK_NOTEBOOK": str(NOTEBOOK / BIN.name)}
    call(["node", "test/run.mjs", "notebook", *arguments], cwd=ROOT / "web", env=variables)


def docs(arguments: list[str]) -> None:
    ensure_web_packages()  # Pyodide runs the examples in the pages
    python("-m", "sphinx", "--quiet", "-W", "--keep-going", *arguments, "docs", "docs/_build/html")
    say("open docs/_build/html/index.html")


def lock(arguments: list[str]) -> None:
    import tomllib

    uv = needed_uv("lock")
    install([uv, "lock", *arguments])
    remove(LOCKS)
    LOCKS.mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for group in project["dependency-groups"]:
        if group != "dev":  # the sum of others, for a bare `uv sync`
            export = [uv, "export", "--quiet", "--frozen", "--no-header", "--no-annotate"]
            install([*export, "--only-group", group, "--output-file", LOCKS / f"{group}.txt"])


def setup(arguments: list[str]) -> None:
    for group in arguments:
        if group not in groups():
            raise ExitError(unknown("dependency group", group, groups()), 2)
    ensure_environment(arguments or ["docs", "lint", "test"])


def clean(arguments: list[str]) -> None:
    environments = [".venv", ".uv", ".bench", ".notebook", ".pythons"]
    for made in [*environments, "build", "dist", "docs/_build", ".hypothesis"]:
        remove(ROOT / made)
    for cache in [".pytest_cache", ".ruff_cache", ".mypy_cache", "[!.]*/**/__pycache__"]:
        for path in list(ROOT.glob(cache)):
            remove(path)


# Function, dependency groups it needs besides `build` (None: it needs no environment), help.
COMMANDS: dict[str, tuple[Callable[[list[str]], None], list[str] | None, str, str]] = {
    "run": (run, ["run"], "[ARG...]", "run gradwalk; without arguments, the walk and the lab"),
    "test": (test, ["test"], "[ARG...]", "run pytest"),
    "check": (check, ["lint", "test"], "[PATH...]", "lint, format, types, stubs; changes nothing"),
    "fix": (fix, ["lint"], "[PATH...]", "repair lint and format, write generated files"),
    "bench": (bench, ["bench", "test"], "[NAME [ARG...]]", "the figures, or bench/NAME.py"),
    "mutate": (
        mutate,
        ["test"],
        "[code|guards] [ARG...]",
        "break derivative rules, code, or guards: do tests notice?",
    ),
    "fuzz": (
        fuzz,
        ["test"],
        "[inputs|flow|loops] [ARG...]",
        "random functions, bytes, control flow or loops",
    ),
    "sanitize": (sanitize, ["test"], "[ARG...]", "tests of the C under ASan and UBSan"),
    "test-on": (test_on, ["test"], "PYTHON [ARG...]", "engine tests on another Python"),
    "wheels": (wheels, ["wheels"], "[ROW...]", "build and test what pip installs; see dist/"),
    "test-notebook": (test_notebook, None, "", "the live view in JupyterLab, nbconvert, marimo"),
    "docs": (docs, ["docs"], "[ARG...]", "build docs/_build/html"),
    "lock": (lock, None, "[ARG...]", "resolve dependencies anew, e.g. lock --upgrade"),
    "setup": (setup, None, "[GROUP...]", "only install, e.g. setup oracle"),
    "clean": (clean, None, "", "remove all that x.py and the tools made"),
}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(f"usage: python3 x.py COMMAND [ARG...]\n\n{EXAMPLES}\ncommands:")
        for name, (_, _, takes, purpose) in COMMANDS.items():
            print(f"  {name + ' ' + takes:<27} {purpose}")
        print(f"\n{VARIABLES}", end="")
        return 0
    try:
        if arguments[0] not in COMMANDS:
            raise ExitError(unknown("command", arguments[0], list(COMMANDS)), 2)
        command, needed, _, _ = COMMANDS[arguments[0]]
        if needed is not None:
            ensure_environment(needed)
        command(arguments[1:])
    except ExitError as failure:
        say(str(failure))
        return failure.code
    except OSError as error:  # a full disk, or a .venv that belongs to another user
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


# ------------------------------------------------------------------- lab's tests, bench's peers


def ensure_browser_tools() -> None:
    """Bring what the lab's own tests need, where this machine can have it. The tests say what is
    still missing, and in CI they fail for it.
    """
    ensure_web_packages()
    apt = shutil.which("apt-get")
    if apt and not any(map(shutil.which, BROWSERS)) and os.name == "posix" and os.geteuid() == 0:
        say("installing a Chromium for the lab's tests")
        if not attempt([apt, "update", "-qq"], install):
            attempt([apt, "install", "-y", "-qq", "chromium", "fonts-dejavu-core"], install)


def ensure_web_packages() -> None:
    web = ROOT / "web"
    npm = shutil.which("npm")
    lock_file = web / "package-lock.json"
    installed = web / "node_modules" / ".package-lock.json"
    if npm and (not installed.exists() or installed.stat().st_mtime < lock_file.stat().st_mtime):
        say("installing the lab's tools into web/node_modules")
        # Not `npm ci`: it refuses a lock without the binaries of systems that this one is not.
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts"]
        attempt([npm, "install", "--no-save", *quiet, "--prefix", web], install)


def ensure_packages(folder: Path, packages: list[str], what: str) -> None:
    """Make an environment apart with whatever of the packages can be had here."""
    stamp = folder / "x.json"
    wanted = [*made_for(), *packages]
    if stamp.exists() and json.loads(stamp.read_text()) == wanted:
        return
    say(f"installing {what} into {folder.name}, once: " + ", ".join(packages))
    remove(folder)
    pip = make_venv(folder)
    for package in packages:
        attempt([*pip, "install", "--quiet", package], install)
    stamp.write_text(json.dumps(wanted))


# ---------------------------------------------------------------------------------- environment


def ensure_environment(needed: list[str]) -> None:
    """Make `.venv` hold the project and the groups `needed`; touch nothing when it does."""
    if is_current(needed):
        return
    with one_at_a_time():
        if not is_current(needed):  # another x.py may have made it while this one waited
            make_environment(needed)


def is_current(needed: list[str]) -> bool:
    stamp = read_stamp()
    return (
        stamp.made_for == made_for()
        and stamp.inputs == inputs_digest()
        and {"build", *needed} <= set(stamp.groups)
    )


def make_environment(needed: list[str]) -> None:
    stamp = read_stamp()
    if stamp.made_for != made_for():
        remove(VENV)
        stamp = NO_STAMP
    wanted = [group for group in groups() if group in {"build", *needed, *stamp.groups}]
    say("setting up .venv, once: about a minute on a quiet machine")
    began = time.monotonic()
    # An environment without a stamp counts as half made: the stamp goes first and comes last. It
    # tells of the inputs as they were before, since someone may edit them meanwhile.
    remove(STAMP)
    inputs = inputs_digest()
    uv = find_uv()
    say(f"1 of 2: installing packages for {', '.join(wanted)}")
    if uv and not attempt(sync_command(uv, wanted, "--no-install-project"), install):
        # The project comes second: its build backend is among the packages just installed, and a
        # build in isolation would fetch another, unlocked.
        say(COMPILING)
        install(sync_command(uv, wanted, "--no-build-isolation-package", "gradwalk"))
    else:
        install_by_pip(wanted)
    make_editable_path_relative()
    write_stamp(Stamp(made_for(), inputs, wanted))
    say(f"done in {time.monotonic() - began:.0f} s: .venv/bin/gradwalk")


def sync_command(uv: str, wanted: list[str], *options: str) -> Command:
    # Inexact, so that a torch installed by hand survives; frozen, so that a mirror of the person's
    # choice does not make the lock look stale.
    sync = [uv, "sync", "--quiet", "--frozen", "--inexact", "--no-default-groups", *options]
    return [*sync, "--python", base_python(), *(f"--group={group}" for group in wanted)]


def install_by_pip(wanted: list[str]) -> None:
    pip = [*make_venv(VENV), "install", "--quiet"]
    install([*pip, "--require-hashes", *(f"--requirement={LOCKS / group}.txt" for group in wanted)])
    say(COMPILING)
    install([*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT])


def find_uv() -> str | None:
    """The uv on PATH, else a private one of the locked version, else None."""
    if os.environ.get("GRADWALK_NO_UV"):
        return None
    on_path = shutil.which("uv")
    if on_path and version_of(on_path) >= OLDEST_UV:
        return on_path
    private = str(PRIVATE_UV / BIN.name / f"uv{EXE}")
    pin = (LOCKS / "uv.txt").read_text().split()[0]
    if "uv==" + ".".join(map(str, version_of(private))) == pin:
        return private
    say(f"installing {pin} into .uv, for this checkout only")
    remove(PRIVATE_UV)
    pip = [*make_venv(PRIVATE_UV), "install", "--quiet", "--only-binary=:all:"]
    if attempt([*pip, "--require-hashes", f"--requirement={LOCKS / 'uv.txt'}"], install):
        say("uv cannot be had here; pip and locks/ do the same, slower")
        return None
    return private


def needed_uv(command: str) -> str:
    uv = find_uv()
    if uv is None:
        raise ExitError(f"{command} needs uv: put it on PATH, or unset GRADWALK_NO_UV")
    return uv


def make_venv(folder: Path) -> list[str]:
    """Make a virtual environment and return the pip command that installs into it."""
    python_inside = str(folder / BIN.name / "python")
    if has_module("ensurepip"):
        install([base_python(), "-m", "venv", folder])
        return [python_inside, "-m", "pip"]
    if has_module("pip"):  # Debian with python3-pip but without python3-venv
        install([base_python(), "-m", "venv", "--without-pip", folder])
        return [base_python(), "-m", "pip", "--python", python_inside]
    raise ExitError(
        f"{base_python()} has neither the venv module nor pip, and there is no uv on PATH.\n"
        "Install one of the three and start again. On Debian and Ubuntu:\n"
        f"  sudo apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    )


def make_editable_path_relative() -> None:
    """Keep the checkout's own path out of the .pth file of the editable install.

    Before 3.13 Python reads .pth files in the locale's encoding: with LC_ALL=C, one accent in the
    path would stop `.venv/bin/python` at its start.
    """
    source = str(ROOT / "src")
    for pth in VENV.glob("**/site-packages/_editable_*gradwalk.pth"):
        text = pth.read_text(encoding="utf-8")
        pth.unlink()  # it may be a hard link into uv's cache
        pth.write_text(text.replace(source, os.path.relpath(source, str(pth.parent))))


def tool_environment() -> dict[str, str]:
    """The variables that uv and pip get: a person's own win, except on where `.venv` is."""
    variables = {
        "UV_SYSTEM_CERTS": "1",  # where a company's own certificate authority is
        "UV_NATIVE_TLS": "1",  # the same, as uv before 0.11 calls it
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_LINK_MODE": "copy",  # cache and checkout may be on two file systems
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **os.environ,
        "UV_PROJECT_ENVIRONMENT": str(VENV),
        "PIP_USER": "0",
    }
    variables.pop("VIRTUAL_ENV", None)
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.name != "nt" and not is_writable(Path(caches, "uv")):
        variables.setdefault("UV_CACHE_DIR", str(PRIVATE_UV / "cache"))
    return variables


def groups() -> list[str]:
    return sorted(path.stem for path in LOCKS.glob("*.txt"))


# ---------------------------------------------------------------------------------------- stamp


class Stamp(NamedTuple):
    """What `.venv` was made for, from and with; an environment without a stamp is none."""

    made_for: list[str]
    inputs: str
    groups: list[str]


NO_STAMP = Stamp([], "", [])


def read_stamp() -> Stamp:
    try:
        stamp = Stamp(**json.loads(STAMP.read_text()))
    except (OSError, ValueError, TypeError):
        return NO_STAMP
    whole = all((BIN / (program + EXE)).exists() for program in ("python", "gradwalk"))
    return stamp if whole else NO_STAMP


def write_stamp(stamp: Stamp) -> None:
    draft = STAMP.with_suffix(".new")
    draft.write_text(json.dumps(stamp._asdict()))
    draft.replace(STAMP)


def made_for() -> list[str]:
    """What an environment cannot outlive: its Python and its place, as its scripts name both."""
    return [sys.version, sys.base_prefix, str(ROOT)]


def inputs_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for pattern in INPUTS for path in ROOT.glob(pattern)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for path in sorted(ROOT.glob("src/**/*.py")):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
    return digest.hexdigest()


# ------------------------------------------------------------------------------------ processes


def call(
    command: Command, cwd: Path = ROOT, env: dict[str, str] | None = None, apart: bool = False
) -> None:
    """Run `command`; when it fails, raise a StepError that shows it and carries its exit code.

    Apart from the person's terminal, it says all on stderr and Ctrl-C ends it without a word.
    """
    words = [str(word) for word in command]
    shown = " ".join(map(shlex.quote, words))
    stdout = sys.__stderr__ if apart else None
    try:
        process = subprocess.Popen(words, cwd=cwd, env=env, stdout=stdout, start_new_session=apart)
    except OSError as error:
        raise StepError(f"cannot start {shown}: {error.strerror}", 127) from None
    try:
        code = process.wait()
    except KeyboardInterrupt:
        if apart and sys.platform != "win32":
            os.killpg(process.pid, signal.SIGTERM)
        else:  # the terminal has told the program too: it may end in its own way, but soon
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
        process.terminate()
        raise
    if code:
        code = code if code > 0 else 128 - code  # killed by a signal, as a shell counts it
        raise StepError(f"exit code {code} from {shown}", code)


def install(command: Command) -> None:
    call(command, env=tool_environment(), apart=True)


def python(*arguments: Word) -> None:
    call([BIN / "python", *arguments])


def call_all(*commands: Command) -> None:
    """Run every command, whatever the others do; the first failure is the one that counts."""
    failures = [failure for failure in map(attempt, commands) if failure]
    if failures:
        raise ExitError(f"{len(failures)} of {len(commands)} steps failed", failures[0].code)


def attempt(command: Command, runner: Callable[[Command], None] = call) -> StepError | None:
    """Run `command`; a failure is shown and returned, not raised."""
    try:
        runner(command)
    except StepError as failure:
        say(str(failure))
        return failure
    return None


def version_of(uv: str) -> tuple[int, ...]:
    try:
        answer = subprocess.check_output([uv, "--version"], stderr=subprocess.DEVNULL)
        return tuple(int(part) for part in answer.split()[1].split(b"."))
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return ()


@contextlib.contextmanager
def one_at_a_time() -> Generator[None]:
    """Two terminals may start x.py at once: the second waits for the first."""
    handle = os.open(ROOT / ".venv.lock", os.O_CREAT | os.O_RDWR)
    try:
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


# ---------------------------------------------------------------------------------- small things


def say(message: str) -> None:
    print(f"x.py: {message}", file=sys.stderr, flush=True)


def unknown(kind: str, name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"there is {', '.join(known) or 'none'}"
    return f"no {kind} {name!r}; {hint}"


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def base_python() -> str:
    # Started by .venv's own Python, x.py must not build on the environment that it may replace.
    return getattr(sys, "_base_executable", None) or sys.executable


def has_module(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def is_writable(path: Path) -> bool:
    # os.path.exists, because Path.exists raises below a folder that one may not enter.
    existing = next(place for place in (path, *path.parents) if os.path.exists(place))
    return path.is_absolute() and os.access(existing, os.W_OK)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
