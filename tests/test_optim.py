"""Optimisers, schedules and clipping."""

import math
import random

import pytest

from gradwalk import OperandError, Value
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
        ((x - 1) ** 2 + 10 * (y + 0.5) ** 2 * 0.1).backward()
        opt.step()
    return [x.data, y.data], opt


@pytest.mark.parametrize("kind", KINDS)
def test_it_finds_the_bottom_of_a_bowl(kind):
    (x, y), _ = trained(KINDS[kind], 300)
    # Decay pulls towards 0: near the bottom, not at it.
    assert x == pytest.approx(1, abs=0.12)
    assert y == pytest.approx(-0.5, abs=0.12)


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
def test_memories_below_the_normal_doubles_become_zero(make, memory):
    x = Value(1.0)
    opt = KINDS[make]([x])
    opt.memory[memory][0] = smallest = 2.2250738585072014e-308
    opt.step()
    assert opt.memory[memory][0] == 0.0
    opt.memory[memory][0] = 3 * smallest
    opt.step()
    assert opt.memory[memory][0] > smallest


def test_adam_is_within_an_ulp_of_the_written_out_power():
    rng = random.Random(3)
    values = [Value(0.0) for _ in range(2000)]
    opt = Adam(values, lr=1.0, betas=(0.5, 0.5), epsilon=0.0)
    grads = [rng.gauss(0, 1) * 10 ** rng.uniform(-8, 8) for _ in values]
    for value, grad in zip(values, grads, strict=True):
        value.grad = grad
    opt.step()
    for value, grad in zip(values, grads, strict=True):
        mean, square = 0.5 * grad / 0.5, 0.5 * grad**2 / 0.5
        written = -(mean / square**0.5)
        assert abs(value.data - written) <= math.ulp(written)


def test_a_step_leaves_gradients_at_zero_unless_told():
    x = Value(1.0)
    opt = SGD([x], lr=0.1)
    (x * 2).backward()
    opt.step(zero_grad=False)
    assert x.grad == 2.0
    opt.step()
    assert x.grad == 0.0
    assert x.data == pytest.approx(0.6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_state_goes_on_bit_for_bit(kind):
    whole, _ = trained(KINDS[kind], 20)
    half, opt = trained(KINDS[kind], 10)
    x, y = Value(half[0]), Value(half[1])
    later = KINDS[kind]([x, y])
    later.load_state_dict(opt.state_dict())
    for _ in range(10):
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
        (lambda: SGD([Value(1.0)], lr=-1), "lr is a number from 0 on, not -1"),
        (lambda: SGD([Value(1.0)], lr=math.nan), "not nan"),
        (lambda: SGD([Value(1.0)], lr="0.1"), "lr is a number from 0 on, not '0.1'"),
        (lambda: Adam([Value(1.0)], betas=0.9), r"betas is two numbers, such as \(0.9, 0.999\)"),
        (lambda: Adam([Value(1.0)], betas=(1.0, 0.9)), "beta 1 is a number from 0 to below 1"),
        (lambda: Momentum([Value(1.0)], lr=1, momentum=2), "momentum"),
    ],
)
def test_wrong_arguments_are_refused(make, words):
    with pytest.raises(OperandError, match=words):
        make()


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


def test_the_rate_follows_the_schedule():
    opt = SGD([Value(1.0)], linear_decay(1.0, 2))
    rates = []
    for _ in range(3):
        rates.append(opt.rate)
        opt.step()
    assert rates == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("rate", [-0.125, math.nan, None])
def test_a_schedule_that_leaves_the_rates_is_stopped_before_it_moves_anything(rate):
    x = Value(1.0)
    opt = SGD([x], lambda step: 0.5 if step < 1 else rate)
    (x * x).backward()
    opt.step()
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
