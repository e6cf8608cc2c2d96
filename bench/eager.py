"""`gradwalk bench eager` held against the project's goals, with other engines beside it.

python3 x.py bench eager [--quick] [--long] [--steps N] [--json]
"""

from __future__ import annotations

from collections.abc import Callable

import peers
from goals import Figures, Goal, Held, main

from gradwalk.bench import eager

GOALS = {
    ("training", "bit-identical"): Goal("is", True),
    ("training", "ratio, gc on"): Goal("≥", 22, 28, "×"),
    ("training", "ratio, gc off"): Goal("≥", 7, 9, "×"),
    ("eager", "forward over floats"): Goal("≤", 1.25, 1.1, "×"),
    ("eager", "backward, ns a node"): Goal("≤", 15, 8, " ns"),
    ("memory", "bytes a node"): Goal("≤", 80, 48, " B"),
    ("chain", "works"): Goal("is", True),
    ("n-ary", "same losses"): Goal("is", True),
    ("n-ary", "ratio, gc on"): Goal("≥", 350, 700, "×"),
    ("n-ary", "ratio, gc off"): Goal("≥", 120, None, "×"),
    ("endurance", "late over early"): Goal("≤", 1.1, None, "×"),
}


def measure(
    *, quick: bool = False, long: bool = False, steps: int = 0, tell: Callable[[str], None] = print
) -> Figures:
    done = eager.measure(quick=quick, long=long, steps=steps, tell=tell)
    tell("the same program elsewhere")
    timed = peers.measure(10 if quick else 50)
    parts = {**done.parts, "peers": {one.name: one._asdict() for one in timed}}
    missing = [one.name for one in timed if one.is_missing]
    notes = [*done.notes, *([f"Not installed here: {', '.join(missing)}."] if missing else [])]
    return Figures("eager", held(done.parts), notes, parts, beside(timed))


def held(parts: dict[str, dict[str, object]]) -> list[Held]:
    """Return the rows of `gradwalk bench eager`, each with its goal."""
    return [
        Held(words, parts[part][figure], unit, GOALS[part, figure])
        for (part, figure), (words, unit) in eager.ROWS.items()
        if figure in parts.get(part, {})
    ]


def beside(timed: list[peers.Timed]) -> list[list[str]]:
    ours = timed[0].step
    table = [["one name, scalar by scalar", "forward", "backward", "of gradwalk", "answer"]]
    for one in [one for one in timed if not one.is_missing]:
        cells = [f"{one.forward * 1e3:.1f} ms", f"{one.backward * 1e3:.1f} ms"]
        # Wrong answers are not timed.
        table.append(
            [one.name, *cells, f"{one.step / ours:.1f}×", "right"]
            if one.is_right
            else [one.name, "", "", "", "WRONG"]
        )
    return table


if __name__ == "__main__":
    main(measure)
