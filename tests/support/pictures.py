"""Graphs to render: the worked examples, and random ones with labels and numbers of every kind."""

import math
import random

from hypothesis import settings
from hypothesis import strategies as st

from gradwalk import Graph, Value, parse, snapshot, walk
from gradwalk.walk import BUGS, Walk
from support.examples import EXAMPLES

HOSTILE = ["<script>", "\"&'", "a\nb", "\x1b[31m", "{|}", "\\", "]]>", "数", "\u202eabc", "x" * 90]
NUMBERS = [0.0, -0.0, 1.0, -3.0, 1 / 3, 1e-300, -1e300, 12345.678, math.inf, -math.inf, math.nan]


def example(name: str) -> Value:
    text, values, *_ = EXAMPLES[name]
    return parse(text).evaluate(values)


def random_graph(seed: int, size: int) -> Graph:
    """A graph of about this size: shared nodes, parallel edges, constants, lists, odd labels."""
    chance = random.Random(seed)
    leaves = chance.randrange(1, 5)
    values = [
        Value(chance.choice([*NUMBERS, chance.gauss(0, 3)]), label=chance.choice("abcde"))
        for _ in range(leaves)
    ]
    near = chance.choice([3, 10, 1000])
    while len(values) < size:
        x, y, z = [chance.choice(values[-near:]) for _ in range(3)]
        kind = chance.randrange(9)
        if kind == 0:
            made = y.tanh()
        elif kind == 1:
            made = x * chance.choice([2, 0.001, -1e9])
        elif kind == 2:
            made = x - y
        elif kind == 3:
            made = x * x
        elif kind == 4:
            made = x.clip(y, z)
        elif kind == 5:
            made = Value(chance.gauss(0, 1)) / y
        else:
            made = x + y if kind % 2 else x * y
        if chance.random() < 0.1:
            made.label = chance.choice([*HOSTILE, "loss"])
        values.append(made)
    used = {child for value in values for child in value._children}
    root, *others = [value for value in values if value not in used]
    for other in others:
        root = root + other
    return snapshot(root, fold=chance.random() < 0.7)


def random_walk(seed: int, size: int) -> Walk:
    """A walk over such a graph: right, with a bug, or in an order of its own."""
    graph = random_graph(seed, size)
    chance = random.Random(~seed)
    kind = chance.choice([None, None, "order", *[bug for bug in BUGS if bug != "no-visited"]])
    if kind == "order":
        order = [node.id for node in graph.nodes if not node.is_const]
        chance.shuffle(order)
        return walk(graph, order=order)
    return walk(graph, bug=kind)


seeds = st.integers(0, 2**32)
sizes = st.integers(1, 40)

# For tests that draw whole walks: a graph has many places where something can go wrong.
few = settings(max_examples=30)
