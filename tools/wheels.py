#!/usr/bin/env python3
"""Builds what pip installs, tests it where this machine can, and prints a table of what was done.

    python3 x.py wheels                    all rows, into dist/
    python3 x.py wheels sdist pure         only these

A row says how far it got: *tested* (the package was installed and its tests ran), *compiled*,
*configured* (cibuildwheel reads the settings; nothing was built), or *not here*. Wheels for
publication are built and tested by cibuildwheel in .github/workflows/wheels.yml, on machines of
each kind. Here is what needs no such machine.

Other systems' C is compiled by zig. Debian's Python for aarch64 runs in QEMU. Start reading at
ROWS.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import build_native
from other_python import from_debian, site_with

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
# The last version that the classifiers name.
LATEST = re.findall(r":: (3\.\d+)$", "\n".join(PYPROJECT["project"]["classifiers"]), re.M)[-1]
LAB_BILL = ROOT / "src/gradwalk/lab/static/sbom.cdx.json"

TESTS = [f"tests/test_{name}.py" for name in ("engine", "attributes", "copying")]

BUILD = """
import json, sys
from scikit_build_core.build import build_sdist, build_wheel
if sys.argv[1] == "sdist":
    print(build_sdist(sys.argv[2]))
else:
    print(build_wheel(sys.argv[2], json.loads(sys.argv[3])))
"""

# Windows' answers to what Python's headers ask of a compiler, in place of the file of this system.
WINDOWS = """\
#define MS_WINDOWS
#define MS_WIN64
#define NT_THREADS
#define HAVE_DECLSPEC_DLL
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define ALIGNOF_MAX_ALIGN_T 8
#define HAVE_PY_SSIZE_T 1
typedef long long Py_ssize_t;
#define PY_SSIZE_T_MAX 0x7fffffffffffffff
"""


class Done(NamedTuple):
    """How far a row got, and what that means."""

    state: str
    words: str


class FailedError(Exception):
    """A step that did not end well, in words for the table."""


UV = os.environ.get("GRADWALK_UV", "uv")  # x.py says which


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}")
    options = parser.parse_args(arguments)
    unknown = set(options.rows) - set(ROWS)
    if unknown:
        parser.error(f"there is no row {', '.join(sorted(unknown))}; there is {', '.join(ROWS)}")
    DIST.mkdir(exist_ok=True)
    done: dict[str, Done] = {}
    for name in options.rows or ROWS:
        try:
            done[name] = ROWS[name]()
        except (FailedError, KeyError, OSError, subprocess.CalledProcessError) as error:
            done[name] = Done("FAILED", str(error).partition("\n")[0][:200])
        except LookupError as missing:
            done[name] = Done("not here", str(missing))
        print(f"wheels: {name}: {': '.join(done[name])}", file=sys.stderr, flush=True)
    widths = [max(map(len, column)) for column in ([*done, "row"], ["configured"])]
    for name, (state, words) in [("row", Done("state", "what was done")), *done.items()]:
        print(f"{name:<{widths[0]}}  {state:<{widths[1]}}  {words}")
    return int(any(row.state == "FAILED" for row in done.values()))


# ── What is built as pip would ───────────────────────────────────────────────────────────────


@cache
def source() -> Path:
    return DIST / build("sdist", ROOT)


def sdist() -> Done:
    made = source()
    with tarfile.open(made) as file:
        names = file.getnames()
    return Done("built", f"{made.name}: {len(names)} files, {made.stat().st_size >> 10} KB")


def pure() -> Done:
    """The wheel for systems that have no other: no C in it, and `gradwalk doctor` says so."""
    with tempfile.TemporaryDirectory(prefix="gradwalk-wheel-") as folder:
        wheel = DIST / build('{"wheel.cmake": "false"}', unpacked(folder))
        if not wheel.name.endswith("py3-none-any.whl"):
            raise FailedError(f"{wheel.name} is not pure")
        add_bill(wheel)
        there = Path(folder, "there")
        capture([UV, "venv", "--quiet", "--python", sys.executable, str(there)])
        python = str(there / "bin" / "python")
        capture([UV, "pip", "install", "--quiet", "--python", python, str(wheel)])
        doctor = capture([python, "-m", "gradwalk", "doctor"])
        if not re.search(r"^engine +python", doctor, re.MULTILINE):
            raise FailedError("gradwalk doctor does not name the Python engine")
        count = run_tests(python, "", "python", "tests/test_engine.py")
    return Done("tested", f"{wheel.name}: {count}")


def add_bill(wheel: Path) -> None:
    """Put the bill of the lab's page where CMake puts it in wheels with C."""
    content = LAB_BILL.read_bytes()
    digest = urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")
    with zipfile.ZipFile(wheel) as file:
        parts = {info: file.read(info) for info in file.infolist()}
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as file:
        for info, before in parts.items():
            folder, _, name = info.filename.rpartition("/")
            after = before
            if name == "RECORD":
                there = f"{folder}/sboms/{LAB_BILL.name}"
                file.writestr(there, content)
                after = f"{there},sha256={digest},{len(content)}\n".encode() + before
            file.writestr(info, after)


def sbom() -> Done:
    """CycloneDX: what the extras install, from uv.lock, and what is built into the lab's page."""
    export = [UV, "export", "--quiet", "--frozen", "--no-default-groups", "--all-extras"]
    export += ["--preview-features", "sbom-export", "--format", "cyclonedx1.5"]
    bill = json.loads(capture(export, folder=ROOT))
    bill["components"] += json.loads(LAB_BILL.read_text("utf-8"))["components"]
    (DIST / "sbom.cdx.json").write_text(json.dumps(bill, indent=2) + "\n", "utf-8")
    return Done("built", f"sbom.cdx.json: CycloneDX, {len(bill['components'])} components")


# ── What is compiled for other systems ───────────────────────────────────────────────────────


def aarch64() -> Done:
    python, flags = headers(*from_debian(LATEST, "arm64"))
    suffix = f".cpython-{LATEST.replace('.', '')}-aarch64-linux-gnu.so"
    with tempfile.TemporaryDirectory(prefix="gradwalk-wheel-") as folder:
        package = build_native.copied(Path(folder))
        target = build_native.Target(zig("aarch64-linux-gnu.2.28"), flags, suffix)
        build_native.build("release", package, every_level=False, target=target)
        count = run_tests(python, folder, "native", *TESTS)
    return Done("tested", f"glibc 2.28, compiled by zig, on CPython {LATEST} in QEMU: {count}")


def musl() -> Done:
    flags = ["-fPIC", f"-I{sysconfig.get_path('include')}"]
    with tempfile.TemporaryDirectory(prefix="gradwalk-wheel-") as folder:
        target = build_native.Target(zig("x86_64-linux-musl"), flags, ".so")
        made = build_native.build("release", Path(folder), target=target)
    return Done("compiled", f"{len(made)} modules, linked with musl; no Python on musl here")


def windows() -> Done:
    with tempfile.TemporaryDirectory(prefix="gradwalk-wheel-") as folder:
        include = Path(folder, "include")
        shutil.copytree(sysconfig.get_path("include"), include)
        (include / "pyconfig.h").write_text(WINDOWS, "utf-8")
        count = compile_only(zig("x86_64-windows-gnu"), [f"-I{include}"], Path(folder))
    words = f"{count} objects by zig, with Linux's Python headers and Windows' sizes; not linked"
    return Done("compiled", words)


def free_threaded() -> Done:
    _, flags = headers(*from_debian(LATEST))
    with tempfile.TemporaryDirectory(prefix="gradwalk-wheel-") as folder:
        count = compile_only(["gcc"], [*flags, "-DPy_GIL_DISABLED=1"], Path(folder))
    return Done("compiled", f"{count} objects, with CPython {LATEST}'s headers; not run")


def headers(python: str, variables: dict[str, str]) -> tuple[str, list[str]]:
    """Return this Python again, and the flags to compile for it."""
    about = "import sysconfig; print(sysconfig.get_path('include'))"
    include = capture([python, "-c", about]).strip()
    return python, ["-fPIC", f"-I{include}", f"-I{variables['CPATH']}"]


def compile_only(compiler: list[str], flags: list[str], into: Path) -> int:
    """Compile every file, kernels for the base level and one more; return how many."""
    levels = {name: build_native.LEVELS[name] for name in ("base", "avx2")}
    target = build_native.Target(compiler, flags, "")
    return sum(
        len(build_native.compile_all(name, "release", levels, into, target))
        for name in build_native.MODULES
    )


def zig(target: str) -> list[str]:
    # A cache of its own: another checkout's zig may clean up in the common one.
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(ROOT / ".pythons" / "zig"))
    return [sys.executable, "-m", "ziglang", "cc", "-target", target]


def configured() -> Done:
    """Ask cibuildwheel what it would build."""
    counts: list[str] = []
    for platform in ("linux", "macos", "windows"):
        ask = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers"]
        names = capture([*ask, "--platform", platform, str(ROOT)]).split()
        if not names:
            raise FailedError(f"cibuildwheel would build nothing on {platform}")
        (DIST / f"{platform}.txt").write_text("\n".join(names) + "\n", "utf-8")
        counts.append(f"{len(names)} for {platform}")
    return Done("configured", f"cibuildwheel would build {', '.join(counts)} (dist/*.txt)")


# ── Pythons and processes ────────────────────────────────────────────────────────────────────


def unpacked(folder: str) -> Path:
    """Unpack the sdist and return its folder: a wheel is built from what is published."""
    made = source()
    with tarfile.open(made) as file:
        file.extractall(folder, filter="data")
    return Path(folder, made.name.removesuffix(".tar.gz"))


def build(kind: str, source: Path) -> str:
    """Call the build backend as pip does, with locked tools; return the name of the file."""
    what = ["sdist", str(DIST)] if kind == "sdist" else ["wheel", str(DIST), kind]
    tools = {"PYTHONPATH": str(site_with("build", sys.executable))}
    return capture([sys.executable, "-c", BUILD, *what], tools, source).split()[-1]


def run_tests(python: str, package: str, backend: str, *tests: str) -> str:
    """Run tests of the package that is installed, or in a folder; return pytest's last line."""
    path = [*([package] if package else []), str(site_with("test", python))]
    variables = {"PYTHONPATH": os.pathsep.join(path), "GRADWALK_BACKEND": backend}
    where = capture([python, "-c", "import gradwalk; print(gradwalk.__file__)"], variables)
    if Path(where.strip()).is_relative_to(ROOT):
        raise FailedError(f"this would test the checkout: {where.strip()}")
    options = ["-q", "-p", "no:cacheprovider", "-n", "0", *tests]
    said = capture([python, "-m", "pytest", *options], variables, ROOT)
    return re.sub(r" in \d.*", "", said.strip().splitlines()[-1])


def capture(
    command: list[str], variables: dict[str, str] | None = None, folder: Path | None = None
) -> str:
    """Run a command away from the checkout; return what it prints, or raise with its last words."""
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never", **(variables or {})}
    with tempfile.TemporaryDirectory() as elsewhere:
        ended = subprocess.run(
            command,
            check=False,
            cwd=folder or elsewhere,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
    if ended.returncode:
        print(ended.stdout[-4000:] + ended.stderr[-4000:], file=sys.stderr)
        last = (ended.stdout + ended.stderr).strip().splitlines() or ["no word"]
        raise FailedError(f"exit code {ended.returncode}: {last[-1]}")
    return ended.stdout


ROWS: dict[str, Callable[[], Done]] = {
    "sdist": sdist,
    "pure": pure,
    "aarch64": aarch64,
    "musl": musl,
    "windows": windows,
    "free-threaded": free_threaded,
    "cibuildwheel": configured,
    "sbom": sbom,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
