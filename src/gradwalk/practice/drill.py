"""Generated practice: questions about small random expressions, asked, graded and explained.

`questions` makes them, the same for the same seed. `hold` asks them through two functions, one that
reads a line and one that writes text, and returns the score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from textwrap import fill, indent
from typing import Any

from gradwalk.graph import Graph, number
from gradwalk.paths import paths
from gradwalk.practice.answers import accepts, lesson, mistake, read_answer, read_number, shown
from gradwalk.practice.generate import sample
from gradwalk.practice.language import say, told
from gradwalk.practice.worked import graph_of
from gradwalk.walk import Walk, walk

# What each kind asks: {0} is the node, {1} the root, {2} the order.
KINDS = {
    "gradient": "What is {0}.grad, the gradient of {1} with respect to {0}?",
    "value": "What is the value of {1}?",
    "lost": "Visited in the order {2}, where a visited node accepts nothing more, how much of its "
    "gradient does {0} lose?",
    "overwrite": "With = in place of +=, and the nodes visited in the order {2}, what does "
    "{0}.grad come out as?",
}
_FREQUENT = ("gradient", "gradient", "gradient", "value", "lost", "overwrite")
_VOCABULARY = ("+", "+", "+", "*", "*", "*", "*", "-", "-", "**", "relu")


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    text: str
    values: dict[str, float]
    node: str
    order: str
    answer: float

    @property
    def graph(self) -> Graph:
        return graph_of(self.text, self.values)

    def walk(self) -> Walk:
        """Return the walk that the question is about."""
        bug = "overwrite" if self.kind == "overwrite" else None
        return walk(self.graph, order=self.order.split() or None, bug=bug)

    def told(self, language: str) -> str:
        """Return what is asked, without the expression."""
        graph = self.graph
        asked = say(KINDS[self.kind], self.node, graph.name(graph.root), self.order)
        return told(asked, language)

    def __str__(self) -> str:
        at = ", ".join([f"{name}={number(x)}" for name, x in self.values.items()])
        return f"{self.text} with {at}\n{self.told('en')}"


def questions(seed: int, count: int) -> list[Question]:
    """Return `count` questions; more of them begin with the same ones."""
    random = Random(seed)
    return [_question(random, random.choice(_FREQUENT)) for _ in range(count)]


def _question(random: Random, kind: str) -> Question:
    while True:
        text, values = sample(random, random.randint(2, 5), _VOCABULARY, whole=True)
        graph = graph_of(text, values)
        right = walk(graph)
        if max([abs(grad) for grad in right.grads]) > 200:
            continue  # arithmetic, not calculus
        if kind == "value":
            return Question(kind, text, values, graph.name(graph.root), "", graph[graph.root].data)
        shared = [n.label for n in graph.leaves if paths(graph, n.id, 0).count > 1]
        if kind == "gradient" and random.random() < 0.3:
            shared = [n.label for n in graph.leaves]
        if not shared:
            continue
        node = random.choice(shared)
        at = graph.find(node).id
        order = "" if kind == "gradient" else _order(random, right, at, kind == "lost")
        bug = "overwrite" if kind == "overwrite" else None
        got = walk(graph, order=order.split() or None, bug=bug).grads[at]
        answer = right.grads[at] - got if kind == "lost" else got
        # A question whose wrong order or bug changes nothing would teach nothing.
        if (kind == "gradient" or got != right.grads[at]) and (answer or random.random() < 0.2):
            return Question(kind, text, values, node, order, answer)


def _order(random: Random, right: Walk, node: int, too_early: bool) -> str:
    """Return the right order; or one in which `node` stands before some that push to it."""
    graph = right.graph
    order = [step.node for step in right.backward]
    if too_early:
        consumers = set(graph.consumers()[node])
        places = [place for place, other in enumerate(order) if other in consumers]
        order.remove(node)
        order.insert(random.choice(places), node)
    return " ".join([graph.name(i) for i in order])


# ── Asking ───────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Score:
    """What came of it: how many were asked and answered right, and which were not."""

    asked: int = 0
    right: int = 0
    wrong: list[Question] = field(default_factory=list[Question])


def hold(
    asked: Sequence[Question],
    read: Callable[[], str | None],
    write: Callable[[str], None],
    width: int = 80,
) -> Score:
    """Ask each question until there are no more, or `read` returns None at the end of input."""
    score = Score()
    for index, question in enumerate(asked, 1):
        write(f"{index} of {len(asked)}\n")
        for line in str(question).splitlines():
            write(fill(line, width - 1) + "\n")
        typed = read_answer(read, write, "> ")
        if typed is None:
            break
        score.asked += 1
        if typed != "?" and accepts(question.answer, typed):
            score.right += 1
            write("  right\n\n")
            continue
        score.wrong.append(question)
        verdict = "" if typed == "?" else "not quite: "
        write(f"  {verdict}it is {shown(question.answer)}\n")
        answer = None if typed == "?" else read_number(typed)
        write(indent(solution(question, answer, width - 4), "  ") + "\n")
    return score


def solution(question: Question, answer: float | None, width: int, language: str = "en") -> str:
    """Return how the answer comes about, and before it how the wrong one may have."""
    done = question.walk()
    at = done.graph.find(question.node).id
    words = ""
    if answer is not None and question.kind == "gradient":
        words = mistake(done.graph, at, answer)
    guess = fill(f"{shown(answer or 0.0)}: {words}", width, subsequent_indent="  ") + "\n"
    what = "data" if question.kind == "value" else "grad"
    return (guess if words else "") + lesson(done, at, what, width=width, language=language)


def question_json(question: Question) -> dict[str, Any]:
    """Return a question and its answer as data."""
    return {
        "kind": question.kind,
        "expression": question.text,
        "values": question.values,
        "node": question.node,
        "order": question.order.split() or None,
        "question": str(question),
        "answer": question.answer,
    }
