"""Whole programs against oracles of other origin: mpmath, PyTorch, finite differences."""

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


# ── PyTorch, when it is there ────────────────────────────────────────────────────────────────


def by_torch(torch, name: str):
    """The operation as PyTorch has it; at kinks the two may differ, so programs keep off them."""
    functional = torch.nn.functional
    return {
        "neg": torch.neg,
        "relu": torch.relu,
        "leaky_relu": lambda x, slope: torch.where(x > 0, x, slope * x),
        "silu": functional.silu,
        "gelu": functional.gelu,
        "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
        "where": lambda condition, x, y: torch.where(condition != 0, x, y),
        "clip": lambda x, low, high: torch.minimum(torch.maximum(x, low), high),
        "sum": lambda *x: sum(x),
        "dot": lambda a, b, c, d: a * b + c * d,
        "take": lambda index, *table: table[int(abs(index))],
        "choose": lambda a, b, x, y: torch.where(a < b, x, y),
        "cbrt": lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3),
    }.get(name) or getattr(torch, name)


@pytest.mark.parametrize("leaves", LEAVES)
def test_random_programs_agree_with_pytorch(Value, leaves: int) -> None:
    torch = pytest.importorskip("torch")

    @settings(max_examples=100, suppress_health_check=[*HealthCheck])
    @given(programs.programs(leaves))
    def holds(program: Program) -> None:
        note(str(program))
        nodes = program.run(Value)
        nodes[-1].backward()
        theirs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in program.leaves]
        for name, operands in program.steps:
            tensors = [
                theirs[x] if isinstance(x, int) else torch.tensor(x, dtype=torch.float64)
                for x in operands
            ]
            theirs.append(by_torch(torch, name)(*tensors))
        if theirs[-1].requires_grad:  # not when a where chose between constants
            theirs[-1].backward()
        # PyTorch's slopes of saturated functions are differences, 1 - t² for tanh, and right to an
        # ulp of 1 only; so the scale is the largest gradient on the way. mpmath is the strict one.
        scale = 1e-8 * max(1.0, *[abs(node.grad) for node in nodes])
        assert nodes[-1].data == pytest.approx(theirs[-1].item(), rel=1e-9, abs=1e-9)
        for ours, leaf in zip(nodes[:leaves], theirs[:leaves], strict=True):
            expected = 0.0 if leaf.grad is None else leaf.grad.item()
            assert ours.grad == pytest.approx(expected, rel=1e-6, abs=scale)

    holds()


# ── Finite differences: the oracle that a reader can check by hand ───────────────────────────
