"""A learner's `Value` in a process of its own, which may loop, crash, lie or leave without harm.

`Learner.ask` sends one job, see `trial`, and returns the answer. Whatever goes wrong is an answer
too: the error "Timeout", "Died" or "BadReplyError", after which the next job gets a fresh process.

Your own file runs in a plain child process. A stranger's runs under bubblewrap, or not at all. The
time, the memory and the threads of all processes are limited either way. What the judge has ended
by a limit is marked "by_limit": a class cannot say that of itself.

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
from typing import IO, Any, cast

from gradwalk.errors import NotContainedError
from gradwalk.practice.judge import bubblewrap, limits
from gradwalk.practice.judge.borrowed import borrowable, places_of
from gradwalk.practice.judge.submission import Submission, plain
from gradwalk.practice.language import say
from gradwalk.scripts.reading import BACKWARD

Answer = dict[str, Any]
Reader = Callable[[Answer], Answer]

MOST_BYTES = 256 * 1024  # an answer to the largest job takes about 10 KB
MOST_TIMEOUTS = 6  # all checks of a file may take as long as so many that run out of time
# More than these, a day and a terabyte, overflows clocks and limits.
_MOST_SECONDS, _MOST_MEGABYTES = 86_400.0, 1 << 20
_WATCH_SECONDS = 0.02
# What only the judge says. A class may have such a name, and raise it.
_OWN = ("Timeout", "Died", "BadReplyError")
_TRIAL = Path(__file__).parent / "trial.py"


@dataclass
class Learner(contextlib.AbstractContextManager["Learner"]):
    """Use in a `with` block: at its end the process is gone, with all that it started.

    `left` are the seconds that all checks of the file together may still take.
    """

    submission: Submission
    seconds: float
    megabytes: int
    contained: bool = True
    trust: bool = False
    _child: _Child | None = None

    def __post_init__(self) -> None:
        self.seconds = min(self.seconds, _MOST_SECONDS)
        self.megabytes = min(self.megabytes, _MOST_MEGABYTES)
        self.left = MOST_TIMEOUTS * self.seconds

    def __exit__(self, *_: object) -> None:
        self.stop()

    def load(self) -> Answer:
        """Start a process and return what it says of the file."""
        started = self._start()
        return started if "error" in started else self._receive("load", read_loaded)

    def ask(self, job: Mapping[str, Any]) -> Answer:
        """Return the answer to one job, from a fresh process where the last one has ended."""
        if self._child is None and "error" in (loaded := self.load()):
            return loaded
        assert self._child is not None
        asked = secrets.token_hex(8)  # no file can answer what it has not been asked
        self._child.send({"id": asked, **job})
        return self._receive(asked, read_answers(job))

    def stop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.stop()

    def _start(self) -> Answer:
        """Start a process, in a sandbox where one is wanted; raise where there is none."""
        bwrap = bubblewrap.bubblewrap() if sys.platform.startswith("linux") else None
        if self.contained and bwrap is None:
            return self._uncontained(bubblewrap.remedy("", None))
        self._spawn(bwrap if self.contained else None)
        # A machine that is slow to start Python is not the learner's fault.
        seconds = max(60.0, self.seconds)
        started = self._receive("here", dict, seconds)
        if self._child is not None:
            self._child.send(self._plan)
            started = self._receive("start", lambda one: {"open": _texts(one["open"])}, seconds)
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
        trial, file, descriptors, group = str(_TRIAL), path, list[int](), None
        if bwrap:
            trial, file = "/trial.py", f"{bubblewrap.FOLDER}/{os.path.basename(path)}"
        # -P: the folder of trial.py is no place to import from. -B: leave no cache behind.
        command = [sys.executable, "-P", "-B", trial, file]
        if bwrap:
            files = {trial: _TRIAL.read_bytes(), file: self.submission.source}
            for name, source in self.submission.beside.items():
                files[f"{bubblewrap.FOLDER}/{name}"] = source
            command, descriptors = bubblewrap.command(bwrap, command, files, places_of(refused))
            group = limits.lend_group(self.megabytes << 20)
        self._child = _Child(command, descriptors, group)
        self._plan = {
            "source": self.submission.source.decode("latin-1"),
            "backward": BACKWARD,
            "refused": list(refused),
            "contained": bool(bwrap),
            "memory": (self.megabytes << 20) + limits.BASE_BYTES,
            "cpu": int(60 + 100 * self.seconds),
            "threads": limits.THREADS // 2,
        }

    def _receive(self, answer_id: str, read: Reader, start_seconds: float | None = None) -> Answer:
        """Wait for the answer with this id; a process that has forked gives some twice."""
        begin = monotonic()
        seconds = start_seconds or min(self.seconds, max(self.left, 0.0))
        answer = self._wait_for(answer_id, read, begin + seconds)
        self.left -= 0.0 if start_seconds else monotonic() - begin
        if "by_limit" in answer or answer.get("error") in _OWN:
            self.stop()
        return answer

    def _wait_for(self, answer_id: str, read: Reader, deadline: float) -> Answer:
        assert self._child is not None
        child, said, look = self._child, b"", monotonic() + _WATCH_SECONDS
        # Lines without end must not hold off a limit: nothing is read when the time is up.
        while (left := deadline - (now := monotonic())) > 0:
            if now >= look:
                if over := _over(child.process.pid, self.megabytes):
                    return over
                look = now + _WATCH_SECONDS
            line = child.line(min(left, _WATCH_SECONDS))
            if line is None:
                continue
            if not line.endswith(b"\n"):
                ending = {**_ending(child.process), "said": said.decode("utf-8", "replace")}
                return BAD_REPLY if line else ending
            if answer_id == "here" and not line.startswith(b"{"):
                said += line
            elif answer := believed(line, answer_id, read):
                if answer.get("line") and self.submission.cells:
                    answer["cell"], answer["line"] = self.submission.place(answer["line"])
                return answer
        return self._late()

    def _late(self) -> Answer:
        return {"error": "Timeout", "by_limit": True, "message": say("{:g} s", self.seconds)}


class _Child:
    """A process that is asked by lines. Neither side of a pipe can hold the judge."""

    def __init__(self, command: list[str], descriptors: list[int], group: Path | None) -> None:
        if group:
            join = 'echo 0 > "$0" && exec "$@"'
            command = ["/bin/sh", "-c", join, str(group / "cgroup.procs"), *command]
        self.group = group
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # bubblewrap's complaint; `trial` silences both
            bufsize=0,
            env=_environment(contained=bool(descriptors)),
            pass_fds=descriptors,
            start_new_session=True,  # Ctrl-C is for the judge, which then ends the process
        )
        for descriptor in descriptors:
            os.close(descriptor)
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
        """End the process, with all that it started."""
        pid = self.process.pid
        left = [-pid, *limits.descendants(pid)] if os.name == "posix" else []
        self.process.kill()
        for one in left:  # the first is its group
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        self.process.wait()
        self._stopped.set()
        self._in.put(b"")
        for pipe, thread in zip(self._pipes(), self._threads, strict=True):
            thread.join(1.0)  # a process that got away may hold its pipe
            if not thread.is_alive():
                pipe.close()
        if self.group is not None:
            limits.return_group(self.group)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdout
        assert self.process.stdin
        return self.process.stdout, self.process.stdin

    def _write(self) -> None:
        _, pipe = self._pipes()
        with contextlib.suppress(OSError):  # it is gone: the lack of an answer will tell
            while line := self._in.get():
                while line:
                    line = line[os.write(pipe.fileno(), line) :]

    def _read(self) -> None:
        (pipe, _), part = self._pipes(), b""
        with contextlib.suppress(OSError):
            while not self._stopped.is_set():
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


BAD_REPLY: Answer = {
    "error": "BadReplyError",
    "message": "it wrote something else than an answer into the judge's pipe",
}


def believed(line: bytes | str, answer_id: str, read: Reader) -> Answer | None:
    """Return the answer with this id as its job asks for it, BAD_REPLY for something else."""
    try:
        answer = json.loads(line)
        if not isinstance(answer, dict) or answer.get("id") != answer_id:  # pyright: ignore[reportUnknownMemberType]
            return None
        found = cast("Answer", answer)
        names = _texts(found.get("borrowed", []), 50)
        borrowed = [name for name in names if name.isidentifier()]
        return {**(_failure if "error" in found else read)(found), "borrowed": borrowed}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
        return BAD_REPLY


def read_loaded(answer: Answer) -> Answer:
    """Return what a file was found to define."""
    return {
        "classes": _texts(answer["classes"], 20, 60),
        "is_class": answer["is_class"] is True,
        "names": _texts(answer["names"], 5000),
        **{part: _name(answer[part]) for part in ("class", "data", "grad", "backward")},
    }


def read_answers(job: Mapping[str, Any]) -> Reader:
    """Return a reader of answers to this job."""
    kinds = [kind for kind, _, _ in job["nodes"]]
    return lambda answer: {name: _numbers(answer[name], kinds) for name in ("data", "grads")}


def _failure(answer: Answer) -> Answer:
    """Return what was raised, and where."""
    doing = _text(answer.get("doing", ""), 20)
    error = _text(answer["error"], 100)
    return {
        "error": f"learner.{error}" if error in _OWN else error,
        "message": _text(answer["message"], 300),
        "source": _text(answer.get("source", ""), 200),
        "doing": doing if re.fullmatch(r"load|read|backward|node \d{1,3}", doing) else "load",
        **{name: _count(answer.get(name)) for name in ("line", "column")},
    }


def _text(value: Any, most: int) -> str:
    """Read a text as one line: a second one could pass for a line of the judge's own."""
    return plain(value[:most])


def _name(value: Any) -> str:
    """Read a name. Other text in its place could pass for words of the judge's own."""
    text = _text(value, 60)
    if not text.isidentifier():
        raise ValueError(text)
    return text


def _texts(value: Any, most: int = 20, length: int = 200) -> list[str]:
    return [_text(one, length) for one in value[:most]]


def _numbers(value: Any, kinds: Sequence[str]) -> list[float | None]:
    """Read one number per node. A node that is a plain number has None."""
    pairs = list(zip(value, kinds, strict=True))
    if any(type(one) not in (int, float) for one, kind in pairs if kind != "number"):
        raise TypeError  # True is an int, too
    return [None if kind == "number" else float(one) for one, kind in pairs]


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 10**9 else None


_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONHOME", "PYTHONUTF8", "SYSTEMROOT", "TEMP", "TMPDIR")
_PATHS = ("LD_LIBRARY_PATH", "PYTHONPATH")


def _environment(*, contained: bool) -> dict[str, str]:
    """Return the variables that Python needs, and none of the user's others."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if contained:
        kept |= {"HOME": bubblewrap.HOME, "TMPDIR": bubblewrap.HOME}
    for name in () if contained else _PATHS:
        # An empty or relative part would be the folder that we are in.
        parts = filter(os.path.isabs, os.environ.get(name, "").split(os.pathsep))
        if path := os.pathsep.join(parts):
            kept[name] = path
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
