"""Checkpoints: arrays of doubles and a few words in one safetensors file, written all or nothing.

The format is simple enough to write by hand: eight bytes with the length of a JSON header, the
header, which says where each array lies, then the arrays. Other programs read it with the
safetensors package; this one needs no package.

`save` writes whole or not at all. `load` believes nothing that it reads: among the words is a hash
of all the rest, so that a file which a disk or a copy has damaged is told from a good one. A file
of another program's has none, and is taken as it is.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gradwalk.errors import CheckpointError
from gradwalk.files import write_whole

Tensor = tuple[tuple[int, ...], "array[float]"]  # shape, numbers row by row

_LONGEST_HEADER = 100_000_000  # the safetensors package's own limit
_MOST_DIMENSIONS = 8
_METADATA = "__metadata__"
_HASH = "sha256"


def save(path: str | Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Write a checkpoint: afterwards the file is the new one, or still the old one; never less."""
    write_whole(path, encode(tensors, metadata))


def load(path: str | Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Read a checkpoint; CheckpointError says what is wrong with a file that is none."""
    data = Path(path).read_bytes()
    try:
        return decode(data)
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}") from None


def encode(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> Iterable[bytes]:
    """Yield the file's bytes in order."""
    header: dict[str, Any] = {}
    end = 0
    for name, (shape, numbers) in tensors.items():
        assert math.prod(shape) == len(numbers), name
        begin, end = end, end + 8 * len(numbers)
        header[name] = {"dtype": "F64", "shape": list(shape), "data_offsets": [begin, end]}
    content = [_little_endian(numbers) for _, numbers in tensors.values()]
    words = {**metadata, _HASH: _hash(metadata, header, content)}
    text = json.dumps({_METADATA: words, **header}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the arrays begin on a multiple of 8
    yield len(text).to_bytes(8, "little")
    yield text
    for numbers in content:
        yield numbers.tobytes()


def decode(data: bytes) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the arrays and the words of a file's bytes, after checking all of them."""
    if len(data) < 8:
        raise CheckpointError(f"a checkpoint has at least 8 bytes, this has {len(data)}")
    length = int.from_bytes(data[:8], "little")
    if length > _LONGEST_HEADER:
        raise CheckpointError(f"no checkpoint: its header would be {length} bytes long")
    if 8 + length > len(data):
        raise CheckpointError(f"cut off: the header has {length} bytes, {len(data) - 8} are there")
    header = _header(data[8 : 8 + length])
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        raise CheckpointError(f"{_METADATA} is not a list of words")
    content = memoryview(data)[8 + length :]
    tensors: dict[str, Tensor] = {}
    expected = 0
    for name, row in sorted(header.items(), key=_place):
        shape, begin, end = _row(name, row)
        if begin != expected:
            raise CheckpointError(f"{name} begins at byte {begin}, where {expected} is expected")
        if end > len(content):
            raise CheckpointError(f"cut off: {name} ends at byte {end} of {len(content)}")
        numbers = array("d")
        numbers.frombytes(content[begin:end])
        tensors[name] = shape, _little_endian(numbers)
        expected = end
    if expected != len(content):
        raise CheckpointError(f"{len(content) - expected} bytes follow the last array")
    written: str | None = metadata.pop(_HASH, None)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if written is not None and written != _hash(metadata, header, [content]):  # pyright: ignore[reportUnknownArgumentType]
        raise CheckpointError(
            f"damaged: it is not what was written there, by its {_HASH}; whoever has changed it on "
            "purpose leaves that word out"
        )
    return tensors, metadata  # pyright: ignore[reportUnknownVariableType]


def _hash(words: Mapping[str, str], rows: Mapping[str, Any], content: Iterable[Any]) -> str:
    found = sha256(json.dumps([dict(words), dict(rows)], sort_keys=True).encode())
    for part in content:
        found.update(part)
    return found.hexdigest()


def _header(text: bytes) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise CheckpointError("the header has a name twice")
        return found

    try:
        header = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError("no checkpoint: its header is not JSON") from None
    if not isinstance(header, dict):
        raise CheckpointError("no checkpoint: its header is not a JSON object")
    return header  # pyright: ignore[reportUnknownVariableType]


def _place(item: tuple[str, Any]) -> tuple[int, int]:
    _, begin, end = _row(*item)
    return begin, end


def _row(name: str, row: Any) -> tuple[tuple[int, ...], int, int]:
    """Return shape, begin and end of one array, checked against each other."""
    if not isinstance(row, dict) or set(row) != {"dtype", "shape", "data_offsets"}:  # pyright: ignore[reportUnknownArgumentType]
        raise CheckpointError(f"{name} has not just dtype, shape and data_offsets")
    entry: dict[str, Any] = row  # pyright: ignore[reportUnknownVariableType]
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if dtype != "F64":
        raise CheckpointError(f"{name} holds {dtype!r:.20}, gradwalk reads F64")
    for what, numbers in (("shape", shape), ("data_offsets", offsets)):
        if not isinstance(numbers, list) or not all(_is_count(n) for n in numbers):  # pyright: ignore[reportUnknownVariableType]
            raise CheckpointError(f"the {what} of {name} is not a list of counts")
    if len(shape) > _MOST_DIMENSIONS:  # their product would take minutes
        raise CheckpointError(
            f"{name} has {len(shape):,} dimensions, gradwalk reads up to {_MOST_DIMENSIONS}"
        )
    if len(offsets) != 2 or offsets[1] - offsets[0] != 8 * math.prod(shape):
        raise CheckpointError(f"{name} lies at {offsets!r:.60}, which is not 8 × {shape!r:.60}")
    return tuple(shape), offsets[0], offsets[1]


def _is_count(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**48


def _little_endian(numbers: array[float]) -> array[float]:
    if sys.byteorder == "little":
        return numbers
    swapped = numbers[:]
    swapped.byteswap()
    return swapped
