"""How a number comes about, in a few lines: what a wrong answer is answered with."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from gradwalk.paths import paths
from gradwalk.practice.mistakes import shown
from gradwalk.walk import Walk

__all__ = ["lesson"]


def lesson(done: Walk, node: int, what: str, *, width: int = 80, color: bool = False) -> str:
    """Return how this walk comes to the `what`, "data" or "grad", of `node`.

    A value is its equations; a gradient is the sum of its paths, less what was lost; with the
    overwrite bug it is whatever was pushed last.
    """
    if what == "data":
        lines = [f"{done.graph.name(step.node)} = {step.equation}" for step in done.forward]
    elif done.bug == "overwrite":
        lines = list(_pushes(done, node))
    elif done.lost:
        lines = list(_losses(done, node))
    else:
        from gradwalk.render.text import paths_text

        return paths_text(paths(done.graph, node, 8), color=color, width=width)
    return "".join([fill(line, width, subsequent_indent="  ") + "\n" for line in lines])


def _losses(done: Walk, node: int) -> Iterator[str]:
    name = done.graph.name
    for lost in done.lost:
        edge = f"from {name(lost.source)} to {name(lost.to)}"
        yield f"{shown(lost.contribution)} {edge} is lost: {lost.why}"
    yield f"{name(node)} gets {shown(done.grads[node])} of {shown(done.expected[node])}"


def _pushes(done: Walk, node: int) -> Iterator[str]:
    name = done.graph.name
    for step in done.backward:
        for push in [push for push in step.pushes if push.to == node]:
            product = f"{shown(push.incoming)} × {shown(push.local)} = {shown(push.after)}"
            yield f"{name(step.node)} pushes: {name(node)}.grad = {product}"
    yield f"the last one stays; with += the sum would be {shown(done.expected[node])}"
