"""Figures and the bounds that they are held against: the form every benchmark answers in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gradwalk.contract import plain
from gradwalk.engine import backend

__all__ = ["Bound", "Report", "Row"]


@dataclass(frozen=True)
class Bound:
    """What a figure must reach, and what would be splendid. `how` is "≥", "≤" or "is"."""

    how: str
    must: Any
    moonshot: Any = None
    unit: str = ""

    def verdict(self, figure: Any) -> str:
        if self.moonshot is not None and self._meets(figure, self.moonshot):
            return "moonshot"
        return "met" if self._meets(figure, self.must) else "MISSED"

    def _meets(self, figure: Any, bound: Any) -> bool:
        if self.how == "is":
            return figure == bound
        return figure <= bound if self.how == "≤" else figure >= bound


@dataclass(frozen=True)
class Row:
    """One measure; without a bound it is only told."""

    measure: str
    figure: Any
    bound: Bound | None = None

    @property
    def verdict(self) -> str:
        return self.bound.verdict(self.figure) if self.bound else ""

    def json(self) -> dict[str, Any]:
        bound = self.bound
        return {
            "measure": self.measure,
            "how": bound and bound.how,
            "must": bound and bound.must,
            "figure": self.figure,
            "moonshot": bound and bound.moonshot,
            "unit": bound.unit if bound else "",
            "verdict": self.verdict,
        }

    def cells(self) -> list[str]:
        bound = self.bound
        if bound is None:
            return [self.measure, "", _number(self.figure), "", ""]
        if bound.how == "is":
            said = {True: "yes", False: "no"}
            return [self.measure, "yes", said[bool(self.figure)], "", self.verdict]
        must = f"{bound.how} {_number(bound.must)}{bound.unit}"
        moonshot = f"{bound.how} {_number(bound.moonshot)}{bound.unit}" if bound.moonshot else ""
        return [self.measure, must, f"{_number(self.figure)}{bound.unit}", moonshot, self.verdict]


@dataclass(frozen=True)
class Report:
    """A benchmark's answer: rows held against bounds, other rows told beside them, and parts, in
    which every single figure is."""

    name: str
    rows: Sequence[Row]
    beside: Sequence[Sequence[str]] = ()  # a table, its head first
    notes: Sequence[str] = ()
    parts: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    picture: str = ""  # SVG

    def json(self) -> dict[str, Any]:
        return plain({
            "version": 1,
            "benchmark": self.name,
            "backend": backend(),
            "python": sys.version.split()[0],
            "rows": [row.json() for row in self.rows],
            "parts": self.parts,
            "notes": list(self.notes),
        })  # fmt: skip

    def text(self) -> str:
        head = ["measure", "must", "measured", "moonshot", "verdict"]
        lines = [f"bench {self.name}: {backend()} engine, Python {sys.version.split()[0]}", ""]
        lines += _table([head, *[row.cells() for row in self.rows]])
        if self.beside:
            lines += ["", *_table(self.beside)]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines) + "\n"


def _number(figure: Any) -> str:
    if isinstance(figure, float):
        return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"
    return str(figure)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with the first column to the left and the others to the right."""
    widths = [max([len(row[i]) for row in rows]) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines
