"""Who may ask a lab to compute, and which labs run.

A `Session` has a token, which is never in an address. Whoever opens the lab gets in by a code that
works once: from the printed address, or from a start file that only this user can read, so that no
code stands in the list of processes. The page hands in its code at once, and gets a secret that it
keeps in its sessionStorage: not a cookie, which browsers send to every port of this machine. A
reload keeps the secret, and a used code in the history is worth nothing.

A running lab holds a lock on a file in the user's own folder. So `gradwalk lab list` knows which
run, whatever was killed, and a lab that is started again on its port knows its pages again.
"""

from __future__ import annotations

import contextlib
import hmac
import http.client
import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from gradwalk.files import write_whole

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

__all__ = [
    "Registration",
    "Running",
    "Session",
    "addresses",
    "register",
    "remembered",
    "running",
    "stop",
]

_MOST_CODES = 100  # codes that are given out and not used yet
_REMEMBERED_SECONDS = 86_400.0


class Session:
    """The token of one lab, and the codes that are worth one."""

    def __init__(self, token: str) -> None:
        self._token = token.encode("utf-8")
        self._codes: list[bytes] = []
        self._start: tuple[Path, bytes] | None = None

    def is_token(self, given: bytes | None) -> bool:
        return given is not None and hmac.compare_digest(given, self._token)

    def new_code(self) -> str:
        """Return a code that opens the lab once."""
        code = secrets.token_urlsafe(24)
        self._codes = [*self._codes[-_MOST_CODES + 1 :], code.encode()]
        return code

    def spend(self, given: bytes | None) -> bool:
        """Say whether this is a code that was not used yet; from now on it is."""
        found = [code for code in self._codes if hmac.compare_digest(code, given or b"")]
        for code in found:
            self._codes.remove(code)
            if self._start is not None and self._start[1] == code:
                self.close()
        return bool(found)

    def new_secret(self) -> str:
        """Return a secret for one page, which a lab with the same token knows again."""
        nonce = secrets.token_urlsafe(24)
        return f"{nonce}.{self._seal(nonce.encode()).decode()}"

    def is_secret(self, given: bytes | None) -> bool:
        nonce, _, seal = (given or b"").partition(b".")
        return hmac.compare_digest(seal, self._seal(nonce))

    def _seal(self, nonce: bytes) -> bytes:
        return hmac.new(self._token, nonce, "sha256").hexdigest().encode()

    # ── The start file ───────────────────────────────────────────────────────────────────────

    def start_file(self, address: str, code: str) -> Path:
        """Write a page that leads to an address with a code in it, for this user's eyes only."""
        self.close()
        folder = Path(tempfile.mkdtemp(prefix="gradwalk-"))  # which nobody else can look into
        file = folder / "start.html"
        self._start = file, code.encode()
        target = json.dumps(address).replace("<", "\\u003c")
        write_whole(file, [_START.format(target=target, link=escape(address)).encode()])
        return file

    @property
    def awaits_browser(self) -> bool:
        """Whether a start file was written whose code has not come yet."""
        return self._start is not None

    def close(self) -> None:
        if self._start is not None:
            shutil.rmtree(self._start[0].parent, ignore_errors=True)
            self._start = None


_START = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>gradwalk</title>
<meta name="referrer" content="no-referrer">
<script>location.replace({target})</script>
<p><a href="{link}">Open the lab</a></p>
</html>
"""


# ── Which labs run ───────────────────────────────────────────────────────────────────────────


class Running(NamedTuple):
    """A lab that runs, as its file tells."""

    port: int
    token: str
    process: int
    started: float


class Registration:
    """The file of a running lab, locked for as long as it runs."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def close(self) -> None:
        os.close(self._handle)


def register(port: int, token: str) -> Registration | None:
    """Say that a lab runs here; None where there is no folder to say it in."""
    folder = _folder()
    if folder is None or fcntl is None:
        return None
    file = folder / f"{port}.json"
    row = {"port": port, "token": token, "process": os.getpid(), "started": time.time()}
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(handle, 0)
        os.write(handle, json.dumps(row).encode())
    except OSError:
        os.close(handle)
        return None
    return Registration(handle)


def running() -> list[Running]:
    """Return the labs that run, by port; forget those that ended long ago."""
    return [lab for lab, lives in _known() if lives]


def remembered(port: int) -> Running | None:
    """Return the lab that ran on a port last, or the last of all for 0, if it runs no more."""
    known = [lab for lab, lives in _known() if not lives and port in (0, lab.port)]
    return max(known, key=lambda lab: lab.started, default=None)


def _known() -> list[tuple[Running, bool]]:
    folder = _folder()
    if folder is None or fcntl is None:
        return []
    found: list[tuple[Running, bool]] = []
    for file in folder.glob("*.json"):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            handle = os.open(file, os.O_RDWR | os.O_NOFOLLOW)
            try:
                lives = not _can_lock(handle)
                row: dict[str, Any] = json.loads(os.read(handle, 10_000))
                lab = Running(
                    int(row["port"]), str(row["token"]), int(row["process"]), float(row["started"])
                )
                if lives or 0 <= time.time() - lab.started < _REMEMBERED_SECONDS:
                    found.append((lab, lives))
                else:
                    file.unlink()
            finally:
                os.close(handle)
    return sorted(found)


def _can_lock(handle: int) -> bool:
    assert fcntl is not None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _folder() -> Path | None:
    """Return a folder that only this user can look into."""
    if not hasattr(os, "getuid"):
        return None
    try:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(home) / "gradwalk" / "lab"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except (OSError, RuntimeError):
        return None
    private = found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077
    return folder if private else None


# ── Labs that run, seen from another process ─────────────────────────────────────────────────

_HOST = "127.0.0.1"


def addresses() -> list[dict[str, Any]]:
    """Return the labs that run, each with an address that opens it once."""
    found: list[dict[str, Any]] = []
    for lab in running():
        code = (_ask(lab, "/api/code") or {}).get("code")
        page = f"http://{_HOST}:{lab.port}/#1/sandbox?token={code}" if code else None
        found.append(
            {"port": lab.port, "process": lab.process, "started": lab.started, "address": page}
        )
    return found


def stop(port: int | None = None) -> list[int]:
    """End the lab on a port, or all of them; return the ports of those that were told."""
    return [lab.port for lab in running() if port in (None, lab.port) and _ask(lab, "/api/stop")]


def _ask(lab: Running, path: str) -> dict[str, Any] | None:
    connection = http.client.HTTPConnection(_HOST, lab.port, timeout=5)
    headers = {"content-type": "application/json", "x-gradwalk-token": lab.token}
    try:
        connection.request("POST", path, "{}", headers)
        answer = connection.getresponse()
        return json.loads(answer.read(10_000)) if answer.status in (200, 202) else None
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
