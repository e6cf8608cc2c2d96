"""Data to try things on, all made for this project: invented names, and points in the plane.

`names()` is the list that ships with the package; tools/names.py writes it. The points are drawn by
a seed: `moons`, `circles`, `xor` and `spiral` give points (x, y) and a sign, -1 or 1, for each.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gradwalk.errors import OperandError

__all__ = ["NAMES_FILE", "SHAPES", "Points", "circles", "moons", "names", "spiral", "xor"]

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
