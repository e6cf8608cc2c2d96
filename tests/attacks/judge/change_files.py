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
changed = []  # who may use a device: root's own, as whoever judges may be
for change, words in ((os.chmod, [0o666]), (os.chown, [-1, -1]), (os.utime, [])):
    with contextlib.suppress(OSError):
        change(os.devnull, *words)
        changed.append(change.__name__)
seen = [file for file in TARGET["secrets"] if os.path.exists(file)]
raise RuntimeError(
    f"seen={len(seen)} changed={changed} variable={os.environ.get('GRADWALK_SECRET')}"
)

#: seen=0 changed=\[\] variable=None
