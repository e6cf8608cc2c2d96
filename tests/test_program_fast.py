"""compile(fast=True), which is not the arithmetic of plain Python; and the levels of kernels."""

import math
from pathlib import Path

import pytest
from support.alone import process

import gradwalk
from gradwalk import compile  # noqa: A004
from gradwalk.program import backends, load

np = pytest.importorskip("numpy")
native = pytest.mark.skipif(backends.name != "native", reason="the interpreter is always exact")


def kahan(x):
    total = error = 0.0
    for term in x:
        y = term - error
        t = total + y
        error = (t - total) - y
        total = t
    return total


# What docs/program.md says that fast=True may cost: the function, its arguments, what plain Python
# and compile give, and what compile(fast=True) gives in a single call.
COSTS = {
    "kahan": (kahan, ([1.0] + [1e-16] * 1000,), 1.0000000000001, 1.0),
    "difference": (lambda x, y: x - y + 1.0, (1e16, 1e16), 1.0, 0.0),
    "overflow": (lambda a, b, c: a - b + c, (1e308, 1e308, 1e308), 1e308, math.inf),
    "quotient": (lambda x: gradwalk.floor(x / 0.1), (0.3,), 2.0, 3.0),
}


@native
@pytest.mark.parametrize("name", COSTS)
def test_the_documented_costs_of_fast_are_real(name: str) -> None:
    function, arguments, right, fast = COSTS[name]
    assert function(*arguments) == right
    assert compile(function)(*arguments) == right
    assert compile(fast=True)(function)(*arguments) == fast


@native
@pytest.mark.parametrize("fast", [False, True])
def test_products_are_rounded_before_they_are_subtracted(fast: bool) -> None:
    def area(a, b, c, d):
        return gradwalk.sqrt(a * d - b * c)

    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 4000))
    assert not compile(fast=fast)(area).map(a, b, 2 * a, 2 * b).any()


def smooth(x, w):
    total = 0.0
    for a, b in zip(x, w, strict=True):
        total = total + a * b / 3.0 - math.exp(-a) * 0.7 * b
    return total * total


@pytest.mark.parametrize("fast", [False, True])
def test_well_conditioned_functions_have_the_same_result_either_way(fast: bool) -> None:
    x, w = np.random.default_rng(1).uniform(0.5, 2.0, (2, 20)).tolist()
    value, grads = compile(fast=fast)(smooth).value_and_grad(x, w)
    wanted, exact = compile(smooth).value_and_grad(x, w)
    assert value == pytest.approx(wanted, rel=1e-13)
    for name in ("x", "w"):
        assert grads[name] == pytest.approx(exact[name], rel=1e-12)


def test_fast_is_kept_by_methods_files_and_record(tmp_path: Path) -> None:
    class Model:
        @compile(fast=True)
        def loss(self, x):
            return x - 1.0

    assert Model().loss._store.options.fast
    made = compile(fast=True)(kahan).record([1.0, 2.0])
    made.save(tmp_path / "kahan.gwp")
    assert made._store.options.fast
    assert load(tmp_path / "kahan.gwp")._store.options.fast


@native
def test_kernels_that_the_processor_lacks_are_refused_by_name() -> None:
    told = process(
        "-c", "import gradwalk; gradwalk.compile(abs)(1.0)", env={"GRADWALK_KERNELS": "mmx"}
    )
    assert told.returncode == 1
    assert "GRADWALK_KERNELS=mmx: this build has no kernels mmx" in told.stderr
    assert "it has: base" in told.stderr
