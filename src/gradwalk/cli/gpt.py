"""`gradwalk gpt …`: a few lines for each part of it, between the library and the terminal.

Data goes to stdout, everything else to stderr, progress only to a terminal.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shlex
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from gradwalk import contract
from gradwalk.cli.arguments import (
    FORMATS,
    ONLY_PARSER,
    PICTURES,
    Parser,
    format_of,
    need_suffix,
    number,
    one_of,
    picture_kind,
    picture_options,
    suggest,
    use_backend,
    whole,
)
from gradwalk.cli.terminal import (
    Progress,
    Signals,
    emit,
    emit_picture,
    note,
    open_stream,
    show,
    width,
)
from gradwalk.errors import AnomalyError, OperandError, UsageError
from gradwalk.files import check_writable
from gradwalk.gpt import BREAKS, GPT, Config, Run, Tokenizer, Training, load_model, read_documents
from gradwalk.gpt import training as learning
from gradwalk.gpt.stepper import DEFAULT_FORM, FORMS, JaxStepper, Stepper
from gradwalk.gpt.stream import GLANCE, Stream
from gradwalk.gpt.training import fingerprint, mean_loss, without_collector
from gradwalk.gpt.views import TensorView, attention, document_graph, tensor_views
from gradwalk.graph import Graph

CHECKPOINT = "gpt.safetensors"
PRESETS = {
    "reference": Config(),
    "tiny": Config(n_embd=8, n_head=2, block_size=8),
    "deep": Config(n_layer=2),
}


# ── gradwalk gpt ─────────────────────────────────────────────────────────────────────────────


def gpt(words: Sequence[str]) -> int:
    """Run `gradwalk gpt WORDS`."""
    first = words[0] if words else "--help"
    if first in ("--help", "-h", "help", ONLY_PARSER):
        Parser("gpt").read(["--help" if first == "help" else first])
        return 0
    if first not in _GPT:
        hint = suggest(first, _GPT) or f"; there is {', '.join(_GPT)}"
        raise UsageError(f"there is no gpt {first!r:.40}{hint}")
    return _GPT[first](list(words[1:]))


def train(words: list[str]) -> int:
    parser = Parser("gpt train")
    count = whole(1)
    parser.option("--steps", type=count, metavar="N", help="how many (1000)")
    parser.option("--seed", type=whole(), metavar="N", help="of all random numbers (42)")
    presets = ", ".join(PRESETS)
    parser.option("--config", metavar="SIZES", help=f"{presets}, or n_embd=32,n_layer=2")
    parser.option("--data", metavar="FILE", help="documents to learn from, one per line")
    form = one_of("form", FORMS)
    parser.option("--form", type=form, metavar="FORM", help=f"{', '.join(FORMS)} ({DEFAULT_FORM})")
    _broken(parser, "train with one thing broken: see below")
    parser.option("-o", "--out", default=CHECKPOINT, metavar="FILE", help=f"({CHECKPOINT})")
    parser.option("--resume", action="store_true", help="go on with that checkpoint")
    parser.option("--force", action="store_true", help="start over, where a checkpoint is there")
    parser.option("--save-every", type=number, default=30.0, metavar="SECONDS", help="(30)")
    parser.option("--stream", metavar="FILE", help="write JSON lines there; --json: to stdout")
    parser.option("--every", type=count, default=0, metavar="N",
                  help="a line each N steps (as many as cost 0.3 %% of the time)")  # fmt: skip
    parser.option("--samples", type=whole(0), default=10, metavar="N", help="at the end (10)")
    engine = one_of("engine", ("auto", "python", "native", "jax"))
    parser.option("--backend", type=engine, metavar="ENGINE", help="auto, python, native, jax")
    parser.option("--batch", type=count, metavar="N", help="documents per step (1)")
    parser.option("--devices", type=count, metavar="N", help="of JAX's, for a batch (all)")
    options = _read(parser, words, 0)
    if options is None:
        show("\nbreaks:")
        show("".join([f"  {row.name:<16} {row.words}\n" for row in BREAKS.values()]))
        return 0
    if options.backend != "jax":
        if options.devices:
            raise UsageError("--devices are JAX's: add --backend jax")
        use_backend(options.backend, ["gpt", "train", *words])
    if options.resume and options.force:
        raise UsageError("--resume goes on with a checkpoint, --force starts over; take one")
    if options.every and not (options.stream or options.json):
        raise UsageError("--every says how often a stream has a line: add --stream FILE")
    if options.broken is not None:
        if len(options.broken) > 1:
            raise UsageError("train takes one --break; `gradwalk gpt compare` takes several")
        options.broken = options.broken[0]
    training = _training(options)
    keeper = _Keeper(options.out)
    _note_cut(training)
    with _stream(options, training) as stream, Signals() as signals, without_collector():
        try:
            losses = _steps(training, stream, keeper, options, signals)
            if stream is not None:
                stream.settle()
        except OSError as error:  # of the stream: its reader is gone, or its disk is full
            keeper.save_last(training)
            note(f"the stream broke off ({error.strerror}) at step {training.steps_done}; "
                 f"checkpoint {keeper.file}")  # fmt: skip
            raise
        keeper.save_last(training)
        if stream is not None:
            stream.checkpoint(keeper.file)
            stream.end("interrupted" if signals.came else "finished")
    if not options.json:
        show(_summary(training, losses, keeper.file, options, bool(signals.came)))
    return 128 + signals.came if signals.came else 0


def sample(words: list[str]) -> int:
    parser = Parser("gpt sample")
    parser.option("--temperature", type=number, default=0.5, metavar="T", help="(0.5)")
    parser.option("--n", type=whole(1), default=10, metavar="N", help="how many (10)")
    parser.option("--prompt", default="", metavar="TEXT", help="what each begins with")
    parser.option("--seed", type=whole(), default=42, metavar="N", help="(42)")
    options = _read(parser, words, 1)
    if options is None:
        return 0
    model, tokenizer, _ = _model(options)
    if len(options.prompt) >= model.config.block_size:
        raise UsageError(
            f"the prompt has {len(options.prompt)} characters; "
            f"the model reads {model.config.block_size} and needs room to go on"
        )
    rng = random.Random(options.seed)
    texts = learning.samples(model, tokenizer, rng, options.n, options.temperature, options.prompt)
    if options.json:
        print(json.dumps(list(texts)))
    else:
        for text in texts:
            print(text, flush=sys.stdout is not None and sys.stdout.isatty())
    return 0


def evaluate(words: list[str]) -> int:
    parser = Parser("gpt eval")
    parser.option("--data", metavar="FILE", help="documents, one per line")
    parser.option("--n", type=whole(1), default=100, metavar="N", help="how many (100)")
    options = _read(parser, words, 1)
    if options is None:
        return 0
    model, tokenizer, known = _model(options)
    documents = _documents(options.data)
    same = fingerprint(documents) == known["documents"]
    random.Random(known["seed"]).shuffle(documents)  # as the training did: the last are unread
    unread = max(0, len(documents) - known["steps_done"]) if same else len(documents)
    documents = documents[-options.n :]
    read = max(0, len(documents) - unread)
    with without_collector():
        loss, tokens = mean_loss(model, tokenizer, documents)
    row = {
        "loss": loss,
        "perplexity": math.inf if loss >= 700 else math.exp(loss),
        "documents": len(documents),
        "read": read,
        "tokens": tokens,
        "guessing": math.log(len(tokenizer)),
    }
    if options.json:
        print(contract.dumps(row))
    else:
        several = "" if len(documents) == 1 else "s"
        show(f"loss {loss:.4f} a token, over {tokens} tokens of {len(documents)} document{several}")
        if read:
            show(f"{read} of these the model was trained on; --data FILE has others")
        show(f"as unsure as between {row['perplexity']:.1f} tokens; guessing: {len(tokenizer)}")
    return 0


def inspect(words: list[str]) -> int:
    parser = Parser("gpt inspect")
    parser.option("--document", metavar="TEXT", help="what to read")
    parser.option("--attention", metavar="FILE", help="write the attention maps as a picture")
    parser.option("--graph", action="store_true", help="the floor plan of the loss")
    parser.option("--open", action="append", default=[], metavar="SCOPE",
                  help="the wiring in this box of it; may be given again")  # fmt: skip
    formats = one_of("format", dict.fromkeys(FORMATS.values()))
    parser.option("--format", type=formats, metavar="FORMAT",
                  help=", ".join(dict.fromkeys(FORMATS.values())))  # fmt: skip
    parser.option("-o", dest="file", metavar="FILE", help="write the graph to FILE")
    picture_options(parser)
    options = _read(parser, words, 1)
    if options is None:
        return 0
    format_ = format_of(options)
    if options.attention:
        need_suffix(options.attention, "an attention map", PICTURES[:3])
    model, tokenizer, known = _model(options)
    document: str | None = options.document
    if document is None:
        document = _familiar(tokenizer.characters)
    tokens = tokenizer.encode(document)
    if options.attention:
        from gradwalk.render.plot import attention_svg

        seen = attention(model, tokens)
        names = tokenizer.names(seen.tokens)
        title = f"reading {document}"
        picture = attention_svg(names, seen.weights, title=title, theme=options.theme)
        emit_picture(picture, options, options.attention, picture_kind(options.attention))
    if options.graph or options.open or options.file or options.format:
        graph = document_graph(model, tokens)
        written = _graph(graph, model.config.n_layer, format_, options)
        if f".{format_}" in PICTURES:
            emit_picture(written, options, options.file, format_)
        else:
            emit(written, options.file)
        return 0
    return _looked_at(model, tokenizer, known, document, options)


def _graph(graph: Graph, layers: int, format_: str, options: argparse.Namespace) -> str:
    """Return the graph of a loss in the format asked for: its plan; as JSON and DOT all of it."""
    from gradwalk.plan import plan
    from gradwalk.render import plan as draw
    from gradwalk.render.dot import dot
    from gradwalk.render.json import dumps, graph_json
    from gradwalk.render.pictures import drawn

    if format_ == "json":
        return dumps(graph_json(graph))
    if format_ == "dot":
        return dot(graph)
    opened: list[str] = options.open
    if len(opened) == 1 and format_ != "html":
        shown = plan(graph, scope=opened[0])
    else:  # the layers stand open, so that the plan shows what they are made of
        shown = plan(graph, [f"layers.{i}" for i in range(layers)] + opened)
    if f".{format_}" in PICTURES:
        moves = options.animate or format_ == "gif"
        return drawn(shown, theme=options.theme, size=options.size, animated=moves)
    if format_ == "html":
        return draw.plan_html(shown)
    return draw.plan_text(shown, width=width())


def _looked_at(
    model: GPT,
    tokenizer: Tokenizer,
    known: dict[str, Any],
    document: str,
    options: argparse.Namespace,
) -> int:
    """Print the parameters, their gradients for one document, and where its tokens look."""
    tokens = tokenizer.encode(document)
    loss = model.loss(tokens)
    loss.backward()
    tensors = tensor_views(model)
    seen = attention(model, tokens)
    names = tokenizer.names(seen.tokens)
    if options.json:
        view = {
            "run": known,
            "document": document,
            "loss": loss.data,
            "tensors": [row._asdict() for row in tensors],
            "tokens": names,
            "attention": seen.weights,
        }
        print(contract.dumps(view))
        return 0
    from gradwalk.render.plot import attention_text

    total = sum([row.parameters for row in tensors])
    show(f"step {known['steps_done']} of {known['steps']}, {total} parameters")
    show(f"loss of {document!r}: {loss.data:.4f}\n\n")
    show(_table(tensors, width()))
    show("\nattention in tenths: the row takes so much of the column\n\n")
    show(attention_text(names, seen.weights, width()))
    show("--graph shows how the loss comes about")
    return 0


def _table(tensors: list[TensorView], columns: int) -> str:
    """Return a row for each matrix; where there is no room, some of its numbers are left out."""
    head = ("tensor", "shape", "count", "norm", "largest", "grad norm", "largest")
    rows = [
        (
            row.name,
            " × ".join(map(str, row.shape)),
            str(row.parameters),
            f"{row.norm:.4f}",
            f"{row.largest:.4f}",
            f"{row.grad_norm:.6f}",
            f"{row.grad_largest:.6f}",
        )
        for row in tensors
    ]
    sizes = [max(least, *[len(row[i]) for row in rows]) for i, least in enumerate(_LEAST)]
    shown = list(range(len(head)))
    for column in (6, 4, 2, 1):  # the first to go
        if sum([sizes[i] + 1 for i in shown]) - 1 > columns:
            shown.remove(column)
    lines = [
        " ".join([f"{row[i]:{'>' if i else '<'}{sizes[i]}}" for i in shown])
        for row in [head, *rows]
    ]
    return "\n".join(lines)


_LEAST = (14, 9, 7, 9, 9, 10, 9)


def compare(words: list[str]) -> int:
    parser = Parser("gpt compare")
    _broken(parser, "train a sound model and one with this broken; may be given again")
    parser.option("--steps", type=whole(1), default=200, metavar="N", help="so many (200)")
    parser.option("--seed", type=whole(), default=42, metavar="N", help="(42)")
    parser.option("--config", metavar="SIZES", help="as for train")
    parser.option("--data", metavar="FILE", help="documents, one per line")
    parser.option("-o", "--out", metavar="FILE", help="write the curves as a picture")
    picture_options(parser)
    options = _read(parser, words, 99)
    if options is None:
        return 0
    if bool(options.words) == bool(options.broken):
        raise UsageError("compare takes streams of runs, or --break NAME to train some now")
    if options.out:
        need_suffix(options.out, "a picture of curves", PICTURES)
        check_writable(options.out)
    runs = _compared(options) if options.broken else _read_streams(options.words)
    if options.json:
        print(contract.dumps(runs))
        return 0
    from gradwalk.render.plot import curves_svg, curves_text, smoothed

    window = max(1, int(max([points[-1][0] for points in runs.values()])) // 20)
    curves = [smoothed(name, points, window) for name, points in runs.items()]
    over = f", mean of {window} steps" if window > 1 else ""
    if options.out:
        kind = picture_kind(options.out)
        moves = options.animate or kind == "gif"
        picture = curves_svg(
            curves, title="Loss", x="step", y=f"loss{over}", theme=options.theme, animated=moves
        )
        emit_picture(picture, options, options.out, kind)
    show(f"loss{over}\n\n")
    show(curves_text(curves, width=min(100, width()) - 2))
    for curve in curves:
        last = runs[curve.name][-1][0]
        show(f"{curve.name:<16} {curve.points[-1][1]:.4f} after {last:g} steps")
    return 0


def _broken(parser: Parser, words: str) -> None:
    kind = one_of("break", BREAKS)
    parser.option("--break", dest="broken", type=kind, metavar="NAME", action="append", help=words)


def _read(parser: Parser, words: list[str], most: int) -> argparse.Namespace | None:
    options = parser.read(words)
    if options is not None and len(options.words) > most:
        parser.error(f"does not know what to do with {options.words[most]!r:.40}")
    return options


# ── Training, watched ────────────────────────────────────────────────────────────────────────


def _training(options: argparse.Namespace) -> Training:
    """Return the run asked for: a fresh one, or the one that the checkpoint holds."""
    out = Path(options.out)
    documents = _documents(options.data)
    stepper = _on_jax(options.devices) if options.backend == "jax" else None
    if options.resume:
        if not out.exists():
            raise UsageError(f"{out}: no such checkpoint; without --resume a run starts afresh")
        check_writable(out)
        training = Training.resume(out, documents, stepper)
        for name in _SETTINGS:
            asked, had = getattr(options, name), getattr(training.run, name)
            if asked is not None and asked != had:
                option = "--break" if name == "broken" else f"--{name}"
                begun = f"with {option} {had}" if had != "" else f"without {option}"
                why = _LONGER if name == "steps" else ""
                raise UsageError(
                    f"{out} was begun {begun}, which cannot change half-way{why}; "
                    "--force starts over"
                )
        if options.config and _config(options.config) != replace(
            training.model.config, vocabulary=Config().vocabulary
        ):
            sizes = ", ".join([f"{k}={v}" for k, v in asdict(training.model.config).items()])
            raise UsageError(f"{out} was begun with {sizes}; it cannot change half-way")
        return training
    if not options.out:
        raise UsageError("-o names a file for the checkpoint, not ''")
    if out.is_file() and not options.force:
        raise UsageError(f"{out} is there already; --resume goes on with it, --force starts over")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"{out.parent}: no such folder")
    check_writable(out)
    asked = {name: getattr(options, name) for name in _SETTINGS}
    run = Run(**{name: setting for name, setting in asked.items() if setting is not None})
    config = _config(options.config)
    return Training(documents, config, run, stepper)


def _on_jax(devices: int | None) -> Callable[[GPT, Run], Stepper]:
    """Return what makes steps on JAX, in double precision as elsewhere."""
    from gradwalk.program.on_jax.lowering import jax_modules

    jax_modules()[0].config.update("jax_enable_x64", True)
    return partial(JaxStepper, devices=devices)


_SETTINGS = ("steps", "seed", "form", "broken", "batch")
_LONGER = ": the learning rate falls to 0 over all of them"


def _note_cut(training: Training) -> None:
    """Say how many documents have an end that the model does not get to read."""
    room = training.model.config.block_size
    cut = sum([len(document) >= room for document in training.documents])
    if cut:
        of = f"{cut:,} of {len(training.documents):,} documents"
        note(f"{of} have {room} characters or more: block_size={room} leaves out their ends")


def _steps(
    training: Training,
    stream: Stream | None,
    keeper: _Keeper,
    options: argparse.Namespace,
    signals: Signals,
) -> list[float]:
    """Train until the last step or a signal; return the losses."""
    progress = Progress(training.run.steps, training.steps_done)
    losses: list[float] = []
    tokens = 0
    begin = saved = time.perf_counter()
    while not training.finished and not signals.came:
        if stream is None:
            block = training.steps(training.run.steps, GLANCE)
        else:
            block = stream.steps(training.run.steps)
        losses += [done.loss for done in block]
        tokens += sum([done.tokens for done in block])
        now = time.perf_counter()
        if progress.due(now):
            recent = losses[-50:]
            speed = tokens / (now - begin)
            mean = sum(recent) / len(recent)
            words = f"loss {mean:.4f}", f"{speed:,.0f} tokens/s"
            progress.show(training.steps_done, *words, once=training.stepper.preparing)
        if now - saved >= options.save_every and not training.finished:
            if stream is not None:
                stream.settle()
            try:
                keeper.save(training)
            except OSError as error:  # the disk may have room later
                progress.clear()
                lost = f"step {training.steps_done} is not saved, the run goes on"
                note(f"{keeper.file}: {error.strerror}; {lost}")
            else:
                if stream is not None:
                    stream.checkpoint(keeper.file)
            saved = time.perf_counter()
    progress.clear()
    if losses and not options.json:
        print(_speed(len(losses), tokens, time.perf_counter() - begin, training), file=sys.stderr)
    return losses


def _speed(steps: int, tokens: int, seconds: float, training: Training) -> str:
    once = training.stepper.preparing
    each = (seconds - once) / steps
    several = "" if steps == 1 else "s"
    size = f"{each * 1e6:,.0f} µs" if each < 1e-3 else f"{each * 1e3:,.1f} ms"
    first = f" after {once:.2f} s of recording" if once else ""
    return f"{steps:,} step{several}, {size} each{first}; {tokens / (seconds - once):,.0f} tokens/s"


def _summary(
    training: Training,
    losses: list[float],
    file: str,
    options: argparse.Namespace,
    interrupted: bool,
) -> str:
    lines: list[str] = []
    broken = f", {training.run.broken}" if training.run.broken else ""
    lines.append(
        f"step {training.steps_done} of {training.run.steps}: "
        f"{len(training.model.parameters())} parameters{broken}"
    )
    if losses:
        n = max(1, min(50, len(losses) // 2))
        first, last = sum(losses[:n]) / n, sum(losses[-n:]) / n
        means = f", means of {n} steps" if n > 1 else ""
        lines.append(f"loss {first:.4f} → {last:.4f}{means}")
    lines.append(f"checkpoint {file}")
    if interrupted:
        out = "" if file == CHECKPOINT else f" -o {shlex.quote(file)}"
        data = f" --data {shlex.quote(options.data)}" if options.data else ""
        lines.append(f"stopped; to go on: gradwalk gpt train --resume{out}{data}")
    elif options.samples > 0:
        try:
            lines += ["", *training.sample(options.samples)]
        except AnomalyError as error:
            lines += [str(error)]
    return "\n".join(lines) + "\n"


def _compared(options: argparse.Namespace) -> dict[str, list[tuple[float, float]]]:
    runs: dict[str, list[tuple[float, float]]] = {}
    documents, config = _documents(options.data), _config(options.config)
    for broken in dict.fromkeys(["", *options.broken]):
        training = Training(documents, config, Run(options.steps, options.seed, broken=broken))
        progress = Progress(options.steps)
        points: list[tuple[float, float]] = []
        with without_collector():
            while not training.finished:
                done = training.step()
                points.append((done.step, done.loss))
                words = broken or "sound", f"loss {done.loss:.4f}"
                progress.show(done.step, *words, once=training.stepper.preparing)
        progress.clear()
        runs[broken or "sound"] = points
    return runs


def _read_streams(files: list[str]) -> dict[str, list[tuple[float, float]]]:
    """Return the losses of runs by the names of their streams; by all of the path for two alike."""
    stems = [Path(file).stem for file in files]
    names = [
        stem if stems.count(stem) == 1 else file for stem, file in zip(stems, files, strict=True)
    ]
    return {name: _losses(file) for name, file in zip(names, files, strict=True)}


def _losses(file: str) -> list[tuple[float, float]]:
    """Return the losses of a run from its stream."""
    points: list[tuple[float, float]] = []
    text = Path(file).read_text("utf-8", errors="replace")
    *lines, _ = text.split("\n")  # what has no end yet is still being written, or was cut off
    for place, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            if row.get("event", "step") == "step":  # `gradwalk train` writes nothing else
                step, loss = row["step"], float(row["loss"])
                if type(step) is not int or not 0 <= step < 2**53:
                    raise ValueError
                points.append((step, loss))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise UsageError(f"{file}:{place}: not a line of `gpt train --stream`") from None
    if not points:
        raise UsageError(f"{file}: there is no step in it")
    return points


@contextmanager
def _stream(options: argparse.Namespace, training: Training) -> Generator[Stream | None]:
    with open_stream(options, training.steps_done if options.resume else None) as out:
        if out is None:
            yield None
            return
        stream = Stream(out, training, every=options.every)
        stream.start()
        yield stream
        stream.flush()


# ── What options mean ────────────────────────────────────────────────────────────────────────


def _config(text: str | None) -> Config:
    """Return the sizes of a preset, of a JSON file, or of `n_embd=32,n_layer=2`."""
    if not text:
        return Config()
    if text in PRESETS:
        return PRESETS[text]
    known = [field.name for field in fields(Config) if field.name != "vocabulary"]
    where = "--config"
    if text.endswith(".json"):
        where = text
        try:
            sizes = json.loads(Path(text).read_text("utf-8"))
        except (ValueError, RecursionError):
            raise UsageError(f"{text}: not JSON") from None
        if not isinstance(sizes, dict):
            raise UsageError(f'{text}: sizes are a JSON object, such as {{"n_embd": 32}}')
        pairs: list[tuple[str, Any]] = list(sizes.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    else:
        if "=" not in text:
            hint = (
                suggest(text, PRESETS) or f"; there is {', '.join(PRESETS)}, FILE.json or n_embd=32"
            )
            raise UsageError(f"--config: there is no preset {text!r:.40}{hint}")
        pairs = [(name.strip(), int(n) if _is_size(n) else n) for name, _, n in
                 [part.strip().partition("=") for part in text.split(",")]]  # fmt: skip
    for i, (name, size) in enumerate(pairs):
        if isinstance(size, int) and size > _LARGEST_SIZE:
            raise UsageError(f"{where}: {name} is at most {_LARGEST_SIZE:,}")
        if name == "vocabulary":
            raise UsageError(f"{where}: the vocabulary is that of the documents, and is not given")
        if name not in known:
            hint = suggest(name, known) or f"; there is {', '.join(known)}"
            raise UsageError(f"{where}: there is no size {name!r:.40}{hint}")
        if name in [earlier for earlier, _ in pairs[:i]]:
            raise UsageError(f"{where}: {name} is given twice")
    try:
        return Config(**dict(pairs))
    except OperandError as error:
        raise UsageError(f"{where}: {error}") from None


_LARGEST_SIZE = 10**9


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _documents(file: str | None) -> list[str]:
    if file is not None:
        return read_documents(file)
    from gradwalk.data import names

    return names()


def _model(options: argparse.Namespace) -> tuple[GPT, Tokenizer, dict[str, Any]]:
    path = Path(options.words[0] if options.words else CHECKPOINT)
    if not path.exists():
        raise UsageError(f"{path}: no such checkpoint; `gradwalk gpt train -o {path}` makes one")
    return load_model(path)


def _familiar(characters: str) -> str:
    """Return a document the model can read, where none was options."""
    from gradwalk.data import names

    known = set(characters)
    return next((name for name in ["marina", *names()] if set(name) <= known), characters[:4])


_GPT: dict[str, Callable[[list[str]], int]] = {
    "train": train,
    "sample": sample,
    "eval": evaluate,
    "inspect": inspect,
    "compare": compare,
}


# ── The checkpoint of a run ──────────────────────────────────────────────────────────────────


class _Keeper:
    """Writes the checkpoints of one run into `file`, and never over those of another.

    Two runs may have been given one file. The second to write finds that it is not the file it
    knows, and from then on keeps its own beside it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._known = _mark(file)

    def save(self, training: Training) -> None:
        found = _mark(self.file)
        if found is not None and found != self._known:
            file = Path(self.file)
            beside = file.with_name(f"{file.stem}-{os.getpid()}{file.suffix}")
            note(f"{file} was written by another run meanwhile; this one goes to {beside}")
            self.file = str(beside)
        training.save(self.file)
        self._known = _mark(self.file)

    def save_last(self, training: Training) -> None:
        """Write what the run ends with; where that fails, elsewhere, and say where."""
        try:
            self.save(training)
        except OSError:
            with suppress(OSError):
                # A folder of our own: a stranger could make a file in the shared one before us.
                rescued = Path(tempfile.mkdtemp(prefix="gradwalk-")) / Path(self.file).name
                training.save(rescued)
                note(f"step {training.steps_done} is saved in {rescued} instead")
            raise


def _mark(file: str) -> tuple[int, int] | None:
    """Return what tells a file from the one that replaces it; None where there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None
