"""The browser's engine is Python's twin: same table, same graphs, same walks, same errors (E15).

Both sides answer the same questions, thousands of them, and the answers are compared by their bits:

- Structure, words, orders, layouts, and everything that is computed by + - * and sqrt alone are
  equal to the last bit. A division is a * b**-1; it is equal wherever the C library rounds b**-1
  correctly. glibc misses that once in a thousand times, by one unit in the last place, where
  JavaScript's 1/b is right.
- Every other operation is within 4 units in the last place of Python's, on equal operands. The
  nodes of whole programs are held to that too, one by one: what TypeScript computed from its own
  operands is what Python's rule gives for the very same operands. So no difference can hide
  behind the rounding of what came before, and none is excused by it.
- Whole programs are compared end to end as well, at 1e-9, where a change of the inputs by 1e-12
  changes Python's own result by less than 1e-10.
"""

from __future__ import annotations

import json
import math
import struct
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import texts, web_core
from support.bits import bits
from support.exact import points
from support.pictures import random_graph
from support.web_core import Core, double, exact, graph_from, rows

from gradwalk import Graph, GraphError, Value, parse, paths, snapshot, walk
from gradwalk.engine import CONST, nary, topological_order, zero_grad
from gradwalk.errors import ExpressionError, GradwalkError
from gradwalk.expr import FUNCTIONS, MAX_BYTES, MAX_DEPTH, Expression
from gradwalk.graph import number
from gradwalk.ops import BY_NAME, BY_SYMBOL, TABLE, Op, divides_plainly
from gradwalk.render.json import graph_json, paths_json, walk_json
from gradwalk.render.layout import layout
from gradwalk.walk import BUGS

ROOT = web_core.ROOT
inf, nan = math.inf, math.nan

MOST_ULPS = 4


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    yield from web_core.running()


# ── Rows and names ───────────────────────────────────────────────────────────────────────────


def test_the_tables_have_the_same_rows_in_the_same_order(core: Core) -> None:
    assert core.ask("table") == [
        {
            "name": op.name,
            "symbol": op.symbol,
            "operands": list(op.operands),
            "formulas": list(op.formulas),
            "reason": op.reason,
            "probes": exact(op.probes),
            "edges": [exact(edge._asdict()) for edge in op.edges],
            "infix": op.infix,
            "derived": op.derived,
            "stands_for": op.stands_for,
            "selects": op.selects,
            "aliases": list(op.aliases),
            "defaults": exact(op.defaults),
            "arity": op.arity,
            "is_function": op.is_function,
            "is_method": op.is_method,
            "least": op.least,
        }
        for op in TABLE
    ]


def test_bugs_functions_limits_and_the_words_for_lists_are_the_same(core: Core) -> None:
    assert core.ask("words") == {
        "bugs": list(BUGS),
        "nary": {name: row.reason for name, row in nary.TABLE.items()},
        "functions": {name: op.name for name, op in FUNCTIONS.items()},
        "limits": [MAX_BYTES, MAX_DEPTH],
    }


# ── Numbers and texts ────────────────────────────────────────────────────────────────────────


def doubles(random: Random, count: int) -> list[float]:
    found = [0.0, -0.0, inf, -inf, nan, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
    for _ in range(count):
        found.append(struct.unpack(">d", random.randbytes(8))[0])
        found.append(random.uniform(-1, 1) * 10 ** random.randint(-8, 24))
        found.append(random.randint(-(10**7), 10**7) / random.choice([1, 2, 4, 8, 10, 64, 1000]))
        # Half way between two texts of six digits: 100000.5, 1.2345675 · 2**k
        found.append((random.randint(100_000, 999_999) + 0.5) * 10 ** random.randint(0, 9))
        found.append((random.randint(100_000, 999_999) + 0.5) / 2 ** random.randint(0, 30))
    return found


def test_numbers_are_written_as_python_writes_them(core: Core) -> None:
    numbers = doubles(Random("numbers"), 4000)
    answers = core.ask("numbers", numbers=[*map(bits, numbers)])
    for x, answer in zip(numbers, answers, strict=True):
        assert answer == [number(x), repr(x)], repr(x)


def assigned() -> list[str]:
    """All characters that this Python knows; later Unicodes have more."""
    return [c for c in map(chr, range(0x110000)) if unicodedata.category(c) != "Cn"]


def test_every_character_is_quoted_as_python_quotes_it(core: Core) -> None:
    texts = [*assigned(), "", "it's", 'say "hi"', "both ' and \"", "\\", "a\nb\tc\rd\x00e\x1bf"]
    answers = core.ask("texts", texts=texts)
    wrong = [
        (text, answer)
        for text, answer in zip(texts, answers, strict=True)
        if answer != [repr(text), len(text)]
    ]
    assert not wrong


# ── One operation ────────────────────────────────────────────────────────────────────────────

EXACT = {"add", "mul", "neg", "sub", "abs", "sqrt", "relu", "leaky_relu", "maximum", "minimum"}
EXACT |= {"where", "clip", "floor", "sign"}
EXACT_PARTIALS = EXACT | {"exp", "log", "log1p", "tan", "asin", "acos", "atan", "hypot"}

SPECIAL = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 0.5, -0.5, 2.0, -3.0, 5e-324, 1e308, -1e308, 40.0]


def ulps(ours: float, theirs: float, scale: float = 0.0) -> float:
    """Return how many units in the last place of `ours`, or of a larger `scale`, lie between."""
    if bits(ours) == bits(theirs):
        return 0.0
    if not (math.isfinite(ours) and math.isfinite(theirs)):
        # At the end of the doubles the next one is an infinity.
        near = abs(ours) > 1.797e308 and abs(theirs) > 1.797e308 and ours * theirs > 0
        return 1.0 if near else inf
    return abs(ours - theirs) / math.ulp(max(abs(ours), scale))


def rounds_correctly(y: float) -> bool:
    """Whether the C library's y**-1 is the double nearest to 1/y."""
    return y == 0 or y != y or BY_NAME["pow"].value(y, -1.0) == 1.0 / y


def largest_term(name: str, operands: tuple[float, ...]) -> float:
    """Return the largest of the terms that a partial is the sum of, since they may cancel."""
    x = operands[0]
    if name == "gelu":
        return max(0.5 * math.erfc(-x * math.sqrt(0.5)), abs(x) * 0.4 * math.exp(-x * x / 2))
    if name == "silu":
        return max(1.0, abs(x) * 0.25) if abs(x) < 40 else 0.0
    return 0.0


def sampled(op: Op, seed: str) -> list[tuple[float, ...]]:
    random = Random(f"{seed} {op.name}")
    found = [*points(op.name, 400, seed), *op.probes, *[edge.operands for edge in op.edges]]
    found += [tuple(random.choice(SPECIAL) for _ in op.operands) for _ in range(200)]
    return [tuple(map(float, point)) for point in found]


@pytest.mark.parametrize("op", TABLE, ids=lambda op: op.name)
def test_an_operation_is_within_4_ulp_of_python_and_most_are_equal(core: Core, op: Op) -> None:
    at = sampled(op, "values")
    answers = core.ask("values", name=op.name, points=[[*map(bits, point)] for point in at])
    for point, answer in zip(at, answers, strict=True):
        ours, theirs = op.value(*point), double(answer)
        same = op.name in EXACT or (op.name == "div" and rounds_correctly(point[1]))
        most = 0 if same else MOST_ULPS
        assert ulps(ours, theirs) <= most, f"{op.name}{point} is {ours!r}, there {theirs!r}"


@pytest.mark.parametrize("op", TABLE, ids=lambda op: op.name)
def test_a_partial_is_within_4_ulp_of_python_on_equal_operands(core: Core, op: Op) -> None:
    at = [(op.value(*point), *point) for point in sampled(op, "partials")]
    answers = core.ask("partials", name=op.name, points=[[*map(bits, point)] for point in at])
    for point, answer in zip(at, answers, strict=True):
        for rule, slope in zip(op.partials, answer, strict=True):
            ours, theirs = rule(*point), double(slope)
            most = 0 if op.name in EXACT_PARTIALS else MOST_ULPS
            scale = largest_term(op.name, point[1:])
            assert ulps(ours, theirs, scale) <= most, f"{op.name}{point}: {ours!r}, {theirs!r}"


# ── Expressions ──────────────────────────────────────────────────────────────────────────────

CASES = json.loads((ROOT / "tests/fixtures/expressions.json").read_text("utf-8"))["cases"]


def refusal(error: GradwalkError) -> dict[str, Any]:
    is_expression = isinstance(error, ExpressionError)
    return {
        "error": {
            "name": type(error).__name__,
            "message": error.message if is_expression else str(error),
            "column": error.column if is_expression else None,
            "shown": str(error) if is_expression else f"{type(error).__name__}: {error}",
        }
    }


def parsed(expression: Expression) -> dict[str, Any]:
    return {
        "names": list(expression.names),
        "nodes": [exact(node._asdict()) for node in expression.nodes],
        "text": expression.text,
        "normal": str(expression),
    }


def parse_answer(text: str, strict: bool) -> dict[str, Any]:
    try:
        return parsed(parse(text, strict=strict))
    except GradwalkError as error:
        return refusal(error)


def shape(recorded: list[dict[str, Any]]) -> list[Any]:
    return [[row["op"], row["label"], row["children"]] for row in recorded]


def recorded(root: Value) -> list[dict[str, Any]]:
    order = topological_order(root)
    ids = {value: index for index, value in enumerate(order)}
    return [
        {
            "op": value._op,
            "label": value.label,
            "data": bits(value.data),
            "grad": bits(value.grad),
            "children": [ids[child] for child in value._children],
            "local_grads": [*map(bits, value._local_grads or ())],
        }
        for value in order
    ]


def test_the_fixtures_of_the_language_read_the_same_there(core: Core) -> None:
    for case in CASES:
        text, strict = case["text"], case.get("strict", False)
        assert core.ask("parse", text=text, strict=strict) == parse_answer(text, strict), text
        values = [[name, bits(float(value))] for name, value in case.get("values", {}).items()]
        answer = core.ask("evaluate", text=text, strict=strict, values=values)
        if "error" in case:
            error = answer["error"]
            assert {word: error[word] for word in ("column", "message")} == case["error"], text
        else:
            value = double(answer["recorded"][-1]["data"])
            assert value == pytest.approx(case["value"], rel=1e-12, abs=0), text


def test_thousands_of_wrong_texts_are_refused_in_the_same_place_with_the_same_words(core) -> None:
    random = Random("wrong texts")
    wrong = [texts.soup(random) for _ in range(2000)]
    for _ in range(4000):
        text = texts.program(random, list(FUNCTIONS))
        wrong.append(texts.mutated(random, text))
    questions = [{"ask": "parse", "text": t, "strict": random.random() < 0.2} for t in wrong]
    refused = 0
    for question, answer in zip(questions, core.ask_all(questions), strict=True):
        expected = parse_answer(question["text"], question["strict"])
        assert answer == expected, repr(question["text"])
        refused += "error" in expected
    assert refused > 3000


HOSTILE = [
    "(" * 5000,
    "(" * 64 + "a" + ")" * 64,
    "(" * 65 + "a" + ")" * 65,
    "-" * 100 + "a",
    "+".join("a" * 2000),
    "**".join("a" * 70),
    *("a" * 4096, "a" * 4097),
    *("é" * 2048, "é" * 2049),
    *("😀" * 1024, "😀" * 1025),
    *("\ud800" * 1365, "\ud800" * 1366),
    "1" * 400,
    "\n" * 4096,
    "sin" + "n" * 38 + "(a)",
    "\u00a0" * 20 + "😀" * 40 + " a ^",
]


def test_a_hostile_text_meets_the_same_limits(core: Core) -> None:
    for text in HOSTILE:
        assert core.ask("parse", text=text, strict=False) == parse_answer(text, False), text[:20]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a*b", {"a": 1}),
        ("a*b", {"a": 1, "b": 2, "c": 3}),
        ("alpha*beta", {"alpha": 1, "beta": 2, "alhpa": 3}),
        ("d = a; d", {"a": 1, "d": 2}),
        ("1 + 2", {"it's": 3}),
        ("é", {"e\u0301": 1}),
        ("+".join(f"x{i}" for i in range(12)), {"y": 1}),
        ("__proto__ + constructor", {"__proto__": 1, "constructor": 2}),
    ],
)
def test_values_that_do_not_fit_are_refused_with_the_same_words(core, text, values) -> None:
    given = [[name, bits(float(value))] for name, value in values.items()]
    answer = core.ask("evaluate", text=text, strict=False, values=given)
    try:
        expected = {"recorded": recorded(parse(text).evaluate(values))}
    except GradwalkError as error:
        expected = refusal(error)
    assert {word: answer[word] for word in expected} == expected


# ── Programs ─────────────────────────────────────────────────────────────────────────────────


class Asked:
    """A program, the questions about it, Python's graph and the answer of TypeScript."""

    answer: Any

    def __init__(self, random: Random, text: str, values: dict[str, float], explain: bool) -> None:
        self.text = text
        self.values = values
        self.root = parse(text).evaluate(values)
        self.graph = snapshot(self.root)
        free = [node.id for node in self.graph.nodes if not node.is_const]
        shuffled = random.sample(free, len(free))
        nearly = sorted(free, reverse=True)
        if len(free) > 2:  # two neighbours the wrong way around: most other orders give 0
            place = random.randrange(len(free) - 1)
            nearly[place], nearly[place + 1] = nearly[place + 1], nearly[place]
        bug = random.choice([None, None, "overwrite"])
        self.orders: list[dict[str, Any]] = [{"order": nearly, "bug": bug}]
        other = random.choice([shuffled, shuffled, free[1:], [*free, *free[:2]]])
        self.orders.append({"order": other, "bug": random.choice([None, None, "no-reset"])})
        self.bugs = [random.choice([*BUGS, *BUGS, "typo"])]
        self.to = [[random.randrange(len(self.graph)), random.choice([1, 3, 100])]]
        self.question: dict[str, Any] = {
            "ask": "evaluate",
            "text": text,
            "strict": False,
            "values": [[name, bits(value)] for name, value in values.items()],
        }
        if explain:
            self.question |= {"orders": self.orders, "bugs": self.bugs, "to": self.to}

    def __repr__(self) -> str:
        return f"{self.text!r} at {self.values}"


def asked(core, seed, count, functions, *, explain=False) -> Iterator[Asked]:
    random = Random(seed)
    for _ in range(0, count, 100):
        programs = [random_program(random, functions, explain) for _ in range(100)]
        answers = core.ask_all([program.question for program in programs])
        for program, program.answer in zip(programs, answers, strict=True):
            yield program


def random_program(random: Random, functions: list[str], explain: bool) -> Asked:
    text = texts.program(random, functions)
    names = parse(text).names
    values = {name: round(random.uniform(-3, 3), random.choice([0, 1, 15])) for name in names}
    if random.random() < 0.1 and names:
        values[random.choice(names)] = random.choice(SPECIAL)
    return Asked(random, text, values, explain)


def outcome(question: Any) -> Any:
    try:
        return question()
    except GraphError as error:
        return refusal(error)


def told(graph: Graph, **options: Any) -> dict[str, Any]:
    """Return what an order or a bug makes of a walk; the sort and forward are as ever."""
    found = walk_json(replace(walk(graph, **options), forward=(), sort=()))
    return {word: found[word] for word in ("order", "backward", "grads", "expected", "lost", "bug")}


def assert_the_walks_agree(program: Asked) -> None:
    """All that is told about a graph is computed by + and *: on equal graphs it has equal bits."""
    answer = program.answer
    graph = graph_from(answer["folded"])
    assert walk_json(walk(graph)) == answer["walk"], program
    for options, found in zip(program.orders, answer["orders"], strict=True):
        assert outcome(lambda o=options: told(graph, **o)) == found, (program, options)
    for bug, found in zip(program.bugs, answer["bugs"], strict=True):
        assert outcome(lambda b=bug: told(graph, bug=b)) == found, (program, bug)
    for (to, most), found in zip(program.to, answer["paths"], strict=True):
        assert outcome(lambda t=to, m=most: paths_json(paths(graph, t, m))) == found, (program, to)


def assert_the_graphs_agree(program: Asked) -> None:
    answer = program.answer
    assert shape(answer["recorded"]) == shape(recorded(program.root)), program
    unfolded = program.graph.unfold()
    for ours, theirs in ((program.graph, answer["folded"]), (unfolded, answer["unfolded"])):
        for node, there in zip(ours.nodes, theirs["nodes"], strict=True):
            here = [node.op, node.label, ours.name(node.id), list(node.tags), exact(node.operands)]
            words = ("op", "label", "name", "tags", "operands")
            assert here == [there[word] for word in words], program


def data_of(answer: dict[str, Any]) -> list[float]:
    return [double(row["data"]) for row in answer["recorded"]]


def assert_each_node_follows_from_its_operands(program: Asked) -> None:
    """The nodes that TypeScript made, one by one, by Python's rules on TypeScript's numbers."""
    made = program.answer["recorded"]
    data = data_of(program.answer)
    for row, out in zip(made, data, strict=True):
        if not row["children"]:
            continue
        operands = tuple(data[child] for child in row["children"])
        if row["op"] == "hypot" and any(map(math.isnan, operands)):
            continue  # abs(complex(nan, 0)) raises at times in Python 3.11, by a stale errno
        # Recorded nodes are primitives, whatever derived symbol the outer one carries; a division
        # by an extreme number is one itself.
        primitives = {"-": "+", "neg": "*"}
        if row["op"] == "/" and divides_plainly(operands[1]):
            primitives["/"] = "*"
        op = BY_SYMBOL[primitives.get(row["op"], row["op"])]
        assert ulps(op.value(*operands), out) <= MOST_ULPS, (program, row["op"], operands)
        scale = largest_term(op.name, operands)
        slopes = map(double, row["local_grads"])
        for child, rule, theirs in zip(row["children"], op.partials, slopes, strict=True):
            if made[child]["op"] == CONST and theirs == 0:
                continue
            apart = ulps(rule(out, *operands), theirs, scale)
            assert apart <= MOST_ULPS, (program, row["op"], operands)


def test_thousands_of_programs_make_the_same_graphs_and_walks(core: Core) -> None:
    compared = 0
    for program in asked(core, "programs", 3000, list(FUNCTIONS), explain=True):
        assert_the_graphs_agree(program)
        assert_the_walks_agree(program)
        assert_each_node_follows_from_its_operands(program)
        compared += 1
    assert compared == 3000


def test_programs_of_exact_operations_have_equal_bits_from_end_to_end(core: Core) -> None:
    equal_data = equal_grads = 0
    for program in asked(core, "exact programs", 1500, texts.EXACT_FUNCTIONS):
        assert_the_graphs_agree(program)
        nodes = topological_order(program.root)
        if not all(power_is_exact(value) for value in nodes if value._op == "**"):
            continue
        there = program.answer["recorded"]
        assert [row["data"] for row in there] == [bits(value.data) for value in nodes], program
        equal_data += 1
        # The slope of x**-1 is by x**-2, which neither side need round correctly.
        locals_there = [row["local_grads"] for row in there]
        for value, slopes in zip(nodes, locals_there, strict=True):
            if value._op != "**":
                assert slopes == [*map(bits, value._local_grads or ())], program
        if locals_there == [[*map(bits, value._local_grads or ())] for value in nodes]:
            assert program.answer["folded"] == exact(graph_json(program.graph)), program
            assert program.answer["unfolded"] == exact(graph_json(program.graph.unfold())), program
            program.root.backward()
            assert program.answer["grads"] == [bits(value.grad) for value in nodes], program
            equal_grads += 1
    assert equal_data > 1000
    assert equal_grads > 900


def power_is_exact(value: Value) -> bool:
    """Whether a power is x**-1 or x**2 and the C library rounds it correctly."""
    base, exponent = (child.data for child in value._children)
    if exponent == 2:
        return bits(value.data) == bits(base * base)
    return exponent == -1 and rounds_correctly(base)


# ── The engine through its methods ───────────────────────────────────────────────────────────

METHODS = {"add": "__add__", "mul": "__mul__", "pow": "__pow__", "radd": "__radd__"}
METHODS |= {"rmul": "__rmul__", "rpow": "__rpow__", "sub": "__sub__", "rsub": "__rsub__"}
METHODS |= {"div": "__truediv__", "rdiv": "__rtruediv__"}


def random_steps(random: Random, leaves: int, count: int) -> list[tuple[str, str, list[Any]]]:
    steps: list[tuple[str, str, list[Any]]] = []
    for place in range(leaves, leaves + count):

        def operand(place: int = place, numbers: float = 0.25) -> int | str:
            if random.random() < numbers:
                return bits(random.choice([-1.0, 0.5, 2.0, 3.0]))
            return random.randrange(max(0, place - 6), place)

        node = random.randrange(max(0, place - 4), place)
        kind = random.random()
        if kind < 0.4:
            steps.append(("method", random.choice(["add", "mul", "sub"]), [node, operand()]))
        elif kind < 0.5:
            steps.append(("method", random.choice(["radd", "rmul", "rsub"]), [node, bits(3.0)]))
        elif kind < 0.6:
            steps.append(("method", random.choice(["neg", "abs", "relu", "sqrt", "floor"]), [node]))
        elif kind < 0.7:
            steps.append(("method", random.choice(["maximum", "minimum"]), [node, operand()]))
        elif kind < 0.75:
            method = random.choice(["div", "rdiv", "pow", "rpow"])
            steps.append(("method", method, [node, bits(2.0)]))
        else:
            name = random.choice(["add", "sub", "mul", "neg", "where", "clip", "leaky_relu"])
            op = BY_NAME[name]
            given = [operand() for _ in range(random.randint(op.least, op.arity))]
            given[random.randrange(len(given))] = node
            steps.append(("op", name, given))
    return steps


def run_steps(leaves: list[tuple[str, str]], steps: list[tuple[str, str, list[Any]]]) -> Value:
    nodes = [Value(double(data), label=label) for label, data in leaves]
    for way, name, operands in steps:
        first, *others = [nodes[x] if isinstance(x, int) else double(x) for x in operands]
        if way == "op":
            made = BY_NAME[name](first, *others)
        else:
            method = METHODS.get(name, {"neg": "__neg__", "abs": "__abs__"}.get(name, name))
            made = getattr(first, method)(*others)
        nodes.append(made)
    return nodes[-1]


def test_the_methods_of_value_record_what_pythons_operators_record(core: Core) -> None:
    random = Random("methods")
    for _ in range(600):
        leaves = [(f"v{i}", bits(round(random.uniform(-3, 3), 2))) for i in range(3)]
        steps = random_steps(random, 3, random.randint(1, 14))
        answer = core.ask("program", leaves=leaves, steps=steps, times=3)
        root = run_steps(leaves, steps)
        runs = []
        for _ in range(3):
            root.backward()
            runs.append([row["grad"] for row in recorded(root)])
        graph = snapshot(root)
        assert shape(answer["recorded"]) == shape(recorded(root)), steps
        if not any(value._op == "**" for value in topological_order(root)):
            assert answer["recorded"] == recorded(root), steps
            assert answer["runs"] == runs, steps
            assert answer["folded"] == exact(graph_json(graph)), steps
            assert answer["text"] == repr_after_zero_grad(root)
        assert answer["zeroed"]


def repr_after_zero_grad(root: Value) -> str:
    zero_grad(root)
    return repr(root)


# ── Graphs that Python made ──────────────────────────────────────────────────────────────────


def test_a_graph_that_python_sent_is_walked_and_drawn_the_same(core: Core) -> None:
    random = Random("graphs")
    options = [{"pills": True, "compare": False}, {"pills": False, "compare": True}]
    for size in (3, 5, 8, 12, 20, 40, 80, 150):
        for _ in range(200 // size + 2):
            graph = random_graph(random.randrange(2**32), size)
            free = [node.id for node in graph.nodes if not node.is_const]
            order = random.sample(free, len(free))
            leaf = random.choice(free)
            answer = core.ask(
                "graph",
                nodes=rows(graph),
                orders=[{"order": order}],
                bugs=[*BUGS],
                to=[[leaf, 20]],
                layouts=options,
            )
            assert walk_json(walk(graph)) == answer["walk"]
            assert outcome(lambda: told(graph, order=order)) == answer["orders"][0]  # noqa: B023
            for bug, found in zip(BUGS, answer["bugs"], strict=True):
                assert outcome(lambda: told(graph, bug=bug)) == found  # noqa: B023
            assert outcome(lambda: paths_json(paths(graph, leaf, 20))) == answer["paths"][0]  # noqa: B023
            for chosen, drawn in zip(options, answer["layouts"], strict=True):
                assert drawn == drawing(layout(graph, **chosen))


def drawing(picture: Any) -> dict[str, Any]:
    def fields(thing: Any) -> Any:
        return None if thing is None else thing._asdict()

    return {
        "width": picture.width,
        "height": picture.height,
        "cards": [fields(card) for card in picture.cards],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "operand": edge.operand,
                "points": [fields(point) for point in edge.points],
                "pill": fields(edge.pill),
            }
            for edge in picture.edges
        ],
    }


def test_a_graph_that_python_sent_unfolds_into_what_python_recorded(core: Core) -> None:
    root = parse("d = a - 3; e = -d; 1/e - a/2 + (b - e)*(5 - 2) - -b").evaluate({"a": 2, "b": 4})
    root.backward()
    graph = snapshot(root)
    answer = core.ask("graph", nodes=rows(graph))
    assert answer["refolded"] == exact(graph_json(graph))
    for ours, theirs in zip(graph.unfold().nodes, answer["unfolded"]["nodes"], strict=True):
        for word in ("op", "label", "data", "operands", "local_grads", "tags"):
            assert exact(getattr(ours, word)) == theirs[word]
        assert ours.is_const or exact(ours.grad) == theirs["grad"]


@pytest.mark.parametrize("times", [52, 53, 54, 1023, 1024, 1100])
def test_a_number_of_paths_is_exact_whatever_its_size(core: Core, times: int) -> None:
    root = Value(1.0, label="a")
    for _ in range(times):
        root = root + root
    graph = snapshot(root)
    answer = core.ask("graph", nodes=rows(graph), orders=[], to=[[0, 2]])
    assert answer["paths"] == [outcome(lambda: paths_json(paths(graph, 0, 2)))]


# ── What both sides keep in files ────────────────────────────────────────────────────────────

SAMPLES = sorted((ROOT / "contract/samples").glob("*.json"))
LAYOUTS = ROOT / "tests/fixtures/layout.json"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_of_the_contract_comes_out_as_it_went_in(core: Core, path: Path) -> None:
    kind = path.stem.partition("-")[0]
    if kind not in ("graph", "walk", "paths"):
        pytest.skip(f"the browser has no {kind}")
    sample = json.loads(path.read_text("utf-8"))
    details: dict[str, Any] = {}
    if kind == "walk":
        right = [step["node"] for step in sample["backward"]]
        details = {"bug": sample["bug"], "order": right if "order" in path.stem else None}
    elif kind == "paths":
        details = {"to": sample["to"]}
    answer = core.ask("sample", sample=sample, **details)
    if kind == "paths":  # how many are listed was the caller's choice
        answer["paths"] = answer["paths"][: len(sample["paths"])]
        for field in ("rest", "complete"):
            answer[field] = sample[field]
    assert exact(answer) == exact(sample)  # 2.0 here is 2 there


@pytest.mark.skipif(not LAYOUTS.exists(), reason="tests/fixtures/layout.json is not there yet")
def test_the_layouts_of_the_fixture_are_the_same_to_the_pixel(core: Core) -> None:
    for case in json.loads(LAYOUTS.read_text("utf-8"))["cases"]:
        zero = bits(0.0)
        nodes = [
            {
                "op": op,
                "label": label,
                "data": zero,
                "grad": zero,
                "operands": operands,
                "local_grads": [zero] * len(operands),
                "tags": tags,
            }
            for op, label, operands, tags in case["nodes"]
        ]
        options = case["options"]
        (drawn,) = core.ask("graph", nodes=nodes, layouts=[options])["layouts"]
        found = {
            "width": drawn["width"],
            "height": drawn["height"],
            "cards": [[*card.values()] for card in drawn["cards"]],
            "edges": [
                [
                    edge["source"],
                    edge["target"],
                    edge["operand"],
                    [[*point.values()] for point in edge["points"]],
                    edge["pill"] and [*edge["pill"].values()],
                ]
                for edge in drawn["edges"]
            ],
        }
        for field, value in found.items():
            assert value == case[field], (case["name"], options, field)
