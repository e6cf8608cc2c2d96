"""The table of what the lab's server can be asked to compute.

A task reads the fields of a request and yields events, (name, JSON text), of which the last is
called "result"; that of an answer may be bytes. ANSWERS are requests that get this result alone,
soon; JOBS may take their time, and a client can follow every event. To add one, a training run say,
add a row.

Tasks run in a worker process (`worker`), which may be killed at any moment; what they raise from
`gradwalk.errors` reaches the client as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gradwalk.engine import Value, constant
from gradwalk.expr import parse
from gradwalk.gpt.training import without_collector
from gradwalk.lab import live
from gradwalk.practice.judge import judge
from gradwalk.program import compile, inspection  # noqa: A004
from gradwalk.program.decisions import selections
from gradwalk.program.ir import Stage
from gradwalk.program.loops import Loop, find_loops
from gradwalk.render.json import dumps, gradcheck_json
from gradwalk.render.tape import MEDIA_TYPE as TAPE
from gradwalk.render.tape import tape_bytes
from gradwalk.transforms import CheckedLeaf, GradCheck, gradcheck

Fields = dict[str, Any]
Events = Iterator[tuple[str, str | bytes]]


@dataclass(frozen=True, slots=True)
class Task:
    """`fields` are rows of `requests.FIELDS`; after `seconds` it is killed.

    The result of an answer is JSON, or bytes of another `media_type`.
    """

    run: Callable[[Fields], Events]
    fields: tuple[str, ...]
    seconds: float
    media_type: str = "application/json"


def _gradcheck(fields: Fields) -> Events:
    """Check one variable at a time, so that there is progress to tell of."""
    expression = parse(fields["expression"], strict=fields["strict"])
    # An error about a value comes before any work; and a name is spelt as Python reads it.
    at = {name: leaf.data for name, leaf in expression.bind(fields["values"]).leaves.items()}
    others = {name: constant(number) for name, number in at.items()}
    rows: list[CheckedLeaf] = []
    step, tolerance = fields["step"], fields["tolerance"]
    for name in expression.names:

        def f(leaf: Value, name: str = name) -> Value:
            return expression.compute({**others, name: leaf}, constant)

        (row,) = gradcheck(f, at[name], step=step, tolerance=tolerance).leaves
        rows.append(replace(row, name=name))
        yield "progress", dumps({"done": len(rows), "total": len(expression.names)})
    yield "result", dumps(gradcheck_json(GradCheck(tuple(rows), step, tolerance)))


def _judge(fields: Fields) -> Events:
    """Judge a learner's own Value, as a stranger's file: under bubblewrap or not at all.

    Its limits are tighter than those of the command, because the lab is a guest on the machine.
    """
    report = judge("value.py", fields["source"].encode(), seconds=2.0, megabytes=256)
    yield "result", dumps(report.json(fields["language"]))


def _program(fields: Fields) -> Events:
    """What the expression is compiled to, stage by stage; `origin` leads back to what was recorded.

    `branches` are its choices as a tree: whose side each stands on, and the recorded condition.
    The structure does not depend on the values, so that none are asked for.
    """
    expression = parse(fields["expression"], strict=fields["strict"])
    compiled = compile(expression.function()).record(*[1.0] * len(expression.names))
    store = compiled._store
    names = store.used_last().slot_names
    stages: list[dict[str, Any]] = []
    for name in inspection.stages(store):
        if name == "blocks":
            rows = [{"text": text} for text in compiled.explain("blocks").split("\n")]
            stages.append({"name": name, "forward": len(rows), "rows": rows})
        elif name != "lanes":
            stage = inspection.stage(store, name)
            stages.append({"name": name, "forward": stage.forward, "rows": _rows(stage, names),
                           "loops": [_loop(one, stage) for one in find_loops(stage)]})  # fmt: skip
    branches = [
        {"parent": one.parent, "side": one.side, "condition": one.condition}
        for one in selections(Stage.recorded(compiled.program))
    ]
    yield "result", dumps({
        "version": 1, "names": names, "stages": stages, "branches": branches,
        "sizes": inspection.sizes(store),
    })  # fmt: skip


def _loop(loop: Loop, stage: Stage) -> dict[str, Any]:
    return {
        "count": loop.count,
        "ids": list(loop.ids),
        "body": [line.removeprefix("  ") for line, _ in loop.lines(stage)],
    }


def _rows(stage: Stage, names: list[str]) -> list[dict[str, Any]]:
    outputs = set(stage.results[: stage.outputs])
    gradients: dict[int, list[str]] = {}
    for name, i in zip(names, stage.results[stage.outputs :], strict=False):
        gradients.setdefault(i, []).append(name)
    return [
        {
            "text": stage.instruction(i, names),
            "op": op,
            "operands": list(stage.operands(i)),
            "number": stage.numbers[i],
            "origin": stage.origins[i],
            "result": i in outputs,
            "gradients": gradients.get(i, []),
        }
        for i, op in enumerate(stage.operations)
    ]


def _model(fields: Fields) -> Events:
    """The graph of a model's loss, as binary columns."""
    from gradwalk.lab.models import model_graph

    with without_collector():
        graph = model_graph(fields["model"], fields["seed"], fields["document"])
        yield "result", tape_bytes(graph)


_EXPRESSION = ("expression", "values", "strict")

_GPT = ("steps", "n_embd", "n_layer", "n_head", "block_size", "seed", "text", "lr", "broken")

ANSWERS: dict[str, Task] = {
    "gpt-graph": Task(live.run_graph, (*_GPT, "at"), 60, TAPE),
    "model": Task(_model, ("model", "seed", "document"), 20, TAPE),
    "program": Task(_program, ("expression", "strict"), 5),
}

JOBS: dict[str, Task] = {
    "gpt": Task(live.run, (*_GPT, "pace"), 3600),
    "judge": Task(_judge, ("source", "language"), 90),
    "gradcheck": Task(_gradcheck, (*_EXPRESSION, "step", "tolerance"), 300),
}
