"""A GPT in training, as a job of the lab: its stream as events, and the graph of any of its steps.

A run is decided by its fields alone: the same sizes, seed and text give the same numbers. So the
graph of a step is computed anew, by training up to it in silence, and no step need be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from time import perf_counter, sleep
from typing import Any

from gradwalk.data import names
from gradwalk.errors import OperandError
from gradwalk.gpt import Config, Run, Tokenizer, Training
from gradwalk.gpt.stream import Stream
from gradwalk.gpt.training import parameter_count, without_collector
from gradwalk.gpt.views import document_graph
from gradwalk.render.json import dumps
from gradwalk.render.tape import tape_bytes

Fields = dict[str, Any]

# What the page shows, in turn; the stream limits what they take of the run's time.
VIEWS = ("sample", "statistics", "attention", "histograms")
MOST_NODES = 1_000_000  # of one document's graph, so that it fits into memory
MOST_CHARACTERS = 256  # different ones
_FRAMES = 20  # a second: how often a run with a pace says where it is
_PAUSE = 0.05  # seconds: a reader that takes longer has paused the run


def run(fields: Fields) -> Iterator[tuple[str, str | bytes]]:
    """Train, and yield the lines of the stream as they come.

    `pace` is how many steps a second there are at most, for eyes to follow; 0 is no limit. While a
    run waits for its pace, views cost it nothing, so they may take more of the time.
    """
    training, pace = _training(fields), fields["pace"]
    lines = _Lines()
    away = 0.0

    def clock() -> float:
        return perf_counter() - away

    shares = {"lines": 0.05, "share": 0.3} if pace else {}
    stream = Stream(lines, training, VIEWS, clock=clock, **shares)  # pyright: ignore[reportArgumentType]
    with without_collector():
        stream.start()
        begun = clock()
        while True:
            for line in lines.take():
                given = perf_counter()
                yield line.split('"', 4)[3], line  # the event is the first field
                gone = perf_counter() - given
                if gone > _PAUSE:  # a pause is no time that views may take their share of
                    away += gone
            if training.finished:
                break
            left = training.run.steps - training.steps_done
            if left == 1:  # the last step is shown from all sides
                for view in VIEWS:
                    stream.request(view)
            stream.steps(min(max(1, left - 1), ceil(pace / _FRAMES)) if pace else max(1, left - 1))
            if pace:
                sleep(max(0.0, begun + training.steps_done / pace - clock()))
            if training.finished:
                stream.end("finished")
        texts = training.sample(8)
    yield "result", dumps({"version": 1, "step": training.steps_done, "texts": texts})


def run_graph(fields: Fields) -> Iterator[tuple[str, str | bytes]]:
    """Train up to the step `at`, and yield the graph of that step's loss as columns."""
    training = _training(fields)
    if fields["at"] > training.run.steps:
        raise OperandError(f"this run has {training.run.steps} steps, and no step {fields['at']}")
    with without_collector():
        while training.steps_done < fields["at"] - 1:
            training.step()
        tokens = training.tokenizer.encode(training.next_document)
        yield "result", tape_bytes(document_graph(training.model, tokens))


def _training(fields: Fields) -> Training:
    documents = [line.strip() for line in fields["text"].splitlines() if line.strip()] or names()
    sizes = {name: fields[name] for name in ("n_embd", "n_layer", "n_head", "block_size")}
    vocabulary = len(Tokenizer("".join(documents)))
    if vocabulary > MOST_CHARACTERS:
        raise OperandError(
            f"your text has {vocabulary} different characters; a model here learns up to "
            f"{MOST_CHARACTERS}"
        )
    config = Config(**sizes, vocabulary=vocabulary)
    longest = min(config.block_size, max(map(len, documents)) + 1)
    nodes = 2 * parameter_count(config) * longest
    if nodes > MOST_NODES:
        raise OperandError(
            f"the graph of one document would have about {nodes} nodes; the lab trains models of "
            f"up to {MOST_NODES}: take smaller sizes, or shorter lines"
        )
    settings = {name: fields[name] for name in ("steps", "seed", "lr", "broken")}
    return Training(documents, config, Run(**settings))


class _Lines:
    """Collects the lines of a stream, in place of a file."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def write(self, line: str) -> None:
        self._lines.append(line)

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self) -> list[str]:
        taken, self._lines = self._lines, []
        return taken
