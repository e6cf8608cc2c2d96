"""What the judge counts from outside: the memory and the threads of a process and its descendants.

Where the kernel lends a cgroup, it counts memory as well, and what no process is charged for.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path
from time import monotonic, sleep

BASE_BYTES = 192 << 20  # Python, its libraries and stacks, on top of what the user allows
THREADS = 64  # over all processes, each of which has one or more
_GROUP_BYTES = 128 << 20  # of no process: the files of the sandbox's root, and the kernel's own
_GROUPS = Path("/sys/fs/cgroup")


def held(process: int) -> tuple[int, int]:
    """Return the bytes that a process and its descendants hold, page tables too, and threads."""
    kilobytes = threads = 0
    for one in (process, *descendants(process)):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{one}/status", "rb") as f:
            rows = dict([row.split(b":", 1) for row in f])
            threads += int(rows[b"Threads"])
            for name in (b"VmRSS", b"VmSwap", b"VmPTE"):
                kilobytes += int(rows.get(name, b"0").split()[0])
    return kilobytes << 10, threads


def descendants(process: int) -> list[int]:
    found = [process]
    for one in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{one}/task"):
                children = Path(f"/proc/{one}/task/{task}/children").read_text()
                found += map(int, children.split())
    return found[1:]


def lend_group(memory: int) -> Path | None:
    """Make a cgroup with this much memory; None where none can be had."""
    most = memory + BASE_BYTES + _GROUP_BYTES
    with contextlib.suppress(OSError, ValueError):
        rows = [row.split(":", 2) for row in Path("/proc/self/cgroup").read_text().splitlines()]
        for _, kinds, ours in rows:
            if "memory" in kinds.split(","):
                above, limits = _GROUPS / "memory" / ours[1:], {"memory.limit_in_bytes": most}
            elif not kinds:  # a group beside ours: one with processes in it lends nothing
                above = (_GROUPS / ours[1:]).parent if ours != "/" else _GROUPS
                limits = {"memory.max": most, "memory.swap.max": 0, "memory.oom.group": 1}
            else:
                continue
            if group := _made(above, limits):
                return group
    return None


def _made(above: Path, limits: dict[str, int]) -> Path | None:
    for left in above.glob("gradwalk-judge-*"):  # by a judge that was killed
        if not os.path.exists(f"/proc/{left.name.split('-')[2]}"):
            return_group(left)
    group = above / f"gradwalk-judge-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        group.mkdir()
        for name, limit in limits.items():
            with open(os.open(group / name, os.O_WRONLY), "w") as file:  # it is there, or no cgroup
                file.write(str(limit))
    except OSError:
        return_group(group)
        return None
    return group


def return_group(group: Path) -> None:
    """Remove a group. Its processes have been killed, and some may still be on their way out."""
    end = monotonic() + 2.0
    while True:
        try:
            return group.rmdir()
        except OSError as error:
            if error.errno != errno.EBUSY or monotonic() > end:
                return
            sleep(0.002)
