"""The branches of a recording as a tree, with how often each side was taken.

    report            the tree for `explain`: the last calls, and a sample of the last large map
    of_scenarios      the tree for the scenarios of a map
    selections        the decisions of a program that selects by `where` alone

A recording computes both sides, so nothing is counted while it runs. The arguments of the last
calls are kept, and their conditions are computed again when somebody asks.
"""

# numpy's arrays have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import linecache
import os
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from gradwalk.program.early import gathered
from gradwalk.program.ir import Decision, Stage
from gradwalk.program.recordings import KEPT, Places, Recording

__all__ = [
    "KEPT",
    "of_one_call",
    "of_scenarios",
    "report",
    "sampled",
    "selections",
]

_MOST = 4_000_000  # numbers at a time
_NONE = "no branch depends on the arguments"


Counts = list[tuple[int, int]]  # of each decision: how often it said yes, and how often no


class _Line:
    """All decisions of one line on one side of the same other line."""

    def __init__(self, place: tuple[str, int], kinds: int) -> None:
        self.place = place
        self.counts = [[0, 0] for _ in range(kinds)]  # yes and no, of each kind of counts
        self.inner: dict[tuple[bool, tuple[str, int]], _Line] = {}


def of_one_call(recording: Recording, slots: array[float]) -> str:
    """Return each line that decides, and which way these arguments go."""
    return "\n".join(_tree(recording, [("", _of_rows(recording, slots))])) or _NONE


def of_scenarios(recording: Recording, places: Places) -> str:
    """Return each line that decides, and how many scenarios it sent which way."""
    if not recording.program.decisions:
        return _NONE
    return "\n".join(_tree(recording, [("", _of_places(recording, places))]))


def report(recording: Recording) -> list[str]:
    """Return the lines of `explain` about branches: those of the last calls, and of a map."""
    if not any(decision.place for decision in recording.program.decisions):
        return []
    kinds: list[tuple[str, Counts]] = []
    said: list[str] = []
    made, rows = recording.calls()
    if made:
        kept = len(rows) // (8 * recording.program.slots)
        said.append(_some("call", kept, made))
        kinds.append(("", _of_rows(recording, rows)))
    if recording.sample is not None:
        count, places = recording.sample
        said.append(f"{_some('scenario', places.scenarios, count)} of a map")
        kinds.append(("map ", _of_places(recording, places)))
    over = f" in {' and '.join(said)}" if said else ""
    return [f"branches{over}:", *_tree(recording, kinds)]


def _some(what: str, kept: int, count: int) -> str:
    some = "" if kept == count else f"{kept:,} of "
    return f"{some}{count:,} {what}{'' if count == 1 else 's'}"


def sampled(places: Places) -> tuple[int, Places]:
    """Return how many scenarios a map had, and the numbers of some of them."""
    import numpy as np

    count = places.scenarios
    which = np.arange(min(KEPT, count)) * count // min(KEPT, count)
    return count, Places(*gathered(places, range(len(places.where)), which))


def selections(stage: Stage) -> list[Decision]:
    """Return a decision for each `where`, an outer one before those that only it reads."""
    # Of each instruction: the sides, from the outside in, on which all that read it stand.
    sides: dict[int, list[tuple[int, bool]]] = {output: [] for output in stage.results}
    found: list[int] = []
    for i in range(len(stage) - 1, -1, -1):
        if i not in sides:
            continue
        operands = list(stage.operands(i))
        above = [sides[i]] * len(operands)
        if stage.operations[i] == "where":
            found.append(i)
            above = [sides[i], [*sides[i], (i, True)], [*sides[i], (i, False)]]
        for operand, mine in zip(operands, above, strict=True):
            known = sides.get(operand, mine)
            shared = [a == b for a, b in zip(known, mine, strict=False)]
            sides[operand] = mine[: [*shared, False].index(False)]
    number = {i: k for k, i in enumerate(found)}
    made: list[Decision] = []
    for i in found:
        outer, side = sides[i][-1] if sides[i] else (-1, True)
        made.append(Decision(number.get(outer, -1), side, stage.operands(i)[0], None))
    return made


# ── Counting ─────────────────────────────────────────────────────────────────────────────────
# Of each decision, the scenarios in which it holds are the bits of one number.


def _of_rows(recording: Recording, rows: Any) -> Counts:
    """Count for some calls, whose slots follow each other; numpy may be missing."""
    decisions, slots = recording.program.decisions, recording.program.slots
    if not decisions:
        return []
    replay, numbers = _replay(recording), array("d", bytes(rows))
    holds, found = [0] * len(decisions), array("d", bytes(8 * len(decisions)))
    count = len(numbers) // slots
    for i in range(count):
        replay.value([numbers[i * slots : (i + 1) * slots]], found)
        for k, condition in enumerate(found):
            if condition:
                holds[k] |= 1 << i
    return _counted(decisions, holds, count)


def _of_places(recording: Recording, places: Places) -> Counts:
    import numpy as np

    decisions, total = recording.program.decisions, places.scenarios
    replay, width = _replay(recording), len(decisions)
    counts = [(0, 0) for _ in decisions]
    step = max(1, _MOST // width)
    for begin in range(0, total, step):
        which = np.arange(begin, min(total, begin + step))
        found = np.empty((len(which), width))
        replay.map(*gathered(places, range(len(places.where)), which), found, None, None, 1)
        bits = np.packbits(found != 0.0, axis=0, bitorder="little")
        holds = [int.from_bytes(bits[:, k].tobytes(), "little") for k in range(width)]
        more = _counted(decisions, holds, len(which))
        counts = [(a + c, b + d) for (a, b), (c, d) in zip(counts, more, strict=True)]
    return counts


def _replay(recording: Recording) -> Any:
    """Return a replay of the conditions alone."""
    outputs = array("i", [decision.condition for decision in recording.program.decisions])
    return recording.plan("decisions", tuple, program=lambda: recording.beginning(outputs))[0]


def _counted(decisions: Sequence[Decision], holds: list[int], count: int) -> Counts:
    reached: list[int] = []
    counts: Counts = []
    for k, decision in enumerate(decisions):
        here = (1 << count) - 1
        if decision.parent >= 0:
            there = holds[decision.parent]
            here = reached[decision.parent] & (there if decision.side else ~there)
        reached.append(here)
        counts.append(((here & holds[k]).bit_count(), (here & ~holds[k]).bit_count()))
    return counts


# ── Lines ────────────────────────────────────────────────────────────────────────────────────


def _tree(recording: Recording, kinds: Sequence[tuple[str, Counts]]) -> list[str]:
    """Return the lines of the tree, with one or more kinds of counts; rounds are one line."""
    top: dict[Any, _Line] = {}
    # Of each decision: among which lines it stands, on which side, and its own line.
    known: list[tuple[dict[Any, _Line], bool, _Line | None]] = []
    for k, decision in enumerate(recording.program.decisions):
        within, side = top, True
        if decision.parent >= 0:
            within, side, above = known[decision.parent]
            if above is not None and above.place != decision.place:  # else the next round
                within, side = above.inner, decision.side
        line = None
        if decision.place is not None:
            line = within.setdefault((side, decision.place), _Line(decision.place, len(kinds)))
            for both, (_, counts) in zip(line.counts, kinds, strict=True):
                both[0] += counts[k][0]
                both[1] += counts[k][1]
        known.append((within, side, line))
    return list(_text(top, 0, [name for name, _ in kinds]))


def _text(lines: dict[Any, _Line], depth: int, kinds: Sequence[str]) -> Iterable[str]:
    for (side, _), line in lines.items():
        file, number = line.place
        source = linecache.getline(file, number).strip()
        if depth:
            source = f"{'yes' if side else 'no'} → {source}"
        every = zip(kinds, line.counts, strict=True)
        said = "; ".join([f"{kind}{yes:,} yes, {no:,} no" for kind, (yes, no) in every])
        at = f"{os.path.basename(file)}:{number}"
        yield f"{'  ' * depth}{source}  # {at}{': ' if said else ''}{said}"
        yield from _text(line.inner, depth + 1, kinds)
