"""Data to try things on, all made for this project: invented names, and points in the plane.

`names()` is the list that ships with the package. They were drawn at random from syllables, and
from no list of people, so they are free of anyone's rights. The points are drawn by a seed:
`moons`, `circles`, `xor` and `spiral` give points (x, y) and a sign, -1 or 1, for each.
`read_points` reads your own.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gradwalk.errors import OperandError

__all__ = [
    "NAMES_FILE",
    "SHAPES",
    "Points",
    "circles",
    "moons",
    "names",
    "read_points",
    "spiral",
    "xor",
]

NAMES_FILE = Path(__file__).with_name("names.txt")


def names() -> list[str]:
    """Return the invented names, in alphabetical order.

    >>> from gradwalk.data import names
    >>> len(names())
    2400
    """
    return NAMES_FILE.read_text("utf-8").split()


class Points(NamedTuple):
    """Points in the plane, and the side each is on: -1 or 1."""

    points: list[tuple[float, float]]
    signs: list[int]


def moons(count: int = 100, noise: float = 0.1, seed: int = 1) -> Points:
    """Two half circles, each with an end inside the other."""

    def place(t: float, sign: int) -> tuple[float, float]:
        angle = math.pi * t
        if sign < 0:
            return math.cos(angle), math.sin(angle)
        return 1 - math.cos(angle), 0.5 - math.sin(angle)

    return _drawn(place, count, noise, seed)


def circles(count: int = 100, noise: float = 0.08, seed: int = 1) -> Points:
    """A ring around a smaller one."""

    def place(t: float, sign: int) -> tuple[float, float]:
        radius, angle = (1.0 if sign < 0 else 0.5), 2 * math.pi * t
        return radius * math.cos(angle), radius * math.sin(angle)

    return _drawn(place, count, noise, seed)


def xor(count: int = 100, noise: float = 0.18, seed: int = 1) -> Points:
    """Four clouds at the corners of a square: opposite corners are on one side."""

    def place(t: float, sign: int) -> tuple[float, float]:
        corner = 1 if t < 0.5 else -1
        return 0.6 * corner, -0.6 * corner * sign

    return _drawn(place, count, noise, seed)


def spiral(count: int = 100, noise: float = 0.03, seed: int = 1) -> Points:
    """Two arms around each other, one turn each."""

    def place(t: float, sign: int) -> tuple[float, float]:
        radius, angle = 0.1 + 0.9 * t, 2 * math.pi * t + (0 if sign < 0 else math.pi)
        return radius * math.cos(angle), radius * math.sin(angle)

    return _drawn(place, count, noise, seed)


SHAPES: dict[str, Callable[..., Points]] = {
    "moons": moons,
    "circles": circles,
    "xor": xor,
    "spiral": spiral,
}


_NOISIEST = 1e6  # a million times the shape; from 1e307 on points have no place


def _drawn(
    place: Callable[[float, int], tuple[float, float]], count: int, noise: float, seed: int
) -> Points:
    """Return points spread evenly along each side's shape, moved by noise, in random order."""
    if count < 2:
        raise OperandError(f"a shape has at least 2 points, one for each side, not {count!r}")
    if not 0 <= noise <= _NOISIEST:
        raise OperandError(f"noise is a number from 0 to {_NOISIEST:g}, not {noise!r}")
    rng = random.Random(seed)
    rows: list[tuple[tuple[float, float], int]] = []
    for sign, size in ((-1, count // 2), (1, count - count // 2)):
        for i in range(size):
            x, y = place(i / max(1, size - 1), sign)
            rows.append(((x + rng.gauss(0, noise), y + rng.gauss(0, noise)), sign))
    rng.shuffle(rows)
    return Points([point for point, _ in rows], [sign for _, sign in rows])


# ── Your own ─────────────────────────────────────────────────────────────────────────────────


def read_points(path: str | Path) -> tuple[Points, tuple[str, str]]:
    """Return the points of a text file, and what it calls the sides -1 and 1.

    A line has x, y and a side, parted by commas or blanks; there are two sides, whatever they are
    called. A first line without numbers is a heading, and what follows a # is left out. Points are
    moved and scaled so that each axis goes from -1 to 1, which is what a model learns well from.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise OperandError(f"{path} is not UTF-8 text: byte {error.start} does not fit") from None
    rows: list[tuple[float, float, str]] = []
    for number, line in enumerate(lines, 1):
        words = [word for word in re.split(r"[,;\s]+", line.partition("#")[0]) if word]
        x, y = [_number(word) for word in [*words, "", ""][:2]]
        is_heading = number == 1 and x is None and y is None
        if not words or is_heading:
            continue
        if len(words) != 3 or x is None or y is None:
            raise OperandError(f"{path}:{number}: a point is x, y and a side, not {line!r:.40}")
        rows.append((x, y, words[2]))
    sides = sorted({side for _, _, side in rows}, key=lambda side: (_number(side) or 0.0, side))
    if len(sides) != 2:
        names = f": {', '.join(sides)}" if sides else ""
        raise OperandError(f"{path}: points must have two sides, not {len(sides)}{names:.60}")
    places = zip(_scaled([x for x, _, _ in rows]), _scaled([y for _, y, _ in rows]), strict=True)
    signs = [1 if side == sides[1] else -1 for _, _, side in rows]
    return Points(list(places), signs), (sides[0], sides[1])


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _scaled(numbers: list[float]) -> list[float]:
    low, span = min(numbers) / 2, max(numbers) / 2 - min(numbers) / 2  # halves do not overflow
    return [(number / 2 - low) / span * 2 - 1 if span else 0.0 for number in numbers]
