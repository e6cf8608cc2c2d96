"""Random control flow, compiled, against plain Python: `python3 x.py fuzz flow`.

Each seed makes one function of floats as Python source: nested branches, loops with `break`,
`continue` and `else`, early returns, conditional expressions, names that change places, lists that
are set by index, helpers, recursion, `match`, `bisect`, `key=`, filters, slices, names that are
`None` or a number. Its arithmetic is exact, so plain Python says what every bit must be:

    single     calls of the compiled function, in the order of the points
    map        all points at once, by 1 and 2 threads
    groups     many scenarios, those that leave early in groups (a part of the programs)
    loaded     calls of the function, saved and loaded (a part of the programs)
    gradient   both, against the eager engine on the same points (a part of the programs)

A refusal (`RecordingError`) and a call that runs as plain Python are counted, never a failure; a
different number is one, and so is an
error that plain Python does not raise. Start reading at `examine`; `Writer` makes the functions.
"""

from __future__ import annotations

import argparse
import bisect
import heapq
import itertools
import math
import sys
import warnings
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from flow_objects import ObjectWriter
from fuzz import Draws, MismatchError, made

import gradwalk
from gradwalk import ProgramError, RecordingError, Value
from gradwalk.program import early

PROGRAMS = 10_000
POINTS = 12
MODULES = {module.__name__: module for module in (bisect, heapq, itertools, math)}
LIBRARY: dict[str, Any] = {"Counter": Counter, "deque": deque, **MODULES}
SCENARIOS = 300  # of a map in groups: more than its sample
LARGE = 2.0**50  # beyond, whole numbers of Python's have digits that a float has not
# Where plain Python raises, nothing is compared: a program follows IEEE, and has no deepest call.
RAISED = (ArithmeticError, LookupError, ValueError, RecursionError, TypeError, StopIteration)
NUMBERS = ("0.0", "0.5", "1.0", "2.0", "-1.0", "0.25", "3.0", "1.5", "-0.75")


# ── Writing a function ───────────────────────────────────────────────────────────────────────


class Writer:
    """Writes functions whose loops all end. `names` are numbers, `lists` have known lengths."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.smooth = rng.random() < 0.4  # only what Values compute, too
        self.helpers: list[tuple[str, int]] = []
        self.asks = False  # the function being written answers True or False
        self.predicates: list[str] = []
        self.fresh = count()

    def module(self) -> str:
        texts: list[str] = []
        for k in range(self.rng.choice((0, 0, 1, 2))):
            arguments = self.rng.randint(1, 2)
            texts.append(self.function(f"h{k}", arguments, size=3))
            self.helpers.append((f"h{k}", arguments))
        if self.rng.random() < 0.3:
            self.asks = True
            texts.append(self.function("p", 2, size=3))
            self.asks, self.predicates = False, ["p"]
        if self.rng.random() < 0.3:
            texts.append(RECURSIONS[self.rng.randrange(len(RECURSIONS))])
            self.helpers.append(("r", 1))
        texts.append(self.function("f", self.rng.randint(1, 3), size=self.rng.randint(2, 6)))
        return "\n\n".join(texts)

    def function(self, name: str, arguments: int, size: int) -> str:
        self.names = list("abc"[:arguments])
        self.lists: dict[str, int] = {}
        self.kept: set[str] = set()  # names that only their loops assign
        self.counters: set[str] = set()  # those of them that are whole numbers
        self.loops: list[str] = []
        self.budget = 3 * size
        lines = [f"def {name}({', '.join(self.names)}):"]
        if self.rng.random() < 0.5:
            length = self.rng.randint(2, 4)
            parts = [self.number(1) for _ in range(length)]
            self.lists["xs"] = length
            lines.append(f"    xs = [{', '.join(parts)}]")
        lines += self.block(size, 1)
        lines.append("    " + self.result())
        return "\n".join(lines) + "\n"

    def result(self) -> str:
        if self.asks:
            return f"return {self.rng.choice(('True', 'False', self.condition(1)))}"
        parts = [self.number(2)]
        parts += [f"{self.rng.choice(self.names)} * 0.5" for _ in range(2)]
        parts += [f"{name}[{self.rng.randrange(n)}]" for name, n in self.lists.items()]
        return f"return {' + '.join(parts)}"

    def block(self, size: int, depth: int) -> list[str]:
        """Return statements; names made in them are forgotten at their end."""
        before = list(self.names)
        lines: list[str] = []
        for _ in range(size):
            self.budget -= 1
            made = self.statement(depth)
            lines += ["    " * depth + line for line in made]
            if made[-1].split()[0] in ("return", "break", "continue", "raise"):
                break
        if depth > 1:
            self.names = before
        return lines

    def statement(self, depth: int) -> list[str]:
        kinds: dict[Callable[[int], list[str]], int] = {
            self.assign: 6, self.augment: 3, self.swap: 2, self.item: 3 if self.lists else 0,
        }  # fmt: skip
        if depth < 4 and self.budget > 0:
            loops = 3 if len(self.loops) < 2 else 0
            kinds |= {self.branch: 8, self.for_loop: loops, self.while_loop: loops}
            kinds |= {self.match: 2, self.nothing_yet: 2}
        if depth > 1:
            kinds[self.leave] = 2
        return self.rng.choices(list(kinds), list(kinds.values()))[0](depth)

    def target(self) -> str:
        free = [name for name in self.names if name not in self.kept]
        if free and (self.rng.random() < 0.7 or len(free) > 6):
            return self.rng.choice(free)
        return f"v{next(self.fresh)}"

    def assign(self, _: int) -> list[str]:
        name = self.target()
        line = f"{name} = {self.number(2)}"
        if name not in self.names:
            self.names.append(name)
        return [line]

    def augment(self, depth: int) -> list[str]:
        free = [name for name in self.names if name not in self.kept]
        if not free:
            return self.assign(depth)
        return [f"{self.rng.choice(free)} {self.rng.choice('+-*')}= {self.number(2)}"]

    def swap(self, depth: int) -> list[str]:
        free = [name for name in self.names if name not in self.kept]
        if len(free) < 2:
            return self.assign(depth)
        one, two = self.rng.sample(free, 2)
        if self.rng.random() < 0.5:
            return [f"{one}, {two} = {two}, {one}"]
        return [f"{one}, {two} = {self.number(2)}, {self.number(2)}"]

    def item(self, _: int) -> list[str]:
        place = self.place()
        if self.rng.random() < 0.5:
            return [f"{place} = {self.number(2)}"]
        return [f"{place} {self.rng.choice('+-*')}= {self.number(1)}"]

    def place(self) -> str:
        name = self.rng.choice(list(self.lists))
        n = self.lists[name]
        if self.rng.random() < 0.6 or (self.smooth and not self.counters):
            return f"{name}[{self.rng.randint(-n, n - 1)}]"
        counters = sorted(self.counters & set(self.names))
        if counters and (self.smooth or self.rng.random() < 0.6):
            return f"{name}[{self.rng.choice(counters)} % {n}]"
        return f"{name}[int({self.rng.choice(self.names)}) % {n}]"

    def branch(self, depth: int) -> list[str]:
        if self.rng.random() < 0.25:  # a name that both sides make
            name = f"v{next(self.fresh)}"
            lines = [f"if {self.condition(2)}:", f"    {name} = {self.number(2)}"]
            lines += [*self.inner(depth), "else:", f"    {name} = {self.number(2)}"]
            lines += self.inner(depth)
            self.names.append(name)
            return lines
        lines = [f"if {self.condition(2)}:", *self.inner(depth)]
        while self.rng.random() < 0.3:
            lines += [f"elif {self.condition(2)}:", *self.inner(depth)]
        if self.rng.random() < 0.6:
            lines += ["else:", *self.inner(depth)]
        return lines

    def match(self, depth: int) -> list[str]:
        if self.smooth or self.rng.random() < 0.5:
            lines = [f"match ({self.condition(1)}, {self.condition(1)}):"]
            cases = ["(True, True)", "(True, far) | (False, far) if far", "[_, *_]"]
        else:
            lines = [f"match int({self.number(1)}) % 4:"]
            cases = ["0", "1 | 2", f"k if k * 0.5 > {self.number(1)}", "_"]
        for case in cases[: self.rng.randint(1, len(cases))]:
            lines += [f"    case {case}:", *["    " + line for line in self.inner(depth)]]
        return lines

    def nothing_yet(self, _: int) -> list[str]:
        """A name that is None or a number."""
        name, best, each = (f"{letter}{next(self.fresh)}" for letter in "vbe")
        sign = self.rng.choice("<>")
        lines = [
            f"{best} = None",
            f"for {each} in ({self.number(1)}, {self.number(1)}, {self.number(0)}):",
            f"    if {each} > {self.number(0)} and ({best} is None or {each} {sign} {best}):",
            f"        {best} = {each}",
            f"{name} = {self.number(0)} if {best} is None else {best}",
        ]
        self.names.append(name)
        return lines

    def inner(self, depth: int) -> list[str]:
        made = self.block(self.rng.randint(1, 3), depth + 1)
        return [line[4 * depth :] for line in made]

    def for_loop(self, depth: int) -> list[str]:
        i = f"i{next(self.fresh)}"
        kind = self.rng.choice((0, 1, 3, 4) if self.smooth else (0, 1, 2, 3, 4, 5))
        if kind == 0 and self.lists:
            head, counter = f"for {i} in {self.rng.choice(list(self.lists))}[:]:", False
        elif kind == 1:
            head, counter = f"for {i} in ({self.number(1)}, {self.number(1)}, 0.5):", False
        elif kind == 4:
            values, bound = ", ".join([self.number(1) for _ in range(3)]), self.number(0)
            head, counter = f"for {i} in [v for v in ({values}) if v > {bound}]:", False
        elif kind == 5 and self.lists:
            name = self.rng.choice(list(self.lists))
            head, counter = f"for {i} in {name}[: int({self.rng.choice(self.names)})]:", False
        elif kind == 2:
            head, counter = f"for {i} in range(int(abs({self.rng.choice(self.names)})) % 5):", True
        else:
            head, counter = f"for {i} in range({self.rng.randint(1, 6)}):", True
        return self.loop(head, i if counter else "", depth, [i])

    def while_loop(self, depth: int) -> list[str]:
        n = f"n{next(self.fresh)}"
        kind = self.rng.randrange(3)
        if kind == 0:  # it ends by its own number
            start = f"{n} = min(abs({self.number(1)}), 64.0)"  # an inf would never end
            self.names.append(n)
            step = f"    {n} = {n} * 0.5 - 0.125"
            head = f"while {n} > {self.rng.choice(('0.25', '0.1', '1.0'))}:"
            return [start, *self.loop(head, n, depth, [], [step])]
        limit = self.rng.randint(1, 12)
        self.names.append(n)
        head = f"while {self.condition(1)} and {n} < {limit}:"
        if kind == 1:
            head = "while True:"
            step = [
                f"    {n} += 1",
                f"    if {n} > {limit} or {self.condition(1)}:",
                "        break",
            ]
            return [f"{n} = 0", *self.loop(head, n, depth, [], step)]
        return [f"{n} = 0", *self.loop(head, n, depth, [], [f"    {n} += 1"])]

    def loop(
        self, head: str, counter: str, depth: int, own: list[str], step: Sequence[str] = ()
    ) -> list[str]:
        before = list(self.names)
        self.names += [name for name in own if name not in self.names]
        kept, counters = set(self.kept), set(self.counters)
        self.kept |= {counter, *own} - {""}
        self.counters |= {counter} & set(own)
        self.loops.append(head)
        body = self.inner(depth)
        self.loops.pop()
        self.kept, self.counters = kept, counters
        self.names = before
        lines = [head, *step, *body]
        if self.rng.random() < 0.25:
            lines += ["else:", *self.inner(depth)]
        return lines

    def leave(self, depth: int) -> list[str]:
        if self.loops and self.rng.random() < 0.6:
            return [self.rng.choice(("break", "continue"))]
        if self.rng.random() < 0.5:
            return [self.result() if self.asks else f"return {self.number(2)}"]
        return self.assign(depth)

    # ── Expressions ──────────────────────────────────────────────────────────────────────────

    def number(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            if self.lists and rng.random() < 0.2:
                return self.place()
            return rng.choice(self.names) if rng.random() < 0.75 else rng.choice(NUMBERS)
        one, two = self.number(depth - 1), self.number(depth - 1)
        forms = [
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} * {two})",
            f"{one} * 0.5",
            f"(-{one})",
            f"abs({one})",
            f"max({one}, {two})",
            f"min({one}, {two}, 2.0)",
            f"({one} if {self.condition(depth - 1)} else {two})",
            f"({one} if {self.condition(depth - 1)} else {two})",
            f"({one} / (1.0 + abs({two})))",
            f"int({one})",
            f"round({one})",
            f"({one} // 2)",
            f"({one} % 3.0)",
            f"sorted([{one}, {two}, 0.5])[{rng.randrange(3)}]",
            f"({one} and {two})",
            f"({one} or {two})",
            f"min(({one}, {two}, 0.25), key=lambda v: abs(v - 0.5))",
            f"max([({one}, 1.0), ({two}, -1.0)])[{rng.randrange(2)}]",
            f"sum(v * 0.5 for v in ({one}, {two}) if v > 0.5)",  # two: sum() adds in any order
            f"max([v for v in ({one}, {two}) if v < 1.0], default=0.25)",
            f"next((v for v in ({one}, {two}) if v > 0.5), -1.0)",
            f"sum([{one}, {two}][: int({two}) % 3])",
            f"bisect.bisect([-1.0, 0.0, 0.5, 2.0], {one})",
        ]
        if self.smooth:
            forms = [form for form in forms if not form.endswith("% 3])")]
            forms = [form for form in forms if not form.startswith("bisect")]
            forms = [form for form in forms if not form.startswith(("int", "round"))]
            forms = [form for form in forms if not form.endswith(("// 2)", "% 3.0)"))]
        if self.helpers:
            name, arguments = rng.choice(self.helpers)
            forms += [f"{name}({', '.join((one, two)[:arguments])})"] * 3
        return rng.choice(forms)

    def condition(self, depth: int) -> str:
        rng = self.rng
        one, two, three = (self.number(max(depth - 1, 0)) for _ in range(3))
        sign, other = rng.choice(("<", "<=", ">", ">=", "==", "!=")), rng.choice(("<", "<=", ">"))
        if depth <= 0 or rng.random() < 0.5:
            return f"{one} {sign} {two}"
        forms = [
            f"{one} {sign} {two} {other} {three}",
            f"not {one} {sign} {two}",
            f"({self.condition(depth - 1)} and {self.condition(depth - 1)})",
            f"({self.condition(depth - 1)} or {self.condition(depth - 1)})",
            f"not ({self.condition(depth - 1)})",
            f"{one} in ({two}, {three}, 1.0)",
            f"({one}, {two}) {sign} ({three}, 0.5)",
            one,
            *[f"{name}({one}, {two})" for name in self.predicates * 3],
        ]
        return rng.choice(forms)


RECURSIONS = (
    "def r(a):\n    return a if abs(a) < 1.0 else r(a * 0.5) + 0.25\n",
    "def r(a):\n    if a < 0.5:\n        return a\n    b = r(a * 0.5 - 0.25)\n"
    "    return b - 0.5 if b > 0.0 else 1.0\n",
    "def s(a):\n    return 1.5 if a < 1.0 else r(a - 1.0) * 0.5\n\n\n"
    "def r(a):\n    return -0.5 if a < 1.0 else s(a * 0.5) + a\n",
)


# ── Examining ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Case:
    seed: int
    source: str
    points: tuple[tuple[float, ...], ...]
    gradient: bool


def make(draws: Draws, _options: Any) -> Case:
    odd = bool(int(draws.start) % 2)
    writer = ObjectWriter(draws) if odd else Writer(draws)
    source = writer.module()
    arguments = source.rpartition("def f(")[2].partition(")")[0].count(",") + 1
    draws.part()
    points = []
    for _ in range(POINTS):
        whole = draws.random() < 0.4  # ties, zeros and whole numbers
        draw = (lambda: draws.randint(-6, 6) / 2.0) if whole else (lambda: draws.uniform(-4.0, 4.0))
        if odd and not whole:  # sums of these are exact in any order
            draw = lambda: draws.randint(-512, 512) / 128.0  # noqa: E731
        points.append(tuple(draw() for _ in range(arguments)))
    return Case(int(draws.start), source, tuple(points), writer.smooth)


def examine(case: Case, counts: Counter[str], _options: Any, _only: str = "") -> None:
    """Compare one function with plain Python; raise MismatchError at the first difference."""
    function = made(case.source, LIBRARY)
    points, wanted = [], []
    for point in case.points:
        try:
            value = function(*point)
        except RAISED:
            continue
        if abs(value) < LARGE:
            points.append(point)
            wanted.append(float(value))
    if not points:
        return
    told: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            compare(function, case, points, wanted, counts)
    except RecordingError as error:
        counts["refused: " + reason(str(error))] += 1
    except MismatchError:
        raise
    except Exception as error:
        raise MismatchError("error", f"{type(error).__name__}: {error}") from error
    for said in [str(one.message) for one in told]:
        if " in plain Python and " in said:
            raise MismatchError("checked", said)
        if "run as plain Python" in said:  # what no recording can hold
            counts["runs plainly: " + reason(said)] += 1


def reason(said: str) -> str:
    return said.partition("\n")[2].partition(";")[0][:60]


def compare(
    function: Any, case: Case, points: Any, wanted: Sequence[float], counts: Counter[str]
) -> None:
    program = gradwalk.compile(function)
    found = [program(*point) for point in points]
    for point, one, other in zip(points, found, wanted, strict=True):
        same(one, other, "single", point, function)
    columns = [np.array(column) for column in zip(*points, strict=True)]
    for threads in (1, 2):
        mapped = program.map(*columns, threads=threads).tolist()
        for point, one, other in zip(points, mapped, wanted, strict=True):
            same(one, other, f"map {threads}", point, function)
    counts["results"] += 3 * len(points)
    if case.seed % 4 == 0:
        compare_groups(function, program, points, columns, wanted)
        counts["results"] += len(points)
    if case.seed % 4 == 1:
        compare_loaded(function, program, points, wanted, counts)
    if case.gradient:
        compare_gradients(function, program, points, columns, counts)


def compare_groups(
    function: Any, program: Any, points: Any, columns: Any, wanted: Sequence[float]
) -> None:
    """Compare a map of so many scenarios that those which leave early run in groups."""
    before = early.LEAST_WORK, early._WORTH
    early.LEAST_WORK, early._WORTH = 1, 5.0  # in groups, whatever the time
    try:
        mapped = program.map(*[np.tile(column, SCENARIOS // POINTS) for column in columns])
    finally:
        early.LEAST_WORK, early._WORTH = before
    for k, one in enumerate(mapped.tolist()):
        same(one, wanted[k % len(points)], "map groups", points[k % len(points)], function)


def compare_loaded(
    function: Any, program: Any, points: Any, wanted: Sequence[float], counts: Counter[str]
) -> None:
    with TemporaryDirectory() as folder:
        try:
            program.save(Path(folder) / "program")
            loaded = gradwalk.load(Path(folder) / "program")
            found = [loaded(*point) for point in points]
        except ProgramError:  # a path that Python runs each time is in no file
            counts["refused: not in the file"] += 1
            return
    for point, one, other in zip(points, found, wanted, strict=True):
        same(one, other, "loaded", point, function)
    counts["loaded results"] += len(points)


def same(found: float, wanted: float, where: str, point: Any, function: Any) -> None:
    # The zero of a whole number has no sign in Python, so no zero's sign is compared.
    if found == wanted or (math.isnan(found) and math.isnan(wanted)):
        return
    if stays_small(function, point):
        raise MismatchError(where, f"{found!r}, plain Python has {wanted!r} at {point}")


def stays_small(function: Any, point: Any) -> bool:
    """Say whether no variable gets so large that Python's whole numbers have more digits."""
    small = True

    def look(frame: Any, _event: str, _argument: Any) -> Any:
        nonlocal small
        for thing in frame.f_locals.values():
            for number in thing if isinstance(thing, list) else [thing]:
                small = small and not (isinstance(number, (int, float)) and abs(number) > LARGE)
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        function(*point)
    finally:
        sys.settrace(before)
    return small


def compare_gradients(
    function: Any, program: Any, points: Any, columns: Any, counts: Counter[str]
) -> None:
    rows = program.map.value_and_grad(*columns)[1]
    for k, point in enumerate(points[:4]):
        operands = [Value(x) for x in point]
        try:
            out = function(*operands)
        except TypeError:  # what Values do not do: round, //
            return
        if isinstance(out, Value):
            out.backward()
        grads = list(program.value_and_grad(*point)[1].values())
        mapped = [rows[name][k] for name in rows]
        for where, found in (("gradient", grads), ("map gradient", mapped)):
            for one, operand in zip(found, operands, strict=True):
                if not math.isclose(one, operand.grad, rel_tol=1e-9, abs_tol=1e-12):
                    raise MismatchError(where, f"{one!r}, not {operand.grad!r} at {point}")
                counts["gradients"] += 1


def script(case: Case, mismatch: MismatchError, _options: Any) -> str:
    call = ".value_and_grad" if "gradient" in mismatch.where else ""
    lines = [
        f"import {', '.join(MODULES)}",
        "from collections import Counter, deque",
        "import numpy as np",
        "import gradwalk",
        "",
    ]
    lines += [case.source, "compiled = gradwalk.compile(f)"]
    for point in case.points:
        arguments = ", ".join(map(repr, point))
        lines.append(f"print(compiled{call}({arguments}), f({arguments}))")
    if "map" in mismatch.where:
        columns = [f"np.array({list(column)})" for column in zip(*case.points, strict=True)]
        lines.append(f"print(compiled.map{call}({', '.join(columns)}))")
    return "\n".join(lines)


def arguments(_parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""
