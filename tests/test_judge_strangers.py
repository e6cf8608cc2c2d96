"""`gradwalk judge` on strangers' files: each test is a promise of docs/practice.md, attacked.

The files in tests/attacks/judge try to get out of hand. They are judged as one class, together with
honest ones, in one command: by whoever runs the tests, and by an ordinary user where that is root.
"""

import contextlib
import csv
import json
import os
import platform
import py_compile
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest

from gradwalk.cli import main
from gradwalk.errors import LoadError, NotContainedError
from gradwalk.practice.judge import (
    borrowed,
    bubblewrap,
    judge,
    judge_all,
    learner,
    limits,
    submission,
)
from gradwalk.practice.judge.submission import Found, Submission
from gradwalk.practice.judge.verdict import report_names

if sys.platform != "linux" or (bubblewrap.bubblewrap() is None and "CI" not in os.environ):
    pytest.skip("there is no bubblewrap, which needs Linux", allow_module_level=True)

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parent / "examples"
RIGHT = (EXAMPLES / "my_value.py").read_text("utf-8")
OVERWRITES = (EXAMPLES / "judge" / "overwrite.py").read_text("utf-8")
MEMORY = 256
FILES = (TESTS / "attacks" / "judge").glob("[a-z]*")
ATTACKS = {file.stem: file.read_text("utf-8") for file in FILES}
SLOW = [name for name, source in ATTACKS.items() if "#: slow" in source]
QUICK = [name for name in ATTACKS if name not in SLOW]
HONEST = {
    "right": RIGHT,
    "overwrite": OVERWRITES,
    "recursive": (EXAMPLES / "judge" / "recursive.py").read_text("utf-8"),
    "typo": RIGHT.replace("self.data * other.data", "self.dta * other.data"),
    "unfinished": "class Value(",
}
AUTODIFF = (
    "class Tensor:\n    def __init__(self, data): self.data, self.grad = data, 0.0\n"
    "    def __add__(self, other): return self\n    def __mul__(self, other): return self\n"
    "    def backward(self): pass\n"
)

WHO = ["me", pytest.param("nobody", marks=pytest.mark.slow)]
everyone = pytest.mark.parametrize("who", WHO)


class Done(NamedTuple):
    code: int
    out: str
    err: str

    def rows(self) -> dict[str, dict[str, Any]]:
        return {Path(row["file"]).stem: row for row in json.loads(self.out)["files"]}


def start(who: str, *words: str, **variables: str) -> subprocess.Popen[str]:
    judge = [sys.executable, "-P", "-m", "gradwalk", "judge", *words]
    command = [sys.executable, "-m", "support.users", who, *judge]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": f"{TESTS}:", **variables}
    return subprocess.Popen(command, cwd=TESTS, env=environment, **pipes)


def run(who: str, *words: str, **variables: str) -> Done:
    process = start(who, *words, **variables)
    out, err = process.communicate(timeout=600)
    assert "Traceback" not in err, err
    return Done(process.returncode, out, err)


def put(folder: Path, files: dict[str, str]) -> Path:
    """Write files, and the folders that they are in."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def place() -> Iterator[Path]:
    """A folder that other users can read, as all that is made here."""
    before = os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
    os.umask(before)


class Class(NamedTuple):
    rows: dict[str, dict[str, Any]]
    done: Done
    folder: Path
    secrets: list[Path]


@pytest.fixture(scope="module", params=WHO)
def class_(place: Path, request: pytest.FixtureRequest) -> Iterator[Class]:
    """A class of 20 honest files and all quick attacks, judged in one command."""
    folder = place / request.param
    names = ("mygrad_of_somebody.py", "single_of_somebody.py")
    packages = put(folder / "site-packages", dict.fromkeys(names, AUTODIFF))
    for name in names:
        py_compile.compile(str(packages / name))
    honest = {f"{[*HONEST][n % 5]}_{n}.py": [*HONEST.values()][n % 5] for n in range(20)}
    put(folder, {"secret": "mine", "class/neighbour": "mine"})
    put(folder / "class", honest).chmod(0o777)
    secrets = [folder / "secret", folder / "class" / "neighbour"]
    for secret in secrets:
        secret.chmod(0o666)
    library = folder / "libm_of_somebody.so"
    maps = Path("/proc/self/maps").read_text("utf-8")
    shutil.copy(re.findall(r"/\S*/libm[-.]\S*", maps)[0], library)
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        local.bind(str(folder / "class" / "socket"))
        os.chmod(folder / "class" / "socket", 0o777)
        abstract.bind(f"\0{folder}")
        local.listen()
        abstract.listen()
        column = list(bubblewrap._MACHINES).index(platform.machine())
        target = {
            "files": [*map(str, secrets)],
            "secrets": [*map(str, secrets)],
            "process": os.getpid(),
            "port": listener.getsockname()[1],
            "socket": str(folder / "class" / "socket"),
            "abstract": str(folder),
            "calls": {name: n[column] for name, n in bubblewrap._CALLS.items() if n[column] >= 0},
        }
        learners(folder / "class", QUICK, target)
        words = [str(folder / "class"), "--json", "--timeout", "60", "--memory", str(MEMORY)]
        hostile = {"LD_LIBRARY_PATH": ":", "LD_PRELOAD": str(library), "GRADWALK_SECRET": "s3cret"}
        done = run(request.param, *words, PYTHONPATH=f"{packages}:{TESTS}:", **hostile)
        yield Class(done.rows(), done, folder / "class", secrets)


def learners(folder: Path, names: list[str], target: dict[str, Any]) -> None:
    """Give each attack a folder of its own, with its targets beside it."""
    for name in names:
        put(folder, {f"{name}/{name}.py": ATTACKS[name]})
        if "import TARGET" in ATTACKS[name]:
            put(folder, {f"{name}/target.py": f"TARGET = {target!r}\n"})


def it_got_nowhere(name: str, row: dict[str, Any]) -> None:
    """Fail unless the row of an attack says what the attack says that it must."""
    assert row["ok"] is False
    for words in re.findall(r"^#: (?!slow)(.+)", ATTACKS[name], re.MULTILINE):
        assert re.search(words, json.dumps(row)), (name, words, row)


def test_a_class_is_judged_to_the_end_and_each_honest_file_as_alone(class_: Class) -> None:
    assert class_.done.code == 1
    assert len(class_.rows) >= 30
    for name, source in HONEST.items():
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", "80")
            put(Path(folder), {f"{name}.py": source})
            found = judge_all([Found(f"{folder}/{name}.py")], sandbox=False)
            (alone,) = [report.json() for report in found]
        for number in range(20):
            if found := class_.rows.get(f"{name}_{number}"):
                same = set(alone) - {"file", "contained"}
                assert {key: found[key] for key in same} == {key: alone[key] for key in same}


def test_an_attack_gets_nowhere(class_: Class) -> None:
    for name in QUICK:
        it_got_nowhere(name, class_.rows[name])
    assert [secret.read_text("utf-8") for secret in class_.secrets] == ["mine", "mine"]
    names = {file.name for file in (class_.folder / "change_files").iterdir()}
    assert names == {"change_files.py", "target.py"}


@everyone
def test_each_file_ends_in_time(place: Path, who: str) -> None:
    folder = place / f"slow-{who}"
    learners(folder, SLOW, {"seconds": 0.5})
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found = run(who, str(folder), "--json", "--timeout", "0.5", "--memory", str(MEMORY))
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    for name, row in found.rows().items():
        it_got_nowhere(name, row)
    assert set(found.rows()) == set(SLOW)
    assert after == before or after >> 10 < 300  # a flood of output costs the judge no memory


def test_a_cgroup_limits_memory_where_the_kernel_lends_one() -> None:
    group = limits.lend_group(MEMORY << 20)
    if group is None:
        pytest.skip("the kernel lends no cgroup here")
    join = ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(group / "cgroup.procs")]
    taken = f"x = b'1' * {MEMORY + 1024 << 20}"
    assert subprocess.run([*join, sys.executable, "-c", taken], check=False).returncode == -9
    limits.return_group(group)
    left = group.with_name("gradwalk-judge-999999999-0")  # by a judge that was killed
    left.mkdir()
    for _ in range(8):
        with learner.Learner(Submission("file.py", RIGHT.encode()), 10.0, MEMORY) as asked:
            assert asked.load()["is_class"]
            assert asked._child is not None
            assert asked._child.group is not None
            assert (asked._child.group / "cgroup.procs").read_text("utf-8")
        assert [one.name for one in group.parent.glob(f"gradwalk-judge-{os.getpid()}-*")] == []
    assert not left.exists()


def test_lines_without_end_hold_off_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = learner.Learner(Submission("file.py", b""), 0.1, MEMORY, contained=False)
    for over in (None, {"error": "MemoryError", "by_limit": True}):
        monkeypatch.setattr(learner, "_over", lambda *_, over=over: over)
        child = asked._child = learner._Child(["yes", "[]"], [], None)
        monkeypatch.setattr(child, "line", lambda seconds: b"[]\n" if seconds > 0 else 1 / 0)
        assert asked._receive("1", dict)["error"] == (over or {"error": "Timeout"})["error"]
        assert asked._child is None


@everyone
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("way", ["on", "off"])
def test_no_process_stays_behind(who: str, number: signal.Signals, way: str) -> None:
    with tempfile.TemporaryDirectory(prefix=f"behind-{who}-{way}-") as folder:
        os.chmod(folder, 0o755)
        file = Path(folder) / f"{Path(folder).name}.py"
        file.write_text("while True:\n    pass\n", "utf-8")
        process = start(who, str(file), "--json", "--timeout", "1000", "--sandbox", way)
        wait_for(lambda: process.poll() is not None or processes("trial.py", file.name))
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        if number == signal.SIGTERM:
            assert process.returncode == 128 + number
            assert "stopped by" in json.loads(out)["error"]
            assert "Traceback" not in err
        wait_for(lambda: not processes(file.name))


def processes(*words: str) -> list[int]:
    """Return the processes with these words in their command line, zombies apart."""
    found: list[int] = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{name}/cmdline").read_bytes()
            if all(word.encode() in line for word in words) and int(name) != os.getpid():
                found.append(int(name))
    return found


def wait_for(done: Any) -> None:
    tries = iter(range(3000))
    while not done():
        assert next(tries, None) is not None, "it did not happen"
        subprocess.run(["sleep", "0.02"], check=True)


def test_a_link_is_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = put(tmp_path, {"secret": "password = hunter2 for ever"}) / "secret"
    class_ = put(tmp_path / "class", {"alice/value.py": RIGHT})
    for name, target in (("bob", "../alice/value.py"), ("carl", secret), ("dora", "/etc/hosts")):
        (class_ / name).mkdir()
        (class_ / name / "value.py").symlink_to(target)
    put(class_, {"emil/notes": "", "fifo.py/notes": ""})
    (class_ / "emil" / "src").symlink_to("../alice")
    os.mkfifo(class_ / "emil" / "pipe.py")
    out, reports = tmp_path / "grades.csv", tmp_path / "reports"
    named = sorted(map(str, class_.glob("*/**/*.py")))
    for words in ([str(class_)], [*named, str(class_ / "emil" / "src" / "value.py")]):
        assert main(["judge", *words, "--csv", str(out), "--reports", str(reports)]) == 1
        with out.open(encoding="utf-8", newline="") as file:
            rows = {row["file"].removeprefix(f"{class_}/"): row for row in csv.DictReader(file)}
        assert rows.pop("alice/value.py")["gradients"] == "yes"
        assert rows.pop("emil/pipe.py")["finding"] == "not a plain file, not judged"
        assert len(rows) >= 4
        found = {(row["gradients"], row["finding"]) for row in rows.values()}
        assert found == {("", "a link, not judged")}
    written = "".join([file.read_text("utf-8") for file in reports.iterdir()])
    assert "hunter2" not in written + out.read_text("utf-8") + capsys.readouterr().out


def test_no_name_forges_a_row_or_a_formula(tmp_path: Path) -> None:
    class_ = put(tmp_path / "class", {"notes": ""})
    steering = "raise ValueError('\\x1b]52;c;eA==\\x07')"
    files = {b"a\xff.py": "x", b"b\nc.py  yes  yes.py": "y", b"d;=1+1.py": "z", b"=2.py": steering}
    files |= {"\uff1d1.py".encode(): "w", "\u3164\u2800\u202eyp.py".encode(): "v"}
    for name, source in files.items():
        Path(os.fsdecode(bytes(class_) + b"/" + name)).write_text(source, "utf-8")
    out, reports = tmp_path / "grades.csv", tmp_path / "reports"
    assert main(["judge", str(class_), "--csv", str(out), "--reports", str(reports)]) == 1
    text = out.read_bytes().decode("utf-8")
    written = "".join([file.read_text("utf-8") for file in reports.iterdir()])
    assert "\x1b" not in text + written
    assert len(text.splitlines()) == 1 + len(files)
    for separator in ",;\t":
        cells = [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]
        begins = {cell: cell.strip(" \"'")[:1] for cell in cells}
        assert [c for c in cells if begins[c] in ("=", "\uff1d") and c[0] != "'"] == []
    assert not set(text) & {"\u3164", "\u2800", "\u202e"}
    assert re.findall(r"\S {2,}yes", text) == []
    assert len(list(reports.iterdir())) == len(files)


def test_neighbours_cost_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with holes take no place on the disk, and folders in folders no end."""
    deep = tmp_path / "deep"
    for _ in range(12):
        deep = deep.joinpath(*["deep"] * 20)
        deep.mkdir(parents=True)
    for number in range(9 * 20):
        place = put(tmp_path, {f"p{number % 9}/m{number // 9}.py": ""})
        os.truncate(place / f"p{number % 9}" / f"m{number // 9}.py", 200 << 10)
    (tmp_path / "closed").mkdir(mode=0)
    named = f"# small deep closed {' '.join(f'p{n}' for n in range(9))}\n{RIGHT}"
    value = Found(str(put(tmp_path, {"small.py": "x = 1\n", "value.py": named}) / "value.py"))
    beside = submission.read(value._replace(base=str(tmp_path))).beside
    assert beside == {"small.py": b"x = 1\n"}  # more would be parsed for minutes
    long = {"cells": [{"cell_type": "code", "source": "x;" * 90_000}] * 2}
    put(tmp_path, {"value.py": "\n" * (300 << 10), "value.ipynb": json.dumps(long)})
    monkeypatch.delattr(submission, "parsed")  # a file is measured before
    for name in ("value.py", "value.ipynb"):
        with pytest.raises(LoadError, match="longer than 256 KB"):
            submission.read(Found(str(tmp_path / name), str(tmp_path)))


def test_a_fault_of_ours_does_not_end_the_class(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner, "_over", lambda *_: os.stat("/no/such"))
    monkeypatch.setattr(learner, "_WATCH_SECONDS", 0.0)
    rows = list(judge_all([Found(__file__)] * 2, sandbox=False))
    said = "gradwalk has made a mistake; please report FileNotFoundError"
    assert [row.error.partition(":")[0] for row in rows] == [said] * 2
    assert main(["judge", __file__, "--json"]) == 2
    assert "/no/such" in json.loads(capsys.readouterr().out)["error"]


def test_no_two_files_share_a_report() -> None:
    files = ["x/y-v.py", "x-y/v.py", "x/y/v.py", "A.py", "a.py", "v.py", "v.ipynb", "w" * 300]
    names = {name.casefold() for name in report_names(files)}
    assert (len(names), max(map(len, names)) < 100) == (len(files), True)


def test_a_link_among_the_reports_is_replaced(tmp_path: Path) -> None:
    files = {"mine": "mine", "value.py": "class Value(", "reports/other": ""}
    reports = put(tmp_path, files) / "reports"
    (reports / "value.txt").symlink_to(tmp_path / "mine")
    assert main(["judge", str(tmp_path / "value.py"), "--reports", str(reports)]) == 1
    assert (tmp_path / "mine").read_text("utf-8") == "mine"
    assert "SyntaxError" in (reports / "value.txt").read_text("utf-8")


REPR = "    def __repr__"
MORE = f"    def more(self):\n        return {{}}\n\n{REPR}"
COPIES = {
    "with a comment": ("class Value:", "class Value:  # my own work"),
    "with a long method": (REPR, MORE.format(f"[{'self, ' * 900}]")),
    "with a method too deep to be compared": (REPR, MORE.format(f"self{'.data' * 2000}")),
}


@pytest.mark.parametrize("how", COPIES)
def test_a_copied_class_looks_like_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    packages = put(tmp_path / "site-packages", {"somebodys/engine.py": RIGHT})
    monkeypatch.setattr(sys, "path", [str(packages), *sys.path])
    copied, other = RIGHT.replace(*COPIES[how]).encode(), OVERWRITES.encode()
    assert borrowed.resembles(Submission("", b"", (), {"beside.py": copied})) == "somebodys"
    assert borrowed.resembles(Submission("", other)) == ""
    report = judge("value.py", copied, sandbox=False)
    assert (report.gradients, report.ok) == ("looks like somebodys", False)
    assert "it looks like somebodys" in report.text()


def test_classes_inside_of_each_other_are_compared_once() -> None:
    methods = "class V:\n def __add__(s): 0\n def __mul__(s): 0\n def back(s):\n"
    levels = [indent(methods, " " * 2 * level) for level in range(45)]
    text = f"{''.join(levels)}{' ' * 99}0".encode()
    assert len(list(borrowed._with_backward(text))) == 1


def test_no_learner_sees_anothers_class(tmp_path: Path) -> None:
    sources = {
        "alice": RIGHT,
        "bob": "from alice import Value",
        "carl": f"import handed_out\n{RIGHT}",
        "handed_out": "x = 1",
        "dora/own": RIGHT,
        "dora/value": "from own import Value  # which has __mul__",
        "emil": "from dora.own import Value",
    }
    put(tmp_path, {f"{name}.py": source for name, source in sources.items()})
    found = submission.collect([str(tmp_path)], strangers=True)
    rows = {Path(one.path).stem: [*submission.read(one).beside] for one in found}
    rows = {name: beside for name, beside in rows.items() if beside}
    assert rows == {"carl": ["handed_out.py"], "value": ["own.py"]}


def test_a_learner_with_files_without_end_has_some_of_them_judged(tmp_path: Path) -> None:
    for number in range(120):
        put(tmp_path, {f"alice/{'more/' * (number % 2)}{number}.py": RIGHT, "bob/value.py": RIGHT})
    found = submission.collect([str(tmp_path)], strangers=True)
    assert len(found) == 52
    assert [one.path for one in found[-2:]] == [f"{tmp_path}/alice", f"{tmp_path}/bob/value.py"]
    with pytest.raises(LoadError, match="more than 50 files"):
        submission.read(found[-2])


def test_another_conda_is_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other, ours = tmp_path / "miniconda", tmp_path / "ours"
    for name in ("conda-meta", "envs", "pkgs"):
        put(tmp_path, {f"miniconda/{name}/one": "", f"ours/{name}/one": ""})
    monkeypatch.setattr(borrowed, "_CONDA", (f"{tmp_path}/*/conda-meta",))
    monkeypatch.setattr(sys, "prefix", str(ours))
    assert borrowed.places_of({}) == [str(other), str(ours / "envs"), str(ours / "pkgs")]


def test_a_package_of_ones_own_may_have_the_name_of_another(tmp_path: Path) -> None:
    package = {"__init__.py": "from micrograd.core import *\n", "core.py": RIGHT}
    put(put(tmp_path, {"own.py": "from micrograd import Value"}) / "micrograd", package)
    assert judge(str(tmp_path / "own.py")).ok


def marks(folder: Path) -> Path:
    """Return a right class in a file that leaves a mark when it is run."""
    folder.chmod(0o777)
    file, mark = folder / "marks.py", str(folder / "mark")
    helper = f"def marked(kind):\n    open({mark!r}, 'w').write('ran')\n    return kind\n\n\n"
    file.write_text(helper + RIGHT.replace("class Value", "@marked\nclass Value", 1), "utf-8")
    return file


WITHOUT = {
    "not installed": ("me", "", "bubblewrap is not installed: apt install"),
    "no namespaces": ("no-namespaces", "", "bubblewrap did not hold: bwrap: "),
    "AppArmor": ("me", "setting up uid map: Permission denied", "/etc/apparmor.d/bwrap"),
    "AppArmor, network": ("me", "loopback: Failed RTM_NEWADDR: Operation not permitted", "userns,"),
    "too old": ("me", "Unknown option --disable-userns", "older than 0.8"),
}


@pytest.mark.parametrize("why", WITHOUT)
def test_without_a_sandbox_a_stranger_s_file_is_not_run(tmp_path: Path, why: str) -> None:
    who, complaint, words = WITHOUT[why]
    variables: dict[str, str] = {}
    if complaint:
        put(tmp_path, {"bwrap": f"#!/bin/sh\necho 'bwrap: {complaint}' >&2\nexit 1\n"})
        (tmp_path / "bwrap").chmod(0o755)
        variables = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    elif who == "me":
        variables = {"PATH": "/nothing/here:"}
    file = marks(tmp_path)
    done = run(who, str(file), "--sandbox", "on", "--json", **variables)
    assert done.code == 2
    for said in ("NOT CONTAINED HERE", words, "install bubblewrap", "--trust", "gradwalk site"):
        assert said in done.err
    assert json.loads(done.out)["ok"] is False
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("options", [(), ("--sandbox", "on", "--trust")], ids=["own", "trusted"])
def test_your_own_file_and_one_that_you_trust_need_no_sandbox(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    words = [str(marks(tmp_path)), *options, "--json"]
    done = run("me", *words, PATH="/nothing/here")
    assert done.code == 0, done.err
    assert json.loads(done.out)["contained"] is False
    assert ("NOT CONTAINED" in done.err) == bool(options)
    assert (tmp_path / "mark").read_text("utf-8") == "ran"
    if options:  # where it can be contained, it is: the mark cannot be made
        assert run("me", *words).code != 0


def test_a_relative_part_of_the_path_is_no_place_for_bwrap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {"bwrap": "#!/bin/sh\nexit 1\n"})
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ":.:/nothing/here")
    assert bubblewrap.bubblewrap() is None


def test_a_python_that_is_named_in_a_roundabout_way_is_shown_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = os.path.basename(sys.executable)
    monkeypatch.setattr(sys, "executable", os.path.join(sys.prefix, "lib", "..", "bin", name))
    assert judge("value.py", RIGHT.encode()).ok


@pytest.mark.parametrize("missing", ["", "bubblewrap is not installed"])
def test_the_doctor_says_which_way_holds(
    missing: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing:
        monkeypatch.setattr(bubblewrap, "bubblewrap", lambda: None)
    assert main(["doctor"]) == 0
    assert (missing or "strangers' files run under") in capsys.readouterr().out


def test_a_sandbox_that_does_not_hold_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_filter", lambda: b"\x06\0\0\0\0\0\xff\x7f")
    with pytest.raises(NotContainedError, match="processes can be started"):
        judge("value.py", RIGHT.encode())


@pytest.mark.parametrize(
    "options", [{"seconds": 1e308}, {"megabytes": 10**18}], ids=["time", "memory"]
)
def test_a_right_value_passes_within_limits_beyond_all_clocks(options: dict[str, Any]) -> None:
    assert judge(str(EXAMPLES / "my_value.py"), **options).ok
