"""`gradwalk gpt …` and `gradwalk train …`: a few lines each between the library and the terminal.

`gpt` and `train` take the words behind the command's name and return an exit code. Data goes to
stdout, everything else to stderr, progress only to a terminal. What is wrong with a command line is
a GradwalkError, which the command line's `main` prints.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from gradwalk.errors import AnomalyError
from gradwalk.gpt import BREAKS, Config, Run, Training, load_model, read_documents
from gradwalk.gpt.stream import Stream, plain
from gradwalk.gpt.training import FORMS, mean_loss, sample, without_collector
from gradwalk.gpt.views import attention, document_graph, graph_rows, tensor_views
from gradwalk.train.terminal import (
    CommandError,
    Parser,
    Progress,
    Signals,
    count,
    examples_text,
    heading,
    open_stream,
    sizes,
    use_backend,
    width,
    write,
)

__all__ = ["CommandError", "gpt", "train"]

CHECKPOINT = "gpt.safetensors"
PRESETS = {
    "reference": Config(),
    "tiny": Config(n_embd=8, n_head=2, block_size=8),
    "deep": Config(n_layer=2),
}


# ── gradwalk gpt ─────────────────────────────────────────────────────────────────────────────


def gpt(words: Sequence[str]) -> int:
    """Run `gradwalk gpt WORDS`."""
    if not words or words[0] in ("--help", "-h", "help"):
        print(_GPT_HELP, end="")
        return 0
    if words[0] not in _GPT:
        raise CommandError(f"there is no gpt {words[0]!r:.40}; there is {', '.join(_GPT)}")
    return _GPT[words[0]](list(words[1:]))


def gpt_train(words: list[str]) -> int:
    parser = Parser(
        "gpt train",
        "[options]",
        (
            ("gradwalk gpt train", "1,000 steps on invented names"),
            ("gradwalk gpt train --data words.txt", "your own text, a document a line"),
            ("gradwalk gpt train --resume", "go on where it was stopped"),
            ("gradwalk gpt train --break no-residual -o b.safetensors", "with one thing broken"),
            ("gradwalk gpt train --stream run.jsonl", "all that happens, as JSON lines"),
        ),
        "Ctrl-C stops after the step in progress and writes a checkpoint.\n\nbreaks:\n"
        + "".join([f"  {row.name:<16} {row.words}\n" for row in BREAKS.values()]),
    )
    parser.add("--steps", type=count, help="how many (1000)")
    parser.add("--seed", type=int, help="the same seed gives the same numbers (42)")
    parser.add("--config", metavar="SIZES", help=f"{', '.join(PRESETS)}, or n_embd=32,n_layer=2")
    parser.add("--data", metavar="FILE", help="documents to learn from, one a line")
    parser.add("--form", choices=tuple(FORMS), help="the model written out, or in n-ary operations")
    parser.add("--break", dest="broken", choices=tuple(BREAKS), metavar="NAME", help="see below")
    parser.add("-o", "--out", metavar="FILE", default=CHECKPOINT, help=f"checkpoint ({CHECKPOINT})")
    parser.add("--resume", action="store_true", help="go on with that checkpoint")
    parser.add("--force", action="store_true", help="start over, where a checkpoint is there")
    parser.add("--save-every", type=float, default=30.0, metavar="SECONDS", help="(30)")
    parser.add("--stream", metavar="FILE", help="write JSON lines there while training")
    parser.add("--graph-at", type=count, metavar="STEP", help="stream the graph of that step")
    parser.add("--samples", type=int, default=10, metavar="N", help="texts to show at the end (10)")
    parser.add_json("print the stream")
    parser.add("--backend", choices=("auto", "python", "native"), help="the engine")
    if (given := parser.read(words, 0)) is None:
        return 0
    use_backend(given.backend, ["gpt", "train", *words])
    training = _training(given)
    with _stream(given, training) as stream, Signals() as signals, without_collector():
        losses = _steps(training, stream, given, signals)
        training.save(given.out)
        if stream is not None:
            stream.checkpoint(given.out)
            stream.end("interrupted" if signals.came else "finished")
    if not given.json:
        print(_summary(training, losses, given, bool(signals.came)), end="")
    return 128 + signals.came if signals.came else 0


def gpt_sample(words: list[str]) -> int:
    parser = Parser(
        "gpt sample",
        "[CHECKPOINT] [options]",
        (
            ("gradwalk gpt sample", f"ten texts from {CHECKPOINT}"),
            ("gradwalk gpt sample --temperature 1 --n 20", "more, and wilder"),
            ("gradwalk gpt sample --prompt ma", "each beginning with ma"),
        ),
    )
    parser.add("--temperature", type=float, default=0.5, help="low: likely, high: wild (0.5)")
    parser.add("--n", type=count, default=10, help="how many (10)")
    parser.add("--prompt", default="", metavar="TEXT", help="what each begins with")
    parser.add("--seed", type=int, default=42, help="the same seed gives the same texts (42)")
    parser.add_json("print a JSON list")
    if (given := parser.read(words, 1)) is None:
        return 0
    import random

    model, tokenizer, _ = load_model(_checkpoint(given.words))
    if len(given.prompt) >= model.config.block_size:
        raise CommandError(
            f"the prompt has {len(given.prompt)} characters; "
            f"the model reads {model.config.block_size} and needs room to go on"
        )
    rng = random.Random(given.seed)
    texts = sample(model, tokenizer, rng, given.n, given.temperature, given.prompt)
    print(json.dumps(texts) if given.json else "\n".join(texts))
    return 0


def gpt_eval(words: list[str]) -> int:
    parser = Parser(
        "gpt eval",
        "[CHECKPOINT] [options]",
        (
            ("gradwalk gpt eval", "the loss of a token"),
            ("gradwalk gpt eval --data words.txt", "over documents of your own"),
        ),
        "Of the documents it was trained on, those it has met last or never are taken.\n",
    )
    parser.add("--data", metavar="FILE", help="documents, one a line")
    parser.add("--n", type=count, default=100, help="how many (100)")
    parser.add_json("print a JSON object")
    if (given := parser.read(words, 1)) is None:
        return 0
    import random

    model, tokenizer, known = load_model(_checkpoint(given.words))
    documents = _documents(given.data)
    random.Random(known["seed"]).shuffle(documents)  # as the training did: the last are unread
    documents = documents[-given.n :]
    with without_collector():
        loss, tokens = mean_loss(model, tokenizer, documents)
    row = {
        "loss": loss,
        "perplexity": math.exp(loss) if loss < 700 else math.inf,
        "documents": len(documents),
        "tokens": tokens,
        "guessing": math.log(len(tokenizer)),
    }
    if given.json:
        print(json.dumps(plain(row)))
    else:
        print(f"loss {loss:.4f} a token, over {tokens} tokens of {len(documents)} documents")
        print(f"as unsure as between {row['perplexity']:.1f} tokens; guessing: {len(tokenizer)}")
    return 0


def gpt_inspect(words: list[str]) -> int:
    parser = Parser(
        "gpt inspect",
        "[CHECKPOINT] [options]",
        (
            ("gradwalk gpt inspect", "parameters, gradients, attention"),
            ("gradwalk gpt inspect --document mira", "of a document of your own"),
            ("gradwalk gpt inspect --attention map.svg", "attention as a picture"),
            ("gradwalk gpt inspect --graph loss.json", "the graph of its loss"),
        ),
    )
    parser.add("--document", metavar="TEXT", help="what to read")
    parser.add("--attention", metavar="FILE", help="write the attention maps as SVG")
    parser.add("--graph", metavar="FILE", help="write the graph of the loss as JSON")
    parser.add_json("print a JSON object")
    if (given := parser.read(words, 1)) is None:
        return 0
    model, tokenizer, known = load_model(_checkpoint(given.words))
    document: str = given.document or _familiar(tokenizer.characters)
    tokens = tokenizer.encode(document)
    loss = model.loss(tokens)
    loss.backward()
    tensors = tensor_views(model)
    seen = attention(model, tokens)
    names = tokenizer.names(seen.tokens)
    graph = document_graph(model, tokens)
    counts: dict[str, int] = {}
    for node in graph.nodes:
        kind = "parameter" if node.label and not node.operands else node.op or "number"
        counts[kind] = counts.get(kind, 0) + 1
    if given.attention:
        from gradwalk.render.plot import attention_svg

        write(given.attention, attention_svg(names, seen.weights, title=f"reading {document}"))
    if given.graph:
        rows = plain({"document": document, "nodes": graph_rows(graph)})
        write(given.graph, json.dumps(rows) + "\n")
    if given.json:
        view = {
            "run": known,
            "document": document,
            "loss": loss.data,
            "tensors": [row._asdict() for row in tensors],
            "tokens": names,
            "attention": seen.weights,
            "graph": counts,
        }
        print(json.dumps(plain(view)))
        return 0
    from gradwalk.render.plot import attention_text

    total = sum([row.parameters for row in tensors])
    print(f"step {known['steps_done']} of {known['steps']}, {total} parameters")
    print(f"loss of {document!r}: {loss.data:.4f}\n")
    head = ("tensor", "shape", "count", "norm", "largest", "grad norm", "largest")
    print("{:<14} {:>9} {:>7} {:>9} {:>9} {:>10} {:>9}".format(*head))
    for row in tensors:
        shape = " × ".join(map(str, row.shape))
        print(
            f"{row.name:<14} {shape:>9} {row.parameters:>7} {row.norm:>9.4f} {row.largest:>9.4f} "
            f"{row.grad_norm:>10.6f} {row.grad_largest:>9.6f}"
        )
    print("\nattention in tenths: the row takes so much of the column\n")
    print(attention_text(names, seen.weights))
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    print(f"graph of the loss: {len(graph)} nodes")
    print("  " + ", ".join([f"{count} {kind}" for kind, count in listed]))
    return 0


def gpt_compare(words: list[str]) -> int:
    parser = Parser(
        "gpt compare",
        "[STREAM ...] [options]",
        (
            ("gradwalk gpt compare a.jsonl b.jsonl", "the losses of two runs"),
            ("gradwalk gpt compare --break no-residual --steps 200", "train both, then compare"),
            ("gradwalk gpt compare a.jsonl b.jsonl -o curves.svg", "as a picture"),
        ),
        "A STREAM is what `gradwalk gpt train --stream FILE` writes.\n",
    )
    parser.add("--break", dest="broken", action="append", choices=tuple(BREAKS), metavar="NAME",
               help="train a sound model and one with this broken; may be given again")  # fmt: skip
    parser.add("--steps", type=count, default=200, help="so many (200)")
    parser.add("--seed", type=int, default=42, help="(42)")
    parser.add("--config", metavar="SIZES", help="as for train")
    parser.add("--data", metavar="FILE", help="documents, one a line")
    parser.add("-o", "--out", metavar="FILE", help="write the curves as SVG")
    parser.add_json("print the losses as a JSON object")
    if (given := parser.read(words, 99)) is None:
        return 0
    if bool(given.words) == bool(given.broken):
        raise CommandError("compare takes streams of runs, or --break NAME to train some now")
    runs = _compared(given) if given.broken else dict([_losses(file) for file in given.words])
    if given.json:
        print(json.dumps(plain(runs)))
        return 0
    from gradwalk.render.plot import curves_svg, curves_text, smoothed

    longest = max([len(points) for points in runs.values()])
    window = max(1, longest // 20)
    curves = [smoothed(name, points, window) for name, points in runs.items()]
    over = f", mean of {window} steps" if window > 1 else ""
    if given.out:
        write(given.out, curves_svg(curves, title="Loss", x="step", y=f"loss{over}"))
    print(f"loss{over}\n")
    print(curves_text(curves, width=min(100, width()) - 2))
    for curve in curves:
        print(f"{curve.name:<16} {curve.points[-1][1]:.4f} after {len(curve.points)} steps")
    return 0


# ── gradwalk train ───────────────────────────────────────────────────────────────────────────


def train(words: Sequence[str]) -> int:
    """Run `gradwalk train WORDS`."""
    from gradwalk.data import SHAPES

    parser = Parser(
        "train",
        "SHAPE [options]",
        (
            ("gradwalk train moons", "which moon is a point on?"),
            ("gradwalk train spiral --hidden 16,16 --steps 400", "harder"),
            ("gradwalk train circles -o edge.svg -o edge.png", "its decision boundary"),
            ("gradwalk train xor --json", "every step, as JSON lines"),
        ),
        f"SHAPE is {', '.join(SHAPES)}.\n",
    )
    parser.add("--steps", type=count, default=100, help="(100)")
    parser.add("--points", type=count, default=100, help="(100)")
    parser.add("--noise", type=float, help="how far points lie off their shape")
    parser.add("--seed", type=int, default=1, help="of the points and of the model (1)")
    parser.add(
        "--hidden", type=sizes, default=[16, 16], metavar="SIZES", help="layers between (16,16)"
    )
    parser.add("--lr", type=float, default=1.0, help="the rate of the first step (1)")
    parser.add("-o", "--out", action="append", default=[], metavar="FILE",
               help="write the decision boundary, as .svg or .png")  # fmt: skip
    parser.add("--stream", metavar="FILE", help="write JSON lines there, one a step")
    parser.add_json("print JSON lines, one a step")
    if (given := parser.read(list(words), 1)) is None:
        return 0
    if not given.words:
        raise CommandError(f"train takes a shape: {', '.join(SHAPES)}")
    name = given.words[0]
    if name not in SHAPES:
        raise CommandError(f"there is no shape {name!r:.40}; there is {', '.join(SHAPES)}")
    for file in given.out:
        if Path(file).suffix not in (".svg", ".png"):
            raise CommandError(f"{file}: a boundary is written as .svg or .png")

    from gradwalk.render.plot import boundary, boundary_png, boundary_svg, boundary_text
    from gradwalk.train.points import PointsTraining

    noise = {} if given.noise is None else {"noise": given.noise}
    data = SHAPES[name](given.points, seed=given.seed, **noise)
    hidden = given.hidden
    training = PointsTraining(data, hidden, given.steps, given.seed, given.lr)
    progress = Progress(given.steps)
    first = last = None
    with open_stream(given) as out, without_collector():
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
    if given.out or not given.json:
        shape = boundary(training.score, *data)
        for file in given.out:
            title = f"{name}: {share:.0%} right after {given.steps} steps"
            picture = boundary_svg(shape, title=title)
            write(file, picture if file.endswith(".svg") else boundary_png(shape))
        if not given.json:
            print(boundary_text(shape, min(60, width() - 2)))
            print(f"{len(training.optimizer.parameters)} parameters, {given.steps} steps")
            print(f"loss {first.loss:.4f} → {last.loss:.4f}, {share:.0%} of the points right")
    return 0


# ── Training, watched ────────────────────────────────────────────────────────────────────────


def _training(given: argparse.Namespace) -> Training:
    """Return the run asked for: a fresh one, or the one that the checkpoint holds."""
    out = Path(given.out)
    documents = _documents(given.data)
    if given.resume:
        if not out.exists():
            raise CommandError(f"{out}: no such checkpoint; without --resume a run starts afresh")
        training = Training.resume(out, documents)
        for name in ("steps", "seed", "form", "broken"):
            asked, had = getattr(given, name), getattr(training.run, name)
            if asked is not None and asked != had:
                raise CommandError(
                    f"{out} was begun with {name} {had!r}; it cannot change half-way"
                )
        if given.config and _config(given.config) != replace(
            training.model.config, vocabulary=Config().vocabulary
        ):
            raise CommandError(f"{out} was begun with {training.model.config}")
        return training
    if out.exists() and not given.force:
        raise CommandError(f"{out} is there already; --resume goes on with it, --force starts over")
    if not out.absolute().parent.is_dir():
        raise CommandError(f"{out.parent}: no such folder")
    asked = {name: getattr(given, name) for name in ("steps", "seed", "form", "broken")}
    run = Run(**{name: setting for name, setting in asked.items() if setting is not None})
    return Training(documents, _config(given.config), run)


def _steps(
    training: Training, stream: Stream | None, given: argparse.Namespace, signals: Signals
) -> list[float]:
    """Train until the last step or a signal; return the losses."""
    progress = Progress(training.run.steps, training.steps_done)
    losses: list[float] = []
    tokens = 0
    begin = saved = time.perf_counter()
    while not training.finished and not signals.came:
        if stream is not None and training.steps_done + 1 == given.graph_at:
            stream.request("graph")
        done = training.step() if stream is None else stream.step()
        losses.append(done.loss)
        tokens += done.tokens
        now = time.perf_counter()
        if progress.due(now):
            recent = losses[-50:]
            speed = tokens / (now - begin)
            mean = sum(recent) / len(recent)
            progress.show(done.step, f"loss {mean:.4f}  {speed:,.0f} tokens/s")
        if now - saved >= given.save_every and not training.finished:
            training.save(given.out)
            if stream is not None:
                stream.checkpoint(given.out)
            saved = time.perf_counter()
    progress.clear()
    return losses


def _summary(
    training: Training, losses: list[float], given: argparse.Namespace, interrupted: bool
) -> str:
    lines: list[str] = []
    broken = f", {training.run.broken}" if training.run.broken else ""
    lines.append(
        f"step {training.steps_done} of {training.run.steps}: "
        f"{len(training.optimizer.parameters)} parameters{broken}"
    )
    if losses:
        n = max(1, min(50, len(losses) // 2))
        first, last = sum(losses[:n]) / n, sum(losses[-n:]) / n
        lines.append(f"loss {first:.4f} → {last:.4f}, means of {n} steps")
    lines.append(f"checkpoint {given.out}")
    if interrupted:
        out = "" if given.out == CHECKPOINT else f" -o {given.out}"
        data = f" --data {given.data}" if given.data else ""
        lines.append(f"stopped; to go on: gradwalk gpt train --resume{out}{data}")
    elif given.samples > 0:
        try:
            lines += ["", *training.sample(given.samples)]
        except AnomalyError as error:
            lines += [str(error)]
    return "\n".join(lines) + "\n"


def _compared(given: argparse.Namespace) -> dict[str, list[tuple[float, float]]]:
    runs: dict[str, list[tuple[float, float]]] = {}
    documents, config = _documents(given.data), _config(given.config)
    for broken in dict.fromkeys(["", *given.broken]):
        training = Training(documents, config, Run(given.steps, given.seed, broken=broken))
        progress = Progress(given.steps)
        points: list[tuple[float, float]] = []
        with without_collector():
            while not training.finished:
                done = training.step()
                points.append((done.step, done.loss))
                progress.show(done.step, f"{broken or 'sound'}  loss {done.loss:.4f}")
        progress.clear()
        runs[broken or "sound"] = points
    return runs


def _losses(file: str) -> tuple[str, list[tuple[float, float]]]:
    """Return the name and the losses of a run from its stream."""
    name = Path(file).stem
    points: list[tuple[float, float]] = []
    for number, line in enumerate(Path(file).read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            if row["event"] == "step":
                points.append((int(row["step"]), float(row["loss"])))
        except (ValueError, KeyError, TypeError):
            raise CommandError(f"{file}:{number}: not a line of `gpt train --stream`") from None
    if not points:
        raise CommandError(f"{file}: there is no step in it")
    return name, points


@contextmanager
def _stream(given: argparse.Namespace, training: Training) -> Generator[Stream | None]:
    with open_stream(given, training.steps_done if given.resume else None) as out:
        stream = None if out is None else Stream(out, training)
        if stream is not None:
            stream.start()
        yield stream
        if stream is not None:
            stream.flush()


# ── What options mean ────────────────────────────────────────────────────────────────────────


def _config(text: str | None) -> Config:
    """Return the sizes of a preset, of a JSON file, or of `n_embd=32,n_layer=2`."""
    if not text:
        return Config()
    if text in PRESETS:
        return PRESETS[text]
    known = [field.name for field in fields(Config) if field.name != "vocabulary"]
    if text.endswith(".json"):
        try:
            sizes = json.loads(Path(text).read_text("utf-8"))
        except ValueError:
            raise CommandError(f"{text}: not JSON") from None
        pairs: list[tuple[str, Any]] = list(sizes.items()) if isinstance(sizes, dict) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    else:
        pairs = [(name, int(n) if n.isdigit() else n) for name, _, n in
                 [part.strip().partition("=") for part in text.split(",")]]  # fmt: skip
    wrong = [name for name, _ in pairs if name not in known]
    if wrong or not pairs:
        raise CommandError(
            f"--config takes {', '.join(PRESETS)}, a .json file, or sizes of "
            f"{', '.join(known)}, not {text!r:.40}"
        )
    return Config(**dict(pairs))


def _documents(file: str | None) -> list[str]:
    if file is not None:
        return read_documents(file)
    from gradwalk.data import names

    return names()


def _checkpoint(words: list[str]) -> Path:
    path = Path(words[0] if words else CHECKPOINT)
    if not path.exists():
        raise CommandError(f"{path}: no such checkpoint; `gradwalk gpt train -o {path}` makes one")
    return path


def _familiar(characters: str) -> str:
    """Return a document the model can read, where none was given."""
    from gradwalk.data import names

    known = set(characters)
    return next((name for name in ["marina", *names()] if set(name) <= known), characters[:4])


_GPT: dict[str, Callable[[list[str]], int]] = {
    "train": gpt_train,
    "sample": gpt_sample,
    "eval": gpt_eval,
    "inspect": gpt_inspect,
    "compare": gpt_compare,
}

_GPT_HELP = (
    heading("gpt")
    + examples_text(
        (
            ("gradwalk gpt train", "train on names, a minute or two"),
            ("gradwalk gpt sample --prompt ma", "let it make up names"),
            ("gradwalk gpt eval", "how unsure it is"),
            ("gradwalk gpt inspect --document mira", "parameters, gradients, attention"),
            ("gradwalk gpt compare --break no-residual", "what a part is for: train without"),
        )
    )
    + "\nusage: gradwalk gpt train|sample|eval|inspect|compare [options]\n\n"
    "Each has --help, and --json for data.\n"
)
