"""Calls are seen at their call sites: however a function is reached, and without any patch."""

# ruff: noqa: PLC3002, PLW0108, RUF015  (it is these ways of writing that are tried)

import functools
import importlib
import itertools
import linecache
import math
import operator
import subprocess
import sys
import threading
import traceback
from functools import partial
from math import exp, sqrt
from types import SimpleNamespace

import pytest
from support.alone import process
from support.plain import RUNS_PLAINLY
from support.threads import at_once

import gradwalk
from gradwalk import RecordingError, compile  # noqa: A004
from gradwalk.program import backends
from gradwalk.program.ir import CODES
from gradwalk.program.recording.rewrite import AS_IT_IS, rewritten

TABLE = {"sine": math.sin, "root": sqrt}
BESIDE = SimpleNamespace(f=math.exp)
half = partial(math.pow, 0.5)


def helper(x, /, scale=2.0, *rest, shift=0.5, **named):
    """Positional, by default, by name, and more of each."""
    return exp(x * scale) + shift + sum(rest) + sum(named.values())


def codes(program) -> list[str]:
    return [CODES[code] for code in program.program.codes]


def close(function, *point) -> None:
    """A compiled function computes what the function computes."""
    assert compile(function)(*point) == pytest.approx(function(*point), rel=1e-14)


# ── Reached in every way ─────────────────────────────────────────────────────────────────────

REACHED = {
    "by name": lambda x: exp(x),
    "by attribute": lambda x: math.exp(x),
    "out of a dict": lambda x: TABLE["sine"](x) + TABLE["root"](x),
    "an attribute of something": lambda x: BESIDE.f(x),
    "a partial": lambda x: half(x),
    "a partial of a helper": lambda x: partial(helper, scale=x)(x),
    "getattr": lambda x: getattr(math, "tanh")(x),  # noqa: B009
    "a variable": lambda x: [f(x) for f in (math.sin, math.cos)][1],
    "map": lambda x: sum(map(math.exp, [x, 2.0 * x])),
    "map of a helper": lambda x: sum(map(helper, [x, 2.0 * x])),
    "reduce": lambda x: functools.reduce(operator.mul, [x, x, 3.0]),
    "reduce of a helper": lambda x: functools.reduce(math.hypot, [x, x, 3.0]),
    "accumulate": lambda x: list(itertools.accumulate([x, x], math.atan2))[1],
    "starmap": lambda x: list(itertools.starmap(math.pow, [(x, 2.0)]))[0],
    "a helper": lambda x: helper(x, 0.5, x, shift=x, y=x),
    "star arguments": lambda x: helper(*[x, 0.5], shift=x),
    "operator": lambda x: operator.truediv(operator.add(x, 1.0), operator.neg(x)),
    "sorted by a key": lambda x: sorted([3, 1, 2], key=lambda k: math.cos(k))[0] * x,
    "a comprehension's own scope": lambda x: [exp(x + k) for k in range(3) if k][0],
    "a generator": lambda x: sum(exp(x * k) for k in range(3)),
    "a dict comprehension": lambda x: {k: sqrt(x * k) for k in (1, 2)}[2],
    "a conditional on other things": lambda x: exp(x) if TABLE else sqrt(x),
    "a nested lambda": lambda x: (lambda y: (lambda z: exp(z) * y)(x))(2.0),
    "fori": lambda x: gradwalk.fori(0, 3, grow, x),
    "a walrus": lambda x: (y := exp(x)) * y,
}


def grow(i, state):
    return state + exp(state) * i


@pytest.mark.parametrize("name", REACHED)
def test_a_function_is_recorded_however_it_is_reached(name: str, backend: str) -> None:
    close(REACHED[name], 0.7)


class Curve:
    scale = 2.0

    def __init__(self, rate):
        self.rate = rate
        self.root = sqrt(rate)
        self.__hidden = exp(rate)

    def __call__(self, t):
        return exp(-self.rate * t) * self.root

    @property
    def discount(self):
        return exp(-self.rate)

    @classmethod
    def made(cls, rate):
        return cls(sqrt(rate))

    @staticmethod
    def grown(x):
        return math.cosh(x)

    def hidden(self):
        return self.__hidden + math.log(self.__hidden)


class Shifted(Curve):
    def __init__(self, rate, by):
        super().__init__(rate + by)
        self.by = math.tanh(by)

    @property
    def discount(self):
        return super().discount * __class__.scale


METHODS = {
    "an instance made inside": lambda x: Curve(x).root,
    "a call of it": lambda x: Curve(x)(2.0),
    "a property": lambda x: Curve(x).discount,
    "a class method": lambda x: Curve.made(x).root,
    "a static method": lambda x: Curve.grown(x) + Curve(x).grown(x),
    "a private name": lambda x: Curve(x).hidden(),
    "super and __class__": lambda x: Shifted(x, 0.25).discount + Shifted(0.5, x).by,
    "a bound method kept": lambda x: [f(x) for f in [Curve(0.5)]][0],
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_properties_and_classes_are_followed(name: str, backend: str) -> None:
    close(METHODS[name], 0.7)


# ── The function stays what it is ────────────────────────────────────────────────────────────

COUNT = 0


def test_globals_nonlocals_and_cells_are_shared(backend: str) -> None:
    seen = 0

    def f(x):
        global COUNT
        nonlocal seen
        COUNT += 1
        seen += 1

        def inner(y):
            nonlocal seen
            seen += 1
            return exp(y)

        return inner(x) * len(locals())

    before = COUNT
    program = compile(f).record(1.0)
    assert (COUNT - before, seen) == (1, 2)
    assert program(0.0) == f(0.0)


@RUNS_PLAINLY
def test_a_deep_recursion_ends_with_an_error_and_not_with_the_process() -> None:
    def deep(x, n):
        return x if n == 0 else deep(x + 1.0, n - 1)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        with pytest.raises(RecordingError, match="deep while a function is recorded"):
            compile(lambda x: deep(x, 20_000)).record(1.0)
        assert compile(lambda x: deep(x, 20_000))(1.0) == 20_001.0
        assert compile(lambda x: deep(x, 2_000)).record(1.0)(1.0) == 2001.0
    finally:
        sys.setrecursionlimit(limit)


@RUNS_PLAINLY
def test_an_error_shows_the_users_line_and_the_part_of_it(backend: str) -> None:
    def f(x):
        y = exp(x)
        return (y
                + complex(  # what it is not
                    y).real)  # fmt: skip

    with pytest.raises(RecordingError, match="compute with real numbers") as caught:
        compile(f).record(1.0)
    assert caught.value.line == (__file__, f.__code__.co_firstlineno + 3)

    def own(x):
        return exp(x) + 1 / 0

    with pytest.raises(ZeroDivisionError) as wrong:
        compile(own).record(1.0)
    last = traceback.extract_tb(wrong.tb)[-1]
    assert (last.filename, last.lineno, last.name) == (
        __file__, own.__code__.co_firstlineno + 1, "own",
    )  # fmt: skip
    assert last.line == "return exp(x) + 1 / 0"
    assert (last.colno, last.end_colno) == (24, 29)


def test_the_rewritten_code_is_kept_and_goes_with_the_function() -> None:
    both = (backends.tape.call, backends.tape.attribute)
    made = rewritten(helper.__code__, globals(), both)
    assert made is rewritten(helper.__code__, globals(), both)
    assert rewritten(made, globals(), both) is AS_IT_IS
    assert (made.co_name, made.co_qualname, made.co_filename) == ("helper", "helper", __file__)
    assert made.co_freevars == helper.__code__.co_freevars


def test_code_that_outlives_the_module_ends_quietly() -> None:
    script = """
from gradwalk.program.recording import rewrite
code, made = [compile(text, "f", "eval") for text in "12"]
rewrite._remember(code, made)
rewrite._remember(made, rewrite.AS_IT_IS)
del made  # now the first alone has it
vars(rewrite).update(dict.fromkeys(vars(rewrite)))  # as Python does when it ends
"""
    assert process("-c", script).stderr == ""


# ── Without source ───────────────────────────────────────────────────────────────────────────

WRITTEN = """
import math
from math import exp as e
def helper(x): return math.sqrt(x)
def f(x):
    global last
    last = "seen"
    return e(x) + math.sin(x) + sum([helper(x), x]) + max(x, 0.1) + math.pi
g = lambda x: f(x) * e(x)
"""


def test_functions_without_source_record(backend: str) -> None:
    names = {"__name__": "made_by_exec"}
    exec(WRITTEN, names)
    before = dict(names)
    close(names["f"], 0.7)
    close(names["g"], 0.7)
    assert names.pop("last") == "seen"
    assert {k: v for k, v in names.items() if before.get(k) is not v} == {}
    close(eval("lambda x, f=None: (lambda y: sqrt(y))(x)", {"sqrt": math.sqrt}), 0.3)
    close(eval("(lambda s: lambda x: s(x))(math.sinh)", {"math": math}), 0.3)
    assert codes(compile(names["f"]).record(1.0)).count("sum") == 1


def test_a_source_that_has_changed_since_is_not_believed(tmp_path, monkeypatch, backend) -> None:
    file = tmp_path / "changed_since.py"
    file.write_text("import math\ndef f(x):\n    return math.exp(x) + 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("changed_since")
    file.write_text("import math\ndef f(x):\n    return math.exp(x) - 1.0\n")
    linecache.checkcache()
    assert compile(module.f)(0.0) == 2.0
    monkeypatch.delitem(sys.modules, "changed_since")


def at_the_prompt(typed: str) -> subprocess.CompletedProcess[str]:
    """Type lines into an interpreter that keeps no source, as Python before 3.13 does."""
    return process("-i", "-q", input=typed, check=True)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="this prompt keeps its source")
@pytest.mark.parametrize("body", ["x if x > 0 else -x", "[x, 2.0][int(x)]", "int(x) * x"])
def test_what_is_typed_in_at_a_prompt_takes_pythons_path(body: str) -> None:
    typed = f"import gradwalk\nf = lambda x: {body}\ng = gradwalk.compile(f)\n"
    done = at_the_prompt(f"{typed}print([g(v) for v in (1.0, 0.0)] == [f(1.0), f(0.0)])\n")
    assert done.stdout == "True\n", done.stderr


def test_a_function_whose_source_is_missing_takes_pythons_path() -> None:
    names = {}
    exec("def f(x):\n    return x if x > 0 else -x", names)
    compiled = compile(names["f"])
    assert [compiled(x) for x in (1.0, -2.0, 3.0)] == [1.0, 2.0, 3.0]


CATCHING = """
import contextlib, math
def f(x):
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return 7.0
def g(x):
    def inner():
        try:
            return math.log(x)
        except ValueError:
            return 8.0
    return inner()
def h(x):
    with contextlib.suppress(ValueError):
        x = math.sqrt(x)
    return x
"""


@pytest.mark.parametrize("name", ["f", "g", "h"])
def test_a_try_catches_in_a_function_whose_source_is_missing(name: str, backend: str) -> None:
    names = {}
    exec(CATCHING, names)
    compiled = compile(names[name])
    for x in (1.0, 0.0, 3.0, -1.0, math.inf, -0.0):
        assert compiled(x) == names[name](x), x


# ── Nothing is patched ───────────────────────────────────────────────────────────────────────


def test_nothing_is_patched_while_a_function_is_recorded(backend: str) -> None:
    seen = []

    def f(x):
        seen.append((math.exp, exp, sum))
        return exp(x)

    original = (math.exp, exp, sum)
    assert compile(f).record(1.0)(0.0) == 1.0
    assert seen == [original, original]  # it changes a list outside: it runs as Python each time


def test_two_threads_record_functions_of_one_module_by_name(backend: str) -> None:
    meet = threading.Barrier(2, timeout=30)

    def work(k: int) -> float:
        def f(x):
            meet.wait()  # both are in the middle of it
            y = exp(x * k)
            meet.wait()
            return y + sqrt(x)

        return compile(f)(0.5)

    assert at_once(work, (1, 2)) == [pytest.approx(exp(0.5 * k) + sqrt(0.5)) for k in (1, 2)]


# ── Sums ─────────────────────────────────────────────────────────────────────────────────────


def test_a_sum_is_one_instruction_and_additions_are_as_written(backend: str) -> None:
    w = [0.5, 2.0, 3.0]
    program = compile(lambda x: sum(a * b for a, b in zip(w, x, strict=True))).record(
        [1.0, 2.0, 3.0]
    )
    assert codes(program).count("sum") == 1
    assert codes(program).count("add") == 0
    assert program([1.0, 2.0, 3.0]) == 13.5
    written = compile(lambda x: x[0] + x[1] + x[2]).record([1.0, 2.0, 3.0])
    assert codes(written).count("add") == 2
    assert codes(written).count("sum") == 0
