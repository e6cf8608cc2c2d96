"""Files that are written whole or not at all: checkpoints, programs, pictures.

The bytes go to a temporary file beside the target, reach the disk, and only then take its name. So
whenever the machine or the process stops, the file is the new one or still the old one.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

__all__ = ["check_writable", "write_whole"]


def write_whole(file: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Put these bytes in the place of what the file holds; an OSError names the file itself.

    A link is followed. What is no plain file, like a pipe or /dev/null, is written to as it is.
    """
    target = Path(os.path.realpath(file))
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as out:  # which is an error for a folder
                out.writelines(pieces)
            return
        _remove_stale(target)
        _replace(target, pieces)
    except OSError as error:
        raise _named(error, file) from None


def check_writable(file: str | os.PathLike[str]) -> None:
    """Raise the OSError that writing this file would end in, where that can be known before."""
    target = Path(os.path.realpath(file))
    try:
        if target.exists() and not target.is_file():
            target.open("ab").close()
            return
        temporary = _temporary(target)
        temporary.touch()
        temporary.unlink()
    except OSError as error:
        raise _named(error, file) from None


def _named(error: OSError, file: str | os.PathLike[str]) -> OSError:
    """Return the error with the name that the user gave, not that of a temporary file."""
    if error.errno is None:
        return error
    return OSError(error.errno, error.strerror, os.fspath(file))


def _replace(target: Path, pieces: Iterable[bytes]) -> None:
    temporary = _temporary(target)
    try:
        with temporary.open("wb") as out:
            out.writelines(pieces)
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if os.name == "posix":  # elsewhere a folder cannot be opened
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _temporary(target: Path) -> Path:
    """Return a name that says who writes there, so that what a killed one left can be told."""
    writer = f"{os.getpid()}.{threading.get_native_id()}"
    return target.parent / f".{target.name}.{writer}.tmp"


def _remove_stale(target: Path) -> None:
    """Remove what writers that were killed have left; a writer that lives keeps its file."""
    for left in target.parent.glob(f".{_literal(target.name)}.*.tmp"):
        process, _, thread = left.name[len(target.name) + 2 : -len(".tmp")].partition(".")
        if not process.isdigit() or not (thread or "0").isdigit():
            continue  # of a file whose name begins like this one's
        if int(process) == os.getpid():
            lives = thread != str(threading.get_native_id())
        else:
            lives = _is_alive(int(process))
        if not lives:
            with contextlib.suppress(OSError):
                left.unlink()


def _literal(name: str) -> str:
    """Return a name so that glob finds itself and nothing else."""
    return "".join([f"[{c}]" if c in "*?[" else c for c in name])


def _is_alive(process: int) -> bool:
    if os.name != "posix":  # os.kill would end it there
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it is someone else's
        return True
    return True
