"""`gradwalk watch`: a training script in the lab, step by step, while it runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence

from gradwalk.cli.arguments import Parser, UsageError, port
from gradwalk.cli.run import divide
from gradwalk.cli.terminal import no_doors, note
from gradwalk.engine import source_lines
from gradwalk.lab.watching import watch as watching
from gradwalk.scripts.running import run as run_script


def watch(words: Sequence[str]) -> int:
    parser = Parser("watch")
    parser.option("--port", type=port, default=0, metavar="N", help="(any free one)")
    parser.option("--no-browser", action="store_true", help="only print the address")
    parser.option("--lines", action="store_true", help="keep the line that made each node")
    parser.option("--no-wait", action="store_true", help="end with the script")
    own, script = divide(parser, words)
    options = parser.read(own)
    if options is None:
        return 0
    if not script:
        raise UsageError("name a script: gradwalk watch train.py")
    browses = not options.no_browser
    lines = source_lines() if options.lines else contextlib.nullcontext()
    with (
        watching(script[0], port=options.port, open_browser=browses, as_json=options.json) as seen,
        no_doors(),
        lines,
    ):
        code = run_script(script[0], script[1:], lambda _: None)
        seen.end("finished" if code == 0 else "failed")
        if not seen.steps:
            note("gradwalk watch: no backward() on a Value was seen")
        elif not options.no_wait:
            note("gradwalk watch: the script has ended. Ctrl-C stops the lab.")
            with contextlib.suppress(KeyboardInterrupt):
                threading.Event().wait()
    return code
