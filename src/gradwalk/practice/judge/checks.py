"""The checks a learner's `Value` goes through, as data: which graph, and backward() from where.

What is asked depends on what the class defines: `Vocabulary` knows, `checks` makes the list, and
`job` writes a check down for the process that runs it (see `trial`). Judging is in `judge`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from gradwalk.graph import Graph, number
from gradwalk.ops import BY_SYMBOL, TABLE, Op
from gradwalk.practice.generate import applied, sample
from gradwalk.practice.judge.trial import OPERATORS
from gradwalk.practice.language import say
from gradwalk.practice.worked import WORKED, graph_of

GROUPS = {
    "class": "class",
    "rules": "rules, one by one",
    "inside": "rules, inside a graph",
    "numbers": "plain numbers",
    "worked": "worked examples",
    "sums": "sums of paths",
    "order": "order of the walk",
    "random": "random graphs",
    "again": "backward, again",
    "paths": "many paths",
    "edges": "large numbers",
    "deep": "deep chains",
}

#: Groups that ask for more than right gradients. micrograd itself fails them.
STURDY = ("again", "paths", "edges", "deep")

_REFLECTED = "+*-/"

# Mentioned when missing: what micrograd's and microGPT's classes have. The rest is a bonus.
_TAUGHT = ("-", "/", "**", "neg", "exp", "log", "relu", "tanh")


@dataclass(frozen=True, slots=True)
class Check:
    """One graph to run; with `depth`, its first node is added to it so many times.

    `roots` are the nodes to call backward() on, one after the other; none means the graph's root.
    """

    group: str
    name: str
    graph: Graph
    roots: tuple[int, ...] = ()
    depth: int = 0
    text: str = ""

    @property
    def symbols(self) -> set[str]:
        return {node.op for node in self.graph.nodes if node.operands}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a learner's class can be asked to do: symbols, and how each is called there."""

    methods: Mapping[str, str]
    reflected: frozenset[str]
    numbers: frozenset[str]  # operators that take a plain number on the right
    missing: tuple[str, ...] = field(default=())

    @staticmethod
    def of(names: list[str], takes_numbers: Iterable[str]) -> Vocabulary:
        """Make it from the names a class defines and the operators that take plain numbers."""
        known = set(names)
        methods = {symbol: symbol for symbol, name in OPERATORS.items() if f"__{name}__" in known}
        for op in TABLE:
            own = [name for name in (op.name, *op.aliases) if name in known]
            if own and op.arity == 1 and not op.derived:
                methods[op.symbol] = own[0]
        reflected = frozenset([s for s in _REFLECTED if f"__r{OPERATORS[s]}__" in known])
        numbers = frozenset(takes_numbers)
        missing = [written(symbol) for symbol in _TAUGHT if symbol not in methods]
        missing += [f"a {s} 2" for s in _REFLECTED if s in methods and s not in numbers]
        missing += [f"2 {s} a" for s in _REFLECTED if s in methods and s not in reflected]
        return Vocabulary(methods, reflected & numbers, numbers, tuple(missing))


def job(check: Check, vocabulary: Vocabulary) -> dict[str, Any]:
    """Write a check down for the process that runs it."""
    graph = check.graph
    as_numbers: set[int] = set()
    for node in graph.nodes:
        for place, operand in enumerate(node.operands):
            # A plain number where the class takes one, else a Value made from it.
            on_left = place == 0 and len(node.operands) > 1
            taken = node.op in (vocabulary.reflected if on_left else vocabulary.numbers)
            if graph[operand].is_const and (taken or node.op == "**"):
                as_numbers.add(operand)
    nodes: list[tuple[str, float, tuple[int, ...]]] = []
    for node in graph.nodes:
        kind, data = "number" if node.id in as_numbers else "leaf", node.data
        whole = node.id in as_numbers and data.is_integer()
        kind = vocabulary.methods[node.op] if node.operands else kind
        nodes.append((kind, int(data) if whole else data, node.operands))
    return {"nodes": nodes, "roots": check.roots or (graph.root,), "depth": check.depth}


def checks(vocabulary: Vocabulary, seed: int) -> list[Check]:
    """Return every check that the vocabulary allows, what only a sturdy class stands at the end."""
    by_vocabulary = (_rules, _inside, _numbers, _fixed, partial(_random, seed=seed), _edges)
    made = [check for some in by_vocabulary for check in some(vocabulary)]
    made = [check for check in made if check.symbols <= vocabulary.methods.keys()]
    made.sort(key=lambda check: check.group in STURDY)
    for depth in (2_000, 50_000):
        name = say("a + a + … + a, {} deep", f"{depth:,}")
        made.append(Check("deep", name, graph_of("sum = a + a", {"a": 1}), (), depth - 1))
    return made


def written(symbol: str) -> str:
    """Return how an operation is written, to name it."""
    return "-a" if symbol == "neg" else symbol


def called(symbol: str, *operands: str) -> str:
    """Return how an operation of these operands is written."""
    return applied(BY_SYMBOL[symbol], operands)


def _check(group: str, text: str, roots: str = "", /, **values: float) -> Check:
    graph = graph_of(text, values)
    at = ", ".join([f"{name}={number(x)}" for name, x in values.items()])
    chosen = tuple([graph.find(root).id for root in roots.split()])
    name = say("{} with {}", text, at)
    if roots:
        ways = " → ".join(roots.split())
        name = say("{} with {}; then backward from each of {}", text, at, ways)
    return Check(group, name, graph, chosen, text=text)


def _rules(vocabulary: Vocabulary) -> Iterator[Check]:
    for symbol in vocabulary.methods:
        op = BY_SYMBOL[symbol]
        if symbol == "**":
            for exponent in (2, 3, -1, 0.5):
                yield _check("rules", f"a**{exponent}", a=2.5)
        elif op.infix:
            for a, b in ((3.0, -2.0), (-0.5, 4.0)):
                yield _check("rules", called(symbol, "a", "b"), a=a, b=b)
        else:
            for (x,) in op.probes:
                if abs(x) <= 10:
                    yield _check("rules", called(symbol, "a"), a=x)


def _inside(vocabulary: Vocabulary) -> Iterator[Check]:
    """Yield each operation with something behind it, which a rule that is right alone may spoil."""
    for symbol in vocabulary.methods:
        op = BY_SYMBOL[symbol]
        if symbol in ("gelu", "floor", "sign"):
            continue  # gelu has two forms, see `judge`; the others have no slope
        values = {"a": 2.5 if op.infix or symbol == "neg" else _slope_point(op)}
        call = "a**3" if symbol == "**" else called(symbol, "a", "b")
        if op.infix and symbol != "**":
            values["b"] = -1.5
        yield _check("inside", f"d = {call}; d * c", **values, c=-3.5)
        yield _check("inside", f"d = {call}; d * a", **values)
        yield _check("inside", f"d = {call}; a * d", **values)


def _slope_point(op: Op) -> float:
    """Return a point where the rule of an operation has something to say."""
    points = [x for (x,) in op.probes if abs(x) <= 10]
    return max(points, key=lambda x: min(abs(op.partials[0](op.value(x), x)), 1.0) * (x != 0))


def _numbers(vocabulary: Vocabulary) -> Iterator[Check]:
    for symbol in _REFLECTED:
        if symbol in vocabulary.numbers:
            yield _check("numbers", f"a {symbol} 2", a=3.0)
        if symbol in vocabulary.reflected:
            yield _check("numbers", f"2 {symbol} a", a=4.0)


def _fixed(_: Vocabulary) -> Iterator[Check]:
    for row in WORKED:
        yield _check("worked", row.text, **row.values)
    yield _check("sums", "a * a", a=3.0)
    yield _check("sums", "a + a", a=3.0)
    yield _check("sums", "a + a + a + a", a=1.5)
    yield _check("sums", "b = a*a; b*b", a=2.0)
    yield _check("sums", "b = a + 1; c = a * 3; d = b * c", a=2.0)
    # A short way and a long one to the same inner node, from either side.
    yield _check("order", "c = a*b; d = c*b; e = d + c", a=2.0, b=3.0)
    yield _check("order", "c = a*b; d = c*b; e = c + d", a=2.0, b=3.0)
    yield _check("order", "c = a*b; d = c*c; e = d*c; f = e + a", a=0.5, b=3.0)
    for group, rungs in (("order", 10), ("paths", 60)):
        yield replace(_check(group, _ladder(rungs), a=1.0, b=1.0), name=_LADDER.format(rungs))
    yield _check("again", "c = a*b; d = c*a; e = d + c", "e e", a=2.0, b=3.0)
    yield _check("again", "d = a*b; e = a + b; f = d + e", "d e", a=2.0, b=3.0)
    yield _check("again", "c = a*b; d = c + a; e = c*b; f = d + e", "d e", a=2.0, b=3.0)


_LADDER = "n1 = b + a; n2 = n1 + b; n3 = n2 + n1; and so on to n{}, with a=1, b=1"


def _ladder(rungs: int) -> str:
    """Return a graph whose paths grow like the Fibonacci numbers."""
    names = ["a", "b", *[f"n{i}" for i in range(1, rungs + 1)]]
    return "; ".join(
        [f"{names[i]} = {names[i - 1]} + {names[i - 2]}" for i in range(2, len(names))]
    )


def _random(vocabulary: Vocabulary, seed: int) -> Iterator[Check]:
    random = Random(seed)
    symbols = [s for s in ("+", "*", *_TAUGHT, "sin", "sigmoid") if s in vocabulary.methods]
    weighted = [*symbols, "+", "*", "*"]
    for size in (*range(3, 13), *(8, 12, 16, 20) * 5):
        text, values = sample(random, size, weighted, literals={"+", "*"} <= vocabulary.numbers)
        yield _check("random", text, **values)


def _edges(vocabulary: Vocabulary) -> Iterator[Check]:
    for symbol in ("tanh", "sigmoid"):
        if symbol in vocabulary.methods:
            yield from [_check("edges", called(symbol, "a"), a=x) for x in (400.0, -400.0)]
