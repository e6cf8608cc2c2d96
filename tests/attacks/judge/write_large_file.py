import contextlib
import os

with open("large", "wb", buffering=0) as out, contextlib.suppress(OSError):
    for _ in range(60):
        out.write(b"x" * (1 << 20))
raise RuntimeError(f"size={os.path.getsize('large')}")
