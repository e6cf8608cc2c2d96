"""The figures of branches: plain Python's `if` and `while`, compiled, beside other ways.

The work is that of examples/control_flow. Contenders take turns, as in `replay`, whose arena this
uses; answers are held against numpy's, in closed form, before anything is timed.
"""

from __future__ import annotations

import math
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from goals import Figures, Goal, Held, main
from replay import Arena, Part, Size, Tell, _cells, _ratio
from replay_peers import SPOT, STRIKE, _example

import gradwalk

__all__ = ["measure"]

BARRIER = (100.0, 0.3, 80.0)  # spot, volatility, level
GOALS: dict[tuple[str, str], tuple[str, Goal | None]] = {
    ("barrier", "over where"): (
        "barrier option, over where by hand",
        Goal("≤", 1.3, 1.0, "×"),
    ),
    ("barrier", "JAX over"): ("  JAX over it, compiling included", Goal("≥", 5, 20, "×")),
    ("early exit", "ratio"): (
        "barrier at 99 of 100, over one that no path meets",
        Goal("≤", 0.8, 0.5, "×"),
    ),
    ("implied volatility", "over numba"): (
        "implied volatility and gradients, over numba's value",
        Goal("≤", 3, 1, "×"),
    ),
    ("recording", "ms"): ("a new structure, 1,000 nodes, recorded", Goal("≤", 2, 0.5, " ms")),
    ("calls", "ratio"): ("a call with three branches, over none", Goal("≤", 1.2, 1.05, "×")),
}


def measure(
    *, quick: bool = False, long: bool = False, steps: int = 0, tell: Tell = print
) -> Figures:
    size = Size(quick, long)
    parts: dict[str, Part] = {}
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(Path(folder), size)
        tell("barrier option, 252 steps")
        parts["barrier"] = barrier(arena)
        tell("implied volatility, by Newton")
        parts["implied volatility"] = volatility(arena)
    tell("early exits in a map")
    parts["early exit"] = {"ratio": early_exit(size)}
    tell("recording and single calls")
    parts["recording"] = {"ms": 1e3 * recording(size)}
    parts["calls"] = {"ratio": calls(size)}
    rows = [
        Held(words, parts[part][figure], goal=goal)
        for (part, figure), (words, goal) in GOALS.items()
        if figure in parts[part]
    ]
    return Figures("branches", rows, (), parts, _beside(parts))


def barrier(arena: Arena) -> Part:
    """Price, delta and vega over paths that end early at the barrier."""
    paths = 5 * arena.size.paths
    z = np.random.default_rng(1).standard_normal((paths, 252))
    expected = barrier_by_hand(z)
    found = arena.contest("barrier", {"p": np.array(BARRIER), "z": z}, lambda _: expected)
    part: Part = {"contenders": found, "unit": "a path", "paths": paths}
    ours, by_where = found["gradwalk"], found["gradwalk, where by hand"]
    if "steady" in ours and "steady" in by_where:
        part["over where"] = ours["steady"] / by_where["steady"]
    if found["JAX"].get("right"):
        part["JAX over"] = found["JAX"]["first"] / ours["first"]
    return part


def early_exit(size: Size) -> float:
    """Return the time of a barrier that most paths meet early, over one that none meets."""
    paths = 5 * size.paths
    z = np.random.default_rng(1).standard_normal((paths, 252))
    spot, sigma, _ = BARRIER
    compiled = gradwalk.compile(_example("barrier_option").payoff)

    def work(level: float) -> Any:
        how = {"wrt": ("s", "sigma"), "reduce": "mean", "threads": 1}
        return compiled.map.value_and_grad(spot, sigma, level, z, **how)

    for level in (99.0, 1.0):
        value, grads = work(level)
        found = [value, grads["s"], grads["sigma"]]
        assert np.allclose(found, barrier_by_hand(z, (spot, sigma, level)), rtol=1e-9)
    return _ratio(lambda: work(99.0), lambda: work(1.0), size)


def barrier_by_hand(z: Any, p: Sequence[float] = BARRIER) -> list[float]:
    """Return the mean payoff, and its derivatives by the spot and the volatility."""
    s0, sigma, level = p
    steps = z.shape[1]
    times = np.arange(1, steps + 1) / steps
    walk = np.cumsum(z, axis=1) * math.sqrt(1 / steps)
    s = s0 * np.exp(-0.5 * sigma * sigma * times + sigma * walk)
    paid = (s.min(axis=1) >= level) & (s[:, -1] > STRIKE)
    end = s[:, -1]
    parts = (end - STRIKE, end / s0, end * (walk[:, -1] - sigma))
    return [float(np.where(paid, part, 0.0).mean()) for part in parts]


def volatility(arena: Arena) -> Part:
    """Quotes whose volatilities are known, because their prices were made of them."""
    count = 20_000 if arena.size.quick else 1_000_000
    rng = np.random.default_rng(2)
    strike, sigma = rng.uniform(80.0, 120.0, count), rng.uniform(0.1, 0.6, count)
    d1 = np.log(SPOT / strike) / sigma + 0.5 * sigma
    below = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)))
    price = SPOT * below(d1) - strike * below(d1 - sigma)
    vega = SPOT * np.exp(-0.5 * d1 * d1) / math.sqrt(2.0 * math.pi)
    by_strike = below(d1 - sigma) / vega  # of the volatility that keeps the price
    expected = [float(x.mean()) for x in (sigma, 1.0 / vega, by_strike)]
    data = {"price": price, "strike": strike}
    found = arena.contest("implied volatility", data, lambda _: expected)
    part: Part = {"contenders": found, "unit": "a quote", "quotes": count}
    ours, theirs = found["gradwalk"], found["numba by hand, no gradient"]
    if "steady" in ours and "steady" in theirs:
        part["over numba"] = ours["steady"] / theirs["steady"]
    return part


def recording(size: Size) -> float:
    """Return the seconds that the first call of a function of about 1,000 nodes takes."""
    seconds: list[float] = []
    for _ in range(5 * size.rounds):
        compiled = gradwalk.compile(_long)
        began = process_time()
        found = compiled(0.5)
        seconds.append(process_time() - began)
        assert found == _long(0.5)
    return statistics.median(seconds)


def _long(x: Any) -> Any:
    total = x
    for k in range(120):
        total = total * 0.5 + x * k
        if total > 3.0:
            total = total - 1.0
        else:
            total = total + x
    return total


def calls(size: Size) -> float:
    def with_branches(x: Any, y: Any) -> Any:
        if x > 1.0:
            x = x * y
        if y > 2.0:
            return x - y
        return x + y if x > y else x * y

    def without(x: Any, y: Any) -> Any:
        x = x * y
        x = x - y
        return x + y + x * y

    first, second = gradwalk.compile(with_branches), gradwalk.compile(without)
    assert first(1.5, 1.0) == with_branches(1.5, 1.0)
    assert second(1.5, 1.0) == without(1.5, 1.0)
    return _ratio(lambda: first(1.5, 1.0), lambda: second(1.5, 1.0), size)


def _beside(parts: dict[str, Part]) -> list[list[str]]:
    table = [["", "first", "then", "ratio", "answer"]]
    for case in ("barrier", "implied volatility"):
        found: dict[str, Part] = parts[case]["contenders"]
        table.append([case, "", parts[case]["unit"], "", ""])
        ours = found["gradwalk"].get("steady", math.nan)
        for name, said in found.items():
            if "missing" not in said:
                first, then, _, ratio, right = _cells(said, said.get("steady"), ours)
                table.append([f"  {name}", first, then, ratio, right])
    return table


if __name__ == "__main__":
    main(measure)
