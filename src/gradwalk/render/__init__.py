"""Graphs and walks, rendered: text for a terminal, SVG and DOT for the eye, JSON for programs.

    text     walk_text, paths_text, gradcheck_text
    json     walk_json, graph_json, paths_json, gradcheck_json, dumps; its contract is in contract/
    svg      svg, drawn where `layout` says
    dot      dot, and draw_dot for notebooks
    notebook what a Value or a walk at the end of a cell shows
    tape     tape_bytes: a graph as binary columns, for very large ones
    plan     floor plans: plan_text, plan_svg, plan_html
    plot     Curve, curves_svg; boundaries and attention maps
    pictures save: any of these as SVG, PNG, PDF or GIF, on a page of any size

Nothing here computes: what is shown was decided in `graph`, `walk`, `paths` and `transforms`.
"""

from gradwalk.render.dot import Drawing, dot, draw_dot
from gradwalk.render.json import dumps, gradcheck_json, graph_json, paths_json, walk_json
from gradwalk.render.layout import Layout, layout
from gradwalk.render.pictures import SLIDE, save
from gradwalk.render.plan import plan_html, plan_svg, plan_text
from gradwalk.render.plot import Curve, curves_svg
from gradwalk.render.svg import svg
from gradwalk.render.tape import tape_bytes
from gradwalk.render.text import gradcheck_text, paths_text, walk_text

__all__ = [
    "SLIDE",
    "Curve",
    "Drawing",
    "Layout",
    "curves_svg",
    "dot",
    "draw_dot",
    "dumps",
    "gradcheck_json",
    "gradcheck_text",
    "graph_json",
    "layout",
    "paths_json",
    "paths_text",
    "plan_html",
    "plan_svg",
    "plan_text",
    "save",
    "svg",
    "tape_bytes",
    "walk_json",
    "walk_text",
]
