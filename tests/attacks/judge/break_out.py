"""Asks the kernel for the powers that would undo the sandbox."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
got = []
for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("network", 0x40000000)):
    if libc.unshare(flag) == 0:
        got.append(name)
if libc.mount(b"none", b"/scratch", b"tmpfs", 0, None) == 0:
    got.append("tmpfs")
if libc.chroot(b"/") == 0:
    got.append("chroot")
for identity in (0, 1000):
    try:
        os.setuid(identity)
        got.append(f"setuid {identity}")
    except OSError:
        pass
if libc.ptrace(16, 1, 0, 0) == 0:
    got.append("ptrace")
for limit in ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_FSIZE"):
    import resource

    try:
        resource.setrlimit(getattr(resource, limit), (resource.RLIM_INFINITY,) * 2)
        got.append(limit)
    except (OSError, ValueError):
        pass
raise RuntimeError(f"got={got}")

#: got=\[\]
