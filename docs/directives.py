"""The directives of the pages, whose text comes from the code.

`api` takes names, one per line, and shows each with its signature and its docstring:

    ```{api}
    gradwalk.Value
    gradwalk.zero_grad
    ```

The word `operations` stands for all functions in the table of operations. `edges` is the table of
all kinks and edges, and `functions` lists the functions of expressions.

Docstrings are Markdown, which autodoc would read as something else. An operation has no example in
its docstring, so one is computed here: its value and its gradient at a point of its row.
"""

import inspect
import re
from importlib import import_module
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import gradwalk
from gradwalk.expr import FUNCTIONS
from gradwalk.ops import TABLE, Edge, Op

# Methods of Value that are operations: they have entries of their own.
OPERATIONS = {name for op in TABLE for name in (op.name, *op.aliases)}


class Written(SphinxDirective):
    """A directive that stands for Markdown."""

    def text(self) -> str:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        holder = nodes.container()
        source = StringList(self.text().splitlines(), source=self.get_source_info()[0])
        self.state.nested_parse(source, self.content_offset, holder)
        return holder.children


class Api(Written):
    """One entry per name."""

    has_content = True

    def text(self) -> str:
        return "\n\n".join(entry(name) for name in expanded("\n".join(self.content)))


class Edges(Written):
    """One row per kink, pole or end of the doubles."""

    def text(self) -> str:
        head = "| operation | at | value | slopes | why |\n|---|---|---|---|---|\n"
        return head + "".join(edge_row(op, edge) for op in TABLE for edge in op.edges)


class Functions(Written):
    """The functions of the language of expressions."""

    def text(self) -> str:
        return " ".join(f"`{name}`" for name in sorted(FUNCTIONS))


DIRECTIVES: dict[str, type[Written]] = {"api": Api, "edges": Edges, "functions": Functions}


def edge_row(op: Op, edge: Edge) -> str:
    call = f" {op.symbol} ".join(op.operands)
    if not op.infix:
        call = f"{op.name}({', '.join(op.operands)})"
    point = zip(op.operands, edge.operands, strict=True)
    at = ", ".join(f"{name} = {number(x)}" for name, x in point)
    slopes = ", ".join(f"`{number(slope)}`" for slope in edge.partials)
    return f"| `{call}` | {at} | `{number(edge.value)}` | {slopes} | {edge.why} |\n"


def number(x: float) -> str:
    """Return a number in full, but 2 for 2.0; the sign of a zero stays."""
    return repr(x).removesuffix(".0")


def find(name: str) -> tuple[str, str, Any]:
    """Return the module, the name in it, and what that is."""
    module, _, own = name.rpartition(".")
    return module, own, getattr(import_module(module), own)


def entry(name: str) -> str:
    module, own, found = find(name)
    kind = "function"
    if isinstance(found, type):
        kind = "exception" if issubclass(found, BaseException) else "class"
    parts = [document(found)]
    if isinstance(found, Op):
        parts.append(fence("```", "pycon", example(found)))
    elif kind == "class":
        parts += [method(found, name) for name in members(found)]
    body = "\n\n".join(part for part in parts if part)
    return fence("``````", f"{{py:{kind}}} {own}{signature(found)}", f":module: {module}\n\n{body}")


def members(owner: type) -> list[str]:
    """Return the public methods and properties that have something to say."""
    names = [name for name in vars(owner) if not name.startswith("_") and name not in OPERATIONS]
    fields = getattr(owner, "_fields", ())
    wanted = [name for name in names if name not in fields and inspect.getdoc(vars(owner)[name])]
    return [name for name in wanted if not isinstance(vars(owner)[name], type)]


def method(owner: type, name: str) -> str:
    found = inspect.getattr_static(owner, name)
    if callable(found) or isinstance(found, (staticmethod, classmethod)):
        head = f"{{py:method}} {name}{signature(getattr(owner, name), skip_self=True)}"
    else:
        head = f"{{py:attribute}} {name}"
    return fence("`````", head, document(found))


def fence(mark: str, head: str, body: str) -> str:
    return f"{mark}{head}\n{body}\n{mark}"


def signature(found: Any, skip_self: bool = False) -> str:
    """Return the parameters without their types, which the stubs have."""
    if isinstance(found, Op):
        return f"({', '.join(found.operands)})"
    if isinstance(found, type) and issubclass(found, BaseException):
        return ""
    try:
        whole = inspect.signature(found)
    except ValueError:
        return ""
    parameters = [p.replace(annotation=p.empty) for p in whole.parameters.values()]
    if skip_self and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    shown = str(whole.replace(parameters=parameters, return_annotation=whole.empty))
    return re.sub(r"<[^<>]*>", "…", shown)


def document(found: Any) -> str:
    """Return the docstring as Markdown: examples in fences."""
    lines: list[str] = []
    inside = False
    for line in (inspect.getdoc(found) or "").split("\n"):
        if line.startswith(">>>") and not inside:
            lines.append("```pycon")
            inside = True
        if inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)


def example(op: Op) -> str:
    """Return the operation at the first of its probes, and its slopes there."""
    point = ", ".join(map(repr, op.probes[0]))
    by = f", argnums={tuple(range(len(op.operands)))}" if len(op.operands) > 1 else ""
    call = f"gradwalk.value_and_grad(gradwalk.{op.name}{by})({point})"
    return f">>> {call}\n{eval(call, {'gradwalk': gradwalk})!r}"


def expanded(block: str) -> list[str]:
    """Return the names in a block, the operations one by one."""
    functions = [op.name for op in TABLE if op.is_function and op.name in gradwalk.__all__]
    names = block.split()
    if "operations" in names:
        names.remove("operations")
        names += [f"gradwalk.{name}" for name in functions]
    return names
