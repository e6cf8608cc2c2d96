"""The branches of a recording as a tree, with how many scenarios went which way.

    Decision   a recorded condition of an `if`, a loop or a conditional expression
    tree       the decisions as text, by lines of the source

A recording computes both sides, so nothing is counted while it runs: the conditions are computed
again for the arguments that somebody asks about.
"""

# numpy's arrays have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import linecache
import os
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk.program.early import Places, gathered

if TYPE_CHECKING:
    from gradwalk.program.recordings import Recording

__all__ = ["Decision", "tree"]

_MOST = 4_000_000  # numbers at a time


class Decision(NamedTuple):
    """A recorded condition, and the side of which other decision it stands on."""

    parent: int  # -1: on none
    side: bool
    condition: int
    place: tuple[str, int] | None  # None: not of the source, such as what follows a `return`


class _Line:
    """All decisions of one line on one side of the same other line."""

    def __init__(self, place: tuple[str, int]) -> None:
        self.place = place
        self.yes = self.no = 0
        self.inner: dict[tuple[bool, tuple[str, int]], _Line] = {}


def tree(recording: Recording, places: Places) -> str:
    """Return each line that decides, how often it said yes and no, and what it leads to."""
    import numpy as np

    decisions = recording.decisions
    if not decisions:
        return "no branch depends on the arguments"
    outputs = array("i", [decision.condition for decision in decisions])
    replay = recording.plan("decisions", tuple, program=lambda: recording.beginning(outputs))[0]
    counts = np.zeros((len(decisions), 2), np.int64)  # yes, no
    for begin in range(0, places.scenarios, max(1, _MOST // len(decisions))):
        which = np.arange(begin, min(places.scenarios, begin + max(1, _MOST // len(decisions))))
        found = np.empty((len(which), len(decisions)))
        replay.map(*gathered(places, range(len(places.where)), which), found, None, None, 1)
        holds = found != 0.0
        reached: list[Any] = []
        for k, decision in enumerate(decisions):
            here: Any = np.ones(len(which), bool)
            if decision.parent >= 0:
                there = holds[:, decision.parent]
                here = reached[decision.parent] & (there if decision.side else ~there)
            reached.append(here)
            counts[k] += (here & holds[:, k]).sum(), (here & ~holds[:, k]).sum()
    return "\n".join(_text(_lines(decisions, counts), 0))


def _lines(decisions: Any, counts: Any) -> dict[Any, _Line]:
    """Return the lines of the tree; rounds of a loop are one line."""
    top: dict[Any, _Line] = {}
    # Of each decision: among which lines it stands, on which side, and its own line.
    known: list[tuple[dict[Any, _Line], bool, _Line | None]] = []
    for decision, (yes, no) in zip(decisions, counts.tolist(), strict=True):
        within, side = top, True
        if decision.parent >= 0:
            within, side, above = known[decision.parent]
            if above is not None and above.place != decision.place:  # else the next round
                within, side = above.inner, decision.side
        line = None
        if decision.place is not None:
            line = within.setdefault((side, decision.place), _Line(decision.place))
            line.yes += yes
            line.no += no
        known.append((within, side, line))
    return top


def _text(lines: dict[Any, _Line], depth: int) -> list[str]:
    made: list[str] = []
    for (side, _), line in lines.items():
        file, number = line.place
        source = linecache.getline(file, number).strip()
        if depth:
            source = f"{'yes' if side else 'no'} → {source}"
        at = f"{os.path.basename(file)}:{number}"
        made.append(f"{'  ' * depth}{source}  # {at}: {line.yes:,} yes, {line.no:,} no")
        made += _text(line.inner, depth + 1)
    return made
