"""The process that computes: `python -m gradwalk.lab.worker`, started and killed by `workers`.

A process of its own, because Python cannot stop a thread: a request that takes too long, or takes
the interpreter down, costs a worker and never the server. It reads one request a line from stdin,
{"table": …, "task": …, "fields": …}, and writes frames, `event length\\n` and that many bytes, JSON
but for the results of some answers. The last is a "result" or an "error". The lines `pause` and
`resume` hold a task between two of its events. When stdin ends, so does the process.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, BinaryIO

from gradwalk.errors import ExpressionError, GradwalkError

#: The longest frame. The largest walk that `render.json` makes has two thirds of it.
MOST_BYTES = 32 * 2**20


def events(table: str, task: str, fields: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the events of a task; whatever it raises becomes the last of them, an "error"."""
    try:
        from gradwalk.lab import tasks

        row = {"answers": tasks.ANSWERS, "jobs": tasks.JOBS}[table][task]
        for event, data in row.run(fields):
            frame = data if isinstance(data, bytes) else data.encode("utf-8")
            if len(frame) > MOST_BYTES:
                yield _error("TooLarge", "the result is too large to send: take a smaller graph")
                return
            yield event, frame
    except ExpressionError as error:
        yield _error("ExpressionError", error.message, error.column)
    except GradwalkError as error:
        yield _error(type(error).__name__, str(error))
    except MemoryError:
        yield _error("TooLarge", "this needs more memory than there is: take a smaller graph")
    except Exception:
        traceback.print_exc()  # to the terminal of the person who runs the server, not to a client
        yield _error("InternalError", "the server has made a mistake; its terminal says which")


def _error(error: str, message: str, column: int | None = None) -> tuple[str, bytes]:
    found: dict[str, Any] = {"error": error, "message": message}
    if column is not None:
        found["column"] = column
    return "error", json.dumps(found).encode("ascii")


def main() -> None:
    requests, frames = _Requests(sys.stdin.buffer), _own_stdout()
    while (line := requests.next()) is not None:
        for event, data in events(**json.loads(line)):
            frames.write(b"%s %d\n%s" % (event.encode("ascii"), len(data), data))
            frames.flush()
            requests.hold()


class _Requests:
    """Lines from the server. A thread reads them, since a task may run while one comes."""

    def __init__(self, lines: BinaryIO) -> None:
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._going = threading.Event()
        self._going.set()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: BinaryIO) -> None:
        for line in lines:
            if line == b"pause\n":
                self._going.clear()
            elif line == b"resume\n":
                self._going.set()
            else:
                self._waiting.put(line)
        if not self._going.is_set():  # nobody is left to resume it
            os._exit(0)
        self._waiting.put(None)

    def next(self) -> bytes | None:
        """Wait for the next request; None when there will be no more."""
        return self._waiting.get()

    def hold(self) -> None:
        """Wait while the task is paused."""
        self._going.wait()


def _own_stdout() -> BinaryIO:
    """Return stdout for frames alone: from now on, what code prints goes to stderr."""
    frames = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return frames


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):  # the server has gone
        os._exit(0)
