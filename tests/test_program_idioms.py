"""What people write, compiled: match, bisect, None for "nothing yet", filters, recursion, keys."""

import bisect
import enum
import math
import random
from dataclasses import dataclass

import pytest

import gradwalk
from gradwalk import Value, compile  # noqa: A004

np = pytest.importorskip("numpy")

GRID = [0.0, 0.5, 1.0, 1.0, 2.5]


def in_a_grid(x, y):
    left, right = bisect.bisect_left(GRID, x), bisect.bisect(GRID, x)
    inner = bisect.bisect_right(GRID, y, 1, 4) + bisect.bisect_left([x, x + 1], y)
    return left + 10 * right + 100 * inner + GRID[min(left, 4)] * y


def in_a_falling_grid(x):
    return bisect.bisect_left([3.0, 1.0, -1.0], -x, key=lambda v: -v) + x


def by_a_whole_number(x, y):
    match int(x):
        case 0:
            return y
        case 1 | -1:
            return 2 * y
        case n if n > 1:
            return n * y
        case _:
            return -y


def by_a_pair_of_conditions(x, y):
    match (x > 0, abs(y) > 1):
        case (True, True):
            z = x
        case (True, far) | [False, far] if far:
            z = y
        case [first, *rest]:
            z = 3 * x if first else 4 * y + len(rest)
    return z


@dataclass
class Point:
    x: float
    y: float


def by_all_patterns(x, y):
    total = 0.0
    for thing in (Point(x, y), {"a": x, "b": y}, [x, y, 2.0], "text", x, None, (x, (y, 1.0))):
        match thing:
            case Point(0.0, _) | Point(y=0.0):
                total += 1
            case Point(a, y=b) if a > b:
                total += a
            case {"a": a, **rest} if a < 1:
                total += 2 * a + len(rest)
            case {"b": b}:
                total += 3 * b
            case [a, (b, c)]:
                total += a * b * c
            case [a, *_, last] if a > last - 2:
                total += a - last
            case float(number):
                total += 5 * number
            case "text" as text:
                total += len(text)
            case None:
                total -= 1
    return total


def nothing_yet(x, y):
    best = None
    for v in (x, y, x * y, 1 - x):
        if v > 0 and (best is None or v < best):
            best = v
    return 0.0 if best is None else best


def pair_or_nothing(x, y):
    best = None
    for k, v in enumerate((x, y, x * y)):
        if v > 1 and (not best or v < best[0]):
            best = (v, k)
    if best is None:
        return -1.0
    v, k = best
    return v * x + k


def nothing_returned(x, y):
    def root(v):
        if v > 0:
            return gradwalk.sqrt(v)

    one, two = root(x), root(y)
    if one is None or two is None:
        return x - y if one is two else x
    return one * two


class Mode(enum.Enum):
    HEAT = 1
    COOL = 2


def thermostat(x, y):
    mode, used, phase = "off", 0.0, Mode.HEAT
    for _ in range(6):
        if x < 0.3:
            mode = "heat"
        elif x > 1.1:
            mode, phase = "cool", Mode.COOL
        elif mode != "off" and abs(x - 0.7) < 0.2:
            mode = "off"
        x += {"heat": 0.25, "cool": -0.25, "off": 0.0}[mode] + 0.1 * y
        used += 1.0 if mode in ("heat", "cool") else 0.0
    return x + used + (10.0 if phase is Mode.COOL else 0.0)


def chosen_function(x, y):
    shape = gradwalk.sin if x > 0 else (lambda v: v * v) if y > 0 else gradwalk.cos
    return shape(x * y)


def assigned_on_one_side(x, y):
    if x > 0:
        z = x * y
    if x > 0 and y > 0:
        return z
    return x


def filters(x, y):
    values = [x, y, x * y, 2.0]
    positive = [v for v in values if v > 0]
    mean = sum(positive) / len(positive) if positive else 0.0
    far = max((v for v in values if abs(v) > 1), key=abs, default=0.0)
    near = min([v for v in values if v > -3])
    both = sum(1 for v in values if v > 0 if v < 1.5) + any(v > 2 for v in values if v != x)
    every = math.prod(v for v in values if v > 1) + sum(filter(lambda v: v < 0, values))
    return mean + 10 * far + 100 * near + both + every + all(v > 1 for v in values if v > 0)


def counted_filter(x, y):
    return sum([k * y for k in range(int(abs(3 * x))) if k != 2]) + x


def the_first_entries(x, y):
    table, total = [1.0, 2.0, 4.0], y
    for k in range(int(abs(x)) % 4):
        if total > 5:
            break
        total += table[k] * y
    return total


def newton(x, c):
    if abs(x * x - c) < 1e-12 * c:
        return x
    return newton(0.5 * (x + c / x), c)


def root_by_recursion(x, y):
    return newton(1.0, x * x + 0.5) * y


def divisor(a, b):
    return a if b == 0 else divisor(b, a % b)


def greatest_divisor(x):
    return divisor(float(int(abs(x) * 100)), 36.0)


def simpson(f, a, b, fa, fm, fb, small):
    m = (a + b) / 2
    left, right = f((a + m) / 2), f((m + b) / 2)
    one, two = (m - a) / 6 * (fa + 4 * left + fm), (b - m) / 6 * (fm + 4 * right + fb)
    off = one + two - (b - a) / 6 * (fa + 4 * fm + fb)
    if abs(off) < 15 * small:
        return one + two + off / 15
    halves = simpson(f, a, m, fa, left, fm, small / 2), simpson(f, m, b, fm, right, fb, small / 2)
    return halves[0] + halves[1]


def integral(x):
    def f(t):
        return gradwalk.exp(-x * t * t)

    return simpson(f, 0.0, 1.0, f(0.0), f(0.5), f(1.0), 1e-4)


def pair_by_recursion(x, y):
    def halve(v, n):
        if v < 1:
            return v, n
        v, n = halve(v / 2, n + 1)
        return v, n * 2

    v, n = halve(abs(4 * x), 1)
    return v + n * y


def by_keys(x, y):
    points = [(x, 1.0), (y, 2.0), (0.5, 3.0)]
    low = min(points, key=lambda p: abs(p[0] - 0.7))
    high = max((x, 1.0), (y, x), (0.5, 7.0))
    ordered = sorted(points, key=lambda p: -p[0])
    values = [x, y, 0.5]
    values.sort(reverse=True)
    last = max(range(3), key=lambda k: -((x - k) ** 2))
    return low[1] + 10 * high[1] + ordered[0][1] * values[1] + last * y


def by_places(x, y):
    table = {0: x, 1: y, 2: x * y, 3: 1.0}
    return table[int(min(abs(x + y), 3.0))] + [x > 0, y > 0, True].index(True)


def walrus_in_a_while(x):
    n = 0
    while (n := n + 1) < 5 and x * n < 3:
        x += 0.25
    return n + x


def of_tuples(x, y):
    n = 1.0 if (x, y) < (y, x) else 0.0
    n += 2.0 if (x, 1.0, y) >= (1.0, x) else 0.0
    n += 4.0 if [x, y] == [y, x] else 0.0
    n += 8.0 if (x, (y, 2.0)) != (y, (x, 2.0)) else 0.0
    return n + x if (x > 1, y) <= (y > 1, x) else n - y


def loops_over_filters(x, y):
    total, last = 0.0, -1.0
    for v in [v for v in (x, y, x * y, 0.5) if v > 0]:
        if v > 2:
            break
        total += v
        last = v
    else:
        total += 100
    for v in filter(lambda v: v < 1, (x, y)):
        total += v * 3
    large = [v for v in (x, y, 1 - x) if v > 0.2]
    for v in large:
        if v < 0.5:
            continue
        total = total * 0.5 + v
    for v in large:
        total += v
    low = 0.0
    for v in (v for v in (x, y, x + y, 2.0) if v > low):  # which asks when it is its turn
        low = v
    return total + 10 * last + 7 * low


def slices(x, y):
    values, n = [1.0, x, y, 4.0], int(abs(x))
    total = sum(values[:n]) + 10 * len(values[n:]) + 100 * sum(values[-n : int(y)])
    for v in values[: int(y)]:
        total += v * v
    return total + max(values[: n + 1]) + sum(values[1:])


def first_that_counts(x, y):
    first = next((v for v in (x, y, x * y) if v > 1), -1.0)
    sure = next(v for v in (x, y, 2.0) if v > 0)
    place = next((k for k in range(10) if k * k > x), 0)
    if y > 0:
        place += next((v for v in (y, x) if v < 0.5), 3.0)
    return first + 10 * sure + 100 * place


def up(n):
    return 1.0 if n < 1 else down(n - 1) * 2


def down(n):
    return -1.0 if n < 1 else up(n - 1) + 0.5 * n


def calls_in_turn(x, y):
    return up(abs(x) * 4) * y


FUNCTIONS = (
    in_a_grid, in_a_falling_grid, by_a_whole_number, by_a_pair_of_conditions, by_all_patterns,
    nothing_yet, pair_or_nothing, nothing_returned, thermostat, chosen_function,
    assigned_on_one_side, filters, counted_filter, root_by_recursion, greatest_divisor, integral,
    pair_by_recursion, by_keys, by_places, walrus_in_a_while, of_tuples, loops_over_filters, slices,
    first_that_counts, calls_in_turn, the_first_entries,
)  # fmt: skip
NOT_OF_VALUES = (
    *(by_a_whole_number, by_all_patterns, counted_filter, the_first_entries, greatest_divisor),
    *(by_places, slices),
)


def points(function, count=60):
    rng = random.Random(function.__name__)
    return [
        [rng.choice([rng.uniform(-2, 3), rng.randint(-2, 3) / 1.0]) for _ in range(arguments)]
        for arguments in [function.__code__.co_argcount] * count
    ]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_call_and_a_map_give_plain_pythons_value(function, backend) -> None:
    program, mapped = compile(function), compile(function)
    given = points(function)
    wanted = [function(*point) for point in given]
    assert [program(*point) for point in given] == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    found = mapped.map(*np.array(given).T)
    assert found.tolist() == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "function", [f for f in FUNCTIONS if f not in NOT_OF_VALUES], ids=lambda f: f.__name__
)
@pytest.mark.filterwarnings("ignore:the gradient of")
def test_the_gradient_is_the_eager_engines(function) -> None:
    program = compile(function)
    rows = np.array([[x + 0.013 for x in point] for point in points(function, 12)])
    _, gradients = program.map.value_and_grad(*rows.T)
    for i, point in enumerate(rows.tolist()):
        operands = [Value(x) for x in point]
        out = function(*operands)
        if isinstance(out, Value):
            out.backward()
        wanted = [x.grad for x in operands]
        found = program.value_and_grad(*point)[1]
        assert list(found.values()) == pytest.approx(wanted, rel=1e-9, abs=1e-11)
        assert [gradients[name][i] for name in found] == pytest.approx(wanted, rel=1e-9, abs=1e-11)


def test_a_use_of_nothing_raises_in_the_replays_that_get_there(backend) -> None:
    @compile
    def doubled(x):
        found = None
        if x > 0:
            found = x
        return found * 2

    @compile
    def unset(x):
        if x > 0:
            found = x
        return found * 2

    for program, error in ((doubled, TypeError), (unset, UnboundLocalError)):
        assert program(3.0) == 6.0
        assert program.map(np.array([1.0, 2.0])).tolist() == [2.0, 4.0]
        with pytest.raises(error):
            program.function(-1.0)
        with pytest.raises(error):
            program(-1.0)
        with pytest.raises(error) as caught:
            program.map(np.array([1.0, 2.0, -1.0]))
        assert "scenario 2" in caught.value.__notes__


def test_nothing_greatest_and_nothing_found_raise_as_pythons_do(backend) -> None:
    greatest = compile(lambda x: max(v for v in [x, 1.0] if v > 1))
    place = compile(lambda x: [1.0, x, 3.0].index(2.0) * 1.0)
    entry = compile(lambda x: {0: 1.0, 2: 5.0}[int(x)])
    assert (greatest(4.0), place(2.0), entry(2.5)) == (4.0, 1.0, 5.0)
    for program, error in ((greatest, ValueError), (place, ValueError), (entry, KeyError)):
        for call in (program, program.function, lambda x, f=program: f.map(np.array([x]))):
            with pytest.raises(error):
                call(1.0)


def test_a_recursion_goes_as_deep_as_pythons() -> None:
    def down(x):
        return x if x <= 0 else down(x - 1)

    def endless(x):
        return x if x != x else endless(x + 1)

    def both(x):
        return x if x <= 0 else both(x - 1) + both(x - 2)

    assert compile(down)(60.5) == down(60.5)
    assert compile(both)(8.0) == both(8.0)
    with pytest.raises(RecursionError):
        compile(endless)(80.0)


def test_a_recursion_that_plain_numbers_end_goes_as_deep_as_it_does() -> None:
    def down(n, x):
        return x if n == 0 else down(n - 1, x * 0.5 if x > 1 else x + 1)

    @compile
    def deep(x):
        return down(40, x) if x > 0 else 0.0

    assert deep(5.0) == deep.function(5.0)
    assert deep.explain().count("recorded in") == 1


def name_in_a_condition(x):
    y = 5.0
    if x > 0 and (y := x * 2) > 100:
        return 1.0
    return y


def name_in_an_expression(x):
    y = 5.0
    z = (y := x) if x > 0 else 2.0
    return y + z


def test_an_entry_beyond_a_list_raises_only_in_a_replay_that_reads_it() -> None:
    def first(n):
        total = 0.0
        for k in range(int(n)):
            total += (1.0, 2.0, 4.0)[k]
        return total

    program = compile(first)
    assert [program(n) for n in (0.0, 2.0, 3.0)] == [0.0, 3.0, 7.0]
    with pytest.raises(IndexError, match="tuple index out of range"):
        program(4.0)
    with pytest.raises(IndexError, match="tuple index out of range"):
        program.map(np.array([1.0, 9.0]))


@pytest.mark.parametrize("function", [name_in_a_condition, name_in_an_expression])
def test_a_name_in_an_expression_is_assigned_where_it_is_reached(function) -> None:
    for x in (-1.0, 3.0, 60.0):
        assert compile(function)(x) == function(x)


def test_a_recorded_value_can_be_printed_and_named_in_an_error(capsys) -> None:
    @compile
    def told(x):
        print("x is", x, f"and {x}")
        if x > 9:
            raise ValueError(f"{x} is too large")
        return x * 2

    assert told(1.0) == 2.0
    assert capsys.readouterr().out == "x is 1.0 and 1.0\n"
    with pytest.raises(ValueError, match="too large"):
        told(10.0)


def test_a_comprehension_may_go_over_what_a_branch_gives(backend) -> None:
    def f(x, y):
        pairs = [a * b for a in ([x, 1.0] if x > y else [y, 2.0]) for b in (x, y)]
        near = {k: v + 1 for k, v in enumerate([x or y, y])}
        inner = max([v for v in [sum(w for w in (x, y, 0.5) if w < 2), y] if v > 0], default=0.0)
        few = {k * 2 for k in range(3 if 0 < len(pairs) < 9 else 4)}
        return sum(pairs) + near[0] + inner + (1.0 if 0 < x < 1 else len(few))

    program = compile(f)
    for point in points(f):
        assert program(*point) == pytest.approx(f(*point), rel=1e-12, abs=1e-12)
