"""`gradwalk program`: what a function or an expression is recorded as, and what it computes."""

from __future__ import annotations

import ast
import os
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradwalk.cli.arguments import Parser, UsageError, point, suggest, whole
from gradwalk.cli.terminal import emit, note, width
from gradwalk.errors import GradwalkError, OperandError
from gradwalk.graph import number
from gradwalk.practice.answers import read_number
from gradwalk.program import Compiled, compile, inspection, load  # noqa: A004
from gradwalk.program.ir import CODES


def program(words: Sequence[str]) -> int:
    parser = Parser("program", takes_expression=True)
    parser.option("--stage", metavar="NAME", help="after this pass; all: every stage, explained")
    parser.option(
        "--most", type=whole(2), default=60, metavar="N", help="lines of a long program (60)"
    )
    parser.option("-o", dest="file", metavar="FILE", help="save the program, to load and replay")
    options = parser.read(words)
    if options is None:
        return 0
    compiled, given = _found(options.words)
    report = _report(compiled, given)
    if options.file:
        compiled.save(options.file)
        note(f"wrote {options.file} ({Path(options.file).stat().st_size:,} bytes)")
    if options.json:
        from gradwalk.render.json import dumps

        emit(dumps({"version": 1, **report, "instructions": _instructions(compiled)}))
    elif not options.file:
        emit(_text(compiled, report, options.stage, options.most))
    return 0


def _found(words: list[str]) -> tuple[Compiled, dict[str, Any] | None]:
    """Return what the words name, and its arguments; None for a file that needs none."""
    first = words[0] if words else ""
    file, colon, name = first.rpartition(":")
    if colon and file.endswith(".py"):
        return _function(file, name), _arguments(words[1:])
    if first.endswith(".py"):
        raise UsageError(f"name the function too: gradwalk program {first}:NAME")
    if os.path.isfile(first):  # not Path.is_file, which raises for a name of 256 bytes
        if not words[1:]:
            return load(first), None
        return load(first), _arguments(words[1:])
    expression, values = point(words, "program")
    return compile(expression.function()), dict(values)


def _function(file: str, name: str) -> Compiled:
    import runpy

    if not Path(file).is_file():
        raise UsageError(f"there is no file {file}")
    try:
        names = runpy.run_path(file, run_name="gradwalk_program")
    except SyntaxError as error:
        place = f"{error.filename}:{error.lineno}: {(error.text or '').strip()}"
        raise UsageError(f"{file} is not Python: {error.msg}\n  {place}") from None
    except GradwalkError:
        raise
    except Exception as error:
        raise _told(file, error) from error
    found = names.get(name)
    if not callable(found):
        own = [n for n, thing in names.items() if callable(thing) and not n.startswith("_")]
        hint = suggest(name, own) or (f"; there is {', '.join(own)}" if own else "")
        raise UsageError(f"{file} has no function {name!r:.40}{hint}")
    return found if isinstance(found, Compiled) else compile(found)


def _arguments(words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"arguments are NAME=VALUE, not {word!r:.40}")
        try:
            given[name] = read_number(text)
        except OperandError:
            try:
                given[name] = _literal(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                raise UsageError(
                    f"{name} takes a number or a list such as [1, 2.5], not {text!r:.40}"
                ) from None
    return given


def _literal(text: str) -> Any:
    """Return the list, tuple or dict that a text writes out, with inf and nan for numbers."""

    class Special(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.Constant(float(node.id)) if node.id in ("inf", "nan") else node

    return ast.literal_eval(Special().visit(ast.parse(text.strip(), mode="eval")))


def _report(compiled: Compiled, given: dict[str, Any] | None) -> dict[str, Any]:
    report: dict[str, Any] = {"name": compiled.name, "arguments": list(compiled.arguments)}
    if given is not None:
        value = _called(compiled, given)
        report["value"] = value
        if isinstance(value, float):
            report["gradients"] = compiled.value_and_grad(**given)[1]
    recording = compiled._store.used_last()
    report["sizes"] = inspection.sizes(compiled._store)
    report["stages"] = list(inspection.stages(compiled._store))
    report["parameters"] = len(recording.parameters)
    report["outputs"] = list(recording.program.outputs)
    return report


def _called(compiled: Compiled, given: dict[str, Any]) -> Any:
    """Return the value; an error of the user's function is told by its line, without our frames."""
    try:
        return compiled(**given)
    except GradwalkError:
        raise
    except Exception as error:
        raise _told(compiled.name, error) from error


def _told(name: str, error: Exception) -> UsageError:
    last = traceback.extract_tb(error.__traceback__)[-1]
    kind = type(error).__name__
    return UsageError(
        f"{name} raised {kind}: {error}\n  {last.filename}:{last.lineno}: {last.line}"
    )


def _instructions(compiled: Compiled) -> list[dict[str, Any]]:
    recording = compiled._store.used_last()
    data, names = recording.program, recording.slot_names
    rows: list[dict[str, Any]] = []
    for i, code in enumerate(data.codes):
        row: dict[str, Any] = {"id": i, "op": CODES[code]}
        if row["op"] == "const":
            row["number"] = data.numbers[i]
        elif row["op"] == "input":
            row["name"] = names[int(data.numbers[i])]
        else:
            row["operands"] = list(data.operands(i))
        if place := data.places[i]:
            row["line"] = list(place)
        rows.append(row)
    return rows


def _text(compiled: Compiled, report: dict[str, Any], stage: str | None, most: int) -> str:
    lines: list[str] = []
    for name in inspection.stages(compiled._store) if stage == "all" else (stage or "recorded",):
        shown = compiled.explain(name, most).split("\n")
        lines.append(f"{compiled.name}({', '.join(compiled.arguments)}), {name}:")
        if stage == "all":
            shown.insert(0, f"# {inspection.heading(compiled._store, name)}")
        lines += [*[f"  {line}" for line in shown], ""]
    lines += inspection.summary(compiled._store).split("\n")
    if "value" in report:
        lines.append(f"value  {_shown(report['value'])}")
    lines += [f"d / d {name}  {_shown(grad)}" for name, grad in report.get("gradients", {}).items()]
    return "\n".join(
        [line if len(line) <= width() else line[: width() - 1] + "…" for line in lines]
    )


def _shown(thing: Any) -> str:
    """Return numbers to ten digits, in their structure."""
    if isinstance(thing, float):
        return number(thing, 10)
    if isinstance(thing, dict):
        return "{" + ", ".join([f"{key!r}: {_shown(x)}" for key, x in thing.items()]) + "}"  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if isinstance(thing, (list, tuple)):
        return "[" + ", ".join(map(_shown, thing)) + "]"  # pyright: ignore[reportUnknownArgumentType]
    return repr(thing)
