"""The figures of a GPU: a compiled function over a million scenarios, beside JAX's own jit.

    python3 bench/gpu.py [--scenarios N] [--steps N] [--written-out] [--json]

It needs JAX and this checkout, nothing else: where gradwalk is not installed it is taken from
src/. Answers are held against numpy's, by hand, before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from replay_peers import FLOOR, heston, heston_by_hand  # noqa: E402

import gradwalk  # noqa: E402

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
    last = z.transpose(1, 2, 0)  # scenarios last, as a program may make them that knows of GPUs
    turned = jax.jit(lambda rows: ours(rows.transpose(2, 0, 1)))
    best = timed(lambda: turned(last))[1]
    found.append({"by": "gradwalk, scenarios last", "dtype": dtype, "run, s": best})
    print(f"{'  with scenarios last':<28} {dtype}  {best / count / nodes * 1e9:.5f} ns")
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--written-out", action="store_true", help="JAX's jit too: about a minute")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    print(f"{device.device_kind} ({device.platform}), JAX {jax.__version__}", flush=True)
    found: list[dict[str, Any]] = []
    for dtype in ("float64", "float32"):
        found += measure(given.scenarios, given.steps, dtype, given.written_out)
    if given.json:
        Path(given.json).write_text(json.dumps({"device": device.device_kind, "figures": found}))


if __name__ == "__main__":
    main()
