"""A graph as binary columns, for readers that draw tens of thousands of nodes.

JSON of such a graph takes seconds to read. Here each field of all nodes is one array, which the
browser maps without reading it. `contract/columns.md` has the layout of the bytes; a reader is
`web/src/core/tape.ts`.
"""

from __future__ import annotations

import json
import struct
import sys
from array import array

from gradwalk.engine import CONST
from gradwalk.graph import DERIVED, LEAF, Graph

MEDIA_TYPE = "application/vnd.gradwalk.columns"
VERSION = 1

_MAGIC = b"GWGC"
_HEAD = struct.Struct("<4sIQII")  # magic, version, length of all, length of the header, zero
_TAGS = {LEAF: 1, CONST: 2, DERIVED: 4}
_TYPES = {"d": "f8", "I": "u4", "B": "u1"}


def tape_bytes(graph: Graph) -> bytes:
    """Return the columns of a graph, nodes in topological order."""
    nodes = graph.nodes
    ops, labels, scopes, files = _Words(), _Words(), _Words(), _Words()
    starts = array("I", [0])
    for node in nodes:
        starts.append(starts[-1] + len(node.operands))
    columns = {
        "data": array("d", [node.data for node in nodes]),
        "grad": array("d", [node.grad for node in nodes]),
        "local": array("d", [local for node in nodes for local in node.local_grads]),
        "operand": array("I", [operand for node in nodes for operand in node.operands]),
        "start": starts,
        "op": array("I", [ops[node.op] for node in nodes]),
        "label": array("I", [labels[node.label] for node in nodes]),
        "scope": array("I", [scopes[node.scope] for node in nodes]),
        "file": array("I", [files[node.line[0] if node.line else ""] for node in nodes]),
        "line": array("I", [node.line[1] if node.line else 0 for node in nodes]),
        "tag": array("B", [sum([_TAGS[tag] for tag in node.tags]) for node in nodes]),
    }
    places: dict[str, tuple[str, int, int]] = {}
    offset = 0
    for name, column in columns.items():
        places[name] = _TYPES[column.typecode], offset, len(column)
        offset += _padded(len(column) * column.itemsize)
    header = json.dumps(
        {
            "nodes": len(nodes),
            "edges": starts[-1],
            "ops": ops.words,
            "labels": labels.words,
            "scopes": scopes.words,
            "files": files.words,
            "columns": places,
        },
        separators=(",", ":"),
    ).encode()
    header += b" " * (_padded(len(header)) - len(header))
    length = _HEAD.size + len(header) + offset
    head = _HEAD.pack(_MAGIC, VERSION, length, len(header), 0)
    return b"".join([head, header, *[_packed(column) for column in columns.values()]])


class _Words(dict[str, int]):
    """Numbers words in the order they come."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number

    @property
    def words(self) -> list[str]:
        return list(self)


def _packed(column: array[float] | array[int]) -> bytes:
    assert column.itemsize == int(_TYPES[column.typecode][1])  # as on every platform of CPython's
    if sys.byteorder != "little":
        column.byteswap()
    packed = column.tobytes()
    return packed + b"\0" * (_padded(len(packed)) - len(packed))


def _padded(length: int) -> int:
    """Return a length that ends on a multiple of 8, where the next array can be mapped."""
    return length + -length % 8
