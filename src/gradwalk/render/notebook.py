"""What a notebook shows of a Value, a walk or a floor plan: text, and a picture without scripts.

The picture is SVG, so it is also there on a page that shows notebooks, in an export, in a notebook
that is not trusted, and after a restart. With the extra `pictures` it is there as PNG as well, for
programs that do not show SVG.
"""

from __future__ import annotations

from base64 import b64encode
from importlib.util import find_spec

from gradwalk.engine import Value, topological_order
from gradwalk.graph import named, snapshot
from gradwalk.plan import Plan
from gradwalk.render.pictures import encoded
from gradwalk.render.plan import plan_svg, plan_text
from gradwalk.render.svg import svg
from gradwalk.walk import Walk

MOST = 300  # nodes of a picture: a larger one is no use between the cells of a notebook
_NAMED = 8  # gradients that the text tells


def bundle(subject: Value | Walk | Plan) -> dict[str, str]:
    """Return the forms that a notebook chooses from, by their types."""
    if isinstance(subject, Plan):
        return pictured(plan_text(subject), plan_svg(subject))
    said = repr(subject)
    count = len(topological_order(subject) if isinstance(subject, Value) else subject.graph.nodes)
    if count > MOST:
        return {"text/plain": f"{said}\n{count:,} nodes: too many for a picture here"}
    drawn = subject if isinstance(subject, Walk) else snapshot(subject)
    graph = drawn.graph if isinstance(drawn, Walk) else drawn
    leaves = [node for node in graph.nodes if not node.operands and node.label]
    if isinstance(subject, Value) and len(graph) > 1 and leaves:
        shown = [named(f"{node.label}.grad", node.grad) for node in leaves[:_NAMED]]
        more = [f"and {len(leaves) - _NAMED} more"] if len(leaves) > _NAMED else []
        said += "\n" + ", ".join(shown + more)
    return pictured(said, svg(drawn))


def pictured(said: str, picture: str) -> dict[str, str]:
    """Return a text and an SVG by their types, and the PNG of the SVG where it can be made."""
    found = {"text/plain": said, "image/svg+xml": picture}
    if find_spec("typst"):
        found["image/png"] = b64encode(encoded(picture, ".png")).decode("ascii")
    return found
