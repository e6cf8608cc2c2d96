"""Worked examples, exercises, generated expressions, the drill, and how answers are graded."""

import contextlib
import io
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwalk import gradcheck, parse, snapshot, walk
from gradwalk.cli import main
from gradwalk.errors import OperandError
from gradwalk.practice import exercises
from gradwalk.practice.answers import accepts, lesson, mistake, read_number, shown
from gradwalk.practice.drill import KINDS, Question, hold, questions
from gradwalk.practice.exercises import EXERCISES, find, grade, run
from gradwalk.practice.generate import sample
from gradwalk.practice.worked import WORKED, graph_of

# ── Exercises ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", EXERCISES)
def test_every_exercise_comes_out_as_expected(name: str) -> None:
    done = run(EXERCISES[name])
    assert [str(result) for result in done.results if not result.ok] == []
    assert done.results


@pytest.mark.parametrize("row", WORKED, ids=lambda row: row.name)
def test_worked_gradients_agree_with_differences_of_plain_floats(row) -> None:
    expression = parse(row.text)

    def height(name: str, h: float) -> float:
        return expression.evaluate({**row.values, name: row.values[name] + h}).data

    for name in expression.names:
        slope = (height(name, 1e-6) - height(name, -1e-6)) / 2e-6
        assert slope == pytest.approx(row.grads[name], abs=1e-6)


def test_a_right_answer_is_graded_right_and_a_wrong_one_is_explained() -> None:
    x6 = find("diamond-a")
    assert grade(x6, "15").ok
    assert grade(x6, "30/2").ok
    wrong = grade(x6, "6")
    assert not wrong.ok
    assert wrong.why.startswith("that is the path d → b → a alone; the paths add up")
    text = wrong.text()
    assert "expected 15, got 6" in text
    assert "9" in text  # the path that was forgotten is on show
    assert grade(x6, "14").why == ""
    assert "not quite" in grade(x6, "14").text()


def held(name: str, *typed: str, width: int = 80) -> tuple[str, list[bool]]:
    """What a person sees who types these lines, and which answers were right."""
    lines, said = iter(typed), []

    def read() -> str | None:
        line = next(lines, None)
        said.append("" if line is None else line + "\n")
        return line

    right = exercises.hold(find(name), read, said.append, width)
    return "".join(said), right


def test_an_exercise_asks_before_it_tells() -> None:
    text, right = held("diamond-a", "15")
    assert right == [True]
    before, _, after = text.partition("a.grad = 15\n")
    assert "15" not in before
    assert "a.grad: expected 15, got 15, right" in after


def test_a_first_wrong_answer_gets_a_hint_and_a_second_one_the_solution() -> None:
    text, right = held("diamond-a", "9", "15")
    assert right == [True]
    assert "that is the path d → c → a alone; the paths add up; try again" in text
    text, right = held("diamond-a", "9", "6")
    assert right == [False]
    assert "a.grad: expected 15, got 6" in text
    assert "∂d/∂a = 15: the sum over 2 paths" in text


def test_an_empty_line_is_no_answer_and_a_question_mark_gives_up() -> None:
    text, right = held("square", "", "nine", "9", "?")
    assert right == [True, False]
    assert "an empty line is no answer; ? shows the solution, q stops" in text
    assert "'nine' is not a number" in text


# ── Numbers as people type them ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *(("3", 3.0), (" -3 ", -3.0), ("−3", -3.0), (".5", 0.5), ("1e-3", 1e-3), ("1/3", 1 / 3)),
        *(("-1/4", -0.25), ("1.5/0.5", 3.0), ("1_000", 1000.0), ("inf", float("inf"))),
        *(("-Infinity", -float("inf")), ("1e-400", 0.0)),
    ],
)
def test_numbers_are_read(typed: str, number: float) -> None:
    assert read_number(typed) == number


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "not a number"),
        ("two", "not a number"),
        ("1/0", "divides by 0"),
        ("1/", "not a number"),
        ("1/2/3", "not a number"),
        ("1e400", "beyond the largest double"),
        ("1e999999999/3", "beyond the largest double"),
        ("0x10", "not a number"),
        ("1,5", "not a number"),
    ],
)
def test_what_is_no_number_is_said(typed: str, complaint: str) -> None:
    with pytest.raises(OperandError, match=complaint):
        read_number(typed)


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_our_own_error(text: str) -> None:
    with contextlib.suppress(OperandError):
        read_number(text)


@pytest.mark.parametrize(
    ("right", "typed", "accepted"),
    [
        *((0.7071067811865476, "0.7071", True), (0.7071067811865476, "0.71", True)),
        *((0.7071067811865476, "0.7", False), (0.7071067811865476, "0.7072", False)),
        *((15.0, "15.0", True), (15.0, "15.01", False), (15.0, "14.999999999999", True)),
        *((0.004, "0.00", False), (1 / 3, "1/3", True), (0.0, "-0", True), (-1.5, "-1.50", True)),
        *((2e-9, "0", False), (1e300, "1e300", True), (float("inf"), "inf", True)),
        *((5.0, "inf", False), (float("inf"), "5", False)),
    ],
)
def test_an_answer_may_be_rounded_but_not_wrong(right: float, typed: str, accepted: bool) -> None:
    assert accepts(right, typed) is accepted


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        *((6.0, "path d → b → a alone"), (9.0, "path d → c → a alone")),
        *((54.0, "the product of the paths"), (-15.0, "the sign is the other way round")),
        *((2.0, "the value of a, not its gradient"), (18.0, "the value of d")),
        *((0.0, "did not matter"), (7.0, "")),
    ],
)
def test_a_wrong_number_says_how_it_was_found(answer: float, words: str) -> None:
    graph = graph_of("b = a + 1; c = a * 3; d = b * c", {"a": 2.0})
    assert words in mistake(graph, graph.find("a").id, answer)
    assert bool(words) is bool(mistake(graph, graph.find("a").id, answer))


# ── Generated expressions ────────────────────────────────────────────────────────────────────

ALL = ("+", "*", "-", "/", "**", "neg", "exp", "log", "relu", "tanh", "sin", "sigmoid")


@given(st.integers(0, 10**9), st.integers(1, 23))
def test_every_name_of_a_sample_is_used_and_its_gradients_are_right(seed: int, size: int) -> None:
    text, values = sample(Random(seed), size, ALL)
    expression = parse(text)
    assert set(expression.names) == set(values)
    graph = snapshot(expression.evaluate(values))
    labels = {node.label for node in graph.nodes if node.label}
    assert labels == set(values) | {part.split(" = ")[0] for part in text.split("; ")}
    assert all(abs(node.data) <= 60 for node in graph.nodes)


@given(st.integers(0, 10**9))
def test_a_sample_is_far_enough_from_kinks_for_differences(seed: int) -> None:
    text, values = sample(Random(seed), 6, ("+", "*", "-", "relu", "tanh", "**"))
    names = list(values)
    source = "\n".join([f"    {line}" for line in text.split("; ")])
    last = text.rpartition("; ")[2].split(" = ")[0]
    scope: dict = {"relu": lambda x: x.relu(), "tanh": lambda x: x.tanh()}
    exec(f"def f({', '.join(names)}):\n{source}\n    return {last}", scope)
    assert gradcheck(scope["f"], *values.values(), tolerance=1e-4)


@given(st.integers(0, 10**9), st.integers(1, 5))
def test_whole_numbers_stay_whole(seed: int, size: int) -> None:
    text, values = sample(Random(seed), size, ("+", "*", "-", "**", "relu"), whole=True)
    graph = graph_of(text, values)
    assert all(node.data.is_integer() for node in graph.nodes)
    assert all(grad.is_integer() for grad in walk(graph).grads)


# ── The drill ────────────────────────────────────────────────────────────────────────────────


def test_the_same_seed_asks_the_same_and_more_begin_with_the_same() -> None:
    assert questions(7, 30)[:10] == questions(7, 10)
    assert questions(7, 10) != questions(8, 10)


@given(st.integers(0, 10**9))
def test_questions_are_small_and_their_answers_are_those_of_the_walk(seed: int) -> None:
    [question] = questions(seed, 1)
    graph = question.graph
    done = question.walk()
    at = graph.find(question.node).id
    answer = {
        "value": graph[graph.root].data,
        "gradient": done.expected[at],
        "overwrite": done.grads[at],
        "lost": done.expected[at] - done.grads[at],
    }[question.kind]
    assert question.answer == answer
    assert 2 <= question.text.count("=") <= 5
    assert question.answer.is_integer()
    assert abs(question.answer) <= 1000
    if question.kind in ("overwrite", "lost"):
        assert done.grads[at] != done.expected[at]


def drilled(asked: list[Question], *typed: str) -> tuple[str, int, int]:
    lines = iter(typed)
    written: list[str] = []
    score = hold(asked, lambda: next(lines, None), written.append)
    return "".join(written), score.right, score.asked


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_answer_is_followed_by_the_solution(kind: str) -> None:
    question = next(question for question in questions(5, 100) if question.kind == kind)
    text, right, count = drilled([question], shown(question.answer + 1))
    assert (right, count) == (0, 1)
    assert f"not quite: it is {shown(question.answer)}\n" in text
    taught = text.partition("not quite")[2].splitlines()[1:]
    assert len(taught) >= 2
    assert max(map(len, text.splitlines())) <= 80


def test_a_solution_shows_where_a_gradient_was_overwritten_on_its_way() -> None:
    graph = snapshot(parse("d = a + 5; e = d * d").evaluate({"a": 2.0}))
    done = walk(graph, bug="overwrite")
    assert lesson(done, graph.find("a").id, "grad").splitlines() == [
        "e pushes: d.grad = 1 × 7 = 7",
        "e pushes: d.grad = 1 × 7 = 7",
        "d pushes: a.grad = 7 × 1 = 7",
        "each replaces the one before; with += a.grad would be 14",
    ]


def test_a_question_mark_shows_the_solution_and_q_ends() -> None:
    text, right, count = drilled(questions(3, 5), "?", "", "?", "q", "1")
    assert (right, count) == (0, 2)
    assert text.count("  it is ") == 2


def test_the_drill_in_the_docs_is_what_one_sees(capsys, monkeypatch) -> None:
    page = (Path(__file__).parent.parent / "docs" / "practice.md").read_text("utf-8")
    command, _, session = page.partition("```text\n$ ")[2].partition("```")[0].partition("\n")
    answers = "".join([line[2:] + "\n" for line in session.splitlines() if line.startswith("> ")])
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    main(command.split()[1:])
    assert capsys.readouterr().out == session
