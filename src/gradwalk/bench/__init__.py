"""What gradwalk costs, measured: `gradwalk bench NAME`. Answers are checked before they are timed.

    BENCHMARKS   the table: where each one is, and what it measures
    report       rows of figures held against their bounds, as text and as data
    eager        the engine under unmodified scripts
    peers        the same scalar program in micrograd, XAD and PyTorch
    replay       recorded programs: training, Monte-Carlo paths, compile time and its growth
    replay_peers who stands beside them, each in a process of its own
    problems     the problems that differentiation tools are compared on
    gradbench    these problems as a tool of the GradBench suite
    microgpt     the script that is measured; it knows nothing of gradwalk

A benchmark is a function that takes (quick, long, steps, tell) and returns a Report. Bounds are
those that the project set itself; no test depends on one.
"""

from __future__ import annotations

__all__ = ["BENCHMARKS"]

# Name: the module, and what it measures.
BENCHMARKS = {
    "eager": ("gradwalk.bench.eager", "the engine under unmodified scripts, beside others"),
    "replay": ("gradwalk.bench.replay", "recorded programs, beside compilers and by hand"),
}
