"""`gradwalk lab`: serve it; `gradwalk site`: write it as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gradwalk.cli.arguments import Parser, UsageError, point, port
from gradwalk.cli.terminal import emit_either
from gradwalk.lab import require_extra

OK = 0


def lab(words: Sequence[str]) -> int:
    parser = Parser("lab", takes_expression=True)
    parser.option("--port", type=port, default=0, metavar="N", help="(any free one)")
    parser.option("--no-browser", action="store_true", help="only print the address")
    options = parser.read(words)
    if options is None:
        return OK
    require_extra()
    from gradwalk.lab.server import serve

    expression, values = point(options.words, "lab") if options.words else (None, None)
    text = expression.text if expression else None
    return serve(text, values, options.port, not options.no_browser, as_json=options.json)


def site(words: Sequence[str]) -> int:
    parser = Parser("site")
    parser.option("--pyodide", metavar="DIR", help="npm's package (in node_modules)")
    parser.option("--no-python", action="store_true", help="write the lab without Python")
    options = parser.read(words)
    if options is None:
        return OK
    if len(options.words) != 1:
        raise UsageError("site takes one folder: gradwalk site DIR")
    from gradwalk.lab.site import PYODIDE, find_pyodide, write_site

    pyodide = None
    if not options.no_python:
        pyodide = Path(options.pyodide) if options.pyodide else find_pyodide(Path.cwd())
        if pyodide is None:
            raise UsageError(
                "Python for the page is not here. Fetch it once: npm install "
                f"pyodide@{PYODIDE}\nThen run this in the same folder, or name the package by "
                "--pyodide. --no-python writes the lab without it."
            )
    folder = Path(options.words[0])
    written = write_site(folder, pyodide)
    size = sum([file.stat().st_size for file in written])
    data = {"folder": str(folder), "files": [str(file) for file in written], "bytes": size}
    text = f"{len(written)} files in {folder}, {size / 1e6:.1f} MB: put them on any web server"
    emit_either(options, lambda: data, lambda: text)
    return OK
