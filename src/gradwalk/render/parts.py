"""Models and compiled functions in a notebook: they have no graph until they are called.

    model_plan       the parameters of a model, in boxes as its modules are
    program_plan     the lines of a compiled function, in boxes, and which line reads which
    value_of         the Value that a model or a compiled function computes from these arguments

The first two are what stands at the end of a cell, the third is what `gradwalk.watch` shows.
"""

from __future__ import annotations

import linecache
import re
from dataclasses import replace
from typing import Any

from gradwalk import ops
from gradwalk.engine import Value, scope
from gradwalk.engine import sum as sum_of
from gradwalk.errors import OperandError
from gradwalk.graph import Graph, Node
from gradwalk.nn import Module
from gradwalk.plan import Plan, plan
from gradwalk.program import Compiled
from gradwalk.program.derive import computed
from gradwalk.program.ir import CODES
from gradwalk.render.notebook import MOST, pictured
from gradwalk.render.plan import MOST_CARDS, card_count, plan_svg
from gradwalk.render.theme import GLYPHS

_LONGEST_LINE = 40  # characters of a line of source in a box


def bundle(subject: Module | Compiled) -> dict[str, str]:
    """Return the forms that a notebook chooses from, by their types."""
    said = repr(subject)
    if isinstance(subject, Compiled):
        if not len(subject._store):
            return {"text/plain": f"{said}\nCall it once to record it, and to see its picture."}
        said, drawn = f"{said}\n{subject.explain()}", program_plan(subject)
    else:
        count = len(subject.parameters())
        if not count:
            return {"text/plain": said}
        said, drawn = f"{said}\n{count:,} parameters", model_plan(subject)
    if card_count(drawn) > min(MOST, MOST_CARDS):
        return {"text/plain": said}
    return pictured(said, plan_svg(drawn))


def model_plan(model: Module) -> Plan:
    """Return the parameters of a model as a plan: a box per module in it, and the whole."""
    nodes: list[Node] = []
    for name, value in model.named_parameters():
        home, _, label = name.rpartition(".")
        label = label if "[" in label else f"{label}[0]"  # a card of numbers, not one of a node
        nodes.append(
            Node(len(nodes), "", label, value.data, value.grad, (), (), ("leaf",), None, home)
        )
    whole = tuple(range(len(nodes)))
    nodes.append(Node(len(nodes), "", "", 0.0, 0.0, whole, (0.0,) * len(whole)))
    *parts, last = plan(Graph(nodes)).cards
    name = f"{type(model).__name__}: {len(whole):,} parameters"
    return Plan(Graph(nodes), "", (*parts, replace(last, kind="tensor", name=name)))


def program_plan(function: Compiled) -> Plan:
    """Return what was recorded last as a plan: a box per line of source, and one per argument.

    No number is in it: a program has none before it is replayed.
    """
    recording = function._store.used_last()
    program = recording.program
    names = recording.slot_names
    homes: dict[str, str] = {}
    nodes: list[Node] = []
    for i, (code, place) in enumerate(zip(program.codes, program.places, strict=True)):
        name = CODES[code]
        tags: tuple[str, ...] = ()
        if name == "input":
            home = re.sub(r"[\[.].*", "", names[int(program.numbers[i])])
        elif name == "const":
            home, tags = "", ("const",)
        elif place is None:
            home = "elsewhere"
        else:
            home = f"line {place[1]}"
            source = linecache.getline(*place).strip()
            homes[home] = f"{place[1]}: {source[:_LONGEST_LINE]}" + "…" * (
                len(source) > _LONGEST_LINE
            )
        row = ops.BY_NAME.get(name)
        operands = tuple(program.operands(i)) if name not in ("input", "const") else ()
        symbol = (row.symbol if row else name) if operands else ""
        symbol = GLYPHS.get(symbol, symbol)
        nodes.append(
            Node(i, symbol, "", 0.0, 0.0, operands, (0.0,) * len(operands), tags, place, home)
        )
    results = tuple(dict.fromkeys(program.outputs))
    nodes.append(Node(len(nodes), "", "", 0.0, 0.0, results, (0.0,) * len(results)))
    drawn = plan(Graph(nodes))
    *lines, last = [
        replace(card, name=card.name.replace(card.scope, homes[card.scope], 1))
        if card.scope in homes
        else replace(card, kind="tensor")
        for card in drawn.cards
    ]
    name = f"{function.name}({', '.join(function.arguments)})"
    return replace(drawn, cards=(*lines, replace(last, name=name)))


def value_of(subject: Module | Compiled, *args: Any, **named: Any) -> Value:
    """Return what a model or a compiled function computes, as a Value with its whole graph.

    The numbers of a compiled function's arguments become leaves with the arguments' names. Several
    results are added up.
    """
    results: Any
    if isinstance(subject, Compiled):
        recording, segments, _ = subject._store.prepare(args, named, [])
        numbers = [x for segment in segments for x in segment]
        labels = [re.sub(r"\W+", "_", name).strip("_") for name in recording.slot_names]
        slots = [Value(x, label=label) for x, label in zip(numbers, labels, strict=True)]
        steps = computed(recording.program, slots)
        results = [steps[i] for i in recording.program.outputs]
    else:
        call: Any = subject
        with scope():
            results = call(*args, **named)
    several: list[Any] = [results] if isinstance(results, Value) else list(results)
    values = [result for result in several if isinstance(result, Value)]
    if not values:
        raise OperandError("watch needs a result that depends on the arguments or the parameters")
    return values[0] if len(values) == 1 else sum_of(values)
