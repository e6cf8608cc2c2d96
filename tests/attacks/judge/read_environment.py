import os
import sys

found = [
    name for name in ("PYTHONPATH", "LD_LIBRARY_PATH", "GRADWALK_SECRET") if name in os.environ
]
raise RuntimeError(f"found={found} path={'' in sys.path or '.' in sys.path}")

#: found=\[\] path=False
