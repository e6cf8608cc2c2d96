import contextlib
import os
import shutil
import sys
from pathlib import Path

from target import TARGET

for file in (*TARGET["files"], __file__, sys.executable, os.__file__):
    with contextlib.suppress(OSError):
        Path(file).write_text("changed")
    with contextlib.suppress(OSError):
        os.chmod(file, 0)
    with contextlib.suppress(OSError):
        os.remove(file)
shutil.rmtree(Path(__file__).parent, ignore_errors=True)
with contextlib.suppress(OSError):
    (Path(__file__).parent / "left behind").write_text("here")
seen = [file for file in TARGET["secrets"] if os.path.exists(file)]
raise RuntimeError(f"seen={len(seen)} variable={os.environ.get('GRADWALK_SECRET')}")
