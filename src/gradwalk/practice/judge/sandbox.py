"""The sandbox of the judge: a script that runs one command where it can do no harm.

    python -I -S -B sandbox.py PLAN        PLAN is JSON; `learner` writes it

    judge ─► this script, the keeper ─► init of a PID namespace ─► the command
             watches memory in all      mounts, then waits         limits, filter, exec

The command sees only the folders that the plan shows, read-only, and one scratch folder in memory.
It has no network and no other process in sight. It runs under limits on address space, processes,
file size, open files and CPU time, and a filter refuses the system calls that would get around
them. Its whole process tree ends with the keeper, and the keeper ends with the judge: the kernel
sees to both, so it holds under SIGKILL too.

The command checks from the inside that all this is so (`trial.attest`), before it loads a line of
a stranger's file. On another system than Linux the plan says "off": then only the limits apply.

The script imports nothing of gradwalk, so that it starts soon and can be read alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
import shutil
import signal
import struct
import sys
import time
from typing import Any, NoReturn

__all__ = ["OVER_MEMORY", "SCRATCH", "SETUP_FAILED"]

#: Exit codes of the keeper: the memory in all was used up; the sandbox could not be made.
OVER_MEMORY, SETUP_FAILED = 113, 114

#: The one folder that the command can write to.
SCRATCH = "/scratch"

PROCESSES = 32  # threads count too
OPEN_FILES = 128
FILE_BYTES = 32 << 20
SCRATCH_BYTES = 64 << 20
CORE_BYTES = 0
# Python itself, its libraries and the stacks of its threads, on top of what the user allows.
BASE_BYTES = 192 << 20
NOBODY = 65534

_WATCH_SECONDS = 0.02

# Where programs and libraries are on a Linux system. Python's own folders come from the plan.
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store", "/etc/ld.so.cache")
# Not /dev/zero: mapped and shared, it is memory that no process is charged for.
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")


def main(plan: dict[str, Any]) -> None:
    """Keep the command: start it, watch it, end with its exit code."""
    die_with_parent(plan["judge"])
    way = plan["sandbox"]
    try:
        if way == "namespaces":
            init = in_namespaces(plan)
        elif way == "bwrap":
            init = in_bubblewrap(plan)
        else:
            init = start(lambda: run(plan))
    except OSError as error:
        fail(error)
    os.closerange(0, 2)  # so that the judge sees the end of the pipe when the command ends
    os._exit(watch(init, plan["memory"]))


def fail(error: OSError) -> NoReturn:
    """Say on stdout, as an answer to the judge, why there is no sandbox."""
    what = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    os.write(1, json.dumps({"id": "start", "open": [what]}).encode() + b"\n")
    os._exit(SETUP_FAILED)


def start(child: Any) -> int:
    """Fork, run `child` there, and return the process id here."""
    process = os.fork()
    if process:
        return process
    try:
        child()
    except OSError as error:
        fail(error)
    finally:
        os._exit(SETUP_FAILED)


# ── Watching ─────────────────────────────────────────────────────────────────────────────────


def watch(init: int, memory: int) -> int:
    """Wait for the command. Kill everything when all processes together exceed the memory."""
    prctl(_SET_CHILD_SUBREAPER, 1)  # what a process leaves behind becomes a child of ours
    most = (memory + BASE_BYTES) >> 10
    while True:
        found, status = os.waitpid(init, os.WNOHANG)
        if found:
            code = os.waitstatus_to_exitcode(status)
            end_all(init)
            return code if code >= 0 else 128 - code
        if held(os.getpid()) > most:
            end_all(init)
            return OVER_MEMORY
        time.sleep(_WATCH_SECONDS)


def end_all(init: int) -> None:
    """Kill the command and whatever it has left, and wait until all of it is gone."""
    with contextlib.suppress(OSError):
        os.kill(init, signal.SIGKILL)  # where it is the init of a namespace, all die with it
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline:
        for process in children(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def held(process: int) -> int:
    """Return how many kilobytes the descendants of a process hold, in memory and in swap."""
    total, stack = 0, children(process)
    while stack:
        one = stack.pop()
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{one}/status", "rb") as f:
            rows = [row.split() for row in f if row.startswith((b"VmRSS", b"VmSwap"))]
            total += sum([int(row[1]) for row in rows])
        stack += children(one)
    return total


def children(process: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{process}/task")
    except OSError:
        return []
    found: list[int] = []
    for task in tasks:
        with (
            contextlib.suppress(OSError, ValueError),
            open(f"/proc/{process}/task/{task}/children") as f,
        ):
            found += [int(word) for word in f.read().split()]
    return found


# ── Namespaces ───────────────────────────────────────────────────────────────────────────────


def in_namespaces(plan: dict[str, Any]) -> int:
    """Start the command in namespaces of its own; return the process id of their init."""
    user, group = os.getuid(), os.getgid()
    namespaces = _NEWUSER | _NEWPID | _NEWNET | _NEWIPC | _NEWUTS
    if user == 0:
        map_ids_from_outside(namespaces)
    else:
        unshare(namespaces)
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{user} {user} 1")
        write("/proc/self/gid_map", f"{group} {group} 1")
    die_with_parent(plan["judge"])  # new credentials have cleared it
    ours, keepers = os.pipe()

    def init() -> None:
        os.close(keepers)
        unshare(_NEWNS)
        new_root(plan)
        become_powerless(_CAP_DAC_READ_SEARCH if user == 0 else None)
        prctl(_SET_PDEATHSIG, signal.SIGKILL)
        os.set_blocking(ours, False)
        with contextlib.suppress(BlockingIOError):  # it blocks for as long as the keeper lives
            os.read(ours, 1)
            os._exit(SETUP_FAILED)
        command = start(lambda: run(plan))
        os.closerange(0, 3)
        while True:
            found, status = os.wait()
            if found == command:
                code = os.waitstatus_to_exitcode(status)
                os._exit(code if code >= 0 else 128 - code)

    return start(init)


def map_ids_from_outside(namespaces: int) -> None:
    """Enter the namespaces as root, with the name that the command runs under as a second one.

    Only a process outside can give a namespace more than one user.
    """
    keeper, (ready, go) = os.getpid(), os.pipe()

    def helper() -> None:
        os.close(go)
        os.read(ready, 1)
        for name in ("uid_map", "gid_map"):
            write(f"/proc/{keeper}/{name}", f"0 0 1\n{NOBODY} {NOBODY} 1\n")
        os._exit(0)

    process = start(helper)
    os.close(ready)
    unshare(namespaces)
    os.close(go)
    if os.waitpid(process, 0)[1] != 0:
        os._exit(SETUP_FAILED)  # the helper has said why


def new_root(plan: dict[str, Any]) -> None:
    """Make a root folder of what the plan shows, read-only, and move into it.

    The command ends up in a folder of the new root, by chroot: the kernel lets nobody make a user
    namespace from there, and with it another file system in memory.
    """
    mount("none", "/", None, _REC | _PRIVATE)
    shown = {path: path for path in (*_SYSTEM, *plan["show"], *_DEVICES)}
    shown |= {place: source for source, place in plan["place"].items()}
    # Where the new root is mounted must not be shown itself. What lies below is opened before.
    spare = ("/tmp", "/mnt", "/media", "/srv")
    top = next((path for path in spare if os.path.isdir(path) and path not in shown), "/")
    links = {path: os.readlink(path) for path in shown if os.path.islink(path)}
    handles = {
        place: os.open(source, os.O_PATH)
        for place, source in shown.items()
        if os.path.exists(source)
    }
    mount("tmpfs", top, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    root = os.path.join(top, "root")
    os.makedirs(root)
    mount(root, root, None, _BIND)
    for path, handle in handles.items():
        target = root + path
        if path in links and path.count("/") == 1:  # /lib → usr/lib
            os.symlink(links[path], target)
            continue
        if not os.path.exists(target):
            make_place(target, is_folder=os.path.isdir(f"/proc/self/fd/{handle}"))
        mount(f"/proc/self/fd/{handle}", target, None, _BIND | _REC)
        os.close(handle)
    for path in plan["hide"]:
        if os.path.isdir(root + path):
            mount("tmpfs", root + path, "tmpfs", _NOSUID | _NODEV, "size=4k,mode=555")
    seal(root)
    for folder, size in ((SCRATCH, SCRATCH_BYTES), ("/dev/shm", SCRATCH_BYTES // 4)):
        os.makedirs(root + folder, exist_ok=True)
        options = f"size={size},nr_inodes=4k,mode=1777"
        mount("tmpfs", root + folder, "tmpfs", _NOSUID | _NODEV, options)
    if not os.path.lexists(root + "/tmp"):
        os.symlink(SCRATCH, root + "/tmp")
    mount(None, root, None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    os.chdir(top)
    check(libc().pivot_root(b".", b"."), "pivot_root")
    check(libc().umount2(b".", _DETACH), "umount")
    mount(None, "/", None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    os.chroot("/root")
    os.chdir(SCRATCH)


def make_place(target: str, *, is_folder: bool) -> None:
    """Make the folder or the empty file that something is mounted on."""
    if is_folder:
        os.makedirs(target)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))


def seal(root: str) -> None:
    """Make every mount below the new root read-only, without set-user-id, without devices."""
    with open("/proc/self/mountinfo", "rb") as f:
        rows = [line.split() for line in f]
    for row in rows:
        place = unescaped(row[4])
        if not place.startswith(root + "/"):
            continue
        flags = _REMOUNT | _BIND | _RDONLY | _NOSUID
        if place.removeprefix(root) not in _DEVICES:
            flags |= _NODEV
        if b"noexec" in row[5].split(b","):
            flags |= _NOEXEC
        mount(None, place, None, flags)


def unescaped(path: bytes) -> str:
    first, *rest = path.split(b"\\")
    return os.fsdecode(first + b"".join([bytes([int(p[:3], 8)]) + p[3:] for p in rest]))


# ── Bubblewrap ───────────────────────────────────────────────────────────────────────────────


def in_bubblewrap(plan: dict[str, Any]) -> int:
    """Let `bwrap` make the namespaces, where a user may not; return its process id.

    Inside, this script runs again, to set the limits and the filter.
    """
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent"]
    words += ["--new-session", "--cap-drop", "ALL", "--disable-userns", "--unshare-user"]
    for path in (*_SYSTEM, *plan["show"]):
        if os.path.islink(path) and path.count("/") == 1:
            words += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            words += ["--ro-bind", path, path]
    for path in plan["hide"]:
        words += ["--tmpfs", path, "--remount-ro", path]
    here = "/sandbox.py"
    for source, place in {**plan["place"], os.path.abspath(__file__): here}.items():
        words += ["--ro-bind", source, place]
    for path in _DEVICES:
        words += ["--dev-bind", path, path]
    for folder, size in ((SCRATCH, SCRATCH_BYTES), ("/dev/shm", SCRATCH_BYTES // 4)):
        words += ["--perms", "1777", "--size", str(size), "--tmpfs", folder]
    words += ["--remount-ro", "/", "--chdir", SCRATCH, "--"]
    inner = {**plan, "sandbox": "inside"}
    words += [sys.executable, "-I", "-S", "-B", here, json.dumps(inner)]

    return start(lambda: os.execv(words[0], words))


# ── The command ──────────────────────────────────────────────────────────────────────────────


def run(plan: dict[str, Any]) -> None:
    """Set the limits and the filter, and become the command."""
    set_limits(plan["memory"], plan["cpu_seconds"], contained=plan["sandbox"] != "off")
    if plan["sandbox"] != "off":
        prctl(_SET_NO_NEW_PRIVS, 1)
        refuse_calls()
    os.execve(plan["command"][0], plan["command"], plan["environment"])


def set_limits(memory: int, cpu_seconds: int, *, contained: bool) -> None:
    import resource

    limits = {
        "CORE": CORE_BYTES,
        "CPU": cpu_seconds,
        "AS": memory + BASE_BYTES,
        "FSIZE": FILE_BYTES,
        "NOFILE": OPEN_FILES,
        # Outside of a namespace the limit counts everything that the user runs.
        **({"NPROC": PROCESSES, "MSGQUEUE": 0} if contained else {}),
    }
    for name, limit in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            _, hard = resource.getrlimit(kind)
            most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            with contextlib.suppress(*(() if contained else (OSError, ValueError))):
                resource.setrlimit(kind, (most, most))


# ── The filter of system calls ───────────────────────────────────────────────────────────────

# The machines that have a filter, by the number that the kernel knows each by.
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# The calls that are refused, with their numbers on each machine. They would reach a socket in a
# folder, memory that no limit counts, other processes, the mounts, or rare parts of the kernel.
_CALLS = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mmap": (9, 222),
    "vmsplice": (278, 75),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "clone": (56, 220),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "clone3": (435, 435),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
}
_NEW_NAMESPACES = 0x7E020000
_SHARED, _ANONYMOUS, _HUGE = 0x01, 0x20, 0x40000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def refuse_calls() -> None:
    """Install the filter. Other machines than these two have none, and `attest` says so."""
    if platform.machine() not in _MACHINES:
        return
    column, machine = list(_MACHINES).index(platform.machine()), _MACHINES[platform.machine()]
    rows = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    rows += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _REFUSE | errno.EPERM)]  # x32
    for name, numbers in _CALLS.items():
        call = numbers[column]
        if name == "clone3":  # its flags are out of sight; Python's library then takes clone
            rows += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
        elif name == "clone":
            rows += [(_EQUAL, 0, 4, call), (_LOAD, 0, 0, 16), (_ANY_BIT, 0, 1, _NEW_NAMESPACES)]
            rows += [(_RETURN, 0, 0, _REFUSE | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]
        elif name == "mmap":  # pages that are shared or huge stay when no process counts them
            rows += [(_EQUAL, 0, 6, call), (_LOAD, 0, 0, 40), (_ANY_BIT, 2, 0, _HUGE)]
            rows += [(_ANY_BIT, 0, 2, _ANONYMOUS), (_ANY_BIT, 0, 1, _SHARED)]
            rows += [(_RETURN, 0, 0, _REFUSE | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]
        else:
            rows += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _REFUSE | errno.EPERM)]
    rows += [(_RETURN, 0, 0, _ALLOW)]
    code = b"".join([struct.pack("HBBI", *row) for row in rows])
    program = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("HP", len(rows), ctypes.addressof(program)))
    check(prctl(_SET_SECCOMP, 2, ctypes.addressof(header)), "seccomp")


# ── Linux, by its C library ──────────────────────────────────────────────────────────────────

_NEWNS, _NEWUTS, _NEWIPC = 0x00020000, 0x04000000, 0x08000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT = 1, 2, 4, 8, 32
_BIND, _REC, _PRIVATE = 4096, 16384, 1 << 18
_DETACH = 2
_SET_PDEATHSIG, _SET_KEEPCAPS, _SET_SECCOMP, _CAPBSET_DROP = 1, 8, 22, 24
_SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS, _CAP_AMBIENT, _CAP_AMBIENT_RAISE = 36, 38, 47, 2
_CAP_DAC_READ_SEARCH = 2
_LAST_CAPABILITY = 63


def libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def prctl(option: int, *arguments: int) -> int:
    if not sys.platform.startswith("linux"):
        return 0
    given = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    return libc().prctl(option, *given)


def unshare(flags: int) -> None:
    check(libc().unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    result = libc().mount(*words, ctypes.c_ulong(flags), options.encode() or None)
    check(result, f"mount {target}")


def write(file: str, text: str) -> None:
    handle = os.open(file, os.O_WRONLY)
    try:
        os.write(handle, text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, file) from None
    finally:
        os.close(handle)


def die_with_parent(parent: int) -> None:
    """Be killed by the kernel when the judge ends; end now if it has ended already."""
    prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(SETUP_FAILED)


def become_powerless(kept: int | None) -> None:
    """Give up all power that comes with the namespace.

    Root becomes nobody, since no limit on processes holds for root, and keeps one capability: to
    read what root can read.
    """
    for capability in range(_LAST_CAPABILITY + 1):
        if capability != kept:
            prctl(_CAPBSET_DROP, capability)  # fails for numbers that this kernel does not know
    if kept is not None:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        prctl(_SET_KEEPCAPS, 1)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    bits = 0 if kept is None else 1 << kept
    header = struct.pack("Ii", 0x20080522, 0)
    data = struct.pack("IIIIII", bits, bits, bits, 0, 0, 0)
    check(libc().capset(header, data), "capset")
    if kept is not None:
        check(prctl(_CAP_AMBIENT, _CAP_AMBIENT_RAISE, kept), "ambient capabilities")


if __name__ == "__main__":
    the_plan = json.loads(sys.argv[1])
    if the_plan["sandbox"] == "inside":
        run(the_plan)
    else:
        main(the_plan)
