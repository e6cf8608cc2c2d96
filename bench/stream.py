"""What a stream costs a run, and whether its memory stays flat.

Two runs of one form, one silent and one streamed, take turns of some steps, so that both meet
the same load; what counts is CPU time. The requirement is below 2 %. `--flat N` does N steps and
reads the resident memory and the engine's count of nodes along the way.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import time
from collections.abc import Callable
from pathlib import Path

from gradwalk import backend
from gradwalk.data import names
from gradwalk.gpt import Done, Run, Training
from gradwalk.gpt.stepper import DEFAULT_FORM, FORMS
from gradwalk.gpt.stream import GLANCE, Stream
from gradwalk.render.json import graph_json

TURN = 200  # steps at a time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--flat", type=int, default=0, metavar="N")
    parser.add_argument("--form", choices=FORMS, default=DEFAULT_FORM)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    gc.disable()
    result = cost(given.steps, given.form)
    if given.flat:
        result["memory"] = flat(given.flat, given.form)
    if given.json:
        print(json.dumps(result))
        return
    print(f"{backend()} engine, {given.steps} steps, {given.form} form, CPU time, in turns")
    print(f"  silent     {result['silent']:9.1f} µs a step")
    print(f"  streamed   {result['streamed']:9.1f} µs a step, {result['lines']} lines")
    print(f"  cost       {result['measured']:+9.2%} measured, {result['own']:.2%} by its own clock")
    for row in result.get("memory", []):
        print(f"  after {row['step']:>7} steps: {row['resident']:>7} KB")


def cost(steps: int, form: str) -> dict[str, float]:
    """Return CPU time a step, silent and streamed; the numbers of both must be the same."""
    documents = names()
    warm = 300  # steps off the clock, in which replay meets and records all lengths
    silent, told = (
        Training(documents, run=Run(steps=2 * steps + warm, form=form)),
        Training(documents, run=Run(steps=2 * steps + warm, form=form)),
    )
    for training in (silent, told):
        done = 0
        while done < warm:
            done += len(training.steps(warm - done, GLANCE))
    # The stream's clock stands still while the other run has its turn. It is the wall's: to read
    # the processor's would be a good part of a step of 30 µs.
    away = [0.0]

    def quiet(training: Training) -> Callable[[int], list[Done]]:
        return lambda most: training.steps(most, GLANCE)

    def in_turns(other: Callable[[int], list[Done]]) -> list[float]:
        spent = [0.0, 0.0]
        for i in range(steps // TURN):
            turns = [(0, quiet(silent)), (1, other)]
            for which, some_steps in turns if i % 2 else turns[::-1]:
                begin, wall = time.process_time(), time.perf_counter()
                left = TURN
                while left:
                    left -= len(some_steps(left))
                spent[which] += time.process_time() - begin
                if which == 0:
                    away[0] += time.perf_counter() - wall
        return spent

    alike = in_turns(quiet(told))  # where a run lies in memory makes a difference of its own
    out = io.StringIO()
    stream = Stream(out, told, graph_json=graph_json, clock=lambda: time.perf_counter() - away[0])
    stream.start()
    spent = in_turns(stream.steps)
    stream.end("finished")
    assert silent.model.state_dict() == told.model.state_dict(), "a stream changed the run"
    return {
        "silent": spent[0] / steps * 1e6,
        "streamed": spent[1] / steps * 1e6,
        "measured": spent[1] / spent[0] / (alike[1] / alike[0]) - 1,
        "own": stream.share_spent,
        "lines": out.getvalue().count("\n"),
    }


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
