"""A copy of the lab as plain files, for any web server: what `gradwalk lab --export DIR` writes.

The page has its own engine, so the copy walks, explains and plays without Python. It cannot compile
or check with Python, and says so. Links into one copy open in any other.
"""

from __future__ import annotations

from pathlib import Path

from gradwalk.errors import GradwalkError
from gradwalk.lab.assets import assets

__all__ = ["copy_to"]

# A static server sends no headers of ours, so the page brings its policy itself. A frame of another
# site may show it: that is what a copy is for.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
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
    folder.mkdir(parents=True, exist_ok=True)
    for name in {entry.name for entry in folder.glob("chunk-*.js")} - set(found):
        (folder / name).unlink()  # of an older copy
    written: list[Path] = []
    for name, body in sorted(found.items()):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(body)
        written.append(folder / name)
    return written
