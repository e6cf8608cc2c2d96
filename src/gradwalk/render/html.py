"""A graph or a walk as one HTML file, which opens from disk and brings all that it needs.

The file is the lab itself, built in web/ into lab/static/export.html with script and style inline,
filled in with what to show. Where no script runs, it is the picture and the walk as text; a copy
of gradwalk without the built lab makes a page of these alone.

Everything in it that came from a person is escaped, and a content security policy names by hash
each script and style that the browser may use. Start reading at `html`.
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape, unescape
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any

from gradwalk.engine import Value
from gradwalk.errors import GradwalkError, GraphError, OperandError, printable
from gradwalk.expr import parse
from gradwalk.files import write_whole
from gradwalk.graph import Graph, Node, named, snapshot
from gradwalk.render.json import graph_json
from gradwalk.render.svg import svg
from gradwalk.render.text import walk_text
from gradwalk.walk import Walk
from gradwalk.walk import walk as walk_over

#: A page of more nodes is nothing that a person could read, and slow to open.
MOST_NODES = 4096

# What the page shows where no script runs: more is for the lab, which can leave out and zoom.
MOST_DRAWN, MOST_ROWS = 120, 200
_COLUMNS = 120

_STATE = '{"gradwalk": "state"}'


def html(
    subject: Graph | Walk,
    *,
    expression: str | None = None,
    values: Mapping[str, float] | None = None,
) -> str:
    """Return the page. With an `expression` and its `values`, both can be changed in it.

    >>> from gradwalk import Value, walk
    >>> html(walk(Value(3.0, label="a") ** 2)).startswith("<!doctype html>")
    True
    """
    if not isinstance(subject, (Graph, Walk)):
        raise OperandError(f"html takes a Graph or a Walk, not {type(subject).__name__}")
    graph = subject.graph if isinstance(subject, Walk) else subject
    _check_size(graph)
    title = f"gradwalk: {_text(expression or graph.name(graph.root))}"
    body = "\n".join(_body(subject, expression, values))
    built = template()
    if built is None:
        head = f'{_VIEWPORT}<title>{title}</title><link rel="icon" href="data:,">'
        head += f"<style>{_style()}</style>"
        policy = f"default-src 'none'; style-src {_hashes(body)}; img-src data:; {_NO_MORE}"
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n{_CHARSET}\n{_policy(policy)}\n{head}\n'
            f"</head>\n<body>\n{body}\n</body>\n</html>\n"
        )
    page = built.replace(_STATE, _json(page_state(subject, expression, values)), 1)
    page = page.replace("<title>gradwalk</title>", f"<title>{title}</title>", 1)
    page = page.replace("style-src ", f"style-src {_hashes(body)} ", 1)
    page = page.replace("</head>", f"<noscript><style>{_style()}</style></noscript>\n</head>", 1)
    before, end, after = page.rpartition("</body>")
    return f"{before}<noscript>\n{body}\n</noscript>\n{end}{after}"


def show(value: Value, path: str | Path | None = None, open: bool = True) -> Any:  # noqa: A002
    """Write the page of the walk over `value`, open it in the browser, and return its path.

    In a notebook, without a path, it is a live view of the value instead: see `gradwalk.watch`.

    This is `Value.show`. Without a path it writes a temporary file, which stays: the browser reads
    it after this has returned. Where there is no browser it prints the path.
    """
    if path is None and open and in_notebook():
        from gradwalk.render.view import view

        return view(value)
    graph = snapshot(value)
    _check_size(graph)  # before the walk, which takes long where the graph is much too large
    text = html(walk_over(graph))
    if path is None:
        import os
        from tempfile import mkstemp

        handle, name = mkstemp(prefix="gradwalk-", suffix=".html")
        os.close(handle)
        path = name
    file = Path(path).absolute()
    write_whole(file, [text.encode("utf-8")])
    if open:
        import webbrowser

        if not webbrowser.open(file.as_uri()):  # a server, a container
            print(f"no browser here; the page is {file}")
    return file


def in_notebook() -> bool:
    """Say whether what a cell returns is shown: in Jupyter and its kin, and in marimo."""
    shell = sys.modules.get("IPython")
    running: Any = shell.get_ipython() if shell else None
    marimo = sys.modules.get("marimo")
    return type(running).__name__ == "ZMQInteractiveShell" or bool(
        marimo and marimo.running_in_notebook()
    )


def _check_size(graph: Graph) -> None:
    if len(graph) > MOST_NODES:
        raise GraphError(
            f"a page shows at most {MOST_NODES} nodes, and this graph has {len(graph)}: "
            "show one of the Values below it"
        )


def template() -> str | None:
    """Return the template of the lab in one file, or None where it was not built."""
    built = files("gradwalk") / "lab" / "static" / "export.html"
    # By bytes: a changed line break would change what the policy's hashes are of.
    return built.read_bytes().decode("utf-8") if built.is_file() else None


# ── What the lab is told to show ─────────────────────────────────────────────────────────────


def page_state(
    subject: Graph | Walk,
    expression: str | None = None,
    values: Mapping[str, float] | None = None,
    *,
    now: bool = False,
) -> dict[str, Any]:
    """Return the state as web/src/entries/export.ts reads it: an expression at a point, or a graph.

    The lab walks by itself; `bug` and `order` tell it of a walk that is not the usual one. Leaves
    may have moved since the rest was computed: with `now`, an expression is shown at their numbers.
    """
    walk = subject if isinstance(subject, Walk) else None
    graph = walk.graph if walk else subject
    assert isinstance(graph, Graph)
    given = {name: float(x) for name, x in (values or {}).items()}
    if expression is None:
        expression, given = _written(graph, now) or (None, given)
    state: dict[str, Any] = {"page": "walk" if walk else "sandbox"}
    if expression is not None and all(map(isfinite, given.values())):
        state |= {"expression": expression, "values": given}
        if len(graph) != len(graph.fold()):
            state["unfold"] = True
    else:  # JSON has no nan and no infinities, but the contract has a way to write them
        state["graph"] = graph_json(graph)
    if walk and walk.bug:
        state |= {"page": "bugs", "bug": walk.bug}
    elif walk and (order := walk.own_order):
        state |= {"page": "order", "order": order}
    return state


# How tightly an operator binds; what is no operator needs no parentheses.
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}
_TIGHT = 5


def _written(graph: Graph, now: bool = False) -> tuple[str, dict[str, float]] | None:
    """Return a text and values that make this very graph, where there are such: it can be edited.

    What was written is read back and compared, node by node, so that nothing here need know which
    names are names and how numbers are spelt.
    """
    uses = Counter([operand for node in graph.nodes for operand in node.operands])
    leaves = [node for node in graph.nodes if not node.operands and not node.is_const]
    values = {leaf.label: leaf.data for leaf in leaves}
    statements: list[str] = []
    texts: list[str] = []
    bindings: list[int] = []
    for node in graph.nodes:
        binding = _TIGHT
        if not node.operands:
            text = repr(node.data).removesuffix(".0") if node.is_const else node.label
        else:
            binding = _BINDING.get(node.op, _TIGHT)
            text = _operation(node.op, binding, [(texts[i], bindings[i]) for i in node.operands])
            if node.label:
                statements.append(f"{node.label} = {text}")
                text, binding = node.label, _TIGHT
            elif uses[node.id] > 1:
                return None
        texts.append(text)
        bindings.append(binding)
    if not statements or not graph[graph.root].label:
        statements.append(texts[graph.root])
    try:
        text = "; ".join(statements)
        again = snapshot(parse(text).evaluate(values), fold=len(graph) == len(graph.fold()))
    except GradwalkError:
        return None
    same = [_shape(node, now) for node in again.nodes] == [_shape(x, now) for x in graph.nodes]
    return (text, values) if same else None


def _operation(op: str, binding: int, operands: list[tuple[str, int]]) -> str:
    if binding == _TIGHT:
        return f"{op}({', '.join([text for text, _ in operands])})"
    wrapped = [f"({text})" if inner <= binding else text for text, inner in operands]
    if op == "neg":
        return f"-{wrapped[0]}"
    first, inner = operands[0]
    if op != "**" and inner == binding:  # a + b + c goes from the left
        wrapped[0] = first
    return f" {op} ".join(wrapped)


def _shape(node: Node, now: bool) -> tuple[object, ...]:
    data = "" if now and node.operands else repr(node.data)
    return node.op, node.label, node.operands, node.tags, data


def _json(state: dict[str, Any]) -> str:
    """Return JSON that can stand in a script element: nothing in it can end the element."""
    text = json.dumps(state, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


# ── The page without a script ────────────────────────────────────────────────────────────────


def _body(
    subject: Graph | Walk, expression: str | None, values: Mapping[str, float] | None
) -> Iterator[str]:
    walk = subject if isinstance(subject, Walk) else None
    graph = walk.graph if walk else subject
    assert isinstance(graph, Graph)
    yield f"<main>\n<h1>{_text(expression or graph.name(graph.root))}</h1>"
    if values:
        yield f"<p>{_text(', '.join([named(name, x) for name, x in values.items()]))}</p>"
    if len(graph) <= MOST_DRAWN:
        yield f"<figure>\n{svg(subject)}</figure>"
    else:
        yield f"<p>{len(graph)} nodes are too many to draw here.</p>"
    tables = walk_text(walk, width=_COLUMNS) if walk else _values(graph)
    yield "<pre>" + "\n".join(map(_text, tables.split("\n"))) + "</pre>\n</main>"


def _values(graph: Graph) -> str:
    """Return the first nodes, inputs first, with what they are."""
    rows = [named(graph.name(node.id), node.data) for node in graph.nodes[:MOST_ROWS]]
    return "\n".join([*rows, *["…"] * (len(graph) > MOST_ROWS)])


# ── Text, styles, policy ─────────────────────────────────────────────────────────────────────

_CHARSET = '<meta charset="utf-8">'
_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'
_NO_MORE = "base-uri 'none'; form-action 'none'"


def _text(text: str) -> str:
    """Return text for any place in HTML; a character that shows nothing shows as �."""
    return escape(printable(text))


def _style() -> str:
    rules = (files("gradwalk") / "render" / "html.css").read_text("utf-8")
    return re.sub(r"/\*.*?\*/\s*|\s*\n\s*", "", rules, flags=re.DOTALL)


def _policy(policy: str) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _hashes(body: str) -> str:
    """Return the hashes of our own style, and of those in the body's pictures."""
    styles = [_style(), *map(unescape, re.findall(r"<style>(.*?)</style>", body, re.DOTALL))]
    digests = [b64encode(sha256(style.encode()).digest()).decode() for style in styles]
    return " ".join([f"'sha256-{digest}'" for digest in dict.fromkeys(digests)])
