"""A learner's `Value` in a process of its own, which may loop, crash, lie or leave without harm.

`Learner.ask` sends one job and returns the answer. Whatever goes wrong comes back as an answer
too: {"error": "Timeout"} when the time is up, {"error": "Died"} when the process has ended,
{"error": "BadReplyError"} when it wrote something else than an answer. The next job then gets a
fresh process. `trial` says what a job and an answer look like.

Your own file runs in a plain child process. A stranger's runs under bubblewrap, or not at all. The
time, the memory and the threads of all processes are limited either way. What the judge itself has
ended by such a limit is marked "by_limit": a class cannot say that of itself.

Nothing that comes through the pipe is believed: an answer is short, and has the fields, kinds and
lengths that its job asks for, or it is no answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import site
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from time import monotonic
from typing import Any, cast

from gradwalk.errors import NotContainedError
from gradwalk.practice.judge import bubblewrap, limits
from gradwalk.practice.judge.borrowed import borrowable, places_of
from gradwalk.practice.judge.submission import Submission, plain
from gradwalk.practice.language import say

__all__ = [
    "BAD_REPLY",
    "Answer",
    "Learner",
    "read_answers",
    "read_failure",
    "read_loaded",
    "why_not_contained",
]

Answer = dict[str, Any]

#: An answer to the largest job takes about 10 KB.
MOST_BYTES = 256 * 1024

#: All checks of a file together may take as long as so many that run out of time.
MOST_TIMEOUTS = 6

# More than these, a day and a terabyte, overflows clocks and limits.
_MOST_SECONDS, _MOST_MEGABYTES = 86_400.0, 1 << 20

_WATCH_SECONDS = 0.02

# What only the judge says. A class may have such a name, and raise it.
_OWN = ("Timeout", "Recursion", "Died", "BadReplyError")
_TRIAL = Path(__file__).parent / "trial.py"


@dataclass
class Learner:
    """Use in a `with` block: at its end the process is gone, with all that it started."""

    submission: Submission
    seconds: float
    megabytes: int
    contained: bool = True
    trust: bool = False
    _process: subprocess.Popen[bytes] | None = None
    _group: Path | None = None
    _pipes: _Pipes | None = None

    def __post_init__(self) -> None:
        self.seconds = min(self.seconds, _MOST_SECONDS)
        self.megabytes = min(self.megabytes, _MOST_MEGABYTES)
        self._left = MOST_TIMEOUTS * self.seconds

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def spent(self) -> bool:
        """Whether the time for the whole file is up."""
        return self._left <= 0

    def load(self) -> Answer:
        """Start a process and return what it says of the file."""
        started = self._start()
        return started if "error" in started else self._receive("load", read_loaded)

    def ask(self, job: Mapping[str, Any]) -> Answer:
        """Return the answer to one job, from a fresh process where the last one has ended."""
        if self._process is None and "error" in (loaded := self.load()):
            return loaded
        if self._pipes is None:  # the load has timed out just now
            return {"error": "Died", "message": ""}
        asked = secrets.token_hex(8)  # no file can answer what it has not been asked
        self._pipes.send({"id": asked, **job})
        return self._receive(asked, read_answers(job))

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        left = [-process.pid, *limits.descendants(process.pid)] if os.name == "posix" else []
        process.kill()
        for one in left:  # the first is its group
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        process.wait()
        if self._pipes is not None:
            self._pipes.stop()
            self._pipes = None
        if self._group is not None:
            limits.return_group(self._group)
            self._group = None

    # ── Starting ─────────────────────────────────────────────────────────────────────────────

    def _start(self) -> Answer:
        """Start a process, in a sandbox where one is wanted; raise where there is none."""
        bwrap = bubblewrap.bubblewrap() if sys.platform.startswith("linux") else None
        if self.contained and bwrap is None:
            return self._uncontained(bubblewrap.remedy("", None))
        self._spawn(bwrap if self.contained else None)
        # A machine that is slow to start Python is not the learner's fault.
        seconds = max(60.0, self.seconds)
        started = self._receive("here", dict, seconds)
        if self._pipes is not None and "error" not in started:
            self._pipes.send(self._plan)
            started = self._receive(
                "start", lambda one: {"open": _texts(one["open"], 20, 200)}, seconds
            )
        if not self.contained or not started.get("open", ["error"]):
            return started
        said = "; ".join(started.get("open", [])) or started.get("said", "")
        self.stop()
        return self._uncontained(bubblewrap.remedy(said or started["message"], bwrap))

    def _uncontained(self, reason: str) -> Answer:
        if not self.trust:
            raise NotContainedError(
                f"NOT CONTAINED HERE: {reason}.\n"
                "The file was not run: it could read and delete your files and use the network. "
                "You can\n"
                "  install bubblewrap, on Linux: gradwalk doctor says whether it holds here\n"
                "  add --trust, if you trust the file as you trust your own code\n"
                "  judge it in a web page, in WebAssembly: gradwalk site DIR"
            )
        self.contained = False
        return self._start()

    def _spawn(self, bwrap: str | None) -> None:
        self.stop()
        path = os.path.abspath(self.submission.path)
        refused = borrowable()
        trial, file, descriptors = str(_TRIAL), path, list[int]()
        if bwrap:
            trial, file = "/trial.py", f"{bubblewrap.FOLDER}/{os.path.basename(path)}"
        # -P: the folder of trial.py is no place to import from. -B: leave no cache behind.
        command = [sys.executable, "-P", "-B", trial, file]
        if bwrap:
            files = {trial: _TRIAL.read_bytes(), file: self.submission.source}
            for name, source in self.submission.beside.items():
                files[f"{bubblewrap.FOLDER}/{name}"] = source
            command, descriptors = bubblewrap.command(bwrap, command, files, places_of(refused))
            self._group = limits.lend_group(self.megabytes << 20)
            if self._group:
                join = 'echo 0 > "$0" && exec "$@"'
                command = ["/bin/sh", "-c", join, str(self._group / "cgroup.procs"), *command]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # bubblewrap's complaint; `trial` silences both
            bufsize=0,
            env=_environment(contained=bool(bwrap)),
            pass_fds=descriptors,
            start_new_session=True,  # Ctrl-C is for the judge, which then ends the process
        )
        for descriptor in descriptors:
            os.close(descriptor)
        self._pipes = _Pipes(self._process)
        self._plan = {
            "source": self.submission.source.decode("latin-1"),
            "refused": list(refused),
            "contained": bool(bwrap),
            "seconds": self.seconds,
            "memory": (self.megabytes << 20) + limits.BASE_BYTES,
            "cpu": int(60 + 100 * self.seconds),
            "threads": limits.THREADS // 2,
        }

    # ── Receiving ────────────────────────────────────────────────────────────────────────────

    def _receive(
        self,
        answer_id: str,
        read: Callable[[Answer], Answer],
        start_seconds: float | None = None,
    ) -> Answer:
        """Wait for the answer with this id; a process that has forked gives some twice."""
        begin = monotonic()
        seconds = start_seconds or min(self.seconds, max(self._left, 0.0))
        answer, goes_on = self._wait_for(answer_id, read, begin + seconds)
        self._left -= 0.0 if start_seconds else monotonic() - begin
        if not goes_on:
            self.stop()
        return answer

    def _wait_for(
        self, answer_id: str, read: Callable[[Answer], Answer], deadline: float
    ) -> tuple[Answer, bool]:
        """Return the answer, and whether the process may be asked more."""
        pipes, process = self._pipes, self._process
        assert pipes is not None
        assert process is not None
        said, look = b"", monotonic() + _WATCH_SECONDS
        # Lines without end must not hold off a limit: nothing is read when the time is up.
        while (left := deadline - (now := monotonic())) > 0:
            if now >= look:
                if over := _over(process.pid, self.megabytes):
                    return over, False
                look = now + _WATCH_SECONDS
            line = pipes.line(min(left, _WATCH_SECONDS))
            if line is None:
                continue
            if not line.endswith(b"\n"):
                ending = {**_ending(process), "said": said.decode("utf-8", "replace")}
                return BAD_REPLY if line else ending, False
            if answer_id == "here" and not line.startswith(b"{"):
                said += line
                continue
            try:
                found = json.loads(line)
                if not isinstance(found, dict) or found.get("id") != answer_id:  # pyright: ignore[reportUnknownMemberType]
                    continue
                answer = cast("Answer", found)
                if "error" not in answer:
                    return read(answer), True
                failure = read_failure(answer)
            except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
                return BAD_REPLY, False
            if failure["line"] and self.submission.cells:
                failure["cell"], failure["line"] = self.submission.place(failure["line"])
            if failure["error"] == "TooSlow" and deadline - monotonic() < 0.2 * self.seconds:
                return self._late(failure), False
            return failure, True
        return self._late(), False

    def _late(self, failure: Answer | None = None) -> Answer:
        """Return that the time is up; the process itself may have said shortly before where."""
        inside = failure is not None and failure["message"] == "recursion"
        late = {"error": "Recursion" if inside else "Timeout", "by_limit": True}
        return {**(failure or {}), **late, "message": say("{:g} s", self.seconds)}


BAD_REPLY: Answer = {
    "error": "BadReplyError",
    "message": "it wrote something else than an answer into the judge's pipe",
}


class _Pipes:
    """Moves lines to and from a process. Neither side of a pipe can hold the judge."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._in, self._out = Queue[bytes](), Queue[bytes](maxsize=8)
        self._stopped = Event()
        self._threads = [Thread(target=run, daemon=True) for run in (self._read, self._write)]
        for thread in self._threads:
            thread.start()

    def send(self, job: Mapping[str, Any]) -> None:
        self._in.put(json.dumps(job).encode() + b"\n")

    def line(self, seconds: float) -> bytes | None:
        """Return the next line, b"" at the end, a line cut short if too long, None for none."""
        try:
            return self._out.get(timeout=seconds)
        except Empty:
            return None

    def stop(self) -> None:
        self._stopped.set()
        self._in.put(b"")
        for thread in self._threads:
            thread.join(1.0)  # a process that got away may hold its pipe
        process = self._process
        for pipe, thread in zip((process.stdout, process.stdin), self._threads, strict=True):
            if pipe is not None and not thread.is_alive():
                pipe.close()

    def _write(self) -> None:
        pipe = self._process.stdin
        with contextlib.suppress(OSError):  # it is gone: the lack of an answer will tell
            while pipe is not None and (line := self._in.get()):
                while line:
                    line = line[os.write(pipe.fileno(), line) :]

    def _read(self) -> None:
        pipe, part = self._process.stdout, b""
        with contextlib.suppress(OSError):
            while pipe is not None and not self._stopped.is_set():
                found = os.read(pipe.fileno(), 1 << 16)
                *lines, part = (part + found).split(b"\n")
                for line in lines:
                    self._put(line + b"\n")
                if not found or len(part) > MOST_BYTES:
                    break
        self._put(part[:MOST_BYTES])

    def _put(self, line: bytes) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(Full):
                self._out.put(line, timeout=0.05)
                return


def _over(process: int, megabytes: int) -> Answer | None:
    """Return which limit over all processes is exceeded, if one is."""
    if not sys.platform.startswith("linux"):
        return None
    memory, threads = limits.held(process)
    if memory > (megabytes << 20) + limits.BASE_BYTES:
        message = say("more than {} MB in all", megabytes)
        return {"error": "MemoryError", "message": message, "by_limit": True}
    if threads > limits.THREADS:
        message = say("it started more than {} threads and processes", limits.THREADS)
        return {"error": "Died", "message": message}
    return None


def _ending(process: subprocess.Popen[bytes]) -> Answer:
    """Say how the process has ended."""
    message = "without a word"
    with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
        code = process.wait(6.0)
        message = say("with exit code {}", code)
        number = -code if code < 0 else code - 128
        if 0 < number < 65:
            message = say("by the signal {}", signal.Signals(number).name)
    return {"error": "Died", "message": message}


# ── What an answer may be ────────────────────────────────────────────────────────────────────


def read_loaded(answer: Answer) -> Answer:
    """Return what a file was found to define."""
    return {
        "classes": _texts(answer["classes"], 20, 60),
        "is_class": answer["is_class"] is True,
        "names": _texts(answer["names"], 5000, 200),
        **{part: _name(answer[part]) for part in ("class", "data", "grad", "backward")},
        "borrowed": _borrowed(answer),
    }


def read_answers(job: Mapping[str, Any]) -> Callable[[Answer], Answer]:
    """Return a reader of answers to this job."""
    is_chain = "depth" in job
    kinds = ["leaf"] if is_chain else [kind for kind, _, _ in job["nodes"]]
    lists = ("data", "grads") if is_chain else ("data", "before", "grads")

    def read(answer: Answer) -> Answer:
        found: Answer = {name: _numbers(answer[name], kinds) for name in lists}
        return {**found, "borrowed": _borrowed(answer)}

    return read


def read_failure(answer: Answer) -> Answer:
    """Return what was raised, and where."""
    doing = _text(answer.get("doing", ""), 20)
    line, column = answer.get("line"), answer.get("column")
    error = _text(answer["error"], 100)
    return {
        "error": f"learner.{error}" if error in _OWN else error,
        "message": _text(answer["message"], 300),
        "line": line if _is_count(line) else None,
        "source": _text(answer.get("source", ""), 200),
        "column": column if _is_count(column) else None,
        "doing": doing if re.fullmatch(r"load|read|backward|node \d{1,3}", doing) else "load",
        "borrowed": _borrowed(answer),
    }


def _borrowed(answer: Answer) -> list[str]:
    return [name for name in _texts(answer["borrowed"], 50, 100) if name.isidentifier()]


def _text(value: Any, most: int) -> str:
    """Read a text as one line: a second one could pass for a line of the judge's own."""
    if not isinstance(value, str):
        raise TypeError
    return plain(value[:most])


def _name(value: Any) -> str:
    """Read a name. Other text in its place could pass for words of the judge's own."""
    text = _text(value, 60)
    if not text.isidentifier():
        raise ValueError(text)
    return text


def _texts(value: Any, most: int = 20, length: int = 200) -> list[str]:
    return [_text(one, length) for one in _list(value)[:most]]


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return cast("list[Any]", value)


def _numbers(value: Any, kinds: Sequence[str]) -> list[float | None]:
    """Read one number per node. A node that is a plain number has None."""
    pairs = zip(_list(value), kinds, strict=True)
    return [None if kind == "number" else _number(one) for one, kind in pairs]


def _number(value: Any) -> float:
    if type(value) not in (int, float):  # True is an int, too
        raise TypeError
    return float(value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 10**9


# ── What the process gets to see ─────────────────────────────────────────────────────────────

_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONHOME", "PYTHONUTF8", "SYSTEMROOT", "TEMP", "TMPDIR")
_PATHS = ("LD_LIBRARY_PATH", "PYTHONPATH")


def _environment(*, contained: bool) -> dict[str, str]:
    """Return the variables that Python needs, and none of the user's others."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if contained:
        kept |= {"HOME": bubblewrap.HOME, "TMPDIR": bubblewrap.HOME}
    else:
        for name in _PATHS:  # an empty or relative part would be the folder that we are in
            parts = os.environ.get(name, "").split(os.pathsep)
            kept[name] = os.pathsep.join(filter(os.path.isabs, parts))
        kept = {name: text for name, text in kept.items() if text}
    if site.ENABLE_USER_SITE and site.USER_BASE:
        kept["PYTHONUSERBASE"] = site.USER_BASE
    kept["PATH"] = os.defpath
    # Their threads would run into the limit.
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
    return {**kept, **{f"{library}_NUM_THREADS": "1" for library in threads}}


def why_not_contained() -> str:
    """Return why strangers' files cannot be judged here, "" where they can."""
    try:
        with Learner(Submission("value.py", b""), 10.0, 256) as learner:
            learner.load()
    except NotContainedError as error:
        return str(error).partition("NOT CONTAINED HERE: ")[2].partition(".\nThe file was")[0]
    return ""
