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
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from gradwalk.errors import LoadError, NotContainedError
from gradwalk.practice.judge import failure_json, judge
from gradwalk.practice.judge.checks import STURDY
from gradwalk.practice.judge.submission import plain
from gradwalk.practice.judge.verdict import (
    FAILED,
    NOT_TRIED,
    PASSED,
    Report,
    Verdict,
    report_json,
    report_text,
)
from gradwalk.practice.language import say, told
from gradwalk.render.text import padded, text_width

__all__ = ["Grade", "grades", "grades_csv", "grades_json", "grades_text", "report_names"]

YES, NO, UNDECIDED = "yes", "no", "undecided"
_LONGEST_NAME = 60  # of a report: a name may have four bytes for each letter


@dataclass(frozen=True, slots=True)
class Grade:
    """What the judge says of one file; without a report, `error` says why there is none."""

    file: str
    report: Report | None
    error: str = ""

    @property
    def gradients(self) -> str:
        """Whether gradients are right: yes, no or undecided; nothing where there is no report.

        Where a package has the same class, its name takes the place of a yes.
        """
        if self.report and self.report.looks_like:
            return f"looks like {self.report.looks_like}"
        return _decision([v for v in self._verdicts if v.check.group not in STURDY])

    @property
    def sturdy(self) -> str:
        """Whether it also passes what micrograd fails: backward() again, deep chains."""
        return _decision(self._verdicts)

    @property
    def _verdicts(self) -> Sequence[Verdict]:
        return self.report.verdicts if self.report else ()

    @property
    def ok(self) -> bool:
        return self.gradients == YES

    def finding(self, language: str = "en") -> str:
        """Return the first thing that is wrong, in a sentence."""
        for verdict in self._verdicts:
            if verdict.status == FAILED:
                first = verdict.findings[0] if verdict.findings else ""
                named = first if verdict.bug == "no-attribute" else verdict.why or first
                return told(named, language)
        return told(self.error, language).partition("\n")[0]

    def text(self, width: int, language: str = "en") -> str:
        """Return the report to hand to the learner."""
        if self.report is None:
            return f"{self.file}\n\n{told(self.error, language)}\n"
        return report_text(self.report, width, language)

    def json(self, language: str = "en") -> dict[str, Any]:
        if self.report is None:
            return failure_json(self.file, told(self.error, language))
        return report_json(self.report, language)


def _decision(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    failed = [v for v in verdicts if v.status == FAILED]
    if any("by_limit" not in v.answer for v in failed):
        return NO
    return UNDECIDED if failed or any(v.status == NOT_TRIED for v in verdicts) else YES


def grades(files: Iterable[tuple[str, str]], **limits: Any) -> Iterator[Grade]:
    """Judge each file by itself; `limits` are those of `judge`.

    With each file comes the folder below which no link is followed.
    """
    for file, base in files:
        name = plain(file).replace("  ", r" \x20")  # a gap could pass for the end of a column
        try:
            yield Grade(name, judge(file, base=base, **limits))
        except LoadError as error:
            yield Grade(name, None, error.args[0])
        except NotContainedError:
            raise
        except Exception as error:  # one file must not end the class
            traceback.print_exc()
            what = plain(f"{type(error).__name__}: {error}")
            yield Grade(name, None, say("gradwalk has made a mistake; please report {}", what))


def report_names(files: Sequence[str]) -> list[str]:
    """Return a name for the report on each file: its own, with its folders where files share it."""
    stems = [plain(Path(file).stem) for file in files]
    if len(set(stems)) < len(stems):
        base = os.path.commonpath([os.path.dirname(os.path.abspath(file)) for file in files])
        parts = [Path(os.path.relpath(file, base)).with_suffix("").parts for file in files]
        stems = [plain("-".join(part)) for part in parts]
    names: list[str] = []
    taken: set[str] = set()
    for stem in stems:
        name, number = stem[:_LONGEST_NAME], 1
        while name.casefold() in taken:  # some systems take A for a
            number += 1
            name = f"{stem[:_LONGEST_NAME]}-{number}"
        taken.add(name.casefold())
        names.append(name)
    return names


# ── As people and programs read them ─────────────────────────────────────────────────────────

_COLUMNS = (
    "file", "class", "gradients", "sturdy", "passed", "failed", "not_tried", "bug", "finding",
    "remedy",
)  # fmt: skip


def grades_csv(graded: Iterable[Grade], language: str = "en") -> str:
    """Return a row for each file, to open in a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for grade in graded:
        report = grade.report
        first = next((v for v in grade._verdicts if v.status == FAILED), None)
        counts = [report.count(s) if report else "" for s in (PASSED, FAILED, NOT_TRIED)]
        rows.writerow(
            [
                _cell(grade.file),
                _cell(report.name if report else ""),
                grade.gradients,
                grade.sturdy,
                *counts,
                first.bug if first else "",
                _cell(grade.finding(language)),
                _cell(told(first.remedy, language) if first else ""),
            ]
        )
    return out.getvalue()


_BEGINS_FORMULA = (
    "[-=+@\uff0d\uff1d\uff0b\uff20]"  # the last four are as wide as a letter of Chinese
)


def _cell(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: parts of it are the learner's.

    Some separate by a semicolon, so a formula may begin behind one too.
    """
    text = re.sub(rf"[;|](?=[\s\"']*{_BEGINS_FORMULA})", ",", plain(text))
    return f"'{text}" if re.match(rf"[\s\"']*{_BEGINS_FORMULA}", text) else text


def grades_json(graded: Iterable[Grade], language: str = "en") -> dict[str, Any]:
    return {
        "version": 1,
        "files": [
            {**grade.json(language), "gradients": grade.gradients, "sturdier": grade.sturdy}
            for grade in graded
        ],
    }


def grades_text(graded: Sequence[Grade], width: int, language: str = "en") -> str:
    """Return a table of all files, and how many are right."""
    rows = [["file", "gradients", "sturdy"]]
    rows += [[grade.file, grade.gradients or "–", grade.sturdy or "–"] for grade in graded]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    findings = ["", *[grade.finding(language) for grade in graded]]
    lines: list[str] = []
    for row, finding in zip(rows, findings, strict=True):
        cells = [padded(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
        lines += wrap(finding, width, initial_indent="    ", subsequent_indent="    ")
    right = len([grade for grade in graded if grade.ok])
    lines += ["", f"{right} of {len(graded)} have right gradients."]
    return "\n".join(lines) + "\n"
