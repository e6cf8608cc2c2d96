"""Runs scripts in forks of one process that has imported gradwalk, which costs more than most do.

`run` takes the words behind `gradwalk run`, `python` those behind `python`: a script, a notebook,
or -m and a module. Each returns what a process of its own would leave.
"""

import atexit
import functools
import gc
import json
import os
import runpy
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from gradwalk.cli import main
from gradwalk.scripts import running

__all__ = ["ENVIRONMENT", "python", "run"]

# Processes that the tests start share their bytecode, outside of the checkout.
_BYTECODE = tempfile.TemporaryDirectory(prefix="gradwalk-bytecode-")
ENVIRONMENT = {
    **os.environ,
    "GRADWALK_CACHE": os.path.join(_BYTECODE.name, "decisions"),
    "PYTHONPYCACHEPREFIX": _BYTECODE.name,
    "PYTHONDONTWRITEBYTECODE": "",
}

Answer = subprocess.CompletedProcess[str]


def run(*words: Any, cwd: Any = None, stdin: str = "") -> Answer:
    return _answer("gradwalk", words, cwd, stdin)


def python(*words: Any, cwd: Any = None, stdin: str = "") -> Answer:
    return _answer("python", words, cwd, stdin)


def _answer(way: str, words: tuple[Any, ...], cwd: Any, stdin: str) -> Answer:
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory(prefix="gradwalk-warm-") as folder:
        streams = [Path(folder) / name for name in ("in", "out", "err")]
        streams[0].write_text(stdin, "utf-8")
        job = [way, [str(word) for word in words], str(cwd or os.getcwd()), *map(str, streams)]
        server.stdin.write(json.dumps(job) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        out, err = [stream.read_text("utf-8") for stream in streams[1:]]
    return subprocess.CompletedProcess([way, *words], code, out, err)


@functools.cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-P", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
        encoding="utf-8",
    )
    atexit.register(server.communicate)
    return server


def _serve() -> None:
    """Answer jobs until there are no more. A fork leaves the loop by running its script."""
    for name in ("cli.run", "render", "scripts.comparing", "scripts.trying", "scripts.verdicts"):
        import_module(f"gradwalk.{name}")
    gc.freeze()  # a fork need not look through all that is imported
    jobs, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in iter(jobs.readline, ""):
        way, words, cwd, *streams = json.loads(line)
        process = os.fork()
        if process == 0:
            for number, (file, mode) in enumerate(zip(streams, "rww", strict=True)):
                with open(file, mode) as stream:
                    os.dup2(stream.fileno(), number)
            os.chdir(cwd)
            if way == "gradwalk":
                sys.exit(main(["run", *words]))
            _be_python(words)
            return
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _be_python(words: list[str]) -> None:
    if words[0] == "-m":
        sys.path.insert(0, os.getcwd())
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0].endswith(".ipynb"):
        sys.exit(running.run_as_written(words[0], []))
    else:
        sys.path.insert(0, os.path.dirname(os.path.realpath(words[0])))
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    _serve()
