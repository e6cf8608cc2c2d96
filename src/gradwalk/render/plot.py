"""Curves, decision boundaries and attention maps: as SVG, and as text for a terminal.

Everything here is made from plain numbers. Colour is never alone: curves differ by their dashes and
carry their names, the two sides of a boundary have marks of different shapes.

Start reading at `curves_svg`; the text forms stand beside the pictures that they are of.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from gradwalk.errors import OperandError
from gradwalk.graph import number as number_text
from gradwalk.render.text import padded, text_width
from gradwalk.render.theme import PALETTE, Theme, motion, stylesheet

XY = tuple[float, float]

_ROLES = {
    **PALETTE,
    "amber": ("#8a4b00", "#ffb968", "#3d3d3d"),
    "teal": ("#00646b", "#5fd4dc", "#3d3d3d"),
}
_KINDS = 8  # so many curves have a look of their own
_MARKS = "●○▲△■□◆◇"
SIDES = ("side −1", "side +1")
_MOST_SIDE = 20  # characters of a name that is not ours
_SHUTTERS = 24  # strips of paper before an animated picture, which vanish from left to right
_TOP, _WIDTH, _HEIGHT = 56, 560, 320  # of the frame that curves are drawn in
_FAR = 40.0  # heights of a frame; how far beyond it a line goes makes no difference to the eye


class Curve(NamedTuple):
    """A named line through points, x rising; `raw` is what it was smoothed from, drawn faintly."""

    name: str
    points: Sequence[XY]
    raw: Sequence[XY] = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from gradwalk.render.notebook import pictured

        return pictured(curves_text([self]), curves_svg([self], title=self.name))


def smoothed(name: str, points: Sequence[XY], window: float) -> Curve:
    """Return the running mean over the last `window` of x, with the points behind it.

    Of x and not of so many points: a run that streams a line now and then has few of them.
    """
    if window < 2:
        return Curve(name, points)
    means: list[XY] = []
    first = 0
    for i, (x, _) in enumerate(points):
        while points[first][0] <= x - window:
            first += 1
        recent = [y for _, y in points[first : i + 1]]
        means.append((x, sum(recent) / len(recent)))
    return Curve(name, means, points)


# ── Curves ───────────────────────────────────────────────────────────────────────────────────


def curves_svg(
    curves: Sequence[Curve],
    *,
    title: str,
    x: str = "",
    y: str = "",
    theme: Theme = "auto",
    log: bool = False,
    animated: bool = False,
) -> str:
    """Return curves over common axes, each named at its right end; `log`: tenfold by tenfold.

    An `animated` picture draws them from left to right.
    """
    if log:
        curves = [Curve(curve.name, _logarithms(curve.points)) for curve in curves]
    frame = _log_frame(curves) if log else _frame(curves)
    ticks, say = (_powers, _power) if log else (_ticks, _short)
    widest = max([len(say(tick)) for tick in ticks(frame.y0, frame.y1)], default=0)
    left, at = _scale(frame, widest)
    top, width, height = _TOP, _WIDTH, _HEIGHT
    names = max([len(curve.name) for curve in curves], default=0)
    total = left + width + 24 + 8 * names + 16

    parts = [f'<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}"/>']
    for tick in ticks(frame.y0, frame.y1):
        _, line = at((frame.x0, tick))
        parts.append(f'<path class="grid" d="M{left} {line:.1f}h{width}"/>')
        parts.append(_text(left - 8, line + 4, "number end", say(tick)))
    for tick in ticks(frame.x0, frame.x1):
        column, _ = at((tick, frame.y0))
        parts.append(_text(column, top + height + 20, "number middle", say(tick)))
    parts.append(_text(left + width / 2, top + height + 44, "muted middle", x))
    parts.append(_text(left, top - 12, "muted", y))
    # An <svg> within the <svg> cuts off what leaves the frame, so that it is seen to leave.
    frame_size = f'x="{left}" y="{top}" width="{width}" height="{height}"'
    parts.append(f'<svg {frame_size} viewBox="{left} {top} {width} {height}">')
    for i, curve in enumerate(curves):
        if curve.raw and len(curves) <= 2:  # of more, one would see nothing else
            parts.append(f'<path class="raw c{i % _KINDS}" d="{_path(curve.raw, at)}"/>')
    ends: list[tuple[float, int]] = []
    for i, curve in reversed(list(enumerate(curves))):  # where two meet, the first is seen
        parts.append(f'<path class="curve c{i % _KINDS}" d="{_path(curve.points, at)}"/>')
        finite = [point for point in curve.points if math.isfinite(point[1])]
        end = at(finite[-1])[1] if finite else float(top)
        ends.append((min(float(top + height), max(float(top), end)), i))
    for i in range(_SHUTTERS if animated else 0):
        wide = width / _SHUTTERS
        place = f'x="{left + i * wide:.1f}" y="{top}" width="{wide + 1:.1f}" height="{height}"'
        parts.append(f'<rect class="shutter s{i + 1}" {place}/>')
    parts.append("</svg>")
    for line, i in _apart(ends, 16, top + height):
        label = _text(left + width + 12, line + 4, f"t{i % _KINDS}", curves[i].name)
        parts.append(label)
    return _svg(title, total, top + height + 60, parts, theme, _SHUTTERS + 1 if animated else 0)


def _scale(frame: _Frame, widest: int) -> tuple[int, Callable[[XY], XY]]:
    """Return where the frame begins, right of numbers so wide, and what places a point in it."""
    left = max(64, 24 + 8 * widest)

    def at(point: XY) -> XY:
        across = (point[0] - frame.x0) / (frame.x1 - frame.x0)
        up = (point[1] - frame.y0) / (frame.y1 - frame.y0)
        return left + _WIDTH * across, _TOP + _HEIGHT * (1 - min(_FAR, max(-_FAR, up)))

    return left, at


def places(curve: Curve, most: int = 600) -> list[tuple[int, float, float]]:
    """Return the index of about `most` finite points of a curve, and where its picture has them."""
    frame = _frame([curve])
    _, at = _scale(frame, max(len(_short(tick)) for tick in _ticks(frame.y0, frame.y1)))
    stride = max(1, math.ceil(len(curve.points) / most))
    found: list[tuple[int, float, float]] = []
    for i in range(len(curve.points) - 1, -1, -stride):  # the last one always
        if math.isfinite(curve.points[i][1]):
            x, y = at(curve.points[i])
            found.append((i, round(x, 1), round(y, 1)))
    return found[::-1]


def curves_text(curves: Sequence[Curve], *, width: int = 72, height: int = 16) -> str:
    """Return the curves in characters, each with a mark of its own, and the marks explained."""
    frame = _frame(curves)
    labels = [_short(frame.y1), _short((frame.y0 + frame.y1) / 2), _short(frame.y0)]
    margin = max(map(len, labels)) + 1
    across = max(8, width - margin - 1)
    rows = [[" "] * across for _ in range(height)]
    for i, curve in reversed(list(enumerate(curves))):  # where two meet, the first is seen
        for column, y in _columns(curve.points, frame, across):
            up = (y - frame.y0) / (frame.y1 - frame.y0)
            row = round((height - 1) * (1 - min(1.0, max(0.0, up))))
            rows[row][column] = _MARKS[i % len(_MARKS)]
    lines: list[str] = []
    for row, cells in enumerate(rows):
        label = {0: labels[0], height // 2: labels[1], height - 1: labels[2]}.get(row, "")
        lines.append(f"{label:>{margin - 1}} {'┤' if label else '│'}{''.join(cells)}".rstrip())
    first, last = _short(frame.x0), _short(frame.x1)
    lines.append(" " * margin + "└" + "─" * (across - 1))
    lines.append(" " * (margin + 1) + first + last.rjust(across - len(first)))
    for i, curve in enumerate(curves):
        lines.append(f"{' ' * margin} {_MARKS[i % len(_MARKS)]} {curve.name}")
    return "\n".join(lines) + "\n"


class _Frame(NamedTuple):
    x0: float
    x1: float
    y0: float
    y1: float


def _frame(curves: Sequence[Curve]) -> _Frame:
    xs = [x for curve in curves for x, _ in curve.points]
    ys = [y for curve in curves for _, y in curve.points if math.isfinite(y)]
    if not xs or not ys:
        raise OperandError("there is nothing to draw: no curve has a finite point")
    # One curve that explodes must not press all others flat: beyond the cap it leaves the picture.
    cap = max(min(max(_finite(curve)) for curve in curves if _finite(curve)) * 2, min(ys) + 1e-9)
    y0, y1 = min(ys), min(max(ys), cap)
    space = (y1 - y0) * 0.05 or 0.5
    x0, x1 = min(xs), max(xs)
    return _Frame(x0, x1 if x1 > x0 else x0 + 1, max(0.0, y0 - space) if y0 >= 0 else y0 - space,
                  y1 + space)  # fmt: skip


def _log_frame(curves: Sequence[Curve]) -> _Frame:
    """Return a frame of whole powers of ten."""
    places = [point for curve in curves for point in curve.points]
    if not places:
        raise OperandError("there is nothing to draw: no curve has a point above 0")
    xs, ys = [x for x, _ in places], [y for _, y in places]
    x0, y0 = math.floor(min(xs) + 0.05), math.floor(min(ys) + 0.05)
    return _Frame(min(x0, *xs), max(x0 + 1, *xs), min(y0, *ys), max(math.ceil(max(ys)), y0 + 1))


def _logarithms(points: Sequence[XY]) -> list[XY]:
    return [(math.log10(x), math.log10(y)) for x, y in points if x > 0 and 0 < y < math.inf]


def _powers(low: float, high: float) -> list[float]:
    return [float(power) for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)]


def _power(exponent: float) -> str:
    number = 10.0**exponent
    return f"{number:,.0f}" if number >= 1 else f"{number:.{round(-exponent)}f}"


def _finite(curve: Curve) -> list[float]:
    return [y for _, y in curve.points if math.isfinite(y)]


def _columns(points: Sequence[XY], frame: _Frame, across: int) -> Iterator[tuple[int, float]]:
    """Yield the mean of the points in each column of the text."""
    cells: dict[int, list[float]] = {}
    for x, y in points:
        if math.isfinite(y):
            column = round((across - 1) * (x - frame.x0) / (frame.x1 - frame.x0))
            cells.setdefault(column, []).append(y)
    for column, ys in cells.items():
        yield column, sum(ys) / len(ys)


def _path(points: Sequence[XY], at: Callable[[XY], XY], most: int = 600) -> str:
    """Return an SVG path through at most about `most` points, broken where a number is missing."""
    stride = max(1, math.ceil(len(points) / most))
    commands: list[str] = []
    pen = "M"
    for begin in range(0, len(points), stride):
        bucket = points[begin : begin + stride]
        y = sum([y for _, y in bucket]) / len(bucket)
        if not math.isfinite(y):
            pen = "M"
            continue
        column, line = at((bucket[-1][0] if stride > 1 else bucket[0][0], y))
        commands.append(f"{pen}{column:.1f} {line:.1f}")
        pen = "L"
    return "".join(commands)


def _apart(places: list[tuple[float, int]], distance: float, end: float) -> list[tuple[float, int]]:
    """Return the places moved: no two nearer than `distance`, none behind `end`."""
    moved: list[tuple[float, int]] = []
    for place, what in sorted(places):
        moved.append((max(place, moved[-1][0] + distance) if moved else place, what))
    for i in reversed(range(len(moved))):
        place, what = moved[i]
        moved[i] = min(place, end), what
        end = moved[i][0] - distance
    return moved


def _ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers from `low` to `high`."""
    size = 10.0 ** math.floor(math.log10((high - low) / about))
    step = next(size * k for k in (1, 2, 5, 10, 20) if (high - low) / (size * k) <= about + 1)
    return [
        i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


# ── Decision boundaries ──────────────────────────────────────────────────────────────────────


class Boundary(NamedTuple):
    """Scores on a grid over the plane, the lowest row first, and the points they are to part."""

    x0: float
    x1: float
    y0: float
    y1: float
    scores: list[list[float]]
    points: list[XY]
    signs: list[int]


def boundary(
    score: Callable[[float, float], float],
    points: Iterable[XY],
    signs: Iterable[int],
    cells: int = 48,
) -> Boundary:
    """Ask `score` on a grid of cells × cells that has room for all points."""
    places, sides = list(points), list(signs)
    if not places or cells < 2:
        raise OperandError("a boundary needs at least one point, and two cells per side")
    xs, ys = [x for x, _ in places], [y for _, y in places]
    side = max(max(xs) - min(xs), max(ys) - min(ys)) * 1.15 or 1.0
    x0 = (min(xs) + max(xs) - side) / 2
    y0 = (min(ys) + max(ys) - side) / 2
    step = side / (cells - 1)
    scores = [[score(x0 + step * i, y0 + step * j) for i in range(cells)] for j in range(cells)]
    return Boundary(x0, x0 + side, y0, y0 + side, scores, places, sides)


def boundary_svg(
    shape: Boundary, *, title: str, sides: tuple[str, str] = SIDES, theme: Theme = "auto"
) -> str:
    """Return both regions, the line where the score is 0, and the points: circles and squares."""
    left, top, side = 24, 56, 400
    cells = len(shape.scores)
    cell = side / (cells - 1)

    def at(x: float, y: float) -> XY:
        across, up = _share(shape, x, y)
        return left + side * across, top + side * (1 - up)

    parts = [f'<rect class="paper" x="{left}" y="{top}" width="{side}" height="{side}"/>']
    # A run of cells of one tone is one rectangle; half a cell at the rim lies outside the frame.
    for j, row in enumerate(shape.scores):
        for begin, end, tone in _runs([_tone(score) for score in row]):
            x, width = max(0.0, (begin - 0.5) * cell), min(cells - 1, end - 0.5) * cell
            y0, y1 = max(0.0, (cells - 1.5 - j) * cell), min(side, (cells - 0.5 - j) * cell)
            kind = "region-plus" if tone > 0 else "region-minus"
            parts.append(
                f'<rect class="{kind}" x="{left + x:.2f}" y="{top + y0:.2f}" '
                f'width="{width - x:.2f}" height="{y1 - y0:.2f}" '
                f'fill-opacity="{abs(tone) * 0.055:.3f}" shape-rendering="crispEdges"/>'
            )
    crossings = "".join(
        [f"M{_pair(at(*one))}L{_pair(at(*other))}" for one, other in _zero_line(shape)]
    )
    parts.append(f'<path class="edge" d="{crossings}"/>')
    for (x, y), sign in zip(shape.points, shape.signs, strict=True):
        column, line = at(x, y)
        if sign > 0:
            corner = f'x="{column - 4:.1f}" y="{line - 4:.1f}" width="8" height="8"'
            parts.append(f'<rect class="plus" {corner}/>')
        else:
            parts.append(f'<circle class="minus" cx="{column:.1f}" cy="{line:.1f}" r="4.5"/>')
    parts.append('<circle class="minus" cx="32" cy="478" r="4.5"/>')
    parts.append(_text(42, 482, "muted", sides[0][:_MOST_SIDE]))
    parts.append('<rect class="plus" x="228" y="474" width="8" height="8"/>')
    parts.append(_text(242, 482, "muted", sides[1][:_MOST_SIDE]))
    return _svg(title, left + side + 24, 500, parts, theme)


def boundary_text(shape: Boundary, width: int = 60, sides: tuple[str, str] = SIDES) -> str:
    """Return the regions in blocks, blank for −1 and shaded for +1, and the points: ○ and ●."""
    height = max(4, round(width * 0.45))  # a character is about twice as high as it is wide
    rows = [
        [
            "░" if _between(shape, i / (width - 1), 1 - j / (height - 1)) > 0 else " "
            for i in range(width)
        ]
        for j in range(height)
    ]
    for (x, y), sign in zip(shape.points, shape.signs, strict=True):
        across, up = _share(shape, x, y)
        rows[round((1 - up) * (height - 1))][round(across * (width - 1))] = "●" if sign > 0 else "○"
    lines = ["┌" + "─" * width + "┐", *[f"│{''.join(row)}│" for row in rows]]
    minus, plus = [name[:_MOST_SIDE] for name in sides]
    lines += ["└" + "─" * width + "┘", f"○ {minus}   ● {plus}   ░ where the model says {plus}"]
    return "\n".join(lines) + "\n"


def _share(shape: Boundary, x: float, y: float) -> XY:
    return (x - shape.x0) / (shape.x1 - shape.x0), (y - shape.y0) / (shape.y1 - shape.y0)


def _between(shape: Boundary, across: float, up: float) -> float:
    """Return the score at a share of the way across and up, from the four cells around."""
    last = len(shape.scores) - 1
    i, j = min(int(across * last), last - 1), min(int(up * last), last - 1)
    u, v = across * last - i, up * last - j
    low, high = shape.scores[j], shape.scores[j + 1]
    return (low[i] * (1 - u) + low[i + 1] * u) * (1 - v) + (high[i] * (1 - u) + high[i + 1] * u) * v


def _tone(score: float) -> int:
    """Return how deep a score is in its region, in few steps: -6 … -1, 1 … 6."""
    if math.isnan(score):
        return 1
    depth = min(6, 1 + int(abs(score) * 2.5)) if math.isfinite(score) else 6
    return depth if score > 0 else -depth


def _runs(tones: list[int]) -> Iterator[tuple[int, int, int]]:
    begin = 0
    for i in range(1, len(tones) + 1):
        if i == len(tones) or tones[i] != tones[begin]:
            yield begin, i, tones[begin]
            begin = i


def _zero_line(shape: Boundary) -> Iterator[tuple[XY, XY]]:
    """Yield the pieces of the line where the score is 0: cells cut into two triangles each."""
    n = len(shape.scores)
    dx, dy = (shape.x1 - shape.x0) / (n - 1), (shape.y1 - shape.y0) / (n - 1)
    for j in range(n - 1):
        for i in range(n - 1):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            for triangle in ((0, 1, 2), (0, 2, 3)):
                met: list[XY] = []
                for k in range(3):
                    (i0, j0), (i1, j1) = corners[triangle[k]], corners[triangle[(k + 1) % 3]]
                    one, other = shape.scores[j0][i0], shape.scores[j1][i1]
                    if (one > 0) != (other > 0):
                        t = one / (one - other) if math.isfinite(one - other) else 0.5
                        x, y = i0 + t * (i1 - i0), j0 + t * (j1 - j0)
                        met.append((shape.x0 + dx * x, shape.y0 + dy * y))
                if len(met) == 2:
                    yield met[0], met[1]


# ── Attention ────────────────────────────────────────────────────────────────────────────────

Weights = Sequence[Sequence[Sequence[Sequence[float]]]]  # [layer][head][now][then]


def attention_svg(
    tokens: Sequence[str], weights: Weights, *, title: str, theme: Theme = "auto"
) -> str:
    """Return a triangle of squares for each head: the row looks at the column."""
    cell, gap, left, top = 20, 48, 40, 88
    n = len(tokens)
    heads = max(map(len, weights))
    parts: list[str] = []
    for layer, maps in enumerate(weights):
        for head, rows in enumerate(maps):
            x0 = left + head * (n * cell + gap)
            y0 = top + layer * (n * cell + 2 * gap)
            parts.append(_text(x0, y0 - 28, "muted", f"layer {layer + 1}, head {head + 1}"))
            for i, token in enumerate(tokens):
                middle = x0 + (i + 0.5) * cell
                parts.append(_text(middle, y0 - 6, "number middle", token))
                parts.append(_text(x0 - 8, y0 + (i + 0.7) * cell, "number end", token))
            for now, row in enumerate(rows):
                for then, weight in enumerate(row):
                    place = (
                        f'x="{x0 + then * cell + 1}" y="{y0 + now * cell + 1}" '
                        f'width="{cell - 2}" height="{cell - 2}" rx="2"'
                    )
                    words = _said(f"{tokens[now]} takes {weight:.4f} of {tokens[then]}")
                    opacity = min(1.0, max(0.0, weight))
                    parts.append(f'<rect class="cell" {place}/>')
                    parts.append(
                        f'<rect class="weight" {place} fill-opacity="{opacity:.3f}">'
                        f"<title>{words}</title></rect>"
                    )
    width = left + heads * (n * cell + gap)
    height = top + len(weights) * (n * cell + 2 * gap) - 2 * gap + 24
    return _svg(title, width, height, parts, theme)


def attention_text(tokens: Sequence[str], weights: Weights, width: int = 80) -> str:
    """Return the same as digits: tenths of a token's attention, `.` below one twentieth.

    What is too wide loses the gaps between its columns, and then its last columns.
    """
    sizes = [text_width(token) for token in tokens]
    label = max(sizes, default=1)
    gap = " " if label + 2 + sum(sizes) + len(sizes) <= width else ""

    def line(name: str, entries: Sequence[str]) -> str:
        columns = zip(entries, sizes, strict=False)
        words = gap.join([padded(entry, size) for entry, size in columns])
        text = f"  {padded(name, label)} {words}".rstrip()
        if text_width(text) <= width:
            return text
        while text_width(text) >= width:
            text = text[:-1]
        return text + "…"

    lines: list[str] = []
    for layer, maps in enumerate(weights):
        for head, rows in enumerate(maps):
            lines += [f"layer {layer + 1}, head {head + 1}", line("", tokens)]
            for token, row in zip(tokens, rows, strict=True):
                lines.append(line(token, [_tenths(weight) for weight in row]))
            lines.append("")
    return "\n".join(lines)


def _tenths(weight: float) -> str:
    tenths = round(weight * 10) if math.isfinite(weight) else -1
    return "?" if tenths < 0 else "." if tenths == 0 else "X" if tenths >= 10 else str(tenths)


# ── Helpers ──────────────────────────────────────────────────────────────────────────────────


def _svg(
    title: str, width: float, height: float, parts: list[str], theme: str, steps: int = 0
) -> str:
    style = stylesheet(theme, "plot.css", _ROLES) + (motion("plot", steps) if steps else "")
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" {size} '
            f'aria-label="{_said(title)}">',
            f"<title>{_said(title)}</title>",
            f"<style>\n{style}</style>",
            f'<rect class="canvas" width="{width:.0f}" height="{height:.0f}" rx="8"/>',
            _text(24, 28, "title", title),
            *parts,
            "</svg>\n",
        ]
    )


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{_said(text)}</text>' if text else ""


def _said(text: str) -> str:
    """Return a text as XML takes it, which has no place for most control characters."""
    return escape(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text))


def _pair(point: XY) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _short(number: float) -> str:
    return number_text(number, 4).replace("-", "−")
