"""`gradwalk run`: what is replaced, what stays the script's own, and that nobody notices else."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from support import corpus
from support.warm import ENVIRONMENT, python, run

import gradwalk

ROOT = Path(__file__).parent.parent
MICROGPT = Path(gradwalk.__file__).parent / "bench" / "microgpt.py"

# A Value as people write it, in the form of micrograd; BODY has further methods.
PARTS = corpus.parts()
VALUE = corpus.whole(
    "import math\n\nclass Value:\n"
    "    #: init & add & mul & backward: `set(_children)` → `_children`\n{body}\n",
    PARTS,
)


def python_alone(*words: Any, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own: for tracebacks, the end of a process and its environment."""
    env = {**ENVIRONMENT, **settings.pop("env", {})}
    settings = {"stdin": subprocess.DEVNULL, "capture_output": True, "env": env, **settings}
    return subprocess.run(
        [sys.executable, *map(str, words)], check=False, encoding="utf-8", **settings
    )


def run_alone(*words: Any, **settings: Any) -> subprocess.CompletedProcess[str]:
    return python_alone("-m", "gradwalk", "run", *words, **settings)


def notes(answer: subprocess.CompletedProcess[str]) -> str:
    """What gradwalk said, without what the script wrote to stderr."""
    lines = answer.stderr.splitlines(keepends=True)
    return "".join([line for line in lines if line.startswith("gradwalk run:")])


def of_the_script(answer: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    lines = answer.stderr.splitlines(keepends=True)
    err = "".join([line for line in lines if not line.startswith("gradwalk run:")])
    return answer.returncode, answer.stdout, err


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def value(folder: Path, methods: str, program: str) -> Path:
    """A script with the Value above, these methods, and this program."""
    body = "".join([f"    {line}\n" for line in methods.splitlines()])
    return written(folder, "script.py", VALUE.replace("{body}", body) + program)


# ── The corpus ───────────────────────────────────────────────────────────────────────────────

_UNPACKED = tempfile.TemporaryDirectory(prefix="gradwalk-corpus-")
CORPUS = corpus.unpack(Path(_UNPACKED.name))


def treatments() -> dict[str, str]:
    """The scripts of tests/corpus, each with what has to be done with it."""
    found: dict[str, str] = {}
    for file in sorted(CORPUS.rglob("*")):
        if file.suffix == ".ipynb":
            found[str(file.relative_to(CORPUS))] = json.loads(file.read_text())["metadata"][
                "treatment"
            ]
        elif file.suffix == ".py":
            first = file.read_text("utf-8").partition("\n")[0]
            if first.startswith("# treatment: "):
                found[str(file.relative_to(CORPUS))] = first.removeprefix("# treatment: ")
    return found


TREATMENTS = treatments()


@pytest.mark.parametrize("name", TREATMENTS)
def test_a_script_of_the_corpus_is_treated_as_it_says_and_prints_the_same(name, tmp_path) -> None:
    script, folder = CORPUS / name, tmp_path
    words = [str(script)]
    if script.name == "__main__.py":
        words, folder = ["-m", script.parent.name, "a", "-b"], script.parent.parent
    plain, answer = python(*words, cwd=folder), run("--json", *words, cwd=folder)
    assert plain.returncode == 0, plain.stderr
    assert (answer.returncode, answer.stdout) == (0, plain.stdout), answer.stderr
    told = json.loads(answer.stderr[answer.stderr.index('{\n  "version"') :])["replaced"]
    treatment, _, reason = TREATMENTS[name].partition(": ")
    by = [one for one in told if one["by"]]
    if treatment == "as written":
        assert by == []
        assert reason in told[0]["why"]
    else:
        kept = treatment.partition("keeps ")[2]
        assert [sorted(one["kept"]) for one in by] == [sorted(kept.split(", ") if kept else [])]
    assert not (tmp_path / "saved.txt").exists()


def test_data_that_gradwalk_s_rules_cannot_read_later_stops_the_run(tmp_path: Path) -> None:
    program = "a = Value(2.0)\nb = a.exp()\nb.data = 5.0\nprint(1)\nb.backward()\nprint(a.grad)\n"
    script = value(tmp_path, EXP, program)
    assert python(script).stdout == "1\n5.0\n"
    answer = run(script)
    assert (answer.returncode, answer.stdout) == (1, "1\n")  # no number, rather than another one
    assert "was set after the operation" in answer.stderr
    assert "as written it runs by: python" in notes(answer)


def test_an_error_of_gradwalk_s_is_said_not_to_be_the_script_s(tmp_path: Path) -> None:
    answer = run(value(tmp_path, "", "Value('three')\n"))
    assert answer.returncode == 1
    assert "that error is gradwalk's, not the script's" in notes(answer).splitlines()[-1]


# ── Replaced ─────────────────────────────────────────────────────────────────────────────────


def test_microgpt_runs_unchanged_and_prints_the_same(tmp_path: Path) -> None:
    answer = run("--compare", "--json", MICROGPT, 2, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    data = json.loads(answer.stdout)
    assert data["identical"] is True
    assert data["exit_codes"] == {"as_written": 0, "with_gradwalk": 0}
    [replaced] = data["replaced"]
    line = MICROGPT.read_text("utf-8").splitlines().index("class Value:") + 1
    assert (replaced["file"], replaced["line"]) == (str(MICROGPT), line)
    assert (replaced["by"], replaced["kept"], replaced["why"]) == ("gradwalk.Value", [], "")
    assert data["ratio"] == pytest.approx(
        data["cpu_seconds"]["as_written"] / data["cpu_seconds"]["with_gradwalk"]
    )


def test_a_script_of_micrograd_s_runs_and_prints_the_same() -> None:
    script = ROOT / "examples" / "micrograd_moons.py"
    answer = run("--compare", "--json", script, 2)
    data = json.loads(answer.stdout)
    assert (answer.returncode, data["identical"]) == (0, True), answer.stderr
    [replaced] = data["replaced"]
    assert replaced["what"] == "class Value"
    assert replaced["file"].endswith("micrograd/engine.py")  # it is installed, and tried


@pytest.fixture
def no_micrograd(tmp_path: Path) -> dict[str, str]:
    """Settings of a process in which micrograd is not installed."""
    hide = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
def hidden(cls, name, path=None, target=None):
    return None if name.partition(".")[0] == "micrograd" else find(name, path, target)
PathFinder.find_spec = classmethod(hidden)
"""
    written(tmp_path, "hide/sitecustomize.py", hide)
    return {"PYTHONPATH": str(tmp_path / "hide")}


@pytest.mark.parametrize(
    "line",
    [
        "from micrograd.engine import Value",
        "import micrograd.engine; Value = micrograd.engine.Value",
        "from micrograd import engine; Value = engine.Value",
        "from micrograd.nn import Value, MLP",
        "from micrograd.nn import *\nrandom.seed(1)\nMLP(1, [1])",
        "def late():\n    from micrograd.engine import Value\n    return Value\nValue = late()",
    ],
)
def test_micrograd_is_supplied_however_it_is_imported(tmp_path, line, no_micrograd) -> None:
    program = "\na = Value(3.0)\n(a * a).backward()\nprint(a.grad, Value.__module__)\n"
    answer = run_alone(written(tmp_path, "script.py", line + program), env=no_micrograd)
    assert (answer.returncode, answer.stdout) == (0, "6.0 gradwalk\n"), answer.stderr
    number = 2 if "late" in line else 1
    assert re.search(rf"script\.py:{number}: micrograd\.\w+ is now gradwalk", notes(answer))


def test_without_micrograd_there_is_nothing_to_compare_with(tmp_path, no_micrograd) -> None:
    script = written(tmp_path, "here/script.py", "from micrograd.engine import Value\n")
    assert run_alone(script, env=no_micrograd).returncode == 0
    answer = run_alone("--compare", script, env=no_micrograd)
    assert answer.returncode == 2
    assert "pip install micrograd" in answer.stderr


def test_modules_in_the_script_s_own_folder_are_replaced_too(tmp_path: Path) -> None:
    written(tmp_path, "engine.py", VALUE.replace("{body}", ""))
    written(tmp_path, "pack/__init__.py", "")
    written(tmp_path, "pack/inner.py", "from engine import Value\n")
    text = "from pack.inner import Value\nprint(Value.__module__, (Value(2.0) * 3).data)\n"
    answer = run("script.py", cwd=written(tmp_path, "script.py", text).parent)
    assert (answer.returncode, answer.stdout) == (0, "gradwalk 6.0\n"), answer.stderr
    assert "gradwalk run: engine.py:3: class Value is now" in notes(answer)


def test_a_copy_of_micrograd_beside_the_script_is_the_script_s_own(tmp_path: Path) -> None:
    written(tmp_path, "micrograd/__init__.py", "")
    cube = "    def cube(self):\n        return self * self * self\n"
    written(tmp_path, "micrograd/engine.py", VALUE.replace("{body}", cube))
    text = "from micrograd.engine import Value\nprint(Value(2.0).cube().data, Value.__module__)\n"
    answer = run(written(tmp_path, "script.py", text))
    assert (answer.returncode, answer.stdout) == (0, "8.0 gradwalk\n"), answer.stderr


# ── Kept ─────────────────────────────────────────────────────────────────────────────────────

POWER, EXP, TANH, RELU = [PARTS[name] for name in ("pow", "exp", "tanh", "relu")]
TANH = TANH.replace(
    "math.tanh(self.data)", "1 - 2 / (math.exp(2 * self.data) + 1)"
)  # in other bits
LEAKY = RELU.replace("0.0 if self.data < 0", "0.01 * self.data if self.data <= 0")
LEAKY = LEAKY.replace("(out.data > 0)", "(1.0 if self.data > 0 else 0.01)")


def test_a_division_by_an_extreme_number_is_the_script_s(tmp_path: Path) -> None:
    program = """
for x, y in ((3.0, 1e200), (1e200, 1e170), (2.0, -1e155), (1e100, 1e-120), (5.0, 3.0)):
    for one in (lambda a, b: a / b, lambda a, b: a / y, lambda a, b: x / b):
        a, b = Value(x), Value(y)
        out = one(a, b)
        out.backward()
        print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
"""
    division = POWER + (
        "def __truediv__(self, other):\n    return self * other**-1\n"
        "def __rtruediv__(self, other):\n    return other * self**-1\n__rmul__ = __mul__\n"
    )
    script = value(tmp_path, division, program)
    for backend in ("python", "native") if gradwalk.backend() == "native" else ("python",):
        answer = run("--backend", backend, script)
        assert answer.stdout == python(script).stdout
        assert notes(answer).endswith(f"class Value is now gradwalk.Value, {backend} engine\n")


def test_without_a_word_on_it_values_are_themselves_and_true(tmp_path: Path) -> None:
    program = (
        "a, b = Value(1.0), Value(1.0)\nprint(a == b, a != b, a == a, [a].count(b), b in [a], "
        "bool(Value(0.0)), 'bias' if Value(0.0) else 'none', len({a, b}))\n"
    )
    script = value(tmp_path, "", program)
    answer = run(script)
    assert answer.stdout == "False True True 0 False True bias 2\n"
    assert answer.stdout == python(script).stdout


def test_equality_and_truth_of_the_script_s_own_stay(tmp_path: Path) -> None:
    methods = (
        "def __eq__(self, other):\n    return self.data == other.data\n__hash__ = object.__hash__\n"
        "def __bool__(self):\n    return self.data > 5"
    )
    script = value(tmp_path, methods, "print(Value(1) == Value(1), bool(Value(3)), bool(Value(6)))")
    assert run(script).stdout == python(script).stdout == "True False True\n"


ADDRESSES = """
import random, sys
rng = random.Random(int(sys.argv[1]))
junk = [bytearray(rng.randrange(40, 120)) for _ in range(2000)]
del junk[:: rng.randrange(2, 5)]
"""


def test_the_verdict_on_a_class_that_walks_a_set_does_not_depend_on_addresses(tmp_path) -> None:
    mish = "def mish(self):\n    return (self * 0.1 + self) * self + self * 0.7\n"
    script = value(tmp_path, mish, "print(Value(2.0).mish().data)\n")
    text = script.read_text("utf-8").replace("_prev = _children", "_prev = set(_children)")
    script.write_text(ADDRESSES + text + "Value.__radd__ = Value.__add__\n", "utf-8")
    verdicts = [json.loads(run("--json", script, seed).stderr)["replaced"] for seed in range(4)]
    assert all(verdict == verdicts[0] for verdict in verdicts)
    assert verdicts[0][0]["kept"] == ["mish"]


def test_instances_made_before_a_helper_is_defined_are_never_mixed_with_gradwalk_s(tmp_path):
    late = """
def first():
    return second()
def second():
    return Value(5.0)
kept = first()
def wrap(x):
    return x if isinstance(x, Value) else Value(x)
print(isinstance(kept, Value), (kept + 2.0 + kept).data)
"""
    script = value(tmp_path, "", late)
    script.write_text(
        script.read_text()
        .replace("isinstance(other, Value) else Value(other)", "None else wrap(other)")
        .replace("other if None else ", ""),
        "utf-8",
    )
    answer = run(script)
    assert answer.stdout == python(script).stdout == "True 12.0\n"
    assert "runs as written" in notes(answer)


# ── Left alone ───────────────────────────────────────────────────────────────────────────────


PLAIN = VALUE.replace("{body}", "") + "a = Value(2.0)\n(a * a).backward()\nprint(a.grad)\n"
DATA = "        self.data = data\n"


# ruff: noqa: E501  (a row each)
@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ({"    def backward": "    def __getattr__(self, name): return 0\n    def backward"}, "it defines __getattr__"),
        ({"class Value:": "class Value:\n    def __new__(cls, *_): return object.__new__(cls)"}, "it defines __new__"),
        ({"self.data = data\n": "self.data = data + 1\n"}, "Value(3.0) keeps its number in no attribute"),
        ({DATA: "        self.data = round(data, 2)\n"}, "its constructor changes the number that it is given"),
        ({DATA: f"        open('made', 'a').close()\n{DATA}"}, "its constructor calls open() in line 5"),
        ({"import math": "import math\nmade = []", DATA: f"        made.append(1)\n{DATA}"}, "its constructor calls made.append(), line 6"),
        ({"    def backward": "    def _apply(self): return 0\n    def backward"}, "gradwalk's Value has a _apply of its own"),
        ({"print(a.grad)": "print(a.__dict__)"}, "reads __dict__"),
        ({"def backward(self):": "def backward(self, seed):", "a).backward()": "a).backward(1.0)"}, "its backward() needs the argument seed"),
    ],
)  # fmt: skip
def test_a_class_that_gradwalk_cannot_stand_in_for_runs_as_written_with_the_reason(
    tmp_path: Path, edits: dict[str, str], reason: str
) -> None:
    text = PLAIN
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    script = written(tmp_path, "script.py", text)
    answer, plain = run(script, cwd=tmp_path), python(script, cwd=tmp_path)
    addresses = re.compile(r"0x[0-9a-f]+")
    assert [addresses.sub("", str(part)) for part in of_the_script(answer)] == [
        addresses.sub("", str(part)) for part in of_the_script(plain)
    ]
    assert "class Value runs as written: " in notes(answer)
    assert reason in notes(answer)


def test_nothing_of_the_script_s_is_called_to_try_it_out_but_operations(tmp_path: Path) -> None:
    methods = (
        "def log_to_file(self):\n    open('log', 'w').close()\n"
        "def exp(self):\n    open('exp', 'w').close()\n    return Value(math.exp(self.data), (self,), 'exp')\n"
        "def relu(self):\n    print('relu')\n    return Value(max(0.0, self.data), (self,), 'relu')\n"
    )
    answer = run(value(tmp_path, methods, "print(Value(1.0).relu().data)\n"), cwd=tmp_path)
    assert answer.stdout == "relu\n1.0\n"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["script.py"]
    assert "kept from the script: log_to_file, exp, relu" in notes(answer)


def test_random_numbers_and_counters_are_as_if_nothing_had_been_tried(tmp_path: Path) -> None:
    methods = "def noisy(self):\n    return self * random.random()\n"
    program = "print(random.random(), Value(1.0).noisy().data, seen)\n"
    script = value(tmp_path, methods, program)
    text = "import random\nrandom.seed(7)\nseen = []\n" + script.read_text()
    script.write_text(
        text.replace("        self.grad = 0.0\n", "        self.grad = random.random() * 0\n")
    )
    answer = run(script)
    assert answer.stdout == python(script).stdout


def test_a_class_that_never_ends_when_it_is_tried_is_left_alone(tmp_path: Path) -> None:
    methods = "def exp(self):\n    while True:\n        pass\n"
    script = value(tmp_path, methods, "print(Value(2.0).data)\n")
    limit = "import gradwalk.scripts.trying as t\nt.SECONDS = 1.0\n"
    command = limit + "from gradwalk.cli import main\nraise SystemExit(main(['run', %r]))"
    answer = python_alone("-c", command % str(script))
    assert answer.stdout == "2.0\n"
    assert "trying it out took more than 1 s" in notes(answer)


@pytest.mark.parametrize("text", ["print('hello')\n", "class Value:\n    pass\nprint('hello')\n"])
def test_a_script_without_such_a_class_runs_as_written_and_says_so(tmp_path, text) -> None:
    script = written(tmp_path, "script.py", text)
    answer = run(script)
    assert (answer.returncode, answer.stdout) == (0, "hello\n")
    assert "script.py runs as written: no class in it" in notes(answer)
    answer = run("--compare", script)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "nothing is replaced, so there is nothing to compare" in answer.stderr


def test_what_is_no_script_is_refused(tmp_path: Path) -> None:
    (tmp_path / "noise.py").write_bytes(b"\xff\xfe\x00class Value")
    written(tmp_path, "list.ipynb", "[]")
    for name, reason in {
        "none.py": "there is no file none.py",
        ".": ". is a folder",
        "noise.py": "noise.py is no Python text",
        "list.ipynb": "list.ipynb is no notebook",
    }.items():
        for way in ([], ["--compare"]):
            answer = run(*way, name, cwd=tmp_path)
            assert (answer.returncode, answer.stdout) == (2, "")
            assert reason in answer.stderr.splitlines()[-1]
    for name, reason in {"nowhere": "no module nowhere", "empty": "without a __main__"}.items():
        written(tmp_path, "empty/__init__.py", "")
        answer = run("-m", name, cwd=tmp_path)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert reason in answer.stderr


def test_a_sum_of_many_terms_is_read_or_refused_with_its_reason(tmp_path: Path) -> None:
    script = value(tmp_path, "", f"print({' + '.join(['1'] * 1500)})\n")
    answer = run(script)
    if sys.version_info[:2] == (3, 12):  # where no limit is for a program to set
        assert "nests too deep to be rewritten" in answer.stderr
    else:
        assert answer.stdout == "1500\n"


# ── As Python runs it ────────────────────────────────────────────────────────────────────────

ENDS = """
import sys, os, atexit
print(sys.argv[1:], __name__, os.path.realpath(__file__), sys.path[0], __doc__, __package__)
print(sys.modules["__main__"].__dict__ is globals(), __spec__, "__watch__" in globals())
atexit.register(print, "at exit")
def inner():
    return Value("three") if len(sys.argv) > 9 else {}["nothing"]
{end}
"""


@pytest.mark.parametrize(
    "end",
    [
        "",
        "sys.exit(7)",
        "sys.exit('a word')",
        "sys.exit()",
        "raise SystemExit([1, 2])",
        "inner()",
        "try:\n    inner()\nexcept KeyError as error:\n    raise ValueError('second') from error",
        "try:\n    inner()\nfinally:\n    inner()",
        "sys.excepthook = lambda *_: print('my own', file=sys.stderr)\ninner()",
    ],
)
def test_output_exit_code_and_traceback_are_those_of_python(tmp_path: Path, end: str) -> None:
    script = value(tmp_path, "", ENDS.replace("{end}", end))
    words = [script, "--steps", "-3", "--", "x y", "--json"]
    for settings in ({}, {"cwd": tmp_path}):
        answer, plain = run_alone(*words, **settings), python_alone(*words, **settings)
        assert of_the_script(answer) == of_the_script(plain)


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_it_with_the_script_s_traceback(tmp_path: Path) -> None:
    program = "import time\nprint('ready', flush=True)\ntime.sleep(60)\n"
    script = value(tmp_path, "", program)
    process = subprocess.Popen(
        [sys.executable, "-m", "gradwalk", "run", str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.endswith("KeyboardInterrupt\n")
    assert re.findall(r'File "(.*)", line', err) == [str(script)]


# ── The command line ─────────────────────────────────────────────────────────────────────────


def test_options_come_before_the_script_and_its_own_behind_it(tmp_path: Path) -> None:
    script = value(tmp_path, "", "import sys\nprint(sys.argv[1:])\n")
    assert run(script, "--json", "-h").stdout == "['--json', '-h']\n"
    assert run("--", script, "--json").stdout == "['--json']\n"
    assert run(script, "--", "--compare").stdout == "['--compare']\n"
    answer = run(script, "--compare")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert f"gradwalk run --compare {script}" in answer.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "name a script"),
        (["--backend", "cuda", "x.py"], "there is no backend 'cuda'"),
        (["--backend"], "--backend needs a value"),
        (["--comparee", "x.py"], "did you mean --compare?"),
    ],
)
def test_wrong_usage_is_said(words: list[str], complaint: str) -> None:
    answer = run(*words)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert complaint in answer.stderr


# ── Compared ─────────────────────────────────────────────────────────────────────────────────


def test_the_first_line_that_differs_is_shown(tmp_path: Path) -> None:
    program = "print('one')\nprint(Value.__module__)\nprint('three')\n"
    answer = run("--compare", "script.py", cwd=value(tmp_path, "", program).parent)
    assert answer.returncode == 1
    lines = answer.stdout.splitlines()
    assert lines[-3:] == [
        "stdout differs, first in line 2:",
        "  as written     __main__",
        "  with gradwalk  gradwalk",
    ]
    assert all(len(line) <= 80 for line in lines)


def test_numbers_that_are_only_written_otherwise_are_said_to_be_equal(tmp_path: Path) -> None:
    program = "print('grad', Value(2.0).grad, Value(2).data)\n"
    folder = value(tmp_path, "", program).parent
    answer = run("--compare", "script.py", cwd=folder)
    assert answer.returncode == 5
    assert answer.stdout.splitlines()[-4:] == [
        "stdout differs only in how numbers are written, first in line 1:",
        "  as written     grad 0.0 2",
        "  with gradwalk  grad 0.0 2.0",
        "gradwalk's numbers are floats: 2.0 where the script has 2",
    ]
    (folder / "script.py").write_text(
        (folder / "script.py").read_text() + "print(1 + (type(Value(2).data) is float))\n"
    )
    answer = run("--compare", "--json", "script.py", cwd=folder)
    data = json.loads(answer.stdout)
    assert data["numbers_equal"] is False
    assert data["first_difference"] == {"line": 2, "as_written": "1", "with_gradwalk": "2"}


def test_only_last_bits_are_put_down_to_a_set_of_inputs(tmp_path: Path) -> None:
    program = "print(1.0 if Value.__module__ == '__main__' else {})\n"
    answers: list[Any] = []
    for ours in ("1.0000000000000002", "1.5"):
        script = value(tmp_path, "", program.format(ours))
        script.write_text(script.read_text().replace("_prev = _children", "_prev = set(_children)"))
        answers.append(run("--compare", script))
    chance = "the script's own output varies by set order"
    assert [answer.returncode for answer in answers] == [4, 1]
    assert [chance in answer.stdout for answer in answers] == [True, False]
    assert "first in line 1" in answers[1].stdout


def test_an_order_that_seldom_changes_is_put_down_to_the_set(tmp_path: Path) -> None:
    counted = tmp_path / "runs"
    program = f"""\
plain = Value.__module__ == "__main__"
with open({str(counted)!r}, "a") as file:
    file.write("+" * plain)
runs = len(open({str(counted)!r}).read())
print([1.5, 2.5] if plain and runs < 3 else [2.5, 1.5])
"""
    script = value(tmp_path, "", program)
    script.write_text(script.read_text().replace("_prev = _children", "_prev = set(_children)"))
    assert run("--compare", script).returncode == 4
    counted.unlink()
    script.write_text(script.read_text().replace("runs < 3", "runs"))
    assert run("--compare", script).returncode == 1


@pytest.mark.parametrize(
    ("printed", "code"),
    [
        ("f'step 3 took {time.perf_counter():.9f} s, loss 0.25'", 3),
        ("f'time: {time.perf_counter():.9f}, loss 0.25'", 3),
        ("f'step 3/9 {0.004 if plain else 0.001}s'", 1),
        ("f'took {time.perf_counter() - began + plain / 9:.1f}s'", 3),
        ("f'loss {time.perf_counter():.9f}'", 1),  # it varies, and is no time
        ("'time', 0.5 if Value.__module__ == '__main__' else 0.25", 1),  # a time that does not vary
        ("f'{time.perf_counter():.9f} s', 'loss', Value.__module__.count('_')", 1),
        ("f'{time.perf_counter():.9f} s', 'sum', Value(2).data", 5),
        ("2**53 + 1 if Value.__module__ == '__main__' else 2.0**53", 1),
        ("'equal'", 0),
    ],
)
def test_only_times_and_ways_to_write_a_number_are_no_difference(tmp_path, printed, code) -> None:
    script = value(tmp_path, "", "import time\nbegan = time.perf_counter()\n")
    with script.open("a") as file:
        file.write("plain = Value.__module__ == '__main__'\n")
        file.write(f"sum(range(100_000))\nprint({printed})\n")
    answer = run("--compare", "--json", script)
    verdicts = {0: "identical", 1: "differs", 3: "times", 4: "set order", 5: "written"}
    assert (answer.returncode, json.loads(answer.stdout)["verdict"]) == (code, verdicts[code])


def test_output_that_ends_early_and_exit_codes_are_compared_too(tmp_path: Path) -> None:
    program = (
        "import sys\nprint(1)\nif Value.__module__ == 'gradwalk':\n    sys.exit(3)\nprint(2)\n"
    )
    answer = run("--compare", "--json", value(tmp_path, "", program))
    data = json.loads(answer.stdout)
    assert answer.returncode == 1
    assert data["first_difference"] == {"line": 2, "as_written": "2", "with_gradwalk": ""}
    assert data["exit_codes"] == {"as_written": 0, "with_gradwalk": 3}


# ── Decisions that are kept ──────────────────────────────────────────────────────────────────


def decisions(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir()) if folder.exists() else []


def test_a_decision_is_kept_and_found_again_until_something_it_follows_from_changes(tmp_path):
    cache = tmp_path / "cache"
    env = {"GRADWALK_CACHE": str(cache)}
    helper = "def slope():\n    return 0.25\n"
    written(tmp_path, "leak.py", helper)
    relu = LEAKY.replace("0.01", "slope()")
    script = value(tmp_path, relu, "a = Value(-2.0)\na.relu().backward()\nprint(a.grad)\n")
    script.write_text("from leak import slope\n" + script.read_text("utf-8"), "utf-8")
    first, again = run_alone(script, env=env), run_alone(script, env=env)
    assert (first.stdout, notes(first)) == (again.stdout, notes(again))
    assert "kept from the script: relu" in notes(first)
    assert len(decisions(cache)) == 1
    written(tmp_path, "leak.py", helper.replace("0.25", "0.0"))
    assert "kept from" not in notes(run_alone(script, env=env))
    assert len(decisions(cache)) == 2
    for name in decisions(cache):
        (cache / name).write_text("no literal(", "utf-8")
    assert "kept from" not in notes(run_alone(script, env=env))  # tried again


@pytest.mark.parametrize("source", ["float(sys.argv[1])", "LIMITS.slope"])
def test_a_decision_is_of_the_numbers_that_the_class_looks_up(tmp_path: Path, source: str) -> None:
    env = {"GRADWALK_CACHE": str(tmp_path / "cache")}
    relu = LEAKY.replace("0.01", "LIMITS.slope" if "LIMITS" in source else "SLOPE")
    script = value(tmp_path, relu, "a = Value(-2.0)\na.relu().backward()\nprint(a.grad)\n")
    limits = "import sys, types\nLIMITS = types.SimpleNamespace(slope=float(sys.argv[1]))\n"
    script.write_text(f"{limits}SLOPE = {source}\n{script.read_text('utf-8')}", "utf-8")
    for slope in ("0.0", "0.5", "0.0", "0.25"):
        assert run_alone(script, slope, env=env).stdout == f"{float(slope)}\n"


@pytest.mark.skipif(os.name != "posix", reason="owners and modes as POSIX has them")
def test_a_folder_of_decisions_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    script = value(tmp_path, TANH, "print(1)\n")
    cache = tmp_path / "cache"
    env = {"GRADWALK_CACHE": str(cache)}
    assert "kept from the script: tanh" in notes(run_alone(script, env=env))
    [name] = decisions(cache)
    for mode, used in ((0o777, False), (0o700, True)):
        cache.chmod(mode)
        (cache / name).write_text("'a stranger says so'", "utf-8")
        assert ("a stranger says so" in notes(run_alone(script, env=env))) is used
    (cache / name).chmod(0o666)
    assert "a stranger says so" not in notes(run_alone(script, env=env))
    env["GRADWALK_CACHE"] = ""
    assert "kept from the script: tanh" in notes(run_alone(script, env=env))
