"""Who may ask a lab to compute.

A `Session` has a token, which is never in an address. Whoever opens the lab gets in by a code that
works once: from the printed address, or from a start file that only this user can read, so that no
code stands in the list of processes. The page hands in its code at once, and gets a secret that it
keeps in its sessionStorage: not a cookie, which browsers send to every port of this machine. A
reload keeps the secret, and a used code in the history is worth nothing.
"""

from __future__ import annotations

import hmac
import json
import secrets
import shutil
import tempfile
from html import escape
from pathlib import Path

from gradwalk.files import write_whole

_MOST_CODES = 100  # codes that are given out and not used yet


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
        """Return a secret for one page."""
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
