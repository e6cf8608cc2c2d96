"""Equality of doubles to the last bit: nan equals nan, and -0.0 is not 0.0."""

import struct
from collections.abc import Iterable


def bits(number: float) -> str:
    """Return a number as text that two doubles share exactly when they are the same one."""
    return "nan" if number != number else struct.pack(">d", number).hex()


def same(left: Iterable[float], right: Iterable[float]) -> bool:
    return [*map(bits, left)] == [*map(bits, right)]
