import contextlib
import json
import os
import signal
from pathlib import Path

target = json.loads((Path(__file__).parent / "target.json").read_text())
for process in (target["process"], os.getppid(), 1, -1):
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(OSError):
            os.kill(process, number)
raise RuntimeError("still here")
