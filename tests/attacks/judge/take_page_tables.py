"""Reads one page here and there: the page of zeros is free, and its page tables are not."""

import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
for number in range(1, 64_000):
    page = libc.mmap(number << 30, 4096, 1, 0x22, -1, 0)
    if page == ctypes.c_void_p(-1).value:
        break
    seen = ctypes.c_char.from_address(page).value
time.sleep(0.5)
raise RuntimeError(f"pages={number}")

#: more than 256 MB in all
