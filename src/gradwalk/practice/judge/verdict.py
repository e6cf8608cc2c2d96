"""What became of the checks: a `Verdict` for each, a `Report` of them all, in text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from gradwalk.graph import Graph
from gradwalk.practice.answers import close, shown
from gradwalk.practice.judge.checks import GROUPS, STURDY, Check
from gradwalk.practice.judge.submission import plain
from gradwalk.practice.judge.suspects import Grads
from gradwalk.practice.language import say, told

if TYPE_CHECKING:
    from gradwalk.practice.judge.learner import Answer

__all__ = [
    "FAILED",
    "NOT_TRIED",
    "PASSED",
    "Report",
    "Verdict",
    "differences",
    "report_json",
    "report_text",
]

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
    file: str
    verdicts: tuple[Verdict, ...]
    operations: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    contained: bool = True  # in a sandbox
    name: str = "Value"  # of the class
    called: tuple[str, ...] = ()  # what the class names otherwise, in words
    looks_like: str = ""  # the package that has this class

    def count(self, status: str) -> int:
        return len([verdict for verdict in self.verdicts if verdict.status == status])

    @property
    def ok(self) -> bool:
        """Whether gradients are right, and the class one's own: all that is asked of a Value."""
        return not self.looks_like and all(
            v.status == PASSED for v in self.verdicts if v.check.group not in STURDY
        )

    @property
    def sturdy(self) -> bool:
        """Whether it also stands what micrograd does not: backward() again, depth, many paths."""
        return self.ok and all(v.status == PASSED for v in self.verdicts)


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


def report_text(report: Report, width: int = 80, language: str = "en") -> str:
    """Return the report to read: a line for each group, and each bug explained once."""
    operations = " ".join([{"neg": "-a"}.get(symbol, symbol) for symbol in report.operations])
    head = f"{plain(report.file)}: {report.name}" + (f" ({operations})" if operations else "")
    lines = wrap(head, width, subsequent_indent="  ")
    if report.called:
        called = ", ".join([told(text, language) for text in report.called])
        lines += wrap(told(say("Below, {}.", called), language), width)
    lines.append("")
    seen: set[str] = set()
    widest = max([len(told(title, language)) for title in GROUPS.values()])
    for group, title in GROUPS.items():
        if group == STURDY[0]:
            lines += ["", *_conclusion(report, "Gradients right", language, sturdy=False), ""]
        verdicts = [v for v in report.verdicts if v.check.group == group]
        passed = len([v for v in verdicts if v.status == PASSED])
        tried = len([v for v in verdicts if v.status != NOT_TRIED])
        if verdicts:
            count = told(say("{} of {}", passed, tried) if tried else "not tried", language)
            lines.append(f"  {told(title, language):<{widest}}  {count}")
        lines += _failures(verdicts, seen, width, language)
    lines += ["", *_conclusion(report, "Sturdier than micrograd", language, sturdy=True)]
    left_out: list[str] = []
    if report.missing:
        missing = ", ".join(report.missing)
        left_out.append(say("Not tried, because {} does not define it: {}.", report.name, missing))
    if report.count(NOT_TRIED):
        count = report.count(NOT_TRIED)
        left_out.append(say("Checks not tried after what happened in the others: {}.", count))
    for number, text in enumerate(left_out):
        lines += ([] if number else [""]) + wrap(told(text, language), width)
    return "\n".join(lines) + "\n"


def _conclusion(report: Report, title: str, language: str, *, sturdy: bool) -> list[str]:
    """Return one of the two verdicts in words."""
    verdicts = [v for v in report.verdicts if (v.check.group in STURDY) == sturdy]
    tried = [v for v in verdicts if v.status != NOT_TRIED]
    failed = len([v for v in tried if v.status == FAILED])
    if failed:
        said = say("{}: no. {} of {} checks failed.", title, failed, len(tried))
    elif len(tried) < len(verdicts):
        said = say("{}: not known.", title)
    elif tried and report.looks_like:
        said = say(
            "{}: all {} checks passed, but it looks like {}.", title, len(tried), report.looks_like
        )
    elif tried:
        said = say("{}: yes. All {} checks passed.", title, len(tried))
    else:
        return []
    return [told(said, language)]


_MOST_IN_FULL = 2  # failures of a group for which no bug is known


def _failures(
    verdicts: Iterable[Verdict], seen: set[str], width: int, language: str
) -> Iterator[str]:
    """Yield each known bug at its first failure, and the first few failures of no known bug."""
    again = more = unknown = 0
    for verdict in verdicts:
        if verdict.status != FAILED:
            continue
        if verdict.bug in seen:
            again += 1
            continue
        if verdict.bug:
            seen.add(verdict.bug)
        elif (unknown := unknown + 1) > _MOST_IN_FULL:
            more += 1
            continue
        yield from _wrapped(told(verdict.check.name, language), width, "    ✗ ", " " * 8)
        for finding in verdict.findings:
            yield from _wrapped(told(finding, language), width, " " * 6, " " * 8)
        for text in (told(verdict.why, language), told(verdict.remedy, language)):
            if text:
                end = "" if text.endswith((".", "?")) else "."
                yield from _wrapped(text[0].upper() + text[1:] + end, width, " " * 6, " " * 6)
    if again:
        yield f"    ✗ {told(say('{} more, for a reason given above', again), language)}"
    if more:
        yield f"    ✗ {told(say('{} more; --json has them all', more), language)}"


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return wrap(text, width - 4, initial_indent=first, subsequent_indent=rest)


def report_json(report: Report, language: str = "en") -> dict[str, Any]:
    """Return the report as data, its sentences in this language."""
    return {
        "version": 1,
        "file": plain(report.file),
        "class": report.name,
        "ok": report.ok,
        "sturdy": report.sturdy,
        "looks_like": report.looks_like or None,
        "contained": report.contained,
        "passed": report.count(PASSED),
        "failed": report.count(FAILED),
        "not_tried": report.count(NOT_TRIED),
        "operations": list(report.operations),
        "missing": list(report.missing),
        "checks": [
            {
                "group": verdict.check.group,
                "name": told(verdict.check.name, language),
                "status": verdict.status,
                "findings": [told(finding, language) for finding in verdict.findings],
                "bug": verdict.bug or None,
                "why": told(verdict.why, language),
                "remedy": told(verdict.remedy, language),
            }
            for verdict in report.verdicts
        ],
    }
