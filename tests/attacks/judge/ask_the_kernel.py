"""Tries each system call that the filter refuses, and says which were not."""

import ctypes
import errno

from target import TARGET

libc = ctypes.CDLL(None, use_errno=True)
open_ = []
for name, number in TARGET["calls"].items():
    if name in ("fork", "vfork"):
        continue  # they return twice
    ctypes.set_errno(0)
    libc.syscall(number, -1, -1, -1, -1, -1, -1)
    if ctypes.get_errno() != errno.EPERM:
        open_.append(name)
raise RuntimeError(f"open={open_}")
