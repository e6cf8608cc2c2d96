"""A learner's `Value` in a process of its own, which may loop, crash or leave without harm.

`Learner.ask` sends one job and returns the answer. Whatever goes wrong comes back as an answer
too: {"error": "Timeout"} when the time is up, {"error": "Died"} when the process has ended. The
next job then gets a fresh process. What a job and an answer look like is said in `trial`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any

__all__ = ["Answer", "Learner"]

Answer = dict[str, Any]

_TRIAL = Path(__file__).with_name("trial.py")


class Learner:
    """Use in a `with` block: at its end the process is gone."""

    def __init__(self, file: str, seconds: float, megabytes: int) -> None:
        self.file = file
        self.seconds = seconds
        self.megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Queue[bytes] = Queue()
        self._reader: Thread | None = None
        self._jobs = 0

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def load(self) -> Answer:
        """Start a process and return what it says of the file."""
        self.stop()
        self._lines = Queue()
        self._process = subprocess.Popen(
            # -P: the folder of trial.py is no place to import from. -B: leave no cache behind.
            [sys.executable, "-P", "-B", str(_TRIAL), self.file, str(self.megabytes << 20)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that what it starts can be ended with it
        )
        self._reader = Thread(target=_pump, args=(self._process, self._lines), daemon=True)
        self._reader.start()
        # A machine that is slow to start Python is not the learner's fault.
        started = self._receive("start", max(60.0, self.seconds))
        return started if "error" in started else self._receive("load", self.seconds)

    def ask(self, job: Mapping[str, Any]) -> Answer:
        """Return the answer to one job, from a fresh process where the last one has ended."""
        if self._process is None and "error" in (loaded := self.load()):
            return loaded
        process = self._process
        if process is None or process.stdin is None:  # the load has timed out just now
            return {"error": "Died", "message": ""}
        self._jobs += 1
        with contextlib.suppress(OSError):  # it is gone: the lack of an answer will tell
            process.stdin.write(json.dumps({"id": self._jobs, **job}).encode() + b"\n")
            process.stdin.flush()
        return self._receive(self._jobs, self.seconds)

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        if self._reader is not None:
            self._reader.join(1.0)  # a process that got away may hold its pipe open

    def _receive(self, answer_id: int | str, seconds: float) -> Answer:
        """Wait for the answer with this id; a process that has forked gives some twice."""
        deadline = monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                self.stop()
                return {"error": "Timeout", "message": f"{seconds:g} s"}
            if not line:
                ending = _ending(self._process)
                self.stop()
                return {"error": "Died", "message": ending}
            with contextlib.suppress(ValueError, KeyError, TypeError):  # not a line of ours
                answer: Answer = json.loads(line)
                if answer["id"] == answer_id:
                    return answer


def _pump(process: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    """Move lines from the pipe to the queue, and an empty one when the pipe ends."""
    with contextlib.suppress(OSError), process.stdout or contextlib.nullcontext(()) as pipe:
        for line in pipe:
            lines.put(line)
    lines.put(b"")


def _ending(process: subprocess.Popen[bytes] | None) -> str:
    with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
        code = process.wait(0.5) if process else 0
        return (
            f"by the signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        )
    return "without a word"
