"""`gradwalk run`: other people's scripts, with gradwalk's Value."""

from __future__ import annotations

from collections.abc import Sequence

from gradwalk.cli.arguments import Parser, UsageError, one_of, use_backend
from gradwalk.cli.terminal import emit, emit_json, no_doors, note, width
from gradwalk.engine import backend
from gradwalk.scripts.replacing import Replaced
from gradwalk.scripts.running import run as run_script

_BACKENDS = ("python", "native", "auto")


def run(words: Sequence[str]) -> int:
    parser = Parser("run")
    engine, switch = one_of("backend", _BACKENDS), one_of("setting", ("on", "off"))
    parser.option("--backend", type=engine, metavar="ENGINE", help="python, native or auto")
    parser.option("--compare", action="store_true", help="run it as written too; compare")
    parser.option("--explain", action="store_true", help="say of each thing kept why")
    parser.option("-m", "--module", action="store_true", help="name a package, as python -m does")
    parser.option("--gc", type=switch, default="on", metavar="on|off", help="garbage collector")
    own, script = divide(parser, words)
    options = parser.read(own)
    if options is None:
        return 0
    if not script:
        raise UsageError("name a script: gradwalk run microgpt.py")
    if (code := use_backend(options.backend, ["run", *words])) is not None:
        return code
    collect = options.gc == "on"
    if options.compare:
        from gradwalk.scripts.comparing import EXIT_CODES, compare

        note(f"running {script[0]} with gradwalk, then as written …")
        done = compare(script[0], script[1:], collect=collect, module=options.module)
        if options.json:
            emit_json({"version": 1, **done.json()})
        else:
            emit(done.text(width()))
        return EXIT_CODES[done.verdict]

    told: list[Replaced] = []

    def tell(one: Replaced) -> None:
        told.append(one)
        if not options.json:
            note(f"gradwalk run: {one}")
            for line in one.details if options.explain else ():
                note(f"gradwalk run:   {line}")

    def after(said: str) -> None:
        if not options.json:
            note(f"gradwalk run: {said}")

    try:
        with no_doors():
            return run_script(
                script[0], script[1:], tell, collect=collect, module=options.module, after=after
            )
    finally:
        if options.json:  # stdout is the script's
            from gradwalk.render.json import dumps

            replaced = [one._asdict() for one in told]
            data = {"script": script[0], "backend": backend(), "replaced": replaced}
            note(dumps({"version": 1, **data}).rstrip("\n"))


def divide(parser: Parser, words: Sequence[str]) -> tuple[list[str], list[str]]:
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
