#!/usr/bin/env python3
"""Builds the native engine with plain gcc, without CMake: for work on the C, and for sanitizers.

    python tools/build_native.py                    into src/gradwalk/engine/, for this Python
    python tools/build_native.py --into /tmp/there  somewhere else
    python tools/build_native.py --kind sanitize    AddressSanitizer and UBSan
    python tools/build_native.py --kind hooks       with the test hooks that make slabs fail

The packaged build is CMakeLists.txt; the flags here are the same.
"""

import argparse
import os
import subprocess
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src/gradwalk/engine/native"
COMPILER = os.environ.get("CC", "gcc")
# Contracted multiply-adds, and pow(x, -1) folded to 1/x, would not be bit-equal to the reference.
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden"]
SAME_BITS = ["-ffp-contract=off", "-fno-builtin-pow", "-fno-math-errno"]
KINDS = {
    "release": ["-O3", "-DNDEBUG"],
    "hooks": ["-O1", "-g", "-DGRADWALK_TEST_HOOKS"],
    "sanitize": [
        "-O1",
        "-g",
        "-fno-omit-frame-pointer",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
        "-DGRADWALK_TEST_HOOKS",
    ],
}


def build(kind: str, into: Path) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    target = into / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    if kind == "hooks" and os.environ.get("GRADWALK_SANITIZE"):  # set by tools/sanitize.py
        kind = "sanitize"
    command = [COMPILER, *FLAGS, *SAME_BITS, *KINDS[kind]]
    command += [f"-I{sysconfig.get_path('include')}", *map(str, sorted(SOURCES.glob("*.c")))]
    subprocess.run([*command, "-o", str(target), "-lm"], check=True)
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kind", choices=KINDS, default="release")
    parser.add_argument("--into", type=Path, default=SOURCES.parent)
    options = parser.parse_args()
    print(build(options.kind, options.into))
