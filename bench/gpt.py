"""The GPT's own training, timed: both forms, streaming, checkpoints, and memory over a long run.

bench/eager.py times the engine under an unmodified script. This is what `gradwalk gpt train` does:
`--steps` steps of each, garbage collector on and off, and checks the losses before it believes a
time. Ratios are against the scalar form with the collector on, in the same process run.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import tempfile
import time
from pathlib import Path

from gradwalk import backend
from gradwalk.data import names
from gradwalk.gpt import Run, Training, read_documents
from gradwalk.gpt.stream import Stream

REFERENCE = Path(__file__).parent.parent.parent / "shared" / "data" / "names.txt"
STREAMED = 600
LOSSES = ["3.3660", "3.4243", "3.1778", "3.0664", "3.2209", "2.9452", "3.2894", "3.3245"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--long", type=int, default=0, help="steps of the memory run")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    documents = read_documents(REFERENCE) if REFERENCE.exists() else names()
    check(documents)
    rows = {
        "scalar, gc on": timed(documents, "scalar", given.steps, collector=True),
        "scalar, gc off": timed(documents, "scalar", given.steps, collector=False),
        "fast, gc on": timed(documents, "fast", given.steps, collector=True),
        "fast, gc off": timed(documents, "fast", given.steps, collector=False),
    }
    rows["checkpoint"] = checkpoint(documents)
    streaming = stream_cost(documents)
    memory = grown(documents, given.long) if given.long else None
    if given.json:
        print(
            json.dumps(
                {"backend": backend(), "seconds": rows, "streaming": streaming, "memory": memory}
            )
        )
        return
    base = rows["scalar, gc on"]
    print(f"{backend()} engine, {given.steps} steps each, losses checked")
    for name, seconds in rows.items():
        print(f"  {name:<26} {seconds * 1e3:9.3f} ms   {base / seconds:8.2f}×")
    own, measured = streaming
    print(f"  streaming took {own:.2%} by its own clock, {measured:+.2%} by two runs in turns")
    if memory is not None:
        print(
            f"  resident memory: {memory[0]} KB after a tenth of the long run, then {memory[1]} KB"
        )


def check(documents: list[str]) -> None:
    for form in ("scalar", "fast"):
        training = Training(documents, run=Run(form=form))
        losses = [f"{training.step().loss:.4f}" for _ in range(8)]
        assert len(documents) != 32033 or losses == LOSSES, (form, losses)


def timed(documents: list[str], form: str, steps: int, *, collector: bool) -> float:
    """Return seconds a step."""
    training = Training(documents, run=Run(steps=max(steps, 1000), form=form))
    gc.enable() if collector else gc.disable()
    try:
        begin = time.process_time()
        for _ in range(steps):
            training.step()
        return (time.process_time() - begin) / steps
    finally:
        gc.enable()


def stream_cost(documents: list[str]) -> tuple[float, float]:
    """Return what streaming adds, as a share: by its own clock, and by two runs in turns.

    The second sees all there is, and on a busy machine some per cent of noise as well.
    """
    silent, told = Training(documents), Training(documents)
    spent = [0.0, 0.0]
    stream = Stream(io.StringIO(), told, clock=lambda: time.process_time() - spent[0])
    gc.disable()
    for i in range(STREAMED):
        turns = [(0, silent.step), (1, stream.step)]
        for which, step in turns if i % 2 else turns[::-1]:
            begin = time.process_time()
            step()
            spent[which] += time.process_time() - begin
    gc.enable()
    assert silent.model.state_dict() == told.model.state_dict()
    return stream.share_spent, spent[1] / spent[0] - 1


def checkpoint(documents: list[str]) -> float:
    """Return seconds to write a checkpoint of the reference model, until it is on the disk."""
    training = Training(documents)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        for _ in range(20):
            training.save(Path(folder) / "run.safetensors")
        return (time.perf_counter() - begin) / 20


def grown(documents: list[str], steps: int) -> tuple[int, int]:
    """Return the process's resident memory, in KB, after a tenth of the steps and after all."""
    training = Training(documents, run=Run(steps=steps))
    seen: list[int] = []
    gc.disable()
    for i in range(steps):
        training.step()
        if i + 1 in (steps // 10, steps):
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            seen.append(pages * 4)
    gc.enable()
    return seen[0], seen[-1]


if __name__ == "__main__":
    main()
