"""What a stream costs a run, and whether its memory stays flat.

Two runs of the fast form, one silent and one streamed, take turns step by step, so that both meet
the same load; what counts is CPU time. The requirement is below 2 %. `--flat N` does N steps and
reads the resident memory and the engine's count of nodes along the way.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import time
from pathlib import Path

from gradwalk import backend
from gradwalk.data import names
from gradwalk.gpt import Run, Training
from gradwalk.gpt.stream import Stream
from gradwalk.render.json import graph_json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--flat", type=int, default=0, metavar="N")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    gc.disable()
    result = cost(given.steps)
    if given.flat:
        result["memory"] = flat(given.flat)
    if given.json:
        print(json.dumps(result))
        return
    print(f"{backend()} engine, {given.steps} steps, fast form, CPU time, in turns")
    print(f"  silent     {result['silent']:9.1f} µs a step")
    print(f"  streamed   {result['streamed']:9.1f} µs a step, {result['lines']} lines")
    print(f"  cost       {result['measured']:+9.2%} measured, {result['own']:.2%} by its own clock")
    print(
        f"  by itself  {result['alone']:9.2f} µs a step without views, beside a step that is free"
    )
    for row in result.get("memory", []):
        print(f"  after {row['step']:>7} steps: {row['resident']:>7} KB")


def cost(steps: int) -> dict[str, float]:
    """Return CPU time a step, silent and streamed; the numbers of both must be the same."""
    documents = names()
    silent, told = (
        Training(documents, run=Run(steps=steps)),
        Training(documents, run=Run(steps=steps)),
    )
    spent = [0.0, 0.0]
    out = io.StringIO()
    # The stream's clock stands still while the other run has its turn.
    stream = Stream(out, told, graph_json=graph_json, clock=lambda: time.process_time() - spent[0])
    stream.start()
    for i in range(steps):
        turns = [(0, silent.step), (1, stream.step)]
        for which, step in turns if i % 2 else turns[::-1]:
            begin = time.process_time()
            step()
            spent[which] += time.process_time() - begin
    stream.end("finished")
    assert silent.model.state_dict() == told.model.state_dict(), "a stream changed the run"
    return {
        "silent": spent[0] / steps * 1e6,
        "streamed": spent[1] / steps * 1e6,
        "measured": spent[1] / spent[0] - 1,
        "own": stream.share_spent,
        "alone": alone(),
        "lines": out.getvalue().count("\n"),
    }


def alone(steps: int = 200_000) -> float:
    """Return microseconds that a stream adds to a step that takes no time: for faster steppers."""
    training = Training(names()[:10], run=Run(steps=1))
    done = training.step()

    class Instant:
        """A training whose steps are done already."""

        def __getattr__(self, name: str) -> object:
            return getattr(training, name)

        def step(self, _watch: object = None) -> object:
            return done

    instant = Instant()
    stream = Stream(io.StringIO(), instant, views=())  # pyright: ignore[reportArgumentType]
    begin = time.process_time()
    for _ in range(steps):
        instant.step()
    middle = time.process_time()
    for _ in range(steps):
        stream.step()
    end = time.process_time()
    return ((end - middle) - (middle - begin)) / steps * 1e6


def flat(steps: int) -> list[dict[str, int]]:
    """Return the resident memory at ten moments of a long run."""
    training = Training(names(), run=Run(steps=steps))
    rows: list[dict[str, int]] = []
    for i in range(1, steps + 1):
        training.step()
        if i % max(1, steps // 10) == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            rows.append({"step": i, "resident": pages * 4})
    return rows


if __name__ == "__main__":
    main()
