"""Pictures as files: SVG, PNG, PDF and GIF, in any theme, on a page of any size.

    save       a Value, a graph, a walk, a plan, a curve or an SVG, as the suffix of the file says
    encoded    an SVG as the bytes of such a file

Every picture is drawn as SVG, by `svg`, `plan` or `plot`. PNG and PDF are made from that by typst,
and a GIF by Pillow from one PNG per step: both come with the extra `pictures`.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from gradwalk.engine import Value
from gradwalk.errors import BackendError, OperandError
from gradwalk.files import write_whole
from gradwalk.graph import Graph, snapshot
from gradwalk.plan import Plan
from gradwalk.render import theme as look
from gradwalk.render.plan import plan_svg
from gradwalk.render.plot import Curve, curves_svg
from gradwalk.render.svg import svg
from gradwalk.render.theme import Theme
from gradwalk.walk import Walk

SUFFIXES = (".svg", ".png", ".pdf", ".gif")
SLIDE = (1920, 1080)
_MARGIN = 0.04  # of a page's width
_HOLD = 4.0  # seconds for which a GIF shows its last picture
_PIXELS = 96  # per inch, which makes a pixel of SVG one of PNG
_SHARP = 2  # pixels per pixel, where no size is asked for

# The fonts after those of the stylesheets: the last is in typst itself.
_DOCUMENT = b"""
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#set document(title: sys.inputs.title, date: none)
#set text(font: ("DejaVu Sans", "Liberation Sans", "DejaVu Sans Mono"))
#image(bytes(sys.inputs.svg), format: "svg", alt: sys.inputs.title)
"""


def save(
    subject: Value | Graph | Walk | Plan | Curve | str,
    path: str | Path,
    *,
    theme: Theme = "auto",
    size: tuple[int, int] | None = None,
    animated: bool = False,
) -> Path:
    """Write a picture as .svg, .png, .pdf or .gif, and return its path.

    `size` is that of a page, such as `SLIDE`: a wide walk or plan is then cut into rows. A
    .gif is always animated, a .png and a .pdf never. A text is a picture already drawn, such as
    `curves_svg` returns, and keeps its theme.
    """
    path = Path(path)
    suffix = path.suffix.casefold()
    if suffix not in SUFFIXES:
        raise OperandError(f"a picture is .svg, .png, .pdf or .gif, not {path.suffix}: {path}")
    if not isinstance(subject, str):
        moves = animated or suffix == ".gif"
        subject = drawn(subject, theme=theme, size=size, animated=moves)
    write_whole(path, [encoded(subject, suffix, size)])
    return path


def drawn(
    subject: Value | Graph | Walk | Plan | Curve,
    *,
    theme: Theme = "auto",
    size: tuple[int, int] | None = None,
    animated: bool = False,
) -> str:
    """Return the SVG of a subject, in rows that fill a page of this size."""
    wrap = size[0] / size[1] if size else None
    if isinstance(subject, Plan):
        return plan_svg(subject, theme=theme, wrap=wrap, animated=animated)
    if isinstance(subject, Curve):
        return curves_svg([subject], title=subject.name, theme=theme, animated=animated)
    if not isinstance(subject, Value | Graph | Walk):
        kind = type(subject).__name__
        raise OperandError(
            f"a picture is of a Value, a graph, a walk, a plan or a curve, not of a {kind}"
        )
    shown = snapshot(subject) if isinstance(subject, Value) else subject
    return svg(shown, theme=theme, wrap=wrap, animated=animated)


def encoded(picture: str, suffix: str, size: tuple[int, int] | None = None) -> bytes:
    """Return an SVG as the bytes of a file with this suffix."""
    if size:
        picture = _on_page(picture, *size)
    if suffix == ".svg":
        return picture.encode("utf-8")
    packages = ("typst", "PIL") if suffix == ".gif" else ("typst",)
    if not all(map(find_spec, packages)):
        raise BackendError(
            f"a {suffix} needs typst and Pillow, which are not installed: "
            "pip install 'gradwalk[pictures]'; an .svg needs nothing"
        )
    if suffix == ".gif":
        return _gif(picture)
    return _typeset(_still(picture), suffix[1:], 1 if size else _SHARP)


def _on_page(picture: str, wide: int, high: int) -> str:
    """Return the picture in the middle of a page, as large as it fits."""
    tag = re.match(r"<svg [^>]*>", picture)
    kind, label, box = [
        match[1]
        for name in ("class", "aria-label", "viewBox")
        if tag and (match := re.search(f'{name}="([^"]*)"', tag[0]))
    ]
    assert tag
    edge = round(wide * _MARGIN)
    room = f'x="{edge}" y="{edge}" width="{wide - 2 * edge}" height="{high - 2 * edge}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" width="{wide}" '
        f'height="{high}" viewBox="0 0 {wide} {high}" aria-label="{label}">\n'
        f'<rect class="canvas" width="{wide}" height="{high}"/>\n'
        f'<svg {room} viewBox="{box}">{picture[tag.end() :].rstrip()}\n</svg>\n'
    )


def _still(picture: str, step: int | None = None) -> str:
    """Return the picture without rules that ask the reader's system; or as it is at a step."""
    steps = _steps(picture)
    for rule in (look.DARK, look.MOVING):
        picture = re.sub(re.escape(rule) + r" \{\n.*?\n\}\n", "", picture, flags=re.DOTALL)
    later = range(step + 1, steps) if step is not None else range(0)
    hidden = "".join([f".s{i} {{ opacity: 0; }}\n.shutter.s{i} {{ opacity: 1; }}\n" for i in later])
    return picture.replace("</style>", hidden + "</style>", 1)


def _steps(picture: str) -> int:
    return 1 + max([int(i) for i in re.findall(r'class="(?:shutter )?s(\d+)"', picture)], default=0)


def _gif(picture: str) -> bytes:
    images = import_module("PIL.Image")
    steps = _steps(picture)
    first, *rest = [
        images.open(BytesIO(_typeset(_still(picture, i), "png", 1))).convert("RGB")
        for i in range(steps)
    ]
    kind = "plot" if 'class="plot"' in picture else "gradwalk"
    time = round(1000 * look.pace(kind, steps))
    times = [*[time] * len(rest), round(1000 * _HOLD)]
    out = BytesIO()
    first.save(out, "GIF", save_all=True, append_images=rest, duration=times, loop=0)
    return out.getvalue()


def _typeset(picture: str, kind: str, scale: int) -> bytes:
    label = re.search(r'aria-label="([^"]*)"', picture)
    inputs = {"svg": picture, "title": unescape(label[1]) if label else ""}
    return _compiler().compile(
        _DOCUMENT, format=kind, ppi=_PIXELS * scale, sys_inputs=inputs, timestamp=0
    )


@cache
def _compiler() -> Any:
    """Return typst with the fonts of this machine: looking for them takes longer than a picture."""
    typst = import_module("typst")
    return typst.Compiler(font_paths=typst.Fonts())
