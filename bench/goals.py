"""What the project wants its figures to reach, and the table that holds them against it.

    Goal     "must" is what a figure has to reach, "moonshot" what would be splendid
    Figures  a report of gradwalk.bench with goals and with contenders beside it
    main     the command line of a driver: --quick, --long, --steps N, --json, -o FILE

Goals are for work on gradwalk. `gradwalk bench` prints the figures alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gradwalk.bench.report import Report, Row, figure_text, table
from gradwalk.render.json import dumps

__all__ = ["Figures", "Goal", "Held", "main"]


@dataclass(frozen=True)
class Goal:
    """`how` is "≥", "≤" or "is"."""

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

    def text(self, bound: Any) -> str:
        if bound is None:
            return ""
        return "yes" if self.how == "is" else f"{self.how} {figure_text(bound, self.unit)}"


@dataclass(frozen=True)
class Held(Row):
    """A row that is held against a goal; without one it is only told."""

    goal: Goal | None = None

    @property
    def verdict(self) -> str:
        return self.goal.verdict(self.figure) if self.goal else ""

    def json(self) -> dict[str, Any]:
        goal = self.goal
        return {
            **super().json(),
            "how": goal and goal.how,
            "must": goal and goal.must,
            "moonshot": goal and goal.moonshot,
            "unit": goal.unit if goal else "",
            "verdict": self.verdict,
        }

    def cells(self) -> list[str]:
        goal = self.goal
        if goal is None:
            return [self.measure, "", figure_text(self.figure), "", ""]
        figure = bool(self.figure) if goal.how == "is" else self.figure
        measured = figure_text(figure, goal.unit)
        return [
            self.measure,
            goal.text(goal.must),
            measured,
            goal.text(goal.moonshot),
            self.verdict,
        ]


@dataclass(frozen=True)
class Figures(Report):
    beside: Sequence[Sequence[str]] = ()  # a table of contenders, its head first
    picture: str = field(default="", repr=False)  # SVG

    def text(self) -> str:
        head = ["measure", "must", "measured", "moonshot", "verdict"]
        cells = [row.cells() for row in self.rows if isinstance(row, Held)]
        lines = [self.head(), "", *table([head, *cells])]
        if self.beside:
            lines += ["", *table(self.beside)]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines) + "\n"


def main(measure: Callable[..., Figures], arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table or its JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a look: few steps")
    parser.add_argument("--long", action="store_true", help="also what takes half an hour")
    parser.add_argument("--steps", type=int, default=0, help="training steps")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("-o", dest="file", help="write growth curves as SVG")
    given = parser.parse_args(arguments)
    done = measure(quick=given.quick, long=given.long, steps=given.steps, tell=_tell)
    if given.file and done.picture:
        Path(given.file).write_text(done.picture, "utf-8")
    print(dumps(done.json()) if given.json else done.text(), end="")


def _tell(text: str) -> None:
    print(f"measuring: {text}", file=sys.stderr)
