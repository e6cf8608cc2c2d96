"""Files that are written whole or not at all, by whichever part of the package."""

import contextlib
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import gradwalk
from gradwalk import Value, compile, draw_dot  # noqa: A004
from gradwalk.cli.terminal import emit
from gradwalk.files import check_writable, write_whole
from gradwalk.gpt import checkpoint

WRITERS = {
    "a checkpoint": lambda file: checkpoint.save(file, {}, {"which": "new"}),
    "a program": lambda file: compile(lambda x: x * x).record(1.0).save(file),
    "a picture": lambda file: emit("<svg/>", str(file)),
    "a drawing": lambda file: draw_dot(Value(1.0)).save(file),
    "a page": lambda file: Value(1.0).show(file, open=False),
}
every_writer = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


@every_writer
def test_a_link_is_followed_and_the_mode_kept(tmp_path, write):
    real, link = tmp_path / "real.svg", tmp_path / "link.svg"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(link)
    assert link.is_symlink()
    assert real.read_bytes() != b"old"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@every_writer
def test_a_new_file_has_the_usual_mode(tmp_path, write):
    usual = tmp_path / "usual"
    usual.touch()
    write(tmp_path / "new.svg")
    assert (tmp_path / "new.svg").stat().st_mode == usual.stat().st_mode


@every_writer
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_is_no_plain_file_stays_what_it_is(tmp_path, write):
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    write(pipe)
    reader.join()
    assert pipe.is_fifo()
    assert found[0]


@every_writer
def test_a_file_that_cannot_be_written_is_named(tmp_path, write):
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    for file in (folder, tmp_path / "missing" / "file.svg"):
        with pytest.raises(OSError, match=f"{file.name}'$"):
            write(file)
        with pytest.raises(OSError, match=f"{file.name}'$"):
            check_writable(file)
    assert list(tmp_path.iterdir()) == [folder]
    assert list(folder.iterdir()) == []


def test_a_check_leaves_nothing_behind(tmp_path):
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        check_writable(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


def test_threads_that_write_one_file_leave_one_of_theirs(tmp_path):
    file = tmp_path / "file"

    def write(byte: bytes) -> None:
        for _ in range(20):
            write_whole(file, [byte * 100_000] * 3)

    threads = [threading.Thread(target=write, args=(byte,)) for byte in (b"a", b"b", b"c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    data = file.read_bytes()
    assert data == data[:1] * 300_000
    assert [left.name for left in tmp_path.iterdir()] == ["file"]


# ── A shared folder, and kills ───────────────────────────────────────────────────────────────

needs_locks = pytest.mark.skipif(sys.platform == "win32", reason="needs locks and modes")


@needs_locks
def test_a_writer_whose_file_is_taken_for_a_dead_ones_makes_another(tmp_path, monkeypatch):
    """Another holds the lock of the new file, and removes it after the writer has looked."""
    import fcntl

    flock, taken = fcntl.flock, []

    def taken_first(handle: int, how: int) -> None:
        if not taken:
            [name] = tmp_path.iterdir()
            taken.append(name.open("rb"))
            flock(taken[0].fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", taken_first)
    replace = Path.replace

    def removed(self: Path, target: Path) -> Path:
        with contextlib.suppress(OSError):
            Path(taken[0].name).unlink()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", removed)
    write_whole(tmp_path / "file", [b"whole"])
    taken[0].close()
    assert (tmp_path / "file").read_bytes() == b"whole"
    assert [left.name for left in tmp_path.iterdir()] == ["file"]


@every_writer
@needs_locks
def test_a_file_that_lies_in_wait_is_not_written_through(tmp_path, write, monkeypatch):
    monkeypatch.setattr(secrets, "token_hex", lambda count: "0" * 2 * count)
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / f".new.svg.{'0' * 16}.tmp").symlink_to(victim)
    with pytest.raises(FileExistsError, match=r"new\.svg"):
        write(tmp_path / "new.svg")
    assert victim.read_text() == "mine"
    assert not (tmp_path / "new.svg").exists()


@needs_locks
def test_a_private_file_is_private_from_its_first_byte(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o600)
    modes = set()

    def pieces():
        for _ in range(3):
            yield b"x" * 100_000
            modes.update([stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()])

    write_whole(file, pieces())
    assert modes == {0o600}


@needs_locks
def test_a_name_of_255_bytes_can_be_written(tmp_path):
    file = tmp_path / ("n" * 255)
    write_whole(file, [b"one"])
    write_whole(file, [b"two"])
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"two"]


needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs another user"
)


@pytest.fixture
def shared(tmp_path):
    """A folder like /tmp, where everybody may put files and remove their own."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def give_to_stranger(file):
    os.chown(file, 65534, 65534, follow_symlinks=False)


@needs_root
@pytest.mark.parametrize("by", ["itself", "a link of mine"])
def test_a_link_that_a_stranger_put_into_a_shared_folder_is_refused(tmp_path, shared, by):
    victim, mine = tmp_path / "victim", tmp_path / "mine.svg"
    victim.write_text("mine")
    (shared / "out.svg").symlink_to(victim)
    give_to_stranger(shared / "out.svg")
    mine.symlink_to(shared / "out.svg")
    file = shared / "out.svg" if by == "itself" else mine
    for write in (lambda: write_whole(file, [b"theirs"]), lambda: check_writable(file)):
        with pytest.raises(PermissionError, match=rf"someone else made: .*{file.name}"):
            write()
    assert victim.read_text() == "mine"


@needs_root
@pytest.mark.parametrize("kind", ["file", "pipe"])
def test_what_a_stranger_put_into_a_shared_folder_gets_nothing(shared, kind):
    file = shared / "out.svg"
    if kind == "file":
        file.write_text("theirs")
    else:
        os.mkfifo(file, 0o666)
    give_to_stranger(file)
    stranger = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(PermissionError, match=r"someone else made: .*out\.svg"):
        write_whole(file, [b"mine"])
    os.close(stranger)
    assert [one.name for one in shared.iterdir()] == ["out.svg"]


@needs_locks
def test_a_pipe_that_becomes_a_link_meanwhile_is_not_followed(tmp_path, monkeypatch):
    victim, pipe = tmp_path / "victim", tmp_path / "out.svg"
    victim.write_text("mine")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    plain = os.open

    def swapped(path, flags, mode=0o777):
        if os.fspath(path) == str(pipe):
            pipe.unlink()
            pipe.symlink_to(victim)
            monkeypatch.setattr(os, "open", plain)
        return plain(path, flags, mode)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(OSError, match=r"replaced while it was opened: .*out\.svg"):
        write_whole(pipe, [b"theirs"])
    os.close(reader)
    assert victim.read_text() == "mine"


@needs_locks
def test_the_standard_output_of_a_pipeline_can_be_written():
    script = "from gradwalk.files import write_whole; write_whole('/dev/stdout', [b'here'])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"here", b"")


# The writer is killed when all its bytes are written and before the file takes its name.
KILLED = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_files import WRITERS, Path
os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
WRITERS[sys.argv[1]](Path(sys.argv[2]))
"""


@pytest.mark.parametrize("name", WRITERS)
@needs_locks
def test_a_killed_writer_leaves_the_old_file_and_the_next_one_tidies_up(tmp_path, name):
    file = tmp_path / "file.svg"
    file.write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLED, name, str(file)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2
    WRITERS[name](file)
    assert [one.name for one in tmp_path.iterdir()] == ["file.svg"]
    assert file.read_text("utf-8", errors="replace") != "old"


@needs_locks
def test_a_writer_that_lives_keeps_its_file_whatever_its_number_is(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 1)  # as in a container, where all have this number
    file = tmp_path / "file"
    with contextlib.ExitStack() as stack:
        held = threading.Event(), threading.Event()

        def slowly():
            yield b"first"
            held[0].set()
            held[1].wait()

        writer = threading.Thread(target=write_whole, args=(file, slowly()))
        writer.start()
        stack.callback(writer.join)
        stack.callback(held[1].set)
        held[0].wait()
        write_whole(file, [b"second"])
        assert len(list(tmp_path.iterdir())) == 2
    assert file.read_bytes() == b"first"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


# Files that are not written whole, and why that does no harm.
OTHER_WRITERS = {
    "terminal.py": "a stream, which grows line by line",
    "comparing.py": "a report in a temporary folder of its own",
}


def test_every_file_is_written_by_the_one_writer():
    source = Path(gradwalk.__file__).parent
    writes = re.compile(r"write_text\(|write_bytes\(|open\([^()]*?\b(mode|\"[wax]b?\")|\.tofile\(")
    found = {file.name for file in source.rglob("*.py") if writes.search(file.read_text("utf-8"))}
    assert found == set(OTHER_WRITERS)
