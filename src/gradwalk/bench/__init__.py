"""`gradwalk bench NAME`: what gradwalk costs on this machine. Answers are checked, then timed.

    BENCHMARKS   the table: where each one is, and what it measures
    eager        the engine under unmodified scripts
    compiled     recorded programs: training, scenarios, compile time
    problems     the problems that differentiation tools are compared on
    gradbench    these problems as a tool of the GradBench suite
    report       rows of figures, as text and as data
    program      one scalar program for every kind of number
    microgpt     the script that is measured; it knows nothing of gradwalk

A benchmark is a function that takes (quick, long, steps, tell) and returns a Report. The figures
that the project wants to reach, and other systems beside them, are in the repository's bench/.
"""

from __future__ import annotations

__all__ = ["BENCHMARKS"]

# Name: the module, and what it measures.
BENCHMARKS = {
    "eager": ("gradwalk.bench.eager", "the engine under unmodified scripts"),
    "compiled": ("gradwalk.bench.compiled", "recorded programs: training, scenarios, compile time"),
}
