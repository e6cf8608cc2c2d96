"""What watching costs a run: its stream, the lab's live view, and `watch` on a loop of Values.

One run takes short turns, silent, watched, watched, silent, so that load, memory and drift meet
both sides alike. Such a round gives one number: how much more CPU time a token (or a step) takes
when watched. CPU time is that of the whole process, with the threads that serve.

Printed are the mean of the rounds without the highest and the lowest tenth, its standard error, and
the mean of all. Dear views are rare: if leaving out rounds left those out, the means would differ.
The row "nothing" compares silence with silence: it must come out as 0 within its error. The
requirement is below 2 %, with an error below 0.7 %: take a quiet machine, or more `--seconds`.
`--flat N` does N steps and reads the resident memory along the way.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import math
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from gradwalk import Value, backend
from gradwalk.data import names
from gradwalk.gpt import Config, Run, Training
from gradwalk.gpt.stepper import DEFAULT_FORM, FORMS
from gradwalk.gpt.stream import GLANCE, Stream
from gradwalk.lab import live, watching
from gradwalk.nn import MLP

WARM = 300  # steps off the clock, in which replay meets and records all lengths
SECONDS = 0.25  # of CPU time in a turn; the live view takes a wait of 0.05 s for a pause
LEAST = 4  # rounds, below which there is no error to speak of
TRIMMED = 0.1  # the share of rounds that is left out at each end

Turn = Callable[[], int]  # works for SECONDS, and returns how many tokens or steps it did


class Pair(NamedTuple):
    """The same work, silent and watched; `own`: what watching spent by its own clock."""

    unit: str
    silent: Turn
    watched: Turn
    own: Callable[[], float | None]
    close: Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=80.0, help="for each row")
    parser.add_argument("--flat", type=int, default=0, metavar="N")
    parser.add_argument("--form", choices=FORMS, default=DEFAULT_FORM)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    gc.disable()
    unchanged(given.form)
    result: dict[str, Any] = {
        "nothing": cost(silence(given.form), given.seconds),
        "stream": cost(streamed(given.form), given.seconds),
        "live view": cost(live_view(), given.seconds),
        "watch": cost(watched_loop(), given.seconds),
    }
    if given.flat:
        result["memory"] = flat(given.flat, given.form)
    if given.json:
        print(json.dumps(result))
        return
    print(f"{backend()} engine, turns of {SECONDS:g} s, CPU time")
    for name, row in result.items():
        if name == "memory":
            continue
        own = "" if row["own"] is None else f", {row['own']:.2%} by its own clock"
        print(
            f"  {name:10} {row['silent']:8.2f} µs a {row['unit']}, {row['cost']:+.2%} "
            f"± {row['error']:.2%} ({row['rounds']} rounds, mean of all {row['mean']:+.2%}){own}"
        )
    for row in result.get("memory", []):
        print(f"  after {row['step']:>7} steps: {row['resident']:>7} KB")


def cost(pair: Pair, seconds: float) -> dict[str, Any]:
    """Return what watching adds to the CPU time of a unit of work, with its standard error."""
    ratios: list[float] = []
    times: list[float] = []
    pair.watched()  # the first views are not timed yet, and come at a guess
    begin = time.perf_counter()
    while len(ratios) < LEAST or time.perf_counter() - begin < seconds:
        spent, done = [0.0, 0.0], [0, 0]
        for which in (0, 1, 1, 0):
            start = time.process_time()
            done[which] += (pair.silent, pair.watched)[which]()
            spent[which] += time.process_time() - start
        silent, watched = spent[0] / done[0], spent[1] / done[1]
        times.append(silent * 1e6)
        ratios.append(watched / silent - 1)
    own = pair.own()
    pair.close()
    mean, error = trimmed(ratios)
    return {
        "unit": pair.unit,
        "silent": statistics.median(times),
        "cost": mean,
        "error": error,
        "mean": statistics.fmean(ratios),
        "rounds": len(ratios),
        "own": own,
    }


def trimmed(numbers: list[float]) -> tuple[float, float]:
    """Return the trimmed mean and its standard error, by Tukey and McLaughlin."""
    rows = sorted(numbers)
    out = round(TRIMMED * len(rows))
    kept = rows[out : len(rows) - out]
    # The spread is that of all, with those left out moved to the nearest that is kept.
    spread = statistics.stdev([kept[0]] * out + kept + [kept[-1]] * out)
    share = len(kept) / len(rows)
    return statistics.fmean(kept), spread / (share * math.sqrt(len(rows)))


def new_run(form: str = DEFAULT_FORM) -> Training:
    training = Training(names(), Config(), Run(steps=100_000_000, form=form))
    while training.steps_done < WARM:
        training.steps(WARM, GLANCE)
    return training


def quiet(training: Training) -> Turn:
    """Return turns of the run without a word."""

    def turn() -> int:
        tokens, until = 0, time.process_time() + SECONDS
        while time.process_time() < until:
            tokens += sum([done.tokens for done in training.steps(1_000_000, GLANCE)])
        return tokens

    return turn


class Clock:
    """Seconds that stand still while the other side has its turn."""

    def __init__(self) -> None:
        self._away, self._since = 0.0, time.perf_counter()

    def __call__(self) -> float:
        return time.perf_counter() - self._away

    def stopped(self, turn: Turn) -> Turn:
        """Return `turn`, during which this clock goes; from its end on it stands still."""

        def timed() -> int:
            self._away += time.perf_counter() - self._since
            try:
                return turn()
            finally:
                self._since = time.perf_counter()

        return timed


def unchanged(form: str) -> None:
    """A stream must not change a number of the run."""
    silent, told = [Training(names(), Config(), Run(form=form)) for _ in range(2)]
    stream = Stream(io.StringIO(), told)
    stream.request("attention")
    stream.request("sample")
    for _ in range(50):
        stream.step()
        silent.step()
    assert silent.model.state_dict() == told.model.state_dict(), "a stream changed the run"


def silence(form: str) -> Pair:
    turn = quiet(new_run(form))
    return Pair("token", turn, turn, lambda: None, lambda: None)


def streamed(form: str) -> Pair:
    training, clock = new_run(form), Clock()
    stream = Stream(io.StringIO(), training, clock=clock)
    stream.start()

    def turn() -> int:
        tokens, until = 0, time.process_time() + SECONDS
        while time.process_time() < until:
            tokens += sum([done.tokens for done in stream.steps(1_000_000)])
        return tokens

    watched = clock.stopped(turn)
    return Pair("token", quiet(training), watched, lambda: stream.share_spent, lambda: None)


def live_view() -> Pair:
    """The lab's job: its events go as frames through a pipe to another process, as in a worker.

    Between its turns the job waits for its reader, which it takes for a pause.
    """
    reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    frames = reader.stdin
    assert frames is not None
    training = new_run()
    events: Iterator[tuple[str, str | bytes]] = live.run({"pace": 0})

    def turn() -> int:
        tokens, until = 0, time.process_time() + SECONDS
        while True:
            event, data = next(events)
            line = data if isinstance(data, bytes) else data.encode()
            frames.write(b"%s %d\n%s" % (event.encode("ascii"), len(line), line))
            frames.flush()
            if event == "step":
                tokens += json.loads(line)["tokens"]
                if time.process_time() >= until:
                    return tokens

    def close() -> None:
        frames.close()
        reader.wait()

    # The job trains the run that is silent in between: the same memory, the same documents.
    with patch.object(live, "_training", lambda _: training):
        turn()
    return Pair("token", quiet(training), turn, lambda: None, close)


def watched_loop() -> Pair:
    """An MLP learns on Values, with `watch` around it and without."""
    random.seed(1)
    model = MLP(2, [8, 8, 1])
    points = [(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(8)]

    def loop() -> int:
        steps, until = 0, time.process_time() + SECONDS
        while time.process_time() < until:
            loss = sum(((model(p) - p[0] * p[1]) ** 2 for p in points), Value(0.0))
            model.zero_grad()
            loss.backward()
            for value in model.parameters():
                value.data -= 0.01 * value.grad
            steps += 1
        return steps

    def by(backward: Any) -> Turn:
        def turn() -> int:
            Value.backward = backward
            return loop()

        return turn

    original, clock = Value.backward, Clock()
    timed = patch.object(watching, "time", SimpleNamespace(perf_counter=clock))
    timed.start()
    block = watching.Watching("bench", as_json=True)
    block.__enter__()
    patched = Value.backward

    def close() -> None:
        block.__exit__(None, None, None)
        timed.stop()

    return Pair("step", by(original), clock.stopped(by(patched)), lambda: None, close)


def flat(steps: int, form: str) -> list[dict[str, int]]:
    """Return the resident memory at ten moments of a long run."""
    training = Training(names(), run=Run(steps=steps, form=form))
    rows: list[dict[str, int]] = []
    for i in range(1, steps + 1):
        training.step()
        if i % max(1, steps // 10) == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            rows.append({"step": i, "resident": pages * 4})
    return rows


if __name__ == "__main__":
    main()
