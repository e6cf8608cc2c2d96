"""The command line through its real door: what it prints, where, and the exit code it ends with."""

import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import gradwalk
from gradwalk import __version__
from gradwalk.bench.report import Report, Row
from gradwalk.cli import main
from gradwalk.cli.commands import PAGES
from gradwalk.practice.answers import shown
from gradwalk.practice.drill import questions

DIAMOND = "b = a + 1; c = a * 3; d = b * c"


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("TERM", raising=False)

    def run(*words: str, stdin: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Answer(code, out, err)

    return run


def process(*words: str, **settings) -> subprocess.CompletedProcess[str]:
    """Run it as a program."""
    settings = {"stdin": subprocess.DEVNULL, "capture_output": True, **settings}
    command = [sys.executable, "-m", "gradwalk", *words]
    return subprocess.run(command, check=False, encoding="utf-8", **settings)


# ── What is printed, and the exit code ───────────────────────────────────────────────────────

D = f"walk '{DIAMOND}' a=2"
ORDERS = ("--order 'd b a c'", "'--order=d, b, a, c'")
USE = "gradwalk walk: a and c have no value. For example:\n  gradwalk walk 'a*b + c' b=5 a=1 c=2\n"
PRINTED = [  # words, a part of stdout
    ("walk 'a*b + a' a=2 b=3", "Result: + = 8\nGradients: a 4, b 2\n"),
    ("walk a=2 'a*b + a' b=3", "2 * 3 = 6"),
    ("walk a*a a=3 --bug overwrite", "Gradients: a 3 ✗\n"),
    ("walk 'tanh(a*b)' a=2 b=.5 --short", "a += "),
    ("walk --only sort,gradients", "Sort: "),
    ("walk a=5", "5 + -3 = 2"),
    *[(f"walk a=2 b=3 {words}", "-6") for words in ("-a*b", "-- -a*b", "'-(a*b)'", "'-a * b'")],
    *[(f"walk {words}", "-2") for words in ("-a a=2", "-a --json a=2")],
    ("walk -3*a a=2", "-6"),
    *[
        (f"{D} --bug {bug}", f"Bug {bug}")
        for bug in ("overwrite", "no-reset", "no-visited", "wrong-order")
    ],
    ("walk a**b a=2 b=3", "2 ** 3 = 8"),
    ("check 'exp(a)' a=1 --step 1 --tolerance 2", ""),
    ("drill --seed 7", "\nno question answered\n"),
    *[(word, f"gradwalk {__version__}\n") for word in ("--version", "-V")],
    *[(f"walk '{DIAMOND}' a=2 {order}", "got 6, should be 15") for order in ORDERS],
    ("walk --order '* + c b a'", ""),
    ("walk --format text", "Result: "),
    ("walk --format dot", "digraph"),
    ("walk --format=svg --theme dark", "<svg"),
    *[(f"explain '{DIAMOND}' a=2 {wrt}", "= 15") for wrt in ("--wrt a", "")],
    (f"explain '{DIAMOND}' a=2", "d → c → a"),
    (f"explain '{DIAMOND}' a=2 --wrt b", "∂d/∂b = 6"),
    ("check 'tanh(a*b) + a/b' a=2 b=-1", "agree"),
    ("check a*b a=2 b=3 --json", '"ok": true'),
    ("exercise", "diamond  "),
    ("exercise", "the diamond in all 24 visit orders"),
    ("exercise X6", "  a.grad: expected 15, got 15\n"),
    ("exercise X6", "6 of 6 as expected\n"),
    ("exercise diamond-a --answer 15", ""),
    ("exercise x2-x1 --answer -3/2", ""),
    ("doctor", f"gradwalk     {__version__}"),
    ("doctor", "graphviz     not needed"),
]
WRONG = [  # words, a part of stdout, and the exit code is 1
    # A step this wide misses the curve: the difference, not the gradient, is wrong.
    *[(f"check 'exp(a)' a=1 --step 1 {more}", "") for more in ("", "--json")],
    ("exercise diamond-a --answer 9", "expected 15, got 9"),
    ("exercise diamond-a --answer 9", "d → c → a alone"),
    ("exercise diamond-a --answer 9 --json", '"ok": false'),
]
REFUSED = [  # words, a part of stderr
    ("walk --only srt", "did you mean sort?"),
    (f"{D} --order 'd b a'", "c not at all"),
    (f"{D} --order 'd b a c c'", "c twice"),
    (f"{D} --order 'd b a z'", "there is no node 'z'"),
    (f"{D} --order 'd b a 99'", "there is no node 99"),
    ("walk a**b a=2 b=3 --strict", "strict: the exponent must be a number"),
    ("walk a**b a=2 b=3 --strict", "\n  a**b\n     ^\n"),
    ("walk --json --format svg", "--json and --format svg exclude each other"),
    ("walk 'a*b + c' b=5", USE),
    ("walk 'a + * b' a=1", "gradwalk walk: expected an operand"),
    ("walk 'a + * b' a=1", "\n  a + * b\n      ^\n"),
    ("explain a*b a=1 b=2", "say with respect to what: --wrt a, --wrt b"),
    ("explain 2*3", "no variable"),
    ("explain a*b a=1 b=2 --wrt z", "there is no node 'z'"),
    ("explain x --wrt x", "explain: x has no value. For example:\n  gradwalk explain x x=1\n"),
    ("check 2*3", "no variable"),
    ("check a*b a=1 b=2 c=3", "no variable 'c'"),
    ("exercise diamnd", "did you mean diamond?"),
    ("exercise diamond-orders-dbca x1", "one exercise at a time"),
    ("exercise qqqq", "gradwalk exercise lists them"),
    ("exercise x6 --answer six", "'six' is not a number"),
    ("exercise --answer 6", "an answer to which one?"),
    ("exercise all --answer 6", "an answer to which one?"),
    ("exercise shortcut-tables --answer 6", "takes no number"),
    ("exercise x6 --answer", "--answer needs a value"),
    ("drill --count 0", "--count"),
    ("drill --seed x", "--seed"),
    ("drill --seed=-1", "--seed"),
    ("drill extra", "extra"),
    ("wlak", "there is no command 'wlak': did you mean walk?"),
    ("'zzz*'", "; there is walk, lab, site, explain, check, "),
    ("a*b a=1", "to walk it: gradwalk walk 'a*b' a=1"),
    ("qqqq", "there is no command 'qqqq'; there is walk, "),
    ("--verbose", "there is no option '--verbose'; see gradwalk --help"),
    ("walk --ordr x", "there is no option --ordr: did you mean --order?"),
    ("walk --jsn", "there is no option --jsn: did you mean --json?"),
    ("walk a a=1 -x", "an expression that starts with - goes behind --"),
    ("drill -x", "there is no option -x"),
    ("walk --bug overwite", "there is no bug 'overwite': did you mean overwrite?"),
    ("walk --bug qqq", "there is overwrite, no-reset, no-visited, wrong-order"),
    ("walk --format bmp", "there is text, json, dot, html, svg"),
    ("walk --theme drak", "did you mean dark?"),
    ("walk --json=1", "--json"),
    ("walk --order", "--order needs a value"),
    ("walk a*b a=1 b=two", "b takes a number, such as 3, -0.5, 1e-3 or 1/3, not"),
    ("walk a*b a=1 b=1e999", "b takes a number"),
    ("walk a*b a=1 a=2 b=1", "a is given twice"),
    ("walk a*b b*c a=1", "one expression at a time"),
    ("walk a + b a=1 b=2", "put the expression in quotes: gradwalk walk 'a + b'"),
    ("walk a*b a=1 b=2 c=3", "no variable 'c'"),
    ("explain a*b a=1 b=2 --most 0", "a whole number from 1 on"),
    ("check a a=1 --step=-1", "a number above 0"),
    ("check a a=1 --step x", "'x' is not a number"),
    ("doctor now", "doctor takes options only"),
    ("completion bsh", "completion takes one of bash, zsh, fish: did you mean bash?"),
    ("completion", "completion takes one of bash, zsh, fish"),
    ("walk " + "(" * 100_000, "longer than 4096 bytes"),
    ("walk -o walk.bmp", "'walk.bmp': a graph is written as .txt, .json, .dot, .gv, .html, .svg"),
    ("walk -o nowhere/walk.svg", "No such file or directory"),
    ("walk -o .", "Is a directory"),
]


@pytest.mark.parametrize(
    ("code", "words", "part"),
    [*[(0, *row) for row in PRINTED], *[(1, *row) for row in WRONG]],
)
def test_a_command_prints(run: Run, code: int, words: str, part: str) -> None:
    answer = run(*shlex.split(words))
    assert answer.code == code
    assert part in answer.out


@pytest.mark.parametrize(("words", "complaint"), REFUSED)
def test_wrong_usage_gets_one_clear_message(run, words, complaint, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run(*shlex.split(words) if len(words) < 1000 else words.split())
    assert list(tmp_path.iterdir()) == []
    assert answer[:2] == (2, "")
    assert complaint in answer.err
    assert answer.err.startswith("gradwalk")


# ── walk ─────────────────────────────────────────────────────────────────────────────────────


def _data(run: Run, *words: str) -> dict:
    answer = run(*words, "--json")
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


# ── Files ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "start"),
    [
        *(("w.svg", "<svg"), ("W.SVG", "<svg"), ("w.json", "{"), ("w.txt", "Result")),
        *(("w.dot", "digraph"), ("w.gv", "digraph"), ("w", "Result")),
    ],
)
def test_the_suffix_of_the_file_is_its_format(run, tmp_path, name, start) -> None:
    file = tmp_path / name
    answer = run("walk", "-o", str(file))
    text = file.read_text("utf-8")
    assert text.startswith(start)
    assert answer == Answer(0, "", f"wrote {file} ({len(text.encode()):,} bytes)\n")
    assert [path.name for path in tmp_path.iterdir()] == [name]


# ── explain and check ────────────────────────────────────────────────────────────────────────


# ── exercise ─────────────────────────────────────────────────────────────────────────────────


# ── drill ────────────────────────────────────────────────────────────────────────────────────


def test_drill_asks_grades_and_keeps_the_score(run: Run) -> None:
    asked = questions(7, 3)
    right = [shown(question.answer) for question in asked]
    answer = run("drill", "--seed", "7", "--count", "3", stdin="\n".join(right) + "\n")
    assert answer.code == 0
    assert answer.out.endswith("3 of 3 right\n")
    assert f"> {right[0]}\n" in answer.out  # piped answers show as if typed
    answer = run("drill", "--seed", "7", "--count", "3", stdin="987654\n?\nq\n")
    assert answer.code == 1
    assert answer.out.endswith("0 of 2 right\n")


# ── doctor, version, help ────────────────────────────────────────────────────────────────────


def test_doctor_says_what_is_there_and_how_to_get_the_rest(run: Run) -> None:
    answer = run("doctor")
    data = _data(run, "doctor")
    assert data["engine"]["backend"] in ("python", "native")
    assert data["engine"]["why"]
    assert data["replay"]["backend"] in ("python", "native")
    assert f"replay       {data['replay']['backend']}  {data['replay']['file']}" in answer.out
    names = [package["name"] for package in data["optional"]]
    assert names == "numpy starlette anywidget typst safetensors jax torch".split()  # noqa: SIM905
    for package in data["optional"]:
        assert (package["version"] is None) == (package["remedy"] is not None)
        assert package["version"] is None or f"{package['name']} " in answer.out
    why = "stdout is not a terminal"
    assert data["terminal"] == {"columns": 80, "colour": False, "why": why}


def test_doctor_finds_a_missing_package_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "starlette    missing   the browser lab: {} starlette uvicorn"
    monkeypatch.setattr("gradwalk.cli.doctor.find_spec", lambda name: name == "pip" or None)
    assert told.format(f"{sys.executable} -m pip install") in run("doctor").out
    monkeypatch.setattr("gradwalk.cli.doctor.find_spec", lambda name: None)  # nor is pip there
    for uv, way in (("/bin/uv", "uv pip install --python {}"), (None, "{} -m pip install")):
        monkeypatch.setattr(
            "shutil.which", lambda name, *_, uv=uv, **__: uv if name == "uv" else None
        )
        assert told.format(way.format(sys.executable)) in run("doctor").out


# An editable install finds the package by a hook, before PYTHONPATH is looked at.
NO_HOOK = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in type(f).__module__]
"""


@pytest.fixture
def without_native(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that sees a pure-Python installation."""
    package = Path(gradwalk.__file__).parent
    built = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(package, tmp_path / "pure" / "gradwalk", ignore=built)
    (tmp_path / "pure" / "sitecustomize.py").write_text(NO_HOOK, "utf-8")
    kept = {name: text for name, text in os.environ.items() if name != "GRADWALK_BACKEND"}
    return {**kept, "PYTHONPATH": str(tmp_path / "pure")}


def test_doctor_says_that_the_native_engine_is_missing_why_and_what_to_do(without_native, tmp_path):
    def native(**variables: str) -> dict[str, str]:
        answer = process("doctor", "--json", env={**without_native, **variables}, cwd=tmp_path)
        engine = json.loads(answer.stdout)["engine"]
        assert (engine["backend"], engine["why"]) == ("python", "the native engine is missing")
        return engine["native"]

    rebuild = f"GRADWALK_REQUIRE_NATIVE=1 {sys.executable} -m pip install --force-reinstall"
    found = native(PATH="/nowhere")
    assert found["missing"].endswith("and there is no C compiler here")
    assert found["remedy"].startswith("install a C compiler")
    assert rebuild in found["remedy"]
    (tmp_path / "cc").write_text("#!/bin/sh\n")
    (tmp_path / "cc").chmod(0o755)
    found = native(PATH=str(tmp_path))
    assert found["missing"].endswith(f"though {tmp_path / 'cc'} is there now")
    assert found["remedy"].startswith(rebuild)
    (tmp_path / "pure/gradwalk/engine/_native.cpython-39-x86.so").touch()
    found = native()
    assert found["missing"].startswith("_native.cpython-39-x86.so was built for another Python")
    text = process("doctor", env=without_native, cwd=tmp_path).stdout
    assert f"native       MISSING: {found['missing']}\n             {found['remedy']}\n" in text


def test_an_engine_that_is_not_there_is_one_line_and_exit_code_2(without_native, tmp_path) -> None:
    for asked, complaint in {
        "cuda": "gradwalk: GRADWALK_BACKEND is python, native or auto, not 'cuda'\n",
        "native": "gradwalk: GRADWALK_BACKEND=native, but this installation has no native engine; "
        "set GRADWALK_BACKEND=python or auto\n",
    }.items():
        env = {**without_native, "GRADWALK_BACKEND": asked}
        settings = {"cwd": tmp_path, "capture_output": True, "text": True, "env": env}
        script = Path(sys.executable).parent / "gradwalk"
        for command in ([sys.executable, "-m", "gradwalk"], [str(script)]):
            answer = subprocess.run([*command, "walk"], check=False, **settings)
            assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", complaint)
        imports = [sys.executable, "-c", "import gradwalk"]
        imported = subprocess.run(imports, check=False, **settings)
        assert "BackendError" in imported.stderr  # a script that imports gets its traceback


def test_a_native_engine_that_does_not_load_is_said_with_a_way_out(without_native, tmp_path):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    (tmp_path / f"pure/gradwalk/engine/_native{suffix}").write_text("no library")
    answer = process("walk", env=without_native, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.endswith("\nGRADWALK_BACKEND=python does without that engine\n")
    assert "Traceback" not in answer.stderr
    python = {**without_native, "GRADWALK_BACKEND": "python"}
    assert process("walk", env=python, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("command", PAGES)
def test_the_help_of_every_command_starts_with_examples(run: Run, command: str) -> None:
    answer = run(command, "--help")
    assert answer.code == 0
    assert answer.out.splitlines()[2] == "examples:"
    assert answer.out.index("examples:") < answer.out.index(f"usage: gradwalk {command}")
    assert "--json" in answer.out
    assert run("help", command) == answer
    assert run(command, "-h") == answer


@pytest.mark.slow
def test_the_examples_in_the_help_work(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("my_value.py", "asian_option.py"):
        source = Path(__file__).parent.parent / "examples" / name
        (tmp_path / name).write_text(source.read_text("utf-8"), "utf-8")
    (tmp_path / "points.csv").write_text("0,0,a\n1,1,a\n0,1,b\n", "utf-8")
    monkeypatch.setattr(
        "gradwalk.lab.server.serve", lambda *_, **__: 0
    )  # it would serve until Ctrl-C
    report = Report("eager", [Row("a figure", 2.5)])
    for bench in ("eager", "compiled"):  # they take minutes
        monkeypatch.setattr(f"gradwalk.bench.{bench}.measure", lambda **_: report)
    for script in ("microgpt.py", "train.py"):
        text = "from micrograd.engine import Value\nprint((Value(2.0) * 3).data)\n"
        (tmp_path / script).write_text(text, "utf-8")
    (tmp_path / "mypackage").mkdir()
    (tmp_path / "mypackage" / "__main__.py").write_text("print(1)\n", "utf-8")
    (tmp_path / "demo.ipynb").write_text('{"cells": []}', "utf-8")
    for page in [page for page in PAGES.values() if page.run.startswith("gradwalk.cli")]:
        for command, _ in page.examples:
            words = shlex.split(command)[1:]
            if words[0] == "judge":  # the other files here are no learners'
                words = ["my_value.py" if word in (".", "*.py") else word for word in words]
            if words[0] in ("run", "watch"):  # a script takes over the process that runs it
                assert process(*words).returncode == 0, command
                continue
            answer = run(*words)
            assert answer.code == 0, (command, answer)


BEFORE_TAB = {  # what is typed, and what Tab offers
    "": ["walk", "gpt", "completion", "help"],
    "gpt ": ["train", "sample", "eval", "inspect", "compare"],
    "completion ": ["bash", "zsh", "fish"],
    "walk --s": ["--short", "--strict", "--size"],
    "walk 'a*b' --js": ["--json"],
    "train --hi": ["--hidden"],
    "gpt train --res": ["--resume"],
    "gpt train --hi": [],  # an option of `train`, another command
    "judge ": [],  # names of files
}
ASKED = {
    "bash": """source "$1"; eval "COMP_WORDS=(gradwalk $2)"
        [[ $2 == *" " || -z $2 ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gradwalk; printf '%s\\n' "${COMPREPLY[@]}" """,
    "zsh": """compdef() {}; source "$1"; eval "words=(gradwalk $2)"
        [[ $2 == *" " || -z $2 ]] && words+=(""); CURRENT=${#words}; PREFIX=${words[-1]}
        compadd() { shift; print -l -- $@ | grep -e "^$PREFIX" }; _files() { }; _gradwalk""",
    "fish": """source $argv[1]; complete -C "gradwalk $argv[2]" | string split -f1 \\t""",
}


@pytest.mark.parametrize("shell", ASKED)
def test_the_shell_completes_commands_and_options(run: Run, tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    script = tmp_path / "script"
    script.write_text(run("completion", shell).out, "utf-8")
    for typed, offered in BEFORE_TAB.items():
        name = [] if shell == "fish" else ["_"]
        asked = [shell, "-c", ASKED[shell], *name, str(script), typed]
        answer = subprocess.run(
            asked, capture_output=True, check=False, encoding="utf-8", cwd=tmp_path
        )
        assert answer.stderr == ""
        found = {*answer.stdout.split()} - {script.name if typed else ""}
        assert {*offered} == (found & {*offered} if not typed else found), typed


# ── The terminal ─────────────────────────────────────────────────────────────────────────────


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "is_terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "xterm"}, True, True),
    ],
)
def test_colour_is_for_terminals_that_want_it(monkeypatch, environment, is_terminal, coloured):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    screen = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(sys, "stdout", screen)
    assert main(["walk"]) == 0
    assert ("\x1b[" in screen.getvalue()) is coloured


# ── As a program ─────────────────────────────────────────────────────────────────────────────


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m gradwalk walk --json | head -c 1"
    answer = subprocess.run(
        ["sh", "-c", command], capture_output=True, check=False, encoding="utf-8"
    )
    assert (answer.stdout, answer.stderr) == ("{", "")
    reading, writing = os.pipe()
    os.close(reading)
    answer = process(
        "exercise", "all", stdout=writing, stderr=subprocess.PIPE, capture_output=False
    )
    os.close(writing)
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        answer = process("walk", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert answer.returncode == 2
    assert answer.stderr == "gradwalk: No space left on device\n"


def test_an_ascii_terminal_gets_stand_ins_and_no_error() -> None:
    answer = process("walk", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert answer.returncode == 0
    assert "1 ? 10 = 10" in answer.stdout


def test_closed_streams_are_no_error() -> None:
    for closed in (">&-", "2>&-", "<&-", ">&- 2>&-"):
        command = f"{sys.executable} -m gradwalk walk {closed}"
        ended = subprocess.run(["sh", "-c", command], stdout=subprocess.DEVNULL, check=False)
        assert ended.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_in_the_drill_exits_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "gradwalk", "drill", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as drill:
        assert drill.stdout is not None
        assert drill.stderr is not None
        assert drill.stdout.read(1) == "1"  # it is asking
        timer = threading.Timer(60, drill.kill)
        timer.start()
        drill.send_signal(signal.SIGINT)
        assert drill.wait() == 130
        timer.cancel()
        assert "Traceback" not in drill.stderr.read()
