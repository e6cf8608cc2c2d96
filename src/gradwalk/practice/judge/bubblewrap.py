"""Bubblewrap for strangers' files: its command line, a filter of system calls, and why it fails.

    bwrap [namespaces] [what is in sight] --seccomp FD -- python trial.py

We write no sandbox. Namespaces, mounts and their order are bubblewrap's. What is decided here is
what the process sees: `/usr`, the folders of this Python, the submission, and nothing that can be
written to. The filter is a second line. `trial.attest` tries the result before the file is run.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
import site
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

#: Where the process finds the submission, and its home, which is empty.
FOLDER, HOME = "/learner", "/empty"

_NOBODY = "65534"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
_CONFIGURATION = ("/etc/ld.so.cache", "/etc/alternatives")
# Not /dev/zero: mapped and shared, it is memory that no process is charged for.
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
# Of a Python outside of /usr. Conda keeps other environments in the same folder.
_OF_PREFIX = ("bin", "lib", "lib32", "lib64", "pyvenv.cfg")


def bubblewrap() -> str | None:
    """Return the path of bwrap. A relative part of PATH could lead into a learner's folder."""
    parts = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    return shutil.which("bwrap", path=os.pathsep.join(parts))


def command(
    bwrap: str, words: list[str], files: Mapping[str, bytes], hidden: Iterable[str]
) -> tuple[list[str], list[int]]:
    """Return the command that runs `words` in the sandbox, and descriptors to hand to it.

    `files` are put into the sandbox by their bytes, so that no path of theirs is followed again.
    """
    out = [bwrap, "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    out += ["--uid", _NOBODY, "--gid", _NOBODY, "--die-with-parent", "--new-session"]
    shown = list(_shown())
    for path in shown:
        link = ["--symlink", os.readlink(path)] if os.path.islink(path) else ["--ro-bind", path]
        out += [*link, path]
    for path in hidden:
        if any(path.startswith(f"{folder}/") for folder in shown):
            over = ["--tmpfs", path, "--remount-ro", path]
            out += over if os.path.isdir(path) else ["--ro-bind", "/dev/null", path]
    for path in _DEVICES:
        out += ["--dev-bind", path, path]
    out += ["--dir", HOME, "--dir", FOLDER]
    descriptors = [_in_memory(code) for code in (*files.values(), _filter())]
    for descriptor, place in zip(descriptors, files, strict=False):
        out += ["--ro-bind-data", str(descriptor), place]
    out += ["--remount-ro", "/", "--chdir", FOLDER, "--seccomp", str(descriptors[-1]), "--"]
    return [*out, *words], descriptors


def _in_memory(data: bytes) -> int:
    descriptor = os.memfd_create("gradwalk")
    with os.fdopen(os.dup(descriptor), "wb") as out:
        out.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _shown() -> Iterator[str]:
    """Yield what is in sight: folders first, then links to them."""
    found = [path for path in (*_SYSTEM, *_CONFIGURATION) if os.path.exists(path)]
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        found += [os.path.join(os.path.realpath(prefix), part) for part in _OF_PREFIX]
        found += [os.path.join(prefix, part) for part in _OF_PREFIX]
    if site.ENABLE_USER_SITE:
        found.append(site.getusersitepackages())
    # Libraries of Python itself, where they lie elsewhere. Not their folder: it may be a home.
    lines = Path("/proc/self/maps").read_text("utf-8", "surrogateescape").splitlines()
    mapped = {line.split(maxsplit=5)[5] for line in lines if line.count(" /")}
    found += [one for one in mapped if re.search(r"/lib[^/]*\.so", one)]
    kept: list[str] = []
    for path in dict.fromkeys(map(os.path.normpath, found)):
        inside = any(path.startswith(f"{folder}/") for folder in kept)
        if os.path.exists(path) and not inside:
            kept.append(path)
    yield from kept
    link = os.path.abspath(sys.executable)  # ".." would hide that it is in sight
    while os.path.islink(link):
        if not any(link.startswith(f"{folder}/") for folder in kept):
            yield link
        link = os.path.join(os.path.dirname(link), os.readlink(link))


def remedy(complaint: str, bwrap: str | None) -> str:
    """Return why there is no sandbox, and what mends that, from what bubblewrap said."""
    said = " ".join(complaint.split())[:300]
    if not sys.platform.startswith("linux"):
        return f"bubblewrap needs Linux, this is {sys.platform}"
    if bwrap is None:
        return "bubblewrap is not installed: apt install bubblewrap, or dnf, pacman, apk"
    if "uid map: Permission denied" in said or "RTM_NEWADDR" in said:
        return (
            f"AppArmor forbids bubblewrap to make a user namespace ({said}).\n"
            "As root, write these lines to /etc/apparmor.d/bwrap, then: systemctl reload apparmor\n"
            "    abi <abi/4.0>,\n    include <tunables/global>\n"
            f"    profile bwrap {bwrap} flags=(unconfined) {{\n      userns,\n    }}"
        )
    if "Unknown option" in said:
        return f"this bubblewrap is older than 0.8 ({said})"
    return f"bubblewrap did not hold: {said}"


# ── The filter of system calls ───────────────────────────────────────────────────────────────

# The machines that have a filter, by the number that the kernel knows each by.
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# The calls that are refused, each with its number on x86_64 and aarch64, or -1. They would
# reach a socket in a folder, memory that no limit counts, other processes, the mounts, the kernel's
# log, rare parts of the kernel, or who may use a device: root's own, though nothing can be written.
_TABLE = """
fork 57 -1  vfork 58 -1  socket 41 198  socketpair 53 199  shmget 29 194  msgget 68 186
semget 64 190  vmsplice 278 75  memfd_create 319 279  memfd_secret 447 447  mq_open 240 180
ptrace 101 117  process_vm_readv 310 270  process_vm_writev 311 271  process_madvise 440 440
pidfd_open 434 434  pidfd_getfd 438 438  pidfd_send_signal 424 424  kcmp 312 272  mount 165 40
umount2 166 39  pivot_root 155 41  chroot 161 51  unshare 272 97  setns 308 268
name_to_handle_at 303 264  open_by_handle_at 304 265  fanotify_init 300 262  add_key 248 217
request_key 249 218  keyctl 250 219  bpf 321 280  perf_event_open 298 241  userfaultfd 323 282
io_uring_setup 425 425  io_uring_enter 426 426  io_uring_register 427 427  open_tree 428 428
fsopen 430 430  fsmount 432 432  fspick 433 433  move_mount 429 429  mount_setattr 442 442
fsconfig 431 431  statmount 457 457  listmount 458 458  open_tree_attr 467 467  syslog 103 116
inotify_init 253 -1  inotify_init1 294 26  io_setup 206 0  chmod 90 -1  fchmod 91 52
fchmodat 268 53  fchmodat2 452 452  chown 92 -1  fchown 93 55  lchown 94 -1  fchownat 260 54
utime 132 -1  utimes 235 -1  futimesat 261 -1  utimensat 280 88  setxattr 188 5  lsetxattr 189 6
fsetxattr 190 7  setxattrat 463 463  removexattr 197 14  lremovexattr 198 15  fremovexattr 199 16
removexattrat 466 466  file_setattr 469 469
"""
_CALLS = {
    name: (int(x86), int(arm)) for name, x86, arm in zip(*[iter(_TABLE.split())] * 3, strict=True)
}
_CLONE, _MMAP, _CLONE3 = (56, 220), (9, 222), 435
_THREAD, _NEW_NAMESPACES = 0x10000, 0x7E020000
_SHARED, _ANONYMOUS, _HUGE = 0x01, 0x20, 0x40000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def _filter() -> bytes:
    """Return the filter. Machines other than these two have none, and `attest` says so."""
    if platform.machine() not in _MACHINES:
        return struct.pack("HBBI", _RETURN, 0, 0, _ALLOW)
    column, machine = list(_MACHINES).index(platform.machine()), _MACHINES[platform.machine()]
    refused, allowed = (_RETURN, 0, 0, _REFUSE | errno.EPERM), (_RETURN, 0, 0, _ALLOW)
    rows = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    rows += [(_AT_LEAST, 0, 1, 0x40000000), refused]  # x32
    for numbers in _CALLS.values():
        if numbers[column] >= 0:
            rows += [(_EQUAL, 0, 1, numbers[column]), refused]
    # Its flags are out of sight; Python's library then takes clone.
    rows += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    # A thread may start, a process may not.
    rows += [(_EQUAL, 0, 5, _CLONE[column]), (_LOAD, 0, 0, 16), (_ANY_BIT, 1, 0, _NEW_NAMESPACES)]
    rows += [(_ANY_BIT, 1, 0, _THREAD), refused, allowed]
    # Pages that are shared or huge stay when no process counts them.
    rows += [(_EQUAL, 0, 6, _MMAP[column]), (_LOAD, 0, 0, 40), (_ANY_BIT, 2, 0, _HUGE)]
    rows += [(_ANY_BIT, 0, 2, _ANONYMOUS), (_ANY_BIT, 0, 1, _SHARED), refused, allowed, allowed]
    return b"".join([struct.pack("HBBI", *row) for row in rows])
