"""Writes what Python and the browser agree on: contract/samples/ and tests/fixtures/layout.json.

The samples are what the product prints, one file each; the layout fixture has graphs by structure
and where their cards, wires and pills go.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gradwalk import Graph, Value, gradcheck, parse, paths, scope, snapshot, walk
from gradwalk.render.json import dumps, gradcheck_json, graph_json, paths_json, walk_json
from gradwalk.render.layout import Layout, layout
from gradwalk.render.tape import tape_bytes

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "contract" / "samples"
LAYOUTS = ROOT / "tests" / "fixtures" / "layout.json"

NEURON = "n = x1*w1 + x2*w2 + b; o = tanh(n)"
NEURON_AT = {"x1": 2, "x2": 0, "w1": -3, "w2": 1, "b": 6.8813735870195432}
SIGMOID = "1/(1 + exp(0 - x))"


def value(text: str, **at: float) -> Value:
    return parse(text).evaluate(at)


def samples() -> dict[str, dict[str, Any]]:
    """Return every sample by the stem of its file, which begins with the name of its schema."""
    diamond = {"a": 2}
    return {
        "walk-x1": walk_json(walk(value("(a + b) * c", a=2, b=-3, c=10))),
        "walk-x2-neuron": walk_json(walk(value(NEURON, **NEURON_AT))),
        "walk-x3-overwrite": walk_json(walk(value("a*a", a=3), bug="overwrite")),
        "walk-x5": walk_json(walk(value("d = a*b; e = a + b; f = d*e", a=-2, b=3))),
        "walk-x6-order": walk_json(
            walk(value("b = a + 1; c = a*3; d = b*c", **diamond), order=["d", "b", "a", "c"])
        ),
        "walk-x7": walk_json(walk(value("c = a*b; L = c + a", a=2, b=3))),
        "walk-x8-dead-relu": walk_json(walk(value("relu(a*b)", a=2, b=-3))),
        "walk-x9-derived": walk_json(walk(value(SIGMOID, x=0.5))),
        "walk-x9-unfolded": walk_json(walk(snapshot(value(SIGMOID, x=0.5), fold=False))),
        "walk-not-finite": walk_json(walk(value("log(a) * b", a=0, b=-2))),
        "graph-x1": graph_json(snapshot(backward(value("(a + b) * c", a=2, b=-3, c=10)))),
        "graph-scoped": graph_json(snapshot(backward(scoped()))),
        "paths-x6": paths_json(paths(value("b = a + 1; c = a*3; d = b*c", **diamond), "a")),
        "paths-many": paths_json(paths(doublings(60), "a", most=2)),
        "gradcheck-kink": gradcheck_json(gradcheck(lambda a, b: abs(a) * b, a=0.0, b=3.0)),
    }


def backward(root: Value) -> Value:
    root.backward()
    return root


def scoped() -> Value:
    """Return a neuron whose sum and whose activation were made in boxes, a division among them."""
    x, w = Value(2.0, label="x"), Value(-3.0, label="w")
    with scope("neuron"):
        with scope("sum"):
            total = x * w - x / w
        return total.tanh() * x


def doublings(times: int) -> Value:
    root = Value(1.0, label="a")
    for _ in range(times):
        root = root + root
    return root


# ── Layouts ──────────────────────────────────────────────────────────────────────────────────


OPTIONS: list[dict[str, Any]] = [
    {},
    {"compare": True},
    {"pills": False},
    {"down": True},
    {"down": True, "pill": 72, "gap": 10, "channel": (10, 40), "margin": 6},
    {"pill": 88, "gap": 60, "channel": (16, 200)},
]


def layouts() -> dict[str, Any]:
    return {
        "about": [
            "Where render/layout.py and its twin in TypeScript put things; both sides test by it.",
            "nodes: [op, label, operands, tags], by id; options are the arguments.",
            "cards: [x, y, width, height], by id.",
            "edges: [source, target, operand, points, pill], by target and operand.",
            "A point is [x, y, spread]; a pill is [x, y, width, height], or null.",
        ],
        "cases": [
            {
                "name": name,
                "nodes": [[n.op, n.label, list(n.operands), list(n.tags)] for n in graph.nodes],
                "options": options,
                **plain(layout(graph, **options)),
            }
            for name, graph in graphs()
            for options in OPTIONS
        ],
    }


def plain(found: Layout) -> dict[str, Any]:
    return {
        "width": found.width,
        "height": found.height,
        "cards": [list(card) for card in found.cards],
        "edges": [
            [edge.source, edge.target, edge.operand, list(edge.points), edge.pill]
            for edge in found.edges
        ],
    }


def graphs() -> Iterator[tuple[str, Graph]]:
    yield "one leaf", snapshot(value("a", a=1))
    yield "x1", snapshot(value("(a + b) * c", a=2, b=-3, c=10))
    yield "x2, the neuron", snapshot(value(NEURON, **NEURON_AT))
    yield "x3, parallel edges", snapshot(value("a*a", a=3))
    yield "x5", snapshot(value("d = a*b; e = a + b; f = d*e", a=-2, b=3))
    yield "x6, the diamond", snapshot(value("b = a + 1; c = a*3; d = b*c", a=2))
    yield "x7", snapshot(value("c = a*b; L = c + a", a=2, b=3))
    yield "x9, derived", snapshot(value(SIGMOID, x=0.5))
    yield "x9, unfolded", snapshot(value(SIGMOID, x=0.5), fold=False)
    wide = "a_rather_long_label = where(a, leaky_relu(b), clip(c, 0, 1)); a_rather_long_label + a"
    yield "labels and three operands", snapshot(value(wide, a=1, b=2, c=3))
    yield "a list", snapshot(many(5))
    yield "over the top", snapshot(value("h = x; " + "h = h*x + a; " * 6 + "h", x=0.5, a=1))
    for seed in range(6):
        yield f"random {seed}", snapshot(at_random(seed, 12 + 9 * seed))


def many(count: int) -> Value:
    from gradwalk import dot

    names = [Value(float(i), label=f"x{i}") for i in range(count)]
    return dot(names, [names[0], *names[:-1]])


def at_random(seed: int, size: int) -> Value:
    chance = random.Random(seed)
    values = [Value(1.0, label=label) for label in "abc"]
    while len(values) < size:
        x, y = chance.choice(values), chance.choice(values[-8:])
        values.append(chance.choice([x + y, x * y, x - y, y.tanh(), y * 2]))
    used = {child for made in values for child in made._children}
    root, *others = [made for made in values if made not in used]
    for other in others:
        root = root + other
    return root


def files() -> dict[Path, bytes]:
    """Return the bytes of every file that this tool writes."""
    found = {SAMPLES / f"{stem}.json": dumps(data).encode() for stem, data in samples().items()}
    found[SAMPLES / "columns-scoped.bin"] = tape_bytes(snapshot(backward(scoped())))
    data = layouts()
    cases = ",\n".join([json.dumps(case, ensure_ascii=False) for case in data["cases"]])
    about = json.dumps(data["about"], ensure_ascii=False, indent=0)
    found[LAYOUTS] = f'{{\n"about": {about},\n"cases": [\n{cases}\n]\n}}\n'.encode()
    return found


if __name__ == "__main__":
    written = files()
    for path, content in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for path in set(SAMPLES.iterdir()) - written.keys():
        path.unlink()
