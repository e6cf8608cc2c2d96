"""The lab's server: right answers to its own page, and refusals to everybody else.

Most tests talk ASGI to the application in process, which can say things that no HTTP client would.
The last part runs uvicorn on a real socket. Nothing sleeps: each waits for what it waits for.
"""

import asyncio
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from gradwalk.errors import BackendError, ExpressionError
from gradwalk.gpt import Config, Run, Training
from gradwalk.gpt.views import document_graph
from gradwalk.render.tape import tape_bytes

pytest.importorskip("starlette", reason="the lab's server needs the extra lab")
pytest.importorskip("uvicorn", reason="the lab's server needs the extra lab")

from starlette.applications import Starlette

from gradwalk.cli.lab import lab as lab_command
from gradwalk.lab import require_extra, server
from gradwalk.lab.assets import assets
from gradwalk.lab.guard import Guard
from gradwalk.lab.requests import Refusal, decode
from gradwalk.lab.sessions import Session
from gradwalk.lab.workers import Job, Jobs, Limits
from gradwalk.practice.judge import limits

PORT, TOKEN = 8377, "correct-horse"
X1: dict[str, Any] = {"expression": "(a + b) * c"}
CHECK: dict[str, Any] = {"kind": "gradcheck", **X1, "values": {"a": 2, "b": -3, "c": 10}}
TINY: dict[str, Any] = {"n_embd": 4, "n_head": 2, "block_size": 4, "text": "anna\nhanna\nann"}
NAMES = [f"v{i}" for i in range(700)]
SLOW: dict[str, Any] = {  # some seconds of work
    "kind": "gradcheck",
    "expression": "+".join(NAMES),
    "values": dict.fromkeys(NAMES, 1.5),
}
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def events(self) -> list[tuple[str, Any]]:
        """The events of a stream, without its comments."""
        found: list[tuple[str, Any]] = []
        for block in self.body.decode().split("\n\n"):
            fields = [line.split(": ", 1) for line in block.splitlines() if line[:1] != ":"]
            if fields:
                data = "\n".join([value for name, value in fields if name == "data"])
                found.append((dict(fields)["event"], json.loads(data)))
        return found


class Lab:
    """The application with a loop of its own, so that tests need not be coroutines."""

    def __init__(self, **limits: Any) -> None:
        self.session = Session(TOKEN)
        self.app = server.app(TOKEN, PORT, Limits(**limits), session=self.session)
        self.runner = asyncio.Runner()
        self.run = self.runner.run
        self._lifespan = self.app.router.lifespan_context(self.app)

    def __enter__(self) -> "Lab":
        self.runner.__enter__()
        self.run(self._lifespan.__aenter__())
        return self

    def __exit__(self, *error: Any) -> None:
        self.run(self._lifespan.__aexit__(*error))
        self.runner.__exit__(*error)

    def ask(self, *args: Any, **kwargs: Any) -> Answer:
        return self.run(self.asking(*args, **kwargs))

    async def asking(
        self,
        method: str,
        path: str,
        body: Any = b"",
        headers: dict[str, str | bytes | None] | list[tuple[bytes, bytes]] | None = None,
        receive: Callable[[], Any] | None = None,
        until: Callable[[bytes], bool] | None = None,
    ) -> Answer:
        """Send a request as the lab's page would, but for `headers` (None leaves one out).

        The client goes away as soon as `until` is true of what it has got.
        """
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        usual: dict[str, str | bytes | None] = {"host": f"127.0.0.1:{PORT}"}
        if path.startswith("/api"):
            usual["x-gradwalk-token"] = TOKEN
        if method == "POST":
            usual |= {"content-type": "application/json", "content-length": str(len(data))}
        if isinstance(headers, list):
            pairs = [(k.encode(), _bytes(v)) for k, v in usual.items() if v] + headers
        else:
            usual |= headers or {}
            pairs = [(k.encode(), _bytes(v)) for k, v in usual.items() if v is not None]
        route, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method,
            "path": unquote(route),
            "raw_path": route.encode("latin-1"),
            "query_string": query.encode(),
            "root_path": "",
            "headers": pairs,
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", PORT),
        }
        gone = asyncio.Event()
        waiting = [data]
        answer = Answer(0, {}, b"")

        async def listen() -> dict[str, Any]:
            if waiting:
                return {"type": "http.request", "body": waiting.pop(), "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                assert not answer.status
                answer.status = message["status"]
                for name, value in message["headers"]:
                    assert name.decode() not in answer.headers
                    answer.headers[name.decode()] = value.decode()
            else:
                answer.body += message.get("body", b"")
                if until and until(answer.body):
                    gone.set()

        await self.app(scope, receive or listen, send)  # pyright: ignore[reportArgumentType]
        return answer

    def start(self, body: Any) -> str:
        answer = self.ask("POST", "/api/jobs", body)
        assert answer.status == 202, answer.body
        return f"/api/jobs/{answer.json()['id']}"


def _bytes(value: str | bytes | None) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with Lab() as made:
        yield made


def refused(answer: Answer, status: int, error: str) -> None:
    """Check that this is a refusal, as every refusal must be."""
    assert (answer.status, answer.json()["error"]) == (status, error), answer.body
    assert answer.json().keys() - {"column"} == {"error", "message"}
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    secure(answer)


def secure(answer: Answer) -> None:
    assert {**answer.headers, **SECURITY_HEADERS} == answer.headers
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    for leak in (TOKEN, "Traceback", "site-packages", "uvicorn"):
        assert leak.encode() not in answer.body
        assert leak not in str(answer.headers)


# ── What it is for ───────────────────────────────────────────────────────────────────────────


def test_a_program_is_answered_stage_by_stage(lab: Lab) -> None:
    answer = lab.ask("POST", "/api/program", {"expression": "a*b + a*b"})
    assert answer.status == 200
    secure(answer)
    found = answer.json()
    assert found["names"] == ["a", "b"]
    stages = {stage["name"]: stage["rows"] for stage in found["stages"]}
    ops = [row["op"] for row in stages["recorded"]]
    assert ops == ["input", "input", "mul", "mul", "add"]
    assert found["sizes"]["recorded"] == 5
    if "tidy" in stages:  # the native back end is there
        assert list(stages) == ["recorded", "tidy", "chains", "adjoint", "blocks"]
        assert [row["text"] for row in stages["tidy"]][2:] == ["mul %0 %1", "add %2 %2"]
        assert [row["origin"] for row in stages["tidy"]] == [0, 1, 2, 4]
        named = [name for row in stages["adjoint"] for name in row["gradients"]]
        assert sorted(named) == ["a", "b"]
        assert found["sizes"]["gradient bytes"] > 0


def test_a_program_has_its_choices_as_a_tree_and_its_loops(lab: Lab) -> None:
    text = "where(a < b, where(a > 0, a*a, sin(b)), b*where(b <= a, 1, a))"
    found = lab.ask("POST", "/api/program", {"expression": text}).json()
    rows = found["stages"][0]["rows"]
    told = [
        (one["parent"], one["side"], rows[one["condition"]]["text"]) for one in found["branches"]
    ]
    assert told == [(-1, True, "lt %0 %1"), (0, False, "le %1 %0"), (0, True, "gt %0 %3")]
    # What both sides read, or more than one choice, stands on no side.
    shared = "c = where(a > b, a, b); where(a > 0, c, c*c)"
    found = lab.ask("POST", "/api/program", {"expression": shared}).json()
    assert [one["parent"] for one in found["branches"]] == [-1, -1]
    horner = "(" * 11 + "a" + "*x + 1)" * 11
    found = lab.ask("POST", "/api/program", {"expression": horner}).json()
    (loop,) = found["stages"][0]["loops"]
    assert loop["count"] == 11
    assert [line.split()[2] for line in loop["body"]] == ["mul", "add"]
    ops = [found["stages"][0]["rows"][i]["op"] for i in loop["ids"]]
    assert ops == ["mul", "add"] * 11


MODEL_PARTS = {
    "neuron": {"", "neuron"},
    "mlp": {"", "MLP.layers.0", "MLP.layers.1", "MLP.layers.2", "loss"},
    "block": {"Block.attention.query", "Block.norm1", "Block.up", "loss"},
    "gpt": {"layers.0.attention.wq.token.0", "embed.token.1", "sum"},
}


@pytest.mark.parametrize("model", MODEL_PARTS)
def test_a_models_graph_is_answered_in_columns(lab: Lab, model: str) -> None:
    answer = lab.ask("POST", "/api/model", {"model": model, "document": "al"})
    secure(answer)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/vnd.gradwalk.columns"
    length, header_length = struct.unpack_from("<QI", answer.body, 8)
    assert answer.body[:4] == b"GWGC"
    assert length == len(answer.body)
    header = json.loads(answer.body[24 : 24 + header_length])
    assert set(header["scopes"]) >= MODEL_PARTS[model]
    assert "loss" in header["labels"]
    assert not set(header["ops"]) & {"dot", "softmax", "linear", "rmsnorm", "mean"}


REFUSED: list[tuple[str, Any, str, int | None]] = [  # path, body, error, its column
    *[("model", {"model": name}, "WrongField", None) for name in ("rnn", ["gpt"], {})],
    *[("model", {"model": "gpt", "document": d}, "WrongField", None) for d in ("a" * 65, 7)],
    ("model", {"model": "gpt", "document": "x\u0000y"}, "OperandError", None),
    *[("model", {"model": "neuron", "seed": s}, "WrongField", None) for s in (-1, 2**40, True)],
    ("model", {"model": "neuron", "file": "/etc/passwd"}, "UnknownField", None),
    ("program", {"expression": "(a +"}, "ExpressionError", 3),
    ("program", {"expression": "a\ud800"}, "ExpressionError", 1),
    ("program", {"expression": "a" * 5000}, "ExpressionError", 4096),
    ("program", {"expression": "a**b", "strict": True}, "ExpressionError", 3),
    ("program", {"expression": "a", "values": {"a": 1}}, "UnknownField", None),
    ("program", {"expression": ["a"]}, "WrongField", None),
    ("program", {}, "MissingField", None),
    *[
        ("jobs", {"kind": "judge", "source": source}, "WrongField", None)
        for source in ("x" * 40_000, "\ud800", None, 7)
    ],
    *[
        ("jobs", {**CHECK, "kind": kind}, "UnknownJob", None)
        for kind in (None, 7, "train", "", ["gradcheck"], {}, "../gradcheck", "walk", "program")
    ],
    *[
        ("jobs", {"kind": "gpt", **TINY, **fields}, "WrongField", None)
        for fields in (
            *({"steps": 0}, {"steps": 10**9}, {"n_embd": 65}, {"n_embd": 4.0}, {"n_layer": -1}),
            *({"block_size": 10**6}, {"text": "a" * 60_001}, {"text": ["a"]}, {"lr": -0.1}),
            *({"lr": "0.1"}, {"pace": -1}, {"broken": "no-such-break"}, {"broken": {}}),
        )
    ],
    *[
        ("jobs", {"kind": "gpt", **TINY, **fields}, "UnknownField", None)
        for fields in ({"file": "/etc/passwd"}, {"at": 1})
    ],
]


@pytest.mark.parametrize(("path", "body", "error", "column"), REFUSED)
def test_what_makes_no_sense_is_refused_with_its_kind(lab, path, body, error, column) -> None:
    answer = lab.ask("POST", f"/api/{path}", body)
    refused(answer, 422, error)
    assert answer.json().get("column") == column


# ── Bodies ───────────────────────────────────────────────────────────────────────────────────

VALID = json.dumps(CHECK).encode()


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"", 400, "MalformedRequest"),
        (b"{", 400, "MalformedRequest"),
        (b"[]", 400, "MalformedRequest"),
        (b"null", 400, "MalformedRequest"),
        (b"\xff\xfe", 400, "MalformedRequest"),
        (b"\xef\xbb\xbf" + VALID, 400, "MalformedRequest"),
        (VALID[:-3] + b"\xc3", 400, "MalformedRequest"),
        (b"[" * 60_000, 400, "MalformedRequest"),
        (b'{"a":' * 10_000, 400, "MalformedRequest"),
        (VALID.replace(b"10", b"NaN"), 400, "MalformedRequest"),
        (VALID.replace(b"10", b"-Infinity"), 400, "MalformedRequest"),
        (VALID.replace(b"10", b"1e999"), 400, "MalformedRequest"),
        (VALID.replace(b"10", b"9" * 10_000), 400, "MalformedRequest"),
        (VALID.replace(b"10", b"0." + b"9" * 10_000), 400, "MalformedRequest"),
        (VALID[:-1] + b', "values": {}}', 400, "MalformedRequest"),
        (VALID.replace(b'"b"', b'"a"'), 400, "MalformedRequest"),
        (VALID[:-1] + b', "path": "/etc/passwd"}', 422, "UnknownField"),
        (VALID[:-1] + b', "__class__": 1}', 422, "UnknownField"),
        (b'{"kind": "gradcheck", "values": {}}', 422, "MissingField"),
        (VALID.replace(b'"(a + b) * c"', b"7"), 422, "WrongField"),
        (VALID.replace(b"10", b'"10"'), 422, "WrongField"),
        (VALID.replace(b"10", b"true"), 422, "WrongField"),
        (VALID.replace(b"10", b"null"), 422, "WrongField"),
        (VALID[:-1] + b', "step": 0}', 422, "WrongField"),
        (VALID[:-1] + b', "step": [1]}', 422, "WrongField"),
        (VALID[:-1] + b', "tolerance": true}', 422, "WrongField"),
        (VALID[:-1] + b', "strict": 1}', 422, "WrongField"),
        (VALID[:-1] + b', "tolerance": {}}', 422, "WrongField"),
    ],
)
def test_a_malformed_body_is_refused(lab: Lab, body: bytes, status: int, error: str) -> None:
    refused(lab.ask("POST", "/api/jobs", body), status, error)
    if status == 400:  # then no field has been read: an answer refuses it as well
        refused(lab.ask("POST", "/api/program", body), status, error)


def test_a_body_as_long_as_allowed_is_read(lab: Lab) -> None:
    valid = json.dumps(X1).encode()
    assert lab.ask("POST", "/api/program", valid.ljust(64 * 1024)).status == 200
    refused(lab.ask("POST", "/api/program", valid.ljust(64 * 1024 + 1)), 413, "TooLarge")


def test_a_body_without_a_length_is_cut_off_at_the_limit(lab: Lab) -> None:
    given = 0

    async def endless() -> dict[str, Any]:
        nonlocal given
        given += 1000
        return {"type": "http.request", "body": b" " * 1000, "more_body": True}

    chunked = {"content-length": None, "transfer-encoding": "chunked"}
    answer = lab.ask("POST", "/api/program", headers=chunked, receive=endless)
    refused(answer, 413, "TooLarge")
    assert given <= 64 * 1024 + 1000
    assert answer.headers["connection"] == "close"


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def silent() -> dict[str, Any]:
        return await asyncio.get_running_loop().create_future()

    async def dripping() -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"type": "http.request", "body": b"", "more_body": True}

    with Lab(body_seconds=0.05) as lab:
        for receive in (silent, dripping):
            refused(lab.ask("POST", "/api/program", X1, receive=receive), 408, "TooSlow")


def test_a_client_that_leaves_in_the_middle_of_its_body_does_no_harm(lab: Lab) -> None:
    async def leave() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    assert lab.ask("POST", "/api/program", X1, receive=leave).status == 400
    assert lab.ask("POST", "/api/program", X1).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": None},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-encoding": "gzip"},
    ],
)
def test_a_body_that_is_not_plain_json_is_refused(lab: Lab, headers: Any) -> None:
    refused(lab.ask("POST", "/api/program", X1, headers), 415, "WrongContentType")


# ── Who may ask: every route, every hostile request ──────────────────────────────────────────


@cache
def routes() -> list[tuple[str, str]]:
    """Every method and path of the application, whoever added them."""
    found: list[tuple[str, str]] = []
    for route in server.app(TOKEN, PORT).routes:
        path = re.sub(r"\{\w+\}", "anything", route.path)  # pyright: ignore
        found += [(method, path) for method in route.methods]  # pyright: ignore
    return sorted(found)


# Names in brackets say which request it is when a test fails.
HOSTILE: dict[str, tuple[Any, int, str]] = {
    "no host": ({"host": None}, 421, "WrongHost"),
    "an evil host": ({"host": "evil.example"}, 421, "WrongHost"),
    "a rebound host": ({"host": f"evil.example:{PORT}"}, 421, "WrongHost"),
    "another port": ({"host": f"127.0.0.1:{PORT + 1}"}, 421, "WrongHost"),
    "no port": ({"host": "127.0.0.1"}, 421, "WrongHost"),
    "a host that begins well": ({"host": f"127.0.0.1:{PORT}.evil.example"}, 421, "WrongHost"),
    "a host that ends well": ({"host": f"evil.example@127.0.0.1:{PORT}"}, 421, "WrongHost"),
    "every address": ({"host": f"0.0.0.0:{PORT}"}, 421, "WrongHost"),
    "an ipv6 host": ({"host": f"[::1]:{PORT}"}, 421, "WrongHost"),
    "bytes for a host": ({"host": b"\xff\xfe"}, 421, "WrongHost"),
    "two hosts": ([(b"host", b"evil.example")], 400, "MalformedRequest"),
    "a forwarded host": (
        {"host": "evil.example", "x-forwarded-host": f"127.0.0.1:{PORT}"},
        421,
        "WrongHost",
    ),
    "an evil origin": ({"origin": "https://evil.example"}, 403, "WrongOrigin"),
    "the origin null": ({"origin": "null"}, 403, "WrongOrigin"),
    "an empty origin": ({"origin": ""}, 403, "WrongOrigin"),
    "the origin of another port": ({"origin": "http://127.0.0.1:80"}, 403, "WrongOrigin"),
    "the origin by https": ({"origin": f"https://127.0.0.1:{PORT}"}, 403, "WrongOrigin"),
    "the origin by another name": ({"origin": f"http://localhost:{PORT}"}, 403, "WrongOrigin"),
    "two origins": (
        [(b"origin", f"http://127.0.0.1:{PORT}".encode()), (b"origin", b"https://evil.example")],
        400,
        "MalformedRequest",
    ),
    "another site": ({"sec-fetch-site": "cross-site"}, 403, "WrongSite"),
    "another port of this site": ({"sec-fetch-site": "same-site"}, 403, "WrongSite"),
    "a site unheard of": ({"sec-fetch-site": "SAME-ORIGIN"}, 403, "WrongSite"),
    "an upgrade": ({"upgrade": "websocket", "connection": "upgrade"}, 400, "NoUpgrade"),
    "a hundred headers": ([(b"x-%d" % i, b"") for i in range(100)], 431, "TooManyHeaders"),
    "a long header": ({"x-long": "x" * 16_400}, 431, "TooManyHeaders"),
}


@pytest.mark.parametrize("request_", HOSTILE)
def test_a_hostile_request_is_refused_on_every_route(lab: Lab, request_: str) -> None:
    headers, status, error = HOSTILE[request_]
    for method, path in routes():
        refused(lab.ask(method, path, X1 if method == "POST" else b"", headers), status, error)


WRONG_TOKENS: dict[str, Any] = {
    "none": {"x-gradwalk-token": None},
    "empty": {"x-gradwalk-token": ""},
    "another": {"x-gradwalk-token": "correct-hors"},
    "longer": {"x-gradwalk-token": TOKEN + "e"},
    "in other letters": {"x-gradwalk-token": TOKEN.upper()},
    "no text": {"x-gradwalk-token": b"\xff\x00"},
    "in a cookie": {"x-gradwalk-token": None, "cookie": f"token={TOKEN}"},
    "as a bearer": {"x-gradwalk-token": None, "authorization": f"Bearer {TOKEN}"},
}


@pytest.mark.parametrize("token", WRONG_TOKENS)
def test_the_api_asks_everyone_for_the_token(lab: Lab, token: str) -> None:
    of_api = [route for route in routes() if route[1].startswith("/api")]
    assert len(of_api) >= 5
    for method, path in [*of_api, ("GET", "/api/nothing")]:
        answer = lab.ask(method, path, X1 if method == "POST" else b"", WRONG_TOKENS[token])
        refused(answer, 401, "WrongToken")


def test_two_tokens_are_none(lab: Lab) -> None:
    answer = lab.ask("POST", "/api/program", X1, [(b"x-gradwalk-token", TOKEN.encode())])
    refused(answer, 400, "MalformedRequest")


def test_the_token_is_not_taken_from_the_address(lab: Lab) -> None:
    path, none = f"/api/program?x-gradwalk-token={TOKEN}&token={TOKEN}", {"x-gradwalk-token": None}
    refused(lab.ask("POST", path, X1, none), 401, "WrongToken")
    refused(lab.ask("POST", path, X1), 400, "MalformedRequest")


@pytest.mark.parametrize(
    "method", ["OPTIONS", "PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "G\tET"]
)
def test_a_method_that_no_route_has_is_refused(lab: Lab, method: str) -> None:
    for _, path in routes():
        refused(lab.ask(method, path), 405, "WrongMethod")


def test_a_method_of_another_route_is_refused(lab: Lab) -> None:
    for path in {path for _, path in routes()}:
        own = {method for method, known in routes() if known == path}
        for method in {"GET", "HEAD", "POST", "DELETE"} - own:
            answer = lab.ask(method, path, X1 if method == "POST" else b"")
            refused(answer, 405, "WrongMethod")
            assert set(answer.headers["allow"].split(", ")) == own


def test_only_a_post_has_a_body(lab: Lab) -> None:
    for method, path in [route for route in routes() if route[0] != "POST"]:
        refused(lab.ask(method, path, b"x", {"content-length": "1"}), 413, "TooLarge")
        refused(lab.ask(method, path, b"x", {"transfer-encoding": "chunked"}), 413, "TooLarge")


# Each a path that is on no list.
TRAVERSALS = """
/../pyproject.toml /.. /./ // //evil.example/ /static/../server.py /server.py /static/index.html
/assets/../../server.py /%2e%2e/%2e%2e/etc/passwd /..%2f..%2fetc%2fpasswd
/..%5c..%5cwindows%5cwin.ini /..\\..\\windows\\win.ini /%252e%252e/%252e%252e/etc/passwd
/%c0%ae%c0%ae/etc/passwd /é /app.js%00.html /index.html%0d%0aSet-Cookie:%20a=b /index.html/
/index.html. /INDEX.HTML /index.html::$DATA /C:/windows/win.ini /etc/passwd /~root /index.html;a=b
http://evil.example/ * /api /api/ /api/program/ /api//program /%61pi/program /api/%77alk
/api/../index.html /api/jobs/ /api/jobs/x/events/ /api/jobs/x/../y/events
""".split()  # noqa: SIM905  (a list would take a line each)
TRAVERSALS += ["", "/" + "a" * 8000]


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
@pytest.mark.parametrize("path", TRAVERSALS)
def test_a_path_that_is_not_on_the_list_is_not_found(lab: Lab, path: str, method: str) -> None:
    answer = lab.ask(method, path, headers={"x-gradwalk-token": TOKEN})
    if path == "/api/jobs/" or answer.status == 405:  # a job without a name: still nothing
        assert answer.status in (404, 405)
    else:
        refused(answer, 404, "NotFound")


def test_a_websocket_is_closed_before_it_opens(lab: Lab) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    for path in ("/", "/api/program", "/api/jobs/x/events"):
        host = (b"host", f"127.0.0.1:{PORT}".encode())
        token = (b"x-gradwalk-token", TOKEN.encode())
        scope = {"type": "websocket", "path": path, "headers": [host, token]}
        lab.run(lab.app(scope, receive, send))  # pyright: ignore
    assert [message["type"] for message in sent] == ["websocket.close"] * 3


@pytest.mark.parametrize(
    "headers",
    [
        {"host": f"localhost:{PORT}"},
        {"origin": f"http://127.0.0.1:{PORT}", "sec-fetch-site": "same-origin"},
        {"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"},
        {"sec-fetch-site": "none"},
        {"content-type": "application/json; charset=UTF-8"},
    ],
)
def test_the_labs_own_page_is_answered(lab: Lab, headers: Any) -> None:
    assert lab.ask("POST", "/api/program", X1, headers).status == 200
    assert lab.ask("GET", "/", headers=headers).status == 200


def test_a_mistake_of_ours_tells_a_client_nothing(lab, monkeypatch, capsys) -> None:
    async def fail(*_: Any) -> bytes:
        raise RuntimeError("a secret")

    monkeypatch.setattr(Jobs, "answer", fail)
    answer = lab.ask("POST", "/api/program", X1)
    refused(answer, 500, "InternalError")
    assert b"secret" not in answer.body
    assert "RuntimeError: a secret" in capsys.readouterr().err


def test_every_test_above_goes_through_the_guard() -> None:
    assert [layer.cls for layer in server.app(TOKEN, PORT).user_middleware] == [Guard]


# ── Assets ───────────────────────────────────────────────────────────────────────────────────


def test_only_files_of_the_page_are_on_the_list(tmp_path: Path) -> None:
    wanted = ["index.html", "app.js", "app.css", "chunk-scene.js", "fonts/mono.woff2"]
    wanted += ["export.html", "licences.txt"]  # the page makes files of the one, About shows both
    hidden = [".htpasswd", "app.py", "app.js.map", "a b.js", "~app.js", ".git/config.json"]
    for name in wanted + hidden:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    found = assets(tmp_path)
    assert sorted(found) == sorted(["/", *[f"/{name}" for name in wanted]])
    assert found["/"].body == b"index.html"


def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    assert b"npm run build" in assets(tmp_path / "nothing")["/"].body


def test_a_file_that_has_not_changed_is_not_sent_again(lab: Lab) -> None:
    for path, asset in assets().items():
        first = lab.ask("GET", path)
        secure(first)
        assert (first.status, first.body) == (200, asset.body)
        assert first.headers["cache-control"] == "no-cache"  # names stay when contents change
        again = lab.ask("GET", path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        secure(again)
        other = lab.ask("GET", path, headers={"if-none-match": '"another"'})
        assert other.status == 200
        assert lab.ask("HEAD", path).headers["content-length"] == str(len(asset.body))


# ── Jobs ─────────────────────────────────────────────────────────────────────────────────────


def judged(lab: Lab, source: str) -> tuple[str, Any]:
    return lab.ask("GET", lab.start({"kind": "judge", "source": source}) + "/events").events()[-1]


def test_a_value_of_ones_own_is_judged_in_the_sandbox(lab: Lab) -> None:
    source = (Path(__file__).parent.parent / "examples" / "my_value.py").read_text("utf-8")
    name, report = judged(lab, source)
    assert (name, report["file"], report["contained"], report["ok"]) == (
        *("result", "value.py", True),
        True,
    )
    name, report = judged(lab, source.replace("grad +=", "grad ="))
    assert name == "result"
    assert not report["ok"]
    assert "overwrite" in {check["bug"] for check in report["checks"]}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bubblewrap needs Linux")
def test_a_judge_that_is_cancelled_leaves_no_file_and_no_process(tmp_path, monkeypatch) -> None:
    def learners() -> list[int]:
        found: list[int] = []
        for one in limits.descendants(os.getpid()):
            with contextlib.suppress(OSError):
                line = Path(f"/proc/{one}/cmdline").read_bytes()
                found += [one] if b"trial.py" in line else []
        return found

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Lab() as lab:
        job = lab.start({"kind": "judge", "source": "while True: pass"})
        lab.run(_until(lambda: len(learners()) > 1))
        running = learners()
        assert lab.ask("DELETE", job).json()["ended"] == "cancelled"
        lab.run(_until(lambda: not any(os.path.exists(f"/proc/{one}") for one in running)))
        assert list(tmp_path.iterdir()) == []


def test_a_hostile_value_reads_writes_and_reaches_nothing(lab: Lab, tmp_path: Path) -> None:
    secret, mark = tmp_path / "secret", tmp_path / "mark"
    secret.write_text("told", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.2)
        port = door.getsockname()[1]
        source = (
            "import os, socket\n"
            "told = []\n"
            f"for act in (lambda: open({str(secret)!r}).read(),\n"
            f"            lambda: open({str(mark)!r}, 'w').write('x'),\n"
            f"            lambda: socket.create_connection(('127.0.0.1', {port}), 1)):\n"
            "    try:\n"
            "        told.append(act())\n"
            "    except OSError:\n"
            "        pass\n"
            "raise SystemExit(repr(told))\n"
        )
        name, error = judged(lab, source)
        assert name == "error"
        assert error["error"] == "LoadError"
        assert "[]" in error["message"]
        with pytest.raises(TimeoutError):
            door.accept()
    assert not mark.exists()


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "x = bytearray(2**34)",
        "import os\nwhile True: os.fork()",
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
        "print('x' * 10**8)\n\0",
        "no python at all",
        "",
    ],
    ids=["endless", "memory", "forks", "kills", "floods", "not Python", "empty"],
)
def test_a_value_that_does_harm_or_nothing_ends_in_a_sentence(lab: Lab, source: str) -> None:
    name, error = judged(lab, source)
    assert (name, error["error"]) == ("error", "LoadError")
    assert 0 < len(error["message"]) < 400
    # The lab goes on.
    assert judged(lab, "class Value: pass")[0] == "result"


@pytest.mark.parametrize(("text", "column"), [("(a", 0), ("a + b", 4)])
def test_a_job_that_cannot_be_done_ends_in_a_typed_error(lab: Lab, text: str, column: int) -> None:
    job = lab.start({"kind": "gradcheck", "expression": text, "values": {"a": 1}})
    ((name, error),) = lab.ask("GET", job + "/events").events()
    assert name == "error"
    assert (error["error"], error["column"]) == ("ExpressionError", column)


def test_a_client_that_comes_back_goes_on_where_it_was(lab: Lab) -> None:
    job = lab.start({"kind": "gradcheck", "expression": "a*b", "values": {"a": 1, "b": 2}})
    whole = lab.ask("GET", job + "/events").events()
    rest = lab.ask("GET", job + "/events", headers={"last-event-id": "2"}).events()
    assert rest == whole[2:]
    assert not lab.ask("GET", job + "/events", headers={"last-event-id": "999"}).events()
    for bad in ("-1", "x", "9" * 30, "", "²"):
        answer = lab.ask("GET", job + "/events", headers={"last-event-id": bad.encode()})
        refused(answer, 400, "MalformedRequest")


def gpt_run(lab: Lab, **fields: Any) -> list[tuple[str, Any]]:
    started = lab.ask("POST", "/api/jobs", {"kind": "gpt", **TINY, "pace": 0, **fields})
    assert started.status == 202
    return lab.ask("GET", started.json()["events"]).events()


def test_a_gpt_trains_as_a_job_and_its_losses_are_those_of_the_library(lab: Lab) -> None:
    events = gpt_run(lab, steps=12, seed=3)
    names = [name for name, _ in events]
    assert (names[0], names[-2:]) == ("start", ["end", "result"])
    assert {"step", "sample", "statistics", "attention", "histograms"} <= set(names)
    config = Config(n_embd=4, n_head=2, block_size=4)
    training = Training(["anna", "hanna", "ann"], config, Run(steps=12, seed=3))
    losses = [training.step().loss for _ in range(12)]
    steps = [data for name, data in events if name == "step"]
    assert sum([data["steps"] for data in steps]) == 12
    told = sum([data["loss"] * data["steps"] for data in steps])
    assert told == pytest.approx(sum(losses), abs=1e-9)
    assert events[-1][1]["texts"] == training.sample(8)
    bins = next(data for name, data in events if name == "histograms")
    parameters = events[0][1]["parameters"]
    assert sum(bins["parameters"]["counts"]) == parameters
    assert sum(bins["gradients"]["counts"]) + bins["gradients"]["zeros"] == parameters


def test_the_graph_of_any_step_is_that_of_the_run(lab: Lab) -> None:
    answer = lab.ask("POST", "/api/gpt-graph", {**TINY, "steps": 12, "seed": 3, "at": 7})
    assert answer.status == 200
    config = Config(n_embd=4, n_head=2, block_size=4)
    training = Training(["anna", "hanna", "ann"], config, Run(steps=12, seed=3))
    for _ in range(6):
        training.step()
    tokens = training.tokenizer.encode(training.next_document)
    assert answer.body == tape_bytes(document_graph(training.model, tokens))
    refused(lab.ask("POST", "/api/gpt-graph", {**TINY, "steps": 12, "at": 13}), 422, "OperandError")


@pytest.mark.parametrize(
    "fields",
    [
        {"n_embd": 6, "n_head": 4},
        {"n_embd": 64, "n_layer": 4, "n_head": 8, "block_size": 32, "text": "a" * 40},
        {"text": "".join(map(chr, range(0x4E00, 0x4F10)))},
    ],
    ids=["heads", "too many nodes", "too many characters"],
)
def test_a_run_that_would_be_too_large_ends_in_a_typed_error(lab: Lab, fields: Any) -> None:
    events = gpt_run(lab, **fields)
    assert [name for name, _ in events] == ["error"]
    assert events[0][1]["error"] == "OperandError"


def test_a_run_is_paused_and_goes_on_to_the_same_numbers() -> None:
    with Lab() as lab:
        started = lab.ask("POST", "/api/jobs", {"kind": "gpt", **TINY, "steps": 40, "pace": 100})
        events = started.json()["events"]
        job = f"/api/jobs/{started.json()['id']}"
        lab.ask("GET", events, until=lambda body: b"event: step" in body)
        assert lab.ask("POST", f"{job}/pause", {}).status == 200
        assert lab.ask("POST", f"{job}/pause", {}).status == 200  # twice is once
        followed = lab.ask("GET", events, until=lambda body: b"event: paused" in body)
        assert [name for name, _ in followed.events()].count("paused") == 1
        refused(lab.ask("POST", f"{job}/resume", {"now": True}), 422, "UnknownField")
        assert lab.ask("POST", f"{job}/resume", {}).status == 200
        whole = lab.ask("GET", events).events()
        assert whole[-1][0] == "result"
        assert whole[-1][1]["step"] == 40
        assert whole[-1][1]["texts"] == gpt_run(lab, steps=40)[-1][1]["texts"]
        refused(lab.ask("POST", f"{job}/pause", {}), 409, "JobEnded")
        refused(lab.ask("POST", "/api/jobs/none/pause", {}), 404, "NoSuchJob")
        refused(lab.ask("GET", f"{job}/pause"), 405, "WrongMethod")


def test_a_job_of_nobodys_is_not_found(lab: Lab) -> None:
    refused(lab.ask("GET", "/api/jobs/AAAAAAAAAAAAAAAA/events"), 404, "NoSuchJob")
    refused(lab.ask("DELETE", "/api/jobs/AAAAAAAAAAAAAAAA"), 404, "NoSuchJob")


def test_a_job_that_is_cancelled_while_followed_tells_so(lab: Lab) -> None:
    job = lab.start(SLOW)

    async def both() -> Answer:
        begun = asyncio.Event()

        def seen(body: bytes) -> bool:
            if b"progress" in body:
                begun.set()
            return False

        following = asyncio.create_task(lab.asking("GET", job + "/events", until=seen))
        await begun.wait()
        await lab.asking("DELETE", job)
        return await following

    names = [name for name, _ in lab.run(both()).events()]
    assert names[0] == "progress"
    assert names[-1] == "cancelled"


def test_a_job_has_only_so_much_time() -> None:
    with Lab(job_seconds=0.3) as lab:
        name, error = lab.ask("GET", lab.start(SLOW) + "/events").events()[-1]
        assert (name, error["error"]) == ("error", "TooSlow")


def test_an_answer_has_only_so_much_time() -> None:
    with Lab(answer_seconds=0.001) as lab:  # less than a process takes to start
        refused(lab.ask("POST", "/api/program", X1), 503, "TooSlow")


def test_only_so_many_jobs_run() -> None:
    with Lab(jobs=2) as lab:
        first = lab.start(SLOW)
        lab.start(SLOW)
        answer = lab.ask("POST", "/api/jobs", SLOW)
        refused(answer, 429, "TooManyJobs")
        assert answer.headers["retry-after"]
        lab.ask("DELETE", first)
        lab.start(SLOW)


def test_only_so_many_jobs_are_remembered() -> None:
    quick = {"kind": "gradcheck", "expression": "a", "values": {"a": 1}}
    with Lab(kept=3) as lab:
        jobs: list[str] = []
        for _ in range(5):
            jobs.append(lab.start(quick))
            lab.ask("GET", jobs[-1] + "/events")
        statuses = [lab.ask("DELETE", job).status for job in jobs]
        assert statuses == [404, 404, 200, 200, 200]


def test_a_finished_job_is_forgotten_in_the_end() -> None:
    with Lab(kept_seconds=0.0) as lab:
        job = lab.start({"kind": "gradcheck", "expression": "a", "values": {"a": 1}})
        assert lab.ask("GET", job + "/events").events()[-1][0] == "result"
        lab.run(_until(lambda: not _jobs(lab.app)))
        refused(lab.ask("DELETE", job), 404, "NoSuchJob")


def test_a_job_that_nobody_follows_is_cancelled() -> None:
    with Lab(orphan_seconds=0.05) as lab:
        lab.start(SLOW)
        (job,) = _jobs(lab.app)
        lab.run(_until(lambda: job.done))
        assert job.events[-1].name == "cancelled"


def test_a_job_outlives_a_follower_that_comes_back_in_time() -> None:
    with Lab(orphan_seconds=60) as lab:
        path = lab.start(SLOW)
        (job,) = _jobs(lab.app)
        for _ in range(3):
            lab.ask("GET", path + "/events", until=lambda body: b"progress" in body)
            assert job.followers == 0
            assert job.orphaned is not None
        assert not job.done


def test_a_silent_job_has_a_heartbeat() -> None:
    with Lab(heartbeat_seconds=0.001) as lab:
        path = lab.start(SLOW)
        answer = lab.ask("GET", path + "/events", until=lambda body: b": still here" in body)
        assert answer.body.startswith(b": following\n\n")


def test_followers_are_counted_when_they_are_admitted() -> None:
    with Lab(followers=2) as lab:
        path = lab.start(SLOW)

        async def many() -> list[int]:
            enough = asyncio.Event()
            seen: list[int] = []

            async def one() -> None:
                answer = await lab.asking("GET", path + "/events", until=lambda _: enough.is_set())
                seen.append(answer.status)
                if answer.status != 200:
                    refused(answer, 429, "TooManyFollowers")
                if seen.count(429) == 8:  # all that are too many, before one of the others ends
                    enough.set()
                    await lab.asking("DELETE", path)

            await asyncio.gather(*[one() for _ in range(10)])
            return sorted(seen)

        assert lab.run(many()) == [200] * 2 + [429] * 8


@pytest.mark.parametrize(
    "body",
    [
        '{"a": "' + '\\"' * 500_000,
        '"' * 1_000_001,
        "{" + ",".join([f'"n{i}": 1' for i in range(100_000)]) + ', "n99999": 2}',
        "\\" * 1_000_001,
        '{"expression": "' + "[" * 1_000_000,
    ],
    ids=["quotes", "strings", "names", "backslashes", "brackets"],
)
def test_a_body_is_read_in_one_pass(body: str) -> None:
    """A scan that is not linear would take hours over a megabyte."""
    with pytest.raises(Refusal):
        decode(body.encode())


# ── Sessions ─────────────────────────────────────────────────────────────────────────────────


def test_a_code_opens_the_lab_once_for_a_secret_and_no_cookie_is_set_or_taken() -> None:
    with Lab() as lab:
        code = lab.session.new_code()
        refused(lab.ask("POST", "/api/program", X1, {"x-gradwalk-token": code}), 401, "WrongToken")
        first = lab.ask("POST", "/api/session", {}, {"x-gradwalk-token": code})
        assert first.status == 200
        assert "set-cookie" not in first.headers  # it would go to every port of this machine
        refused(lab.ask("POST", "/api/session", {}, {"x-gradwalk-token": code}), 401, "WrongToken")
        secret = first.json()["secret"]
        assert TOKEN not in secret
        assert lab.ask("POST", "/api/program", X1, {"x-gradwalk-token": secret}).status == 200
        wrong = [secret[:-1], secret[1:], secret + "0", secret.partition(".")[0], ".", "", "-"]
        for one in [*wrong, f".{secret.partition('.')[2]}"]:
            headers: dict[str, str | bytes | None] = {"x-gradwalk-token": one}
            headers["cookie"] = f"gradwalk-{PORT}={TOKEN}; gradwalk-secret={secret}"
            refused(lab.ask("POST", "/api/program", X1, headers), 401, "WrongToken")


def test_another_site_may_send_a_browser_here_only_while_a_start_file_waits() -> None:
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    visit["sec-fetch-dest"] = "document"
    with Lab() as lab:
        refused(lab.ask("GET", "/", headers={**visit}), 403, "WrongSite")
        code = lab.session.new_code()
        lab.session.start_file("http://127.0.0.1/", code)
        assert lab.ask("GET", "/", headers={**visit}).status == 200
        for change in ({"sec-fetch-mode": "no-cors"}, {"sec-fetch-dest": "iframe"}):
            refused(lab.ask("GET", "/", headers={**visit, **change}), 403, "WrongSite")
        refused(lab.ask("POST", "/api/program", X1, {**visit}), 403, "WrongSite")
        lab.ask("POST", "/api/session", {}, {"x-gradwalk-token": code})
        refused(lab.ask("GET", "/", headers={**visit}), 403, "WrongSite")


def test_closing_the_lab_ends_its_jobs_and_processes() -> None:
    with Lab() as lab:
        path = lab.start(SLOW)
        (job,) = _jobs(lab.app)
        lab.ask("GET", path + "/events", until=lambda body: b"progress" in body)
        (worker,) = _owner(lab.app)._workers._lent
    assert job.events[-1].name == "cancelled"
    assert worker.process.returncode is not None


def test_a_process_is_used_again_and_a_dead_one_is_replaced() -> None:
    with Lab() as lab:
        pids: list[int] = []
        for _ in range(3):
            assert lab.ask("POST", "/api/program", X1).status == 200
            (worker,) = _owner(lab.app)._workers._idle
            pids.append(worker.process.pid)
            if len(pids) == 2:
                worker.process.kill()
                lab.run(worker.process.wait())
        assert pids[0] == pids[1] != pids[2]


@pytest.mark.skipif(not shutil.which("false"), reason="needs a program that fails")
def test_a_process_that_dies_at_its_work_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    with Lab() as lab:
        monkeypatch.setattr(sys, "executable", shutil.which("false"))
        refused(lab.ask("POST", "/api/program", X1), 500, "InternalError")
        job = lab.start({"kind": "gradcheck", "expression": "a", "values": {"a": 1}})
        ((name, error),) = lab.ask("GET", job + "/events").events()
        assert (name, error["error"]) == ("error", "InternalError")
        monkeypatch.undo()
        assert lab.ask("POST", "/api/program", X1).status == 200


def _owner(app: Starlette) -> Jobs:
    """The Jobs of an application, by way of the route that starts them."""
    route = next(route for route in app.routes if route.path == "/api/jobs")  # pyright: ignore
    return route.endpoint.__self__.jobs  # pyright: ignore


def _jobs(app: Starlette) -> list[Job]:
    return list(_owner(app)._jobs.values())


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0)


# ── Over a real socket ───────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def running(**limits: Any) -> Iterator[tuple[int, Starlette]]:
    """Run uvicorn in a thread, and give the port that it answers on, and the application."""
    with server._listen(0) as listener:
        port = listener.getsockname()[1]
        ready = threading.Event()
        app = server.app(TOKEN, port, Limits(**limits))
        uvicorn = server.Server(app, ready.set)
        thread = threading.Thread(target=uvicorn.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            assert ready.wait(30)
            yield port, app
        finally:
            uvicorn.should_exit = True
            thread.join(30)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running() as (made, _):
        yield made


def speak(port: int, text: bytes) -> bytes:
    """Say `text` to the server and return all that it says until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as link:
        with contextlib.suppress(ConnectionError):
            link.sendall(text.replace(b"PORT", b"%d" % port))
        heard = b""
        with contextlib.suppress(ConnectionError):
            while part := link.recv(65536):
                heard += part
        return heard


def request(port: int, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(link):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            named["content-type"] = "application/json"
        usual = {"x-gradwalk-token": TOKEN, **named}
        link.request(method, path, None if body is None else json.dumps(body), usual)
        response = link.getresponse()
        found = {name.lower(): value for name, value in reversed(response.getheaders())}
        return Answer(response.status, found, response.read())


def test_over_a_socket_the_lab_answers(port: int) -> None:
    page = request(port, "GET", "/")
    assert page.status == 200
    secure(page)
    assert "server" not in page.headers
    answer = request(port, "POST", "/api/program", X1)
    assert answer.json()["names"] == ["a", "b", "c"]
    started = request(port, "POST", "/api/jobs", CHECK).json()
    assert request(port, "GET", started["events"]).events()[-1][1]["ok"]


HOST = b"Host: 127.0.0.1:PORT\r\n"
CLOSE = b"Connection: close\r\n\r\n"
OK_HEAD = (
    b"POST /api/program HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX-Gradwalk-Token: correct-horse\r\n"
)
JSON_TYPE = b"Content-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"GET / HTTP/1.0\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + HOST + b" evil.example\r\n" + CLOSE, 421),
        (b"GET / HTTP/1.1\r\n" + HOST + b"A\x00: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + HOST + b"A: b\rSet-Cookie: c\r\n\r\n", 400),
        (b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + CLOSE, 404),
        (b"GET /../x HTTP/1.1\r\n" + HOST + CLOSE, 404),
        (b"GET /%2e%2e/x HTTP/1.1\r\n" + HOST + CLOSE, 404),
        (b"GET /%0d%0aA: HTTP/1.1\r\n" + HOST + CLOSE, 404),
        (b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"x" * 30_000 + b"\r\n" + CLOSE, 431),
        (b"GET /" + b"x" * 30_000 + b" HTTP/1.1\r\n" + HOST + CLOSE, 404),
        (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: Upgrade, close\r\n"
            b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n",
            400,
        ),
        (OK_HEAD + JSON_TYPE + b"Content-Length: 99999999999999\r\n\r\n", 413),
        (OK_HEAD + JSON_TYPE + b"Content-Length: -1\r\n\r\n", 400),
        (OK_HEAD + JSON_TYPE + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400),
        (
            OK_HEAD + JSON_TYPE + b"Transfer-Encoding: chunked\r\n\r\n"
            + b"4000\r\n" + b" " * 0x4000 + b"\r\n" + b"4000\r\n" + b" " * 0x4000 + b"\r\n"
            + b"4000\r\n" + b" " * 0x4000 + b"\r\n" + b"4001\r\n" + b" " * 0x4001 + b"\r\n",
            413,
        ),
        (OK_HEAD + JSON_TYPE + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 421),
    ],
)  # fmt: skip
def test_over_a_socket_a_hostile_request_is_refused(port: int, text: bytes, status: int) -> None:
    heard = speak(port, text)
    assert heard.split(b" ", 2)[1] == b"%d" % status, heard
    assert b"Set-Cookie" not in heard
    assert b"Traceback" not in heard
    assert request(port, "GET", "/").status == 200


def test_over_a_socket_a_slow_head_and_a_slow_body_are_cut_off(monkeypatch) -> None:
    monkeypatch.setattr(server._Protocol, "head_seconds", 0.1)
    with running(body_seconds=0.1) as (port, _):
        assert speak(port, b"") == b""
        assert speak(port, b"GET / HTTP/1.1\r\nHost:") == b""
        late = speak(port, OK_HEAD + JSON_TYPE + b"Content-Length: 9\r\n\r\n{")
        assert late.startswith(b"HTTP/1.1 408 ")
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as link:
            link.request("GET", "/")
            assert link.getresponse().read()
            link.sock.sendall(b"GET / HT")
            assert link.sock.recv(100) == b""


def test_over_a_socket_idle_connections_make_room_for_a_request() -> None:
    with running() as (port, _), contextlib.ExitStack() as open_ones:
        for number in range(250):
            idle = socket.create_connection(("127.0.0.1", port))
            open_ones.callback(idle.close)
            idle.sendall(b"GET / HT" if number % 2 else b"")
        assert request(port, "GET", "/").status == 200


def test_the_server_listens_on_loopback_only() -> None:
    with server._listen(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        assert listener.family == socket.AF_INET


# ── serve ────────────────────────────────────────────────────────────────────────────────────


def test_the_address_keeps_state_and_token_behind_the_hash() -> None:
    page = server.address(8000, "s3cret", "(a + b)*c; é&#%", {"a": 2, "b": -3.5, "c": 1e-300})
    parts = urlsplit(page)
    assert (parts.netloc, parts.path, parts.query) == ("127.0.0.1:8000", "/", "")
    version, query = parts.fragment.split("?", 1)
    assert version == "1/sandbox"
    assert parse_qs(query, strict_parsing=True, separator="&") == {
        "f": ["(a + b)*c; é&#%"],
        "x": ["a:2,b:-3.5,c:1e-300"],
        "token": ["s3cret"],
    }
    assert server.address(8000, "s3cret") == "http://127.0.0.1:8000/#1/sandbox?token=s3cret"


def test_serve_says_what_is_wrong_with_an_expression_first() -> None:
    with pytest.raises(ExpressionError):
        server.serve("a +", {}, 0, False)
    with pytest.raises(ExpressionError, match="no variable 'x'"):
        server.serve("a + b", {"x": 1}, 0, False)


def test_a_port_in_use_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    with server._listen(0) as listener:
        listener.listen()
        port = listener.getsockname()[1]
        assert server.serve(port=port, open_browser=False) == 1
    said = capsys.readouterr()
    assert f"port {port} is in use" in said.err
    assert "--port" in said.err
    assert said.out == ""


def test_without_the_extra_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)  # pyright: ignore
    for call in (require_extra, lambda: lab_command([])):
        with pytest.raises(BackendError, match=r"pip install 'gradwalk\[lab\]'"):
            call()


def test_the_browser_is_sent_by_a_file_that_only_the_user_can_read(monkeypatch, capsys) -> None:
    opened: list[Path] = []
    pages: list[str] = []
    ready = threading.Event()

    def browse(page: str) -> None:
        opened.append(Path(unquote(urlsplit(page).path)))
        pages.append(opened[0].read_text("utf-8"))
        modes = [one.stat().st_mode & 0o777 for one in (opened[0], opened[0].parent)]
        assert modes[1] == 0o700
        ready.set()

    class Once(server.Server):
        async def main_loop(self) -> None:
            while not ready.is_set():
                await asyncio.sleep(0)

    monkeypatch.setattr(server, "_browse", browse)
    monkeypatch.setattr(server, "Server", Once)
    assert server.serve("a*a", {"a": 3}) == 0
    printed = capsys.readouterr().out.strip()
    (code,) = re.findall(r"token=([\w-]+)", printed)
    assert re.findall(r"token=([\w-]+)", str(opened[0])) == []
    assert printed.removesuffix(code) in pages[0]
    assert code not in pages[0]  # each opens the lab once
    assert not opened[0].parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send there")
@pytest.mark.parametrize("busy", [False, True])
def test_ctrl_c_stops_the_server_without_a_word(busy: bool, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('a file of the person was imported')")
    code = "import sys; from gradwalk.lab.server import serve\n"
    code += "sys.exit(serve('a*a', {'a': 3}, 0, False))"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(server.__file__).parents[2])},
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        page = urlsplit(process.stdout.readline().strip())
        assert page.port
        (code,) = re.findall(r"token=([\w-]+)", page.fragment)
        opened = request(page.port, "POST", "/api/session", {}, x_gradwalk_token=code)
        token = opened.json()["secret"]
        links: list[Any] = []
        if busy:  # a job with a follower, half a body, half a head
            own = {"x_gradwalk_token": token}
            started = request(page.port, "POST", "/api/jobs", SLOW, **own).json()
            follower = http.client.HTTPConnection("127.0.0.1", page.port, timeout=30)
            follower.request("GET", started["events"], headers={"x-gradwalk-token": token})
            stream = follower.getresponse()
            while b"progress" not in stream.readline():
                pass
            half = OK_HEAD.replace(b"PORT", b"%d" % page.port) + JSON_TYPE
            half = half.replace(TOKEN.encode(), token.encode()) + b"Content-Length: 9\r\n\r\n{"
            for text in (half, b"GET / HT"):
                link = socket.create_connection(("127.0.0.1", page.port))
                link.sendall(text)
                links.append(link)
            links += [stream, follower]
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=20)
        for link in links:
            link.close()
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert out == ""
    assert err == "The lab is open at this address. Ctrl-C stops it.\n"
