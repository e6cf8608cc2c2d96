"""`gradwalk judge` is a sandbox: each test is a promise of docs/practice.md, attacked.

The files in tests/attacks/judge try to get out of hand. Where a machine has no sandbox to offer,
every test checks instead that the judge refuses to run the file, and says so.
"""

import contextlib
import json
import os
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
from typing import Any, NamedTuple, cast

import pytest

from gradwalk.cli import main
from gradwalk.errors import NotContainedError
from gradwalk.practice.judge import judge, learner

if not sys.platform.startswith("linux"):
    pytest.skip("the sandbox needs Linux", allow_module_level=True)

TESTS = Path(__file__).parent
ATTACKS = TESTS / "attacks" / "judge"
RIGHT = (TESTS.parent / "examples" / "my_value.py").read_text("utf-8")
MEMORY = 256

everyone = pytest.mark.parametrize("who", ["me", "nobody"])


class Done(NamedTuple):
    code: int
    out: str
    err: str
    largest: int  # MB of memory; 0 where a process of an earlier test had more

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.out)


class Place:
    """A folder with a copy of one attack, which any user can read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o755)

    def put(self, name: str, **target: object) -> Path:
        file = self.folder / f"{name}.py"
        (source,) = ATTACKS.glob(f"{name}.*")
        shutil.copy(source, file)
        (self.folder / "target.json").write_text(json.dumps(target))
        return file

    def start(self, file: Path, *options: str, who: str = "me") -> subprocess.Popen[str]:
        words = [sys.executable, "-P", "-m", "gradwalk", "judge", str(file), "--json"]
        words += ["--timeout", "5", "--memory", str(MEMORY), *options]
        return subprocess.Popen(
            [sys.executable, "-m", "support.users", who, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(TESTS), "GRADWALK_SECRET": "s3cret"},
        )

    def judge(self, file: Path, *options: str, who: str = "me") -> Done:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        process = self.start(file, *options, who=who)
        out, err = process.communicate(timeout=300)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        largest = after >> 10 if after > before else 0
        assert "Traceback" not in err, err
        return Done(process.returncode, out, err, largest)

    def attack(self, name: str, who: str, **target: object) -> str:
        """Return what the judge says of an attack that ends in an exception."""
        done = self.judge(self.put(name, **target), who=who)
        return refused(done) or done.data["error"]


def refused(done: Done) -> str:
    """Return "" when there is a sandbox here; else see to it that the judge refuses, and skip."""
    if "NOT CONTAINED HERE" not in done.err:
        return ""
    assert done.code == 2
    assert "--trust" in done.err
    assert done.data["ok"] is False
    pytest.skip(f"no sandbox on this machine, and the judge refused: {done.err}")


@pytest.fixture
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        yield Place(Path(folder))


def processes(marker: str) -> list[int]:
    """Return the processes whose command line has the marker in it, but for zombies."""
    found: list[int] = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{name}/cmdline").read_bytes()
            if marker.encode() in words and int(name) != os.getpid():
                found.append(int(name))
    return found


def gone(marker: str) -> bool:
    """Wait until no process has the marker; the kernel takes a moment to end a namespace."""
    for _ in range(1000):
        if not processes(marker):
            return True
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["sleep", "0.02"], timeout=5, check=True)
    return False


# ── What the docs promise ────────────────────────────────────────────────────────────────────


@everyone
def test_a_right_value_passes_in_the_sandbox(place: Place, who: str) -> None:
    file = place.folder / "right.py"
    file.write_text(RIGHT, "utf-8")
    done = place.judge(file, who=who)
    refused(done)
    assert done.code == 0, done.err
    assert done.data["ok"] is True
    assert done.data["contained"] is True


@everyone
def test_a_file_cannot_kill_the_judge(place: Place, who: str) -> None:
    assert "ended by the signal" not in place.attack("kill_the_judge", who, process=os.getpid())


@everyone
def test_a_file_cannot_change_or_see_your_files(place: Place, who: str) -> None:
    with tempfile.TemporaryDirectory() as elsewhere:
        os.chmod(elsewhere, 0o777)
        secret = Path(elsewhere) / "secret"
        secret.write_text("mine")
        secret.chmod(0o666)
        neighbour = place.folder / "neighbour"
        neighbour.write_text("mine")
        place.folder.chmod(0o777)
        said = place.attack(
            "change_files", who, files=[str(secret), str(neighbour)], secrets=[str(secret)]
        )
        assert "seen=0 variable=None" in said
        assert secret.read_text() == neighbour.read_text() == "mine"
    names = sorted(file.name for file in place.folder.iterdir())
    assert names == ["change_files.py", "neighbour", "target.json"]


@everyone
def test_a_file_has_no_network(place: Place, who: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        local.bind(str(place.folder / "socket"))
        os.chmod(place.folder / "socket", 0o777)
        abstract.bind(f"\0{place.folder}")
        local.listen()
        abstract.listen()
        said = place.attack(
            "phone_home",
            who,
            port=listener.getsockname()[1],
            socket=str(place.folder / "socket"),
            abstract=str(place.folder),
        )
    assert "reached=0" in said


@everyone
def test_memory_is_limited_however_it_is_taken(place: Place, who: str) -> None:
    said = place.attack("take_memory", who)
    taken = {name: int(size) for name, size in re.findall(r"([\w-]+)=(\d+)", said)}
    none = {"memory-files", "segments", "shared-mappings", "shared-device", "sockets"}
    assert set(taken) == {"shared-memory", "scratch", "mappings", *none}, said
    assert {name: taken[name] for name in none} == dict.fromkeys(none, 0)
    assert taken["shared-memory"] + taken["scratch"] <= 96
    assert taken["mappings"] <= 2 * MEMORY


@everyone
def test_memory_is_limited_over_all_processes_together(place: Place, who: str) -> None:
    said = place.attack("take_memory_by_many", who)
    assert f"more than {MEMORY} MB in all" in said


@everyone
def test_a_file_that_it_writes_is_at_most_32_mb(place: Place, who: str) -> None:
    assert f"size={32 << 20}" in place.attack("write_large_file", who)


@everyone
def test_the_number_of_processes_is_limited(place: Place, who: str) -> None:
    said = place.attack("fork_without_end", who)
    count = re.search(r"processes=(\d+)", said)
    assert count is not None, said
    assert 1 <= int(count[1]) <= 40


@everyone
def test_the_sandbox_cannot_be_undone_from_the_inside(place: Place, who: str) -> None:
    assert "got=[]" in place.attack("break_out", who)


@everyone
@pytest.mark.parametrize("name", ["endless_line", "endless_lines"])
def test_a_flood_of_output_costs_the_judge_no_memory(place: Place, who: str, name: str) -> None:
    done = place.judge(place.put(name), who=who)
    refused(done)
    assert done.code == 2
    assert done.data["ok"] is False
    assert done.largest < 300


@everyone
@pytest.mark.parametrize("name", ["forge_answers", "forge_numbers"])
def test_a_forged_answer_is_no_answer(place: Place, who: str, name: str) -> None:
    done = place.judge(place.put(name), who=who)
    refused(done)
    assert done.code in (1, 2)
    assert done.data["ok"] is False
    assert "BadReplyError" in done.out or "the judge's pipe" in done.out


@everyone
def test_a_forged_answer_is_no_answer_when_it_reads_as_a_verdict(place: Place, who: str) -> None:
    said = place.attack("forge_lines", who)
    assert "Gradients right: yes" in said
    assert "\n" not in said


def test_each_check_ends_in_time_whatever_is_written_meanwhile(place: Place) -> None:
    done = place.judge(place.put("flood_when_asked"), "--timeout", "0.5")
    refused(done)
    assert done.code == 1
    assert "did not end within 0.5 s" in done.out


def test_each_check_ends_in_time_while_lines_come_without_end() -> None:
    class Endless:
        def line(self, seconds: float) -> bytes:
            assert seconds > 0, "a line is read when the time is up"
            return b"[]\n"

    asked = learner.Learner("file.py", 0.05, MEMORY)
    asked._pump = cast("Any", Endless())
    assert asked._receive(1, dict, 0.05)["error"] == "Timeout"


@everyone
def test_no_process_stays_behind_when_the_judge_is_done(place: Place, who: str) -> None:
    done = place.judge(place.put("stay_behind"), "--timeout", "1", who=who)
    refused(done)
    assert done.code == 1
    assert gone(str(place.folder))


@everyone
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_no_process_stays_behind_when_the_judge_is_stopped(
    place: Place, who: str, number: signal.Signals
) -> None:
    process = place.start(place.put("stay_behind"), "--timeout", "100", who=who)
    trial = "trial.py"
    while process.poll() is None:  # until the file itself runs
        found = processes(str(place.folder))
        if any(trial.encode() in _words(one) and b"sandbox.py" not in _words(one) for one in found):
            break
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    if number != signal.SIGKILL:
        refused(Done(process.returncode, out, err, 0))
        assert process.returncode == 128 + number
        assert json.loads(out)["ok"] is False
        assert "stopped by" in json.loads(out)["error"]
        assert "Traceback" not in err
    assert gone(str(place.folder))


def _words(process: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


@everyone
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("not_python", "SyntaxError"),
        ("never_end", "did not end within 5 s"),
        ("exit_at_once", "calls sys.exit(bye)"),
    ],
)
def test_every_exit_gives_json(place: Place, who: str, name: str, words: str) -> None:
    done = place.judge(place.put(name), who=who)
    refused(done)
    assert done.code == 2
    assert done.data["ok"] is False
    assert words in done.data["error"]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["one.py", "two.py"],
        ["there is no such file"],
        ["lessons"],
        [__file__, "--no-such-option"],
        [__file__, "--timeout", "nan"],
        [__file__, "--memory", "9" * 30],
    ],
    ids=lambda words: " ".join(words[-2:]).rpartition("/")[2] or "no words",
)
def test_every_exit_gives_json_for_wrong_usage_too(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", *words, "--json"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert data["ok"] is False
    assert data["error"]


def test_every_exit_gives_json_for_a_fault_of_ours_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(11, "no more processes")

    monkeypatch.setattr("gradwalk.practice.judge.judge", broken)
    assert main(["judge", __file__, "--json"]) == 2
    assert "no more processes" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize(
    "options", [["--timeout", "1e308"], ["--memory", "9" * 18]], ids=["time", "memory"]
)
def test_a_right_value_passes_within_limits_beyond_all_clocks(
    place: Place, options: list[str]
) -> None:
    file = place.folder / "right.py"
    file.write_text(RIGHT, "utf-8")
    refused(place.judge(file))
    assert place.judge(file, *options).code == 0


@pytest.mark.parametrize("name", ["borrow", "borrow_quietly", "borrow_late"])
def test_a_file_that_imports_an_autodiff_package_does_not_pass(place: Place, name: str) -> None:
    done = place.judge(place.put(name))
    refused(done)
    assert done.code == 1
    assert done.data["checks"][0]["bug"] == "borrowed"
    assert "the file imports" in done.data["checks"][0]["findings"][0]


def test_a_file_that_imports_an_autodiff_package_does_not_pass_by_another_way(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "found=0" in place.attack("borrow_source", "me")
    other = place.folder / "lib" / "python3.99" / "site-packages" / "torch"
    other.mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", str(place.folder))
    assert str(other) in learner._hidden()


def test_a_package_of_ones_own_may_have_the_name_of_another(place: Place) -> None:
    (place.folder / "micrograd").mkdir()
    (place.folder / "micrograd" / "__init__.py").write_text(RIGHT, "utf-8")
    (place.folder / "own.py").write_text("from micrograd import Value")
    done = place.judge(place.folder / "own.py")
    refused(done)
    assert done.data["ok"] is True, done.out


# ── Where there is no sandbox ────────────────────────────────────────────────────────────────


def file_that_marks(place: Place) -> Path:
    """A right class in a file that leaves a mark when it is run."""
    file, mark = place.folder / "marks.py", str(place.folder / "mark")
    helper = f"def marked(kind):\n    open({mark!r}, 'w').write('ran')\n    return kind\n\n\n"
    file.write_text(helper + RIGHT.replace("class Value", "@marked\nclass Value", 1), "utf-8")
    return file


def test_without_namespaces_the_file_is_not_run_and_the_judge_says_so_loudly(place: Place) -> None:
    done = place.judge(file_that_marks(place), who="no-namespaces")
    assert done.code == 2
    assert "NOT CONTAINED HERE" in done.err
    assert "--trust" in done.err
    assert done.data["ok"] is False
    assert not (place.folder / "mark").exists()


@pytest.mark.parametrize("options", [["--trust"], ["--sandbox=off"]])
def test_trust_and_sandbox_off_run_it_and_say_that_it_was_not_contained(
    place: Place, options: list[str]
) -> None:
    done = place.judge(file_that_marks(place), *options, who="no-namespaces")
    assert done.code == 0, done.err
    assert done.data["contained"] is False
    assert "NOT CONTAINED" in done.err
    assert (place.folder / "mark").read_text() == "ran"


def test_trust_still_contains_where_that_can_be_done(place: Place) -> None:
    file = place.folder / "right.py"
    file.write_text(RIGHT, "utf-8")
    try:
        judge(str(file))
    except NotContainedError:
        assert judge(str(file), trust=True).contained is False
    else:
        assert judge(str(file), trust=True).contained is True


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_bubblewrap_contains_where_namespaces_of_our_own_do_not(place: Place) -> None:
    file = place.folder / "right.py"
    file.write_text(RIGHT, "utf-8")
    script = (
        "from gradwalk.practice.judge import judge, learner\n"
        "learner.Learner._known_way = 'bwrap'\n"
        f"report = judge({str(file)!r})\n"
        "assert report.ok and report.contained\n"
    )
    words = [sys.executable, "-m", "support.users", "nobody", sys.executable, "-P", "-c", script]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    assert done.returncode == 0 or "NotContainedError" in done.stderr, done.stderr
