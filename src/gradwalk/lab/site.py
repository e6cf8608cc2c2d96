"""The lab as plain files for any web server, Python included: `gradwalk site DIR`.

    DIR/index.html, app.js …     the lab, with its policy in the page: a static server sends none
    DIR/python/gradwalk.zip      this package, without C and without the lab's files
    DIR/python/pyodide.mjs …     Pyodide: CPython for the browser, from npm's package `pyodide`

The page has its own engine, so it walks, explains and plays before Python has loaded, and without
it. What the local server computes, the page computes with the same code (`gradwalk.lab.page`) in a
worker. It loads nothing from anywhere else. Links into one copy open in any other.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gradwalk.errors import GradwalkError
from gradwalk.files import write_whole
from gradwalk.lab.assets import assets

#: The version of Pyodide that the tests run on.
PYODIDE = "314.0.7"

# A frame of another site may show it: that is what a copy is for.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html gradwalk-worker"
)
# Python's worker is started from a blob in this frame, which the page gives no origin: so it has no
# storage, and the frame's policy. That lets it load nothing from any address. It is no module:
# browsers refuse those without an origin.
_FRAME_SCRIPT = """
addEventListener("message", ({ data: { script, port, files } }) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.onerror = (event) => parent.postMessage(String(event.message), "*");
  worker.postMessage({ port, files }, [port, ...Object.values(files)]);
}, { once: true });
"""
_FRAME_HASH = b64encode(hashlib.sha256(_FRAME_SCRIPT.encode()).digest()).decode()
_FRAME = f"""<!doctype html>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'sha256-{_FRAME_HASH}' 'unsafe-eval' blob:; worker-src blob:" />
<title>Python</title>
<script>{_FRAME_SCRIPT}</script>
"""
_HEAD = '<meta charset="utf-8" />'
_HAS_PYTHON = '<meta name="gradwalk-python" content="python/" />'

# What the runtime loads; a package of npm has types and maps besides.
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_LOCK = "pyodide-lock.json"

_PACKAGE = Path(__file__).parent.parent
_LEFT_OUT = {"static", "bench"}  # no task of the lab needs these


def write_site(folder: Path, pyodide: Path | None) -> list[Path]:
    """Write the site into `folder`, which is made if it is not there; return the files' paths.

    `pyodide` is npm's package; None writes the lab without Python. A folder that holds anything
    else is refused, so nothing of anyone's is overwritten.
    """
    found = {path[1:]: asset.body for path, asset in assets().items() if path != "/"}
    page = found.get("index.html", b"").decode()
    if _HEAD not in page:
        raise GradwalkError("this copy of gradwalk has no built lab: npm run build in web/")
    lines = [_HEAD, f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />']
    if pyodide is not None:
        lines.append(_HAS_PYTHON)
        found |= {f"python/{name}": body for name, body in _python(pyodide).items()}
        found["python.html"] = _FRAME.encode()
        found["licences.txt"] += _LICENCE
    found["index.html"] = page.replace(_HEAD, "\n    ".join(lines), 1).encode()
    found |= _versioned(found)
    _check_folder(folder, found)
    folder.mkdir(parents=True, exist_ok=True)
    for name in {entry.name for entry in folder.glob("chunk-*.js")} - set(found):
        (folder / name).unlink()  # of an older copy
    written: list[Path] = []
    for name, body in sorted(found.items()):
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, [body])
        written.append(folder / name)
    return written


def _versioned(found: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files that name others, with `?v=` behind each name.

    Names stay when contents change, and other servers let browsers keep files. One version for all
    of the copy: a module under two addresses would be two modules.
    """
    digest = hashlib.sha256()
    for name, body in sorted(found.items()):
        digest.update(b"%s %d " % (name.encode(), len(body)) + body)
    version = digest.hexdigest()[:12].encode()
    named = [re.escape(name).encode() for name in found if name.endswith((".js", ".css"))]
    names = re.compile(rb'"((?:\./)?(?:%s))"' % b"|".join(named))
    return {
        name: names.sub(rb'"\1?v=%s"' % version, body)
        for name, body in found.items()
        if name.endswith(".js") or name == "index.html"
    }


def _check_folder(folder: Path, found: dict[str, bytes]) -> None:
    if folder.exists() and not folder.is_dir():
        raise GradwalkError(f"{folder} is a file; a site needs a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "licences.txt").is_file():
        raise GradwalkError(f"{folder} holds other files; give an empty folder")
    real = os.path.realpath(folder)
    for name in found:
        if os.path.realpath(folder / name) != os.path.join(real, *name.split("/")):
            raise GradwalkError(f"{folder / name} is a link; give an empty folder")


# ── Python ───────────────────────────────────────────────────────────────────────────────────

_LICENCE = b"""

pyodide
=======

Pyodide (https://pyodide.org) is in python/, unmodified. Its licence is the Mozilla Public License
2.0, https://www.mozilla.org/MPL/2.0/. It includes CPython under the PSF License Agreement.
"""


def find_pyodide(start: Path) -> Path | None:
    """Return the folder of npm's package that Node would find from `start`, or the checkout's."""
    web = _PACKAGE.parent.parent / "web"
    for folder in (start, *start.parents, web):
        package = folder / "node_modules" / "pyodide"
        if package.is_dir():
            return package
    return None


def _python(pyodide: Path) -> dict[str, bytes]:
    missing = [name for name in (*_RUNTIME, _LOCK) if not (pyodide / name).is_file()]
    if missing:
        raise GradwalkError(
            f"{pyodide} is not Pyodide {PYODIDE}, because {missing[0]} is missing: "
            f"npm install pyodide@{PYODIDE}"
        )
    found = {name: (pyodide / name).read_bytes() for name in _RUNTIME}
    # The page installs no packages, so their list stays out; what the file says of Python stays.
    lock = json.loads((pyodide / _LOCK).read_bytes())
    found[_LOCK] = json.dumps({**lock, "packages": {}}).encode()
    found["gradwalk.zip"] = _zipped(_PACKAGE)
    return found


def _zipped(package: Path) -> bytes:
    """Return the package's Python and data as a zip: the same files make the same bytes."""
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(package.rglob("*")):
            name = file.relative_to(package.parent)
            if file.suffix in (".py", ".txt", ".css") and _LEFT_OUT.isdisjoint(name.parts):
                archive.writestr(ZipInfo(name.as_posix()), file.read_bytes(), ZIP_DEFLATED, 9)
    return content.getvalue()
