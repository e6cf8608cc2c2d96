"""A class at once: the judge's verdicts on many files, as a table, as CSV and as data.

A file that cannot be judged has a row too, with the reason. What the limits of time or memory
decided depends on the machine: such a verdict is "undecided", never yes or no. All else is the same
on every machine, for the checks are drawn by a seed.
"""

from __future__ import annotations

import csv
import io
import os
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

from gradwalk.errors import LoadError, NotContainedError
from gradwalk.practice.judge import judge
from gradwalk.practice.judge.submission import Found, plain
from gradwalk.practice.judge.verdict import FAILED, NOT_TRIED, PASSED, Report, Verdict
from gradwalk.practice.language import say, told
from gradwalk.render.text import padded, text_width

__all__ = ["grades", "grades_csv", "grades_json", "grades_text", "report_names"]

_LONGEST_NAME = 60  # of a report: a name may have four bytes for each letter


def grades(files: Iterable[Found], **limits: Any) -> Iterator[Report]:
    """Judge each file by itself; `limits` are those of `judge`."""
    for file in files:
        try:
            report = judge(file, **limits)
        except LoadError as error:
            report = Report(file.path, error=error.args[0])
        except NotContainedError:
            raise
        except Exception as error:  # one file must not end the class
            traceback.print_exc()
            what = plain(f"{type(error).__name__}: {error}")
            said = say("gradwalk has made a mistake; please report {}", what)
            report = Report(file.path, error=said)
        # A gap could pass for the end of a column.
        yield replace(report, file=plain(file.path).replace("  ", r" \x20"))


def report_names(files: Sequence[str]) -> list[str]:
    """Return a name for the report on each file: its own, with its folders where files share it."""
    stems = [plain(Path(file).stem) for file in files]
    if len(set(stems)) < len(stems):
        base = os.path.commonpath([os.path.dirname(os.path.abspath(file)) for file in files])
        parts = [Path(os.path.relpath(file, base)).with_suffix("").parts for file in files]
        stems = [plain("-".join(part)) for part in parts]
    names: dict[str, str] = {}
    for stem in stems:
        name, number = stem[:_LONGEST_NAME], 1
        while name.casefold() in names:  # some systems take A for a
            number += 1
            name = f"{stem[:_LONGEST_NAME]}-{number}"
        names[name.casefold()] = name
    return list(names.values())


# ── As people and programs read them ─────────────────────────────────────────────────────────

_COLUMNS = (
    "file", "class", "gradients", "sturdy", "passed", "failed", "not_tried", "bug", "finding",
    "remedy",
)  # fmt: skip


def grades_csv(graded: Iterable[Report], language: str = "en") -> str:
    """Return a row for each file, to open in a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for one in graded:
        first = _first_failure(one)
        counts = [one.count(s) if one.verdicts else "" for s in (PASSED, FAILED, NOT_TRIED)]
        said = [_finding(one, language), told(first.remedy, language) if first else ""]
        rows.writerow(
            [
                *(_cell(one.file), _cell(one.name if one.verdicts else "")),
                *(one.gradients, one.sturdier, *counts, first.bug if first else ""),
                *map(_cell, said),
            ]
        )
    return out.getvalue()


def _first_failure(report: Report) -> Verdict | None:
    return next((v for v in report.verdicts if v.status == FAILED), None)


def _finding(report: Report, language: str) -> str:
    """Return the first thing that is wrong, in a sentence."""
    first = _first_failure(report)
    if first is None:
        return told(report.error, language).partition("\n")[0]
    finding = first.findings[0] if first.findings else ""
    return told(finding if first.bug == "no-attribute" else first.why or finding, language)


_BEGINS_FORMULA = (
    "[-=+@\uff0d\uff1d\uff0b\uff20]"  # the last four are as wide as a letter of Chinese
)


def _cell(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: parts of it are the learner's.

    Some separate by a semicolon, so a formula may begin behind one too.
    """
    text = re.sub(rf"[;|](?=[\s\"']*{_BEGINS_FORMULA})", ",", plain(text))
    return f"'{text}" if re.match(rf"[\s\"']*{_BEGINS_FORMULA}", text) else text


def grades_json(graded: Iterable[Report], language: str = "en") -> dict[str, Any]:
    found = [
        {**one.json(language), "gradients": one.gradients, "sturdier": one.sturdier}
        for one in graded
    ]
    return {"version": 1, "files": found}


def grades_text(graded: Sequence[Report], width: int, language: str = "en") -> str:
    """Return a table of all files, and how many are right."""
    rows = [["file", "gradients", "sturdy"]]
    rows += [[one.file, one.gradients or "–", one.sturdier or "–"] for one in graded]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    findings = ["", *[_finding(one, language) for one in graded]]
    lines: list[str] = []
    for row, finding in zip(rows, findings, strict=True):
        cells = [padded(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
        lines += wrap(finding, width, initial_indent="    ", subsequent_indent="    ")
    right = [one.ok for one in graded].count(True)
    return "\n".join([*lines, "", f"{right} of {len(graded)} have right gradients."]) + "\n"
