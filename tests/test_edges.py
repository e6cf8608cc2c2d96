"""The ends of the doubles: division, slopes and selection where a factor leaves the range.

mpmath is the oracle, with exponents drawn over the whole range.
"""

import math
import random

import mpmath
import pytest
from support import engines
from support.bits import same

import gradwalk
from gradwalk import ops

pytest_generate_tests = engines.on_every_engine

LEAST = 5e-324
POINTS = 3000


def anywhere(draw: random.Random) -> float:
    """Return a double of any size, subnormal ones included."""
    return math.ldexp(draw.uniform(-1.0, 1.0), draw.randint(-1074, 1024))


def close(got: float, want: mpmath.mpf, ulps: float = 64.0) -> bool:
    """Return whether `got` is `want` to so many units in the last place; to four of subnormals."""
    if mpmath.isnan(want) or math.isnan(got):
        return bool(mpmath.isnan(want)) and math.isnan(got)
    rounded = float(want)
    if math.isinf(rounded) or math.isinf(got):
        return got == rounded or abs(want) > mpmath.mpf(2) ** 1024 * (1 - ulps * 2.0**-53)
    return abs(mpmath.mpf(got) - want) <= ulps * abs(want) * mpmath.mpf(2) ** -53 + 4 * LEAST


# ── Division ─────────────────────────────────────────────────────────────────────────────────


def test_equal_subnormal_numbers_divide_to_one(Value) -> None:
    tiny = 1e-310
    for quotient in (Value(tiny) / Value(tiny), Value(tiny) / tiny, tiny / Value(tiny)):
        assert quotient.data == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_quotients_and_their_slopes_are_right_over_the_whole_range(Value, seed: int) -> None:
    draw = random.Random(seed)
    mpmath.mp.prec = 200
    for _ in range(POINTS):
        x, y = anywhere(draw), anywhere(draw)
        if not y:
            continue
        a, b = Value(x), Value(y)
        quotient = a / b
        quotient.backward()
        exact = mpmath.mpf(x) / mpmath.mpf(y)
        assert close(quotient.data, exact, 2), (x, y)
        assert close(a.grad, 1 / mpmath.mpf(y), 2), (x, y)
        assert close(b.grad, -exact / mpmath.mpf(y), 8), (x, y)
        assert (Value(x) / y).data == (x / Value(y)).data == ops.div(x, y) == quotient.data


def test_inside_the_plain_range_a_quotient_keeps_the_bits_of_micrograd(Value) -> None:
    draw = random.Random(7)
    for _ in range(1000):
        x, y = (
            anywhere(draw),
            math.ldexp(draw.choice([-1, 1]) * draw.uniform(1, 2), draw.randint(-511, 510)),
        )
        a, b, c, d = Value(x), Value(y), Value(x), Value(y)
        one, other = a / b, c * d**-1.0
        one.backward()
        other.backward()
        assert same([one.data, a.grad, b.grad], [other.data, c.grad, d.grad]), (x, y)
        assert one._children[1]._op == "**"


@pytest.mark.parametrize("size", [2.0**511, 2.0**-511, 0.0, math.inf, math.nan])
def test_the_ends_of_the_plain_range_belong_to_it(Value, size: float) -> None:
    for y in (size, -size):
        assert (Value(2.0) / Value(y))._children[1]._op == "**"


@pytest.mark.parametrize("y", [math.nextafter(2.0**511, math.inf), math.nextafter(2.0**-511, 0.0)])
def test_just_outside_there_is_one_division(Value, y: float) -> None:
    a, b = Value(3.0), Value(y)
    quotient = a / b
    assert (quotient._op, quotient._children) == ("/", (a, b))
    assert (Value(3.0) / y)._local_grads == (1.0 / y, 0.0)
    assert (3.0 / Value(y))._local_grads == (0.0, -1.0 * (3.0 / y / y))


# ── Slopes whose factors leave the range ─────────────────────────────────────────────────────


def power_slopes(x, y):
    return y * mpmath.power(x, y - 1), mpmath.power(x, y) * mpmath.log(x)


@pytest.mark.parametrize("seed", range(2))
def test_the_slopes_of_powers_are_right_where_a_factor_is_not_a_double(Value, seed: int) -> None:
    draw = random.Random(seed)
    mpmath.mp.prec = 400
    for index in range(POINTS):
        # x**(y - 1), or x**y, comes to lie around an end of the doubles.
        y = draw.choice([-1, 1]) * 10.0 ** draw.uniform(-6.0, 6.0)
        size = draw.choice([-1, 1]) * draw.uniform(1000.0, 1090.0) / (y - 1.0 if index % 2 else y)
        if not -1070.0 < size < 1020.0:
            continue
        x = 2.0**size
        a, b = Value(x), Value(y)
        (a**b).backward()
        by_base, by_exponent = power_slopes(mpmath.mpf(x), mpmath.mpf(y))
        # Rounding y - 1 moves the power by its logarithm: that is accuracy, not range.
        assert close(a.grad, by_base, 8192), (x, y)
        assert close(b.grad, by_exponent, 8192), (x, y)


def test_powers_of_negative_numbers_keep_their_sign_there(Value) -> None:
    for x, y, slope in ((-1e-103, 4.0, -4e-309), (-1e103, 4.0, -4e309), (-1e-155, 3.0, 3e-310)):
        a = Value(x)
        (a**y).backward()
        assert a.grad == pytest.approx(slope, rel=1e-9)


SLOPES = {
    "atan": lambda x: 1 / (1 + x * x),
    "sqrt": lambda x: 1 / (2 * mpmath.sqrt(x)),
    "log": lambda x: 1 / x,
    "log1p": lambda x: 1 / (1 + x),
}


@pytest.mark.parametrize("name", SLOPES)
def test_the_slopes_of_functions_are_right_over_the_whole_range(Value, name: str) -> None:
    draw = random.Random(name)
    mpmath.mp.prec = 2400
    for _ in range(POINTS // 3):
        x = abs(anywhere(draw)) or LEAST
        a = Value(x)
        getattr(a, name)().backward()
        assert close(a.grad, SLOPES[name](mpmath.mpf(x)), 4), x


PAIRS = {
    "hypot": lambda x, y, d: (x / d, y / d),
    "atan2": lambda y, x, d: (x / d / d, -y / d / d),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_slopes_of_hypot_and_atan2_are_right_over_the_whole_range(Value, name: str) -> None:
    draw = random.Random(name)
    mpmath.mp.prec = 2400
    for index in range(POINTS // 3):
        x, y = anywhere(draw), anywhere(draw)
        if index % 2:
            y = x * draw.uniform(0.5, 2.0)
        if not x or not y:
            continue
        a, b = Value(x), Value(y)
        getattr(a, name)(b).backward()
        exact = [mpmath.mpf(x), mpmath.mpf(y)]
        slopes = PAIRS[name](*exact, mpmath.sqrt(exact[0] ** 2 + exact[1] ** 2))
        assert close(a.grad, slopes[0], 16), (x, y)
        assert close(b.grad, slopes[1], 16), (x, y)


# ── Selection ────────────────────────────────────────────────────────────────────────────────

SELECTIONS = {
    "relu": (lambda a, b: a.relu(), (-1.0, 0.0), (0.0, 0.0)),
    "leaky_relu": (lambda a, b: a.leaky_relu(b), (1.0, 0.5), (math.inf, 0.0)),
    "maximum": (lambda a, b: a.maximum(b), (2.0, -1.0), (math.inf, 0.0)),
    "minimum": (lambda a, b: a.minimum(b), (2.0, -1.0), (0.0, math.inf)),
    "where": (lambda a, b: gradwalk.where(1.0, a, b), (2.0, -1.0), (math.inf, 0.0)),
    "clip": (lambda a, b: a.clip(b, 5.0), (1.0, 2.0), (0.0, math.inf)),
    "floor": (lambda a, b: a.floor(), (2.5, 0.0), (0.0, 0.0)),
    "sign": (lambda a, b: a.sign(), (2.5, 0.0), (0.0, 0.0)),
}


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("incoming", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("watching", [False, True], ids=["plain", "hooked"])
def test_the_side_not_taken_receives_nothing(Value, name, incoming, watching) -> None:
    select, numbers, taken = SELECTIONS[name]
    a, b = map(Value, numbers)
    root = select(a, b) * Value(incoming)
    if watching:  # a graph with a hook is walked with care
        inner, root = root, Value(root.data, (root,), "hook")
        root._backward = lambda: setattr(inner, "grad", inner.grad + root.grad)
    root.backward()
    want = [0.0 if share == 0.0 else incoming for share in taken]
    assert same([a.grad, b.grad], want)


@pytest.mark.parametrize("name", SELECTIONS)
def test_the_side_not_taken_receives_nothing_in_a_replay(name) -> None:
    np = pytest.importorskip("numpy")
    select, numbers, taken = SELECTIONS[name]
    compiled = gradwalk.compile(lambda a, b, incoming: select(1.0 * a, b) * incoming + 0.0 * b)
    _, grads = compiled.value_and_grad(*numbers, math.inf)
    want = [0.0 if share == 0.0 else math.inf for share in taken]
    assert same([grads["a"], grads["b"]], want)
    rows = [np.full(3, number) for number in (*numbers, math.inf)]
    _, grads = compiled.map.value_and_grad(*rows)
    assert same([grads["a"][1], grads["b"][1]], want)


def test_a_selected_number_has_no_gradient_either(Value) -> None:
    a = Value(2.0)
    chosen = a.maximum(1.0)
    (chosen * Value(math.inf)).backward()
    assert [child.grad for child in chosen._children] == [math.inf, 0.0]


def test_a_product_with_zero_still_shows_an_infinite_gradient(Value) -> None:
    a, b = Value(2.0), Value(0.0)
    (a * b * Value(math.inf)).backward()
    assert math.isnan(a.grad)


def test_pushing_one_node_by_hand_selects_too(Value) -> None:
    a = Value(-1.0)
    node = a.relu()
    node.grad = math.inf
    node._backward()
    assert a.grad == 0.0
