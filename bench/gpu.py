"""The figures of a GPU: paths of Heston and training steps of microGPT, beside JAX by hand.

    python3 bench/gpu.py [heston] [gpt] [--scenarios N] [--steps N] [--written-out] [--json FILE]

It needs JAX and this checkout, nothing else: where gradwalk is not installed it is taken from
src/. Answers are compared before anything is timed: Heston's with numpy's, microGPT's losses with
those of a model on tensors.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from replay_peers import (  # noqa: E402
    FLOOR,
    WEIGHTS,
    _jax_gpt_loss,
    _tables,
    heston,
    heston_by_hand,
)

import gradwalk  # noqa: E402
from gradwalk.gpt import GPT, Config  # noqa: E402
from gradwalk.optim import Adam  # noqa: E402

HESTON = (100.0, 0.04, 0.03, 1.5, 0.04, 0.3, -0.6, 95.0)
CHECKED = 2_000  # scenarios whose answer is held against numpy's


def path(p: Any, z: Any) -> Any:
    return heston(p, z, math.sqrt, math.exp, gradwalk.maximum)


def timed(work: Any, turns: int = 5) -> tuple[float, float]:
    """Return the seconds of the first run, with its compilation, and of the fastest after it."""
    began = time.perf_counter()
    jax.block_until_ready(work())
    first = time.perf_counter() - began
    best = math.inf
    for _ in range(turns):
        began = time.perf_counter()
        jax.block_until_ready(work())
        best = min(best, time.perf_counter() - began)
    return first, best


def measure(count: int, steps: int, dtype: str, written_out: bool) -> list[dict[str, Any]]:
    compiled = gradwalk.compile(path)
    compiled(list(HESTON), [(0.1, 0.2)] * steps)
    nodes = sum([code != 0 for code in compiled.program.codes])
    began = time.perf_counter()
    on_jax = compiled.to_jax(dtype=dtype)
    lowering = time.perf_counter() - began
    z = jax.random.normal(jax.random.key(1), (count, steps, 2), dtype)
    some = np.asarray(z[:CHECKED], np.float64)
    right = heston_by_hand(np, HESTON, some.transpose(1, 2, 0))
    close = 1e-11 if dtype == "float64" else 2e-3
    found: list[dict[str, Any]] = []

    def held(name: str, work: Any, compiling: float = 0.0) -> None:
        value, grads = work(z[:CHECKED])
        got = [float(value), *[float(x) for x in grads]]
        off = max([abs(a - b) / max(1.0, abs(b)) for a, b in zip(got, right, strict=True)])
        if not off <= close:
            raise SystemExit(f"{name}: wrong by {off:.2g}")
        first, best = timed(lambda: work(z))
        each = best / count / nodes * 1e9
        found.append({
            "by": name, "dtype": dtype, "steps": steps, "scenarios": count, "nodes": nodes,
            "compile, s": compiling + first - best, "run, s": best, "ns a node a scenario": each,
            "off": off,
        })  # fmt: skip
        print(
            f"{name:<28} {dtype}  compile {compiling + first - best:7.2f} s   "
            f"run {1e3 * best:9.2f} ms   {each:.5f} ns a node a scenario   off {off:.1g}",
            flush=True,
        )

    def ours(z: Any) -> Any:
        value, grads = on_jax.map_value_and_grad(list(HESTON), z, wrt="p")
        return value, grads["p"]

    held("gradwalk", ours, lowering)
    p = jnp.asarray(HESTON, dtype)
    scan = jax.jit(jax.value_and_grad(_scan))
    held("JAX, lax.scan", lambda z: scan(p, z))
    if written_out:
        whole = jax.jit(jax.value_and_grad(_written_out))
        held("JAX, jit of the written-out", lambda z: whole(p, z))
    return found


def _scan(p: Any, z: Any) -> Any:
    s0, v0, r, kappa, theta, xi, rho, k = p
    dt, other = 1.0 / z.shape[1], jnp.sqrt(1.0 - rho * rho)

    @jax.checkpoint
    def step(carry: Any, zi: Any) -> Any:
        x, v = carry
        positive = jnp.maximum(v, FLOOR)
        spread = jnp.sqrt(positive * dt)
        x = x + (r - 0.5 * positive) * dt + spread * zi[:, 0]
        v = v + kappa * (theta - positive) * dt + xi * spread * (rho * zi[:, 0] + other * zi[:, 1])
        return (x, v), None

    start = (jnp.zeros(len(z), z.dtype), jnp.full(len(z), v0, z.dtype))
    (x, _), _ = jax.lax.scan(step, start, z.swapaxes(0, 1))
    return jnp.mean(jnp.exp(-r) * jnp.maximum(s0 * jnp.exp(x) - k, 0.0))


def _written_out(p: Any, z: Any) -> Any:
    columns = [(z[:, i, 0], z[:, i, 1]) for i in range(z.shape[1])]
    return jnp.mean(heston(p, columns, jnp.sqrt, jnp.exp, jnp.maximum))


# ── microGPT ─────────────────────────────────────────────────────────────────────────────────

BATCHES = (4_096, 65_536)  # documents of a step
POSITIONS = 7
RATE, BETA1, BETA2, EPSILON = 0.01, 0.85, 0.99, 1e-8


def measure_gpt(batches: Sequence[int], dtype: str) -> list[dict[str, Any]]:
    """Time steps of the scalar model, recorded and run on JAX, and of a model on tensors."""
    rng = np.random.default_rng(1)
    found: list[dict[str, Any]] = []
    for count in batches:
        documents = jnp.asarray(rng.integers(0, 27, (count, POSITIONS + 1)))
        right: list[float] = []
        for name, start in (("JAX, on tensors", _on_tensors), ("gradwalk", _recorded)):
            step = start(documents, dtype)
            began = time.perf_counter()
            losses = [float(step())]
            first = time.perf_counter() - began
            losses += [float(step()) for _ in range(4)]
            right = right or losses
            off = max([abs(a - b) / abs(b) for a, b in zip(losses, right, strict=True)])
            if not off <= (1e-9 if dtype == "float64" else 2e-3):
                raise SystemExit(f"{name}: wrong by {off:.2g}: {losses}, not {right}")
            best = min([_steady_seconds(step) for _ in range(5)])
            each = best / count * 1e6
            found.append({
                "by": name, "dtype": dtype, "documents": count, "compile, s": first,
                "a step, s": best, "µs a document": each, "off": off,
            })  # fmt: skip
            print(
                f"microGPT, {name:<18} {dtype}  {count:>6,} documents  compile {first:6.2f} s   "
                f"step {1e3 * best:8.3f} ms   {each:.4f} µs a document   off {off:.1g}",
                flush=True,
            )
    return found


def _steady_seconds(step: Any, count: int = 40) -> float:
    """Return the seconds of a step when they follow each other without a wait."""
    began = time.perf_counter()
    for _ in range(count - 1):
        step()
    jax.block_until_ready(step())
    return (time.perf_counter() - began) / count


def _recorded(documents: Any, dtype: str) -> Any:
    model = GPT(Config(), random.Random(42))
    compiled = gradwalk.compile(model.loss)
    compiled([0.0] * documents.shape[1])
    optimizer = Adam(model.parameters(), RATE, (BETA1, BETA2), EPSILON)
    train = compiled.to_jax(dtype=dtype).train(optimizer)
    tokens = documents.astype(dtype)
    return lambda: train.step(tokens)


def _on_tensors(documents: Any, dtype: str) -> Any:
    tables = _tables(GPT(Config(), random.Random(42)))
    weights = {
        name: jnp.asarray([[value.data for value in row] for row in tables[name]], dtype)
        for name in WEIGHTS
    }
    differentiated = jax.value_and_grad(partial(_jax_gpt_loss, jax, jnp))

    def move(weights: Any, means: Any, squares: Any, done: Any) -> Any:
        loss, grads = differentiated(weights, documents)
        done = done + 1
        means = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, means, grads)
        squares = jax.tree.map(lambda s, g: BETA2 * s + (1 - BETA2) * g * g, squares, grads)

        def moved(w: Any, m: Any, s: Any) -> Any:
            root = jnp.sqrt(s / (1 - BETA2**done))
            return (w - RATE * (m / (1 - BETA1**done)) / (root + EPSILON)).astype(dtype)

        return (jax.tree.map(moved, weights, means, squares), means, squares, done), loss

    step = jax.jit(move)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    state: list[Any] = [weights, zeros, zeros, jnp.asarray(0.0, dtype)]

    def work() -> Any:
        state[:], loss = step(*state)
        return loss

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="heston, gpt; without, both")
    parser.add_argument("--scenarios", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--documents", type=int, nargs="+", default=BATCHES, help="of a step")
    parser.add_argument("--written-out", action="store_true", help="JAX's jit too: about a minute")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    parts = given.parts or ["heston", "gpt"]
    if strangers := {*parts} - {"heston", "gpt"}:
        parser.error(f"there is no part {strangers.pop()}; there is heston, gpt")
    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    print(f"{device.device_kind} ({device.platform}), JAX {jax.__version__}", flush=True)
    found: list[dict[str, Any]] = []
    for dtype in ("float32", "float64"):
        if "gpt" in parts:
            found += measure_gpt(given.documents, dtype)
        if "heston" in parts:
            found += measure(given.scenarios, given.steps, dtype, given.written_out)
    if given.json:
        Path(given.json).write_text(json.dumps({"device": device.device_kind, "figures": found}))


if __name__ == "__main__":
    main()
