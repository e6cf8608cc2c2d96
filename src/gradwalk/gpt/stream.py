"""A run as JSON lines: what it does, while it does it, for a file or a reader.

Each line is an object with an `event`:

    start        config, run, parameters, documents, characters
    step         step, document, loss, rate, tokens, seconds since the start of this process
    statistics   step, and a row for each matrix: its size, its norm, its gradient's norm
    sample       step, texts made up by the model as it is
    attention    step, document, weights[layer][head][now][then]
    graph        step, document, the nodes of its loss; on request only
    checkpoint   step, file
    end          step, and why: finished, interrupted

`step` comes every step. The other views cost time, so they come as often as fits into `share` of
the run's time, in turn, and every one asked for by `request` comes at the next step. None of them
changes a number of the run. nan and inf are the strings "nan", "inf" and "-inf".
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from gradwalk.engine import Value
from gradwalk.errors import AnomalyError, OperandError
from gradwalk.gpt.training import Done, Training
from gradwalk.gpt.views import attention, document_graph, graph_rows, tensor_views

__all__ = ["Stream", "lines_up_to", "plain"]

_SILENCE = 0.05  # seconds between flushes: a reader sees no delay, the run no system call a step


class Stream:
    """Writes the lines. `views` names those that come by themselves, in turn."""

    def __init__(
        self,
        out: TextIO,
        training: Training,
        views: tuple[str, ...] = ("statistics", "sample", "attention"),
        share: float = 0.015,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._views: dict[str, Callable[[Value], dict[str, Any]]] = {
            "statistics": self._statistics,
            "sample": self._sample,
            "attention": self._attention,
            "graph": self._graph,
        }
        for view in views:
            self._known(view)
        self._out = out
        self._training = training
        self._turn = list(views)
        self._share = share
        self._clock = clock
        self._begin = self._flushed = clock()
        self._spent = 0.0
        self._dearest: dict[str, float] = {}
        self._first = training.steps_done
        self._asked: list[str] = []
        self._document = ""

    def request(self, view: str) -> None:
        """Ask for a view of the next step, whatever it costs. Any thread may."""
        self._asked.append(self._known(view))

    @property
    def share_spent(self) -> float:
        """The share of the run's time that has gone into this stream, by its own clock."""
        elapsed = self._clock() - self._begin
        return self._spent / elapsed if elapsed else 0.0

    def start(self) -> None:
        training = self._training
        self._write(
            "start",
            config=asdict(training.model.config),
            run=asdict(training.run),
            step=training.steps_done,
            parameters=len(training.optimizer.parameters),
            documents=len(training.documents),
            characters=training.tokenizer.characters,
        )
        self.flush()

    def step(self) -> Done:
        """Do one step of the training and write what there is to say of it."""
        views = [self._asked.pop(0) for _ in range(len(self._asked))]
        if not views and self._turn and self._can_afford(self._turn[0]):
            views = [self._turn[0]]
            self._turn.append(self._turn.pop(0))
        training = self._training
        self._document = training.documents[training.steps_done % len(training.documents)]
        done = training.step((lambda loss: self._look(views, loss)) if views else None)
        begin = self._clock()
        self._write(
            "step",
            step=done.step,
            document=done.document,
            loss=done.loss,
            rate=done.rate,
            tokens=done.tokens,
            seconds=round(begin - self._begin, 6),
        )
        if begin - self._flushed > _SILENCE:
            self.flush()
        self._spent += self._clock() - begin
        return done

    def checkpoint(self, file: str | Path) -> None:
        self._write("checkpoint", step=self._training.steps_done, file=str(file))

    def end(self, why: str) -> None:
        self._write("end", step=self._training.steps_done, why=why)
        self.flush()

    def flush(self) -> None:
        self._out.flush()
        self._flushed = self._clock()

    def _known(self, view: str) -> str:
        if view not in self._views:
            raise OperandError(f"there is no view {view!r}; there are {', '.join(self._views)}")
        return view

    def _can_afford(self, view: str) -> bool:
        """Say whether the view fits into the share so far: at what it has cost at most before."""
        elapsed = self._clock() - self._begin
        steps = max(1, self._training.steps_done - self._first)
        cost = self._dearest.get(view, elapsed / steps)  # the first time: as much as a step
        return self._spent + cost <= self._share * elapsed

    def _look(self, views: list[str], loss: Value) -> None:
        """Write views of the step in progress: its gradients are there, its update is not."""
        for view in views:
            begin = self._clock()
            fields = self._views[view](loss)
            self._write(view, step=self._training.steps_done + 1, **fields)
            cost = self._clock() - begin
            if view in self._turn:  # what was asked for is not held against the others
                self._spent += cost
                self._dearest[view] = max(self._dearest.get(view, 0.0), cost)

    def _statistics(self, _loss: Value) -> dict[str, Any]:
        return {"tensors": [row._asdict() for row in tensor_views(self._training.model)]}

    def _sample(self, _loss: Value) -> dict[str, Any]:
        try:
            return {"texts": self._training.sample(2)}
        except AnomalyError:  # diverged: the losses say so
            return {"texts": []}

    def _attention(self, _loss: Value) -> dict[str, Any]:
        tokenizer = self._training.tokenizer
        seen = attention(self._training.model, tokenizer.encode(self._document))
        return {
            "document": self._document,
            "tokens": tokenizer.names(seen.tokens),
            "weights": seen.weights,
        }

    def _graph(self, _loss: Value) -> dict[str, Any]:
        tokens = self._training.tokenizer.encode(self._document)
        graph = document_graph(self._training.model, tokens)
        return {"document": self._document, "nodes": graph_rows(graph)}

    def _write(self, event: str, **fields: Any) -> None:
        try:
            text = json.dumps({"event": event, **fields}, allow_nan=False)
        except ValueError:
            text = json.dumps(plain({"event": event, **fields}))
        self._out.write(text + "\n")


def plain(data: Any) -> Any:
    """Return data with nan and inf as strings, which JSON has no numbers for."""
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    if isinstance(data, dict):
        return {key: plain(entry) for key, entry in data.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(data, list | tuple):
        return [plain(entry) for entry in data]  # pyright: ignore[reportUnknownVariableType]
    return data


def lines_up_to(file: Path, step: int) -> list[str]:
    """Return the lines of a stream's file that a run resumed at `step` goes on from.

    What came after the checkpoint will come again; a line cut off by a kill is left out.
    """
    kept: list[str] = []
    for line in file.read_text("utf-8", errors="replace").splitlines(keepends=True):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and row.get("event") != "end" and row.get("step", 0) <= step:  # pyright: ignore[reportUnknownMemberType]
            kept.append(line)
    return kept
