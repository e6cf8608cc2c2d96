"""The figures of recorded programs: a training step, a price over many scenarios, their compiling.

Answers are checked before anything is timed. Of repeated timings the smallest is taken, in CPU time
and on one thread. The repository's bench/ stands other compilers beside these.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from gradwalk.bench.report import Report, rows_of
from gradwalk.data import names
from gradwalk.engine import topological_order
from gradwalk.gpt import Run, Training
from gradwalk.ops import maximum
from gradwalk.program import compile  # noqa: A004

Tell = Callable[[str], None]


def measure(
    *, quick: bool = False, long: bool = False, steps: int = 0, tell: Tell = print
) -> Report:
    """Measure everything; `tell` hears what is being measured."""
    steps = steps or (30 if quick else 200)
    tell(f"microGPT, {steps:,} steps recorded, and as Values")
    parts = {"training": training(steps), "compile": compiling(3 if quick else 7)}
    if find_spec("numpy") is not None:
        count = 2_000 if quick else 20_000 * (10 if long else 1)
        tell(f"{count:,} paths of an option's price")
        parts["paths"] = paths(count)
    notes = [] if "paths" in parts else ["With numpy installed, many scenarios are measured, too."]
    return Report("compiled", rows_of(parts, ROWS), notes, parts)


# Part and figure: the row's words, and the unit.
ROWS = {
    ("training", "difference"): ("microGPT: largest difference of a loss", ""),
    ("training", "µs"): ("  a training step", " µs"),
    ("training", "eager, µs"): ("  the same on Values", " µs"),
    ("compile", "ms"): ("  to record and compile its loss", " ms"),
    ("compile", "nodes"): ("  nodes of the loss", ""),
    ("paths", "ns"): ("option price and 4 gradients, a path", " ns"),
    ("paths", "Python, ns"): ("  the price alone in plain Python", " ns"),
}


def _least(work: Callable[[], Any], times: int) -> float:
    """Return the CPU seconds of the quickest of several runs."""
    seconds: list[float] = []
    for _ in range(times):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


def training(steps: int) -> dict[str, Any]:
    """Train the scalar GPT recorded and as Values, and compare each loss."""
    losses: dict[str, list[float]] = {}
    seconds: dict[str, float] = {}
    for form in ("replay", "scalar"):
        run = Training(names(), run=Run(steps=steps, form=form))
        began = time.process_time()
        losses[form] = [run.step().loss for _ in range(steps)]
        seconds[form] = time.process_time() - began - run.stepper.preparing
    pairs = zip(losses["replay"], losses["scalar"], strict=True)
    return {
        "steps": steps,
        "difference": max([abs(x - y) for x, y in pairs]),
        "µs": seconds["replay"] / steps * 1e6,
        "eager, µs": seconds["scalar"] / steps * 1e6,
    }


def compiling(times: int) -> dict[str, Any]:
    """Record and compile the loss of one document, with its gradient."""
    run = Training(names(), run=Run(steps=1, form="scalar"))
    model, tokens = run.model, run.tokenizer.encode(run.next_document)
    nodes = len(topological_order(model.loss(tokens)))
    return {"ms": _least(lambda: compile(model.loss).backward(tokens), times) * 1e3, "nodes": nodes}


def _price(s0: Any, rate: Any, vol: Any, strike: Any, z: Any) -> Any:
    """Return the discounted payoff of a call on the mean of a path of ten steps."""
    dt = 0.1
    s, total = s0, 0.0
    for x in z:
        s = s * math.exp((rate - 0.5 * vol * vol) * dt + vol * math.sqrt(dt) * x)
        total = total + s
    return math.exp(-rate) * maximum(total / 10.0 - strike, 0.0)


def paths(count: int) -> dict[str, Any]:
    """Price many paths with all gradients, against the same function in plain Python."""
    import numpy as np

    z = np.random.default_rng(1).standard_normal((count, 10))
    point = (100.0, 0.03, 0.2, 100.0)
    price = compile(_price)

    def run() -> Any:
        return price.map.value_and_grad(*point, z, reduce="mean", threads=1)

    few = z[:200].tolist()
    right = math.fsum([float(_price(*point, path)) for path in few]) / len(few)
    mean = price.map(*point, z[:200], reduce="mean")
    if not math.isclose(mean, right, rel_tol=1e-12):
        raise AssertionError(f"the compiled price is {mean!r}, plain Python's {right!r}")
    run()
    seconds = _least(lambda: [_price(*point, path) for path in few], 5)
    return {"paths": count, "ns": _least(run, 5) / count * 1e9, "Python, ns": seconds / 200 * 1e9}
