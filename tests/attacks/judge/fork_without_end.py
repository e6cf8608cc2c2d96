import os
import time

count = 0
try:
    while count < 500:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        count += 1
except OSError:
    pass
raise RuntimeError(f"processes={count}")

#: processes=0
