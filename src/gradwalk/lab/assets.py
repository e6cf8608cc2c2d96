"""The files of the web page, by name: read once, from the package, never by a path that came in.

The allow-list is what is in static/ when the server starts. The browser asks again for each file,
and gets 304 if it is the same.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

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


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, ready to be sent."""

    path: str
    body: bytes
    media_type: str
    etag: str


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
    return Asset(path, body, _TYPES[suffix], f'"{hashlib.sha256(body).hexdigest()[:32]}"')


_NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>gradwalk</title>
<h1>The lab's page is not here</h1>
<p>This copy of gradwalk has no built web page: src/gradwalk/lab/static is empty.
To build it from a checkout, with Node, in web/:
<code>npm ci &amp;&amp; npm run build</code></p>
</html>
"""
