"""Files that are written whole or not at all: checkpoints, programs, pictures, pages.

The bytes go to a temporary file beside the target, reach the disk, and only then take its name. So
whenever the machine or the process stops, the file is the new one or still the old one.

The folder may be shared with strangers. The temporary file has a random name and is made by this
process or not at all, it never is a link, and it has the target's mode before its first byte. Its
writer holds a lock on it. Whoever can take that lock knows that the writer is dead, and removes
what it left.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Generator, Iterable
from functools import partial
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

__all__ = ["check_writable", "write_whole"]

_MOST_LINKS = 40  # behind each other, as in Linux
_LONGEST_NAME = 150  # bytes of a target's name in that of its temporary file, of 255 in all


def write_whole(
    file: str | os.PathLike[str], pieces: Iterable[bytes], *, follow: bool = True
) -> None:
    """Put these bytes in the place of what the file holds; an OSError names the file itself.

    A link is followed. A pipe or /dev/null, no plain files, are written to as they are. What a
    stranger put into a shared folder is refused, be it a file, a link or a pipe. Without `follow`,
    all of these are replaced.
    """
    try:
        target = _target(file) if follow else Path(os.path.abspath(file))
        if not follow and not _is_ours(target):
            target.unlink(missing_ok=True)
        elif target.exists() and not target.is_file():
            with os.fdopen(_opened(target), "wb") as out:
                out.writelines(pieces)
            return
        _remove_stale(target)
        with _temporary(target) as (temporary, out):
            out.writelines(pieces)
            out.flush()
            os.fsync(out.fileno())
            if fcntl is None:  # there, a file that is open cannot take another's name
                out.close()
            temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise _named(error, file) from None


def check_writable(file: str | os.PathLike[str]) -> None:
    """Raise the OSError that writing this file would end in, where that can be known before."""
    try:
        target = _target(file)
        if target.exists() and not target.is_file():
            os.close(_opened(target))
            return
        with _temporary(target) as (temporary, out):
            out.close()
            temporary.unlink()
    except OSError as error:
        raise _named(error, file) from None


def _is_ours(target: Path) -> bool:
    try:
        found = target.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_uid == getattr(os, "geteuid", lambda: 0)()


def _target(file: str | os.PathLike[str]) -> Path:
    """Return the file behind any links; refuse what a stranger put into a shared folder.

    Linux refuses to open such a file or link, but does not see that links are followed here.
    """
    path = Path(os.path.abspath(file))
    step = path
    for _ in range(_MOST_LINKS):
        step = Path(os.path.realpath(step.parent), step.name)
        _refuse_strangers(step)
        if not step.is_symlink():
            break
        step = step.parent / os.readlink(step)
    real = Path(os.path.realpath(path))
    # /dev/stdout leads to a pipe by a name that is no path.
    return path if path.exists() and not real.exists() else real


def _refuse_strangers(path: Path) -> None:
    try:
        folder, found = path.parent.stat(), path.lstat()
    except OSError:
        return
    shared = folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH
    if shared and hasattr(os, "geteuid") and found.st_uid not in (os.geteuid(), folder.st_uid):
        what = "link" if path.is_symlink() else "file"
        raise PermissionError(errno.EACCES, f"a {what} that someone else made")


def _opened(special: Path) -> int:
    """Open a pipe or a device. What became a plain file meanwhile must not be written over."""
    handle = os.open(special, os.O_WRONLY)  # which is an error for a folder
    if stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EBUSY, "it was replaced while it was opened")
    return handle


def _named(error: OSError, file: str | os.PathLike[str]) -> OSError:
    """Return the error with the name that the user gave, not that of a temporary file."""
    if error.errno is None:
        return error
    return OSError(error.errno, error.strerror, os.fspath(file))


@contextlib.contextmanager
def _temporary(target: Path) -> Generator[tuple[Path, BinaryIO]]:
    """Make a file beside the target, locked and with its mode; remove it where it is left."""
    temporary, out = _made(target)
    try:
        yield temporary, out
    except BaseException:
        if fcntl is None:
            _close(out)
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    finally:
        _close(out)  # and the lock with it


def _close(out: BinaryIO) -> None:
    with contextlib.suppress(OSError):  # what it could not write was said before
        out.close()


def _made(target: Path) -> tuple[Path, BinaryIO]:
    while True:
        temporary = target.with_name(f".{_key(target)}.{secrets.token_hex(8)}.tmp")
        try:
            known = target.stat()
        except OSError:
            known = None
        # A new file has the usual mode; one that replaces another is private until it has its mode.
        mode = 0o666 if known is None else 0o600
        # One call into C: where an interrupt ends it, the file is closed, and its lock with it.
        out = open(temporary, "xb", opener=partial(os.open, mode=mode))  # noqa: SIM115
        try:
            if fcntl is None:
                return temporary, out
            handle = out.fileno()
            # Until it has its lock, others take it for the file of a dead writer. Then one of them
            # has the lock, or has removed the file already.
            if not _locked(handle) or not _is_at(handle, temporary):
                out.close()
                continue
            if known is not None:
                with contextlib.suppress(OSError):  # only root can give a file away
                    os.fchown(handle, known.st_uid, known.st_gid)
                os.fchmod(handle, stat.S_IMODE(known.st_mode) & 0o777)
            return temporary, out
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            out.close()
            raise


def _locked(handle: int) -> bool:
    """Lock a file; return False if another has locked it."""
    assert fcntl is not None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks keeps what is left
        pass
    return True


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except OSError:
        return False


def _key(target: Path) -> str:
    """Return the part of a temporary file's name that says what it is for."""
    name = os.fsencode(target.name)
    return target.name if len(name) <= _LONGEST_NAME else hashlib.sha256(name).hexdigest()


def _remove_stale(target: Path) -> None:
    """Remove what writers that were killed have left; a writer that lives holds its lock."""
    if fcntl is None:
        return
    ours = re.compile(re.escape(f".{_key(target)}.") + r"[0-9a-f]{16}\.tmp")
    try:
        names = os.listdir(target.parent)
    except OSError:
        return
    for name in filter(ours.fullmatch, names):
        left = target.with_name(name)
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if stat.S_ISREG(os.fstat(handle).st_mode):
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while it lives
                    if _is_at(handle, left):
                        left.unlink()
            finally:
                os.close(handle)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere a folder cannot be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
