"""Python's own control flow in compiled functions: the path that plain Python would take."""

import math
import random
import warnings

import pytest

from gradwalk import LoopError, Value, compile  # noqa: A004

np = pytest.importorskip("numpy")


def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


def relu(x):
    return x if x > 0 else 0.0


def tax(x):
    income = 20000 * abs(x)
    if income <= 10000:
        owed = 0.0
    elif income <= 40000:
        owed = 0.2 * (income - 10000)
    else:
        owed = 6000.0
        owed += 0.4 * (income - 40000)
    return owed


def root_by_newton(c):
    c = abs(c) + 0.01
    x = c if c > 1 else 1.0
    n = 0
    while abs(x * x - c) > 1e-12 * c and n < 60:
        x = 0.5 * (x + c * (1.0 - (x - 1.0)))
        x = 0.5 * (x + c) if x * x > 4 * c or x < 0.1 else x - (x * x - c) * 0.2
        n += 1
    return x


def root_by_bisection(c):
    c = abs(c)
    low, high = 0.0, max(1.0, c)
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        if middle * middle < c:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def barrier(s, sigma, level):
    s = abs(s)
    for z in (0.1, -0.5, 0.3, -1.2, 0.4, 0.9):
        s = s * (1.0 + 0.2 * sigma * z)
        if s < 0.3 * level:
            return 0.0
    return max(s - 1.0, 0.0)


def break_and_continue(x, y):
    total = 0.0
    for i in range(10):  # noqa: B007  (used behind the loop)
        if x < 0:
            continue
        total += x * y
        x -= y
        if total > 5:
            break
    else:
        total += 100
    return total + i


def chained(x):
    if (0 < x < 1 and not x == 0.5) or x > 2:  # noqa: SIM201  (not is what is tried)
        return x * x
    return -x


def lists_and_names(x, y):
    out, extra = [0.0, 0.0], {"a": 1.0}
    if x > y:
        out[0] = x
        out[1] += y * 2
        extra["a"] = x * y
    else:
        out[1] = x - y
        part = [x]
        part.append(y)
        extra["a"] -= part[0] * part[1]
    x, y = (y, x) if out[0] > 1 else (x, y)
    return out[0] * 3 + out[1] + extra["a"] * x - y


def median(a, b, c, d, e):
    return sorted([a, b, c, d, e])[2]


def table(x):
    grid = [1.0, 4.0, 9.0, 16.0]
    i = int(x)
    return grid[i] * x if 0 <= i < len(grid) else -x


class Controller:
    def __init__(self):
        self.sum = 0.0

    def output(self, error):
        u = 2 * error + self.sum
        if u > 1:
            u = 1.0
        elif u < -1:
            u = -1.0
        else:
            self.sum += 0.1 * error
        return u


def saturating(target, x):
    controller = Controller()
    for _ in range(20):
        x += 0.1 * controller.output(target - x)
    return x


def early_return_in_a_while(x, y):
    n = 0
    while True:
        x = x * 0.5 + y * 0.25
        n += 1
        if abs(x) < 0.7:
            return x * n
        if n >= 5:
            break
    return x - y


def counted(n, x):
    total = 0.0
    for k in range(int(4 + n)):
        total = total * x + k
    return total


def counted_with_a_break(n, x):
    for k in range(int(2 + n)):
        x = x * 0.5 + k
        if x > 2:
            break
    else:
        x = 10 * x + n
    return x


def power_by_recursion(x, y):
    def inner(z, left):
        if left == 0:
            return z
        z = z * y if z > 0 else z - y
        return inner(z, left - 1)

    return inner(x, 5)


def any_and_all(x, y):
    if any(v > 2 for v in [x, y]) or all(v < 0 for v in [x, y]):
        return x * y
    return x - y if x in (1.0, 2.0) or not y else y - x


PROGRAMS = (
    clamp, relu, tax, root_by_newton, root_by_bisection, barrier, break_and_continue, chained,
    lists_and_names, median, table, saturating, early_return_in_a_while, counted,
    counted_with_a_break, power_by_recursion, any_and_all,
)  # fmt: skip


def points(function, count=80):
    rng = random.Random(function.__name__)
    arguments = function.__code__.co_argcount
    return [[rng.uniform(-2, 3) for _ in range(arguments)] for _ in range(count)]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_value_is_plain_pythons(function, backend) -> None:
    program = compile(function)
    for point in points(function):
        assert program(*point) == function(*point)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_gradient_is_that_of_the_path_taken(function, backend) -> None:
    program = compile(function)
    rows = np.array(points(function, 30))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, gradients = program.map.value_and_grad(*rows.T)
        for i, point in enumerate(rows.tolist()):
            operands = [Value(x) for x in point]
            out = function(*operands)
            if isinstance(out, Value):
                out.backward()
            value, found = program.value_and_grad(*point)
            wanted = [x.grad for x in operands]
            assert value == function(*point) == values[i]
            assert list(found.values()) == pytest.approx(wanted, rel=1e-10, abs=1e-12)
            mapped = [gradients[name][i] for name in found]
            assert mapped == pytest.approx(wanted, rel=1e-10, abs=1e-12)


def checked_root(x):
    if x < 0:
        raise ValueError("x is negative")
    if x >= 100:
        raise OverflowError(f"{x} is too large")
    return math.sqrt(x)


def test_a_raise_in_a_branch_is_raised_by_the_replays_that_get_there(backend) -> None:
    program = compile(checked_root)
    assert program(4.0) == 2.0
    with pytest.raises(ValueError, match="x is negative"):
        program(-1.0)
    with pytest.raises(OverflowError, match="is too large"):
        program(101.0)
    assert program.value_and_grad(4.0) == (2.0, {"x": 0.25})
    with pytest.raises(ValueError, match="x is negative") as caught:
        program.map(np.array([1.0, 4.0, -1.0]))
    assert "scenario 2" in caught.value.__notes__
    assert program.map(np.array([1.0, 4.0])).tolist() == [1.0, 2.0]


def halve(x):
    n = 0
    while x > 1.0:
        x = x / 2
        n += 1
    return n + x


def test_a_loop_gets_as_many_rounds_as_its_scenarios_need(backend) -> None:
    program = compile(halve)
    for x in (0.5, 3.0, 1e3, 1e30, 2.0, 1e200):
        assert program(x) == halve(x)
    xs = [10.0 ** (k % 60) for k in range(200)]
    assert program.map(np.array(xs)).tolist() == [halve(x) for x in xs]


def test_a_loop_without_end_meets_its_limit() -> None:
    program = compile(steps=32)(halve)
    assert program(2.0**32) == 33
    with pytest.raises(LoopError, match=r"while x > 1\.0[^$]*32 rounds; give compile\(steps=…\)"):
        program(2.0**33)
    with pytest.raises(LoopError, match="scenario 1: the loop does not end"):
        program.map(np.array([1.0, math.inf]))


def test_the_side_not_taken_may_be_anything(backend) -> None:
    def f(x, i):
        values = [1.0, 2.0, 3.0]
        safe = 1 / x if x != 0 else 7.0
        return safe + (values[int(i)] if i < 3 else math.log(x - 100))

    program = compile(f)
    assert program(0.0, 1.0) == 9.0
    assert program(2.0, 2.0) == 3.5
    value, gradients = program.value_and_grad(0.0, 1.0)
    assert (value, gradients["x"]) == (9.0, 0.0)
    assert math.isnan(program(2.0, 8.0))  # IEEE, as everywhere


# ── Lists and objects ────────────────────────────────────────────────────────────────────────


def made_and_written_on_sides(x, y):
    if x > 0:
        s = [x, 1.0]
        s[0] = 5.0
        s.append(y)
    else:
        s = [y, 2.0, 1.0]
        s[1] += y
    s[0] += 1
    return s[0] + 10 * s[1] + 100 * s[2]


def state_of_a_loop(x, y):
    s, n = [x, y], 0
    while s[0] > 0 and n < 5:
        s = [s[0] - 1, s[1] * 2]
        s[1] += 1
        n += 1
    s[0] = s[0] * 2
    return s[0] + s[1]


def filled(x, count):
    s = [x]
    for k in range(count):
        s.append(x * k)  # noqa: PERF401  (append is what is tried)
    s[0] = 7.0 + x
    return s


def made_in_an_expression(x, y):
    s = filled(x, 2) if x > y else filled(y, 2)
    return s[0] + 10 * s[1] + 100 * s[2]


def rows_that_change_places(x, y):
    m = [[1.0, 2.0], [3.0, y]]
    if x > 0:
        m[0], m[1] = m[1], m[0]
    m[0][0] += 5
    return m[0][0] * m[1][1] + m[1][0]


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def object_with_slots(x, y):
    s = Slotted(1.0, 2.0)
    if x > 0:
        s.a = x
    else:
        s.b = y
    return s.a + s.b * 10


class Row:
    def __init__(self, count):
        self.entries = [0.0] * count

    def __setitem__(self, i, value):
        self.entries[i] = value if value > 0 else -value

    @property
    def first(self):
        return self.entries[0]

    @first.setter
    def first(self, value):
        self[0] = value


def own_assignments(x, y):
    row = Row(2)
    if x > y:
        row[1] = x
        row.entries[0] = y
    else:
        row.first = x
    return row.first + 10 * row.entries[1]


def array_in_place(x, y):
    v = np.array([x, y])
    if x > 0:
        v += 1.0
    else:
        v.fill(y)
    return v[0] + 10 * v[1]


def whole_quotients(x, y):
    y = y if y != 0 else 1.0
    q, r = divmod(x, y)
    return q + 10 * r + x // 2 + x % 3 + math.fmod(x, y) + 7 // y + 7 % y


def a_way_that_always_returns(x, y):
    while True:
        x -= y * y + 0.5
        if x < 0:
            return x


def truths(x, y):
    is_large = x > 1
    return (y if is_large is True else -y) + (1.0 if 1.0 in (x, y, 2.0) else 0.0)


CHANGES = (
    made_and_written_on_sides, state_of_a_loop, made_in_an_expression, rows_that_change_places,
    object_with_slots, own_assignments, array_in_place, whole_quotients, a_way_that_always_returns,
    truths,
)  # fmt: skip


@pytest.mark.parametrize("function", CHANGES, ids=lambda f: f.__name__)
def test_what_a_side_does_to_lists_and_objects_is_selected(function) -> None:
    program = compile(function)
    for point in [*points(function, 30), [1.0, 2.0], [-1.0, 0.5], [2.0, 1.0]]:
        assert program(*point) == function(*point)


def selected_then_changed(x):
    xs, zs = [1.0, 2.0], [3.0, 4.0]
    ys = xs if x > 0 else zs
    ys[0] = 50.0
    return xs[0] + zs[0] * 2


def changed_after_selection(x):
    xs, zs = [1.0, 2.0], [3.0, 4.0]
    ys = xs if x > 0 else zs
    xs[0] = 50.0
    return ys[0] + zs[0]


def deleted_on_a_side(x):
    xs = [x, 2.0]
    if x > 0:
        del xs[0]
    return xs[0]


@pytest.mark.parametrize(
    "function", [selected_then_changed, changed_after_selection, deleted_on_a_side]
)
def test_lists_that_a_branch_chooses_or_shortens_are_pythons_own(function) -> None:
    program = compile(function)
    for x in (1.0, -1.0, 2.0):
        assert program(x) == function(x)


def test_an_assignment_beyond_a_list_raises_in_the_replay() -> None:
    def f(x, i):
        xs = [x, 2.0]
        if x > 0:
            xs[int(i)] = 5.0
        return xs[0]

    program = compile(f)
    assert [program(1.0, 0.0), program(1.0, -1.5), program(-1.0, 7.0)] == [5.0, 1.0, -1.0]
    for i in (2.0, -3.0, math.nan):
        with pytest.raises(IndexError, match="list assignment index"):
            program(1.0, i)
