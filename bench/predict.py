#!/usr/bin/env python3
"""Predicted against measured time of replays: where the constants of program/view.py come from.

    .venv/bin/python bench/predict.py

The first programs have one kind of block each, so that a constant can be read off the difference
between two of them; the last four are what the prediction is for. Times are the quickest of many
runs, because another process can only make one slower.
"""

from __future__ import annotations

import math
import random
import time
from array import array
from collections.abc import Callable
from typing import Any

import gradwalk
from gradwalk.bench.program import Arithmetic, loss, weights_and_tokens
from gradwalk.program import record


def quickest(run: Callable[[], Any], seconds: float = 0.3) -> float:
    """Return nanoseconds of the quickest run, each long enough for the clock."""
    run()
    count, best = 1, math.inf
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(count):
            run()
        took = time.perf_counter() - begin
        best = min(best, took / count)
        if took < 2e-4:
            count *= 2
    return best * 1e9


def chain(n: int) -> Any:
    def f(x: Any, a: Any) -> Any:
        for _ in range(n):
            x = x * a + 0.5
        return x

    return record(f, 0.5, 0.4), (0.5, 0.4)


def over(n: int, function: Callable[[Any], Any]) -> Any:
    numbers = [0.1 + i / n for i in range(n)]
    return record(lambda xs: sum([function(x) for x in xs]), numbers), (numbers,)


def product(n: int) -> Any:
    chance = random.Random(1)
    w = [[chance.random() for _ in range(n)] for _ in range(n)]
    x = [chance.random() for _ in range(n)]

    def f(w: Any, x: Any) -> Any:
        y = [sum([a * b for a, b in zip(row, x, strict=True)]) for row in w]
        return sum([a * b for a, b in zip(y, x, strict=True)])

    return record(f, w, x), (w, x)


def heston(steps: int) -> Any:
    chance = random.Random(2)
    z = [[chance.gauss(0, 1), chance.gauss(0, 1)] for _ in range(steps)]

    def f(s: Any, v: Any, kappa: Any, theta: Any, xi: Any, rho: Any, r: Any, k: Any, z: Any) -> Any:
        dt = 1 / steps
        x = gradwalk.log(s)
        for z1, z2 in z:
            plus = gradwalk.maximum(v, 1e-8)
            vol = gradwalk.sqrt(plus * dt)
            x = x + (r - 0.5 * plus) * dt + vol * z1
            v = (
                v
                + kappa * (theta - plus) * dt
                + xi * vol * (rho * z1 + gradwalk.sqrt(1 - rho * rho) * z2)
            )
        return gradwalk.exp(-r) * gradwalk.maximum(gradwalk.exp(x) - k, 0.0)

    at = (100.0, 0.04, 1.5, 0.04, 0.3, -0.7, 0.03, 100.0, z)
    return record(f, *at), at


def tiny() -> Any:
    at = (2.0, -3.0, 10.0)
    return record(lambda a, b, c: (a + b) * c, *at), at


def microgpt() -> Any:
    weights, tokens = weights_and_tokens(lambda number: number)
    # Without the shift by the largest: which one is largest is not for a recording to know.
    arithmetic = Arithmetic(lambda _: 0.0, gradwalk.exp, gradwalk.relu, gradwalk.log)
    program = record(lambda weights: loss(weights, tokens, arithmetic), weights)
    return program, (weights,)


PROGRAMS: dict[str, Callable[[], Any]] = {
    "chain of 100": lambda: chain(100),
    "chain of 1,000": lambda: chain(1_000),
    "square of 1,000": lambda: over(1_000, lambda x: x * x),
    "exp of 1,000": lambda: over(1_000, gradwalk.exp),
    "tanh of 1,000": lambda: over(1_000, gradwalk.tanh),
    "matrix of 64": lambda: product(64),
    "matrix of 200": lambda: product(200),
    "tiny expression": tiny,
    "Heston, 50 steps": lambda: heston(50),
    "microGPT loss": microgpt,
    "chain of 10,000": lambda: chain(10_000),
}


def runs_of(program: Any, at: Any) -> dict[str, Callable[[], Any]]:
    """Return what to time: the replays themselves, without reading arguments."""
    recording, segments, _ = program._prepare(at, {})
    replay, count = recording.plan("all", lambda: range(recording.program.slots))
    out, grads = array("d", [0.0]), array("d", bytes(8 * count))
    return {
        "": lambda: replay.value(segments, out),
        "gradient ": lambda: replay.value_and_grad(segments, out, grads),
    }


def main() -> None:
    print(f"{'program':<18} {'':<8} {'predicted':>12} {'measured':>12} {'ratio':>6}  blocks")
    for name, make in PROGRAMS.items():
        program, at = make()
        sizes = program.sizes
        for kind, run in runs_of(program, at).items():
            took, said = quickest(run), sizes[f"{kind}nanoseconds"]
            times = f"{said:>9,} ns {took:>9,.0f} ns {said / took:>6.2f}"
            print(f"{name:<18} {kind or 'value':<8} {times}  {sizes[f'{kind}blocks']}")


if __name__ == "__main__":
    main()
