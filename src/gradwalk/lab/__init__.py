"""The lab's local server: our own web page and a small JSON API, on loopback only.

    gradwalk lab ─serve→ uvicorn ─→ guard ─→ routes ─→ assets            what is in static/, by name
                                    │          ├─────→ direct answers ─┐
                                    │          └─────→ workers ────────┴→ worker processes ─→ tasks
                                    └─ says no to everything that is not the lab's own page

`server` puts it together: start reading there, then `guard`, which is what keeps other web pages
out, then `sessions`, which says who may ask, then `tasks`, the table of what can
be computed. The web page itself is built in web/ and needs the server for little: it has an engine
of its own.

starlette and uvicorn come with the extra `lab`; importing this package needs neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gradwalk.errors import BackendError

if TYPE_CHECKING:
    from starlette.applications import Starlette

__all__ = ["app", "serve"]


def app(token: str, port: int) -> Starlette:
    """Return the lab as an ASGI application for one address, 127.0.0.1:`port`.

    Whoever asks it to compute must know the `token`.
    """
    _require_extra()
    from gradwalk.lab.server import app

    return app(token, port)


def serve(
    expression: str | None = None,
    values: Mapping[str, float] | None = None,
    port: int = 0,
    open_browser: bool = True,
    as_json: bool = False,
) -> int:
    """Serve the lab until Ctrl-C, and return the exit code. Port 0 is any free one.

    Its address is printed, as {"address": …} on demand.
    """
    _require_extra()
    from gradwalk.lab.server import serve

    return serve(expression, values, port, open_browser, as_json)


def _require_extra() -> None:
    from importlib.util import find_spec

    for package in ("starlette", "uvicorn"):
        if find_spec(package) is None:
            raise BackendError(
                f"the lab needs {package}, which is not installed: pip install 'gradwalk[lab]'"
            )
