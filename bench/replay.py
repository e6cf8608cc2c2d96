"""The figures of recorded programs: training, Monte-Carlo paths, compile time and its growth.

Contenders take turns in one run, each in a process of its own, on one thread, and only those with
the right answer are timed. The time to the first answer (recording, compiling and one run) stands
apart from the steady state. Of the runs of a round the median counts, of rounds the smallest; it is
CPU time, except for two threads, where the wall's clock counts.
Start reading at GOALS, then `measure`; what the contenders do is in `replay_peers`.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import Any

from goals import Figures, Goal, Held, main
from replay_peers import CONTENDERS, FIRST, WEIGHTS, heston, heston_by_hand

from gradwalk.bench import eager
from gradwalk.data import NAMES_FILE
from gradwalk.errors import OperandError
from gradwalk.gpt import Run, Training
from gradwalk.gpt.model import GPT, linear, total
from gradwalk.ops import maximum
from gradwalk.optim import Adam, linear_decay
from gradwalk.program import backends, compile  # noqa: A004
from gradwalk.render.plot import Curve, curves_svg

__all__ = ["measure"]

Tell = Callable[[str], None]
Part = dict[str, Any]

CLOSE = 1e-9  # relative to the largest number of an answer
PEERS_FILE = Path(__file__).with_name("replay_peers.py")

# part, figure: the row's words, and what the figure is held against
GOALS: dict[tuple[str, str], tuple[str, Goal | None]] = {
    ("training", "largest difference"): (
        "microGPT, 1,000 steps: Δloss",
        Goal("≤", 1e-12),
    ),
    ("training", "ratio, gc on"): (
        "  times as fast as Python, gc on",
        Goal("≥", 5000, 12_000, "×"),
    ),
    ("training", "ratio, gc off"): ("  times as fast as Python, gc off", None),
    ("training", "µs"): ("  a step, over all documents", Goal("≤", 20, None, " µs")),
    ("training", "fast, µs"): ("  with fast=True", Goal("≤", 16, None, " µs")),
    ("training", "1,000 steps, s"): ("  1,000 steps after recording", Goal("≤", 0.1, None, " s")),
    ("documents abreast", "µs"): ("64 documents abreast, each", Goal("≤", 9, 4, " µs")),
    ("documents abreast", "fast, µs"): ("  with fast=True", Goal("≤", 6.5, None, " µs")),
    ("documents abreast", "µs, by map"): ("  by map, lists, no Adam, µs", None),
    ("Heston, 50 steps", "ns a node"): (
        "Heston, 50 steps, a node a path",
        Goal("≤", 0.4, 0.2, " ns"),
    ),
    ("Heston, 250 steps", "ns a node"): (
        "Heston, 250 steps, a node a path",
        Goal("≤", 0.11, 0.08, " ns"),
    ),
    ("Heston, 250 steps", "fast, ns a node"): ("  with fast=True", Goal("≤", 0.2, None, " ns")),
    ("Heston, 250 steps", "ns a node, arrays only"): ("  the replay alone, ns", None),
    ("levels", "avx512 interpreted"): ("  by AVX-512, no machine code", None),
    ("levels", "avx2"): ("  by AVX2, times as long", Goal("≤", 1.6, None, "×")),
    ("levels", "avx2 interpreted"): (
        "  by AVX2, no machine code",
        Goal("≤", 2.6, None, "×"),
    ),
    ("levels", "base"): ("  by SSE2 or NEON, times as long", Goal("≤", 4.6, None, "×")),
    ("Asian", "ratio"): ("Asian, compiling included, over JAX", Goal("≥", 3, 8, "×")),
    ("gradient", "microGPT"): ("gradient over forward, microGPT", Goal("≤", 2.5, 1.6, "×")),
    ("gradient", "Heston"): ("gradient over forward, Heston", Goal("≤", 2.5, 1.6, "×")),
    ("calls", "µs"): ("one call, Black-Scholes, µs", None),
    ("calls", "gradient, µs"): ("  with its five gradients, µs", None),
    ("calls", "Python, µs"): ("  the Python function itself, µs", None),
    ("compile", "ms"): ("record + optimise, after the function", Goal("≤", 12, 5, " ms")),
    ("compile", "whole, ms"): ("  the function's own run included, ms", None),
    ("compile", "beyond, ms"): ("  beyond a run on plain floats, ms", None),
    ("growth", "exponent"): ("growth of compile time, exponent", Goal("≤", 1.1)),
    ("growth", "long, ms"): ("compile a loop of 1,000,000 nodes", Goal("≤", 150, 20, " ms")),
    ("growth", "long, MB"): ("  memory that it keeps", Goal("≤", 1, None, " MB")),
    ("threads", "ratio"): ("two threads on map", Goal("≥", 1.8, 1.95, "×")),
    ("memory", "Heston"): ("memory, a node a lane, Heston", Goal("≤", 8, 3, " B")),
    ("memory", "microGPT"): ("memory, a node a lane, microGPT", Goal("≤", 8, 3, " B")),
}


def measure(
    *, quick: bool = False, long: bool = False, steps: int = 0, tell: Tell = print
) -> Figures:
    """Measure everything; `tell` hears what comes next; `long` gives slow peers time."""
    if find_spec("numpy") is None:
        raise OperandError("bench replay needs numpy: python -m pip install numpy")
    steps = steps or (40 if quick else 1000)
    size = Size(quick, long)
    parts: dict[str, Part] = {}
    tell(f"microGPT, {steps:,} steps recorded, as Values, in plain Python")
    parts["training"] = training(steps, size)
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(Path(folder), size)
        tell("microGPT, one document, beside others")
        parts["one document"] = one_document(arena)
        tell("microGPT, 64 documents abreast")
        parts["documents abreast"] = documents_abreast(arena)
        for count in (50, 250):
            tell(f"Heston paths of {count} steps")
            parts[f"Heston, {count} steps"] = heston_paths(arena, count)
        tell("each level of kernels")
        parts["levels"] = levels(size)
        tell("Asian option, compile time included")
        parts["Asian"] = asian_paths(arena)
        tell("gradient over forward")
        parts["gradient"] = gradient(size)
        tell("single calls")
        parts["calls"] = calls(size)
        tell("recording and optimising")
        parts["compile"] = compiling(size)
        tell(f"growth, to {size.most:,} nodes")
        parts["growth"] = growth(arena)
        tell("two threads, and memory")
        parts["threads"] = two_threads(size)
        parts["memory"] = memory(parts)
    rows = [
        Held(words, parts[part][figure], goal=goal)
        for (part, figure), (words, goal) in GOALS.items()
        if figure in parts[part]
    ]
    return Figures("replay", rows, _notes(parts, size), parts, _beside(parts), _picture(parts))


class Size:
    """How much is measured: paths, rounds, nodes, and seconds that a peer may take."""

    def __init__(self, quick: bool, long: bool = False) -> None:
        self.quick = quick
        self.paths = 2_000 if quick else 20_000
        self.rounds = 2 if quick else 7
        self.fresh = 1 if quick else 3  # processes that a first answer is timed in
        self.most = 10_000 if quick else 1_000_000
        self.limit = 20.0 if quick else 600.0 if long else 120.0


# ── Contenders in processes of their own ─────────────────────────────────────────────────────


def _interpreter(name: str) -> str:
    """Return the Python that has a contender: the peers may live in an environment of their own."""
    apart = os.environ.get("GRADWALK_BENCH_PYTHON") or sys.executable
    return sys.executable if name.startswith("gradwalk") else apart


class Process:
    """A contender, started; it is ended when an answer takes longer than the limit."""

    def __init__(
        self, case: str, name: str, file: Path, limit: float, script: Path | None = None
    ) -> None:
        self._said = f"{case}, {name}"
        one = dict.fromkeys(
            ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"], "1"
        )
        flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        self._limit = limit
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed by `end`)
        self._process = subprocess.Popen(
            [_interpreter(name), "-P", str(script or PEERS_FILE), case, name, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=file.parent,  # CasADi leaves C files where it is
            env={**os.environ, **one, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        )
        self._stopped = False

    @classmethod
    def begin(
        cls, case: str, name: str, file: Path, limit: float, peers: Any = None
    ) -> tuple[Process | None, Part]:
        """Return a contender and its first answer; no contender where it can give none.

        `peers` is the module that has it, if not `replay_peers`.
        """
        module = (peers.CONTENDERS if peers else CONTENDERS)[case][name][0]
        if _interpreter(name) == sys.executable and find_spec(module) is None:
            return None, {"missing": module}
        process = cls(case, name, file, limit, Path(peers.__file__) if peers else None)
        said = process.answer()
        if "answer" in said:
            return process, said
        process.end()
        return None, said

    def answer(self) -> Any:
        """Return what it says next, or why it says nothing: {"failed": words}."""
        assert self._process.stdout
        timer = Timer(self._limit, self._stop)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if line:
            return json.loads(line)
        if self._stopped:
            return {"failed": f"stopped, {self._limit:.0f} s"}
        code = self._process.wait()
        self._errors.seek(0)
        last = [text for text in self._errors.read().splitlines() if text.strip()][-1:]
        return {"failed": "failed", "why": f"{self._said}: exit code {code}, {''.join(last):.200}"}

    def round(self) -> Any:
        assert self._process.stdin
        try:
            print(file=self._process.stdin, flush=True)
        except OSError:
            return {"failed": "failed", "why": f"{self._said}: ended by itself"}
        return self.answer()

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def _stop(self) -> None:
        self._stopped = True
        self._process.kill()


class Arena:
    """Where contenders meet: each case's numbers are in a file that all of them read."""

    def __init__(self, folder: Path, size: Size, peers: Any = None) -> None:
        self.size = size
        self._folder = folder
        self._peers = peers

    def file(self, case: str, data: Part) -> Path:
        file = self._folder / f"{case}.npz"
        _numpy().savez(file, **data)
        return file

    def contest(
        self, case: str, data: Part, right: Callable[[Part], Sequence[float]]
    ) -> dict[str, Part]:
        """Return what each took for the first answer and in the steady state, taking turns.

        `right` gives the answer that one must have, by what it said of it.
        """
        file = self.file(case, data)
        found: dict[str, Part] = {}
        running: dict[str, Process] = {}
        try:
            for name in (self._peers.CONTENDERS if self._peers else CONTENDERS)[case]:
                process, said = Process.begin(case, name, file, self.size.limit, self._peers)
                found[name] = said
                if process is not None:
                    running[name] = process
                    said["right"] = _agree(right(said), said.pop("answer"))
            for _ in range(self.size.rounds):
                for name in [name for name in running if found[name]["right"]]:
                    seconds = running[name].round()
                    if isinstance(seconds, dict):
                        found[name] |= seconds
                        running.pop(name).end()
                    else:
                        found[name]["steady"] = min(seconds, found[name].get("steady", math.inf))
        finally:
            for process in running.values():
                process.end()
        return found

    def first(self, case: str, name: str, file: Path) -> float:
        """Return the time to the first answer in a fresh process, nan where there is none."""
        process, said = Process.begin(case, name, file, self.size.limit)
        if process is not None:
            process.end()
        return said.get("first", math.nan)


def _agree(right: Sequence[float], got: Sequence[float]) -> bool:
    allowed = CLOSE * max([abs(number) for number in right])
    if len(got) > len(right) or not got:
        return False
    return all(abs(a - b) <= allowed for a, b in zip(right, got, strict=False))


def _numpy() -> Any:
    return import_module("numpy")


def _usual(work: Callable[[], Any], least: float = 0.05, clock: Any = time.process_time) -> float:
    """Return the median of the seconds that runs take, of as many as go into `least` seconds."""
    seconds: list[float] = []
    until = clock() + least
    while not seconds or clock() < until:
        began = clock()
        work()
        seconds.append(clock() - began)
    return statistics.median(seconds)


# ── microGPT ─────────────────────────────────────────────────────────────────────────────────


def names_file() -> Path:
    """Return the names that lie beside the checkout, or else the packaged ones."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data" / "names.txt"
    return beside if beside.exists() else NAMES_FILE


def _training(steps: int, documents: Sequence[str] | None = None) -> Training:
    documents = documents or names_file().read_text("utf-8").split()
    return Training(documents, run=Run(steps=steps, form="scalar"))


def _restart(training: Training, numbers: Iterable[float]) -> Adam:
    """Put the parameters back to these numbers; return an optimiser that has done nothing yet."""
    for value, number in zip(training.model.parameters(), numbers, strict=True):
        value.data, value.grad = number, 0.0
    run, rate = training.run, linear_decay(training.run.lr, training.run.steps)
    return Adam(training.model.parameters(), rate, (run.beta1, run.beta2), run.epsilon)


def training(steps: int, size: Size) -> Part:
    """Train by replay and by Values on the same documents, and time it beside plain Python."""
    reference = _training(steps)
    begin = [value.data for value in reference.model.parameters()]
    expected = [reference.step().loss for _ in range(steps)]
    tokens = [
        reference.tokenizer.encode(reference.documents[i % len(reference.documents)])
        for i in range(steps)
    ]
    few = min(steps, 6 if size.quick else 100)  # what plain Python has to do
    turns = 2 if size.quick else 5
    file = str(names_file())
    pythons = [eager.Contender(name, few, file) for name in ("own", "own, gc off")]
    recorded = compile(reference.model.loss)
    one_of_each = {len(document): document for document in tokens}.values()
    clock = time.process_time
    ratios: list[tuple[float, float]] = []
    whole: list[float] = []
    losses: list[float] = []
    for turn in range(turns):
        part = slice(few * turn // turns, few * (turn + 1) // turns)
        for python in pythons:
            python.advance(part.stop - part.start)
        with recorded.train(_restart(reference, begin)) as train:
            for document in one_of_each:
                train.value_and_grad(document)  # recorded and optimised, and nothing moved
            marks = [clock()]
            losses = []
            for documents in (tokens[: part.start], tokens[part], tokens[part.stop :]):
                losses += [train.step(document) for document in documents]
                marks.append(clock())
            whole.append(marks[3] - marks[0])
            on, off = [sum(python.seconds[part]) for python in pythons]
            ratios.append((on / (marks[2] - marks[1]), off / (marks[2] - marks[1])))
    fast = _fast_steps(reference, begin, tokens, expected)
    scripted = [python.outcome()["losses"] for python in pythons]
    short = _training(few)
    same = [short.step().loss for _ in scripted[0]]
    on, off = [sum(python.seconds) for python in pythons]
    positions = sum(len(document) - 1 for document in tokens) / steps
    return {
        "steps": steps,
        "names": names_file().name if names_file() == NAMES_FILE else "shared/data/names.txt",
        "positions a document": positions,
        "same losses as the script": all(_agree(same, losses) for losses in scripted),
        "largest difference": max([abs(a - b) for a, b in zip(expected, losses, strict=True)]),
        "recordings": len(recorded._store),
        "Python on, ms": on / few * 1e3,
        "Python off, ms": off / few * 1e3,
        "ratio, gc on": statistics.median([ratio for ratio, _ in ratios]),
        "ratio, gc off": statistics.median([ratio for _, ratio in ratios]),
        "µs": statistics.median(whole) / steps * 1e6,
        "fast, µs": fast / steps * 1e6,
        "1,000 steps, s": statistics.median(whole) / steps * 1e3,
    }


def _fast_steps(
    reference: Training, begin: list[float], tokens: list[list[int]], expected: list[float]
) -> float:
    """Return the seconds of the same training by a program compiled with fast=True."""
    recorded = compile(fast=True)(reference.model.loss)
    seconds: list[float] = []
    for _ in range(5):
        with recorded.train(_restart(reference, begin)) as train:
            for document in {len(document): document for document in tokens}.values():
                train.value_and_grad(document)
            began = time.process_time()
            losses = [train.step(document) for document in tokens]
            seconds.append(time.process_time() - began)
        if not _agree(expected, losses):
            raise AssertionError("training with fast=True has other losses")
    return statistics.median(seconds)


def _documents_of_one_length(count: int) -> tuple[Training, Part]:
    """Documents of 7 positions, some 54,000 nodes each, and the weights of a model for them."""
    names = [name for name in names_file().read_text("utf-8").split() if len(name) == 6]
    training = _training(1000, names)
    np = _numpy()
    [layer] = training.model.layers
    data: Part = {
        name: np.array([
            [value.data for value in row]
            for row in getattr(training.model if hasattr(training.model, name) else layer, name)
        ])
        for name in WEIGHTS
    }  # fmt: skip
    encoded = [training.tokenizer.encode(document) for document in training.documents[:count]]
    return training, data | {"tokens": np.array(encoded), "rate": 0.01}


def one_document(arena: Arena) -> Part:
    """One document of seven positions a step, Adam included, beside tensor libraries."""
    training, data = _documents_of_one_length(20 if arena.size.quick else 100)
    optimizer = Adam(training.model.parameters(), 0.01, (0.85, 0.99), 1e-8)
    losses: list[float] = []
    for tokens in data["tokens"][:FIRST].tolist():
        optimizer.zero_grad()
        loss = training.model.loss(tokens)
        loss.backward()
        optimizer.step()
        losses.append(loss.data)
    return {"contenders": arena.contest("gpt", data, lambda _: losses), "unit": "a step"}


def documents_abreast(arena: Arena) -> Part:
    """64 documents of one length, value and mean gradient of all weights, beside tensors."""
    training, data = _documents_of_one_length(64)
    for tokens in data["tokens"].tolist():
        (training.model.loss(tokens) * (1 / 64)).backward()
    tables = [_table(training, name) for name in WEIGHTS]
    grads = [value.grad for table in tables for row in table for value in row]
    value = sum([training.model.loss(tokens).data for tokens in data["tokens"].tolist()]) / 64
    found = arena.contest("gpt64", data, lambda _: [value, *grads])
    part: Part = {"contenders": found, "unit": "a name"}
    if "steady" in found["gradwalk"]:
        part["µs, by map"] = found["gradwalk"]["steady"] * 1e6
    seconds, sizes, nodes = _batch(training, data, arena.size, fast=False)
    part["µs"] = seconds / 64 * 1e6
    part["fast, µs"] = _batch(training, data, arena.size, fast=True)[0] / 64 * 1e6
    return part | {"sizes": sizes, "nodes": nodes}


def _table(training: Training, name: str) -> Any:
    [layer] = training.model.layers
    return getattr(training.model if hasattr(training.model, name) else layer, name)


def _batch(
    training: Training, data: Part, size: Size, *, fast: bool
) -> tuple[float, dict[str, int], int]:
    """Return the seconds of a training step over 64 documents, Adam included, the sizes of the
    replay that does it, and the nodes that were recorded. The first loss is checked."""
    recorded = compile(fast=fast)(training.model.loss)
    rows = data["tokens"].astype(float)
    expected = sum([training.model.loss(tokens).data for tokens in data["tokens"].tolist()])
    optimizer = Adam(training.model.parameters(), 0.01, (0.85, 0.99), 1e-8)
    with recorded.train(optimizer) as train:
        if not _agree([train.batch(rows, threads=1)], [expected / len(rows)]):
            raise AssertionError("the batch has another loss than its documents one by one")
        seconds = min([_usual(lambda: train.batch(rows, threads=1)) for _ in range(size.rounds)])
        [replay] = train.replays()
    return seconds, dict(replay.sizes), _nodes(recorded)


# ── Paths ────────────────────────────────────────────────────────────────────────────────────

HESTON = {"s0": 100.0, "v0": 0.04, "r": 0.03, "kappa": 1.5, "theta": 0.04, "xi": 0.3,
          "rho": -0.6, "k": 95.0}  # fmt: skip
ASIAN = {"s0": 100.0, "r": 0.03, "sigma": 0.2}


def _paths(p: dict[str, float], *shape: int) -> Part:
    np = _numpy()
    z = np.random.default_rng(7).standard_normal(shape)
    return {"p": np.array([*p.values()]), "names": np.array([*p]), "z": z}


def _recorded(program: Callable[..., Any], *, fast: bool = False) -> Any:
    def path(p: Any, z: Any) -> Any:
        return program([*p.values()], z, math.sqrt, math.exp, maximum)

    return compile(fast=fast)(path)


def _nodes(recorded: Any) -> int:
    """Return the nodes that were recorded: inputs and operations, no constants."""
    return sum([code != 0 for code in recorded.program.codes])


def heston_paths(arena: Arena, steps: int) -> Part:
    """Price and 8 sensitivities of many paths, means over them, beside everyone."""
    np = _numpy()
    data = _paths(HESTON, arena.size.paths, steps, 2)
    across = data["z"].transpose(1, 2, 0)

    def right(said: Part) -> list[float]:
        return heston_by_hand(np, HESTON.values(), across[..., : said["paths"]])

    found = arena.contest("heston", data, right)
    recorded = _recorded(heston)
    recorded(HESTON, data["z"][0])
    nodes = _nodes(recorded)
    part: Part = {"contenders": found, "unit": "a path", "nodes": nodes, "paths": arena.size.paths}
    for said in found.values():
        if "steady" in said:
            said["ns a node"] = said["steady"] / nodes * 1e9
    if "ns a node" in found["gradwalk"]:
        part["ns a node"] = found["gradwalk"]["ns a node"]
    seconds, part["sizes"] = _arrays_only(recorded, data["z"], arena.size)
    part["ns a node, arrays only"] = seconds / len(data["z"]) / nodes * 1e9
    part["fast, ns a node"] = _fast_paths(data["z"], arena.size) / nodes * 1e9
    return part


def _fast_paths(z: Any, size: Size) -> float:
    """Return the seconds of a path, price and sensitivities, compiled with fast=True."""
    exact, fast = _recorded(heston), _recorded(heston, fast=True)

    def run(recorded: Any) -> Any:
        return recorded.map.value_and_grad(HESTON, z, wrt="p", reduce="mean", threads=1)

    answers = [[value, *grads["p"].values()] for value, grads in (run(exact), run(fast))]
    if not _agree(*answers):
        raise AssertionError("Heston with fast=True has another price")
    return min([_usual(lambda: run(fast)) for _ in range(size.rounds)]) / len(z)


def _arrays_only(recorded: Any, z: Any, size: Size) -> tuple[float, dict[str, int]]:
    """Return the seconds that the replay itself takes, without the reading of arguments and the
    making of results around it, and its sizes."""
    np = _numpy()
    recording, buffers, places, count, _ = recorded.map.prepare((HESTON, z), {})
    replay = recording.replay(recording.slots_of(["p"]))
    out, sums = np.empty((count, 1)), np.zeros(len(HESTON))

    def run() -> None:
        replay.map(buffers, *places, count, out, None, sums, 1)

    return min([_usual(run) for _ in range(size.rounds)]), dict(replay.sizes)


def levels(size: Size) -> Part:
    """Return how many times as long each level of kernels takes as the best one with its machine
    code, a path of Heston of 250 steps, the replay alone. A short map is interpreted."""
    if backends.name != "native":
        return {}
    paths = _paths(HESTON, 5_000, 250, 2)["z"]  # enough for machine code

    def seconds(count: int) -> tuple[float, bool]:
        taken, sizes = _arrays_only(_recorded(heston), paths[:count], size)
        return taken / count, sizes["lane code"] > 0

    best, _ = seconds(5_000)
    part: Part = {}
    for level in ("base", "avx2", "avx512"):
        with suppress(ValueError):  # this processor lacks it
            backends.replay.kernels(level)
            taken, coded = seconds(5_000)
            part[level] = taken / best
            if coded:
                part[f"{level} interpreted"] = seconds(2_000)[0] / best
    backends.replay.kernels(None)
    return part


def asian_paths(arena: Arena) -> Part:
    """Price, delta, rho and vega of 252 steps: from the function to the first answer, and on."""
    data = _paths(ASIAN, arena.size.paths, 252)
    expected = _asian_by_hand(data["z"])
    found = arena.contest("asian", data, lambda _: expected)
    file = arena.file("asian", data)
    ours, theirs = [found["gradwalk"].get("first", math.nan)], [found["JAX"].get("first", math.nan)]
    for _ in range(arena.size.fresh - 1):
        ours.append(arena.first("asian", "gradwalk", file))
        theirs.append(arena.first("asian", "JAX", file))
    part: Part = {"contenders": found, "unit": "a path", "paths": arena.size.paths}
    both = found["gradwalk"].get("right") and found["JAX"].get("right")
    if both:
        for name, first in (("gradwalk", ours), ("JAX", theirs)):
            found[name]["first"] = statistics.median(first)
        part["ratio"] = statistics.median(theirs) / statistics.median(ours)
    return part


def _asian_by_hand(z: Any) -> list[float]:
    """Return the mean price of `replay_peers.asian`, and its derivatives by s0, r and sigma."""
    np = _numpy()
    s0, r, sigma = ASIAN.values()
    steps = z.shape[1]
    times = np.arange(1, steps + 1) / steps
    walk = np.cumsum(z, axis=1) * math.sqrt(1 / steps)
    s = s0 * np.exp((r - 0.5 * sigma * sigma) * times + sigma * walk)
    average = s.mean(axis=1)
    paid = np.where(average > 95.0, math.exp(-r), 0.0)
    price = paid * (average - 95.0)
    by_r = paid * (s * times).mean(axis=1) - price
    by_sigma = paid * (s * (walk - sigma * times)).mean(axis=1)
    return [float(x.mean()) for x in (price, paid * average / s0, by_r, by_sigma)]


# ── Of gradwalk alone ────────────────────────────────────────────────────────────────────────


def gradient(size: Size) -> Part:
    """Value and gradient over the value alone, both replayed: one document, and Heston paths."""
    training, data = _documents_of_one_length(1)
    recorded = compile(training.model.loss)
    tokens = data["tokens"][0].tolist()
    recorded(tokens)
    recording = recorded._store.used_last()
    slots = recording.segments([array("d", tokens)])
    forward = recording.forward()
    both = recording.replay(range(recording.argument_slots, recording.program.slots))
    # The loss, and the verdict of the guards.
    out = array("d", bytes(8 * len(recording.program.ends(recording.program.outputs))))
    grads = array("d", bytes(8 * len(recording.parameters)))
    forward.value(slots, out)
    alone = out[0]
    both.value_and_grad(slots, out, grads)
    assert abs(out[0] - alone) < 1e-12
    gpt = _ratio(
        partial(both.value_and_grad, slots, out, grads), partial(forward.value, slots, out), size
    )
    paths = _recorded(heston)
    given = _paths(HESTON, size.paths, 50, 2)["z"]

    def differentiated() -> Any:
        return paths.map.value_and_grad(HESTON, given, wrt="p", reduce="mean", threads=1)

    heston_ = _ratio(differentiated, lambda: paths.map(HESTON, given, threads=1), size)
    return {"microGPT": gpt, "Heston": heston_}


def calls(size: Size) -> Part:
    """One small function, called again and again, beside the Python it replaces."""

    def call(s: Any, k: Any, r: Any, sigma: Any, t: Any) -> Any:
        """A European call by Black and Scholes."""
        deviation = sigma * math.sqrt(t)
        d = (math.log(s / k) + (r + sigma * sigma / 2) * t) / deviation
        normal, later = math.erfc(-d / math.sqrt(2)), math.erfc((deviation - d) / math.sqrt(2))
        return s * normal / 2 - k * math.exp(-r * t) * later / 2

    given = (100.0, 95.0, 0.03, 0.2, 1.0)
    recorded = compile(call)
    value, grads = recorded.value_and_grad(*given)
    plain = call(*given)
    assert abs(recorded(*given) - plain) < 1e-12
    assert abs(value - plain) < 1e-12
    for i, name in enumerate(recorded.arguments):
        beside = [[*given[:i], given[i] + h, *given[i + 1 :]] for h in (1e-5, -1e-5)]
        up, down = [call(*point) for point in beside]
        assert abs(grads[name] - (up - down) / 2e-5) < 1e-6
    times = 200 if size.quick else 2000

    def each(work: Callable[..., Any]) -> float:
        def many() -> None:
            for _ in range(times):
                work(*given)

        return min([_usual(many) for _ in range(size.rounds)]) / times * 1e6

    return {
        "µs": each(recorded),
        "gradient, µs": each(recorded.value_and_grad),
        "Python, µs": each(call),
    }


def _ratio(slow: Callable[[], Any], fast: Callable[[], Any], size: Size, **how: Any) -> float:
    pairs = [(_usual(slow, **how), _usual(fast, **how)) for _ in range(size.rounds)]
    return min([one for one, _ in pairs]) / min([one for _, one in pairs])


class Stopwatch:
    """A function, and the time that its own run takes while it is being recorded."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.seconds = 0.0
        self._function = function

    def run(self, *args: Any) -> Any:
        began = time.process_time()
        try:
            return self._function(*args)
        finally:
            self.seconds = time.process_time() - began


class PlainGPT(GPT):
    """The same model on plain floats: what the function costs where nothing is recorded."""

    def __init__(self, model: GPT) -> None:
        def plain(matrix: list[list[Any]]) -> list[list[Any]]:
            return [[value.data for value in row] for row in matrix]

        self.config, self.scale = model.config, model.scale
        self.wte, self.wpe, self.lm_head = map(plain, (model.wte, model.wpe, model.lm_head))
        names = ("wq", "wk", "wv", "wo", "fc1", "fc2")
        self.layers: list[Any] = [
            SimpleNamespace(**{name: plain(getattr(layer, name)) for name in names})
            for layer in model.layers
        ]

    def look(self, query: list[Any], keys: list[list[Any]]) -> list[Any]:
        return _shares([total(q * k for q, k in zip(query, key)) / self.scale for key in keys])  # noqa: B905  (as the model's)

    def mlp(self, layer: Any, x: list[Any]) -> list[Any]:
        inner: list[Any] = linear(layer.fc1, x)
        gated: list[Any] = [xi if xi > 0.0 else 0.0 for xi in inner]
        return linear(layer.fc2, gated)

    def surprise(self, logits: list[Any], target: int) -> Any:
        return -math.log(_shares(logits)[target])


def _shares(logits: list[float]) -> list[float]:
    """Return the model's softmax, of floats."""
    top = max(logits)
    powers = [math.exp(value - top) for value in logits]
    whole = sum(powers)
    return [power / whole for power in powers]


def compiling(size: Size) -> Part:
    """From a function to its first value and gradient, at some 54,000 nodes."""
    training, data = _documents_of_one_length(1)
    tokens = data["tokens"][0].tolist()
    plain: Any = PlainGPT(training.model)
    if not _agree([training.model.loss(tokens).data], [plain.loss(tokens)]):
        raise AssertionError("the model on plain floats is another model")
    after: list[float] = []
    whole: list[float] = []
    beyond: list[float] = []
    nodes = 0
    for _ in range(size.rounds):
        watch = Stopwatch(training.model.loss)

        def loss(tokens: Any, watch: Stopwatch = watch) -> Any:
            return watch.run(tokens)

        recorded = compile(static=("watch",))(loss)
        with recorded.train(_restart(training, [0.01] * 4192)) as train:
            began = time.process_time()
            train.value_and_grad(tokens)
            took = time.process_time() - began
            took -= _usual(lambda: train.value_and_grad(tokens), 0.01)
        after.append(took - watch.seconds)
        whole.append(took)
        beyond.append(took - _usual(lambda: plain.loss(tokens), 0.01))
        nodes = _nodes(recorded)
    return {
        "nodes": nodes,
        "ms": statistics.median(after) * 1e3,
        "whole, ms": statistics.median(whole) * 1e3,
        "beyond, ms": statistics.median(beyond) * 1e3,
    }


def growth(arena: Arena) -> Part:
    """Compile and run one path of ever more steps: gradwalk, then who else keeps no loop."""
    size = arena.size
    exponents = range(3, round(math.log10(size.most)) + 1)
    targets = [round(10**e * f) for e in exponents for f in (1, 3) if 10**e * f <= size.most]
    points = [_grown(target // 21) for target in targets]
    large = [point for point in points if point["nodes"] >= min(8_000, size.most / 20)]
    part: Part = {
        "points": points,
        "exponent": _exponent([(point["nodes"], point["compile, s"]) for point in large]),
        "exponent, lanes": _exponent([(point["nodes"], point["lanes, s"]) for point in large]),
        "exponent, run": _exponent([(point["nodes"], point["run, s"]) for point in large]),
        "contenders": {},
    }
    if points[-1]["nodes"] >= 1_000_000:
        part["long, ms"] = points[-1]["compile, s"] * 1e3
        part["long, MB"] = resident(points[-1]["steps"])
    limit, size.limit = size.limit, min(size.limit, 5.0 if size.quick else 30.0)
    for name in CONTENDERS["growth"]:
        rows: list[Part] = []
        for point in points:
            data = _paths(HESTON, 1, point["steps"], 2)
            process, said = Process.begin("growth", name, arena.file("growth", data), size.limit)
            if process is not None:
                right = heston_by_hand(_numpy(), HESTON.values(), data["z"].transpose(1, 2, 0))
                said["right"] = _agree(right, said.pop("answer"))
                said["run, s"] = process.round()
                process.end()
            rows.append({"nodes": point["nodes"], **said})
            if "first" not in said:
                break
        part["contenders"][name] = rows
    size.limit = limit
    return part


def _grown(steps: int) -> Part:
    watch = Stopwatch(heston)

    def path(p: Any, z: Any) -> Any:
        return watch.run([*p.values()], z, math.sqrt, math.exp, maximum)

    recorded = compile(path)
    z = _paths(HESTON, 16, steps, 2)["z"]

    def once() -> Any:
        return recorded.value_and_grad(HESTON, z[0], wrt="p")

    def abreast() -> Any:
        return recorded.map.value_and_grad(HESTON, z, wrt="p", reduce="mean", threads=1)

    began = time.process_time()
    value, grads = once()
    first = time.process_time() - began
    expected = heston_by_hand(_numpy(), HESTON.values(), z[:1].transpose(1, 2, 0))
    right = _agree(expected, [value, *grads["p"].values()])
    run = _usual(once, 0.02)
    began = time.process_time()
    abreast()
    lanes = time.process_time() - began
    return {
        "nodes": _nodes(recorded),
        "steps": steps,
        "right": right,
        "function, s": watch.seconds,
        "compile, s": max(first - run - watch.seconds, 1e-9),
        "run, s": run,
        "lanes, s": max(lanes - _usual(abreast, 0.02), 1e-9),
    }


RESIDENT = """
import ctypes, gc, os, sys
sys.path.insert(0, sys.argv[1])
from replay import HESTON, _paths, _recorded, heston

def resident():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

z = _paths(HESTON, 1, int(sys.argv[2]), 2)["z"][0]
kept, sizes = [], []
for _ in range(9):
    kept.append(_recorded(heston))
    kept[-1].value_and_grad(HESTON, z, wrt="p")
    sizes.append(resident())
print((sizes[-1] - sizes[0]) / (len(sizes) - 1) / 1e6)  # the first has the caches of Python, too
"""


def resident(steps: int) -> float:
    """Return the MB that a process holds more for each path compiled and run; nan: no Linux."""
    return [*eager.apart(RESIDENT, str(Path(__file__).parent), str(steps)), math.nan][0]


def _exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of a line through the logarithms: 1 is linear."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum([(x - x0) ** 2 for x in xs])
    return sum([(x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True)]) / across


def two_threads(size: Size) -> Part:
    """The same map on one and on two threads, by the wall's clock; equal to the last bit."""
    paths = _recorded(heston)
    z = _paths(HESTON, size.paths, 250, 2)["z"]

    def run(threads: int) -> Any:
        return paths.map.value_and_grad(HESTON, z, wrt="p", reduce="mean", threads=threads)

    same = run(1) == run(2)
    ratio = _ratio(partial(run, 1), partial(run, 2), size, clock=time.perf_counter, least=0.2)
    return {"ratio": ratio, "bit-equal": same, "cores": os.cpu_count()}


def memory(parts: dict[str, Part]) -> Part:
    """Bytes of all lanes over nodes and lanes, as the replays that were timed say themselves."""
    made: Part = {}
    for name, part in (("Heston", "Heston, 250 steps"), ("microGPT", "documents abreast")):
        sizes = parts[part]["sizes"]
        if "lane bytes" in sizes:  # the interpreter has no lanes
            made[name] = sizes["lane bytes"] / sizes["lanes"] / parts[part]["nodes"]
    return made


# ── What is printed beside the rows ──────────────────────────────────────────────────────────

_CASES = {
    "one document": "microGPT, a step",
    "documents abreast": "microGPT, 64 documents",
    "Heston, 50 steps": "Heston, 50 steps",
    "Heston, 250 steps": "Heston, 250 steps",
    "Asian": "Asian, 252 steps",
}


def _beside(parts: dict[str, Part]) -> list[list[str]]:
    table = [["", "first", "then", "a node", "ratio", "answer"]]
    for case, title in _CASES.items():
        found: dict[str, Part] = parts[case]["contenders"]
        table.append([f"{title}", "", parts[case]["unit"], "", "", ""])
        ours = found["gradwalk"].get("steady", math.nan)
        table += [
            [f"  {name}", *_cells(said, said.get("steady"), ours)]
            for name, said in found.items()
            if "missing" not in said
        ]
    table.append(["One path, by nodes", "compile", "a run", "", "", ""])
    points: list[Part] = parts["growth"]["points"]
    for point in points:
        cells = [_seconds(point["compile, s"]), _seconds(point["run, s"]), "", "", _right(point)]
        table.append([f"  gradwalk {point['nodes']:,}", *cells])
    grown: dict[str, list[Part]] = parts["growth"]["contenders"]
    for name, rows in grown.items():
        table += [
            [f"  {name} {row['nodes']:,}", *_cells(row, row.get("run, s"), math.nan)]
            for row in rows
            if "missing" not in row
        ]
    return table


def _cells(said: Part, steady: Any, ours: float) -> list[str]:
    """Return the time to the first answer, then, a node, over gradwalk's, and whether it is right.

    Wrong answers are not timed.
    """
    if "failed" in said or not said.get("right") or isinstance(steady, dict | None):
        return ["", "", "", "", said.get("failed") or _right(said)]
    node = f"{said['ns a node']:.3g} ns" if "ns a node" in said else ""
    times = steady / ours
    over = "" if times != times else f"{times:,.0f}×" if times >= 100 else f"{times:.2g}×"
    return [_seconds(said["first"]), _seconds(steady), node, over, "right"]


def _right(said: Part) -> str:
    return "right" if said.get("right") else "WRONG"


def _seconds(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= size or unit == "ns":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError


def _notes(parts: dict[str, Part], size: Size) -> list[str]:
    ms = parts["training"]
    grown = parts["growth"]
    notes = [
        f"Python takes {ms['Python on, ms']:.0f} ms a step, {ms['Python off, ms']:.0f} with gc "
        f"off; {ms['positions a document']:.1f} positions a document.",
        f"Growth by exponent: {grown['exponent']:.2f} compiling, "
        f"{grown['exponent, lanes']:.2f} for lanes, {grown['exponent, run']:.2f} running.",
    ]
    absent = {
        said["missing"]
        for case in _CASES
        for said in parts[case]["contenders"].values()
        if "missing" in said
    }
    if absent:
        notes.append(
            f"Not installed here: {', '.join(sorted(absent))}. `x.py bench` installs them."
        )
    for case in (*_CASES, "growth"):
        found = parts[case]["contenders"].values()
        every = [said for one in found for said in (one if case == "growth" else [one])]
        notes += [said["why"] for said in every if "why" in said]
    if not ms["same losses as the script"]:
        notes.append("The losses are NOT those of the plain script.")
    if not parts["threads"]["bit-equal"]:
        notes.append("Two threads do NOT give the bits of one.")
    if size.quick:
        notes.append("Quick: fewer paths, nodes and rounds than the bounds are meant for.")
    return notes


def _picture(parts: dict[str, Part]) -> str:
    points: list[Part] = parts["growth"]["points"]
    named = {"gradwalk compiles": "compile, s", "the function itself": "function, s",
             "gradwalk, for lanes": "lanes, s", "gradwalk runs": "run, s"}  # fmt: skip
    curves = [
        Curve(name, [(point["nodes"], point[figure]) for point in points])
        for name, figure in named.items()
    ]
    grown: dict[str, list[Part]] = parts["growth"]["contenders"]
    for name, rows in grown.items():
        done = [row for row in rows if "first" in row and not isinstance(row["run, s"], dict)]
        if done:
            curves.append(Curve(f"{name} compiles", [(row["nodes"], row["first"]) for row in done]))
            curves.append(Curve(f"{name} runs", [(row["nodes"], row["run, s"]) for row in done]))
    return curves_svg(
        curves, title="Compile and run time", x="recorded nodes", y="seconds", log=True
    )


if __name__ == "__main__":
    main(measure)
