"""The lab's Python inside a web page: the server's tasks, with neither server nor processes.

`gradwalk site` puts the package and Pyodide beside the page. A worker of the page
(web/src/entries/python-worker.ts) imports this module and takes the events of one request after
the other. Whatever keeps running too long is ended by the page, together with its worker.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradwalk.lab.requests import Refusal, decode, read_fields
from gradwalk.lab.tasks import ANSWERS, JOBS
from gradwalk.lab.worker import events

__all__ = ["ask"]

_TABLES = {"answers": ANSWERS, "jobs": JOBS}


def ask(table: str, task: str, body: str) -> Iterator[tuple[str, bytes]]:
    """Yield "begun" with the seconds that the task may take, then its events.

    `body` is the JSON of a request to the server, and is read as strictly.
    """
    try:
        row = _TABLES[table][task]
        fields = read_fields(decode(body.encode("utf-8")), row.fields)
    except Refusal as refusal:
        yield "error", refusal.body()
        return
    yield "begun", str(row.seconds).encode()
    yield from events(table, task, fields)
