"""Graphs, walks, paths and gradient checks as plain data, by the contract in `contract/`.

The contract is for programs, above all the browser's: fields are only added with a new schema, and
changed or removed only with a new VERSION. `tools/contract.py` writes the samples from here.

JSON has no nan and no infinities: they are the strings "NaN", "Infinity" and "-Infinity".
"""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeGuard, cast

from gradwalk import contract
from gradwalk.graph import Graph, Node
from gradwalk.paths import Paths
from gradwalk.transforms import GradCheck
from gradwalk.walk import BackwardStep, SortStep, Walk

VERSION = 1

# The stacks of a deep graph grow with the square of its depth. Beyond this many entries in all, a
# sort comes without them: the pops tell the same story.
MOST_ENTRIES = 2_000_000

Data = dict[str, Any]


def dumps(data: Data) -> str:
    """Return strict JSON, one line for each entry of the top-level lists."""
    lines: list[str] = []
    for key, value in data.items():
        if _is_table(value):
            inside = ",\n".join([f"    {_dumps(entry)}" for entry in value])
            lines.append(f"  {_dumps(key)}: [\n{inside}\n  ]")
        else:
            lines.append(f"  {_dumps(key)}: {_dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def graph_json(graph: Graph) -> Data:
    """Return a graph: its nodes, inputs first, and the id of its root."""
    return {
        "version": VERSION,
        "nodes": [_node(graph, node) for node in graph.nodes],
        "root": graph.root,
    }


def walk_json(walk: Walk) -> Data:
    """Return a walk: the graph, every step, and what came of it.

    `grads` and `expected` have one number for each node, by id: what this walk computed, and what
    is right. They differ only where an order or a bug made them.
    """
    return {
        **graph_json(walk.graph),
        "forward": [_fields(step, "node data equation") for step in walk.forward],
        "sort": _sort(walk.sort),
        "order": list(walk.order),
        "backward": [_visit(step) for step in walk.backward],
        **_fields(walk, "grads expected"),
        "lost": [
            {"from": lost.source, **_fields(lost, "to contribution path why")} for lost in walk.lost
        ],
        "bug": walk.bug,
    }


def paths_json(paths: Paths) -> Data:
    """Return the paths behind a gradient; `count` is a string where a double would round it."""
    return {
        **graph_json(paths.graph),
        "to": paths.to,
        "count": _count(paths.count),
        **_fields(paths, "total rest complete"),
        "paths": [_fields(path, "nodes locals product") for path in paths.largest],
    }


def gradcheck_json(check: GradCheck) -> Data:
    """Return a gradient check, one entry for each input."""
    return {
        "version": VERSION,
        **_fields(check, "ok step tolerance"),
        "leaves": [
            _fields(leaf, "name value gradient difference left right error ok kink")
            for leaf in check.leaves
        ],
    }


def _node(graph: Graph, node: Node) -> Data:
    data: Data = {
        **_fields(node, "id op label"),
        "name": graph.name(node.id),
        **_fields(node, "data grad operands local_grads tags"),
    }
    if node.line is not None:
        data["line"] = list(node.line)
    if node.scope:
        data["scope"] = node.scope
    return data


def _sort(steps: tuple[SortStep, ...]) -> list[Data]:
    # Every turn but the last of a node puts one pair on the stack or leaves it as high as it was.
    depth, entries = 1, 0
    for step in steps:
        depth += 1 if not step.note else -1 if step.note in ("leaf", "done") else 0
        entries += depth + step.placed
    whole = entries <= MOST_ENTRIES
    return [
        {
            "pop": list(step.pop),
            "stack": [list(pair) for pair in step.stack] if whole else None,
            "sorted": list(step.sorted) if whole else None,
            "note": step.note,
        }
        for step in steps
    ]


def _visit(step: BackwardStep) -> Data:
    return {
        **_fields(step, "node grad"),
        "pushes": [_fields(push, _PUSH) for push in step.pushes],
        "note": step.note,
    }


_PUSH = "to operand incoming local contribution before after formula reason"


def _fields(thing: object, names: str) -> Data:
    """Return these fields of a thing, as JSON has them."""
    return {name: _plain(getattr(thing, name)) for name in names.split()}


def _plain(field: Any) -> Any:
    if isinstance(field, tuple):
        return [_plain(part) for part in cast("tuple[Any, ...]", field)]
    finite = not isinstance(field, float) or isfinite(field)
    return field if finite else contract.plain(field)


def _is_table(value: Any) -> TypeGuard[list[Data]]:
    return isinstance(value, list) and value != [] and isinstance(value[0], dict)


def _dumps(value: object) -> str:
    return contract.dumps(value, ensure_ascii=False)


def _count(n: int) -> int | str:
    """Return a whole number that any program can read: `BigInt` takes every form of it."""
    if n < 2**53:
        return n
    # Python refuses to write very long decimals, since they take quadratic time.
    return str(n) if n.bit_length() <= 1024 else hex(n)
