"""Deny by default: what stands between the lab's server and everything else in the browser.

Any web page that a person has open can send requests to 127.0.0.1. So a request is let through only
if its every sign says that it comes from the lab's own page:

    Host                 exactly ours, not a name that someone else pointed here (rebinding)
    Origin               absent or ours
    Sec-Fetch-Site       absent, `same-origin`, or `none`, a person's own doing
    X-Gradwalk-Token     for all that computes: the token, or the secret of a page
    method, path, body   on the list, plain, small, soon, JSON

and every response tells the browser to keep it to itself. A refusal is JSON, {error, message}.
Start reading at `Guard.__call__`.
"""

from __future__ import annotations

import asyncio
import re
import sys
import traceback
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gradwalk.lab.requests import Refusal
from gradwalk.lab.sessions import Session
from gradwalk.lab.workers import Limits

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types lit-html gradwalk-worker",
    ]
)

_HEADERS: dict[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_METHODS = {"GET", "HEAD", "POST", "DELETE"}
_PATH = re.compile(rb"/[A-Za-z0-9._/-]*")
_API = "/api"
_MOST_HEADERS, _MOST_HEADER_BYTES = 64, 16 * 1024
TOKEN_HEADER = "x-gradwalk-token"
SESSION_PATH = f"{_API}/session"


class Guard:
    """ASGI middleware. What it lets through has its whole body read, within the limits."""

    def __init__(self, app: ASGIApp, session: Session, port: int, limits: Limits) -> None:
        names = ("127.0.0.1", "localhost")
        self.app = app
        self.session = session
        self.hosts = {f"{name}:{port}".encode() for name in names}
        if port == 80:  # the one port that browsers leave out
            self.hosts |= {name.encode() for name in names}
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # a WebSocket: closed before it is open, a browser sees 403
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        answer = _Answer(send, scope["path"])
        try:
            headers = _Headers(scope["headers"])
            self.check_sender(scope, headers)
            self.check_target(scope, headers)
            body = await self.body(scope, headers, receive)
            await self.app(scope, _replay(body, receive), answer.send)
        except Refusal as refusal:
            await answer.refuse(refusal)
        except Exception:
            traceback.print_exc(file=sys.stderr)  # for who runs the server, never for a client
            message = "the server has made a mistake; its terminal says which"
            await answer.refuse(Refusal(500, "InternalError", message))

    def check_sender(self, scope: Scope, headers: _Headers) -> None:
        if len(headers) > _MOST_HEADERS or headers.length > _MOST_HEADER_BYTES:
            most = f"{_MOST_HEADERS} headers of {_MOST_HEADER_BYTES} bytes in all"
            raise Refusal(431, "TooManyHeaders", f"there may be {most}")
        host = headers.one("host")
        if host not in self.hosts:
            ours = sorted(self.hosts)[0].decode()
            raise Refusal(421, "WrongHost", f"this is {ours}, and answers to no other name")
        if "upgrade" in headers:
            raise Refusal(400, "NoUpgrade", "there is no WebSocket here")
        origin = headers.one("origin")
        if origin is not None and origin != b"http://" + host:
            raise Refusal(403, "WrongOrigin", "only the lab's own page may ask")
        site = headers.one("sec-fetch-site")
        if site not in (None, b"same-origin", b"none") and not self._is_start(scope, headers):
            raise Refusal(
                403, "WrongSite", "only the lab's own page may ask: open the printed address itself"
            )

    def check_target(self, scope: Scope, headers: _Headers) -> None:
        """Refuse unknown paths, methods and strangers."""
        # None of our paths has an escape in it, so whatever hides behind one is not ours.
        if not _PATH.fullmatch(scope.get("raw_path") or scope["path"].encode()):
            raise Refusal(404, "NotFound", "there is nothing here")
        if scope["path"] == _API or scope["path"].startswith(_API + "/"):
            self.check_token(scope, headers)
            if scope.get("query_string"):
                raise Refusal(400, "MalformedRequest", "the API takes nothing after a ?")
        if scope["method"] not in _METHODS:
            allowed = ", ".join(sorted(_METHODS))
            raise Refusal(
                405, "WrongMethod", f"the methods are {allowed}", headers={"allow": allowed}
            )

    def check_token(self, scope: Scope, headers: _Headers) -> None:
        """Refuse strangers. A code counts once, and only for a session."""
        given = headers.one(TOKEN_HEADER)
        opens = scope["path"] == SESSION_PATH and scope["method"] == "POST"
        if not (
            self.session.is_token(given)
            or self.session.is_secret(given)
            or (opens and self.session.spend(given))
        ):
            raise Refusal(
                401,
                "WrongToken",
                "the token is missing or wrong, or this address was used before: "
                "start the lab again for another",
            )

    def _is_start(self, scope: Scope, headers: _Headers) -> bool:
        """Say whether this is the browser that the start file, which is no site, has sent here."""
        return (
            self.session.awaits_browser
            and (scope["method"], scope["path"]) == ("GET", "/")
            and headers.one("sec-fetch-mode") == b"navigate"
            and headers.one("sec-fetch-dest") == b"document"
        )

    async def body(self, scope: Scope, headers: _Headers, receive: Receive) -> bytes:
        """Return the whole body; it is small, so that nothing further on need know of limits."""
        most = self.limits.body_bytes if scope["method"] == "POST" else 0
        declared = headers.one("content-length")
        if declared is not None and int(declared) > most:  # h11 has seen that it is a number
            raise _too_large(most)
        if scope["method"] == "POST":
            if (headers.one("content-type") or b"").lower() not in _JSON:
                raise Refusal(415, "WrongContentType", "the body is application/json, in UTF-8")
            if headers.one("content-encoding") not in (None, b"identity"):
                raise Refusal(415, "WrongContentType", "the body is not compressed")
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                more, length = True, 0
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Refusal(400, "MalformedRequest", "the body broke off")
                    part: bytes = message.get("body", b"")
                    length += len(part)
                    if length > most:
                        raise _too_large(most)
                    parts.append(part)
                    more = message.get("more_body", False)
        except TimeoutError:
            seconds = self.limits.body_seconds
            raise Refusal(
                408, "TooSlow", f"the body took longer than {seconds:g} s", headers=_CLOSE
            ) from None
        return b"".join(parts)


_JSON = (b"application/json", b"application/json; charset=utf-8", b"application/json;charset=utf-8")

# What is left of a refused body is not worth reading.
_CLOSE = {"connection": "close"}


def _too_large(most: int) -> Refusal:
    message = f"the body is longer than {most} bytes" if most else "this request has no body"
    return Refusal(413, "TooLarge", message, headers=_CLOSE)


class _Headers:
    """Request headers, each of which counts only when it is there once."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value) for name, value in pairs]
        self.length = sum([len(name) + len(value) for name, value in self._pairs])

    def __len__(self) -> int:
        return len(self._pairs)

    def __contains__(self, name: str) -> bool:
        return any(name == known for known, _ in self._pairs)

    def one(self, name: str) -> bytes | None:
        found = [value for known, value in self._pairs if known == name]
        if len(found) > 1:
            raise Refusal(400, "MalformedRequest", f"the header {name} is there twice")
        return found[0] if found else None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body at once, and then whatever the client does."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


class _Answer:
    """The response on its way out, with our headers on it."""

    def __init__(self, send: Send, path: str) -> None:
        self._send = send
        self._private = path.startswith(_API)
        self._started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            own = {**_HEADERS, "cache-control": "no-store"} if self._private else _HEADERS
            headers = [(k, v) for k, v in message["headers"] if k.decode("latin-1") not in own]
            headers += [(name.encode(), value.encode()) for name, value in own.items()]
            message = {**message, "headers": headers}
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        if self._started:  # too late for another status: a response cut short says it
            raise ConnectionError("the response broke off")
        self._private = True
        body = refusal.body()
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **refusal.headers,
        }
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
        await self.send({"type": "http.response.body", "body": body})
