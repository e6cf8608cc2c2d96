"""What watching costs a run: its stream, the lab's live view, and `watch` on a loop of Values.

Two runs of one form, one silent and one watched, take turns of some steps, so that both meet the
same load; what counts is CPU time. Each round makes both anew, and the median round is printed with
the range of all. The requirement is below 2 %. `--flat N` does N steps and reads the resident
memory along the way.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gradwalk import Value, backend
from gradwalk.data import names
from gradwalk.gpt import Config, Run, Training
from gradwalk.gpt.stepper import DEFAULT_FORM, FORMS
from gradwalk.gpt.stream import GLANCE, Stream
from gradwalk.lab.live import run as live_run
from gradwalk.lab.watching import Watching
from gradwalk.nn import MLP
from gradwalk.render.json import graph_json

WARM = 300  # steps off the clock, in which replay meets and records all lengths
TURN = 4000  # steps at a time: longer than a pause of the live view, which is not held against it

Turn = Callable[[], int]  # does some steps, and says how many


class Pair(NamedTuple):
    """Two runs of the same work; `own` is what the watched one spent by its own clock."""

    silent: Turn
    watched: Turn
    own: Callable[[], float | None]
    close: Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--flat", type=int, default=0, metavar="N")
    parser.add_argument("--form", choices=FORMS, default=DEFAULT_FORM)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    gc.disable()
    result: dict[str, Any] = {
        "stream": cost(lambda: streamed(given.form), given.steps, given.rounds),
        "live view": cost(live_view, given.steps, given.rounds),
        "watch": cost(watched_loop, given.steps // 50, given.rounds),
    }
    if given.flat:
        result["memory"] = flat(given.flat, given.form)
    if given.json:
        print(json.dumps(result))
        return
    print(f"{backend()} engine, {given.rounds} rounds of {given.steps} steps, CPU time, in turns")
    for name, row in result.items():
        if name == "memory":
            continue
        own = "" if row["own"] is None else f", {row['own']:.2%} by its own clock"
        low, high = row["range"]
        spread = f"({low:+.2%} to {high:+.2%})"
        print(f"  {name:10} {row['silent']:8.1f} µs a step, {row['cost']:+.2%} {spread}{own}")
    for row in result.get("memory", []):
        print(f"  after {row['step']:>7} steps: {row['resident']:>7} KB")


def cost(make: Callable[[], Pair], steps: int, rounds: int) -> dict[str, Any]:
    """Return the median of what watching adds to the CPU time of a step, and its range."""
    ratios: list[float] = []
    times: list[float] = []
    own: float | None = None
    for i in range(rounds):
        pair = make()
        spent, done = [0.0, 0.0], [0, 0]
        turns = [(0, pair.silent), (1, pair.watched)]
        while min(done) < steps:
            for which, turn in turns if i % 2 else turns[::-1]:
                begin = time.process_time()
                done[which] += turn()
                spent[which] += time.process_time() - begin
            turns.reverse()
        times.append(spent[0] / done[0] * 1e6)
        ratios.append(spent[1] / done[1] / (spent[0] / done[0]) - 1)
        own = pair.own()
        pair.close()
    return {
        "silent": statistics.median(times),
        "cost": statistics.median(ratios),
        "range": [min(ratios), max(ratios)],
        "own": own,
    }


def quiet(training: Training) -> Turn:
    """Return turns of the run without a word."""

    def turn() -> int:
        left = TURN
        while left > 0:
            left -= len(training.steps(left, GLANCE))
        return TURN

    return turn


def silent_run(form: str = DEFAULT_FORM) -> Training:
    training = Training(names(), Config(), Run(steps=10_000_000, form=form))
    while training.steps_done < WARM:
        training.steps(WARM, GLANCE)
    return training


class Clock:
    """Seconds that stand still between `stop` and `go`: while the other run has its turn."""

    def __init__(self) -> None:
        self._away, self._since = 0.0, 0.0

    def __call__(self) -> float:
        return time.perf_counter() - self._away

    def stop(self) -> None:
        self._since = time.perf_counter()

    def go(self) -> None:
        self._away += time.perf_counter() - self._since


def streamed(form: str) -> Pair:
    silent, told = silent_run(form), silent_run(form)
    clock = Clock()
    stream = Stream(io.StringIO(), told, graph_json=graph_json, clock=clock)
    stream.start()
    clock.stop()

    def turn() -> int:
        clock.go()
        left = TURN
        while left > 0:
            left -= len(stream.steps(left))
        clock.stop()
        return TURN

    def close() -> None:
        while silent.steps_done < told.steps_done:
            silent.step()
        while told.steps_done < silent.steps_done:
            told.step()
        assert silent.model.state_dict() == told.model.state_dict(), "a stream changed the run"

    return Pair(quiet(silent), turn, lambda: stream.share_spent, close)


def live_view() -> Pair:
    """The lab's job: its events go as frames through a pipe to another process, as in a worker."""
    reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    frames = reader.stdin
    assert frames is not None
    sizes = {"n_embd": 16, "n_layer": 1, "n_head": 4, "block_size": 16}
    fields = {"steps": 10_000_000, "seed": 42, "lr": 0.01, "text": "", "broken": "", "pace": 0}
    events: Iterator[tuple[str, str | bytes]] = live_run({**sizes, **fields})
    seen = 0

    def turn() -> int:
        nonlocal seen
        before = seen
        while seen < before + TURN:
            event, data = next(events)
            line = data if isinstance(data, bytes) else data.encode()
            frames.write(b"%s %d\n%s" % (event.encode("ascii"), len(line), line))
            frames.flush()
            if event == "step":
                seen = json.loads(line)["step"]
        return seen - before

    def close() -> None:
        frames.close()
        reader.wait()

    while seen < WARM:
        turn()
    return Pair(quiet(silent_run()), turn, lambda: None, close)


def watched_loop() -> Pair:
    """An MLP learns on Values, with `watch` around it and without."""

    def loop() -> Turn:
        random.seed(1)  # the initial weights, too
        model = MLP(2, [8, 8, 1])
        points = [(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(8)]

        def turn() -> int:
            for _ in range(TURN // 200):
                loss = sum(((model(p) - p[0] * p[1]) ** 2 for p in points), Value(0.0))
                model.zero_grad()
                loss.backward()
                for value in model.parameters():
                    value.data -= 0.01 * value.grad
            return TURN // 200

        return turn

    original = Value.backward
    watching = Watching("bench", as_json=True)
    watching.__enter__()
    patched, loops = Value.backward, (loop(), loop())

    def turn(backward: Any, one: Turn) -> int:
        Value.backward = backward
        return one()

    def close() -> None:
        watching.__exit__(None, None, None)

    return Pair(
        lambda: turn(original, loops[0]), lambda: turn(patched, loops[1]), lambda: None, close
    )


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
