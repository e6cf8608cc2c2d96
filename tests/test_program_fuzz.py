"""`tools/fuzz.py` in small: compiled functions against plain Python, and the fuzzer against both.

`python3 x.py fuzz` tries 100,000 functions. GRADWALK_PROGRAMS says how many are tried here.
"""

import importlib
import math
import os
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from mpmath import mp, mpf
from support.batches import batches

import gradwalk
from gradwalk.program import backends, interpreter

pytest.importorskip("numpy")

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
harness: Any = importlib.import_module("fuzz")
fuzz: Any = importlib.import_module("fuzz_arithmetic")

COUNT = int(os.environ.get("GRADWALK_PROGRAMS", "1000"))


@pytest.mark.parametrize("seeds", batches(COUNT, 100, usual=300))
def test_compiled_functions_compute_what_python_computes(seeds: range) -> None:
    found = harness.fuzz(fuzz, seeds, stop_after=1)
    options = harness.options_of(fuzz)
    assert not found.failures, harness.told(fuzz, found.failures, options)
    assert found.counts["results"] > 50 * len(seeds)
    assert found.counts["gradients"] > 20 * len(seeds)


@pytest.mark.skipif(backends.replay is interpreter, reason="the interpreter is always exact")
def test_the_fuzzer_finds_what_fast_costs_and_makes_it_small() -> None:
    options = harness.options_of(fuzz, ["--fast", "--target", "single", "--target", "map"])
    found = harness.fuzz(fuzz, range(60), 60, options)
    wrong = [failure for failure in found.failures if failure.mismatch.sort == "value"]
    assert len(wrong) > 5
    assert {failure.mismatch.where.split()[0] for failure in wrong} <= {"single", "map"}
    small = harness.shrink(fuzz, wrong[0], options, tries=100)
    assert small.place == wrong[0].place
    assert small.size < wrong[0].size
    assert len(small.case.points) <= len(wrong[0].case.points)
    assert len(small.case.function.source("f")) < len(wrong[0].case.function.source("f"))
    names: dict[str, Any] = {"print": lambda *_: None}
    exec(fuzz.script(small.case, small.mismatch, options), names)  # it stands alone


def make_case(seed: int) -> Any:
    return fuzz.make(harness.Draws(seed), None)


def test_a_seed_makes_the_same_function_at_the_same_points_every_time() -> None:
    one, other = make_case(17), make_case(17)
    assert one == other
    assert one != make_case(18)


def test_the_oracle_computes_what_python_computes() -> None:
    compared = 0
    for seed in range(400):
        case = make_case(seed)
        oracle = fuzz.Oracle(case.function)
        if oracle.rough:
            continue
        names: dict[str, Any] = {"math": math, "gradwalk": gradwalk}
        exec(case.function.source("f"), names)
        for point in case.points:
            try:
                wanted = names["f"](*point)
            except (ZeroDivisionError, ValueError, OverflowError):
                continue  # where Python raises, IEEE goes on
            found = oracle.run(point, [])
            assert fuzz.bits(found) == fuzz.bits(wanted), (seed, point)
            compared += 1
    assert compared > 500


@pytest.mark.parametrize("name", fuzz.FUNCTIONS)
def test_the_slopes_of_the_oracle_are_those_of_differences(name: str) -> None:
    rng = Random(name)
    value, *slopes = fuzz.EXACT[name]
    least = 1.1 if name == "acosh" else 0.05
    with mp.workdps(60):
        for _ in range(5):
            x = [mpf(rng.uniform(least, least + 0.9)) for _ in slopes]
            for place, slope in enumerate(slopes):
                step = mpf(10) ** -25
                there, back = list(x), list(x)
                there[place] += step
                back[place] -= step
                difference = (value(*there) - value(*back)) / (2 * step)
                assert abs(difference - slope(*x)) < mpf(10) ** -24 * max(1, abs(difference))


@pytest.mark.parametrize(
    ("op", "operands", "found"),
    [
        ("exp", [1.0], 2.718281828459047),
        ("exp", [1000.0], 1.0),
        ("log", [-1.0], 0.0),
        ("sin", [0.0], -0.0),
        ("sum", [1e16, 1.0, -1e16], 41.0),
        ("sum", [1.0, 2.0], math.nan),
        ("dot", [1.0, 2.0, 3.0, 4.0], 10.999999999999988),
    ],
)
def test_a_function_that_is_off_is_noticed(op: str, operands: list[float], found: float) -> None:
    with pytest.raises(harness.MismatchError):
        fuzz.check_rough(op, operands, found)


def test_the_chain_rule_of_the_oracle_agrees_with_jax() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    names = jax_names(jax)
    compared = 0
    for seed in range(25):
        case = make_case(seed)
        oracle = fuzz.Oracle(case.function)
        scope = dict(names)
        exec(case.function.source("f", whole=False), scope)
        exec(case.function.source("g"), scope)
        rng = Random(seed)
        point = [rng.uniform(-2, 2) for _ in case.function.numbers]
        if case.function.items:
            point.append([rng.uniform(-2, 2) for _ in range(case.function.items)])
        outputs = [float(x) for x in fuzz.listed(scope["g"](*point))]
        oracle.run(point, outputs, check=False)
        judged = oracle.slopes()
        if judged is None:
            continue
        arguments = tuple(range(len(point)))
        grads = jax.grad(scope["f"], argnums=arguments)(*point)
        flat = [float(x) for x in jax.tree_util.tree_leaves(grads)]
        if not all(map(math.isfinite, flat)):
            continue  # JAX multiplies the side that a where did not take by 0, which may be 0 · inf
        for place, (found, right, most) in enumerate(zip(flat, *judged, strict=True)):
            spread = fuzz.spread(oracle, point, outputs, place)
            assert abs(found - right) <= 4 * most + spread, (seed, point)
            compared += 1
    assert compared > 20


def jax_names(jax: Any) -> dict[str, Any]:
    """Return what a function's source calls `gradwalk`, `math` and `abs`, in JAX."""
    jnp = jax.numpy
    functions = {
        **{name: getattr(jnp, name) for name in ("exp", "expm1", "log", "log1p", "sin", "cos")},
        **{name: getattr(jnp, name) for name in ("tan", "sinh", "cosh", "tanh", "log2", "log10")},
        **{name: getattr(jnp, f"arc{name[1:]}") for name in ("asin", "acos", "atan", "asinh")},
        **{name: getattr(jnp, f"arc{name[1:]}") for name in ("acosh", "atanh", "atan2")},
        **{name: getattr(jnp, name) for name in ("cbrt", "hypot", "sqrt", "floor", "sign")},
        **{name: getattr(jnp, name) for name in ("maximum", "minimum", "clip", "where")},
        **{name: getattr(jax.nn, name) for name in ("sigmoid", "softplus", "silu", "relu")},
        "gelu": lambda x: jax.nn.gelu(x, approximate=False),
        "leaky_relu": lambda x, slope: jnp.where(x > 0, x, slope * x),
        "erf": jax.scipy.special.erf,
        "erfc": jax.scipy.special.erfc,
        "fabs": jnp.abs,
        "sum": lambda x: jnp.sum(jnp.stack([jnp.asarray(v) for v in x])),
        "dot": lambda x, y: sum([a * b for a, b in zip(x, y, strict=True)]),
    }
    return {"gradwalk": SimpleNamespace(**functions), "math": SimpleNamespace(**functions)}
