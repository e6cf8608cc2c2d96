"""What became of the checks: a `Verdict` for each, a `Report` of them all, in text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from gradwalk.graph import Graph
from gradwalk.practice.answers import close, shown
from gradwalk.practice.judge.checks import GROUPS, STURDY, Check
from gradwalk.practice.judge.suspects import Grads

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

    def count(self, status: str) -> int:
        return len([verdict for verdict in self.verdicts if verdict.status == status])

    @property
    def ok(self) -> bool:
        """Whether gradients are right: all that is asked of a Value."""
        return all(v.status == PASSED for v in self.verdicts if v.check.group not in STURDY)

    @property
    def sturdy(self) -> bool:
        """Whether it also stands what micrograd does not: backward() again, depth, many paths."""
        return self.ok and all(v.status == PASSED for v in self.verdicts)


def differences(
    graph: Graph, what: str, got: Grads, expected: Grads, of: Iterable[int] | None = None
) -> list[str]:
    """Return what differs, leaves first, for that is where a learner looks; three will do."""
    ids = sorted(of if of is not None else range(len(graph)), key=lambda i: bool(graph[i].operands))
    return [
        f"{graph.name(i)}.{what}: expected {shown(want)}, got {shown(have)}"
        for i in ids
        if (want := expected[i]) is not None
        and (have := got[i]) is not None
        and not graph[i].is_const
        and not close(have, want, 1e-7)
    ][:3]


def report_text(report: Report, width: int = 80) -> str:
    """Return the report to read: a line for each group, and each bug explained once."""
    operations = " ".join([{"neg": "-a"}.get(symbol, symbol) for symbol in report.operations])
    file = " ".join(report.file.splitlines())
    head = f"{file}: {report.name}" + (f" with {operations}" if operations else "")
    lines = wrap(head, width, subsequent_indent="  ")
    if report.called:
        lines += wrap(f"Below, {', '.join(report.called)}.", width)
    lines.append("")
    told: set[str] = set()
    for group, title in GROUPS.items():
        if group == STURDY[0]:
            lines += ["", *_conclusion(report, "Gradients right", sturdy=False), ""]
        verdicts = [v for v in report.verdicts if v.check.group == group]
        passed = len([v for v in verdicts if v.status == PASSED])
        tried = len([v for v in verdicts if v.status != NOT_TRIED])
        if verdicts:
            count = f"{passed} of {tried}" if tried else "not tried"
            lines.append(f"  {title:<22} {count}")
        lines += _failures(verdicts, told, width)
    lines += ["", *_conclusion(report, "Sturdier than micrograd", sturdy=True)]
    if report.missing or report.count(NOT_TRIED):
        lines.append("")
    if report.missing:
        text = f"Not tried, because {report.name} does not define it: {', '.join(report.missing)}."
        lines += wrap(text, width)
    if report.count(NOT_TRIED):
        text = f"{report.count(NOT_TRIED)} checks were not tried after what happened in the others."
        lines += wrap(text, width)
    return "\n".join(lines) + "\n"


def _conclusion(report: Report, title: str, *, sturdy: bool) -> list[str]:
    """Return one of the two verdicts in words."""
    verdicts = [v for v in report.verdicts if (v.check.group in STURDY) == sturdy]
    tried = [v for v in verdicts if v.status != NOT_TRIED]
    failed = len([v for v in tried if v.status == FAILED])
    if failed:
        return [f"{title}: no. {failed} of {len(tried)} checks failed."]
    if len(tried) < len(verdicts):
        return [f"{title}: not known."]
    return [f"{title}: yes. All {len(tried)} checks passed."] if tried else []


_MOST_IN_FULL = 2  # failures of a group for which no bug is known


def _failures(verdicts: Iterable[Verdict], told: set[str], width: int) -> Iterator[str]:
    """Yield each known bug at its first failure, and the first few failures of no known bug."""
    again = more = unknown = 0
    for verdict in verdicts:
        if verdict.status != FAILED:
            continue
        if verdict.bug in told:
            again += 1
            continue
        if verdict.bug:
            told.add(verdict.bug)
        elif (unknown := unknown + 1) > _MOST_IN_FULL:
            more += 1
            continue
        yield from _wrapped(verdict.check.name, width, "    ✗ ", " " * 8)
        for finding in verdict.findings:
            yield from _wrapped(finding, width, " " * 6, " " * 8)
        for text in (verdict.why, verdict.remedy):
            if text:
                end = "" if text.endswith((".", "?")) else "."
                yield from _wrapped(text[0].upper() + text[1:] + end, width, " " * 6, " " * 6)
    if again:
        yield f"    ✗ {again} more, for a reason given above"
    if more:
        yield f"    ✗ {more} more; --json has them all"


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return wrap(text, width - 4, initial_indent=first, subsequent_indent=rest)


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as data."""
    return {
        "version": 1,
        "file": report.file,
        "class": report.name,
        "ok": report.ok,
        "sturdy": report.sturdy,
        "contained": report.contained,
        "passed": report.count(PASSED),
        "failed": report.count(FAILED),
        "not_tried": report.count(NOT_TRIED),
        "operations": list(report.operations),
        "missing": list(report.missing),
        "checks": [
            {
                "group": verdict.check.group,
                "name": verdict.check.name,
                "status": verdict.status,
                "findings": list(verdict.findings),
                "bug": verdict.bug or None,
                "why": verdict.why,
                "remedy": verdict.remedy,
            }
            for verdict in report.verdicts
        ],
    }
