"""Optimisers, schedules and clipping."""

import math
import random
import sys
from array import array
from contextlib import suppress

import pytest
from mpmath import mp, mpf
from support.bits import same

from gradwalk import OperandError, Value, compile  # noqa: A004
from gradwalk.nn import MLP
from gradwalk.optim import (
    SGD,
    Adam,
    AdamW,
    Momentum,
    clip_grad_norm,
    clip_grad_value,
    cosine_decay,
    grad_norm,
    linear_decay,
    step_decay,
    warmup,
)
from gradwalk.program import backends, interpreter

KINDS = {
    "SGD": lambda p: SGD(p, lr=0.1),
    "SGD with decay": lambda p: SGD(p, lr=0.1, weight_decay=0.1),
    "Momentum": lambda p: Momentum(p, lr=0.05),
    "Nesterov": lambda p: Momentum(p, lr=0.05, nesterov=True, weight_decay=0.1),
    "Adam": lambda p: Adam(p, lr=0.1),
    "AdamW": lambda p: AdamW(p, lr=0.1, weight_decay=0.1),
}


def trained(make, steps):
    x, y = Value(3.0), Value(-2.0)
    opt = make([x, y])
    for _ in range(steps):
        opt.zero_grad()
        ((x - 1) ** 2 + 10 * (y + 0.5) ** 2 * 0.1).backward()
        opt.step()
    return [x.data, y.data], opt


@pytest.mark.parametrize("kind", KINDS)
def test_pytorch_takes_the_same_steps(kind):
    torch = pytest.importorskip("torch")
    point = torch.tensor([3.0, -2.0], dtype=torch.float64, requires_grad=True)
    twin = {
        "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
        "SGD with decay": lambda p: torch.optim.SGD(p, lr=0.1, weight_decay=0.1),
        "Momentum": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
        "Nesterov": lambda p: torch.optim.SGD(
            p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.1
        ),
        "Adam": lambda p: torch.optim.Adam(p, lr=0.1),
        "AdamW": lambda p: torch.optim.AdamW(p, lr=0.1, weight_decay=0.1),
    }[kind]([point])
    for _ in range(50):
        twin.zero_grad()
        ((point[0] - 1) ** 2 + (point[1] + 0.5) ** 2).backward()
        twin.step()
    ours, _ = trained(KINDS[kind], 50)
    assert ours == pytest.approx(point.tolist(), rel=1e-12)


def test_adam_takes_the_steps_of_the_written_out_loop_bit_for_bit():
    x = Value(0.7)
    opt = Adam([x], lambda step: 0.01 * (1 - step / 10), (0.85, 0.99))
    data, m, v = 0.7, 0.0, 0.0
    for step in range(10):
        opt.zero_grad()
        (x * x * x).backward()
        grad = x.grad
        opt.step()
        m = 0.85 * m + (1 - 0.85) * grad
        v = 0.99 * v + (1 - 0.99) * grad**2
        m_hat, v_hat = m / (1 - 0.85 ** (step + 1)), v / (1 - 0.99 ** (step + 1))
        data -= 0.01 * (1 - step / 10) * m_hat / (v_hat**0.5 + 1e-8)
        assert x.data == data


@pytest.mark.parametrize(
    ("make", "memory"), [("Momentum", "velocity"), ("Adam", "mean"), ("Adam", "square")]
)
def test_memories_that_would_slow_a_step_down_become_zero(make, memory):
    x = Value(1.0)
    opt = KINDS[make]([x])
    opt.memory[memory][0] = smallest = 2.0**-960
    opt.step()
    assert opt.memory[memory][0] == 0.0
    opt.memory[memory][0] = 3 * smallest
    opt.step()
    assert opt.memory[memory][0] > smallest


def exact_adam(point, slopes, steps, lr, decay):
    """Return where AdamW goes, in 60 digits, from the sums that its means stand for.

    After t steps the mean is (1 - b1)·Σ b1^(t - i)·g_i, divided by 1 - b1^t, and the square alike:
    no recursion and no memory, so a mistake in these would show.
    """
    with mp.workdps(60):
        x = [mpf(number) for number in point]
        b1, b2, rate, epsilon = mpf(0.9), mpf(0.999), mpf(lr), mpf(1e-8)
        seen = []
        for t in range(1, steps + 1):
            seen.append(slopes(x))
            for k in range(len(x)):
                mean = sum(b1 ** (t - i) * g[k] for i, g in enumerate(seen, 1)) * (1 - b1)
                square = sum(b2 ** (t - i) * g[k] ** 2 for i, g in enumerate(seen, 1)) * (1 - b2)
                move = mean / (1 - b1**t) / (mp.sqrt(square / (1 - b2**t)) + epsilon)
                x[k] = x[k] - rate * mpf(decay) * x[k] - rate * move
        return [float(number) for number in x]


@pytest.mark.parametrize(("kind", "decay"), [("Adam", 0.0), ("AdamW", 0.1)])
def test_adam_goes_where_the_sums_that_define_it_go(kind, decay):
    def slopes(x):
        return [2 * (x[0] - 1), 2 * (x[1] + mpf("0.5"))]

    ours, _ = trained(KINDS[kind], 25)
    assert ours == pytest.approx(exact_adam([3.0, -2.0], slopes, 25, 0.1, decay), rel=1e-12)


@pytest.mark.parametrize("kind", ["SGD", "SGD with decay", "Momentum", "Nesterov"])
def test_momentum_goes_where_the_sums_that_define_it_go(kind):
    """After t steps the velocity is Σ m^(t - i)·g_i; Nesterov's step looks one further ahead."""
    _, opt = trained(KINDS[kind], 1)
    m, decay = getattr(opt, "momentum", 0.0), opt.weight_decay
    x, seen = [3.0, -2.0], []
    for _ in range(20):
        slopes = (2 * (x[0] - 1), 2 * (x[1] + 0.5))
        seen.append([g + decay * at for g, at in zip(slopes, x, strict=True)])
        sums = [sum(m**i * g[k] for i, g in enumerate(reversed(seen))) for k in (0, 1)]
        if getattr(opt, "nesterov", False):
            sums = [g + m * v for g, v in zip(seen[-1], sums, strict=True)]
        x = [at - opt.rate * move for at, move in zip(x, sums, strict=True)]
    assert trained(KINDS[kind], 20)[0] == pytest.approx(x, rel=1e-12)


def wild_numbers(rng, count):
    """Return numbers of every size, and the ends of the doubles."""
    ends = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1e-160, 1e155, sys.float_info.max)
    return [
        rng.choice(ends)
        if rng.random() < 0.05
        else math.ldexp(rng.uniform(-1, 1), rng.choice((0, 0, rng.randint(-1100, 1024))))
        for _ in range(count)
    ]


def wild_memory(rng, count):
    return array("d", [abs(x) for x in wild_numbers(rng, count)])


def every_loop():
    """Yield the names and the modules of all loops over arrays, on each kernel level."""
    yield "interpreter", interpreter, None
    if backends.replay is not interpreter:
        native = backends.replay
        for level in ("base", "avx2", "avx512"):
            with suppress(ValueError):  # a level that this processor lacks
                native.kernels(level)
                yield level, native, level
        native.kernels(None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_loops_over_arrays_have_the_bits_of_the_loop_over_values(kind):
    rng = random.Random(kind)
    for count in (1, 7, 64, 133):
        data, grads = wild_numbers(rng, count), wild_numbers(rng, count)
        values = [Value(x) for x in data]
        opt = KINDS[kind](values)
        opt.steps = rng.randrange(200)
        for name in opt.memory:
            opt.memory[name] = wild_memory(rng, count)
        before = {name: array("d", memory) for name, memory in opt.memory.items()}
        found = {}
        for place, loops, level in every_loop():
            if level is not None:
                loops.kernels(level)
            p, g, counter = array("d", data), array("d", grads), array("d", [0.0])
            memory = {name: array("d", numbers) for name, numbers in before.items()}
            if isinstance(opt, Adam):
                loops.adam(counter, p, g, memory["mean"], memory["square"], *opt.numbers(opt.rate))
            elif isinstance(opt, Momentum):
                settings = opt.rate, opt.momentum, opt.nesterov, opt.weight_decay
                loops.momentum(counter, p, g, memory["velocity"], *settings)
            else:
                loops.sgd(counter, p, g, opt.rate, opt.weight_decay)
            found[place] = [p, *memory.values()]
            assert counter[0] == 1
        for value, grad in zip(values, grads, strict=True):
            value.grad = grad
        opt.step()
        wanted = [[value.data for value in values], *opt.memory.values()]
        for place, arrays in found.items():
            for ours, right in zip(arrays, wanted, strict=True):
                assert same(ours, right), (place, count)


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_state_goes_on_bit_for_bit(kind):
    whole, _ = trained(KINDS[kind], 20)
    half, opt = trained(KINDS[kind], 10)
    x, y = Value(half[0]), Value(half[1])
    later = KINDS[kind]([x, y])
    later.load_state_dict(opt.state_dict())
    for _ in range(10):
        later.zero_grad()
        ((x - 1) ** 2 + 10 * (y + 0.5) ** 2 * 0.1).backward()
        later.step()
    assert [x.data, y.data] == whole


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"steps": 1, "memory": {}}, "the state remembers"),
        ({"steps": 1, "memory": {"mean": [1.0, 2.0], "square": [1.0]}}, "2 entries for 1"),
        ({"steps": -1, "memory": {"mean": [1.0], "square": [1.0]}}, "steps is a count"),
        ({"steps": True, "memory": {"mean": [1.0], "square": [1.0]}}, "steps is a count"),
        ({"steps": 1, "memory": {"mean": ["1"], "square": [1.0]}}, "numbers: must be real number"),
        ({"steps": 1}, "a state has steps and memory"),
        (None, "a state has steps and memory"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(state, words):
    with pytest.raises(OperandError, match=words):
        Adam([Value(1.0)]).load_state_dict(state)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: SGD([], lr=1), "empty list"),
        (lambda: SGD(MLP(1, [1]), lr=1), r"such as model\.parameters\(\), not MLP"),
        (lambda: SGD([1.0], lr=1), "a parameter is a Value, not float"),
        (lambda: SGD([Value(1.0)], lr=-1), "lr is a finite number of at least 0, not -1"),
        (lambda: SGD([Value(1.0)], lr=math.nan), "not nan"),
        (lambda: SGD([Value(1.0)], lr="0.1"), "lr is a finite number of at least 0, not '0.1'"),
        (
            lambda: Adam([Value(1.0)], betas=0.9),
            "betas is two numbers from 0 up to but not including 1",
        ),
        (
            lambda: Adam([Value(1.0)], betas=(1.0, 0.9)),
            r"not including 1, such as \(0.9, 0.999\), not \(1.0, 0.9\)",
        ),
        (lambda: Momentum([Value(1.0)], lr=1, momentum=2), "momentum"),
        (lambda: Adam([Value(1.0)], epsilon=0), "epsilon is a number above 0, such as 1e-8, not 0"),
        (lambda: Adam([Value(1.0)], epsilon=math.nan), "epsilon is .* not nan"),
        (lambda: Adam([Value(1.0)], lr=math.inf), "lr is a finite number of at least 0, not inf"),
        (
            lambda: AdamW([Value(1.0)], weight_decay=-1),
            "weight_decay is a finite number of at least 0",
        ),
    ],
)
def test_wrong_arguments_are_refused(make, words):
    with pytest.raises(OperandError, match=words):
        make()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *[("lr", math.nan), ("lr", -1.0), ("lr", math.inf), ("lr", None)],
        *[("epsilon", 0.0), ("epsilon", -1.0), ("betas", (0.9, 1.0)), ("betas", 0.9)],
        *[("weight_decay", math.nan), ("weight_decay", -0.1)],
    ],
)
def test_a_wrong_setting_is_refused_when_it_is_set(name, wrong):
    opt = AdamW([Value(1.0)])
    before = getattr(opt, name)
    with pytest.raises(OperandError, match=name):
        setattr(opt, name, wrong)
    assert getattr(opt, name) == before


@pytest.mark.parametrize("rate", [-0.125, math.nan, math.inf, None])
@pytest.mark.parametrize("kind", [SGD, Momentum, Adam, AdamW])
def test_in_a_compiled_training_a_schedule_that_leaves_the_rates_is_stopped(kind, rate):
    w = Value(1.0)
    opt = kind([w], lambda step: 0.5 if step < 1 else rate)
    with compile(lambda x: w * x).train(opt) as train:
        train.step(2.0)
        there = train.values[0]
        with pytest.raises(OperandError, match=f"the schedule gives {rate} for step 1"):
            train.step(2.0)
        assert (train.values[0], opt.steps) == (there, 1)


def test_a_parameter_given_twice_is_refused():
    x = Value(1.0)
    with pytest.raises(OperandError, match="twice"):
        SGD([x, x], lr=1)


def test_schedules_go_where_they_should():
    assert [linear_decay(1.0, 4)(s) for s in (0, 1, 4, 9)] == [1.0, 0.75, 0.0, 0.0]
    cosine = cosine_decay(1.0, 10, lowest=0.2)
    assert cosine(0) == 1.0
    assert cosine(5) == pytest.approx(0.6)
    assert cosine(10) == cosine(99) == pytest.approx(0.2)
    assert [step_decay(1.0, 2, 0.5)(s) for s in range(5)] == [1.0, 1.0, 0.5, 0.5, 0.25]
    assert [warmup(0.8, 4)(s) for s in (0, 1, 3, 9)] == [0.2, 0.4, 0.8, 0.8]
    assert warmup(linear_decay(1.0, 10), 2)(5) == 0.5


@pytest.mark.parametrize("rate", [-0.125, math.nan, None])
def test_a_schedule_that_leaves_the_rates_is_stopped_before_it_moves_anything(rate):
    x = Value(1.0)
    opt = SGD([x], lambda step: 0.5 if step < 1 else rate)
    (x * x).backward()
    opt.step()
    opt.zero_grad()
    (x * x + x).backward()
    with pytest.raises(OperandError, match=f"the schedule gives {rate} for step 1"):
        opt.step()
    assert (x.data, x.grad, opt.steps) == (0.0, 1.0, 1)


def test_an_optimiser_says_what_it_is():
    assert repr(Adam([Value(1.0)])) == "Adam(parameters=1, lr=0.001)"
    assert repr(SGD([Value(1.0)], linear_decay(1.0, 5))) == "SGD(parameters=1, lr=a schedule)"


def test_clipping_by_norm_keeps_the_direction():
    values = [Value(0.0), Value(0.0)]
    values[0].grad, values[1].grad = 3.0, -4.0
    assert clip_grad_norm(values, 10.0) == 5.0
    assert [v.grad for v in values] == [3.0, -4.0]
    assert clip_grad_norm(values, 1.0) == 5.0
    assert [v.grad for v in values] == pytest.approx([0.6, -0.8])
    assert grad_norm(values) == pytest.approx(1.0)


def test_clipping_leaves_what_no_length_could_repair():
    values = [Value(0.0), Value(0.0)]
    values[0].grad, values[1].grad = math.inf, 1.0
    assert clip_grad_norm(values, 1.0) == math.inf
    assert values[1].grad == 1.0


def test_clipping_by_value_bounds_each_gradient():
    values = [Value(0.0) for _ in range(3)]
    for value, grad in zip(values, (3.0, -0.5, -7.0), strict=True):
        value.grad = grad
    clip_grad_value(values, 1.0)
    assert [v.grad for v in values] == [1.0, -0.5, -1.0]


def test_clipping_by_value_does_not_make_a_number_of_nan():
    value = Value(0.0)
    value.grad = math.nan
    clip_grad_value([value], 1.0)
    assert math.isnan(value.grad)
