"""The exercises: everything the worked examples assert, by name, to be answered or to be shown.

`EXERCISES` is made from the rows of `worked` and the tables below: the numbers of each example, the
wrong numbers of the overwrite bug, the 24 visit orders of the diamond, and both trace tables. Start
reading at `Item`, which says what one number is and how it is found. `hold` asks a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from textwrap import fill, indent
from typing import Any

from gradwalk.errors import GraphError, OperandError
from gradwalk.graph import Graph
from gradwalk.practice.answers import (
    accepts,
    close,
    lesson,
    mistake,
    product,
    read_answer,
    read_number,
    shown,
)
from gradwalk.practice.worked import WORKED, Worked, graph_of
from gradwalk.walk import BackwardStep, SortStep, Walk, walk


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to find, and what must come out.

    `what` is "data" or "grad" of `node`, in a walk with `order` or `bug` where these are given; or
    "sort" or "backward", the line number `node` of that trace table; or "edge", what goes along the
    edge between the two nodes in `node`.
    """

    key: str
    what: str
    node: str
    expected: float | str
    order: str = ""
    bug: str = ""

    @property
    def quantity(self) -> str:
        if self.what in _STAGES:
            return f"{_STAGES[self.what]} {self.node}"
        asked = f"{self.node}.{self.what}"
        asked += f", order {self.order}" if self.order else ""
        return asked + (", with =" if self.bug else "")

    @property
    def is_gradient(self) -> bool:
        """Whether it is a gradient as it should be, and so the sum of its paths."""
        return self.what == "grad" and not self.order and not self.bug

    def walk(self, graph: Graph) -> Walk:
        return walk(graph, order=self.order.split() or None, bug=self.bug or None)

    def json(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity,
            "order": self.order.split() or None,
            "bug": self.bug or None,
            "expected": self.expected,
        }

    def got(self, graph: Graph) -> float | str:
        """Find it with the engine and the walk."""
        done = self.walk(graph)
        if self.what == "sort":
            return _sort_line(done, done.sort[int(self.node) - 1])
        if self.what == "backward":
            return _backward_line(done, done.backward[int(self.node) - 1])
        if self.what == "edge":
            return _edge(done, *self.node.split(" → "))
        node = graph.find(self.node)
        return node.data if self.what == "data" else done.grads[node.id]


@dataclass(frozen=True, slots=True)
class Exercise:
    """Items about one expression at one point. `ask` is the item that `--answer` is for."""

    id: str
    name: str
    title: str
    text: str
    values: Mapping[str, float]
    items: tuple[Item, ...]
    ask: int = 0

    @property
    def graph(self) -> Graph:
        return graph_of(self.text, self.values)

    @property
    def asked(self) -> Item:
        return self.items[self.ask]

    def __str__(self) -> str:
        at = ", ".join([f"{name}={shown(x)}" for name, x in self.values.items()])
        return f"{self.text} with {at}"


@dataclass(frozen=True, slots=True)
class Result:
    item: Item
    got: float | str

    @property
    def ok(self) -> bool:
        expected = self.item.expected
        if isinstance(expected, str) or isinstance(self.got, str):
            return expected == self.got
        return close(self.got, expected)

    def __str__(self) -> str:
        expected, got, what = shown(self.item.expected), shown(self.got), self.item.quantity
        if len(expected) > 20:  # a line of a trace table
            return f"{what}\n  expected {expected}\n  got      {got}"
        return f"{what}: expected {expected}, got {got}"


@dataclass(frozen=True, slots=True)
class Run:
    """An exercise and what came of its items."""

    exercise: Exercise
    results: tuple[Result, ...]

    def text(self, width: int = 80) -> str:
        head = fill(str(self.exercise), width - 1, initial_indent="  ", subsequent_indent="    ")
        lines = [f"{'' if result.ok else '✗ '}{result}" for result in self.results]
        body = indent("\n".join(lines), "  ")
        return f"{self.exercise.name}: {self.exercise.title}\n{head}\n{body}\n"

    def json(self) -> dict[str, Any]:
        exercise = self.exercise
        items = [item.json() for item in exercise.items]
        for data, result in zip(items, self.results, strict=False):
            data.update(got=result.got, ok=result.ok)
        return {
            "id": exercise.id,
            "name": exercise.name,
            "title": exercise.title,
            "expression": exercise.text,
            "values": dict(exercise.values),
            "asks": exercise.asked.quantity,
            "items": items,
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """A person's answer to the item that an exercise asks; `why` guesses how it came about."""

    exercise: Exercise
    got: float
    ok: bool
    why: str

    def text(self, width: int = 80, color: bool = False) -> str:
        exercise, item = self.exercise, self.exercise.asked
        lines = [fill(f"{exercise.name}: {exercise}", width - 1, subsequent_indent="    ")]
        lines.append(f"  {Result(item, self.got)}{', right' if self.ok else ''}")
        if not self.ok:
            why = self.why or "not quite"
            lines.append(fill(why, width - 1, initial_indent="  ", subsequent_indent="  "))
            lines += ["", _explained(exercise, width, color).rstrip()]
        return "\n".join(lines) + "\n"

    def json(self) -> dict[str, Any]:
        asked = {"exercise": self.exercise.name, **self.exercise.asked.json()}
        return {**asked, "got": self.got, "ok": self.ok, "why": self.why}


def run(exercise: Exercise) -> Run:
    """Find each item with the engine and the walk."""
    graph = exercise.graph
    return Run(exercise, tuple([Result(item, item.got(graph)) for item in exercise.items]))


def grade(exercise: Exercise, answer: str) -> Grade:
    """Grade an answer as it was typed; raise OperandError when it is no number."""
    item, graph = exercise.asked, exercise.graph
    if isinstance(item.expected, str):
        raise OperandError(f"{exercise.name} is a table to read: it takes no number for an answer")
    got = read_number(answer)
    if accepts(item.expected, answer):
        return Grade(exercise, got, True, "")
    why = mistake(graph, graph.find(item.node).id, got) if item.is_gradient else ""
    return Grade(exercise, got, False, why)


def hold(
    exercise: Exercise,
    read: Callable[[], str | None],
    write: Callable[[str], None],
    width: int = 80,
    color: bool = False,
) -> list[bool]:
    """Ask each item; return which were answered right, as far as `read` went on.

    A number gets a second try after a first wrong answer. Lines of a trace table are shown when the
    person has thought of them.
    """
    write(f"{exercise.name}: {exercise.title}\n")
    write(fill(str(exercise), width - 1, initial_indent="  ", subsequent_indent="    ") + "\n\n")
    right: list[bool] = []
    for item in exercise.items:
        if isinstance(item.expected, str):
            write(f"  {item.quantity}: think of it, then press Enter ")
            if read() is None:
                return right
            write(f"    {item.expected}\n")
            continue
        good = _ask(replace(exercise, items=(item,), ask=0), read, write, width, color)
        if good is None:
            return right
        right.append(good)
    return right


def _ask(
    exercise: Exercise,
    read: Callable[[], str | None],
    write: Callable[[str], None],
    width: int,
    color: bool,
) -> bool | None:
    """Ask for the one number of `exercise`; None to stop."""
    for last in (False, True):
        typed = read_answer(read, write, f"  {exercise.asked.quantity} = ")
        if typed is None:
            return None
        if typed == "?":
            write(indent(_explained(exercise, width - 4, color), "    ") + "\n")
            return False
        done = grade(exercise, typed)
        if done.ok:
            write(f"    {Result(exercise.asked, done.got)}, right\n")
            return True
        if not last:
            hint = done.why or "not quite"
            hint = fill(f"{hint}; try again, or ? for the solution", width - 5)
            write(indent(hint, "    ") + "\n")
        else:
            write(f"    {Result(exercise.asked, done.got)}\n")
            write(indent(_explained(exercise, width - 4, color), "    ") + "\n")
    return False


def _explained(exercise: Exercise, width: int, color: bool) -> str:
    """Return how the number that an exercise asks for comes about."""
    graph, item = exercise.graph, exercise.asked
    return lesson(item.walk(graph), graph.find(item.node).id, item.what, width=width, color=color)


def find(name: str) -> Exercise:
    """Return the exercise called `name`; `diamond-b` is one item of `diamond`."""
    wanted = name.casefold()
    for exercise in EXERCISES.values():
        if wanted in (exercise.name, exercise.id):
            return exercise
    for exercise in EXERCISES.values():
        for item in exercise.items:
            keys = [f"{start}-{item.key}".casefold() for start in (exercise.name, exercise.id)]
            if wanted in keys:
                return replace(exercise, name=f"{exercise.name}-{item.key}", items=(item,), ask=0)
    raise GraphError(f"there is no exercise {name!r}")


# ── The tables ───────────────────────────────────────────────────────────────────────────────

# The visit orders of the diamond, and a's gradient in each; the 16 not named here give 0.
_DIAMOND_ORDERS = {
    "d b c a": 15.0,
    "d c b a": 15.0,
    "d b a c": 6.0,
    "d c a b": 9.0,
    "d a b c": 0.0,
    "d a c b": 0.0,
    "b d c a": 9.0,
    "c d b a": 6.0,
}

_SORT_LINES = (
    "pop (L,0), stack (L,1) (c,0), sorted nothing",
    "pop (c,0), stack (L,1) (c,1) (a,0), sorted nothing",
    "pop (a,0) leaf, stack (L,1) (c,1), sorted a",
    "pop (c,1), stack (L,1) (c,2) (b,0), sorted a",
    "pop (b,0) leaf, stack (L,1) (c,2), sorted a b",
    "pop (c,2) done, stack (L,1), sorted a b c",
    "pop (L,1) a already visited, stack (L,2), sorted a b c",
    "pop (L,2) done, stack empty, sorted a b c L",
)
_BACKWARD_LINES = (
    "L (1): c += 1 × 1 → 1, a += 1 × 1 → 1",
    "c (1): a += 1 × 3 → 4, b += 1 × 2 → 2",
    "b (2): leaf",
    "a (4): leaf",
)
_STAGES = {"sort": "sort step", "backward": "backward step", "edge": "edge"}

_EDGES = {
    "* → +": "1 × 10 = 10",
    "* → c": "1 × -1 = -1",
    "+ → a": "10 × 1 = 10",
    "+ → b": "10 × 1 = 10",
}


def _all() -> Iterator[Exercise]:
    rows = {row.id: row for row in WORKED}
    for row in WORKED:
        yield _numbers(row)
    for row in WORKED:
        if row.overwrite:
            yield _overwritten(row)
    first, diamond, two_ways = rows["x1"], rows["x6"], rows["x7"]
    edges = [Item(edge, "edge", edge, line) for edge, line in _EDGES.items()]
    title = "a sum times a number: what goes along each edge"
    yield Exercise("x1-edges", f"{first.name}-edges", title, first.text, first.values, tuple(edges))
    orders = [" ".join(order) for order in permutations("dbca")]
    items = [
        Item(order.replace(" ", ""), "grad", "a", _DIAMOND_ORDERS.get(order, 0.0), order)
        for order in orders
    ]
    ask = orders.index("d b a c")
    title = f"the diamond in all {len(items)} visit orders"
    yield Exercise(
        "x6-orders",
        f"{diamond.name}-orders",
        title,
        diamond.text,
        diamond.values,
        tuple(items),
        ask,
    )
    lines = [Item(f"{i}", "sort", f"{i}", line) for i, line in enumerate(_SORT_LINES, 1)]
    lines += [Item(f"b{i}", "backward", f"{i}", line) for i, line in enumerate(_BACKWARD_LINES, 1)]
    title = "both trace tables, line by line"
    name = f"{two_ways.name}-tables"
    yield Exercise("x7-tables", name, title, two_ways.text, two_ways.values, tuple(lines))


def _numbers(row: Worked) -> Exercise:
    items = [Item(f"{node}.data", "data", node, number) for node, number in row.data.items()]
    items += [Item(node, "grad", node, number) for node, number in row.grads.items()]
    ask = len(row.data) + list(row.grads).index(row.asks)
    return Exercise(row.id, row.name, row.title, row.text, row.values, tuple(items), ask)


def _overwritten(row: Worked) -> Exercise:
    items = [
        Item(f"{node}{index or ''}", "grad", node, number, order, "overwrite")
        for index, (order, grads) in enumerate(row.overwrite.items())
        for node, number in grads.items()
    ]
    title = f"{row.title}, with = for +="
    ids = [f"{name}-overwrite" for name in (row.id, row.name)]
    return Exercise(ids[0], ids[1], title, row.text, row.values, tuple(items))


def _sort_line(done: Walk, step: SortStep) -> str:
    name = done.graph.name
    stack = " ".join([f"({name(node)},{index})" for node, index in step.stack])
    placed = " ".join([name(node) for node in step.sorted])
    node, index = step.pop
    note = f" {step.note}" if step.note else ""
    return (
        f"pop ({name(node)},{index}){note}, stack {stack or 'empty'}, sorted {placed or 'nothing'}"
    )


def _edge(done: Walk, source: str, to: str) -> str:
    ends = done.graph.find(source).id, done.graph.find(to).id
    pushes = [p for step in done.backward for p in step.pushes if (step.node, p.to) == ends]
    return ", ".join([product(push) for push in pushes])


def _backward_line(done: Walk, step: BackwardStep) -> str:
    name = done.graph.name
    pushes = [
        f"{name(p.to)} += {shown(p.incoming)} × {shown(p.local)} → {shown(p.after)}"
        for p in step.pushes
    ]
    return f"{name(step.node)} ({shown(step.grad)}): {', '.join(pushes) or step.note}"


EXERCISES = {exercise.name: exercise for exercise in _all()}
