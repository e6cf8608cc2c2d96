#!/usr/bin/env python3
"""Builds the native modules with plain gcc, without CMake: for work on the C, and for sanitizers.

    python tools/build_native.py                    into src/gradwalk, for this Python
    python tools/build_native.py --into /tmp/there  into another copy of the package
    python tools/build_native.py --only replay      one of the two
    python tools/build_native.py --kind sanitize    AddressSanitizer and UBSan
    python tools/build_native.py --kind hooks       with the test hooks that make allocations fail

The packaged build is src/CMakeLists.txt; the flags here are the same. tools/wheels.py compiles for
other systems, with a `Target` for each.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src/gradwalk"
COMPILER = os.environ.get("CC", "gcc")
FLAGS = ["-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-fno-math-errno"]
# Contracted multiply-adds, and pow(x, -1) folded to 1/x, would not be bit-equal to plain Python.
EXACT = "-ffp-contract=off"
ENGINE = ["-std=c11", EXACT, "-fno-builtin-pow", "-falign-functions=64"]
REPLAY = ["-std=gnu11", EXACT]
KERNELS = [*REPLAY, "-Wno-psabi", "-fno-trapping-math", "-fno-asynchronous-unwind-tables"]
# The files *_kernels.c are compiled once for each of these.
# SLP would gather the square roots of all steps into the jump that ends each step.
LEVELS: dict[str, list[str]] = {"base": ["-fno-tree-slp-vectorize"]}
if platform.machine() in ("x86_64", "AMD64"):
    LEVELS["avx2"] = ["-mavx2", "-mfma"]
    avx512 = ["-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx512bw", "-mfma"]
    LEVELS["avx512"] = [*avx512, "-mprefer-vector-width=512"]
KINDS = {
    "release": ["-O3", "-DNDEBUG"],
    "hooks": ["-O1", "-g1", "-DGRADWALK_TEST_HOOKS"],  # lines are all that a backtrace names
    "sanitize": [
        "-O1",
        "-g1",
        "-fno-omit-frame-pointer",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
        "-DGRADWALK_TEST_HOOKS",
    ],
}
# Module: the folder it lies in, and that of its sources.
MODULES = {"engine": ("engine", "_native"), "replay": ("program", "_replay")}


class Target(NamedTuple):
    """The system and the Python that modules are compiled for."""

    compiler: list[str]
    flags: list[str]
    suffix: str


HERE = Target(
    [COMPILER],
    ["-fPIC", f"-I{sysconfig.get_path('include')}"],
    str(sysconfig.get_config_var("EXT_SUFFIX")),
)


def copied(folder: Path) -> Path:
    """Copy the package without what was built for this Python; return the copy's folder."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    return Path(shutil.copytree(PACKAGE, folder / "gradwalk", ignore=ignored))


def build(
    kind: str,
    package: Path,
    only: str | None = None,
    every_level: bool = True,
    target: Target = HERE,
) -> list[Path]:
    """Compile into a copy of the package; return the modules."""
    # What the hooks are for is the same on every level, and kernels take long to compile.
    levels = LEVELS if every_level and kind != "hooks" else {"base": LEVELS["base"]}
    modules = [only] if only else list(MODULES)
    return [build_module(name, kind, package, levels, target) for name in modules]


def build_module(
    name: str, kind: str, package: Path, levels: dict[str, list[str]], target: Target
) -> Path:
    folder, module = MODULES[name]
    made = package / folder / f"{module}{target.suffix}"
    made.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="gradwalk-build-") as into:
        objects = compile_all(name, kind, levels, Path(into), target)
        link = [*target.compiler, "-shared", *KINDS[kind], *objects, "-o", str(made)]
        subprocess.run([*link, "-lm", "-pthread"], check=True)
    return made


def compile_all(
    name: str, kind: str, levels: dict[str, list[str]], into: Path, target: Target
) -> list[str]:
    """Compile each source, kernels once for each level; return the objects."""
    commands: list[list[str]] = []
    for source in sorted((PACKAGE / MODULES[name][0] / "native").rglob("*.c")):
        for level, wide in levels.items() if source.stem.endswith("_kernels") else [("", [])]:
            flags = KERNELS if level else ENGINE if name == "engine" else REPLAY
            macros = [f"-DLEVEL={level}"] if level else []
            if level and kind == "sanitize":  # a third of the time to compile; ASan sees these too
                macros.append("-fno-sanitize=alignment,null,pointer-overflow,object-size")
            macros += [f"-DGRADWALK_LEVELS={(1 << len(levels)) - 1}"]
            options = [*FLAGS, *flags, *KINDS[kind], *wide, *macros, *target.flags]
            made = str(into / f"{source.stem}_{level}.o")
            commands.append([*target.compiler, *options, "-c", str(source), "-o", made])
    commands.sort(key=lambda command: "_kernels" not in command[-3])  # the longest first
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda command: subprocess.run(command, check=True), commands))
    return [command[-1] for command in commands]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kind", choices=KINDS, default="release")
    parser.add_argument("--only", choices=MODULES)
    parser.add_argument("--into", type=Path, default=PACKAGE)
    options = parser.parse_args()
    for built in build(options.kind, options.into, options.only):
        print(built)
