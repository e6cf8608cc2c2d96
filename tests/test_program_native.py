"""The C replay against the interpreter: programs with the structure that blocks are made from.

The random programs of test_program_random have little of it. Here are layers: products with
matrices in every orientation, slices, sums of ragged lengths, tables, softmax. What the C finds in
them differs with every size, so sizes are drawn too. All kernels this processor has are tried.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest

import gradwalk
from gradwalk.gpt.model import GPT, Config
from gradwalk.program import interpreter

replay = pytest.importorskip("gradwalk.program._replay")


def layered(rng: random.Random) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return a function of (vector, matrix, indices), its layers drawn, and a point for it."""
    width, rows = rng.randint(1, 19), rng.randint(1, 21)
    steps = [rng.randrange(10) for _ in range(rng.randint(2, 7))]
    seed = rng.random()

    def function(x: list[Any], w: list[list[Any]], picks: list[Any]) -> Any:
        draw = random.Random(seed)
        vectors = [x]
        for step in steps:
            v = draw.choice(vectors)
            if step == 0:  # w·v, over as much as both have
                vectors.append([sum(a * b for a, b in zip(row, v, strict=False)) for row in w])
            elif step == 1:  # v·w
                columns = list(zip(*w, strict=True))
                vectors.append([sum(b * a for a, b in zip(c, v, strict=False)) for c in columns])
            elif step == 2:
                vectors.append([(a * 0.3).tanh() for a in v[:: draw.choice([1, 2, -1])]])
            elif step == 3:  # sums of growing length
                vectors.append([sum(v[: i + 1]) * 0.2 for i in range(len(v))])
            elif step == 4:
                top = gradwalk.floor(_largest(v))
                powers = [gradwalk.exp(a - top) for a in v]
                whole = sum(powers)
                vectors.append([a / whole for a in powers])
            elif step == 5:  # rows of the matrix, by index
                vectors.extend([gradwalk.take(w, i) for i in picks])
            elif step == 6:
                other = draw.choice(vectors)
                vectors.append([a * b - a + 0.5 * b for a, b in zip(v, other, strict=False)])
            elif step == 7:  # attention without the softmax: ragged dots
                some = vectors[-3:]
                vectors.append(
                    [sum(a * b for a, b in zip(p, q, strict=False)) for p in some for q in some]
                )
            elif step == 8:
                scale = (sum(a * a for a in v) / len(v) + 1.0) ** -0.5
                vectors.append([(a * scale).relu() for a in v])
            else:
                vectors.append([gradwalk.where(a > 0.1, a * a, -a) for a in v])
            vectors[-1] = vectors[-1] or [x[0] * 1.0]
        return sum(sum(v) * (1.0 / len(v)) for v in vectors)

    x = [rng.gauss(0, 1) for _ in range(width)]
    w = [[rng.gauss(0, 0.5) for _ in range(width)] for _ in range(rows)]
    return function, (x, w, [rng.randrange(rows) for _ in range(rng.randint(1, 3))])


def _largest(values: list[Any]) -> Any:
    top = values[0]
    for value in values[1:]:
        top = gradwalk.maximum(top, value)
    return top


def both(program: Any, slots: list[float]) -> tuple[list[array[float]], list[array[float]]]:
    """Return outputs and gradients by the interpreter and by C."""
    wrt = array("i", range(program.slots))
    seeds = array("d", [1.0] * len(program.outputs))
    answers: list[list[array[float]]] = []
    for kind in (interpreter.Replay, replay.Replay):
        runner = kind(
            program.codes, program.starts, program.args, program.numbers, program.outputs,
            program.slots, wrt, seeds,
        )  # fmt: skip
        outputs = array("d", bytes(8 * len(program.outputs)))
        alone = array("d", outputs)
        grads = array("d", bytes(8 * program.slots))
        runner.value_and_grad((array("d", slots),), outputs, grads)
        runner.value((array("d", slots),), alone)
        answers.append([outputs, alone, grads])
    return answers[0], answers[1]


def flat(thing: Any) -> list[float]:
    return [x for item in thing for x in flat(item)] if isinstance(thing, list) else [float(thing)]


@pytest.mark.parametrize("seed", range(60))
def test_layers(level: str, seed: int) -> None:
    function, point = layered(random.Random(seed))
    recorded = gradwalk.compile(function).record(*point)
    expected, got = both(recorded.program, [x for part in point for x in flat(part)])
    scale = max([1.0, *[abs(x) for part in expected for x in part]])
    for a, b in zip(expected, got, strict=True):
        for x, y in zip(a, b, strict=True):
            assert math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-13 * scale), (level, seed)


@pytest.mark.parametrize("tokens", range(2, 12))
def test_attention_over_documents_of_every_length(level: str, tokens: int) -> None:
    """Its triangles, softmaxes and norms make blocks of other shapes with every length."""
    model = GPT(Config(n_embd=6, n_head=3, block_size=12, vocabulary=9), random.Random(tokens))
    document = [random.Random(1).randrange(9) for _ in range(tokens)]
    recorded = gradwalk.compile(model.loss).record(document)
    recording = recorded._store.used_last()
    slots = [*map(float, document), *[value.data for value in recording.parameters]]
    expected, got = both(recorded.program, slots)
    for a, b in zip(expected, got, strict=True):
        for x, y in zip(a, b, strict=True):
            assert math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-13), (level, tokens)


def test_what_lies_behind_a_block_is_not_lost(level: str) -> None:
    """Kernels store whole vectors over the end of a block; parts of sums add to it."""

    def function(x: list[Any], w: list[list[Any]]) -> Any:
        first = [sum(a * b for a, b in zip(row, x, strict=True)) for row in w]
        both_ways = [a * b + c for a, b, c in zip(first, x[:3], x[3:], strict=False)]
        norm = sum(a * a for a in first) ** -0.5
        return sum(both_ways) + sum(a * norm for a in first[::-1]) + x[-1] * 2.0

    for rows, width in ((1, 7), (3, 6), (7, 9), (9, 17), (11, 33)):
        rng = random.Random(rows)
        x = [rng.gauss(0, 1) for _ in range(width)]
        w = [[rng.gauss(0, 1) for _ in range(width)] for _ in range(rows)]
        recorded = gradwalk.compile(function).record(x, w)
        expected, got = both(recorded.program, [*x, *flat(w)])
        for a, b in zip(expected, got, strict=True):
            for p, q in zip(a, b, strict=True):
                assert math.isclose(p, q, rel_tol=1e-12, abs_tol=1e-12), (level, rows, width)
