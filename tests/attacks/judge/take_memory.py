"""Takes memory in every way but by allocating it, until each way is refused."""

import ctypes
import mmap
import os

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
taken["mappings"] = 0
try:
    while taken["mappings"] < MOST:
        kept.append(mmap.mmap(-1, 64 * MEGABYTE))
        taken["mappings"] += 64
except OSError:
    pass
kept.clear()
raise RuntimeError(" ".join(f"{name.replace(' ', '-')}={size}" for name, size in taken.items()))
