"""The expression language, through its one door: `parse`.

Start reading at the fixtures: tests/fixtures/expressions.json says what each text means or why it
is refused, and the TypeScript parser reads the same file. The rest is what examples cannot show:
agreement with Python's own parser and arithmetic, the round trip, and hostile input.
"""

from __future__ import annotations

import ast
import copy
import doctest
import json
import math
import pickle
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import texts

from gradwalk.engine import CONST, Value, topological_order
from gradwalk.errors import ExpressionError, OperandError
from gradwalk.expr import FUNCTIONS, MAX_BYTES, MAX_DEPTH, Expression, Node, parse

CASES = json.loads((Path(__file__).parent / "fixtures/expressions.json").read_text("utf-8"))[
    "cases"
]
GOOD = [case for case in CASES if "value" in case]
BAD = [case for case in CASES if "error" in case]


def name_of(case: dict[str, Any]) -> str:
    return ascii(case["text"][:40]) + (" strict" if case.get("strict") else "")


def refusal(text: str, **options: Any) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        parse(text, **options)
    return caught.value


def as_number(number: float) -> float:
    return int(number) if number == int(number) else number


def graph_of(root: Value) -> list[list[Any]]:
    order = topological_order(root)
    ids = {node: index for index, node in enumerate(order)}

    def row(node: Value) -> list[Any]:
        if node._op == CONST:
            return [as_number(node.data)]
        if not node._children:
            return [node.label]
        return [node._op, *[ids[child] for child in node._children]]

    return [row(node) for node in order]


def node_row(node: Node) -> list[Any]:
    held = as_number(node.number) if node.op == CONST else node.name or None
    return [node.op, list(node.operands), held, node.start, node.end]


def tree_of(expression: Expression) -> Any:
    """The one statement of an expression as nested tuples."""
    trees: list[Any] = []
    for node in expression.nodes:
        if node.op == CONST:
            trees.append(node.number)
        elif node.op == "name":
            trees.append(node.name)
        else:
            trees.append((node.op, *[trees[index] for index in node.operands]))
    return trees[-1]


# ── The fixtures ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("case", GOOD, ids=name_of)
def test_a_text_means_what_the_fixtures_say(case: dict[str, Any]) -> None:
    expression = parse(case["text"], strict=case.get("strict", False))
    root = expression.evaluate(case["values"])
    assert list(expression.names) == case["names"]
    assert root.data == pytest.approx(case["value"], rel=1e-12, abs=0)
    assert str(expression) == case["normal"]
    if "graph" in case:
        assert graph_of(root) == case["graph"]
    if "nodes" in case:
        assert [node_row(node) for node in expression.nodes] == case["nodes"]


@pytest.mark.parametrize("case", GOOD, ids=name_of)
def test_the_normal_form_parses_to_an_equal(case: dict[str, Any]) -> None:
    expression = parse(case["text"])
    again = parse(str(expression))
    assert again == expression
    assert hash(again) == hash(expression)
    assert str(again) == str(expression)


@pytest.mark.parametrize("case", BAD, ids=name_of)
def test_a_text_is_refused_with_the_column_and_words_of_the_fixtures(case: dict[str, Any]) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(case["text"], strict=case.get("strict", False)).evaluate(case.get("values", {}))
    error = caught.value
    assert {"column": error.column, "message": error.message} == case["error"]
    assert error.text == case["text"]


# ── Worked examples ──────────────────────────────────────────────────────────────────────────


# ── Graphs ───────────────────────────────────────────────────────────────────────────────────


def test_variables_and_assigned_names_label_their_nodes() -> None:
    root = parse("d = a*b; e = d + 2; e").evaluate({"a": 2, "b": 3})
    assert [node.label for node in topological_order(root)] == ["a", "b", "d", "", "e"]


def test_a_variable_that_the_result_does_not_use_is_a_leaf_all_the_same() -> None:
    root, leaves = parse("where(a > 0, b, c)").bind({"a": 1, "b": 2, "c": 3})
    root.backward()
    assert [leaves[name].grad for name in "abc"] == [0, 1, 0]


def test_the_leaves_stay_the_variables_when_their_names_are_assigned_again() -> None:
    root, leaves = parse("a = a*2; d = a + 1").bind({"a": 3})
    root.backward()
    assert {name: (leaf.data, leaf.grad) for name, leaf in leaves.items()} == {"a": (3, 2)}


def test_values_are_any_real_numbers() -> None:
    assert (
        parse("a + b + c").evaluate({"a": Fraction(1, 2), "b": True, "c": 10**400}).data == math.inf
    )


@pytest.mark.parametrize("number", ["3", None, 1j, [1], Value(1.0)], ids=repr)
def test_a_value_that_is_no_real_number_is_an_operand_error_that_names_the_variable(number) -> None:
    with pytest.raises(OperandError, match=r"^b takes a real number, not "):
        parse("a*b").evaluate({"a": 1, "b": number})


def test_a_variable_that_is_no_str_is_an_operand_error() -> None:
    with pytest.raises(OperandError, match="a variable is a str, not int: 1"):
        parse("a").evaluate({1: 2})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("text", [None, 3, b"a", ["a"]], ids=repr)
def test_a_text_that_is_no_str_is_an_operand_error(text: Any) -> None:
    with pytest.raises(OperandError, match="parse takes a str, not "):
        parse(text)


def test_the_keys_of_values_are_normalised_as_names_are() -> None:
    assert parse("\u00e9 * 2").evaluate({"e\u0301": 3}).data == 6


# ── The parsed form ──────────────────────────────────────────────────────────────────────────


def test_equal_expressions_are_those_that_do_the_same() -> None:
    assert parse("(a+b) *c") == parse("(a + b)*(c)")
    assert parse("a + b") != parse("b + a")
    assert parse("a") != "a"
    assert len({parse("a*2"), parse("a * 2.0"), parse("2*a")}) == 2


def test_an_expression_survives_pickle_and_copy() -> None:
    expression = parse("d = a*b; d + 1")
    for other in (pickle.loads(pickle.dumps(expression)), copy.deepcopy(expression)):
        assert (other, other.text) == (expression, expression.text)


def test_a_node_spans_what_was_written_for_it() -> None:
    text = "d = exp(a) * -(b + 2); d"
    spans = [text[node.start : node.end] for node in parse(text).nodes]
    assert spans[:6] == ["a", "exp(a)", "b", "2", "b + 2", "-(b + 2)"]
    assert spans[6:] == ["exp(a) * -(b + 2)", "d = exp(a) * -(b + 2)", "d"]


def test_an_error_shows_a_caret_under_the_column() -> None:
    assert str(refusal("a + b ^ 2")) == (
        "unexpected '^': power is written **, as in a**2\n  a + b ^ 2\n        ^"
    )


def test_the_page_about_expressions_prints_what_it_says() -> None:
    page = Path(__file__).parents[1] / "docs/expressions.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 10
    assert failed == 0


# ── Python as the oracle ─────────────────────────────────────────────────────────────────────

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
_COMPARISONS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
SIGNS = [*_SIGNS.values(), *_COMPARISONS.values()]


def python_tree(node: ast.expr) -> Any:
    """What Python's own parser makes of an expression, as `tree_of` writes it."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return python_tree(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = python_tree(operand)
            return -inner if isinstance(inner, float) else ("neg", inner)
        case ast.BinOp(left=left, op=op, right=right):
            return (_SIGNS[type(op)], python_tree(left), python_tree(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return (_COMPARISONS[type(op)], python_tree(left), python_tree(right))
        case ast.Call(func=ast.Name(id=name), args=args):
            return (name, *[python_tree(arg) for arg in args])
        case _:
            raise AssertionError(ast.dump(node))


def python_expressions(functions: tuple[str, ...], signs: str) -> st.SearchStrategy[str]:
    """Texts with few parentheses, so that precedence decides."""
    numbers = st.sampled_from(["2", "3", ".5", "1.", "1e-1", "2_0"])
    atoms = st.sampled_from(["a", "b", "a1", "long_name"]) | numbers

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return (
            st.builds("{}{}{}".format, inner, st.sampled_from(signs.split()), inner)
            | st.builds("{} {}".format, st.sampled_from(["-", "+", "- -"]), inner)
            | st.builds("({})".format, inner)
            | st.builds("{}({})".format, st.sampled_from(functions), inner)
        )

    return st.recursive(atoms, grow, max_leaves=25)


@given(python_expressions(("exp", "relu"), "+ - * / **"))
def test_precedence_is_that_of_pythons_own_parser(text: str) -> None:
    assert tree_of(parse(text)) == python_tree(ast.parse(text, mode="eval").body)


@given(
    python_expressions(("exp",), "+ - * **"),
    st.sampled_from(list(_COMPARISONS.values())),
    python_expressions(("exp",), "/ **"),
)
def test_a_comparison_binds_less_than_any_arithmetic(left: str, sign: str, right: str) -> None:
    text = f"where({left}{sign}{right}, a, b)"
    assert tree_of(parse(text)) == python_tree(ast.parse(text, mode="eval").body)


@given(st.text("ab12.()+-*/ =<;\n", max_size=12))
def test_what_parses_here_parses_in_python(text: str) -> None:
    try:
        parse(text)
    except ExpressionError:
        return
    # Python minds empty statements, indentation and leading zeros; this language does not.
    statements = [part.strip() for part in str(parse(text)).split(";")]
    ast.parse("\n".join(statements))


NAMES = {"a": 1.75, "b": -0.625, "c": 3.0, "d": 0.3}


PLAIN: dict[str, Any] = {
    "abs": math.fabs,
    "maximum": max,
    "minimum": min,
    "where": lambda condition, x, y: x if condition else y,
    **{name: getattr(math, name) for name in ("exp", "sin", "tanh", "atan2", "hypot")},
}


def test_values_are_those_of_pythons_own_arithmetic() -> None:
    rng = random.Random(20240229)
    compared = 0
    for _ in range(6000):
        text = texts.expression(rng, rng.randint(1, 12), [*NAMES], [*PLAIN])
        try:
            plain = text.replace("\u00a0", " ").strip()
            expected = eval(plain, {"__builtins__": {}}, {**PLAIN, **NAMES})
        except (ArithmeticError, ValueError, TypeError):
            continue  # a division by 0, or a power that is complex
        if isinstance(expected, complex) or not math.isfinite(expected):
            continue
        expression = parse(text)
        root = expression.evaluate({name: NAMES[name] for name in expression.names})
        # a/b is a * b**-1 here, one rounding more: what cancels later makes that show.
        largest = max(abs(node.data) for node in topological_order(root))
        assert root.data == pytest.approx(expected, rel=1e-12, abs=1e-12 * largest), text
        compared += 1
    assert compared > 3000


# ── The round trip ───────────────────────────────────────────────────────────────────────────


def full_text(tree: Any) -> str:
    """A tree as text with every parenthesis that could be written."""
    match tree:
        case float():
            return f"({tree!r})"
        case str():
            return tree
        case ("neg", inner):
            return f"(-{full_text(inner)})"
        case (op, left, right) if op not in FUNCTIONS:
            return f"({full_text(left)} {op} {full_text(right)})"
        case (op, *operands):
            return f"{op}({', '.join(full_text(operand) for operand in operands)})"
        case _:
            raise AssertionError(tree)


def trees() -> st.SearchStrategy[Any]:
    names = st.sampled_from(["a", "x1", "β", "名前", "_", "e"])
    leaves = st.floats(allow_nan=False, allow_infinity=False) | names

    def grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        calls = [st.tuples(st.just(op.symbol), *[inner] * op.arity) for op in FUNCTIONS.values()]
        signs = st.sampled_from(SIGNS)
        negated = inner.filter(lambda tree: not isinstance(tree, float))  # -3 is a number
        return (
            st.tuples(signs, inner, inner) | st.tuples(st.just("neg"), negated) | st.one_of(calls)
        )

    return st.recursive(leaves, grow, max_leaves=20)


@given(trees())
def test_any_tree_comes_back_from_its_text_and_from_its_normal_text(tree: Any) -> None:
    expression = parse("r = " + full_text(tree))
    assert tree_of(expression) == ("=", tree)
    again = parse(str(expression))
    assert again == expression
    assert len(str(again)) <= len("r = " + full_text(tree))


# ── Limits and hostile input ─────────────────────────────────────────────────────────────────


def test_the_longest_text_is_4096_bytes_of_utf_8() -> None:
    assert parse("a" * MAX_BYTES).names == ("a" * MAX_BYTES,)
    assert parse("é" * (MAX_BYTES // 2)).names == ("é" * (MAX_BYTES // 2),)
    for text in ("a" * (MAX_BYTES + 1), "é" * (MAX_BYTES // 2) + "a", "\ud800" * 1366, "a" * 10**7):
        error = refusal(text)
        assert error.message.startswith("the text is longer than 4096 bytes")
        assert len(error.text) <= MAX_BYTES  # a caret under ten megabytes helps nobody


@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [
        *[("(", "a", ")"), ("-", "a", ""), ("+", "a", ""), ("a**", "a", ""), ("exp(", "a", ")")],
        *[("maximum(a, ", "a", ")"), ("(a+b*", "c", ")"), ("where(a < b, ", "c", ", d)")],
    ],
)
def test_the_deepest_nesting_is_64(opening: str, middle: str, closing: str) -> None:
    def nested(depth: int) -> str:
        return opening * depth + middle + closing * depth

    assert parse(nested(MAX_DEPTH)).nodes
    assert refusal(nested(MAX_DEPTH + 1)).message.startswith("nested more than 64 deep")


def hostile_texts(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    valid = [case["text"] for case in GOOD]

    def unicode_soup() -> str:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randint(0, 20)))

    def token_soup() -> str:
        return rng.choice(["", " "]).join(rng.choices(texts.SOUP, k=rng.randint(1, 25)))

    def mutated() -> str:
        return texts.mutated(rng, rng.choice(valid))

    def deep() -> str:
        opening = "".join(rng.choices(["(", "-", "exp(", "a**", "a+(", "where(a<b,", "x="], k=2))
        return opening * rng.randint(1, 70) + "a" + rng.choice([")", "))", ""]) * rng.randint(0, 70)

    def long() -> str:
        return "".join(rng.choices(texts.SOUP, k=3)) * rng.randint(1, 1500)

    makers = [unicode_soup] * 30 + [token_soup] * 30 + [mutated] * 36 + [deep] * 3 + [long]
    return [rng.choice(makers)() for _ in range(count)]


def outcome(text: str) -> Expression | ExpressionError:
    """What came of a text; any other exception fails the test."""
    try:
        return parse(text)
    except ExpressionError as error:
        return error


def test_100_000_hostile_texts_raise_an_expression_error_or_nothing() -> None:
    accepted = 0
    for text in [text for seed in range(10) for text in hostile_texts(10_000, seed)]:
        result = outcome(text)
        if isinstance(result, ExpressionError):
            assert 0 <= result.column <= len(text), text
            assert result.message, text
            str(result).encode("utf-8")  # no surrogate comes back out
            continue
        accepted += 1
        result.evaluate(dict.fromkeys(result.names, 1.5))
        normal = str(result)
        if len(normal.encode()) <= MAX_BYTES:  # its spaces may make it too long
            assert parse(normal) == result, text
    assert accepted > 5_000  # a fuzz that only meets refusals tests little
