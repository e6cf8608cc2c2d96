"""Takes memory in every way but by allocating it, until each way is refused."""

import contextlib
import ctypes
import mmap
import os
import socket

MEGABYTE = 1 << 20
MOST = 1500
taken = {}
kept = []


def fill(name, folder):
    taken[name] = 0
    block = b"x" * MEGABYTE
    for number in range(64):
        if taken[name] >= MOST:
            return
        try:
            with open(f"{folder}/{number}", "wb", buffering=0) as out:
                while taken[name] < MOST and out.write(block):
                    taken[name] += 1
        except OSError:
            continue


fill("shared memory", "/dev/shm")
fill("scratch", os.environ.get("TMPDIR", "/tmp"))
taken["memory files"] = 0
for number in range(64):
    try:
        handle = os.memfd_create(str(number))
        while taken["memory files"] < MOST:
            os.write(handle, b"x" * MEGABYTE)
            taken["memory files"] += 1
    except OSError:
        break
taken["segments"] = 0
libc = ctypes.CDLL(None, use_errno=True)
while taken["segments"] < MOST and libc.shmget(0, 64 * MEGABYTE, 0o1666) >= 0:
    taken["segments"] += 64


def share(name, handle):
    """Fill shared pages and let go of them: then no process counts them, and they stay."""
    taken[name] = 0
    try:
        while taken[name] < 256:
            pages = mmap.mmap(handle, 32 * MEGABYTE)
            for page in range(0, len(pages), mmap.PAGESIZE):
                pages[page] = 1
            pages.madvise(mmap.MADV_DONTNEED)
            kept.append(pages)
            taken[name] += 32
    except OSError:
        pass
    kept.clear()


share("shared mappings", -1)
taken["shared device"] = 0
with contextlib.suppress(OSError):
    share("shared device", os.open("/dev/zero", os.O_RDWR))
taken["sockets"] = 0
with contextlib.suppress(OSError):
    while taken["sockets"] < MOST:
        kept.append(socket.socketpair())
        kept[-1][0].setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while kept[-1][0].send(b"x" * MEGABYTE):
                pass
        taken["sockets"] += 1
kept.clear()
taken["mappings"] = 0
with contextlib.suppress(OSError):
    while taken["mappings"] < MOST:
        kept.append(mmap.mmap(-1, 64 * MEGABYTE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
        taken["mappings"] += 64
kept.clear()
raise RuntimeError(" ".join(f"{name.replace(' ', '-')}={size}" for name, size in taken.items()))

#: shared-memory=0 scratch=0 memory-files=0 segments=0 shared-mappings=0
#: shared-device=0 sockets=0 mappings=(0|64|128|192|256|320|384|448|512)\b
