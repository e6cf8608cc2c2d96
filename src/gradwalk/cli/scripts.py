"""`gradwalk run`: other people's scripts, with gradwalk's Value."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from gradwalk.cli.arguments import Parser, UsageError, one_of
from gradwalk.cli.terminal import emit, no_doors, note, width
from gradwalk.engine import backend
from gradwalk.scripts.comparing import compare
from gradwalk.scripts.replacing import Replaced
from gradwalk.scripts.running import run as run_script

__all__ = ["run"]

_BACKENDS = ("python", "native", "auto")


def run(words: Sequence[str]) -> int:
    parser = Parser("run")
    engine, switch = one_of("backend", _BACKENDS), one_of("setting", ("on", "off"))
    parser.option("--backend", type=engine, metavar="ENGINE", help="python, native or auto")
    parser.option("--compare", action="store_true", help="run it as written too; compare")
    parser.option("--gc", type=switch, default="on", metavar="on|off", help="garbage collector")
    own, script = _divide(parser, words)
    options = parser.read(own)
    if options is None:
        return 0
    if not script:
        raise UsageError("name a script: gradwalk run microgpt.py")
    if options.backend and not _runs(options.backend):
        return _again(options.backend, words)
    collect = options.gc == "on"
    if options.compare:
        note(f"running {script[0]} with gradwalk, then as written …")
        done = compare(script[0], script[1:], collect=collect)
        emit(_dumps({"version": 1, **done.json()}) if options.json else done.text(width()))
        return 0 if done.ok else 1

    told: list[Replaced] = []

    def tell(one: Replaced) -> None:
        told.append(one)
        if not options.json:
            note(f"gradwalk run: {one}")

    try:
        with no_doors():
            return run_script(script[0], script[1:], tell, collect=collect)
    finally:
        if options.json:  # stdout is the script's
            replaced = [one._asdict() for one in told]
            data = {"script": script[0], "backend": backend(), "replaced": replaced}
            note(_dumps({"version": 1, **data}).rstrip("\n"))


def _divide(parser: Parser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what is ours, and the script with all behind it, which is the script's."""
    own: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "--":
        flag = rest.pop(0)
        own.append(flag)
        if parser.flags.get(flag) and rest:
            own.append(rest.pop(0))
    rest = rest[1:] if rest[:1] == ["--"] else rest
    script, arguments = rest[:1], rest[1:]
    if arguments[:1] == ["--"]:
        return own, script + arguments[1:]
    for word in arguments:
        if word.partition("=")[0] in ("--compare", "--backend"):
            name = script[0]
            raise UsageError(
                f"{word} stands behind the script. To compare or choose, put it before: "
                f"gradwalk run {word} {name}\nTo give it to the script: gradwalk run {name} -- …"
            )
    return own, script + arguments


def _runs(asked: str) -> bool:
    if asked == "auto":
        return os.environ.get("GRADWALK_BACKEND", "auto") == "auto"
    return backend() == asked


def _again(engine: str, words: Sequence[str]) -> int:
    """Start over with the engine asked for: the choice is made at import, once for a process."""
    os.environ["GRADWALK_BACKEND"] = engine
    command = [sys.executable, "-P", "-m", "gradwalk", "run", *words]
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(sys.executable, command)
    return subprocess.run(command, check=False).returncode


def _dumps(data: dict[str, object]) -> str:
    from gradwalk.render.json import dumps

    return dumps(data)
