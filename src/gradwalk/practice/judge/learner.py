"""A learner's `Value` in a process of its own, which may loop, crash, lie or leave without harm.

`Learner.ask` sends one job and returns the answer. Whatever goes wrong comes back as an answer
too: {"error": "Timeout"} when the time is up, {"error": "Died"} when the process has ended,
{"error": "BadReplyError"} when it wrote something else than an answer. The next job then gets a
fresh process. `trial` says what a job and an answer look like, `sandbox` what the process can do.

Nothing that comes through the pipe is believed: an answer is short, and has the fields, kinds and
lengths that its job asks for, or it is no answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import site
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from time import monotonic
from typing import Any, cast

from gradwalk.errors import NotContainedError
from gradwalk.practice.judge import sandbox
from gradwalk.practice.language import say

__all__ = [
    "AUTODIFF",
    "BAD_REPLY",
    "Answer",
    "Learner",
    "read_answers",
    "read_failure",
    "read_loaded",
]

Answer = dict[str, Any]

#: Packages that differentiate. A file that imports one has not written its own `Value`.
AUTODIFF = (
    *("gradwalk", "micrograd", "torch", "jax", "jaxlib", "tensorflow", "autograd", "tinygrad"),
    *("casadi", "xad", "theano", "pytensor", "aesara", "mxnet", "paddle", "chainer", "drjit"),
    *("mlx", "pyadolc", "adolc", "pycppad", "algopy", "ad", "uncertainties", "sympy", "symengine"),
    *("keras", "functorch", "mindspore", "oneflow", "jittor", "minitorch"),
)

#: An answer to the largest job takes about 10 KB.
MOST_BYTES = 256 * 1024

# More than these, a day and a terabyte, overflows clocks and limits.
_MOST_SECONDS, _MOST_MEGABYTES = 86_400.0, 1 << 20

_HERE = Path(__file__).parent
_TRIAL, _SANDBOX = _HERE / "trial.py", _HERE / "sandbox.py"


class Learner:
    """Use in a `with` block: at its end the process is gone, with all that it started."""

    # The way that made a sandbox the last time, so that the others are not tried again.
    _known_way: str | None = None

    def __init__(
        self,
        file: str,
        seconds: float,
        megabytes: int,
        *,
        contained: bool = True,
        trust: bool = False,
    ) -> None:
        self.file = file
        self.seconds = min(seconds, _MOST_SECONDS)
        self.megabytes = min(megabytes, _MOST_MEGABYTES)
        self.contained = contained
        self._trust = trust
        self._process: subprocess.Popen[bytes] | None = None
        self._pump: _Pump | None = None
        self._jobs = 0

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def load(self) -> Answer:
        """Start a process and return what it says of the file."""
        started = self._start()
        return started if "error" in started else self._receive("load", read_loaded, self.seconds)

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
        return self._receive(self._jobs, read_answers(job), self.seconds)

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
        if self._pump is not None:
            self._pump.stop()

    # ── Starting ─────────────────────────────────────────────────────────────────────────────

    def _start(self) -> Answer:
        """Start a process, in a sandbox unless told otherwise; raise where there is none."""
        reasons: list[str] = []
        for way in self._ways():
            self._spawn(way)
            # A machine that is slow to start Python is not the learner's fault.
            started = self._receive("start", _started, max(60.0, self.seconds))
            if "error" in started:
                reasons.append(f"{way} {started['error'].lower()} {started['message']}".strip())
                if way == "off":
                    return started
            elif started["open"]:
                reasons += [f"{way}: {reason}" for reason in started["open"]]
            else:
                if way != "off":
                    Learner._known_way = way
                return started
            self.stop()
        if not sys.platform.startswith("linux"):
            reasons = [f"the sandbox needs Linux, this is {sys.platform}"]
        if not self._trust:
            raise NotContainedError(
                f"NOT CONTAINED HERE: {'; '.join(dict.fromkeys(reasons))}.\n"
                "The file was not run: it could read and delete your files and use the network.\n"
                "If you trust it as you trust your own code, add --trust."
            )
        self.contained = False
        return self._start()

    def _ways(self) -> list[str]:
        if not self.contained:
            return ["off"]
        if not sys.platform.startswith("linux"):
            return []
        if Learner._known_way:
            return [Learner._known_way]
        return ["namespaces", *(["bwrap"] if shutil.which("bwrap") else [])]

    def _spawn(self, way: str) -> None:
        self.stop()
        file = os.path.abspath(self.file)
        # -P: the folder of trial.py is no place to import from. -B: leave no cache behind.
        trial = "/trial.py" if way != "off" else str(_TRIAL)
        command = [sys.executable, "-P", "-B", trial, file, way, *AUTODIFF]
        environment = _environment(way)
        if os.name == "posix":
            plan = {
                "sandbox": way,
                "judge": os.getpid(),
                "memory": self.megabytes << 20,
                "cpu_seconds": int(60 + 100 * self.seconds),
                "command": command,
                "environment": environment,
                "show": _shown(file),
                "hide": _hidden(),
                "place": {str(_TRIAL): trial},
            }
            command = [sys.executable, "-I", "-S", "-B", str(_SANDBOX), json.dumps(plan)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the judge, which then ends the process
        )
        self._pump = _Pump(self._process)

    # ── Receiving ────────────────────────────────────────────────────────────────────────────

    def _receive(
        self, answer_id: int | str, read: Callable[[Answer], Answer], seconds: float
    ) -> Answer:
        """Wait for the answer with this id; a process that has forked gives some twice."""
        assert self._pump is not None
        deadline = monotonic() + seconds
        while True:
            left = deadline - monotonic()
            # Lines without end must not hold off the end: nothing is read when the time is up.
            line = self._pump.line(left) if left > 0 else None
            if line is None:
                self.stop()
                return {"error": "Timeout", "message": say("{:g} s", seconds)}
            if not line.endswith(b"\n"):
                ending = _ending(self._process, self.megabytes) if not line else BAD_REPLY
                self.stop()
                return ending
            try:
                found = json.loads(line)
                if not isinstance(found, dict):
                    continue
                answer = cast("Answer", found)
                if answer.get("id") != answer_id:
                    continue
                return read_failure(answer) if "error" in answer else read(answer)
            except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
                self.stop()
                return dict(BAD_REPLY)


BAD_REPLY: Answer = {
    "error": "BadReplyError",
    "message": "it wrote something else than an answer into the judge's pipe",
}


class _Pump:
    """Moves lines from a pipe to a short queue; a longer line than MOST_BYTES ends it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._lines: Queue[bytes] = Queue(maxsize=8)
        self._stopped = Event()
        self._thread = Thread(target=self._run, args=(process,), daemon=True)
        self._thread.start()

    def line(self, seconds: float) -> bytes | None:
        """Return the next line, b"" at the end, a line cut short if too long, None for none."""
        try:
            return self._lines.get(timeout=seconds)
        except Empty:
            return None

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(1.0)  # a process that got away may hold its pipe open

    def _run(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(OSError), process.stdout or contextlib.nullcontext() as pipe:
            while pipe is not None and not self._stopped.is_set():
                line = pipe.readline(MOST_BYTES)
                self._put(line)
                if not line.endswith(b"\n"):
                    return
        self._put(b"")

    def _put(self, line: bytes) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(Full):
                self._lines.put(line, timeout=0.05)
                return


def _ending(process: subprocess.Popen[bytes] | None, megabytes: int) -> Answer:
    """Say how the process has ended."""
    message = "without a word"
    with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
        code = process.wait(6.0) if process else 0
        if code == sandbox.OVER_MEMORY and os.name == "posix":
            return {"error": "MemoryError", "message": say("more than {} MB in all", megabytes)}
        if code < 0 or 128 < code < 128 + 65:
            number = -code if code < 0 else code - 128
            message = say("by the signal {}", signal.Signals(number).name)
        else:
            message = say("with exit code {}", code)
    return {"error": "Died", "message": message}


# ── What an answer may be ────────────────────────────────────────────────────────────────────


def _started(answer: Answer) -> Answer:
    return {"open": _texts(answer["open"], 20, 200)}


def read_loaded(answer: Answer) -> Answer:
    """Return what a file was found to define."""
    return {
        "classes": _texts(answer["classes"], 200, 100),
        "is_class": answer["is_class"] is True,
        "names": _texts(answer["names"], 5000, 200),
        **{part: _text(answer[part], 60) for part in ("class", "data", "grad", "backward")},
        "borrowed": _borrowed(answer),
    }


def read_answers(job: Mapping[str, Any]) -> Callable[[Answer], Answer]:
    """Return a reader of answers to this job."""

    def read(answer: Answer) -> Answer:
        if "depth" in job:
            lists = {"data": [0], "grads": [0]}
        else:
            nodes = [index for index, (kind, _, _) in enumerate(job["nodes"]) if kind != "number"]
            lists = dict.fromkeys(("data", "before", "grads"), nodes)
        count = 1 if "depth" in job else len(job["nodes"])
        read = {name: _numbers(answer[name], count, must) for name, must in lists.items()}
        return {**read, "borrowed": _borrowed(answer)}

    return read


def read_failure(answer: Answer) -> Answer:
    """Return what was raised, and where."""
    doing = _text(answer.get("doing", ""), 20)
    line, column = answer.get("line"), answer.get("column")
    return {
        "error": _text(answer["error"], 100),
        "message": _text(answer["message"], 300),
        "line": line if _is_count(line) else None,
        "source": _text(answer.get("source", ""), 200),
        "column": column if _is_count(column) else None,
        "doing": doing if re.fullmatch(r"load|read|backward|node \d{1,3}", doing) else "load",
        "borrowed": _borrowed(answer),
    }


def _borrowed(answer: Answer) -> list[str]:
    return [name for name in _texts(answer["borrowed"], 50, 100) if name in AUTODIFF]


def _text(value: Any, most: int) -> str:
    """Read a text as one line: a second one could pass for a line of the judge's own."""
    if not isinstance(value, str):
        raise TypeError
    line = " ".join(value[:most].splitlines())
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


def _texts(value: Any, most: int, length: int) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [_text(one, length) for one in value[:most]]  # pyright: ignore[reportUnknownVariableType]


def _numbers(value: Any, count: int, must: Iterable[int]) -> list[float | None]:
    """Read one number per node. A node that is a plain number has None."""
    if not isinstance(value, list) or len(value) != count:  # pyright: ignore[reportUnknownArgumentType]
        raise TypeError
    known = set(must)
    numbers: list[float | None] = []
    for index, one in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        if index not in known:
            numbers.append(None)
        elif isinstance(one, int | float) and not isinstance(one, bool):
            numbers.append(float(one))
        else:
            raise TypeError
    return numbers


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9


# ── What the process gets to see ─────────────────────────────────────────────────────────────

_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONUTF8")


def _environment(way: str) -> dict[str, str]:
    """Return the variables that Python needs, and none of the user's others."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if os.name != "posix":
        kept |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    if site.ENABLE_USER_SITE and site.USER_BASE:
        kept["PYTHONUSERBASE"] = site.USER_BASE
    kept["PATH"] = os.defpath
    if way != "off":
        kept["HOME"] = kept["TMPDIR"] = sandbox.SCRATCH
    # Their threads would run into the limit on processes.
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
    return {**kept, **{f"{library}_NUM_THREADS": "1" for library in threads}}


def _shown(file: str) -> list[str]:
    """Return the folders that Python and the learner's file need."""
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *sys.path[1:]]
    paths += os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    link = sys.executable
    for _ in range(40):
        paths.append(os.path.dirname(link))
        if not os.path.islink(link):
            break
        link = os.path.join(os.path.dirname(link), os.readlink(link))
    with contextlib.suppress(OSError):
        lines = Path("/proc/self/maps").read_text("utf-8", "surrogateescape").splitlines()
        mapped = {line.split(maxsplit=5)[5] for line in lines if line.count(" /")}
        paths += [os.path.dirname(one) for one in mapped if ".so" in one]
    for one in (file, os.path.realpath(file)):
        folder = os.path.dirname(one)
        paths.append(folder if folder != "/" else one)
    found = [os.path.normpath(path) for path in paths if os.path.isabs(path)]
    found += [os.path.realpath(path) for path in found]
    kept: list[str] = []
    for path in sorted(set(found)):  # a folder comes before what is in it
        inside = any(path.startswith(f"{folder}/") for folder in kept)
        if path != "/" and os.path.exists(path) and not inside:
            kept.append(path)
    return kept


def _hidden() -> list[str]:
    """Return the folders of packages that differentiate, for the sandbox to cover.

    Another Python's packages lie in sight too, and a file can import from wherever it likes.
    """
    found: list[str] = []
    places = set(sys.path[1:])
    for prefix in (sys.prefix, sys.base_prefix, "/usr", "/usr/local"):
        places |= {str(place) for place in Path(prefix).glob("lib*/python3*/*-packages")}
    for name in AUTODIFF:
        with contextlib.suppress(ImportError, ValueError, AttributeError):
            spec = find_spec(name)
            found += (spec.submodule_search_locations or []) if spec else []
        found += filter(os.path.isdir, [os.path.join(place, name) for place in places if place])
    return sorted({one for path in found for one in (path, os.path.realpath(path))})
