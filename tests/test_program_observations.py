"""Ordinary programs full of what Python observes of numbers, compiled, against plain Python.

Each row is data: a source, and what is done with it. `OUTSIDE` has functions that read or change
what is outside of them, as lines that run one after the other, once on the plain function and once
on the compiled one.
"""

import functools
import re
import threading
import warnings
from typing import Any

import pytest
from support.plain import RUNS_PLAINLY, made

import gradwalk

np = pytest.importorskip("numpy")

PRELUDE = """
import array, collections, contextlib, contextvars, dataclasses, functools, io, itertools, math, os
import queue, time, types, weakref
import gradwalk
import numpy as np

@dataclasses.dataclass
class Record:
    a: float
    b: float
"""


# ── What is outside ──────────────────────────────────────────────────────────────────────────

OUTSIDE = """
# global_number: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
def f(x):
    return x * RATE
# property_of_a_global: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
class Rates:
    @property
    def now(self):
        return RATE
RATES = Rates()
def f(x):
    return x * RATES.now
# descriptor_and_metaclass: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
class Own:
    def __get__(self, thing, kind):
        return RATE
class Meta(type):
    @property
    def rate(cls):
        return RATE
class Rates(metaclass=Meta):
    own = Own()
def f(x):
    return x * Rates().own + Rates.rate
# cached_property_of_a_global: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
class Rates:
    @functools.cached_property
    def now(self):
        return RATE
def f(x):
    return x * Rates().now
# context_manager_of_a_global: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
@contextlib.contextmanager
def rate():
    yield RATE
def f(x):
    with rate() as now:
        return x * now
# dispatched_to_a_global: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
@functools.singledispatch
def rate(x):
    return RATE
def f(x):
    return x * rate(x)
# gradient_of_a_global: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
def h(x):
    return x * x * RATE
f = gradwalk.grad(h)
# attribute_set_by_its_name: f(1.0); f(2.0); vars(notes)["count"]; vars(notes)["last"]
class Notes:
    pass
notes = Notes()
def f(x):
    for name in ("count", "calls"):
        setattr(notes, name, getattr(notes, name, 0) + 1)
    vars(notes)["last"] = x
    return x * 2.0
# attribute_that_comes_later: f(1.0); A.rate = 5.0; f(1.0); A.base = 2.0; f(1.0)
class Rates:
    pass
A = Rates()
def f(x):
    return x * getattr(A, "rate", 4.0) + (hasattr(A, "base") and 1.0)
# method_replaced: f(1.0); A.rate = lambda self: 5.0; f(1.0)
class A:
    def rate(self):
        return 4.0
a = A()
def f(x):
    return x * a.rate()
# code_replaced: f(1.0); rate.__code__ = (lambda: 5.0).__code__; f(1.0)
def rate():
    return 4.0
def f(x):
    return x * rate()
# default_replaced: f(1.0); h.__defaults__ = (5.0,); f(1.0)
def f(x, rate=4.0):
    return x * rate
h = f
# tables_of_the_library: f(1.0); A[0] = B[0] = 5; C["a"] = D["a"] = E[0] = 5.0; f(1.0)
A, B = array.array("d", [1.0]), bytearray(b"a")
C, D, E = collections.OrderedDict(a=1.0), collections.UserDict(a=1.0), collections.UserList([1.0])
def f(x):
    return x + A[0] + B[0] + C["a"] + D["a"] + E[0]
# table_of_a_class_of_its_own: f(1.0); T["a"] = 5.0; f(1.0); T.rate = 6.0; f(1.0)
class Table(dict):
    rate = 1.0
T = Table(a=1.0)
def f(x):
    return x + T["a"] * T.rate
# environment: f(1.0); os.environ["GRADWALK_RATE"] = "5.0"; f(1.0)
os.environ["GRADWALK_RATE"] = "4.0"
def f(x):
    return x * float(os.environ["GRADWALK_RATE"])
# names_that_no_code_names: f(1.0); RATE = 5.0; f(1.0)
RATE = 4.0
def f(x):
    return x * globals()["RA" + "TE"]
# read_by_calls: f(1.0); V.set(5.0) is None; Q.put(1.0); f(1.0); f(1.0)
V, Q = contextvars.ContextVar("rate", default=4.0), queue.SimpleQueue()
for one in (1.0, 2.0, 3.0):
    Q.put(one)
def f(x):
    return x * V.get() + Q.get()
# attributes_by_dict: f(1.0); B.rate = 5.0; f(1.0)
class B:
    rate = 4.0
def f(x):
    b = B()
    b.__dict__.update(x=x)
    return vars(b)["x"] * b.rate
# memo_by_whole_numbers: f(3.5); f(5.5); f(2.5); sum(MEMO) + sum(MEMO.values()) + 0.5
MEMO = {}
def fib(n):
    if n < 2:
        return n
    if n not in MEMO:
        MEMO[n] = fib(n - 1) + fib(n - 2)
    return MEMO[n]
def f(x):
    return fib(int(x)) * x
# weak_reference: f(1.0); a.rate = 5.0; f(1.0)
class A:
    rate = 4.0
a = A()
held = weakref.ref(a)
def f(x):
    return x * held().rate
# stream: f(1.0); f(1.0)
S = io.StringIO("12")
def f(x):
    return x * float(S.read(1))
# two_names_of_one_list: f(1.0); A; B; f(2.0); B
A = B = []
def f(x):
    A.append(x)
    return x * len(A)
# kept_in_an_object: f(1.0); LAST.x; f(2.0); LAST.x
class Last:
    x = 0.0
LAST = None
def f(x):
    global LAST
    LAST = Last()
    LAST.x = x * 2
    return x
# global_in_a_branch: f(5.0); LIMIT = 6.0; f(5.0)
LIMIT = 4.0
def f(x):
    return x * 2 if x > LIMIT else x
# global_of_a_helper: f(5.0); K = 3.0; f(5.0)
K = 2.0
def g(v):
    return v * K
def f(x):
    return g(x)
# global_text: f(5.0); MODE = "b"; f(5.0)
MODE = "a"
def f(x):
    return x if MODE == "a" else -x
# global_function: f(5.0); K = h; f(5.0)
def g(v):
    return v
def h(v):
    return v * 2
K = g
def f(x):
    return K(x)
# global_list: f(5.0); T[0] = 3.0; f(5.0); T = [7.0]; f(5.0)
T = [1.0, 2.0]
def f(x):
    return x * T[0]
# global_dict: f(5.0); T["a"] = 3.0; f(5.0)
T = {"a": 1.0}
def f(x):
    return x * T["a"]
# global_array: f(5.0); T[0] = 3.0; f(5.0)
T = np.array([1.0, 2.0])
def f(x):
    return x * T[0]
# number_of_a_closure: f(5.0); change(3.0); f(5.0)
def make():
    k = 2.0
    def f(x):
        return x * k
    def change(v):
        nonlocal k
        k = v
    return f, change
f, change = make()
# number_of_a_class: f(5.0); C.k = 3.0; f(5.0)
class C:
    k = 2.0
def f(x):
    return x * C.k
# number_of_an_instance: f(5.0); c.k = 3.0; f(5.0)
class C:
    k = 2.0
c = C()
def f(x):
    return x * c.k
# number_in_a_slot: f(5.0); c.k = 3.0; f(5.0)
class C:
    __slots__ = ("k",)
c = C()
c.k = 1.0
def f(x):
    return x * c.k
# number_of_a_namespace: f(5.0); c.k = 3.0; f(5.0)
c = types.SimpleNamespace(k=2.0)
def f(x):
    return x * c.k
# number_of_a_function: f(5.0); g.k = 3.0; f(5.0)
def g():
    pass
g.k = 2.0
def f(x):
    return x * g.k
# default_of_a_helper: f(5.0); g.__defaults__ = (3.0,); f(5.0)
def g(x, k=2.0):
    return x * k
def f(x):
    return g(x)
# bound_method: f(5.0); c.k = 3.0; f(5.0)
class C:
    def __init__(self):
        self.k = 2.0
    def f(self, x):
        return x * self.k
c = C()
f = c.f
# counts_globally: f(5.0); f(5.0); N
N = 0
def f(x):
    global N
    N += 1
    return x * N
# counts_in_a_new_global: f(5.0); f(5.0); N
def f(x):
    global N
    N = globals().get("N", 0.0) + x
    return x
# changes_itself: f(5.0); f(5.0); c.n; c.last
class C:
    n = 0
    def f(self, x):
        self.n += 1
        self.last = x
        return x * self.n
c = C()
f = c.f
# logs: f(5.0); f(6.0); LOG
LOG = []
def f(x):
    LOG.append(x * 2)
    return x
# remembers: f(5.0); f(6.0); f(5.0); sorted(M.items())
M = {}
def f(x):
    if x not in M:
        M[x] = x * x
    return M[x]
# remembers_by_a_whole_number: f(5.0, 1.0); f(5.0, 2.0); f(6.0, 3.0); f(6.0, 4.0); M
M = {}
def f(x, y):
    k = int(x)
    if k not in M:
        M[k] = y
    return M[k] + y
# collects_in_a_default: f(5.0); f(6.0)
def g(x, kept=[]):
    kept.append(x)
    return sum(kept)
def f(x):
    return g(x)
# changes_and_raises: f(5.0); f(-5.0); LOG; f(-6.0); LOG
LOG = []
def f(x):
    LOG.append(x)
    if x < 0:
        raise ValueError("low")
    LOG.append(1.0)
    return x * len(LOG)
# reads_an_iterator: f(5.0); f(5.0); f(5.0)
I = iter([1.0, 2.0, 3.0])
def f(x):
    return x * next(I)
# reads_a_generator: f(5.0); f(5.0); f(5.0)
def count():
    n = 0
    while True:
        n += 1
        yield n
G = count()
def f(x):
    return x * next(G)
# writes_into_a_list: f(L); L; f(L); L
L = [1.0, 2.0]
def f(xs):
    xs[0] = xs[0] * 2
    return xs[0]
# grows_a_list: f(L); L; f(L)
L = [1.0, 2.0]
def f(xs):
    xs.append(xs[0] + 1.0)
    return sum(xs)
# sorts_a_list: f(L); L
L = [3.0, 2.0]
def f(xs):
    xs.sort()
    return xs[0] - xs[1]
# moves_rows: f(L); L; L[0] is A
A, B = [2.0], [1.0]
L = [B, A]
def f(rows):
    rows.reverse()
    rows[0][0] += 1.0
    return rows[0][0] * 10 + rows[1][0]
# writes_into_a_dict: f(D); D; f(D); D
D = {"a": 1.0}
def f(d):
    d["a"] = d["a"] * 2
    d["b"] = 5.0
    return d["a"]
# writes_into_an_array: f(A); A.tolist(); f(A); A.tolist()
A = np.array([1.0, 2.0])
def f(v):
    v[0] = v[0] * 2
    return v[0] * 1.0
# writes_into_an_object: f(R); R.a; f(R); R.a
R = Record(1.0, 2.0)
def f(r):
    r.a = r.a * 2
    return r.a + r.b
# raises_with_numbers: f(4.0); f(-4.0); f(-5.0)
class E(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.a = a
def f(x):
    if x < 0:
        raise E(x, "low")
    return x
# draws_bytes: f(5.0); f(5.0)
SEEN = []
def f(x):
    k = os.urandom(8)
    new = k not in SEEN
    SEEN.append(k)
    return x * new
# reads_a_clock: f(5.0); f(5.0)
LAST = [0]
def f(x):
    now = time.perf_counter_ns()
    later = now > LAST[0]
    LAST[0] = now
    return x * later
"""


def rows(text: str) -> dict[str, tuple[str, str]]:
    """Return name, head and source of each row."""
    parts = re.split(r"^# (\w+)(?:: (.*))?\n", text, flags=re.M)[1:]
    return {
        name: (head or "", source) for name, head, source in zip(*[iter(parts)] * 3, strict=True)
    }


def outcome(step: str, names: dict[str, Any]) -> Any:
    try:
        if re.match(r"[\w.\[\]\"]+ = ", step):
            return exec(step, names)
        return repr(eval(step, names)).replace("np.float64", "").strip("()")
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", rows(OUTSIDE))
def test_what_is_outside_is_read_and_changed_as_in_python(name: str, backend: str) -> None:
    head, source = rows(OUTSIDE)[name]
    plain, compiled = made(PRELUDE + source), made(PRELUDE + source)
    compiled["f"] = gradwalk.compile(compiled["f"])
    for step in head.split("; "):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert outcome(step, compiled) == outcome(step, plain), step


INTS = """
# power_and_remainder
def f(n):
    return n**5 % 1009
# generator_of_numbers
def f(n):
    return (n * 6364136223846793005 + 1442695040888963407) % 2**64 / 2**64
# hash_by_loop
def f(n):
    h = 5381
    for k in range(12):
        h = h * 33 + n
    return h % 997
# int_of_an_int
def f(n):
    return int(n) * 2**60 % 7
# bits
def f(n):
    return (n * n & 1023) + (n << 3) % 10007
# largest
def f(n):
    return max(n, 3) ** 20 // 10**15 % 1009 if n > 2 else -n
# count_of_bits
def f(n):
    return (n * n * n).bit_length() + n % 2
"""


@RUNS_PLAINLY
@pytest.mark.parametrize("name", rows(INTS))
def test_ints_of_any_size_as_arguments_are_exact(name: str, backend: str) -> None:
    source = rows(INTS)[name][1]
    plain, compiled = made(PRELUDE + source)["f"], gradwalk.compile(made(PRELUDE + source)["f"])
    for n in (3, 12, 1000003, 10**9 + 7, 3, 2**31 - 1, 10**17 + 1, 2**53 + 1, 7):
        assert compiled(n) == plain(n), n


@pytest.mark.parametrize("given", [[1.0, -2.0, 0.4], [-1.0, 0.4, 2.0]])
def test_a_function_may_return_false(given: list[float], backend: str) -> None:
    def is_above(x):
        for k in range(3):  # noqa: SIM110
            if k * x > 1:
                return True
        return False

    def chosen(x):
        return 2.0 * x if is_above(x) else -x

    assert list(map(gradwalk.compile(is_above), given)) == list(map(is_above, given))
    assert list(map(gradwalk.compile(chosen), given)) == list(map(chosen, given))
    assert gradwalk.compile(chosen).map(np.array(given)).tolist() == list(map(chosen, given))


def test_what_nobody_can_look_into_makes_each_call_run_as_python() -> None:
    held = threading.local()
    held.rate = 4.0
    scaled = gradwalk.compile(lambda x: x * held.rate)
    with pytest.warns(RuntimeWarning, match="uses _local.* pass it as an argument"):
        assert scaled(1.0) == 4.0
    held.rate = 5.0
    assert scaled.value_and_grad(1.0) == (5.0, {"x": 5.0})


def test_changes_while_a_gradient_is_computed_are_made_once(backend: str) -> None:
    log: list[float] = []

    @gradwalk.compile
    def f(x):
        log.append(x)
        return x * x * len(log)

    assert f.value_and_grad(3.0) == (9.0, {"x": 6.0})
    assert f.value_and_grad(3.0) == (18.0, {"x": 12.0})
    assert f.map(np.array([1.0, 2.0])).tolist() == [3.0, 16.0]
    assert log == [3.0, 3.0, 1.0, 2.0]


@RUNS_PLAINLY
def test_a_cache_that_outlives_the_call_keeps_what_it_has() -> None:
    log: list[float] = []

    def function() -> Any:
        log.clear()
        seen = functools.cache(lambda n: n + len(log))

        def f(x: float) -> float:
            log.append(x)
            return seen(int(x)) + x

        return f

    plain = function()
    wanted = [plain(x) for x in (1.5, 2.5, 1.25, 2.75)]
    compiled = gradwalk.compile(function())
    assert [compiled(x) for x in (1.5, 2.5, 1.25, 2.75)] == wanted
