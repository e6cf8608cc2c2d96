"""Two pure functions on things in columns: in which order they stand, and at which height.

`layout` makes the columns and knows what the things are. Here an item is a number, `left[item]` and
`right[item]` are its neighbours in the columns beside its own, and nothing else is known.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Collection, Iterable
from math import floor

Columns = list[list[int]]
Neighbours = list[list[int]]
Pull = tuple[int, int, int]
"""(other, shift, weight): an item would like to be at other's height + shift, with this weight."""

# How often to improve the order and the heights: less often the more there is to place.
SWEEPS_LEAST, SWEEPS_MOST, SWEEPS_WORK = 2, 16, 14_000
ROUNDS_LEAST, ROUNDS_MOST, ROUNDS_WORK = 3, 16, 12_000


# ── Order ────────────────────────────────────────────────────────────────────────────────────


def ordered(columns: Columns, left: Neighbours, right: Neighbours, cards: int) -> Columns:
    """Return the columns in an order with few crossings; what they come in is where it starts.

    Each sweep sorts every column by the mean position of the neighbours on one side. Items below
    `cards` may have many neighbours, the others one on each side that matters.
    """
    columns = [list(column) for column in columns]
    position = [0] * len(left)
    for column in columns:
        _number(column, position)
    fewest, best = _crossings(columns, right, position), columns
    sweeps = min(max(SWEEPS_LEAST, SWEEPS_WORK // len(left)), SWEEPS_MOST)
    for sweep in range(sweeps):
        if not fewest:
            break
        # Turning equals around, two sweeps of four, is a way out of a standstill.
        around = -1 if sweep % 4 < 2 else 1
        columns = [list(column) for column in columns]
        leftward = sweep % 2 == 0
        near, far = (right, left) if leftward else (left, right)
        for column in reversed(columns) if leftward else columns:
            _sort_by_barycentre(column, near, far, position, cards, around)
        crossings = _crossings(columns, right, position)
        if crossings < fewest:
            fewest, best = crossings, columns
    return best


def _number(column: Iterable[int], position: list[int]) -> None:
    for index, item in enumerate(column):
        position[item] = index


def _sort_by_barycentre(
    column: list[int],
    near: Neighbours,
    far: Neighbours,
    position: list[int],
    cards: int,
    around: int,
) -> None:
    """Sort a column in place; an item without near neighbours keeps its index.

    Among equals, a card goes by its index, anything else by where its wire comes from.
    """
    movable: list[tuple[float, int, int, int]] = []
    for index, item in enumerate(column):
        others = near[item]
        if others:
            mean = sum([position[other] for other in others]) / len(others)
            by_index = item < cards or not far[item]
            second = around * index if by_index else position[far[item][0]]
            movable.append((mean, second, index, item))
    places = [index for _, _, index, _ in movable]
    movable.sort()
    for index, (_, _, _, item) in zip(places, movable, strict=True):
        column[index] = item
        position[item] = index


def _crossings(columns: Columns, right: Neighbours, position: list[int]) -> int:
    crossings = 0
    for column in columns:
        ends: list[int] = []
        for item in column:
            reached = sorted([position[other] for other in right[item]])
            crossings += sum([len(ends) - bisect_right(ends, end) for end in reached])
            for end in reached:
                insort(ends, end)
    return crossings


# ── Heights ──────────────────────────────────────────────────────────────────────────────────


def settled(
    columns: Columns,
    distances: Columns,
    pull_left: list[list[Pull]],
    pull_right: list[list[Pull]],
) -> list[int]:
    """Return the height of each item, such that the squares of all pulls are small.

    `distances` has, for each item of a column, how far it must be below the one before it. The
    first pass hangs everything on the last column, the second leans on the first one, and from
    then on both sides are weighed.
    """
    heights = [0] * len(pull_left)
    both = [left + right for left, right in zip(pull_left, pull_right, strict=True)]
    rounds = min(max(ROUNDS_LEAST, ROUNDS_WORK // len(heights)), ROUNDS_MOST)
    pairs = list(zip(columns, distances, strict=True))
    for turn in range(2 * rounds):
        pulls = (pull_right, pull_left)[turn] if turn < 2 else both
        for column, apart in pairs if turn % 2 else reversed(pairs):
            _relax(column, apart, pulls, heights)
    return heights


def _relax(
    column: Collection[int], distances: list[int], pulls: list[list[Pull]], heights: list[int]
) -> None:
    """Move a column to where its pulls are in balance, order and distances kept.

    Less the distances summed up, that is a regression by a rising function: neighbours that would
    fall are pooled into blocks (sum, weight, size) which move as one. Each block is rounded as one
    too, so distances stay exact.
    """
    blocks: list[tuple[int, int, int]] = []
    depth = 0
    for item, distance in zip(column, distances, strict=True):
        depth += distance
        total, weight, size = 0, 0, 1
        for other, shift, pull in pulls[item]:
            total += pull * (heights[other] + shift)
            weight += pull
        if not weight:
            total, weight = heights[item], 1
        total -= weight * depth
        while blocks and blocks[-1][0] * weight > total * blocks[-1][1]:
            above, more, items = blocks.pop()
            total += above
            weight += more
            size += items
        blocks.append((total, weight, size))
    levels = [floor(total / weight + 0.5) for total, weight, size in blocks for _ in range(size)]
    depth = 0
    for item, distance, level in zip(column, distances, levels, strict=True):
        depth += distance
        heights[item] = level + depth
