"""A Value in a notebook, live: `watch(value)`, and `value.show()` there.

    Link        what Python and the page tell each other; knows nothing of notebooks
    CurveLink   the same of a curve
    View        the link as a widget, where anywidget is installed
    Picture     the same page without the link, where it is not

The page is the lab of `render.html`, in a frame. A slider there writes `.data` of the leaf, and the
value is computed again from the leaves. A node that is picked there is `selected` here.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from itertools import count
from time import monotonic
from typing import Any
from weakref import WeakSet

from gradwalk.engine import CONST, Value, constant, topological_order
from gradwalk.errors import GradwalkError, OperandError
from gradwalk.expr import Expression, parse
from gradwalk.graph import Graph, snapshot
from gradwalk.graph import number as number_text
from gradwalk.plan import Plan, plan
from gradwalk.render.html import html, page_state, template
from gradwalk.render.plan import plan_html
from gradwalk.render.plot import Curve, curves_svg, places
from gradwalk.render.theme import Theme
from gradwalk.walk import walk

HEIGHT = 664  # pixels
MOST_LIVE = 100  # widgets: the oldest beyond these are closed
MOST_BYTES = 900_000  # of a page in a frame: the notebook's file has it
_EVERY = 0.1  # seconds between two updates of a page, at least
_THEMES: tuple[Theme, Theme] = ("light", "dark")
_COMPLETE = 999_999  # milliseconds: the page opens at the end of the walk


def view(subject: Any, *args: Any, height: int = HEIGHT, **named: Any) -> Any:
    """Return a live view of a Value or a Curve; a picture of a Plan, or where anywidget is missing.

    A compiled function is shown as the Value that it computes from the arguments, and a model as
    the floor plan of what it computes.
    """
    if not isinstance(subject, Value | Plan | Curve):
        from gradwalk.render import parts

        if not isinstance(subject, parts.Module | parts.Compiled):
            kind = type(subject).__name__
            raise OperandError(
                f"watch takes a Value, a Plan, a Curve, a model or a compiled function, not {kind}"
            )
        value = parts.value_of(subject, *args, **named)
        subject = plan(snapshot(value)) if isinstance(subject, parts.Module) else value
    elif args or named:
        raise OperandError("watch takes arguments only for a model or a compiled function")
    if isinstance(subject, Plan) or find_spec("anywidget") is None:
        return Picture(subject, height)
    while len(_OPEN) >= MOST_LIVE:
        _OPEN.pop(0).close()
    widget = _widget_class()(subject, height)
    _OPEN.append(widget)
    return widget


_OPEN: list[Any] = []


class Picture:
    """What a notebook keeps: a page in a frame, a picture without scripts, text."""

    def __init__(self, subject: Value | Plan | Curve, height: int = HEIGHT) -> None:
        self.value = subject
        self.height = height

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        value: Any = self.value
        found: dict[str, str] = value._repr_mimebundle_()
        if "image/svg+xml" in found and not isinstance(value, Curve):
            page = plan_html(value) if isinstance(value, Plan) else html(walk(value))
            if len(page) < MOST_BYTES:
                found["text/html"] = _frame(page, self.height)
        return found


def _frame(page: str, height: int) -> str:
    inside = page.replace("&", "&amp;").replace("'", "&#39;")
    style = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe title="gradwalk" style="{style}" srcdoc=\'{inside}\'></iframe>'


# ── The link ─────────────────────────────────────────────────────────────────────────────────

_LIVE: WeakSet[Link] = WeakSet()


class Link:
    """A Value on a page. `state` is what the page shows, in the words of web/src/entries/export.ts.

    `tell` is called when `state` has changed from here. `value` is the Value as it is now: after a
    slider moved, one that was computed from the same leaves.
    """

    def __init__(self, value: Value, tell: Callable[[], None] = lambda: None) -> None:
        self.tell: Callable[[], None] = lambda: None
        self.update(value)
        self.tell = tell
        _LIVE.add(self)

    def update(self, value: Value) -> None:
        """Show another Value, such as the next step's loss, at its leaves' numbers of now."""
        if not isinstance(value, Value):
            raise OperandError(f"a view shows a Value, not {type(value).__name__}")
        self.value = value
        self._node, self._unfolded = None, False
        graph = _named(value)
        self.state: dict[str, Any] = {**page_state(graph, now=True), "time": _COMPLETE}
        text = self.state.get("expression")
        self._expression: Expression | None = parse(text) if text else None
        found = values_of(graph, value)
        self.leaves = {leaf.label: found[leaf.id] for leaf in graph.leaves}
        self.tell()

    def refresh(self) -> None:
        """Compute the value again from its leaves, whose `.data` may have changed, and show it."""
        if self._expression is None:
            raise GradwalkError(
                "this graph cannot be written as an expression, so it is not computed again: "
                "compute it yourself, and give it to update()"
            )
        self._compute(self._expression)
        values = {name: leaf.data for name, leaf in self.leaves.items()}
        self.state = {**self.state, "expression": self._expression.text, "values": values}
        self.tell()

    @property
    def selected(self) -> Value | None:
        """The node that is picked in the page."""
        if self._node is None:
            return None
        graph = snapshot(self.value, fold=not self._unfolded)
        return values_of(graph, self.value).get(self._node)

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take what the page says: a node that was picked, or values that were moved."""
        if "node" in message:
            node = message["node"]
            self._node = node if isinstance(node, int) else None
            self._unfolded = message.get("unfold") is True
        values, text = message.get("values"), message.get("expression")
        if self._expression is None or not isinstance(values, dict) or not isinstance(text, str):
            return
        expression = self._expression if text == self._expression.text else parse(text)
        given: dict[str, Any] = values  # pyright: ignore[reportUnknownVariableType]
        numbers = {name: float(given.get(name, 1.0)) for name in expression.names}
        if not all(map(math.isfinite, numbers.values())):
            return
        self.leaves = {
            name: self.leaves.get(name) or Value(x, label=name) for name, x in numbers.items()
        }
        changed = [leaf for name, leaf in self.leaves.items() if leaf.data != numbers[name]]
        for name, leaf in self.leaves.items():
            leaf.data = numbers[name]
        if not changed and expression is self._expression:
            return
        self._expression = expression
        for other in list(_LIVE):
            if other is not self and other._reads(changed):
                other.refresh()
        self._compute(expression)  # last: the gradients of shared leaves are those of this view

    def _reads(self, leaves: list[Value]) -> bool:
        own = {id(leaf) for leaf in self.leaves.values()}
        return self._expression is not None and not own.isdisjoint(map(id, leaves))

    def _compute(self, expression: Expression) -> None:
        for leaf in self.leaves.values():
            leaf.grad = 0.0
        self.value = expression.compute(self.leaves, constant)
        self.value.backward()


def _named(root: Value) -> Graph:
    """Return the graph with names where an expression needs some: leaves, and what is read twice.

    The names are on the Values for the moment of the snapshot only.
    """
    order = topological_order(root)
    uses = Counter([child for value in order for child in value._children])
    taken = {value.label for value in order}
    named: list[Value] = []
    try:
        for letter, wanted in (
            ("x", [v for v in order if not v._children and v._op != CONST]),
            ("t", [v for v in order if v._children and uses[v] > 1]),
        ):
            names = (name for i in count(1) if (name := f"{letter}{i}") not in taken)
            for value in wanted:
                if not value.label:
                    value.label = next(names)
                    named.append(value)
        return snapshot(root)
    finally:
        for value in named:
            value.label = ""


def values_of(graph: Graph, root: Value) -> dict[int, Value]:
    """Return the Value of each node of a snapshot of `root`, by id; {} if some node has none.

    A softmax is one Value and several nodes, so those nodes have no Value of their own.
    """
    order = topological_order(root)
    if len(graph) >= len(order):
        return dict(enumerate(order)) if len(graph) == len(order) else {}
    found = {graph.root: root}
    for node in reversed(graph.nodes):
        children = found[node.id]._children
        if node.op in ("-", "/") and "derived" in node.tags:  # a - b is a + (b * -1)
            children = (children[0], children[1]._children[0])
        found |= dict(zip(node.operands, children, strict=False))
    return found


class CurveLink:
    """A Curve on a page, which draws its picture and reads off its points. `Link` has the words."""

    leaves: Mapping[str, Value] = {}

    def __init__(self, curve: Curve) -> None:
        self.tell: Callable[[], None] = lambda: None
        self.update(curve)

    def update(self, curve: Curve) -> None:
        """Show another Curve, such as the losses so far."""
        if not isinstance(curve, Curve):
            raise OperandError(f"this view shows a Curve, not {type(curve).__name__}")
        self.value = curve
        self.selected: tuple[float, float] | None = None
        points = [
            (i, x, y, ", ".join(map(number_text, curve.points[i]))) for i, x, y in places(curve)
        ]
        light, dark = (curves_svg([curve], title=curve.name, theme=one) for one in _THEMES)
        self.state: dict[str, Any] = {"light": light, "dark": dark, "points": points}
        self.tell()

    def refresh(self) -> None:
        """Draw the curve again, whose list of points may have grown."""
        self.update(self.value)

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take the index of the point that was picked in the page."""
        point = message.get("point")
        if isinstance(point, int) and 0 <= point < len(self.value.points):
            self.selected = self.value.points[point]


# ── The widget ───────────────────────────────────────────────────────────────────────────────


@cache
def _widget_class() -> Any:
    """Return the class of views: made when first wanted, because anywidget is slow to import."""
    anywidget, traitlets = import_module("anywidget"), import_module("traitlets")
    script = (files("gradwalk") / "lab" / "static" / "widget.js").read_text("utf-8")
    built = template() or ""

    class View(anywidget.AnyWidget):
        """A Value or a Curve, live in a notebook. `Link` says what it can do."""

        _esm = script
        page = traitlets.Unicode().tag(sync=True)
        state = traitlets.Dict().tag(sync=True)
        height = traitlets.Int(HEIGHT).tag(sync=True)

        def __init__(self, subject: Value | Curve, height: int) -> None:
            self._link: Any = CurveLink(subject) if isinstance(subject, Curve) else Link(subject)
            self._sent = 0.0
            self._waiting = False
            page = "" if isinstance(subject, Curve) else built
            parent: Any = super()
            parent.__init__(page=page, state=self._link.state, height=height)
            self._link.tell = self._tell
            self.on_msg(self._hear)

        @property
        def value(self) -> Value | Curve:
            return self._link.value

        @property
        def selected(self) -> Value | tuple[float, float] | None:
            return self._link.selected

        @property
        def leaves(self) -> dict[str, Value]:
            return self._link.leaves

        def update(self, subject: Value | Curve) -> None:
            self._link.update(subject)

        def refresh(self) -> None:
            self._link.refresh()

        def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
            self._link.hear(content)

        def _tell(self) -> None:
            """Send the state, not more often than an eye can follow; the last one always."""
            if monotonic() - self._sent >= _EVERY:
                self._send_state()
            elif not self._waiting:
                try:
                    loop = asyncio.get_running_loop()
                except RuntimeError:  # nothing would send it later
                    self._send_state()
                else:
                    self._waiting = True
                    loop.call_later(_EVERY, self._send_state)

        def _send_state(self) -> None:
            self._waiting, self._sent = False, monotonic()
            self.state = self._link.state

        def close(self) -> None:
            if self in _OPEN:
                _OPEN.remove(self)
            self.layout.close()  # ipywidgets keeps it otherwise
            parent: Any = super()
            parent.close()

        def _repr_mimebundle_(self, **named: object) -> Any:
            parent: Any = super()
            data, rest = parent._repr_mimebundle_(**named)
            return {**Picture(self.value, self.height)._repr_mimebundle_(), **data}, rest

    return View
