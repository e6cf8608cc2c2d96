"""What became of the checks: a `Verdict` for each, a `Report` of a file, grades of a class.

What the limits of time or memory decided depends on the machine: such a verdict is "undecided",
never yes or no. All else is the same on every machine, for the checks are drawn by a seed.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from gradwalk.graph import Graph
from gradwalk.practice.answers import close, shown
from gradwalk.practice.judge.checks import GROUPS, STURDY, Check, written
from gradwalk.practice.judge.submission import plain
from gradwalk.practice.judge.suspects import Grads
from gradwalk.practice.language import say, told
from gradwalk.render.text import padded, text_width

if TYPE_CHECKING:
    from gradwalk.practice.judge.learner import Answer

PASSED, FAILED, NOT_TRIED = "passed", "failed", "not tried"


@dataclass(slots=True)
class Verdict:
    """What became of one check. `bug` names a known one, `why` and `remedy` are for the learner."""

    check: Check
    answer: Answer = field(default_factory=dict[str, Any])
    status: str = PASSED
    findings: tuple[str, ...] = ()
    bug: str = ""
    why: str = ""
    remedy: str = ""

    def fail(self, findings: Iterable[str], why: str = "", remedy: str = "", bug: str = "") -> None:
        self.status, self.findings = FAILED, tuple(findings)
        self.blame(bug, why, remedy)

    def blame(self, bug: str, why: str, remedy: str = "") -> None:
        self.bug, self.why, self.remedy = bug, why, remedy


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one file. Where there are no verdicts, `error` says why."""

    file: str
    verdicts: tuple[Verdict, ...] = ()
    error: str = ""
    operations: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    contained: bool = True  # in a sandbox
    name: str = "Value"  # of the class
    called: tuple[str, ...] = ()  # what the class names otherwise, in words
    looks_like: str = ""  # the package that has this class

    def count(self, status: str) -> int:
        return [verdict.status for verdict in self.verdicts].count(status)

    def _of(self, *, sturdy: bool) -> list[Verdict]:
        return [one for one in self.verdicts if (one.check.group in STURDY) == sturdy]

    @property
    def gradients(self) -> str:
        """Whether gradients are right: yes, no or undecided; nothing where there are no verdicts.

        Where a package has the same class, its name takes the place of a yes.
        """
        return (
            f"looks like {self.looks_like}"
            if self.looks_like
            else _decision(self._of(sturdy=False))
        )

    @property
    def ok(self) -> bool:
        """Whether gradients are right, and the class one's own: all that is asked of a Value."""
        return self.gradients == "yes"

    @property
    def sturdier(self) -> str:
        """Whether it also stands what micrograd does not: backward() again, depth, many paths."""
        return _decision(self.verdicts)

    @property
    def sturdy(self) -> bool:
        return self.ok and self.sturdier == "yes"

    def text(self, width: int = 80, language: str = "en") -> str:
        """Return the report to read: a line for each group, and each bug explained once."""
        tell = partial(told, language=language)
        if not self.verdicts:
            return f"{plain(self.file)}\n\n{tell(self.error)}\n"
        operations = " ".join(map(written, self.operations))
        head = f"{plain(self.file)}: {self.name}" + (f" ({operations})" if operations else "")
        lines = wrap(head, width, subsequent_indent="  ")
        if self.called:
            lines += wrap(tell(say("Below, {}.", ", ".join(map(tell, self.called)))), width)
        lines.append("")
        seen: set[str] = set()
        widest = max([len(tell(title)) for title in GROUPS.values()])
        for group, title in GROUPS.items():
            if group == STURDY[0]:
                lines += ["", *self._conclusion("Gradients right", language), ""]
            verdicts = [v for v in self.verdicts if v.check.group == group]
            tried = [v.status for v in verdicts if v.status != NOT_TRIED]
            if verdicts:
                count = say("{} of {}", tried.count(PASSED), len(tried)) if tried else NOT_TRIED
                lines.append(f"  {tell(title):<{widest}}  {tell(count)}")
            lines += _failures(verdicts, seen, width, language)
        lines += ["", *self._conclusion("Sturdier than micrograd", language, sturdy=True)]
        missing, untried = ", ".join(self.missing), self.count(NOT_TRIED)
        lines += [""] * bool(missing or untried)
        if missing:
            said = say("Not tried, because {} does not define it: {}.", self.name, missing)
            lines += wrap(tell(said), width)
        if untried:
            said = say("Checks not tried after what happened in the others: {}.", untried)
            lines += wrap(tell(said), width)
        return "\n".join(lines) + "\n"

    def _conclusion(self, title: str, language: str, *, sturdy: bool = False) -> list[str]:
        """Return one of the two verdicts in words."""
        found = [one.status for one in self._of(sturdy=sturdy)]
        tried = len(found) - found.count(NOT_TRIED)
        if failed := found.count(FAILED):
            said = say("{}: no. {} of {} checks failed.", title, failed, tried)
        elif tried < len(found):
            said = say("{}: not known.", title)
        elif tried and self.looks_like:
            looks = self.looks_like
            said = say("{}: all {} checks passed, but it looks like {}.", title, tried, looks)
        else:
            said = say("{}: yes. All {} checks passed.", title, tried)
        return [told(said, language)] if tried else []

    def json(self, language: str = "en") -> dict[str, Any]:
        """Return the report as data, its sentences in this language."""
        tell = partial(told, language=language)
        head = {"version": 1, "file": plain(self.file), "ok": self.ok}
        if not self.verdicts:
            return {**head, "error": tell(self.error), "checks": []}
        return {
            **head,
            "class": self.name,
            "sturdy": self.sturdy,
            "looks_like": self.looks_like or None,
            "contained": self.contained,
            **{s.replace(" ", "_"): self.count(s) for s in (PASSED, FAILED, NOT_TRIED)},
            "operations": list(self.operations),
            "missing": list(self.missing),
            "checks": [
                {
                    "group": verdict.check.group,
                    "name": tell(verdict.check.name),
                    "status": verdict.status,
                    "findings": list(map(tell, verdict.findings)),
                    "bug": verdict.bug or None,
                    "why": tell(verdict.why),
                    "remedy": tell(verdict.remedy),
                }
                for verdict in self.verdicts
            ],
        }


def _decision(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    failed = [v for v in verdicts if v.status == FAILED]
    if any("by_limit" not in v.answer for v in failed):
        return "no"
    return "undecided" if failed or any(v.status == NOT_TRIED for v in verdicts) else "yes"


def differences(
    graph: Graph, what: str, got: Grads, expected: Grads, of: Iterable[int] | None = None
) -> Sequence[str]:
    """Return what differs, leaves first, for that is where a learner looks; three will do."""
    ids = sorted(of if of is not None else range(len(graph)), key=lambda i: bool(graph[i].operands))
    return [
        say("{}.{}: expected {}, got {}", graph.name(i), what, shown(want), shown(have))
        for i in ids
        if (want := expected[i]) is not None
        and (have := got[i]) is not None
        and not graph[i].is_const
        and not close(have, want, 1e-7)
    ][:3]


_MOST_IN_FULL = 2  # failures of a group for which no bug is known


def _failures(
    verdicts: Iterable[Verdict], seen: set[str], width: int, language: str
) -> Iterator[str]:
    """Yield each known bug at its first failure, and the first few failures of no known bug."""
    failed = [one for one in verdicts if one.status == FAILED]
    unknown = [one for one in failed if not one.bug]
    again, more = 0, max(0, len(unknown) - _MOST_IN_FULL)
    for verdict in failed:
        if verdict.bug in seen:
            again += 1
            continue
        if verdict in unknown[_MOST_IN_FULL:]:
            continue
        seen |= {verdict.bug} - {""}
        paragraphs = [(verdict.check.name, "    ✗ ", " " * 8)]
        paragraphs += [(finding, " " * 6, " " * 8) for finding in verdict.findings]
        for text in filter(None, (told(verdict.why, language), told(verdict.remedy, language))):
            end = "" if text.endswith((".", "?")) else "."
            paragraphs.append((text[0].upper() + text[1:] + end, " " * 6, " " * 6))
        for text, first, rest in paragraphs:
            said = told(text, language)
            yield from wrap(said, width - 4, initial_indent=first, subsequent_indent=rest)
    if again:
        yield f"    ✗ {told(say('{} more, for a reason given above', again), language)}"
    if more:
        yield f"    ✗ {told(say('{} more; --json has them all', more), language)}"


_LONGEST_NAME = 60  # of a report: a name may have four bytes for each letter


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


_COLUMNS = (
    *("file", "class", "gradients", "sturdy", "passed", "failed", "not_tried"),
    *("bug", "finding", "remedy"),
)


def _row(report: Report, language: str) -> dict[str, Any]:
    """Return a report as data, with the first thing that is wrong in a sentence."""
    data = report.json(language)
    failed = [one for one in data["checks"] if one["status"] == FAILED]
    first = failed[0] if failed else {"findings": [data.get("error", "")]}
    finding = "".join(first["findings"][:1]).partition("\n")[0]
    if first.get("why") and first["bug"] != "no-attribute":
        finding = first["why"]
    verdicts = {"gradients": report.gradients, "sturdier": report.sturdier}
    return {**first, "finding": finding, **data, **verdicts}


def grades_csv(graded: Iterable[Report], language: str = "en") -> str:
    """Return a row for each file, to open in a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for one in graded:
        row = {**_row(one, language), "sturdy": one.sturdier}
        cells = ["" if row.get(name) is None else f"{row[name]}" for name in _COLUMNS]
        rows.writerow(map(_cell, cells))
    return out.getvalue()


# The last four are as wide as a letter of Chinese.
_BEGINS_FORMULA = "[-=+@\uff0d\uff1d\uff0b\uff20]"


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
    findings = ["", *[_row(one, language)["finding"] for one in graded]]
    lines: list[str] = []
    for row, finding in zip(rows, findings, strict=True):
        cells = [padded(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
        lines += wrap(finding, width, initial_indent="    ", subsequent_indent="    ")
    right = [one.ok for one in graded].count(True)
    return "\n".join([*lines, "", f"{right} of {len(graded)} have right gradients."]) + "\n"
