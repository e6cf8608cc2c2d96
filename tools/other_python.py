#!/usr/bin/env python3
"""Runs the engine's tests on another Python: one that is installed, or one of Debian testing's.

    python3 x.py test-on python3.13                      its name on PATH, or its path
    python3 x.py test-on debian:3.14                     fetched from Debian into .pythons, once
    python3 x.py test-on debian:3.14 tests/test_ops.py   only these tests
    python3 x.py test-on --if-there debian:3.14          no failure where it cannot be fetched

The C modules are compiled for that Python into a copy of the package, kernels for one level only.
The test tools come from uv.lock. Nothing of the system, nor of .venv, changes.

Debian's packages come from where apt gets its own. They are only unpacked, beside a script that
starts the interpreter with their own C library, which is newer than what this system may have. It
needs x86-64 Linux, apt's sources and dpkg-deb.
"""

import argparse
import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import build_native

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ROOT / ".pythons"
UV = os.environ.get("GRADWALK_UV", "uv")  # x.py says which
TESTS = [
    "tests/test_engine.py",
    "tests/test_attributes.py",
    "tests/test_copying.py",
    "tests/native/test_mischief.py",
]
SOURCES = Path("/etc/apt")
# Debian's name of an architecture: the compiler's, and the program that loads programs there.
ARCHITECTURES = {
    "amd64": ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "arm64": ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}

LAUNCHER = """\
#!/bin/sh
libraries='{root}/usr/lib/{system}'
exec {qemu} "$libraries/{loader}" --library-path "$libraries" --argv0 '{start}' '{real}' "$@"
"""

BUILD = """
import sys
from pathlib import Path
sys.path.insert(0, "tools")
import build_native
build_native.build("release", Path(sys.argv[1]), every_level=False)
"""

ABOUT = """
import platform, sys
print("%d.%d" % sys.version_info[:2], platform.machine(), sys.version_info >= (3, 11))
"""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--if-there", action="store_true", help="end well where it cannot be had")
    parser.add_argument("python", help="a Python, or debian:VERSION")
    parser.add_argument("tests", nargs="*", help="files, folders and options, as pytest takes them")
    options, more = parser.parse_known_args(arguments)
    try:
        python, variables = find(options.python)
        site = site_with("test", python)
    except (URLError, OSError, LookupError, subprocess.CalledProcessError) as error:
        print(f"test-on: {options.python} cannot be had here: {error}", file=sys.stderr)
        print("test-on: NOTHING was tested on it", file=sys.stderr)
        return 0 if options.if_there else 1
    with tempfile.TemporaryDirectory(prefix="gradwalk-python-") as folder:
        return run_tests(Path(folder), python, site, variables, [*(options.tests or TESTS), *more])


def run_tests(
    folder: Path, python: str, site: Path, variables: dict[str, str], tests: list[str]
) -> int:
    package = build_native.copied(folder)
    environment = {**os.environ, **variables}
    subprocess.run([python, "-c", BUILD, str(package)], cwd=ROOT, env=environment, check=True)
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(site)])
    environment["GRADWALK_BACKEND"] = "native"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def find(name: str) -> tuple[str, dict[str, str]]:
    """Return the interpreter, and the variables that compiling for it needs."""
    if name.startswith("debian:"):
        return from_debian(name.removeprefix("debian:"))
    python = shutil.which(name)
    if not python:
        raise LookupError(f"there is no {name} on PATH; debian:3.14 is fetched")
    return python, {}


def site_with(group: str, python: str) -> Path:
    """Return a folder with the packages of this group for this Python, installed once."""
    version, machine, fits = subprocess.check_output([python, "-c", ABOUT], text=True).split()
    if fits != "True":
        raise LookupError(f"gradwalk needs Python 3.11 or newer, this is {version}")
    site = PYTHONS / f"{group}-{version}-{machine}"
    export = [UV, "export", "--quiet", "--frozen", "--no-header", "--only-group", group]
    wanted = subprocess.check_output(export, cwd=ROOT)
    made = site / "requirements.txt"
    if not made.exists() or made.read_bytes() != wanted:
        shutil.rmtree(site, ignore_errors=True)
        pip = [UV, "pip", "install", "--quiet", "--python", python, "--target", str(site)]
        subprocess.run([*pip, "-r", "-"], input=wanted, check=True)
        made.write_bytes(wanted)
    return site


# ── Debian's ─────────────────────────────────────────────────────────────────────────────────


def from_debian(version: str, architecture: str = "amd64") -> tuple[str, dict[str, str]]:
    """Return Debian's Python, and the variables that compiling for it needs.

    Another processor's runs in QEMU, which comes from Debian too.
    """
    if not re.fullmatch(r"3\.\d+", version):
        raise LookupError(f"debian: takes a version such as 3.14, not {version}")
    if sys.platform != "linux" or os.uname().machine != "x86_64" or not shutil.which("dpkg-deb"):
        raise LookupError("Debian's packages are for x86-64 Linux, and need dpkg-deb")
    system, loader = ARCHITECTURES[architecture]
    root = PYTHONS / f"debian-{version}-{architecture}"
    start = root / "usr" / "bin" / f"python{version}"
    real = start.with_name(start.name + ".real")
    if not real.exists():
        shutil.rmtree(root, ignore_errors=True)
        for package in wanted(index(architecture), [f"python{version}", f"libpython{version}-dev"]):
            unpack(package, root)
        start.rename(real)
        qemu = "" if architecture == "amd64" else from_qemu(system.partition("-")[0])
        launcher = LAUNCHER.format(
            root=root, system=system, loader=loader, qemu=qemu, start=start, real=real
        )
        start.write_text(launcher, "utf-8")
        start.chmod(0o755)
    return str(start), {"CPATH": str(root / "usr" / "include")}


def from_qemu(machine: str) -> Path:
    """Return the program that runs this machine's programs here."""
    qemu = PYTHONS / "qemu"
    if not qemu.exists():
        unpack(index("amd64")["qemu-user"], qemu)
    return qemu / "usr" / "bin" / f"qemu-{machine}"


Package = dict[str, str]


def index(architecture: str) -> dict[str, Package]:
    """Return Debian testing's packages by name."""
    listed = lzma.decompress(
        fetch(f"dists/testing/main/binary-{architecture}/Packages.xz")
    ).decode()
    packages = [dict(re.findall(r"^([\w-]+): (.*)$", text, re.M)) for text in listed.split("\n\n")]
    return {package["Package"]: package for package in packages if package}


def wanted(packages: dict[str, Package], names: list[str]) -> list[Package]:
    """Return these packages and the libraries below them; headers of Python's own only."""
    found: dict[str, Package] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found or (name not in packages and name not in names):
            continue
        if name not in packages:
            raise LookupError(f"Debian testing has no {name}")
        found[name] = packages[name]
        for choice in packages[name].get("Depends", "").split(","):
            needed = re.split(r"[\s(:|]", choice.strip())[0]
            if re.match(r"lib|zlib|python3\.", needed) and not needed.endswith("-dev"):
                waiting.append(needed)
    return list(found.values())


def unpack(package: Package, root: Path) -> None:
    content = fetch(package["Filename"])
    if hashlib.sha256(content).hexdigest() != package["SHA256"]:
        raise OSError(f"{package['Filename']} is not what Debian's index says")
    with tempfile.NamedTemporaryFile(suffix=".deb") as file:
        file.write(content)
        file.flush()
        root.mkdir(parents=True, exist_ok=True)
        subprocess.run(["dpkg-deb", "-x", file.name, str(root)], check=True)


def mirror() -> str:
    """Return the address that this system's own apt fetches Debian's packages from."""
    for file in sorted([*SOURCES.glob("sources.list"), *SOURCES.glob("sources.list.d/*")]):
        for address in re.findall(
            r"^(?:deb|URIs:).*?(https?://\S+/debian)/?\s", file.read_text(), re.M
        ):
            return address
    raise LookupError("apt has no source of Debian's packages here")


def fetch(path: str) -> bytes:
    with urlopen(f"{mirror()}/{path}", timeout=60) as answer:
        return answer.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
