"""The loops of the optimisers in C, against those in optim.py: the same bits, the same errors."""

import math
import random
from array import array

import pytest
from support.bits import bits

import gradwalk
from gradwalk import Value
from gradwalk.engine import steps
from gradwalk.optim import SGD, Adam, AdamW, Momentum, clip_grad_norm

native = pytest.importorskip("gradwalk.engine._native")
if gradwalk.backend() != "native":
    pytest.skip("optim.py runs on the chosen engine", allow_module_level=True)

KINDS = {
    "SGD": lambda p: SGD(p, lr=0.1),
    "SGD with decay": lambda p: SGD(p, lr=lambda step: 0.1 / (step + 1), weight_decay=0.1),
    "Momentum": lambda p: Momentum(p, lr=0.05),
    "Nesterov": lambda p: Momentum(p, lr=1, momentum=0.8, nesterov=True, weight_decay=0.01),
    "Adam": lambda p: Adam(p, lr=0.01, betas=(0.85, 0.99)),
    "Adam without memory": lambda p: Adam(p, lr=0.01, betas=(0, 0)),
    "Adam almost without epsilon": lambda p: Adam(p, lr=0.01, epsilon=5e-324),
    "AdamW": lambda p: AdamW(p, lr=0.1, weight_decay=0.1),
}
ODD = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e300, 5e-324, 1e-160, -1e-310)


class Sub(Value):
    pass


@pytest.fixture
def in_python(monkeypatch):
    """Return a function that leaves everything to the loops in Python."""

    def switch() -> None:
        for name in steps.__all__:
            monkeypatch.setattr(steps, name, lambda *_: 0)

    return switch


def story(make, seed: int, parameters=None) -> list[object]:
    """Train on gradients made up, and return everything one can see of it."""
    rng = random.Random(seed)
    values = [Value(rng.gauss(0, 1)) for _ in range(rng.choice([1, 5, 64, 65, 200]))]
    values = parameters(values) if parameters else values
    opt = make(values)
    told: list[object] = []
    tame = rng.choice([1.0, 0.9])
    for _ in range(rng.randint(1, 6)):
        for value in values:
            value.grad = rng.gauss(0, 1) if rng.random() < tame else rng.choice(ODD)
        if rng.random() < 0.3:
            told.append(bits(clip_grad_norm(values, 0.5)))
        try:
            opt.step()
            if rng.random() < 0.5:
                opt.zero_grad()
        except ArithmeticError as error:
            told.append((type(error), str(error)))
        told += [(bits(v.data), bits(v.grad)) for v in values]
        told += [[*map(bits, memory)] for memory in opt.memory.values()]
    return told


@pytest.mark.parametrize("kind", KINDS)
def test_every_step_has_the_bits_of_the_python_loop(kind: str, in_python) -> None:
    ours = [story(KINDS[kind], seed) for seed in range(60)]
    in_python()
    assert ours == [story(KINDS[kind], seed) for seed in range(60)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_subclass_among_the_parameters_is_left_to_python(kind: str, in_python) -> None:
    def mixed(values):
        values[len(values) // 2] = Sub(0.5)
        return [*values, Value(1.0, (Value(2.0),), "loose")]

    ours = [story(KINDS[kind], seed, mixed) for seed in range(20)]
    in_python()
    assert ours == [story(KINDS[kind], seed, mixed) for seed in range(20)]


def test_the_loops_in_c_do_all_of_an_ordinary_list() -> None:
    values = [Value(1.0) for _ in range(100)]
    memory = array("d", bytes(800))
    twin = array("d", bytes(800))
    counter = array("d", [0.0])
    assert steps.sgd(values, counter, 0.1, 0.0)
    assert steps.momentum(values, counter, memory, 0.1, 0.9, 0.0, True)
    assert steps.adam(values, counter, memory, twin, 0.1, 0.9, 0.99, 1e-8, 0.1, 0.01, 1.0)
    assert counter[0] == 3
    assert steps.scale_grads(values, 0.5) == 100
    assert steps.clear_grads(values) == 100


@pytest.mark.parametrize(
    "call",
    [
        'steps.sgd(v, c, "x", 0.0)',
        "steps.sgd(v, m, 0.1, 0.0)",
        "steps.sgd([*v[:3], None], c, 0.1, 0.0)",
        "steps.momentum(v, c, [0.0] * 9, 0.1, 0.9, 0.0, False)",
        'steps.momentum(v, c, array("f", [0.0] * 9), 0.1, 0.9, 0.0, False)',
        "steps.momentum(v, c, m[:4], 0.1, 0.9, 0.0, False)",
        "steps.adam(v, c, m, m[:2], 0.1, 0.9, 0.9, 1.0, 0.1, 0.1, 1.0)",
        "steps.adam(v, c, m, m[:], 0.1, 0.9, 0.9, 1.0, 0.1, 0.1, 10**30)",
        "steps.adam(v, c, m, [0.0] * 9, 0.1, 0.9, 0.9, 1.0, 0.1, 0.1, 1.0)",
        "steps.clear_grads([])",
    ],
)
def test_what_is_odd_is_left_to_python_untouched(call: str) -> None:
    names = {"v": [Value(1.0) for _ in range(9)], "m": array("d", [1.0] * 9)}
    names |= {"c": array("d", [0.0])}
    for value in names["v"]:
        value.grad = 1.0
    assert not eval(call, globals(), names)
    assert [value.data for value in names["v"]] == list(names["m"]) == [1.0] * 9
    assert names["c"][0] == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: steps.sgd((Value(1.0),), array("d", [0.0]), 0.1, 0.0),
        lambda: steps.sgd([Value(1.0)], 0.1),
        steps.clear_grads,
    ],
    ids=["tuple", "few", "none"],
)
def test_what_is_no_list_raises(call) -> None:
    with pytest.raises(TypeError, match="takes a list and"):
        call()


def test_a_read_only_memory_raises_and_changes_nothing() -> None:
    values, memory = [Value(1.0)], memoryview(array("d", [1.0])).toreadonly()
    with pytest.raises(BufferError):
        steps.momentum(values, array("d", [0.0]), memory, 0.1, 0.9, 0.0, False)
    assert values[0].data == 1.0


def test_a_memory_that_is_lent_can_grow_again_after_the_step() -> None:
    memory = array("d", bytes(8))
    steps.momentum([Value(1.0)], array("d", [0.0]), memory, 0.1, 0.9, 0.0, False)
    memory.append(1.0)
    assert len(memory) == 2
