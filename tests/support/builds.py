"""C that tests compile: the first worker that needs a build makes it, and the others use it."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "build_native.py"


def made_once(factory, name, make) -> Path:
    """Return what `make` returns for a folder of this name; whoever is first calls it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    with (base / f"{name}.made").open("a+") as note:
        fcntl.flock(note, fcntl.LOCK_EX)
        note.seek(0)
        made = note.read()
        if not made:
            shutil.rmtree(base / name, ignore_errors=True)  # of a worker that failed
            (base / name).mkdir()
            made = str(make(base / name))
            note.write(made)
    return Path(made)


def hooked(factory: pytest.TempPathFactory, native: ModuleType, module: str) -> str:
    """Return the file of a native module with test hooks: `native` itself if it has them."""
    if any(name.startswith("_fail_") for name in dir(native)):
        return native.__file__ or ""
    if not TOOL.exists() or not shutil.which(os.environ.get("CC", "gcc")):
        pytest.skip("no compiler for the build with hooks")

    def make(folder: Path) -> str:
        command = [sys.executable, TOOL, "--kind", "hooks", "--only", module, "--into", folder]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    return str(made_once(factory, f"hooks_{module}", make))
