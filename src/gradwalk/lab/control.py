"""Labs that run, seen from another process: `gradwalk lab list` and `gradwalk lab stop`."""

from __future__ import annotations

import http.client
import json
from typing import Any

from gradwalk.lab.sessions import Running, running

__all__ = ["addresses", "stop"]

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
