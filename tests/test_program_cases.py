"""Plain Python full of branches, loops and objects, compiled: each function is a case, as text.

A case runs as it is on floats, which is the oracle, and in each compiled form: calls in two orders,
a map with mixed rows, gradients, gradients of gradients, on Values, saved and loaded. `SIDES` are
cases that are recorded with both sides of their branches; `WRITTEN` of these are not run on Values.
A recording of both sides would get those of `PATHS` wrong: they are recorded a path at a time.
"""

import builtins
import linecache
import random
from typing import Any

import pytest

import gradwalk
from gradwalk import Value, compile  # noqa: A004
from gradwalk.program import load

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.filterwarnings("ignore::gradwalk.GradientDroppedWarning")

PRELUDE = """
import bisect, collections, contextlib, enum, gradwalk, heapq, itertools, math, random
import numpy as np
from dataclasses import dataclass
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
GRID = [0.0, 0.5, 1.0, 1.0, 2.5]
@dataclass
class Point:
    x: float
    y: float
class Mode(enum.Enum):
    HEAT = 1
    COOL = 2
def newton(x, c):
    if abs(x * x - c) < 1e-12 * c:
        return x
    return newton(0.5 * (x + c / x), c)
def divisor(a, b):
    return a if b == 0 else divisor(b, a % b)
def simpson(f, a, b, fa, fm, fb, small):
    m = (a + b) / 2
    left, right = f((a + m) / 2), f((m + b) / 2)
    one, two = (m - a) / 6 * (fa + 4 * left + fm), (b - m) / 6 * (fm + 4 * right + fb)
    off = one + two - (b - a) / 6 * (fa + 4 * fm + fb)
    if abs(off) < 15 * small:
        return one + two + off / 15
    halves = simpson(f, a, m, fa, left, fm, small / 2), simpson(f, m, b, fm, right, fb, small / 2)
    return halves[0] + halves[1]
def down(n):
    return -1.0 if n < 1 else up(n - 1) + 0.5 * n
def up(n):
    return 1.0 if n < 1 else down(n - 1) * 2
def filled(x, count):
    s = [x]
    for k in range(count):
        s.append(x * k)
    s[0] = 7.0 + x
    return s
class Slotted:
    __slots__ = ("a", "b")
    def __init__(self, a, b):
        self.a, self.b = a, b
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
class Counted:
    # a descriptor that counts how often its attribute is set
    def __get__(self, thing, _):
        return self if thing is None else thing.kept
    def __set__(self, thing, value):
        thing.kept = value
        thing.sets += 1
class Gauge:
    level = Counted()
    def __init__(self, level):
        self.sets = 0
        self.level = level
class Weight:
    def __init__(self, v):
        self.v = v
    def __iadd__(self, other):
        self.v = self.v + other
        return self
"""
SIDES = """
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
    for i in range(10):
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
    if (0 < x < 1 and not x == 0.5) or x > 2:
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
def root_by_recursion(x, y):
    return newton(1.0, x * x + 0.5) * y
def greatest_divisor(x):
    return divisor(float(int(abs(x) * 100)), 36.0)
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
def calls_in_turn(x, y):
    return up(abs(x) * 4) * y
def the_first_entries(x, y):
    table, total = [1.0, 2.0, 4.0], y
    for k in range(int(abs(x)) % 4):
        if total > 5:
            break
        total += table[k] * y
    return total
"""
WRITTEN = """
def sum_of_a_comprehension_over_what_a_branch_gives(x, y):
    pairs = [a * b for a in ([x, 1.0] if x > y else [y, 2.0]) for b in (x, y)]
    near = {k: v + 1 for k, v in enumerate([x or y, y])}
    inner = max([v for v in [sum(w for w in (x, y, 0.5) if w < 2), y] if v > 0], default=0.0)
    few = {k * 2 for k in range(3 if 0 < len(pairs) < 9 else 4)}
    return sum(pairs) + near[0] + inner + (1.0 if 0 < x < 1 else len(few))
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
def made_in_an_expression(x, y):
    s = filled(x, 2) if x > y else filled(y, 2)
    return s[0] + 10 * s[1] + 100 * s[2]
def rows_that_change_places(x, y):
    m = [[1.0, 2.0], [3.0, y]]
    if x > 0:
        m[0], m[1] = m[1], m[0]
    m[0][0] += 5
    return m[0][0] * m[1][1] + m[1][0]
def object_with_slots(x, y):
    s = Slotted(1.0, 2.0)
    if x > 0:
        s.a = x
    else:
        s.b = y
    return s.a + s.b * 10
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
def name_in_a_condition(x):
    y = 5.0
    if x > 0 and (y := x * 2) > 100:
        return 1.0
    return y
def name_in_an_expression(x):
    y = 5.0
    z = (y := x) if x > 0 else 2.0
    return y + z
"""
PATHS = """
def an_attribute_with_a_descriptor(x, y):
    gauge = Gauge(x)
    if x > y:
        gauge.level = 2 * x
    return gauge.level * 10 + gauge.sets
def rows_by_index(x, y):
    rows = [[0.0] * 3 for _ in range(3)]
    rows[int(abs(x)) % 3][int(abs(y)) % 3] += x
    return sum([sum(one) for one in rows]) * 2 + rows[0][0] - rows[1][1]
def append_to_a_chosen_row(x, y):
    rows = [[], []]
    for v in (x, y, x + y):
        rows[v > 1.0].append(v)
    return len(rows[0]) * 10.0 + sum(rows[1])
def assign_to_a_chosen_list(x, y):
    one, other = [1.0, x], [3.0, 4.0]
    (one if x > 0 else other)[0] = y
    return one[0] * 10 + other[0] * one[1]
def two_names_of_one_list(x, y):
    one = [1.0]
    both = one
    if x > 0:
        one += [x]
    else:
        one = one + [y]
    return sum(both) * 10 + len(one)
def the_best_is_itself(x, y):
    points = [Weight(x), Weight(y), Weight(0.5)]
    best = points[0]
    for point in points:
        if point.v > best.v:
            best = point
    others = [point for point in points if point is not best]
    return best.v * 10 + sum([point.v for point in others]) + (best in others)
def objects_that_add_in_place(x, y):
    point = other = Weight(0.0)
    if x > 0:
        point += x
    if y > 0:
        other += y
    return point.v * 2 + other.v
def rows_that_are_sorted(x, y):
    rows = [[x, 1.0], [y, 2.0], [0.5, 3.0]]
    rows.sort()
    rows[0][1] = 9.0
    return rows[0][0] + rows[1][1] * 2 + rows[2][1] * 3
def a_list_that_grows_on_one_side(x, y):
    kept = {"a": y}
    if x > 1:
        kept["b"] = x
    return sum(kept.values())
def names_of_another_function(x, y):
    total = 0.0
    def add(v):
        nonlocal total
        total = total + v
    if x > 0:
        add(x)
    for k in range(3):
        if y > k:
            add(1.0)
    return total
def what_a_loop_leaves(x, y):
    each = iter([x, y, 1.0, 2.0, 3.0])
    for v in each:
        if v > 0.75:
            break
    return sum(each)
def next_on_one_side(x, y):
    each, total = iter([1.0, 2.0, 3.0, 4.0]), x
    if x > 0:
        total += next(each)
    if y > 0:
        total += next(each) * 2
    return total + next(each) * 3
def pairs_of_one_iterator(x, y):
    each, total = iter((x, y, 0.5, 1.5)), 0.0
    for a, b in zip(each, each, strict=False):
        total = total + a if a > b else total - b
    return total
def what_a_zip_leaves(x, y):
    each, total = iter((x, 1.0, y, 0.5, 1.5)), 0.0
    for a, b in zip(each, (2.0, 3.0), strict=False):
        total = total + a * b
    return total + next(each, 0.0) * x
def a_generator_that_filters(x, y):
    def some():
        for v in (x, y, 2.0):
            if v > 0:
                yield v
    return sum(some()) + max(some(), default=0.0)
def counting_without_end(x, y):
    for n in itertools.count():
        if n * 0.5 > abs(x):
            break
    return n * y
def a_list_that_is_filtered(x, y):
    kept = [v for v in (x, y) if v > 0.0]
    return kept[0] * len(kept) if kept else y
def a_counter(x, y):
    tally = collections.Counter()
    for v in (x, y, 1.0):
        if v > 0.5:
            tally["high"] += 1
        else:
            tally["low"] -= 2
    return tally["high"] * 3.0 + tally["low"] * y
def a_heap(x, y):
    heap = []
    for v in (x, y, 0.25, -0.25):
        heapq.heappush(heap, v)
        if len(heap) > 2 and x > 0:
            heapq.heappop(heap)
    return sum(heap) * 0.5 + heap[0]
def a_sorted_list(x, y):
    kept = [0.0, 1.0]
    if x > 0:
        bisect.insort(kept, x)
    bisect.insort(kept, y)
    return kept[1] * 10 + kept[-1] + len(kept)
def a_deque(x, y):
    line = collections.deque([0.0], maxlen=2)
    if x > 0:
        line.append(x)
    line.append(y)
    return line[0] * 10 + line[-1]
def numbers_as_keys(x, y):
    seen = {}
    for v in (x, y, x):
        seen[v] = seen.get(v, 0) + 1
    return len(seen) + seen[x] * y + len({x, y, 1.0})
def what_numpy_asks(x, y):
    v = np.array([x, y, 0.25])
    kept = np.where(v > 0.0, v, 0.0).sum() + v.argmax() + np.sort(v)[0]
    return kept + (1.0 if np.any(v > 2.0) else 0.5) + np.searchsorted([0.0, 1.0], x)
def a_flag_is_true(x, y):
    flag = x > 0
    return y if flag is True else -y
def a_flag_is_matched(x, y):
    match x > 0:
        case True:
            return y
        case _:
            return -x
def a_flag_is_inverted(x, y):
    return ~(x > 0) * y
def flags_are_added(x, y):
    return ((x > 0) + (y > 0) * 2) * x
def nan_is_sorted(x, y):
    odd = math.inf - math.inf if x > 0 else y
    return sum([k * v for k, v in enumerate(sorted([1.0, odd, 0.0, y])) if v == v])
def a_domain_that_is_caught(x, y):
    try:
        return math.sqrt(x)
    except ValueError:
        return y * 2
def a_division_that_is_caught(x, y):
    try:
        found = y / max(x, 0.0)
    except:
        found = y * 7.0
    return found
def an_error_that_is_suppressed(x, y):
    found = y
    with contextlib.suppress(ZeroDivisionError):
        found = y / max(x, 0.0)
    return found
def an_index_that_is_caught(x, y):
    try:
        return [1.0, 2.0, 3.0][int(x)] + y
    except IndexError:
        return -y
def a_key_that_is_caught(x, y):
    try:
        return {0: 1.0, 1: 2.0}[int(x)] * y
    except KeyError:
        return -y
def an_end_that_is_caught(x, y):
    try:
        return next(v for v in (x, y) if v > 1.0)
    except StopIteration:
        return x - y
def an_error_with_arguments(x, y):
    try:
        if x > 0:
            raise KeyError("large", x)
    except KeyError as error:
        return error.args[1] * 2
    return y
def what_is_done_at_last(x, y):
    log = []
    def inner():
        try:
            if x > 0:
                return x
            return 2.0
        finally:
            log.append(y)
    return inner() * 10 + sum(log)
def an_error_from_a_function(x, y):
    def inner(v):
        if v > 1:
            {}["a"]
        return v
    try:
        x = inner(x)
    except KeyError:
        y = 2 * y
    return x * y
def none_or_a_number(x, y):
    found = None
    for v in (x, y):
        if v > 0.5 and (found is None or v < found):
            found = v
    return x - y if found is None else found
def a_recursion_of_two(x, y):
    def one(v):
        return v if v <= 0 else other(v)
    def other(v):
        return one(v - 1) * 0.5
    return one(x) * y
def draws_from_a_seed(x, y):
    rng = random.Random(3)
    if x > 1:
        y = y * rng.random()
    return y * rng.random()
def a_name_in_an_expression(x, y):
    z = y
    if x > 1 and (z := x * y) > 0:
        return z
    return -z
"""
POINTS = (
    *((1.25, 0.375), (-1.625, 0.375), (1.25, -2.625), (-0.875, -0.375), (2.375, 3.125)),
    *((3.625, 1.875), (0.125, 2.75), (-2.625, 1.375), (0.625, 0.875)),
)


def made(name: str, source: str) -> dict[str, Any]:
    """Return the functions of a source, which `linecache` knows."""
    file, text = f"<{name}>", PRELUDE + source
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {"__name__": name}
    exec(builtins.compile(PRELUDE, file, "exec"), names)
    helpers = set(names)
    exec(builtins.compile(text, file, "exec"), names)
    return {key: thing for key, thing in names.items() if key not in helpers}


SIDES, WRITTEN, PATHS = made("sides", SIDES), made("written", WRITTEN), made("paths", PATHS)
CASES = {**SIDES, **WRITTEN, **PATHS}
# These are no functions of Values, ask a number for its kind, or choose by a whole one.
OF_NUMBERS = {
    *("by_a_whole_number", "by_all_patterns", "counted_filter", "the_first_entries"),
    *("greatest_divisor", "by_places", "slices"),
}
# What is right for its own numbers alone is not saved, nor what runs as plain Python.
PINNED = {"numbers_as_keys", "by_all_patterns"}


def points(name: str, count: int = 40) -> list[list[float]]:
    arguments = CASES[name].__code__.co_argcount
    given = [list(point) for point in POINTS] if arguments == 2 else []
    if name in PATHS:
        return given
    rng = random.Random(name)
    draw = lambda: rng.choice([rng.uniform(-2, 3), rng.randint(-2, 3) / 1.0])  # noqa: E731
    return given + [[draw() for _ in range(arguments)] for _ in range(count)]


def off_the_edges(name: str) -> list[list[float]]:
    """Points at which no side of a condition is a hair away."""
    return [[x + (name not in PATHS) * 0.013 for x in point] for point in points(name, 12)]


# A replay adds up a list in another order, and kernels have other last bits than math.
ROUNDED = {"counted_filter", "chosen_function", "integral"}


def near(wanted: Any) -> Any:
    return pytest.approx(wanted, rel=1e-12, abs=1e-12)


def same(name: str, wanted: Any) -> Any:
    return near(wanted) if name in ROUNDED else wanted


@pytest.mark.parametrize("name", CASES)
def test_calls_take_the_path_that_python_takes(name: str, backend: str) -> None:
    function, given = CASES[name], points(name)
    for order in (given, given[::-1]):
        compiled = compile(function)
        for point in (*order, *order):
            assert compiled(*point) == same(name, function(*point)), point


@pytest.mark.parametrize("name", CASES)
def test_rows_of_a_map_take_their_own_paths(name: str, backend: str) -> None:
    function, compiled = CASES[name], compile(CASES[name])
    given = points(name)
    wanted = [function(*point) for point in given]
    assert compiled.map(*np.array(given).T).tolist() == same(name, wanted)
    given = off_the_edges(name)
    values, rows = compiled.map.value_and_grad(*np.array(given).T)
    one = compile(function)
    for k, point in enumerate(given):
        value, grads = one.value_and_grad(*point)
        assert value == near(function(*point))
        assert value == near(values[k])
        assert grads == {key: pytest.approx(rows[key][k], rel=1e-9, abs=1e-11) for key in grads}
    first, *others = given[0]
    if others:
        columns = np.array(given)[:, 1:].T
        total, shared = compiled.map.value_and_grad(first, *columns, reduce="sum")
        single = [one.value_and_grad(first, *point[1:]) for point in given]
        assert total == near(sum([value for value, _ in single]))
        by_first = next(iter(shared))
        assert shared[by_first] == near(sum([grads[by_first] for _, grads in single]))


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_the_path(name: str, backend: str) -> None:
    function, compiled = CASES[name], compile(CASES[name])
    again = compile(gradwalk.grad(function))
    for point in off_the_edges(name):
        found = list(compiled.value_and_grad(*point)[1].values())
        operands = [Value(x) for x in point]
        if name in SIDES and name not in OF_NUMBERS:
            node = function(*operands)  # the eager engine
            if isinstance(node, Value):
                node.backward()
            wanted = [x.grad for x in operands]
            assert found == pytest.approx(wanted, rel=1e-9, abs=1e-11)
        elif name in PATHS:
            h = 1e-7
            for k, slope in enumerate(found):
                up, down = [[x + s * (j == k) for j, x in enumerate(point)] for s in (h, -h)]
                assert slope == pytest.approx((function(*up) - function(*down)) / (2 * h), abs=1e-6)
        assert again(*point) == pytest.approx(found[0], rel=1e-9, abs=1e-11)
        operands = [Value(x) for x in point]
        node = compiled(*operands)
        if isinstance(node, Value):
            node.backward()
            assert [x.grad for x in operands] == pytest.approx(found, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("name", sorted(CASES.keys() - PINNED))
def test_saved_paths_are_loaded(name: str, tmp_path, backend: str) -> None:
    compiled, given = compile(CASES[name]), points(name)
    for point in given:
        compiled(*point)
    compiled.save(tmp_path / "it.gw")
    loaded = load(tmp_path / "it.gw")
    for point in given:
        assert loaded(*point) == compiled(*point)
