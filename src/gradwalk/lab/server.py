"""The lab's server put together: routes, and uvicorn on a loopback socket.

`app` is the application, to test in process. `serve` runs it until Ctrl-C. The address that `serve`
prints carries a code that works once behind the #: browsers send that part to nobody, so it stays
out of requests, logs and Referer headers. `sessions` says what it is exchanged for.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import math
import secrets
import socket
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from gradwalk.errors import GraphError
from gradwalk.lab.assets import Asset, assets
from gradwalk.lab.guard import SESSION_PATH, Guard
from gradwalk.lab.requests import Refusal, decode, read_fields
from gradwalk.lab.sessions import Session
from gradwalk.lab.tasks import ANSWERS, JOBS
from gradwalk.lab.watching import Watched
from gradwalk.lab.workers import Event, Job, Jobs, Limits
from gradwalk.render.tape import MEDIA_TYPE as TAPE

HOST = "127.0.0.1"

Handler = Callable[[Request], Awaitable[Response]]


def app(
    token: str,
    port: int,
    limits: Limits | None = None,
    *,
    session: Session | None = None,
    watched: Watched | None = None,
) -> Starlette:
    """Return the lab as an ASGI application for one address, 127.0.0.1:`port`.

    `watched` is a loop of this process that its pages can follow.
    """
    limits = limits or Limits()
    session = session or Session(token)
    jobs = Jobs(limits)
    following = jobs.adopt("watch") if watched is not None else None

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        if watched is not None and following is not None:
            loop, add = asyncio.get_running_loop(), following.add

            def tell(name: str, data: bytes) -> None:
                with contextlib.suppress(RuntimeError):  # the server has ended before the loop
                    loop.call_soon_threadsafe(add, name, data)

            watched.attach(tell)
        yield
        await jobs.close()

    on = _Routes(session, jobs, watched, following)
    posts: dict[str, Handler] = {
        **{f"/api/{task}": partial(on.answer, task) for task in ANSWERS},
        SESSION_PATH: on.open,
        "/api/watch": on.watch,
        "/api/watch/graph": on.graph,
        "/api/jobs": on.start,
        "/api/jobs/{job}/pause": partial(on.steer, "pause"),
        "/api/jobs/{job}/resume": partial(on.steer, "resume"),
    }
    lab = Starlette(
        routes=[
            *[Route(one.path, partial(on.file, one), methods=["GET"]) for one in assets().values()],
            *[Route(path, handler, methods=["POST"]) for path, handler in posts.items()],
            Route("/api/jobs/{job}", on.cancel, methods=["DELETE"]),
            Route("/api/jobs/{job}/events", on.events, methods=["GET"]),
        ],
        middleware=[Middleware(Guard, session=session, port=port, limits=limits)],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )
    lab.router.redirect_slashes = False
    return lab


# ── Routes ───────────────────────────────────────────────────────────────────────────────────


@dataclass
class _Routes:
    """What each route answers. `following` is the job of the loop that is watched, if one is."""

    session: Session
    jobs: Jobs
    watched: Watched | None
    following: Job | None

    async def file(self, asset: Asset, request: Request) -> Response:
        headers = {"etag": asset.etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == asset.etag:
            return Response(status_code=304, headers=headers)
        return Response(asset.body, headers=headers, media_type=asset.media_type)

    async def answer(self, task: str, request: Request) -> Response:
        fields = read_fields(decode(await request.body()), ANSWERS[task].fields)
        return Response(await self.jobs.answer(task, fields), media_type=ANSWERS[task].media_type)

    async def open(self, _: Request) -> Response:
        return JSONResponse({"secret": self.session.new_secret()})

    async def watch(self, request: Request) -> Response:
        read_fields(decode(await request.body()), ())
        return JSONResponse({"id": self.following.id if self.following is not None else None})

    async def graph(self, request: Request) -> Response:
        read_fields(decode(await request.body()), ())
        if self.watched is None:
            raise Refusal(404, "NotFound", "this lab watches nothing: `gradwalk watch SCRIPT` does")
        try:
            return Response(await self.watched.graph(), media_type=TAPE)
        except GraphError as error:
            raise Refusal(409, "GraphError", str(error)) from None

    async def start(self, request: Request) -> Response:
        found = decode(await request.body())
        kind: Any = found.pop("kind", None)
        if not isinstance(kind, str) or kind not in JOBS:
            message = f"there is no job {kind!r:.40}; there is {', '.join(JOBS)}"
            raise Refusal(422, "UnknownJob", message)
        job = self.jobs.start(kind, read_fields(found, JOBS[kind].fields))
        return JSONResponse({"id": job.id, "events": f"/api/jobs/{job.id}/events"}, 202)

    async def cancel(self, request: Request) -> Response:
        job = self.jobs.find(request.path_params["job"])
        await self.jobs.cancel(job)
        return JSONResponse({"id": job.id, "ended": job.events[-1].name})

    async def steer(self, word: str, request: Request) -> Response:
        read_fields(decode(await request.body()), ())
        job = self.jobs.find(request.path_params["job"])
        self.jobs.steer(job, word)
        return JSONResponse({"id": job.id, word: True})

    async def events(self, request: Request) -> Response:
        job = self.jobs.find(request.path_params["job"])
        last = request.headers.get("last-event-id", "0")
        if not (last.isascii() and last.isdigit() and len(last) <= 9):
            raise Refusal(400, "MalformedRequest", "Last-Event-ID is the number of an event")
        self.jobs.admit(job)
        return _Following(self.jobs, job, int(last))


class _Following(StreamingResponse):
    """Events of a job. Its client counts as a follower until this ends, however it ends."""

    def __init__(self, jobs: Jobs, job: Job, after: int) -> None:
        super().__init__(_stream(jobs, job, after), media_type="text/event-stream")
        self._release = lambda: jobs.release(job)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()


async def _stream(jobs: Jobs, job: Job, after: int) -> AsyncIterator[bytes]:
    yield b": following\n\n"  # a client knows at once that it is connected
    async with contextlib.aclosing(jobs.follow(job, after)) as batches:
        async for batch in batches:
            yield b"".join([_sent(event) for event in batch]) or b": still here\n\n"


def _sent(event: Event) -> bytes:
    # JSON of ours has no line break outside of strings, and none unescaped inside.
    data = b"\ndata: ".join(event.data.splitlines())
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.number, event.name.encode(), data)


async def _http_error(_: Request, error: Exception) -> Response:
    """Pass on what starlette's router has to say in the way of all our refusals."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allow = dict(error.headers or {}).get("Allow", "")
        raise Refusal(405, "WrongMethod", f"the methods are {allow}", headers={"allow": allow})
    raise Refusal(404, "NotFound", "there is nothing here")


# ── Running it ───────────────────────────────────────────────────────────────────────────────


def serve(
    expression: str | None = None,
    values: Mapping[str, float] | None = None,
    port: int = 0,
    open_browser: bool = True,
    as_json: bool = False,
) -> int:
    """Serve the lab until Ctrl-C, and return the exit code."""
    if expression is not None:
        _check(expression, values or {})
    try:
        listener = _listen(port)
    except OSError as error:
        print(f"gradwalk lab: {_why_not(error, port)}", file=sys.stderr)
        return 1
    with listener, contextlib.ExitStack() as at_end:
        port = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)
        session = Session(token)
        at_end.callback(session.close)

        def ready() -> None:
            page = address(port, session.new_code(), expression, values)
            print(json.dumps({"address": page}) if as_json else page, flush=True)
            print("The lab is open at this address. Ctrl-C stops it.", file=sys.stderr, flush=True)
            if open_browser:
                code = session.new_code()
                file = session.start_file(address(port, code, expression, values), code)
                # A browser of the terminal would not return: the server must not wait for it.
                threading.Thread(target=_browse, args=(file.as_uri(),), daemon=True).start()

        server = Server(app(token, port, session=session), ready)
        with contextlib.suppress(KeyboardInterrupt):  # the way this ends; uvicorn has shut down
            server.run(sockets=[listener])
    return 0


def serve_watched(
    watched: Watched, token: str, port: int, open_browser: bool, as_json: bool
) -> Callable[[], None]:
    """Serve a lab for a loop of this process, in a thread; return what ends it."""
    listener = _listen(port)
    port = listener.getsockname()[1]
    session = Session(token)
    begun = threading.Event()
    server = Server(app(token, port, session=session, watched=watched), begun.set)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    begun.wait(10.0)
    page = f"http://{HOST}:{port}/#1/gpt?token={session.new_code()}"
    print(json.dumps({"address": page}) if as_json else f"watch it at {page}", file=sys.stderr)
    if open_browser:
        code = session.new_code()
        file = session.start_file(f"http://{HOST}:{port}/#1/gpt?token={code}", code)
        threading.Thread(target=_browse, args=(file.as_uri(),), daemon=True).start()

    def stop() -> None:
        server.should_exit = True
        thread.join(5.0)
        session.close()
        listener.close()

    return stop


def address(
    port: int,
    code: str,
    expression: str | None = None,
    values: Mapping[str, float] | None = None,
) -> str:
    """Return the lab's address with its state behind the #, as web/src/app/url.ts reads it."""
    query: dict[str, str] = {}
    if expression is not None:
        query["f"] = expression
    if values:
        finite = {name: float(x) for name, x in values.items() if math.isfinite(x)}
        query["x"] = ",".join([f"{n}:{repr(x).removesuffix('.0')}" for n, x in finite.items()])
    query["token"] = code
    return f"http://{HOST}:{port}/#1/sandbox?{urlencode(query, safe='(),:/=;*')}"


def _check(expression: str, values: Mapping[str, float]) -> None:
    """Raise what is wrong with an expression and its values; the lab fills in what is missing."""
    from gradwalk.expr import parse

    parsed = parse(expression)
    parsed.bind({**dict.fromkeys(parsed.names, 1.0), **values})


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":  # there, REUSEADDR would let another program take the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OverflowError):
            raise OSError(errno.EINVAL, "a port is a number from 0 to 65535") from None
        raise
    return listener


def _why_not(error: OSError, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: name another with --port, or leave it out for any free one"
    if error.errno == errno.EACCES:
        return f"port {port} is not for everyone: name one above 1023, or leave --port out"
    return f"cannot listen on port {port}: {error.strerror}"


def _browse(page: str) -> None:
    import webbrowser

    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(page)


class Server(uvicorn.Server):
    """uvicorn with tight limits, which calls `ready` once it answers and stops when told."""

    def __init__(self, lab: Starlette, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                lab,
                http=_Protocol,
                ws="none",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                log_level="critical",  # errors are printed where they are caught
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=100,
                backlog=128,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=16 * 1024,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Event streams do not end by themselves, and a slow client may take its time.
        for task in list(self.server_state.tasks):
            task.cancel()
        await super().shutdown(sockets)


class _Protocol(H11Protocol):
    """HTTP/1.1 with a deadline for the head of a request, and room for who has one to send."""

    head_seconds = 10.0
    _deadline: asyncio.TimerHandle | None = None
    _heard = 0.0  # when it sent something last, or connected

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._heard = self.loop.time()
        self._make_room()
        self._await_head()

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        if self._deadline is None and self._is_idle():
            self._await_head()
        super().data_received(data)
        if not self._is_idle():
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """Drop the connection that has been idle longest, where uvicorn would refuse this one."""
        if self.limit_concurrency is None or len(self.connections) < self.limit_concurrency:
            return
        others = cast("set[_Protocol]", self.connections) - {self}
        idle = [one for one in others if one._is_idle()]
        if idle:
            oldest = min(idle, key=lambda one: one._heard)
            self.connections.discard(oldest)  # its `connection_lost` comes later
            oldest.transport.close()

    def _is_idle(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first request
        return cycle is None or cycle.response_complete

    def _await_head(self) -> None:
        self._deadline = self.loop.call_later(self.head_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
