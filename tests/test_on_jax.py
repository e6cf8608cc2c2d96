"""Compiled functions on JAX: the values and gradients of the replay, to 1e-12.

JAX comes with `python3 x.py setup oracle`; CI has it.
"""

import json
import math
import re
import socket
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from test_program_loops import fuzz_loops

import gradwalk
from gradwalk import OperandError, ProgramError, Value
from gradwalk.gpt import GPT, Config
from gradwalk.optim import SGD, Adam, AdamW

jax = pytest.importorskip("jax")
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

from gradwalk.program.on_jax import kernel as gpu  # noqa: E402
from gradwalk.program.on_jax import lowering as lowered  # noqa: E402


def walk(p: Any, z: Any) -> Any:
    """A path with two carried values and a branch."""
    x, v = 0.0, p[0]
    for z1, z2 in z:
        positive = gradwalk.maximum(v, 1e-8)
        spread = math.sqrt(positive * 0.02)
        x = x + (p[1] - 0.5 * positive) * 0.02 + spread * z1
        v = v + p[2] * (0.04 - positive) * 0.02 + 0.3 * spread * z2
    return max(100.0 * math.exp(x) - 98.0, 0.0)


POINT = [0.05, 0.03, 1.5]


@pytest.fixture(scope="module")
def paths() -> Any:
    return np.random.default_rng(5).standard_normal((300, 12, 2))


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-12, atol=1e-12)


def test_a_function_is_a_function_of_jax(paths) -> None:
    compiled = gradwalk.compile(walk)
    made = compiled.to_jax(POINT, paths[0])
    close(made(POINT, paths[0]), compiled(POINT, paths[0]))
    _, wanted = compiled.value_and_grad(POINT, paths[0])
    close(jax.jit(jax.grad(made))(np.array(POINT), paths[0]), wanted["p"])
    close(jax.vmap(made, (None, 0))(np.array(POINT), paths), compiled.map(POINT, paths))
    assert "1 loop>" in repr(made)


def test_scenarios_are_mapped_with_gradients(paths) -> None:
    compiled = gradwalk.compile(walk)
    value, grads = compiled.map.value_and_grad(POINT, paths, wrt="p", reduce="mean")
    made = compiled.to_jax()
    found, slopes = made.map_value_and_grad(POINT, paths, wrt="p")
    close(found, value)
    close(slopes["p"], grads["p"])
    close(made.map(POINT, paths), compiled.map(POINT, paths))
    close(made.map(POINT, paths, reduce="sum"), compiled.map(POINT, paths, reduce="sum"))
    spread, _ = made.map_value_and_grad(POINT, paths, wrt="p", devices=jax.devices())
    close(spread, value)


def test_map_takes_devices(paths) -> None:
    compiled = gradwalk.compile(walk)
    close(compiled.map(POINT, paths, devices=1), compiled.map(POINT, paths))
    wanted = compiled.map.value_and_grad(POINT, paths, reduce="mean")
    found = compiled.map.value_and_grad(POINT, paths, reduce="mean", devices=jax.devices()[:1])
    assert type(found[0]) is float
    assert isinstance(found[1]["p"], list)
    close(found[0], wanted[0])
    close(found[1]["p"], wanted[1]["p"])
    assert len(compiled._store.used_last().on_jax._made) == 2
    with pytest.raises(OperandError, match='needs reduce="sum"'):
        compiled.map.value_and_grad(POINT, paths, devices=1)
    with pytest.raises(OperandError, match="reduce is None, 'sum' or 'mean'"):
        compiled.map(POINT, paths, reduce="most", devices=1)


def test_the_kernel_of_a_gpu_computes_the_same(paths) -> None:
    """Interpreted here; `bench/gpu.py` runs it on a GPU."""
    compiled = gradwalk.compile(walk)
    value, grads = compiled.map.value_and_grad(POINT, paths, wrt="p", reduce="mean")
    lowering = compiled.to_jax()._lowering
    varies = [False] * 3 + [True] * 24
    kernel = gpu.Kernel(lowering, varies, [0, 1, 2])
    rows = paths.reshape(300, -1)
    out, by_lane = kernel(jax.numpy.asarray(POINT), jax.numpy.asarray(rows), interpret=True)
    close(out.mean(), value)
    close(by_lane.mean(axis=1), grads["p"])
    with pytest.raises(gpu.UnsupportedError):
        gpu.Kernel(lowering, varies, [3])


def test_random_programs_with_loops_agree() -> None:
    """As loops and as arrays; `python3 x.py fuzz loops` tries 2,000."""
    counts: Counter[str] = Counter()
    for seed in range(9):
        fuzz_loops.by_jax(seed, counts)
    assert counts["Lowering"] >= 7
    assert counts["Packed"] >= 5


def small_gpt() -> GPT:
    return GPT(Config(n_embd=8, n_head=2, block_size=4, vocabulary=5), Random(1))


def test_a_model_in_scalars_becomes_products_of_matrices() -> None:
    model = small_gpt()
    compiled = gradwalk.compile(model.loss)
    tokens = np.random.default_rng(1).integers(0, 5, (6, 5)).astype(float)
    wanted = compiled.map(tokens)
    made = compiled.to_jax()
    count = int(repr(made).split(", ")[-1].split()[0])
    assert count < 60 < len(compiled.program) / 60
    close(jax.jit(jax.vmap(made))(tokens), wanted)  # each document by itself
    assert len(re.findall("dot_general", str(jax.make_jaxpr(made)(tokens[0])))) >= 6


def test_an_operation_without_a_form_of_its_own_runs_by_its_row(monkeypatch) -> None:
    names = ("silu", "leaky_relu", "hypot", "softplus", "atan2")
    known = lowered.operations()
    for name in names:
        del known[name]
    monkeypatch.setattr(lowered, "operations", lambda: known)

    def f(x: Any, y: Any) -> Any:
        first = gradwalk.silu(x) + gradwalk.leaky_relu(x * y, 0.25) * gradwalk.hypot(x, y)
        return first + gradwalk.softplus(y) * gradwalk.atan2(x, y)

    compiled = gradwalk.compile(f).record(0.5, -0.7)
    made = compiled.to_jax()
    points = np.array([[0.5, -0.7], [-1.5, -0.25], [2.0, 3.0]])
    close(jax.jit(jax.vmap(made))(*points.T), compiled.map(*points.T))
    for x, y in points:
        value, grads = compiled.value_and_grad(x, y)
        found = jax.value_and_grad(made, (0, 1))(x, y)
        close([found[0], *found[1]], [value, grads["x"], grads["y"]])


def test_packed_programs_differentiate_twice_and_forward() -> None:
    """`run` has no rule of its own in the way; `run_for_gradient` may."""

    def ragged(x: Any) -> Any:
        rows = [[math.exp(x[i] * x[j] * 0.1) for j in range(i + 1)] for i in range(6)]
        return sum([math.log(sum(row)) for row in rows])

    compiled = gradwalk.compile(ragged)
    x = np.linspace(-1.0, 1.0, 6)
    made = compiled.to_jax(x)
    assert "array operations" in repr(made)
    _, grads = compiled.value_and_grad(x)
    close(jax.jit(jax.jacfwd(made))(x), grads["x"])
    forward, backward = jax.jacfwd(jax.grad(made)), jax.jacrev(jax.grad(made))
    both = jax.jit(lambda x: (forward(x), backward(x)))(x)
    close(*both)


def test_training_on_jax_has_the_losses_of_the_replay() -> None:
    tokens = np.random.default_rng(3).integers(0, 5, (10, 6, 4)).astype(float)

    def start() -> tuple[Any, Adam]:
        model = small_gpt()
        return gradwalk.compile(model.loss), Adam(model.parameters(), 0.01)

    compiled, optimizer = start()
    with compiled.train(optimizer) as train:
        wanted = [train.batch(batch) for batch in tokens]
    compiled, mine = start()
    on_jax = compiled.to_jax(tokens[0][0]).train(mine, devices=1)
    close([float(on_jax.step(batch)) for batch in tokens], wanted)
    on_jax.sync()
    close([v.data for v in mine.parameters], [v.data for v in optimizer.parameters])
    for name, numbers in optimizer.memory.items():
        close(mine.memory[name], numbers)
    assert mine.steps == 10
    with pytest.raises(ProgramError, match="Adam or AdamW, not SGD"):
        compiled.to_jax().train(SGD(mine.parameters, 0.1))
    with pytest.raises(ProgramError, match="none of the optimiser's parameters"):
        compiled.to_jax().train(Adam([Value(1.0)], 0.1))


@pytest.mark.parametrize("devices", [None, 1])
@pytest.mark.parametrize("kind", [Adam, AdamW])
def test_a_rate_that_stays_changes_and_is_held_again(devices, kind, monkeypatch) -> None:
    """The optimiser's numbers are sent some steps ahead, and again where they change."""
    monkeypatch.setattr("gradwalk.program.on_jax.training._AHEAD", 4)
    other = Value(0.5)

    def loss(x: Any) -> Any:
        return (w[0] * x + w[1] * other - 1.0) ** 2

    rates = [0.1] * 6 + [0.09, 0.08, 0.07] + [0.05] * 7
    found: list[list[float]] = []
    for on_jax in (False, True):
        w, other.data = [Value(0.3), Value(-0.2)], 0.5
        optimizer = kind(w, rates[0])
        compiled = gradwalk.compile(loss)
        x = np.linspace(-1.0, 1.0, 8)
        compiled(0.0)
        train = compiled.to_jax(0.0).train(optimizer, devices=devices) if on_jax else None
        losses: list[float] = []
        for k, rate in enumerate(rates):
            optimizer.lr = rate
            other.data = 0.5 if k < 12 else 0.75  # a captured Value that is not trained
            if train is not None:
                losses.append(float(train.step(x)))
            else:
                with compiled.train(optimizer) as step:
                    losses.append(step.batch(x))
        found.append(losses)
    assert found[1] == pytest.approx(found[0], rel=1e-12)


@pytest.mark.parametrize(
    ("devices", "words"),
    [
        (0, "devices=0: JAX has "),
        (99, "xla_force_host_platform_device_count=99"),
        ([], "a count, a list"),
        (["cpu"], "'cpu' among them"),
        ("gpu", "'gpu' among them"),
        (True, "True among them"),
    ],
)
def test_devices_that_are_not_there(paths, devices, words) -> None:
    with pytest.raises(OperandError, match=words):
        gradwalk.compile(walk).map(POINT, paths, devices=devices)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: gradwalk.gelu(x) + math.erf(x) * math.erfc(x) + gradwalk.softplus(x),
        lambda x: gradwalk.sigmoid(x) - gradwalk.silu(x) + gradwalk.leaky_relu(-x),
        lambda x: math.atan2(x, 2.0) + math.hypot(x, 1.0) + math.cbrt(x + 3.0),
        lambda x: (x % 0.7) + (x // 0.3) * 0.1 + gradwalk.clip(x, -1.0, 1.0) * x,
        lambda x: math.asinh(x) + math.acosh(2.0 + x * x) + math.atanh(x / 5.0) + abs(x) ** 1.5,
        lambda x: math.log2(2.0 + x * x) + math.log10(2.0 + x * x) + math.expm1(x) + 2.0**x,
        lambda x: [1.5, 2.5, 4.0][int(abs(x))] * x,
    ],
    ids=["erf", "sigmoid", "atan2", "mod", "asinh", "log2", "take"],
)
def test_operations_have_the_values_and_slopes_of_the_replay(function) -> None:
    compiled = gradwalk.compile(function)
    for x in (-1.3, 0.2, 1.7):
        value, grads = compiled.value_and_grad(x)
        found, slope = jax.value_and_grad(compiled.to_jax(x))(x)
        close([found, slope], [value, grads["x"]])


WORKER = """
import json, math, sys
import jax
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_cpu_collectives_implementation", "gloo")
address, rank = sys.argv[1], int(sys.argv[2])
jax.distributed.initialize(address, 2, rank)
import numpy as np, gradwalk

def f(a, z):
    total = a
    for zi in z:
        total = total * 0.9 + math.sin(zi * a)
    return total

z = np.random.default_rng(1).standard_normal((64, 20))[32 * rank : 32 * rank + 32]
made = gradwalk.compile(f).to_jax(0.5, z[0])
value, grads = made.map_value_and_grad(0.5, z, wrt="a", devices=jax.devices())
print(json.dumps([float(value), float(grads["a"]), jax.process_count()]))
"""


def test_two_processes_share_the_scenarios() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    started = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", WORKER, address, str(rank)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for rank in range(2)
    ]  # fmt: skip
    said = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], said
    answers = [json.loads(out.splitlines()[-1]) for out, _ in said]
    scope: dict[str, Any] = {"math": math}
    exec("def f(a, z):" + WORKER.split("def f(a, z):")[1].split("\nz = ", maxsplit=1)[0], scope)
    z = np.random.default_rng(1).standard_normal((64, 20))
    compiled = gradwalk.compile(scope["f"])
    value, grads = compiled.map.value_and_grad(0.5, z, wrt="a", reduce="mean")
    for answer in answers:
        close(answer, [value, grads["a"], 2])
