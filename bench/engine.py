#!/usr/bin/env python3
"""The reference engine against the well-known pure-Python Value of microGPT scripts.

    python3 x.py bench engine           the table
    python3 x.py bench engine --json

Measured: steps of a small GPT, graphs of some 50,000 nodes, built and walked backward, with
Python's garbage collector on and off; whether step 1,000 is as fast as step 100; what `import
gradwalk` costs. Gradients are compared bit for bit before anything is timed. The contenders take
turns, times are medians of CPU time, and only ratios mean something on another machine.

The documents differ in length on purpose. With graphs of one size the collector's full passes fall
on the same moment of every step, the cheapest or the dearest, and the ratio is a matter of luck.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
os.environ.setdefault("GRADWALK_BACKEND", "python")  # the C one: gradwalk bench eager

from support import microgpt
from support.bits import bits

from gradwalk import Buffers, Value, backend

DOCUMENTS = 12
MOST_RATIO = 1.2
MOST_IMPORT_MS = 50.0


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="the figures as JSON on stdout")
    parser.add_argument("--rounds", type=int, default=7, help="timed runs of each contender")
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(100_000)  # for the teaching's recursive sort

    figures = {
        "backend": backend(),
        "python": sys.version.split()[0],
        "graph": graph_figures(options.rounds),
        "steps": step_figures(),
        "import": import_figures(2 * options.rounds),
    }
    print(json.dumps(figures, indent=2) if options.json else table(figures))


# ── Large graphs ─────────────────────────────────────────────────────────────────────────────


def graph_figures(rounds: int) -> dict[str, Any]:
    ours, theirs = training(Value), training(None)
    figures: dict[str, Any] = {"nodes": check_answers(ours, theirs) // DOCUMENTS}
    for name, switch in (("gc on", gc.enable), ("gc off", gc.disable)):
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(rounds):
            for train, taken in zip((ours, theirs), times, strict=True):
                gc.collect()  # so that nobody pays for the other's garbage
                switch()
                begin = time.process_time()
                for _ in train():
                    pass
                taken.append((time.process_time() - begin) / DOCUMENTS)
                gc.enable()
        mine, other = map(median, times)
        figures[name] = {
            "gradwalk_ms": mine * 1e3,
            "microgpt_ms": other * 1e3,
            "ratio": mine / other,
            "ok": mine / other <= MOST_RATIO,
        }
    return figures


def training(kind: Any) -> Callable[[], Iterator[tuple[Any, list[Any]]]]:
    """Return a function that builds and walks a graph for each document, and hands it over."""
    script = microgpt.loaded(kind)
    parameters, loss_of = script["params"], script["loss_of"]
    documents = [script["encode"](name) for name in script["names"][:DOCUMENTS]]

    def train() -> Iterator[tuple[Any, list[Any]]]:
        for tokens in documents:
            for parameter in parameters:
                parameter.grad = 0
            loss = loss_of(tokens)
            loss.backward()
            yield loss, parameters

    return train


def check_answers(ours: Callable[[], Any], theirs: Callable[[], Any]) -> int:
    """Stop unless both give the same bits; return the number of nodes, as the teaching counts."""
    nodes = 0
    for (mine, my_parameters), (other, parameters) in zip(ours(), theirs(), strict=True):
        mine_bits = [bits(mine.data), *[bits(p.grad) for p in my_parameters]]
        if mine_bits != [bits(other.data), *[bits(p.grad) for p in parameters]]:
            sys.exit("bench: gradwalk and the teaching disagree, so there is nothing to time")
        nodes += count(other)
    return nodes


def count(root: Any) -> int:
    seen, waiting = {root}, [root]
    while waiting:
        fresh = [child for child in waiting.pop()._children if child not in seen]
        seen.update(fresh)
        waiting += fresh
    return len(seen)


# ── A thousand steps ─────────────────────────────────────────────────────────────────────────


def step_figures() -> dict[str, Any]:
    """Train a neuron for 1,050 steps; compare the hundred around step 100 and around 1,000."""
    weights = [Value(0.1 * i - 0.5) for i in range(10)]
    bias, buffers = Value(0.0), Buffers()
    times = []
    for number in range(1050):
        begin = time.process_time()
        loss = bias * 0
        for k in range(4):
            inputs = [((number + i * k) % 7) / 7 - 0.5 for i in range(10)]
            out = sum((w * x for w, x in zip(weights, inputs, strict=True)), bias).tanh()
            loss = loss + (out - inputs[0]) ** 2
        loss.backward(buffers)
        for parameter in [*weights, bias]:
            parameter.data -= 0.01 * parameter.grad
            parameter.grad = 0.0
        times.append(time.process_time() - begin)
    early, late = median(times[50:150]), median(times[950:1050])
    return {"step_100_us": early * 1e6, "step_1000_us": late * 1e6, "ratio": late / early}


# ── Import ───────────────────────────────────────────────────────────────────────────────────


def import_figures(rounds: int) -> dict[str, Any]:
    times: dict[str, list[float]] = {"pass": [], "import gradwalk": []}
    for _ in range(rounds):
        for script, taken in times.items():
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", script], check=True)
            taken.append(time.perf_counter() - begin)
    milliseconds = 1e3 * (median(times["import gradwalk"]) - median(times["pass"]))
    return {"ms": milliseconds, "ok": milliseconds <= MOST_IMPORT_MS}


def table(figures: dict[str, Any]) -> str:
    graph, steps, imported = figures["graph"], figures["steps"], figures["import"]
    verdict = {True: "ok", False: "MISSED"}
    lines = [
        f"engine {figures['backend']}, Python {figures['python']}",
        f"a step of a GPT, on average {graph['nodes']:,} nodes: build and backward, same bits",
        "             gradwalk   microGPT Value   ratio",
    ]
    for name in ("gc on", "gc off"):
        row = graph[name]
        lines.append(
            f"  {name:<7} {row['gradwalk_ms']:>8.1f} ms   {row['microgpt_ms']:>11.1f} ms"
            f"   {row['ratio']:5.2f}   at most {MOST_RATIO}: {verdict[row['ok']]}"
        )
    lines.append(
        f"a small graph: {steps['step_100_us']:.0f} µs at step 100, "
        f"{steps['step_1000_us']:.0f} µs at step 1,000, ratio {steps['ratio']:.2f}"
    )
    lines.append(
        f"import gradwalk: {imported['ms']:.1f} ms over a bare interpreter   "
        f"at most {MOST_IMPORT_MS:.0f}: {verdict[imported['ok']]}"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
