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

from gradwalk.errors import BackendError

__all__ = ["require_extra"]


def require_extra() -> None:
    """Raise a BackendError that says what to install where starlette or uvicorn is missing."""
    from importlib.util import find_spec

    for package in ("starlette", "uvicorn"):
        if find_spec(package) is None:
            raise BackendError(
                f"the lab needs {package}, which is not installed: pip install 'gradwalk[lab]'"
            )
