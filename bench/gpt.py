"""The GPT's own training against the pure Python script: speed, streaming, checkpoints, memory.

    python bench/gpt.py                   1,000 steps of each (minutes: pure Python is slow)
    python bench/gpt.py --steps 30        for a look
    python bench/gpt.py --long            also 20,000 steps: their speed, and their memory
    python bench/gpt.py --json            the same as JSON

bench/eager.py times the engine under an unmodified script. This is what `gradwalk gpt train` does:
a step is a document forward, backward, and Adam. Losses are checked before any time is believed.
Contenders take turns on the same documents, each in a process of its own, in CPU time; a ratio is
the median over the turns. Pure Python stands there twice, garbage collector on and off.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path

import eager  # beside this file

from gradwalk import backend
from gradwalk.data import names
from gradwalk.gpt import Run, Training, read_documents
from gradwalk.gpt.stream import Stream

REFERENCE = eager.NAMES
FIRST_LOSSES = [3.3660, 3.4243, 3.1778, 3.0664, 3.2209, 2.9452, 3.2894, 3.3245]
TURN = 10
STREAMED = 600
FORMS = {
    "scalar, gc on": ("scalar", True),
    "fast, gc on": ("fast", True),
    "fast, gc off": ("fast", False),
}
# figure, must, moonshot
ROWS = [
    ("fast, gc on: times as fast as pure Python, gc on", 350, 700),
    ("fast, gc off: times as fast as pure Python, gc off", 120, 240),
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.contender:
        contend(*FORMS[given.contender], steps=given.steps)
        return
    check()
    figures = training(given.steps)
    figures |= {"checkpoint, ms": checkpoint() * 1e3}
    figures |= stream_cost()
    if given.long:
        figures |= endurance(20_000)
    if given.json:
        print(json.dumps({"backend": backend(), "steps": given.steps, "figures": figures}))
        return
    print(f"gradwalk {backend()} engine, {given.steps} steps each, losses checked\n")
    for name, must, moonshot in ROWS:
        words = eager.verdict(figures[name], ">", must, moonshot)
        print(f"{name:52} {figures[name]:8.1f}   must {must}   {words}")
    print()
    for name, figure in figures.items():
        print(f"    {name:52} {figure:10.4g}")


# ── The answer ───────────────────────────────────────────────────────────────────────────────


def documents() -> list[str]:
    return read_documents(REFERENCE) if REFERENCE.exists() else names()


def check() -> None:
    """Train both forms and the script for 8 steps: the losses have to be the same."""
    steps = len(FIRST_LOSSES)

    def losses(form: str, schedule: int) -> list[float]:
        run = Training(documents(), run=Run(form=form, steps=schedule))
        return [run.step().loss for _ in range(steps)]

    def agree(ours: list[float], theirs: list[float], within: float) -> bool:
        return all(abs(a - b) <= within for a, b in zip(ours, theirs, strict=True))

    assert agree(losses("fast", 1000), losses("scalar", 1000), 1e-10)
    if REFERENCE.exists():
        assert agree(losses("fast", 1000), FIRST_LOSSES, 5e-5)
        os.environ |= {"MICROGPT_STEPS": str(steps), "MICROGPT_NAMES": str(REFERENCE)}
        with redirect_stdout(io.StringIO()):
            script = runpy.run_path(str(eager.SCRIPT))
        assert agree(losses("fast", steps), script["losses"], 1e-10)


# ── Times ────────────────────────────────────────────────────────────────────────────────────


class Contender(eager.Contender):
    """Our own training in a process of its own, told how many steps to go."""

    def __init__(self, name: str, steps: int) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--contender", name]
        self._process = subprocess.Popen(
            [*command, "--steps", str(steps)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seconds: list[float] = []
        self.resident: list[int] = []

    def advance(self, steps: int) -> None:
        print(steps, file=self._process.stdin, flush=True)
        seconds, resident = json.loads(self._process.stdout.readline())
        self.seconds += seconds
        self.resident.append(resident)


def contend(form: str, collector: bool, steps: int) -> None:
    """Be a contender: read from stdin how many steps to go, answer with times and memory in KB."""
    run = Training(documents(), run=Run(steps=steps, form=form))
    gc.enable() if collector else gc.disable()
    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            begin = time.process_time()
            run.step()
            seconds.append(time.process_time() - begin)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        print(json.dumps([seconds, pages * 4]), flush=True)


def training(steps: int) -> dict[str, float]:
    contenders = {
        "pure Python, gc on": eager.Contender("own", steps),
        "pure Python, gc off": eager.Contender("own, gc off", steps),
        **{name: Contender(name, steps) for name in FORMS},
    }
    for first in range(0, steps, TURN):
        for contender in contenders.values():
            contender.advance(min(TURN, steps - first))
    figures = {
        f"{name}, ms a step": statistics.fmean(contender.seconds) * 1e3
        for name, contender in contenders.items()
    }

    def ratio(theirs: str, ours: str) -> float:
        slow, fast = contenders[theirs].seconds, contenders[ours].seconds
        turns = range(0, steps, TURN)
        return statistics.median([sum(slow[i : i + TURN]) / sum(fast[i : i + TURN]) for i in turns])

    for ours in FORMS:
        theirs = f"pure Python, {ours.split(', ')[1]}"
        figures[f"{ours}: times as fast as {theirs}"] = ratio(theirs, ours)
    return figures


def endurance(steps: int) -> dict[str, float]:
    """Compare the last steps of a long run with steps 100 on of a fresh one, taking turns."""
    old = Contender("fast, gc on", steps)
    for _ in range(0, steps - 1000, 1000):
        old.advance(1000)
    young = Contender("fast, gc on", 1100)
    young.advance(100)
    for _ in range(1000 // TURN):
        old.advance(TURN)
        young.advance(TURN)
    late, early = statistics.fmean(old.seconds[-1000:]), statistics.fmean(young.seconds[100:])
    return {
        f"step {steps} over step 100": late / early,
        "memory after 1,000 steps, KB": old.resident[0],
        f"memory after {steps} steps, KB": old.resident[-1],
    }


def stream_cost() -> dict[str, float]:
    """Return what streaming adds, as a share: by its own clock, and by two runs in turns.

    The second sees all there is, and on a busy machine some per cent of noise as well.
    """
    silent, told = Training(documents()), Training(documents())
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
    return {
        "streaming, share of a step by its own clock": stream.share_spent,
        "streaming, share of a step by two runs in turns": spent[1] / spent[0] - 1,
    }


def checkpoint() -> float:
    """Return seconds to write a checkpoint of the reference model, until it is on the disk."""
    run = Training(documents())
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        for _ in range(20):
            run.save(Path(folder) / "run.safetensors")
        return (time.perf_counter() - begin) / 20


if __name__ == "__main__":
    main()
