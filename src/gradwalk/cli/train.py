"""`gradwalk train …`: an MLP that parts points in the plane, and its decision boundary."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from gradwalk.cli.arguments import Parser, number, whole
from gradwalk.cli.progress import Progress, open_stream
from gradwalk.cli.terminal import emit, width
from gradwalk.data import SHAPES
from gradwalk.errors import UsageError
from gradwalk.gpt.stream import plain
from gradwalk.gpt.training import without_collector

__all__ = ["train"]


def train(words: Sequence[str]) -> int:
    """Run `gradwalk train WORDS`."""
    parser = Parser("train")
    count = whole(1)
    parser.option("--steps", type=count, default=100, metavar="N", help="(100)")
    parser.option("--points", type=count, default=100, metavar="N", help="(100)")
    parser.option("--noise", type=_real, metavar="X", help="how far points lie off their shape")
    parser.option("--seed", type=whole(), default=1, metavar="N", help="of points and model (1)")
    parser.option("--hidden", type=_sizes, default=[16, 16], metavar="SIZES", help="(16,16)")
    parser.option("--lr", type=number, default=1.0, metavar="X", help="the first step's rate (1)")
    parser.option("-o", "--out", action="append", default=[], metavar="FILE",
                  help="write the decision boundary, as .svg or .png")  # fmt: skip
    parser.option("--stream", metavar="FILE", help="write JSON lines there, one a step")
    options = parser.read(words)
    if options is None:
        return 0
    name = _shape(options.words)
    for file in options.out:
        if Path(file).suffix.casefold() not in (".svg", ".png"):
            raise UsageError(f"{file}: a boundary is written as .svg or .png")

    from gradwalk.render.plot import boundary, boundary_png, boundary_svg, boundary_text
    from gradwalk.train.points import PointsTraining

    noise = {} if options.noise is None else {"noise": options.noise}
    data = SHAPES[name](options.points, seed=options.seed, **noise)
    training = PointsTraining(data, options.hidden, options.steps, options.seed, options.lr)
    progress = Progress(options.steps)
    first = last = None
    with open_stream(options) as out, without_collector():
        for last in training:
            first = first or last
            if out is not None:
                out.write(json.dumps(plain(last._asdict())) + "\n")
                out.flush()
            progress.show(last.step, f"loss {last.loss:.4f}  right {last.accuracy:4.0%}")
    progress.clear()
    assert first is not None
    assert last is not None
    share = training.accuracy()
    if options.out or not options.json:
        shape = boundary(training.score, *data)
        for file in options.out:
            title = f"{name}: {share:.0%} right after {options.steps} steps"
            picture = boundary_svg(shape, title=title)
            emit(picture if Path(file).suffix.casefold() == ".svg" else boundary_png(shape), file)
        if not options.json:
            print(boundary_text(shape, min(60, width() - 2)))
            print(f"{len(training.optimizer.parameters)} parameters, {options.steps} steps")
            print(f"loss {first.loss:.4f} → {last.loss:.4f}, {share:.0%} of the points right")
    return 0


def _shape(words: list[str]) -> str:
    there = ", ".join(SHAPES)
    if not words:
        raise UsageError(f"train takes a shape: {there}")
    if len(words) > 1:
        raise UsageError(f"train takes one shape, not {' and '.join(words[:2])!r:.40}")
    if words[0] not in SHAPES:
        raise UsageError(f"there is no shape {words[0]!r:.40}; there is {there}")
    return words[0]


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
