"""Files that are written whole or not at all, by whichever part of the package."""

import os
import stat
import threading

import pytest

from gradwalk import record
from gradwalk.cli.terminal import emit
from gradwalk.gpt import checkpoint
from gradwalk.writing import check_writable, write_whole

WRITERS = {
    "a checkpoint": lambda file: checkpoint.save(file, {}, {"which": "new"}),
    "a program": lambda file: record(lambda x: x * x, 1.0).save(file),
    "a picture": lambda file: emit("<svg/>", str(file)),
}
every_writer = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


@every_writer
def test_a_link_is_followed_and_the_mode_kept(tmp_path, write):
    real, link = tmp_path / "real", tmp_path / "link"
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
    write(tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == usual.stat().st_mode


@every_writer
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_is_no_plain_file_stays_what_it_is(tmp_path, write):
    pipe = tmp_path / "pipe"
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
    for file in (tmp_path, tmp_path / "missing" / "file"):
        with pytest.raises(OSError, match=f"{file.name}'$"):
            write(file)
        with pytest.raises(OSError, match=f"{file.name}'$"):
            check_writable(file)
    assert list(tmp_path.iterdir()) == []


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
