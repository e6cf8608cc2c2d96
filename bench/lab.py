"""The lab's frame rates and latencies in a real Chromium: runs web/bench/lab.mjs.

It needs Node, `npm ci` in web/ and a Chromium; `x.py test` brings them where it can.
"""

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    script = Path(__file__).parent.parent / "web" / "bench" / "lab.mjs"
    sys.exit(subprocess.run(["node", str(script), *sys.argv[1:]], check=False).returncode)
