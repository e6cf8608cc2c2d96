"""Each process stays below its own limit; together they do not."""

import os
import time

for _ in range(8):
    if os.fork() == 0:
        block = bytearray(200 << 20)
        for page in range(0, len(block), 4096):
            block[page] = 1
        time.sleep(60)
        os._exit(0)
time.sleep(60)
raise RuntimeError("all of them got it")
