"""Structures of numbers, taken apart into a row of leaves and put together again.

A structure is a number, or lists, tuples, dicts, dataclasses, named tuples and numpy arrays of
structures. None, booleans, texts and other objects have no leaf and stay as they are.
"""

# A leaf is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from gradwalk.ops import real
from gradwalk.program.structure import field_names, plainly, with_fields

Shape = tuple[Any, ...]
LEAF: Shape = ("leaf",)


def flatten(thing: Any) -> tuple[list[Any], Shape]:
    """Return the numbers of a structure in order, and its shape without them."""
    leaves: list[Any] = []
    return leaves, _shape(thing, leaves)


def is_number(thing: Any) -> bool:
    """Say whether something can be differentiated by: a real number, a Value, a recorded value."""
    kind: Any = type(thing)
    if kind is float or hasattr(kind, "_apply"):
        return True
    return kind is not bool and real(thing) is not None


def _shape(thing: Any, leaves: list[Any]) -> Shape:
    if is_number(thing):
        leaves.append(thing if hasattr(type(thing), "_apply") else real(thing))
        return LEAF
    if isinstance(thing, dict):
        return ("dict", tuple(thing), [_shape(part, leaves) for part in thing.values()])
    if type(thing) in (list, tuple):
        return (type(thing).__name__, [_shape(part, leaves) for part in thing])
    if _is_array(thing):
        leaves.extend([x if hasattr(type(x), "_apply") else float(x) for x in thing.flat])
        return ("array", thing.shape)
    if (names := field_names(thing)) is not None:
        parts = [_shape(getattr(thing, name), leaves) for name in names]
        return ("fields", type(thing), names, parts)
    if (plain := plainly(thing)) is not None:
        return _shape(plain, leaves)
    return ("is", thing)


def rebuild(shape: Shape, leaves: Sequence[Any]) -> Any:
    """Return the structure of this shape with these leaves."""
    return _built(shape, iter(leaves))


def _built(shape: Shape, leaves: Iterator[Any]) -> Any:
    kind = shape[0]
    if kind == "leaf":
        return next(leaves)
    if kind == "is":
        return shape[1]
    if kind == "array":
        import numpy as np

        count = 1
        for length in shape[1]:
            count *= length
        return stack([next(leaves) for _ in range(count)], shape[1], np)
    parts = [_built(part, leaves) for part in shape[-1]]
    if kind == "list":
        return parts
    if kind == "tuple":
        return tuple(parts)
    if kind == "dict":
        return dict(zip(shape[1], parts, strict=True))
    return with_fields(shape[1], dict(zip(shape[2], parts, strict=True)))


def stack(entries: list[Any], shape: tuple[int, ...], np: Any) -> Any:
    """Return an array of numbers, of objects, or of arrays that all have one shape."""
    if entries and all(_is_array(entry) for entry in entries):
        return np.array(entries).reshape(*shape, *entries[0].shape)
    if all(type(entry) is float for entry in entries):
        return np.array(entries, np.float64).reshape(shape)
    made = np.empty(len(entries), object)
    made[:] = entries
    return made.reshape(shape)


def _is_array(thing: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and isinstance(thing, numpy.ndarray)
