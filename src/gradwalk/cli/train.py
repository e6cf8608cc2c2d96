"""`gradwalk train …`: an MLP that parts points in the plane, and its decision boundary."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from gradwalk import contract
from gradwalk.cli.arguments import (
    PICTURES,
    Parser,
    need_suffix,
    number,
    picture_kind,
    picture_options,
    suggest,
    whole,
)
from gradwalk.cli.terminal import Progress, Signals, emit_picture, open_stream, show, width
from gradwalk.data import SHAPES, Points, read_points
from gradwalk.errors import UsageError
from gradwalk.files import check_writable
from gradwalk.gpt.training import without_collector


def train(words: Sequence[str]) -> int:
    """Run `gradwalk train WORDS`."""
    parser = Parser("train")
    count = whole(1)
    parser.option("--steps", type=count, default=100, metavar="N", help="(100)")
    parser.option("--points", type=count, metavar="N", help="(100)")
    parser.option("--noise", type=_real, metavar="X", help="how far points lie off their shape")
    parser.option("--seed", type=whole(), default=1, metavar="N", help="of points and model (1)")
    parser.option("--hidden", type=_sizes, default=[16, 16], metavar="SIZES", help="(16,16)")
    parser.option("--lr", type=number, default=1.0, metavar="X", help="the first step's rate (1)")
    parser.option("-o", "--out", action="append", default=[], metavar="FILE",
                  help="write the decision boundary as a picture")  # fmt: skip
    picture_options(parser, moves=False)
    parser.option("--stream", metavar="FILE", help="write JSON lines there, one per step")
    options = parser.read(words)
    if options is None:
        return 0
    name, data, sides = _data(options)
    for file in options.out:
        need_suffix(file, "a boundary", PICTURES[:3])
        check_writable(file)

    from gradwalk.points import PointsTraining
    from gradwalk.render.plot import SIDES, boundary, boundary_svg, boundary_text

    training = PointsTraining(data, options.hidden, options.steps, options.seed, options.lr)
    progress = Progress(options.steps)
    first = last = None
    with open_stream(options) as out, Signals() as signals, without_collector():
        for last in training:
            first = first or last
            if out is not None:
                out.write(contract.dumps(last._asdict()) + "\n")
                out.flush()
            progress.show(last.step, f"loss {last.loss:.4f}", f"right {last.accuracy:4.0%}")
            if signals.came:
                break
    progress.clear()
    assert first is not None
    assert last is not None
    share = training.accuracy()
    if options.out or not options.json:
        shape = boundary(training.score, *data)
        for file in options.out:
            title = f"{name}: {share:.0%} right after {_steps(last.step)}"
            picture = boundary_svg(shape, title=title, sides=sides or SIDES, theme=options.theme)
            emit_picture(picture, options, file, picture_kind(file))
        if not options.json:
            show(boundary_text(shape, min(60, width() - 2), sides or SIDES))
            of = f" of {options.steps}" if signals.came else ""
            show(f"{len(training.optimizer.parameters)} parameters, {_steps(last.step)}{of}")
            losses = f"{_loss(first.loss)} → {_loss(last.loss)}"
            show(f"loss {losses}, {share:.0%} of the points right")
            if not last.loss <= 10 * first.loss:
                show(f"it has diverged; a rate below --lr {options.lr:g} may help")
    return 128 + signals.came if signals.came else 0


def _data(options: argparse.Namespace) -> tuple[str, Points, tuple[str, str] | None]:
    """Return the data: its name, its points, and for a user's file the names of its sides."""
    words, there = options.words, f"{', '.join(SHAPES)}, or a file of points"
    if not words:
        raise UsageError(f"train takes a shape: {there}")
    if len(words) > 1:
        raise UsageError(f"train takes one shape, not {' and '.join(words[:2])!r:.40}")
    if words[0] in SHAPES:
        noise = {} if options.noise is None else {"noise": options.noise}
        count = 100 if options.points is None else options.points
        return words[0], SHAPES[words[0]](count, seed=options.seed, **noise), None
    file = Path(words[0])
    if not file.suffix and not file.exists():
        hint = suggest(words[0], SHAPES) or f"; there is {there}"
        raise UsageError(f"there is no shape {words[0]!r:.40}{hint}")
    for option in ("points", "noise"):
        if getattr(options, option) is not None:
            raise UsageError(f"--{option} is for shapes that are drawn, not for a file of points")
    return file.stem, *read_points(file)


def _steps(count: int) -> str:
    return f"{count} step" if count == 1 else f"{count} steps"


def _loss(loss: float) -> str:
    return f"{loss:.4f}" if math.isfinite(loss) and loss < 1e6 else f"{loss:.3g}"


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number, not {text!r:.40}") from None


def _sizes(text: str) -> list[int]:
    read = whole(1)
    try:
        return [read(size) for size in text.split(",")]
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"sizes such as 16,16: {error}") from None
