"""Figures, and how they are printed: the form every benchmark answers in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gradwalk.contract import plain
from gradwalk.engine import backend


@dataclass(frozen=True)
class Row:
    """One measure: in words, its figure, the unit behind it."""

    measure: str
    figure: Any
    unit: str = ""

    def json(self) -> dict[str, Any]:
        return {"measure": self.measure, "figure": self.figure, "unit": self.unit}


@dataclass(frozen=True)
class Report:
    """A benchmark's answer: rows, notes, and `parts`, which hold every single figure."""

    name: str
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    parts: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

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

    def head(self) -> str:
        return f"bench {self.name}: {backend()} engine, Python {sys.version.split()[0]}"

    def text(self) -> str:
        rows = [[row.measure, figure_text(row.figure, row.unit)] for row in self.rows]
        lines = [self.head(), "", *table([["measure", "measured"], *rows])]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines) + "\n"


def rows_of(
    parts: dict[str, dict[str, Any]], words: dict[tuple[str, str], tuple[str, str]]
) -> list[Row]:
    """Return the figures that were measured, by a table of part and figure: words and unit."""
    return [
        Row(said, parts[part][figure], unit)
        for (part, figure), (said, unit) in words.items()
        if figure in parts.get(part, {})
    ]


def figure_text(figure: Any, unit: str = "") -> str:
    """Return a figure to three digits, with its unit; yes or no for a truth value."""
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if isinstance(figure, float):
        return (f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}") + unit
    return f"{figure}{unit}"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with the first column to the left and the others to the right."""
    widths = [max([len(row[i]) for row in rows]) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines
