"""The picture's colours, and text that fits into a place whose size is already decided.

Rules of style are in `svg.css`. No font can be asked for its measures here, so widths are guesses
on the safe side; for numbers, which are monospace, they are good ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite, isnan
from pathlib import Path
from typing import Literal

from gradwalk import ops
from gradwalk.errors import OperandError
from gradwalk.graph import Graph, Node
from gradwalk.statements import relation

Theme = Literal["auto", "light", "dark", "print"]
THEMES = ("light", "dark", "print")

_ROW = r"--([\w-]+): light-dark\((#\w+), (#\w+)\); /\* (#\w+) \*/"
#: Each role's colour, by theme: those of `palette.css`, which the lab has, too.
PALETTE: dict[str, tuple[str, str, str]] = {
    role: (light, dark, print_)
    for role, light, dark, print_ in re.findall(
        _ROW, Path(__file__).with_name("palette.css").read_text("utf-8")
    )
}
#: Every ink reads on every paper, at 4.5:1 or better; `line` is only ever a border.
INKS = ("text", "muted", "forward", "backward", "pos", "neg", "zero")
PAPERS = ("surface", "card", "forward-wash", "backward-wash", "ground", "wrong-wash")

DARK = "@media (prefers-color-scheme: dark)"
MOVING = "@media (prefers-reduced-motion: no-preference)"
LONGEST_STEP = {"gradwalk": 0.9, "plot": 0.2}  # in seconds, by the class of a picture
LONGEST = 18.0  # seconds of a whole animation
MOST_STEPS = 60  # of an animation: a graph with more nodes shows several at once
MONO = 0.602  # the width of a character of the monospace fonts, in ems

#: Operations as pictures write them, where that is not their symbol.
GLYPHS = {"*": "×", "/": "÷", "-": "−", "neg": "−"}


def stylesheet(
    theme: str, sheet: str = "svg.css", roles: Mapping[str, tuple[str, str, str]] = PALETTE
) -> str:
    """Return a stylesheet in a theme's colours; `auto` follows the reader's system."""
    template = Path(__file__).with_name(sheet).read_text("utf-8")
    template = re.sub(r"/\*.*?\*/\s*", "", template, flags=re.DOTALL)

    def coloured(name: str) -> str:
        column = THEMES.index(name)
        return re.sub(r"var\(--([\w-]+)\)", lambda role: roles[role[1]][column], template)

    if theme == "auto":
        return f"{coloured('light')}{DARK} {{\n{coloured('dark')}}}\n"
    if theme not in THEMES:
        raise OperandError(f"the theme is auto, light, dark or print, not {theme!r}")
    return coloured(theme)


def pace(kind: str, steps: int) -> float:
    """Return how many seconds a step of an animation takes."""
    return min(LONGEST_STEP[kind], LONGEST / steps)


def motion(kind: str, steps: int) -> str:
    """Return the rules by which what has the class `s3` appears at step 3, and a `shutter` opens.

    `kind` is the class of the picture itself.

    They end in the whole picture, which is also what a reader sees who asked for less motion.
    """
    step = pace(kind, steps)
    rules = [
        f".{kind} .s{i} {{ animation: gradwalk-appear .3s {i * step:.2f}s backwards; }}\n"
        f".{kind} .shutter.s{i} {{ animation-name: gradwalk-open; }}\n"
        for i in range(1, steps)
    ]
    return (
        "@keyframes gradwalk-appear { from { opacity: 0; } }\n"
        "@keyframes gradwalk-open { from { opacity: 1; } }\n"
        f"{MOVING} {{\n{''.join(rules)}}}\n"
    )


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────


def short(x: float, digits: int = 4) -> str:
    """Return a number of so many digits, with a true minus sign: `−0.1235`, `1.2e−5`, `∞`."""
    if not isfinite(x):
        return "nan" if isnan(x) else "∞" if x > 0 else "−∞"
    text = f"{x:.{digits}g}"
    if x and (abs(x) < 1e-3 or "e" in text):
        head, _, power = f"{x:.{digits - 1}e}".partition("e")
        head = head.rstrip("0").rstrip(".") if "." in head else head
        text = f"{head}e{int(power)}"
    return "0" if text == "-0" else text.replace("-", "−")


def sign(x: float) -> str:
    """Return the role, and class, that a number's sign gives it."""
    return "positive" if x > 0 else "negative" if x < 0 else "zero"


def arithmetic(graph: Graph, node: Node, most: int = 4) -> str:
    """Return what an operation did, in numbers: `2 + −3 = −1`, with the first `most` operands."""
    numbers = [short(graph[operand].data) for operand in node.operands]
    operands = numbers if len(numbers) <= most else [*numbers[:most], "…"]
    out = short(node.data)
    end = f" {relation(node.op, numbers, out)} {out}"
    row = ops.BY_SYMBOL.get(node.op)
    if row is not None and row.infix and len(operands) == 2:
        left, right = operands
        if node.op == "**":
            return f"({left})**{right}{end}" if left[0] == "−" else f"{left}**{right}{end}"
        return f"{left} {GLYPHS.get(node.op, node.op)} {right}{end}"
    if node.op == "neg":
        return f"−({operands[0]}){end}"
    return f"{_cut(node.op or 'node', 10)}({', '.join(operands)}){end}"


# ── Text that fits ───────────────────────────────────────────────────────────────────────────


def fitting(name: str, room: float) -> str:
    """Return a name, its end cut off where it would leave the room."""
    if width(name) <= room:
        return name
    while name and width(name) + 12 > room:
        name = name[:-1]
    return name + "…" if name else ""


def width(name: str) -> int:
    """Return a guess at the width of a name at 14 px."""
    return sum([15 if ord(c) > 0x2E80 else 12 if c in "mwMW@%" else 9 for c in name])


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
