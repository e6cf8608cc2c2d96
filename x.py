#!/usr/bin/env python3
"""Everything one does with a gradwalk checkout, by one file of standard-library Python.

`python3 x.py` prints the commands. Each first makes sure that `.venv` is right, by `uv sync`, and
that the C is compiled, by CMake and Ninja into `src`. Both do nothing where nothing changed. Then
it runs its tools from there. Start reading at COMMANDS, then go on to `ensure_environment`.

The syntax is that of Python 3.6, so that an old Python gets as far as the message below.
"""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path

if sys.version_info < (3, 11):  # noqa: UP036
    newer = [name for name in ("python3.13", "python3.12", "python3.11") if shutil.which(name)]
    way = f"for example {(newer or ['python3.13'])[0]} x.py {' '.join(sys.argv[1:])}"
    sys.exit(f"x.py: gradwalk needs Python 3.11 or newer, not {sys.version.split()[0]}; {way}")

from collections.abc import Callable, Sequence

Command = Sequence[str | Path]

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
LOCKED_UV = ROOT / "locks" / "uv.txt"
PRIVATE_UV = ROOT / ".uv"
# Not .venv's own Python, even if it runs this: x.py may replace that environment.
BASE = getattr(sys, "_base_executable", None) or sys.executable
COMPILERS = ("cc", "gcc", "clang", "cl")

# Scripts that write generated files, with a test each that what they write is current.
GENERATORS = ("stubs", "contract")
COMPARED = ("eager", "replay", "branches", "problems")

# Programs that tests need, each by its names, with the Debian packages that have it.
BROWSER = (["chromium", "chromium-browser", "google-chrome"], ["chromium", "fonts-dejavu-core"])
SANDBOX = (["bwrap"], ["bubblewrap"])

EXAMPLES = """\
examples:
  python3 x.py run                             watch (a + b) * c being differentiated
  python3 x.py run walk "a*b + a" a=2 b=3      any gradwalk command
  python3 x.py test                            what a change can break; --all: all tests
  python3 x.py test tests/test_x.py -k stamp   some tests: what follows `test` goes to pytest
  python3 x.py check                           lint, format and types, as CI does
"""


class ExitError(Exception):
    """The end of this run: a message for the person and an exit code for the shell."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def run(arguments: list[str]) -> None:
    if not arguments:  # the reference engine needs no environment: the walk is there at once
        call([BASE, "-m", "gradwalk", "walk"], cwd=ROOT / "src")
    ensure_environment(["run"], levels="native")
    if arguments or sys.stdout.isatty():
        # In the caller's folder: `gradwalk judge my_value.py` names a file of theirs.
        call([BIN / "gradwalk", *(arguments or ["lab"])], cwd=Path.cwd())


def test(arguments: list[str]) -> None:
    left_out = ["browser"] if "--no-browser" in arguments else []
    words = [word for word in arguments if word not in ("--no-browser", "--all")]
    if not words and "--all" not in arguments:
        left_out.append("slow")
    chosen = ["-m", " and ".join([f"not {mark}" for mark in left_out])] if left_out else []
    if words:  # one process: a few tests start sooner so, and --pdb and -s work
        ensure_environment(["test"])
        python("-m", "pytest", *chosen, *words)
        return
    with ThreadPoolExecutor() as others:  # it mostly waits for the network
        others.submit(ensure_programs, *([] if "browser" in left_out else [BROWSER]), SANDBOX)
        ensure_environment(["test"])
    # Whatever the engine decides is tested on each; the rest once, on the engine a user gets.
    # One worker more than there are processors: one of them mostly waits for the browser.
    parallel = ["-n", str(min(8, (os.cpu_count() or 1) + 1)), "--dist", "worksteal", *chosen]
    failed = attempt([BIN / "python", "-m", "pytest", *parallel])
    os.environ["GRADWALK_BACKEND"] = "python"
    failed = attempt([BIN / "python", "-m", "pytest", *parallel, "--only=engine"]) or failed
    if failed:
        raise ExitError("tests failed", failed)


def check(arguments: list[str]) -> None:
    # basedpyright by name, or a configuration in some folder above the checkout would win.
    steps = ["ruff check", "ruff format --check", "basedpyright"]
    steps[2] += "" if arguments else " --project pyproject.toml"
    commands = [[BIN / word.split()[0], *word.split()[1:], *arguments] for word in steps]
    if not arguments and any(ROOT.glob("src/gradwalk/engine/_native.*[od]")):
        settings = ["--mypy-config-file", "pyproject.toml", "--allowlist", "tools/stubtest.txt"]
        commands.append([BIN / "stubtest", "gradwalk.engine", *settings])
    elif not arguments:
        say("there is no native engine here, so its stubs are not checked")
    call_all(*commands)


def fix(arguments: list[str]) -> None:
    formatted = [[BIN / "ruff", *way, *arguments] for way in (["check", "--fix"], ["format"])]
    call_all(*formatted, *([BIN / "python", f"tools/{name}.py"] for name in GENERATORS))


def bench(arguments: list[str]) -> None:
    """Run bench/NAME.py, or without a name the tables of figures that have peers beside them."""
    named = bool(arguments) and not arguments[0].startswith("-")
    for name in arguments[:1] if named else COMPARED:
        if name == "lab":
            ensure_programs(BROWSER)
        elif name in COMPARED and not {"-h", "--help"} & {*arguments}:
            os.environ["GRADWALK_BENCH_PYTHON"] = str(beside("peers") / f"python{EXE}")
        python(f"bench/{name}.py", *arguments[named:])


def tool(name: str) -> Callable[[list[str]], None]:
    return lambda arguments: python(f"tools/{name}.py", *arguments)


def test_notebook(arguments: list[str]) -> None:
    """The live view in JupyterLab, nbconvert and marimo: too slow for every run of the tests."""
    ensure_programs(BROWSER)
    os.environ["PATH"] = os.pathsep.join([str(beside("notebooks")), os.environ["PATH"]])
    call(["node", "test/run.mjs", "notebook", *arguments], cwd=ROOT / "web")


def docs(arguments: list[str]) -> None:
    ensure_programs()  # Pyodide runs the examples in the pages
    python("-m", "sphinx", "--quiet", "-W", "--keep-going", *arguments, "docs", "docs/_build/html")
    say("open docs/_build/html/index.html")


def lock(arguments: list[str]) -> None:
    uv = find_uv()
    install([uv, "lock", *arguments])
    install([uv, "lock", "--project", ROOT / "bench", *arguments])
    plain = ["--quiet", "--no-header", "--no-annotate"]
    install([uv, "export", "--frozen", *plain, "--only-group", "uv", "-o", LOCKED_UV])


def setup(arguments: list[str]) -> None:
    ensure_environment(arguments or ["docs", "lint", "test"])
    say("done: .venv/bin/gradwalk")


# Function, dependency groups it needs besides `build` (None: it needs no environment), help.
COMMANDS: dict[str, tuple[Callable[[list[str]], None], list[str] | None, str, str]] = {
    "run": (run, None, "[ARG...]", "run gradwalk; without arguments, the walk and the lab"),
    "test": (test, None, "[--all] [--no-browser] [ARG...]", "run pytest"),
    "check": (check, ["lint", "test"], "[PATH...]", "lint, format, types, stubs; changes nothing"),
    "fix": (fix, ["lint"], "[PATH...]", "repair lint and format, write generated files"),
    "bench": (bench, ["bench", "test"], "[NAME [ARG...]]", "the figures, or bench/NAME.py"),
    "mutate": (tool("mutate"), ["test"], "[code|guards] [ARG...]", "break code: do tests notice?"),
    "fuzz": (tool("fuzz"), ["test"], "[flow|loops|code|inputs] [ARG...]", "random cases"),
    "sanitize": (tool("sanitize"), ["test"], "[ARG...]", "tests of the C under ASan and UBSan"),
    "test-on": (tool("other_python"), ["test"], "PYTHON [ARG...]", "engine tests on another one"),
    "wheels": (tool("wheels"), ["wheels"], "[ROW...]", "build and test what pip installs"),
    "test-notebook": (test_notebook, [], "", "the live view in JupyterLab, nbconvert, marimo"),
    "docs": (docs, ["docs"], "[ARG...]", "build docs/_build/html"),
    "lock": (lock, None, "[ARG...]", "resolve dependencies anew, e.g. lock --upgrade"),
    "setup": (setup, None, "[GROUP...]", "only install, e.g. setup oracle"),
}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(f"usage: python3 x.py COMMAND [ARG...]\n\n{EXAMPLES}\ncommands:")
        for name, (_, _, takes, purpose) in COMMANDS.items():
            print(f"  {name + ' ' + takes:<36} {purpose}")
        return 0
    # Without bytecode each start would compile all sources again: 40 ms, and seconds for the tests.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        if arguments[0] not in COMMANDS:
            close = get_close_matches(arguments[0], COMMANDS, 1)
            hint = f"did you mean {close[0]}?" if close else f"there is {', '.join(COMMANDS)}"
            raise ExitError(f"no command {arguments[0]!r}; {hint}", 2)
        command, needed, _, _ = COMMANDS[arguments[0]]
        if needed is not None:
            ensure_environment(needed)
        command(arguments[1:])
    except (ExitError, OSError) as failure:  # a full disk, a .venv of another user's
        say(str(failure))
        return getattr(failure, "code", 1)
    except KeyboardInterrupt:
        return 130
    return 0


def ensure_environment(needed: list[str], levels: str = "all") -> None:
    """Make `.venv` hold the project and the groups `needed`, and compile the C for `levels`."""
    with open(ROOT / ".venv.lock", "w") as handle:
        if sys.platform != "win32":  # a second terminal waits for the first
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        activate = BIN / "activate"  # it names the place, as the programs in `.venv` do
        if activate.exists() and str(VENV) not in activate.read_text(encoding="utf-8"):
            say("this checkout was moved, so .venv is made anew")
            for made in (VENV, ROOT / "build"):
                shutil.rmtree(made, ignore_errors=True)
        if not VENV.exists():
            say("setting up .venv, once: packages, then the C engine")
        # Inexact, so that a torch installed by hand survives; frozen, so that a mirror of the
        # person's choice does not make the lock look stale. The build backend is among the
        # packages: a build in isolation would fetch another, unlocked.
        os.environ["GRADWALK_UV"] = uv = find_uv()  # for the tools
        sync = [uv, "sync", "--quiet", "--frozen", "--inexact", "--no-default-groups"]
        groups = [f"--group={group}" for group in ["build", *needed]]
        apart = ["--python", BASE, "--no-build-isolation-package", "gradwalk"]
        install([*sync, *groups, *apart])
        point_to_source()
        compile_c(levels)


def point_to_source() -> None:
    """Let a relative path to `src` be all that the editable install adds.

    Its hook takes 17 ms of each start. An absolute path is read in the locale's encoding before
    Python 3.13: with LC_ALL=C, one accent in it stops `.venv/bin/python`.
    """
    site = get_path("purelib", "venv", {"base": str(VENV)})
    source = os.path.relpath(str(ROOT / "src"), site) + "\n"
    for pth in Path(site).glob("_editable_*gradwalk.pth"):
        if pth.read_text(encoding="utf-8") != source:
            pth.unlink()  # it may be a hard link into uv's cache
            pth.write_text(source, encoding="utf-8")


def compile_c(levels: str) -> None:
    """Bring the extension modules in `src` up to date; levels: "native" or "all"."""
    if not any(map(shutil.which, [*os.environ.get("CC", "").split()[:1], *COMPILERS])):
        message = "there is no C compiler here, so gradwalk runs in Python: equal numbers, slowly"
        if os.environ.get("GRADWALK_REQUIRE_NATIVE"):
            raise ExitError(message)
        return say(message)
    folder = ROOT / "build" / str(sys.implementation.cache_tag)
    cache = folder / "CMakeCache.txt"
    told = cache.read_text(encoding="utf-8") if cache.exists() else ""
    try:
        if not any(f"GRADWALK_LEVELS:STRING={made}\n" in told for made in (levels, "all")):
            say(f"compiling the C, {levels} kernels")
            told = [f"-DGRADWALK_LEVELS:STRING={levels}", "-DGRADWALK_IN_PLACE:BOOL=ON"]
            told += ["-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={BIN / f'python{EXE}'}"]
            told += ["-GNinja", f"-DCMAKE_MAKE_PROGRAM={BIN / f'ninja{EXE}'}"]
            install([BIN / f"cmake{EXE}", "--log-level=WARNING", *told, "-B", folder])
        install([BIN / f"ninja{EXE}", "--quiet", "-C", folder])
    except ExitError as failure:
        raise ExitError(f"the C does not compile: {failure}", failure.code) from None


def find_uv() -> str:
    """Return the uv on PATH, or a private one of the locked version."""
    on_path = shutil.which("uv")  # pyproject.toml says how old it may be
    pin = LOCKED_UV.read_text().split()[0]
    folder = PRIVATE_UV / pin.replace("==", "-")
    private = folder / BIN.name / f"uv{EXE}"
    if on_path or private.exists():
        return on_path or str(private)
    say(f"installing {pin} into .uv, for this checkout only")
    shutil.rmtree(PRIVATE_UV, ignore_errors=True)
    pip: list[str | Path] = [BASE, "-m", "pip", "install", "--target", folder]
    try:
        if find_spec("pip") is None or os.name == "nt":
            install([BASE, "-m", "venv", folder])
            pip = [folder / BIN.name / f"python{EXE}", "-m", "pip", "install"]
        install([*pip, "-q", "--only-binary=:all:", "--require-hashes", "-r", LOCKED_UV])
    except ExitError as failure:
        shutil.rmtree(folder, ignore_errors=True)  # a half of it would pass for the whole
        raise ExitError(f"{failure}\nx.py needs uv: put one on PATH, for pip has none") from None
    return str(private)


def beside(group: str) -> Path:
    """Return the programs of an environment that has one group of bench/uv.lock, apart."""
    folder = ROOT / "build" / group
    say(f"with the packages of the group {group}, in build/{group}")
    sync = [find_uv(), "sync", "--quiet", "--frozen", "--project", ROOT / "bench"]
    install([*sync, "--only-group", group, "--python", BASE], folder)
    return folder / BIN.name


def ensure_programs(*wanted: tuple[list[str], list[str]]) -> None:
    """Install npm's packages in web/, and Debian's where no program of them is there.

    Debian's as root only: nothing asks for a password. Elsewhere the tests say what is missing.
    """
    npm, apt, web = shutil.which("npm"), shutil.which("apt-get"), ROOT / "web"
    locked, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
    if npm and (not installed.exists() or installed.stat().st_mtime < locked.stat().st_mtime):
        say("installing the lab's tools into web/node_modules")
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts"]
        attempt([npm, "ci", *quiet, "--prefix", web], install)
    missing = [names for programs, names in wanted if not any(map(shutil.which, programs))]
    packages = [name for names in missing for name in names]
    if packages and apt and os.name == "posix" and os.geteuid() == 0:
        say(f"installing {' '.join(packages)} by apt-get, for the tests")
        quiet = ["env", "DEBIAN_FRONTEND=noninteractive", apt, "-qq", "-y"]
        attempt([*quiet, "update"], install)
        attempt([*quiet, "install", "--no-install-recommends", *packages], install)


def call(
    command: Command, cwd: Path = ROOT, env: dict[str, str] | None = None, apart: bool = False
) -> None:
    """Run `command`; when it fails, raise an ExitError that shows it and carries its exit code.

    Apart from the person's terminal, it asks nothing, says all on stderr, and Ctrl-C ends it
    without a word.
    """
    words = [str(word) for word in command]
    shown = shlex.join(words)
    stdin, stdout = (subprocess.DEVNULL, sys.__stderr__) if apart else (None, None)
    try:
        process = subprocess.Popen(
            words, cwd=cwd, env=env, stdin=stdin, stdout=stdout, start_new_session=apart
        )
    except OSError as error:
        raise ExitError(f"cannot start {shown}: {error.strerror}", 127) from None
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
        raise ExitError(f"exit code {code} from {shown}", code)


def install(command: Command, environment: Path | None = None) -> None:
    """Run uv, pip and the like. A person's own variables win, except on where packages go."""
    variables = {
        "UV_SYSTEM_CERTS": "1",  # where a company's own certificate authority is
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_LINK_MODE": "copy",  # cache and checkout may be on two file systems
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **os.environ,
        "UV_PROJECT_ENVIRONMENT": str(environment or VENV),
        "PIP_USER": "0",
        "GRADWALK_IN_PLACE": "1",  # `compile_c` compiles, not the build of the editable install
    }
    variables.pop("VIRTUAL_ENV", None)
    if not os.access(os.path.expanduser("~"), os.W_OK):
        variables.setdefault("UV_CACHE_DIR", str(PRIVATE_UV / "cache"))
    call(command, env=variables, apart=True)


def python(*arguments: str) -> None:
    call([BIN / "python", *arguments])


def call_all(*commands: Command) -> None:
    """Run every command, whatever the others do; the first failure is the one that counts."""
    codes = [code for code in map(attempt, commands) if code]
    if codes:
        raise ExitError(f"{len(codes)} of {len(commands)} steps failed", codes[0])


def attempt(command: Command, runner: Callable[[Command], None] = call) -> int:
    """Run `command`; show a failure, and return its code."""
    try:
        runner(command)
    except ExitError as failure:
        say(str(failure))
        return failure.code
    return 0


def say(message: str) -> None:
    print(f"x.py: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
