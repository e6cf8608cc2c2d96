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
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path

if sys.version_info < (3, 11):  # noqa: UP036
    newer = [name for name in ("python3.13", "python3.12", "python3.11") if shutil.which(name)]
    way = f"for example {(newer or ['python3.13'])[0]} x.py {' '.join(sys.argv[1:])}"
    sys.exit(f"x.py: gradwalk needs Python 3.11 or newer, not {sys.version.split()[0]}; {way}")

from collections.abc import Callable, Generator, Sequence

Word = str | Path
Command = Sequence[Word]

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
LOCKED_UV = ROOT / "locks" / "uv.txt"
PRIVATE_UV = ROOT / ".uv"
COMPILERS = ("cc", "gcc", "clang", "cl")

# Scripts that write generated files, with a test each that what they write is current.
GENERATORS = ("stubs", "contract", "names")

BESIDE = ("bench", "notebooks")  # environments apart, of locks/NAME.in, with hashes in NAME.txt
COMPARED = ("eager", "replay", "branches", "problems")

# The tests that run on each engine, here on the reference after the rest ran on the native one.
ENGINE_TESTS = (
    "engine engine_operators ops modes copying depth oracles nary microgpt_bits graph walk paths "
    "gradcheck program_guards program_compiled program_trace edges attributes transforms "
    "transforms_implicit transforms_sparse proving"
)

# Programs of which tests need one, the Debian packages that have it, and the tests.
BROWSER = (
    ["chromium", "chromium-browser", "google-chrome"],  # tests/test_lab_browser.py has the same
    ["chromium", "fonts-dejavu-core"],
    "the lab's tests in a browser (--no-browser leaves them out)",
)
SANDBOX = (["bwrap"], ["bubblewrap"], "the tests of a judge's sandbox")

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


# ------------------------------------------------------------------------------------- commands


def run(arguments: list[str]) -> None:
    # In the caller's folder: `gradwalk judge my_value.py` names a file of theirs.
    if not arguments:  # the reference engine needs no environment: the walk is there at once
        paths = [str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        call([base_python(), "-m", "gradwalk", "walk"], cwd=Path.cwd(), env=variables)
    ensure_environment(["run"], levels="native")
    if arguments or sys.stdout.isatty():
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
    with ThreadPoolExecutor() as others:  # they mostly wait for the network
        others.submit(ensure_web_packages)
        others.submit(
            ensure_programs, *([SANDBOX] if "browser" in left_out else [SANDBOX, BROWSER])
        )
        ensure_environment(["test"])
    # Whatever the engine decides is tested on each; the rest once, on the engine a user gets.
    # One worker more than there are processors: one of them mostly waits for the browser.
    parallel = ["-n", str(min(8, (os.cpu_count() or 1) + 1)), "--dist", "worksteal", *chosen]
    files = [f"tests/test_{name}.py" for name in ENGINE_TESTS.split()]
    failed = attempt([BIN / "python", "-m", "pytest", *parallel])
    os.environ["GRADWALK_BACKEND"] = "python"
    failed = attempt([BIN / "python", "-m", "pytest", *parallel, *files]) or failed
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
    options = arguments[named:]
    for name in arguments[:1] if named else COMPARED:
        if name == "lab":
            ensure_web_packages()
            ensure_programs(BROWSER)
        if name in COMPARED and not {"-h", "--help"} & set(options):
            os.environ["GRADWALK_BENCH_PYTHON"] = str(beside("bench") / f"python{EXE}")
        python(ROOT / "bench" / f"{name}.py", *options)


def tool(name: str) -> Callable[[list[str]], None]:
    return lambda arguments: python(f"tools/{name}.py", *arguments)


def fuzz(arguments: list[str]) -> None:
    special = arguments[:1] in (["inputs"], ["flow"], ["loops"])
    tool(f"fuzz_{arguments[0]}" if special else "fuzz")(arguments[special:])


def sanitize(arguments: list[str]) -> None:
    # Not those whose time goes into digits of mpmath's: other tests reach the same C.
    names = {*ENGINE_TESTS.split()} - {"oracles", "ops", "transforms", "proving"}
    names |= {"program_native", "program_map", "program_files", "program_random"}
    files = [f"tests/test_{name}.py" for name in sorted(names)]
    python("tools/sanitize.py", *(arguments or [*files, "tests/native"]))


def test_on(arguments: list[str]) -> None:
    """The engine's tests on another Python; the script says how it gets one."""
    if len([word for word in arguments if not word.startswith("-")]) == 1:
        files = [f"tests/test_{name}.py" for name in ("engine", "attributes", "copying")]
        arguments = [*arguments, *files, "tests/native/test_mischief.py"]
    python("tools/other_python.py", "--uv", find_uv(), *arguments)


def wheels(arguments: list[str]) -> None:
    python("tools/wheels.py", "--uv", find_uv(), *arguments)


def test_notebook(arguments: list[str]) -> None:
    """The live view in JupyterLab, nbconvert and marimo: too slow for every run of the tests."""
    ensure_web_packages()
    ensure_programs(BROWSER)
    os.environ["PATH"] = os.pathsep.join([str(beside("notebooks")), os.environ["PATH"]])
    call(["node", "test/run.mjs", "notebook", *arguments], cwd=ROOT / "web")


def docs(arguments: list[str]) -> None:
    ensure_web_packages()  # Pyodide runs the examples in the pages
    python("-m", "sphinx", "--quiet", "-W", "--keep-going", *arguments, "docs", "docs/_build/html")
    say("open docs/_build/html/index.html")


def lock(arguments: list[str]) -> None:
    uv = find_uv()
    plain = ["--quiet", "--no-header", "--no-annotate"]
    install([uv, "lock", *arguments])
    install([uv, "export", "--frozen", *plain, "--only-group", "uv", "-o", LOCKED_UV])
    for name in BESIDE:
        pinned, locked = [ROOT / "locks" / f"{name}.{kind}" for kind in ("in", "txt")]
        everywhere = ["--universal", "--python-version=3.11", "--generate-hashes"]
        install([uv, "pip", "compile", *plain, *everywhere, pinned, "-o", locked])


def setup(arguments: list[str]) -> None:
    ensure_environment(arguments or ["docs", "lint", "test"])
    say("done: .venv/bin/gradwalk")


def clean(arguments: list[str]) -> None:
    made = ".venv .uv .pythons build dist docs/_build .hypothesis .pytest_cache .ruff_cache"
    made += " .mypy_cache [!.]*/**/__pycache__ src/**/_native.*[od] src/**/_replay.*[od]"
    for path in [path for pattern in made.split() for path in ROOT.glob(pattern)]:
        remove(path)


# Function, dependency groups it needs besides `build` (None: it needs no environment), help.
COMMANDS: dict[str, tuple[Callable[[list[str]], None], list[str] | None, str, str]] = {
    "run": (run, None, "[ARG...]", "run gradwalk; without arguments, the walk and the lab"),
    "test": (test, None, "[--all] [--no-browser] [ARG...]", "run pytest"),
    "check": (check, ["lint", "test"], "[PATH...]", "lint, format, types, stubs; changes nothing"),
    "fix": (fix, ["lint"], "[PATH...]", "repair lint and format, write generated files"),
    "bench": (bench, ["bench", "test"], "[NAME [ARG...]]", "the figures, or bench/NAME.py"),
    "mutate": (tool("mutate"), ["test"], "[code|guards] [ARG...]", "break code: do tests notice?"),
    "fuzz": (fuzz, ["test"], "[inputs|flow|loops] [ARG...]", "random functions, bytes or loops"),
    "sanitize": (sanitize, ["test"], "[ARG...]", "tests of the C under ASan and UBSan"),
    "test-on": (test_on, ["test"], "PYTHON [ARG...]", "engine tests on another Python"),
    "wheels": (wheels, ["wheels"], "[ROW...]", "build and test what pip installs; see dist/"),
    "test-notebook": (test_notebook, [], "", "the live view in JupyterLab, nbconvert, marimo"),
    "docs": (docs, ["docs"], "[ARG...]", "build docs/_build/html"),
    "lock": (lock, None, "[ARG...]", "resolve dependencies anew, e.g. lock --upgrade"),
    "setup": (setup, None, "[GROUP...]", "only install, e.g. setup oracle"),
    "clean": (clean, None, "", "remove all that x.py and the tools made"),
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
            from difflib import get_close_matches

            close = get_close_matches(arguments[0], COMMANDS, 1)
            hint = f"did you mean {close[0]}?" if close else f"there is {', '.join(COMMANDS)}"
            raise ExitError(f"no command {arguments[0]!r}; {hint}", 2)
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


# ---------------------------------------------------------------------------------- environment


def ensure_environment(needed: list[str], levels: str = "all") -> None:
    """Make `.venv` hold the project and the groups `needed`, and compile the C for `levels`."""
    with one_at_a_time():
        activate = BIN / "activate"  # it names the place, as the programs in `.venv` do
        if activate.exists() and str(VENV) not in activate.read_text(encoding="utf-8"):
            say("this checkout was moved, so .venv is made anew")
            remove(VENV)
            remove(ROOT / "build")
        # Inexact, so that a torch installed by hand survives; frozen, so that a mirror of the
        # person's choice does not make the lock look stale.
        sync = [find_uv(), "sync", "--quiet", "--frozen", "--inexact", "--no-default-groups"]
        sync += ["--python", base_python(), *(f"--group={group}" for group in ["build", *needed])]
        if not (BIN / f"gradwalk{EXE}").exists():
            # The project comes second: its build backend is among the packages, and a build in
            # isolation would fetch another, unlocked.
            say("setting up .venv, once: packages, then the C engine")
            install([*sync, "--no-install-project"])
        install([*sync, "--no-build-isolation-package", "gradwalk"])
        point_to_source()
        compile_c(levels)


def point_to_source() -> None:
    """Let a relative path to `src` be all that the editable install adds.

    Its hook would take 17 ms of each start, and know only the modules of that day. Before 3.13
    Python reads .pth files in the locale's encoding: with LC_ALL=C, one accent in an absolute path
    would stop `.venv/bin/python` at its start.
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
        say(message)
        return
    folder = ROOT / "build" / str(sys.implementation.cache_tag)
    cache = folder / "CMakeCache.txt"
    told = cache.read_text(encoding="utf-8") if cache.exists() else ""
    try:
        if not any(f"GRADWALK_LEVELS:STRING={made}\n" in told for made in (levels, "all")):
            say(f"compiling the C, {levels} kernels")
            settings = {
                "CMAKE_BUILD_TYPE": "Release",
                "CMAKE_MAKE_PROGRAM": BIN / f"ninja{EXE}",
                "GRADWALK_IN_PLACE:BOOL": "ON",
                "GRADWALK_LEVELS:STRING": levels,
                "Python_EXECUTABLE": BIN / f"python{EXE}",
            }
            words = [f"-D{name}={value}" for name, value in settings.items()]
            install([BIN / f"cmake{EXE}", "--log-level=WARNING", "-GNinja", *words, "-B", folder])
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
    remove(PRIVATE_UV)
    pip: list[Word] = [base_python(), "-m", "pip", "install", "--target", folder]
    try:
        if find_spec("pip") is None or os.name == "nt":
            install([base_python(), "-m", "venv", folder])
            pip = [folder / BIN.name / f"python{EXE}", "-m", "pip", "install"]
        install([*pip, "-q", "--only-binary=:all:", "--require-hashes", "-r", LOCKED_UV])
    except ExitError as failure:
        remove(PRIVATE_UV)  # a half of it would pass for the whole
        raise ExitError(
            f"{failure}\nx.py needs uv, and pip cannot get it: put one on PATH"
        ) from None
    return str(private)


def beside(name: str) -> Path:
    """Return the programs of an environment of locks/NAME.txt, where each package has its hash."""
    folder = ROOT / "build" / name
    say(f"with the packages of locks/{name}.txt, in build/{name}")
    install([find_uv(), "venv", "--quiet", "--allow-existing", "--python", base_python(), folder])
    sync = [find_uv(), "pip", "sync", "--quiet", "--require-hashes", "--python", folder]
    install([*sync, ROOT / "locks" / f"{name}.txt"])
    return folder / BIN.name


def ensure_web_packages() -> None:
    npm, web = shutil.which("npm"), ROOT / "web"
    wanted, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
    if npm and (not installed.exists() or installed.stat().st_mtime < wanted.stat().st_mtime):
        say("installing the lab's tools into web/node_modules")
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts"]
        attempt([npm, "ci", *quiet, "--prefix", web], install)


def ensure_programs(*wanted: tuple[list[str], list[str], str]) -> None:
    """Install Debian packages of what is not there, as root only: nothing asks for a password.

    Elsewhere the tests say what is missing; in CI they fail for it.
    """
    apt = shutil.which("apt-get")
    missing = [one for one in wanted if not any(map(shutil.which, one[0]))]
    if not missing or not apt or os.name != "posix" or os.geteuid() != 0:
        return
    packages = [package for _, some, _ in missing for package in some]
    purposes = " and ".join([purpose for *_, purpose in missing])
    say(f"installing {' and '.join(packages)} by apt-get, for {purposes}")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", apt, "-qq", "-y"]
    if not attempt([*quiet, "update"], install):
        attempt([*quiet, "install", *packages], install)


# ------------------------------------------------------------------------------------ processes


def call(
    command: Command, cwd: Path = ROOT, env: dict[str, str] | None = None, apart: bool = False
) -> None:
    """Run `command`; when it fails, raise an ExitError that shows it and carries its exit code.

    Apart from the person's terminal, it says all on stderr and Ctrl-C ends it without a word.
    """
    words = [str(word) for word in command]
    shown = shlex.join(words)
    stdout = sys.__stderr__ if apart else None
    try:
        process = subprocess.Popen(words, cwd=cwd, env=env, stdout=stdout, start_new_session=apart)
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


def install(command: Command) -> None:
    """Run uv, pip and the like. A person's own variables win, except on where `.venv` is."""
    variables = {
        "UV_SYSTEM_CERTS": "1",  # where a company's own certificate authority is
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_LINK_MODE": "copy",  # cache and checkout may be on two file systems
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **os.environ,
        "UV_PROJECT_ENVIRONMENT": str(VENV),
        "PIP_USER": "0",
        "GRADWALK_IN_PLACE": "1",  # `compile_c` compiles, not the build of the editable install
    }
    variables.pop("VIRTUAL_ENV", None)
    if not os.access(os.path.expanduser("~"), os.W_OK):
        variables.setdefault("UV_CACHE_DIR", str(PRIVATE_UV / "cache"))
    call(command, env=variables, apart=True)


def python(*arguments: Word) -> None:
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


@contextlib.contextmanager
def one_at_a_time() -> Generator[None]:
    """Two terminals may start x.py at once: the second waits for the first."""
    with open(ROOT / ".venv.lock", "w") as handle:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def say(message: str) -> None:
    print(f"x.py: {message}", file=sys.stderr, flush=True)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def base_python() -> str:
    # Started by .venv's own Python, x.py must not build on the environment that it may replace.
    return getattr(sys, "_base_executable", None) or sys.executable


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
