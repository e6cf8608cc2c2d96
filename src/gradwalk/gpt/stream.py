"""A run as JSON lines: what it does, while it does it, for a file or a reader.

Each line is an object with an `event`:

    start        config, run, parameters, documents, characters
    step         step, how many `steps` the line speaks for, their mean loss and the tokens in them;
                 points: [step, loss] of each of them, or of some, when they are many;
                 the last of them: document, rate; seconds since the start of this process
    statistics   step, and a row for each matrix: its size, its norm, its gradient's norm
    histograms   step, all parameters in bins, and the sizes of all gradients by powers of ten
    sample       step, texts made up by the model as it is
    attention    step, document, weights[layer][head][now][then]
    checkpoint   step, file
    end          step, and why: finished, interrupted

Writing takes time. Of the run's time, lines of steps get one share and the views in turn another,
LINES and VIEWS, together below 2 %: fast steps share a line, and a view waits until it is paid for.
`every` asks for a line each so many steps instead, whatever it costs.

A reader asks for a view by `request`, and it comes with the next step. Nothing here changes a
number of the run.
nan and inf are the strings of the contract: "NaN", "Infinity" and "-Infinity".
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Any, TextIO

from gradwalk import contract
from gradwalk.errors import AnomalyError, OperandError
from gradwalk.gpt.training import Done, Training
from gradwalk.gpt.views import attention, histogram, log_histogram, tensor_views

MOST_POINTS = 128  # of a line: a curve of so many between two looks hides nothing
GLANCE = 1e-3  # seconds of steps between two looks around: one after each is dear
LINES, VIEWS = 0.002, 0.003  # shares of the run's time
_LOSS, _TOKENS = attrgetter("loss"), attrgetter("tokens")
_SILENCE = 0.05  # seconds between flushes: readers see no delay, and few steps make a system call
_PATIENCE = 0.02  # seconds before a view that was too dear is thought of again
_FIRST_LINE, _FIRST_VIEW = 2e-5, 4e-3  # what one is taken to cost before it was timed


class Stream:
    """Writes the lines. `views` names those that come by themselves, in turn."""

    def __init__(
        self,
        out: TextIO,
        training: Training,
        views: tuple[str, ...] = ("statistics", "sample", "attention"),
        *,
        every: int = 0,
        lines: float = LINES,
        share: float = VIEWS,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._views: dict[str, Callable[[], dict[str, Any]]] = {
            "statistics": self._statistics,
            "histograms": self._histograms,
            "sample": self._sample,
            "attention": self._attention,
        }
        for view in views:
            self._known(view)
        self._out = out
        self._training = training
        self._turn = list(views)
        self._every = every
        self._lines = lines
        self._share = share
        self._clock = clock
        self._begin = self._flushed = self._now = self._look_again = clock()
        self._spent = {"lines": 0.0, "views": 0.0}
        self._dearest: dict[str, float] = {}
        self._first = training.steps_done
        self._asked: list[str] = []
        # Of the steps since the last line, and when the next one is paid for.
        self._count, self._loss, self._tokens = 0, 0.0, 0
        self._points = Points()
        self._last: Done | None = None
        self._due = self._begin + (_FIRST_LINE / lines if lines else math.inf)

    def request(self, view: str) -> None:
        """Ask for a view at the next step, whatever it costs."""
        self._known(view)
        self._asked.append(view)

    @property
    def share_spent(self) -> float:
        """The share of the run's time that has gone into this stream, by its own clock."""
        elapsed = self._clock() - self._begin
        return sum(self._spent.values()) / elapsed if elapsed else 0.0

    def start(self) -> None:
        training = self._training
        self._write(
            "start",
            config=asdict(training.model.config),
            run=asdict(training.run),
            step=training.steps_done,
            parameters=len(training.model.parameters()),
            documents=len(training.documents),
            characters=training.tokenizer.characters,
        )
        self.flush()

    def step(self) -> Done:
        """Run one training step and write its events."""
        return self.steps(1)[0]

    def steps(self, most: int) -> list[Done]:
        """Do one step or, where they are fast, some, and write what there is to say of them."""
        asked, self._asked = self._asked, []
        views = asked or (self._affordable() if self._now >= self._look_again else [])
        if views:
            block = [self._look_at_step(views, bool(asked))]
        else:
            left = self._every - self._training.steps_done % self._every if self._every else most
            block = self._training.steps(min(most, left), GLANCE)
        self._count += len(block)
        self._loss += sum(map(_LOSS, block))
        for done in block[:: 1 + len(block) // MOST_POINTS]:
            self._points.add(done.step, done.loss)
        self._tokens += sum(map(_TOKENS, block))
        self._last = block[-1]
        now = self._clock()
        if self._every:
            if self._last.step % self._every == 0:
                self._step_line(now)
        elif now >= self._due or asked:  # with its step
            self._step_line(now)
        if now - self._flushed > _SILENCE:
            began = self._clock()
            self.flush()
            self._spent["lines"] += self._clock() - began
        self._now = now
        return block

    def settle(self) -> None:
        """Bring the steps so far to the disk. Call it before a checkpoint is written: a run that
        is killed after that goes on from there, and does not come back to these steps.
        """
        self._step_line(self._clock())
        self.flush()
        with suppress(OSError, AttributeError, ValueError):  # a pipe has no disk, a text no file
            os.fsync(self._out.fileno())

    def checkpoint(self, file: str | Path) -> None:
        """Say that one was written."""
        self._step_line(self._clock())
        self._write("checkpoint", step=self._training.steps_done, file=str(file))

    def end(self, why: str) -> None:
        self._step_line(self._clock())
        self._write("end", step=self._training.steps_done, why=why)
        self.flush()

    def flush(self) -> None:
        self._out.flush()
        self._flushed = self._clock()

    # ── Steps ────────────────────────────────────────────────────────────────────────────────

    def _step_line(self, now: float) -> None:
        done = self._last
        if done is None:
            return
        self._write(
            "step",
            step=done.step,
            steps=self._count,
            loss=self._loss / self._count,
            points=self._points.take(done.step, done.loss),
            tokens=self._tokens,
            document=done.document,
            rate=done.rate,
            seconds=round(now - self._begin, 6),
        )
        self._count, self._loss, self._tokens, self._last = 0, 0.0, 0, None
        cost = self._clock() - now
        self._spent["lines"] += cost
        if self._lines:  # what was spent so far is paid for when its share of the time has passed
            self._due = max(now + cost, self._begin + self._spent["lines"] / self._lines)

    # ── Views ────────────────────────────────────────────────────────────────────────────────

    def _known(self, view: str) -> None:
        if view not in self._views:
            raise OperandError(f"there is no view {view!r:.40}; there are {', '.join(self._views)}")

    def _affordable(self) -> list[str]:
        """Return the view whose turn it is, if it is paid for."""
        if self._turn and self._can_afford(self._turn[0]):
            self._turn.append(self._turn.pop(0))
            return self._turn[-1:]
        self._look_again = self._now + _PATIENCE
        return []

    def _can_afford(self, view: str) -> bool:
        """Say whether the view fits into its share so far: at what it has cost at most before."""
        if self._share >= 1:  # at any price
            return True
        elapsed = self._now - self._begin
        steps = max(1, self._training.steps_done - self._first)
        cost = self._dearest.get(view, max(elapsed / steps, _FIRST_VIEW))
        return self._spent["views"] + cost <= self._share * elapsed

    def _look_at_step(self, views: list[str], were_asked: bool) -> Done:
        """Do a step and write views of it. They cost what it takes beyond a usual one."""
        begin = self._clock()
        steps = max(1, self._training.steps_done - self._first)
        usual = (begin - self._begin - sum(self._spent.values())) / steps
        done = self._training.step(lambda: self._look(views))
        if not were_asked:  # what was asked for is not held against the others
            cost = max(0.0, self._clock() - begin - usual)
            self._spent["views"] += cost
            self._dearest[views[0]] = max(self._dearest.get(views[0], 0.0), cost)
        return done

    def _look(self, views: list[str]) -> None:
        """Write views of the step in progress: its gradients are there, its update is not."""
        for view in views:
            self._write(view, step=self._training.steps_done + 1, **self._views[view]())

    def _statistics(self) -> dict[str, Any]:
        return {"tensors": [row._asdict() for row in tensor_views(self._training.model)]}

    def _histograms(self) -> dict[str, Any]:
        parameters = self._training.model.parameters()
        return {
            "parameters": histogram([value.data for value in parameters]),
            "gradients": log_histogram([value.grad for value in parameters]),
        }

    def _sample(self) -> dict[str, Any]:
        try:
            return {"texts": self._training.sample(2)}
        except AnomalyError:  # diverged: the losses say so
            return {"texts": []}

    def _attention(self) -> dict[str, Any]:
        tokenizer, document = self._training.tokenizer, self._training.next_document
        seen = attention(self._training.model, tokenizer.encode(document))
        return {
            "document": document,
            "tokens": tokenizer.names(seen.tokens),
            "weights": seen.weights,
        }

    def _write(self, event: str, **fields: Any) -> None:
        self._out.write(contract.dumps({"event": event, **fields}) + "\n")


class Points:
    """The losses of the steps since the last line; of many, some that lie as far apart."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, float]] = []

    def add(self, step: int, loss: float) -> None:
        self._kept.append((step, loss))
        if len(self._kept) >= 2 * MOST_POINTS:
            del self._kept[1::2]

    def take(self, step: int, loss: float) -> list[tuple[int, float]]:
        """Return them, the last step among them, and begin anew."""
        kept, self._kept = self._kept[:: 1 + len(self._kept) // MOST_POINTS], []
        return kept if kept and kept[-1][0] == step else [*kept, (step, loss)]


def lines_up_to(file: Path, step: int) -> list[str]:
    """Return the lines of a stream's file that a run resumed at `step` goes on from.

    What came after the checkpoint will come again; a line cut off by a kill is left out.
    """
    kept: list[str] = []
    *lines, _ = file.read_text("utf-8", errors="replace").split("\n")
    for line in lines:
        try:
            row = json.loads(line)
            if row.get("event") != "end" and row.get("step", 0) <= step:
                kept.append(line + "\n")
        except (ValueError, TypeError, AttributeError, RecursionError):
            continue
    return kept
