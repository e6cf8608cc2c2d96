"""Scenarios on JAX in one process and in two, each on a core of its own.

    python3 bench/processes.py [--scenarios N] [--turns N]

Each process has half of the scenarios, and `jax.distributed` adds up. Prints how many times as fast
two are. The machine should do nothing else meanwhile. It needs JAX and this checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]

STEPS = 50
# One core each: XLA's own threads would use both for one process.
FLAGS = "--xla_cpu_multi_thread_eigen=false"


def work(address: str, count: int, rank: int, scenarios: int, turns: int) -> dict[str, Any]:
    """Be one of `count` processes; return its answer and the seconds of the fastest turn."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[rank % len(cores)]})
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    if count > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(address, count, rank)
    import numpy as np
    from gpu import HESTON, path

    import gradwalk

    part = scenarios // count
    rng = np.random.default_rng(1)
    z = rng.standard_normal((scenarios, STEPS, 2))[part * rank : part * (rank + 1)]
    on_jax = gradwalk.compile(path).to_jax(list(HESTON), z[0])

    def run() -> list[float]:
        value, grads = on_jax.map_value_and_grad(list(HESTON), z, devices=jax.devices(), wrt="p")
        return [float(value), *map(float, grads["p"])]

    answer = run()
    seconds: list[float] = []
    for _ in range(turns):
        began = time.perf_counter()
        run()  # both wait for the sum over both
        seconds.append(time.perf_counter() - began)
    return {"answer": answer, "seconds": min(seconds)}


def started(count: int, scenarios: int, turns: int) -> list[dict[str, Any]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [sys.executable, __file__, "--scenarios", str(scenarios), "--turns", str(turns)]
    flags = {**os.environ, "XLA_FLAGS": FLAGS}
    processes = [
        subprocess.Popen(
            [*words, "--rank", f"{rank} {count} {address}"],
            stdout=subprocess.PIPE, text=True, env=flags,
        )
        for rank in range(count)
    ]  # fmt: skip
    said = [process.communicate()[0] for process in processes]
    if any(process.returncode for process in processes):
        raise SystemExit("a process failed; its words are above")
    return [json.loads(text.splitlines()[-1]) for text in said]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", type=int, default=65_536)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rank", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rank:
        rank, count, address = given.rank.split()
        print(json.dumps(work(address, int(count), int(rank), given.scenarios, given.turns)))
        return
    [one], two = [started(count, given.scenarios, given.turns) for count in (1, 2)]
    for other in two:
        off = max([abs(a - b) for a, b in zip(other["answer"], one["answer"], strict=True)])
        if not off < 1e-9:
            raise SystemExit(f"two processes are wrong by {off:.2g}")
    both = max([other["seconds"] for other in two])
    print(f"one process {one['seconds']:.3f} s, two {both:.3f} s: {one['seconds'] / both:.2f}×")


if __name__ == "__main__":
    main()
