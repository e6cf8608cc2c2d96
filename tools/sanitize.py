#!/usr/bin/env python3
"""Runs the tests of the engine and of the replay on C built with AddressSanitizer and UBSan.

    python3 x.py sanitize                    all of them; exit code 1 on any report
    python3 x.py sanitize tests/test_ops.py  only these, only under sanitizers

The sanitized modules, in a copy of the package, run the tests of the engine, those of recorded
programs and tests/native, but for those that count bytes: a sanitizer keeps freed memory back.

Every process looks for reports, also those that tests start: a report is a file, and one file is a
failure, whatever the exit codes were. First it is tried whether a report is written at all.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import build_native

ROOT = Path(__file__).resolve().parent.parent
LANES = "tests/native/test_lanes.py::test_"
# Those that count bytes, and those that compile C of their own, without sanitizers.
LEFT_OUT = [
    *["tests/native/test_leaks.py", "tests/native/test_replay_leaks.py"],
    f"{LANES}functions_and_derivatives_are_within_2_units[plain]",
    f"{LANES}powers_of_special_numbers_are_those_of_python[plain]",
    f"{LANES}other_compilers_get_the_same_numbers",
]

READS_FREED = """
import ctypes
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
block = libc.malloc(16)
libc.free(block)
ctypes.string_at(block, 8)
"""

NATIVE = (
    "import gradwalk.engine._native as a, gradwalk.program._replay as b; "
    "print(a.__file__); print(b.__file__)"
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tests", nargs="*", help="files and folders, as pytest takes them")
    parser.add_argument("--base", action="store_true", help="compile kernels for one level only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args(arguments)
    libraries = sanitizer_libraries()
    if not libraries:
        print(
            f"sanitize: {build_native.COMPILER} has no AddressSanitizer and UBSan, so NOTHING was "
            "checked.\nInstall them (Debian: apt install gcc libasan8 libubsan1), or set CC.",
            file=sys.stderr,
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="gradwalk-sanitize-") as folder:
        return sanitize(Path(folder), libraries, options)


def sanitizer_libraries() -> list[str]:
    """Return the libraries that Python has to load first; none where the compiler has none."""
    if not shutil.which(build_native.COMPILER):
        return []
    ask = [build_native.COMPILER, "-print-file-name=libasan.so", "-print-file-name=libubsan.so"]
    found = [subprocess.check_output([ask[0], question], text=True).strip() for question in ask[1:]]
    return found if all(os.path.isabs(path) and os.path.exists(path) for path in found) else []


def sanitize(folder: Path, libraries: list[str], options: argparse.Namespace) -> int:
    reports = folder / "report"
    sanitized = {
        "LD_PRELOAD": " ".join(libraries),
        # Python itself never frees all: leaks are what the second part counts.
        "ASAN_OPTIONS": f"detect_leaks=0:halt_on_error=1:log_path={reports}",
        "UBSAN_OPTIONS": f"halt_on_error=1:print_stacktrace=1:log_path={reports}",
        "PYTHONMALLOC": "malloc",  # its own allocator would hide what it hands out
        "GRADWALK_SANITIZE": "1",  # tests take smaller sizes then
        "GRADWALK_PROGRAMS": "200",  # of the random ones
    }
    if not notices(folder, sanitized):
        print("sanitize: FAILED, for it does not notice a read of freed memory", file=sys.stderr)
        return 1
    chosen = [*(options.tests or ["--only=c"]), *[f"--deselect={name}" for name in LEFT_OUT]]
    failed = [part("sanitize", folder / "sanitize", sanitized, chosen, options)]
    for report in sorted(folder.glob("report.*")):
        print(report.read_text("utf-8", errors="replace"), file=sys.stderr)
        failed.append(True)
    print(f"sanitize: {'FAILED' if any(failed) else 'no report'}", file=sys.stderr)
    return 1 if any(failed) else 0


def notices(folder: Path, variables: dict[str, str]) -> bool:
    """Whether there is a report when a process that a test starts reads what was freed."""
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {READS_FREED!r}])"
    subprocess.run(
        [sys.executable, "-c", start],
        env={**os.environ, **variables},
        capture_output=True,
        check=False,
    )
    found = [(report, report.read_text("utf-8", "replace")) for report in folder.glob("report.*")]
    for report, _ in found:
        report.unlink()
    return any("heap-use-after-free" in text for _, text in found)


def part(
    kind: str,
    folder: Path,
    variables: dict[str, str],
    tests: list[str],
    options: argparse.Namespace,
) -> bool:
    """Run tests on a copy of the package with this build; return whether something failed."""
    package = build_native.copied(folder)
    targets = build_native.build(kind, package, every_level=not options.base)
    environment = {
        **os.environ,
        **variables,
        "PYTHONPATH": str(folder),
        "GRADWALK_BACKEND": "native",
    }
    asked = subprocess.run(
        [sys.executable, "-c", NATIVE], env=environment, capture_output=True, check=False, text=True
    )
    if asked.stdout.split() != [str(target) for target in targets]:
        print(f"sanitize: not the {kind} build: {asked.stdout}{asked.stderr}", file=sys.stderr)
        return True
    print(f"sanitize: the tests on the {kind} build", file=sys.stderr)
    several = ["-n", str(options.jobs), "--dist", "worksteal"]
    workers = several if options.jobs > 1 else ["-n", "0"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
