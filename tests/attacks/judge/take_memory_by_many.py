"""Each process stays below its own limit; together they do not."""

import os
import time

started = 0
for _ in range(8):
    try:
        child = os.fork()
    except OSError:
        continue
    if child == 0:
        block = bytearray(200 << 20)
        for page in range(0, len(block), 4096):
            block[page] = 1
        time.sleep(60)
        os._exit(0)
    started += 1
time.sleep(5 * bool(started))
raise RuntimeError(f"started={started}")

#: started=0
