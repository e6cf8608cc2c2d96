"""The lab's Python inside a web page: the server's tasks, with neither server nor processes.

`gradwalk site` puts the package and Pyodide beside the page. A worker of the page
(web/src/entries/python-worker.ts) imports this module and takes the events of one request after
the other. Whatever keeps running too long is ended by the page, together with its worker.
"""

from __future__ import annotations

import doctest
import io
import linecache
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout

from gradwalk.contract import dumps
from gradwalk.lab.requests import Refusal, decode, read_fields
from gradwalk.lab.tasks import ANSWERS, JOBS
from gradwalk.lab.worker import events

_TABLES = {"answers": ANSWERS, "jobs": JOBS}


def ask(table: str, task: str, body: str) -> Iterator[tuple[str, bytes]]:
    """Yield "begun" with the seconds that the task may take, then its events.

    `body` is the JSON of a request to the server, and is read as strictly. In the table "examples",
    which no server has, it is a page's examples: see `outputs`.
    """
    if table == "examples":
        yield "begun", b"60"
        yield "result", dumps(outputs(decode(body.encode("utf-8"))["text"])).encode()
        return
    try:
        row = _TABLES[table][task]
        fields = read_fields(decode(body.encode("utf-8")), row.fields)
    except Refusal as refusal:
        yield "error", refusal.body()
        return
    yield "begun", str(row.seconds).encode()
    yield from events(table, task, fields)


def outputs(page: str) -> list[str]:
    """Run the `>>>` lines of a page as one session; return what each prints, or its error.

    After an import that failed, later errors are its consequence, and name the missing package.
    """
    names: dict[str, object] = {"__name__": "__main__"}
    found: list[str] = []
    missing: str | None = None
    for example in doctest.DocTestParser().get_examples(page):
        out, name = io.StringIO(), f"<example {len(found)}>"
        lines = example.source.splitlines(keepends=True)
        linecache.cache[name] = len(example.source), None, lines, name  # compile reads the source
        with redirect_stdout(out):
            try:
                exec(compile(example.source, name, "single"), names)
            except Exception as error:
                if isinstance(error, ModuleNotFoundError):
                    missing = error.name
                if missing:
                    print(f"This needs {missing}, which is not in this page: install {missing} and")
                    print("gradwalk to run it on your own machine.")
                else:
                    print(*traceback.format_exception_only(error), sep="", end="")
        found.append(out.getvalue())
    return found
