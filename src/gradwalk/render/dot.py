"""Graphs in the DOT language, and `draw_dot`, the picture of a Value that a notebook shows.

The DOT source is as micrograd's users know it: a record of label, data and grad for each value, an
oval for each operation, and one edge for each input position, so that `a*a` has two. The picture is
our own, from `svg`: no graphviz program is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from gradwalk.engine import Value
from gradwalk.errors import OperandError, printable
from gradwalk.files import write_whole
from gradwalk.graph import Graph, number, snapshot
from gradwalk.render.svg import svg
from gradwalk.render.theme import Theme


def dot(graph: Graph, *, rankdir: Literal["LR", "TB"] = "LR") -> str:
    """Return the graph as DOT source, from left to right or from top to bottom.

    >>> from gradwalk import Value, snapshot
    >>> a = Value(3.0, label="a")
    >>> print(dot(snapshot(a * a)))
    digraph {
      rankdir=LR
      node [shape=record]
      n0 [label="{ a | data 3 | grad 0 }"]
      n1 [label="{  | data 9 | grad 0 }"]
      op1 [label="*" shape=oval]
      op1 -> n1
      n0 -> op1
      n0 -> op1
    }
    <BLANKLINE>
    """
    lines = ["digraph {", f"  rankdir={_rankdir(rankdir)}", "  node [shape=record]"]
    for node in graph.nodes:
        fields = [_field(node.label), f"data {number(node.data)}"]
        fields.append("const" if node.is_const else f"grad {number(node.grad)}")
        if "derived" in node.tags:
            fields.append("derived")
        lines.append(f'  n{node.id} [label="{{ {" | ".join(fields)} }}"]')
        if node.operands:
            lines.append(f'  op{node.id} [label="{quoted(node.op)}" shape=oval]')
            lines.append(f"  op{node.id} -> n{node.id}")
        lines += [f"  n{operand} -> op{node.id}" for operand in node.operands]
    return "\n".join([*lines, "}", ""])


def draw_dot(
    root: Value,
    format: Literal["svg", "dot"] = "svg",  # noqa: A002  (micrograd's name for it)
    rankdir: Literal["LR", "TB"] = "LR",
    *,
    fold: bool = True,
) -> Drawing:
    """Return a drawing of the graph under `root`, which a notebook shows by itself.

    `format` is what `save` writes where the name does not tell; `rankdir` is for the DOT source.
    `a - b` is one node unless `fold` is false.
    """
    if format not in ("svg", "dot"):
        raise OperandError(
            f"the format is svg or dot, not {format!r}: for others, give the source to graphviz"
        )
    return Drawing(snapshot(root, fold=fold), format, _rankdir(rankdir))


class Drawing:
    """A graph, ready to be shown: `str()` and `source` are DOT, `svg()` is the picture."""

    def __init__(
        self,
        graph: Graph,
        format: Literal["svg", "dot"] = "svg",  # noqa: A002
        rankdir: Literal["LR", "TB"] = "LR",
    ) -> None:
        self.graph = graph
        self.format: Literal["svg", "dot"] = format
        self.source = dot(graph, rankdir=rankdir)

    def svg(self, theme: Theme = "auto") -> str:
        """Return the picture as SVG."""
        return svg(self.graph, theme=theme)

    def save(self, path: str | Path) -> Path:
        """Write a file, DOT or a picture by the end of its name, and return its path."""
        path = Path(path)
        path = path if path.suffix else path.with_suffix(f".{self.format}")
        if path.suffix.lower() not in (".dot", ".gv"):
            from gradwalk.render.pictures import save

            return save(self.graph, path)
        write_whole(path, [self.source.encode("utf-8")])
        return path

    def __str__(self) -> str:
        return self.source

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.graph)} nodes: .svg(), .source, .save(path)>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": repr(self)}


def _rankdir(rankdir: str) -> Literal["LR", "TB"]:
    if rankdir == "LR":
        return "LR"
    if rankdir == "TB":
        return "TB"
    raise OperandError(f"rankdir is LR or TB, not {rankdir!r}")


def quoted(text: str) -> str:
    """Return text for a quoted string: DOT knows no other escape than these."""
    return printable(text).replace("\\", "\\\\").replace('"', '\\"')


def _field(text: str) -> str:
    """Return text for one field of a record, where braces, bars and angles divide."""
    safe = quoted(text)
    for divider in "{}|<>":
        safe = safe.replace(divider, f"\\{divider}")
    return safe
