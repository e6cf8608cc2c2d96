"""What renderers write as arithmetic: = where it is exact in the digits shown, else ≈."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from gradwalk import Value, gradcheck, parse, paths, snapshot, walk
from gradwalk.plan import plan
from gradwalk.practice.exercises import EXERCISES, run
from gradwalk.render.html import html
from gradwalk.render.plan import plan_text
from gradwalk.render.svg import svg
from gradwalk.render.text import gradcheck_text, paths_text, walk_text
from gradwalk.statements import relation, stated

ROWS = json.loads(
    (Path(__file__).parent.parent / "contract" / "statements.json").read_text("utf-8")
)

NUMBER = r"[-−]?\d+(?:\.\d+)?(?:e[-+−]?\d+)?"
CHAIN = re.compile(rf"(?<![\w.*^(−-])({NUMBER}(?: (?:[×+*÷/−-]|\*\*) {NUMBER})+) ([=≈]) ({NUMBER})")


@pytest.mark.parametrize(("op", "operands", "result", "sign"), ROWS)
def test_a_row_of_the_contract_has_its_sign(op, operands, result, sign) -> None:
    assert relation(op, operands, result) == sign


def test_a_number_is_stated_when_a_text_has_all_fifteen_digits_of_it() -> None:
    assert [stated(0.1 + 0.2, "0.3"), stated(1 / 3, "0.333333")] == ["=", "≈"]
    assert [stated(-0.0, "0"), stated(float("nan"), "nan"), stated(-2.5, "−2.5")] == ["="] * 3


def mistakes(text: str) -> Iterator[str]:
    """Yield every sum and product in `text` whose sign is wrong, by exact fractions."""
    lines = re.sub(r"</(?!tspan)[^>]+>", "|", text)
    for found in CHAIN.finditer(re.sub(r"<[^>]+>|\x1b\[\d+m", "", lines)):
        left, sign, right = found.groups()
        first, *rest = left.replace("−", "-").split(" ")
        value = Fraction(first)
        for op, number in zip(rest[::2], rest[1::2], strict=True):
            other = Fraction(number)
            if op == "**" or (op in "÷/" and not other):
                break
            value = {"×": value * other, "*": value * other, "+": value + other}.get(
                op, value - other if op == "-" else value / (other or 1)
            )
        else:
            if (value == Fraction(right.replace("−", "-"))) != (sign == "="):
                yield found[0]


def third(x: Value) -> Value:
    return x * 0.3


def written() -> Iterator[tuple[str, str]]:
    """Yield what every renderer writes of expressions with numbers that do not come out even."""
    random = Random(4)
    shapes = [
        *("a*b + c*a", "tanh(a*b) - c/b", "(a + b)*(b - c)**2", "exp(a)*b + a*a*c", "relu(a*c)/b"),
    ]
    for text in shapes * 6:
        digits = random.choice([1, 2, 6])
        values = {name: float(f"{random.uniform(-9, 9):.{digits}g}") for name in "abc"}
        root = parse(text).evaluate(values)
        for subject in (walk(root), walk(root, bug="overwrite")):
            yield text, walk_text(subject, width=200)
            yield text, svg(subject)
            yield text, html(subject)
            yield text, "\n".join([step.equation for step in subject.forward])
        yield text, paths_text(paths(root, "a"), width=200)
        yield text, plan_text(plan(snapshot(root)))
        yield text, gradcheck_text(gradcheck(third, x=values["a"]))


def test_every_renderer_says_equal_only_where_the_shown_digits_are() -> None:
    count = 0
    for title, text in written():
        count += len(CHAIN.findall(text))
        assert [*mistakes(text)] == [], title
    assert count > 500


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_says_equal_only_where_the_shown_digits_are(name: str) -> None:
    for result in run(EXERCISES[name]).results:
        assert [*mistakes(str(result))] == []
