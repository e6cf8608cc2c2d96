"""Whole programs against mpmath, which shares no code with them."""

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, note, settings
from mpmath import mp, mpf
from support import engines, programs
from support.programs import Program

import gradwalk

pytest_generate_tests = engines.on_every_engine

# More on the specification. The C engine equals it bit for bit, which tests/native proves on
# programs of its own. GRADWALK_PROGRAMS=10000 is a run over night.
PROGRAMS = int(
    os.environ.get("GRADWALK_PROGRAMS") or (2_000 if gradwalk.backend() == "python" else 1_000)
)
LEAVES = (1, 2, 3, 5)  # one test each, so that the programs spread over the workers


@pytest.mark.parametrize("leaves", LEAVES)
def test_random_programs_agree_with_mpmath_to_1e_12(Value, leaves: int) -> None:
    """The root's value, and its gradient by every leaf and by a node in the middle.

    1e-12 is relative. A program may cancel, x - y with x and y nearly equal, and then no double
    arithmetic keeps 1e-12. So whatever misses it must be within 16 times the sum of what one
    rounding on each edge does to the exact result (`Program.rounding`): 16 ulp is what
    tests/test_ops.py grants a slope. That is a first-order bound, and where two roundings multiply
    it is blind, so 1e-24 beside the largest gradient counts as 0.
    """
    seen = Counter()

    @settings(max_examples=PROGRAMS // len(LEAVES), suppress_health_check=[*HealthCheck])
    @given(programs.programs(leaves))
    def holds(program: Program) -> None:
        note(str(program))
        nodes = program.run(Value)
        nodes[-1].backward()
        targets = [*range(leaves), (leaves + len(program)) // 2]
        ours = [nodes[-1].data, *[nodes[target].grad for target in targets]]
        with mp.workdps(programs.DIGITS):
            exact = program.exact()
            true = program.slopes(exact, targets)
            errors = [abs(mpf(o) - t) for o, t in zip(ours, true, strict=True)]
            blind = 1e-24 * max(1.0, *[abs(node.grad) for node in nodes])
            allowed = [max(1e-12 * abs(t), blind) for t in true]
            cancels = any(e > a for e, a in zip(errors, allowed, strict=True))
            seen[cancels] += 1
            if cancels:
                rounding = program.rounding(exact, targets)
                allowed = [max(a, 16 * r) for a, r in zip(allowed, rounding, strict=True)]
        names = ["value", *[f"gradient by n{target}" for target in targets]]
        for name, o, t, e, a in zip(names, ours, true, errors, allowed, strict=True):
            assert e <= a, f"{name} is {o}, not {float(t)!r}"

    holds()
    print(f"{leaves} leaves: {seen[False]} programs to 1e-12, {seen[True]} to their conditioning")
