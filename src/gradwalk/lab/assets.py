"""The files of the web page, by name: read once, from the package, never by a path that came in.

The allow-list is what is in static/ when the server starts. A file whose name carries a hash of its
content may be kept for ever; the browser asks again for any other, and gets 304 if it is the same.

`copy_to` writes the lab as plain files, for any web server: `gradwalk lab --export DIR`. The page
has its own engine, so the copy walks, explains and plays without Python. It cannot compile or check
with Python, and says so. Links into one copy open in any other.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from gradwalk.errors import GradwalkError
from gradwalk.files import write_whole

__all__ = ["Asset", "assets", "copy_to"]

# What the page may consist of; a file of another kind is not served.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
# As esbuild names chunks: chunk-scene-3XKQ7ZLD.js.
_HASHED = re.compile(r"-[A-Z0-9]{8}\.[a-z0-9]+$")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, ready to be sent."""

    path: str
    body: bytes
    media_type: str
    etag: str
    cache_control: str


def assets(folder: Traversable | None = None) -> dict[str, Asset]:
    """Return the files of `folder`, the package's static/ unless told, by the path of their URL.

    `/` is index.html; where the page has not been built, it says so.
    """
    folder = folder or files("gradwalk.lab") / "static"
    found = {asset.path: asset for asset in _inside(folder, "/")} if folder.is_dir() else {}
    index = found.get("/index.html")
    if index is None:
        found["/"] = _asset("/", ".html", _NOT_BUILT)
    else:
        found["/"] = _asset("/", ".html", index.body)
    return found


def _inside(folder: Traversable, base: str) -> list[Asset]:
    found: list[Asset] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not _SAFE.fullmatch(entry.name):
            continue
        suffix = entry.name[entry.name.rfind(".") :]
        if entry.is_dir():
            found += _inside(entry, f"{base}{entry.name}/")
        elif suffix in _TYPES:
            found.append(_asset(base + entry.name, suffix, entry.read_bytes()))
    return found


def _asset(path: str, suffix: str, body: bytes) -> Asset:
    for_ever = suffix != ".html" and _HASHED.search(path)
    return Asset(
        path,
        body,
        _TYPES[suffix],
        f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "public, max-age=31536000, immutable" if for_ever else "no-cache",
    )


_NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>gradwalk</title>
<h1>The lab's page is not here</h1>
<p>This copy of gradwalk has no built web page: src/gradwalk/lab/static is empty.
To build it from a checkout, with Node, in web/:
<code>npm install --no-save &amp;&amp; npm run build</code></p>
</html>
"""


# ── A copy for any web server ────────────────────────────────────────────────────────────────

# A static server sends no headers of ours, so the page brings its policy itself. A frame of another
# site may show it: that is what a copy is for.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html gradwalk-worker"
)
_HEAD = '<meta charset="utf-8" />'


def copy_to(folder: Path) -> list[Path]:
    """Write the lab's files into `folder`, which is made if it is not there; return their paths.

    A folder that holds anything else is refused, so nothing of anyone's is overwritten.
    """
    found = {path[1:]: asset.body for path, asset in assets().items() if path != "/"}
    page = found.get("index.html", b"").decode()
    if _HEAD not in page:
        raise GradwalkError("this copy of gradwalk has no built lab: npm run build in web/")
    policy = f'{_HEAD}\n    <meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
    found["index.html"] = page.replace(_HEAD, policy, 1).encode()
    if folder.exists() and not folder.is_dir():
        raise GradwalkError(f"{folder} is a file; --export takes a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "licences.txt").is_file():
        raise GradwalkError(f"{folder} holds other files; give --export an empty folder")
    real = os.path.realpath(folder)
    for name in found:
        if os.path.realpath(folder / name) != os.path.join(real, name):
            raise GradwalkError(f"{folder / name} is a link; give --export an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name in {entry.name for entry in folder.glob("chunk-*.js")} - set(found):
        (folder / name).unlink()  # of an older copy
    written: list[Path] = []
    for name, body in sorted(found.items()):
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, [body])
        written.append(folder / name)
    return written
