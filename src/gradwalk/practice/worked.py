"""The worked examples: an expression, a point, and every number that must come out.

`data` and `grads` name nodes as `Graph.find` knows them: a label, or the symbol of a nameless one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwalk.expr import parse
from gradwalk.graph import Graph, snapshot


@dataclass(frozen=True, slots=True)
class Worked:
    """One example. `asks` is the node whose gradient it is about; `id` is its row in the plan.

    `overwrite` has the gradients that `=` in place of `+=` gives, by visit order; the order "" is
    the one that the sort makes.
    """

    id: str
    name: str
    title: str
    text: str
    values: Mapping[str, float]
    data: Mapping[str, float]
    grads: Mapping[str, float]
    asks: str
    overwrite: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict[str, dict[str, float]]
    )

    @property
    def graph(self) -> Graph:
        return graph_of(self.text, self.values)


def graph_of(text: str, values: Mapping[str, float]) -> Graph:
    """Return the graph of an expression at a point."""
    return snapshot(parse(text).evaluate(values))


WORKED = (
    Worked(
        "x1",
        "sum-product",
        "a sum times a number",
        "(a + b) * c",
        {"a": 2.0, "b": -3.0, "c": 10.0},
        {"+": -1.0, "*": -10.0},
        {"*": 1.0, "+": 10.0, "c": -1.0, "a": 10.0, "b": 10.0},
        "a",
    ),
    Worked(
        "x2",
        "neuron",
        "one neuron",
        "n = x1*w1 + x2*w2 + b; o = tanh(n)",
        {"x1": 2.0, "w1": -3.0, "x2": 0.0, "w2": 1.0, "b": 6.8813735870195432},
        {"n": 0.8813735870195432, "o": 0.7071067811865476},
        {
            "n": 0.5,
            "b": 0.5,
            "*1": 0.5,
            "*2": 0.5,
            "w1": 1.0,
            "x1": -1.5,
            "x2": 0.5,
            "w2": 0.0,
        },
        "w1",
    ),
    Worked(
        "x3",
        "square",
        "one number, used twice in a product",
        "a * a",
        {"a": 3.0},
        {"*": 9.0},
        {"a": 6.0},
        "a",
        {"": {"a": 3.0}},
    ),
    Worked(
        "x4",
        "double",
        "one number, used twice in a sum",
        "a + a",
        {"a": 3.0},
        {"+": 6.0},
        {"a": 2.0},
        "a",
        {"": {"a": 1.0}},
    ),
    Worked(
        "x5",
        "shared-pair",
        "two numbers, each used twice",
        "d = a*b; e = a + b; f = d*e",
        {"a": -2.0, "b": 3.0},
        {"d": -6.0, "e": 1.0, "f": -6.0},
        {"d": 1.0, "e": -6.0, "a": -3.0, "b": -8.0},
        "a",
        {"f e d b a": {"a": 3.0, "b": -2.0}, "f d e b a": {"a": -6.0, "b": -6.0}},
    ),
    Worked(
        "x6",
        "diamond",
        "the diamond",
        "b = a + 1; c = a * 3; d = b * c",
        {"a": 2.0},
        {"b": 3.0, "c": 6.0, "d": 18.0},
        {"b": 6.0, "c": 3.0, "a": 15.0},
        "a",
    ),
    Worked(
        "x7",
        "shortcut",
        "a number with a long way and a shortcut",
        "c = a * b; L = c + a",
        {"a": 2.0, "b": 3.0},
        {"c": 6.0, "L": 8.0},
        {"c": 1.0, "b": 2.0, "a": 4.0},
        "a",
        {"": {"a": 3.0}},
    ),
    Worked(
        "x8",
        "dead-relu",
        "a relu that is closed",
        "relu(a * b)",
        {"a": 2.0, "b": -3.0},
        {"*": -6.0, "relu": 0.0},
        {"*": 0.0, "a": 0.0, "b": 0.0},
        "a",
    ),
    Worked(
        "x9-relu",
        "dead-neuron",
        "a neuron whose relu is closed",
        "relu(x*w + b)",
        {"x": 2.0, "w": 3.0, "b": -10.0},
        {"+": -4.0, "relu": 0.0},
        {"x": 0.0, "w": 0.0, "b": 0.0},
        "w",
    ),
    Worked(
        "x9-sigmoid",
        "sigmoid",
        "the sigmoid, from its parts",
        "1 / (1 + exp(0 - x))",
        {"x": 0.5},
        {"/": 0.6224593312018546},
        {"x": 0.2350037122015945},
        "x",
    ),
)
