"""The eager engine's figures: what an unmodified script gains, and what each node costs.

Ratios are what counts. Contenders take turns in one run, each in a process of its own. Pure Python
stands there twice, garbage collector on and off. Of repeated timings the smallest is taken, of
turns the median ratio, and all is CPU time: the machine is rarely alone.
Start reading at ROWS, then `measure`.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import json
import math
import os
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

from gradwalk.bench.program import Arithmetic, loss, weights_and_tokens
from gradwalk.bench.report import Report, rows_of
from gradwalk.engine import Value, topological_order

SCRIPT = Path(__file__).parent / "microgpt.py"
Tell = Callable[[str], None]

TURN = 10  # steps that a contender goes before the next has its turn
FIRST = 8  # losses that the n-ary form is checked by

# Part and figure: the row's words, and the unit.
ROWS = {
    ("training", "bit-identical"): ("microGPT script: every bit the same", ""),
    ("training", "ratio, gc on"): ("  times as fast as Python, gc on", "×"),
    ("training", "ratio, gc off"): ("  times as fast as Python, gc off", "×"),
    ("eager", "forward over floats"): ("eager forward over plain floats", "×"),
    ("eager", "backward, ns a node"): ("backward, a node", " ns"),
    ("memory", "bytes a node"): ("memory, a node", " B"),
    ("chain", "works"): ("chain of 10,000,000 on a 256 KB stack", ""),
    ("n-ary", "same losses"): ("n-ary GPT step, native Adam: same losses", ""),
    ("n-ary", "ratio, gc on"): ("  times as fast as Python, gc on", "×"),
    ("n-ary", "ratio, gc off"): ("  times as fast as Python, gc off", "×"),
    ("endurance", "late over early"): ("step 20,000 over step 100", "×"),
}


def measure(
    *, quick: bool = False, long: bool = False, steps: int = 0, tell: Tell = print
) -> Report:
    """Measure everything; `tell` hears what is being measured."""
    steps = steps or (30 if quick else 1000)
    tell("forward and backward on 60,000 nodes")
    parts = {"eager": eager(30 if quick else 200)}
    tell("memory, and a chain of 10,000,000 nodes")
    parts |= {"memory": memory(), "chain": chain()}
    tell(f"the script, {steps:,} steps of each contender")
    parts |= training(steps)
    if long:
        tell("20,000 steps")
        parts["endurance"] = endurance(20_000)
    ms = parts["training"]
    notes = [
        f"A step, over {steps:,}: {ms['ms, Python, gc on']:.0f} ms in Python, "
        f"{ms['ms, Python, gc off']:.0f} with gc off, {ms['ms, gradwalk']:.1f} with gradwalk, "
        f"{parts['n-ary']['ms']:.2f} n-ary.",
    ]
    if not long:
        notes.append("--long measures step 20,000 against step 100.")
    return Report("eager", rows_of(parts, ROWS), notes, parts)


# ── The unmodified script, with one Value or another ─────────────────────────────────────────


class Contender:
    """The script in a process of its own, told how many steps to go, so that several take turns.

    Apart, because the garbage collector of one must not walk the graphs of the others.
    """

    def __init__(self, name: str, steps: int, names: str = "") -> None:
        script = f"from gradwalk.bench.eager import contend; contend({name!r}, {steps}, {names!r})"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seconds: list[float] = []

    def advance(self, steps: int) -> None:
        assert self._process.stdin
        print(steps, file=self._process.stdin, flush=True)
        self.seconds += self._answer()

    def outcome(self) -> dict[str, Any]:
        """Return a digest of the bits of all losses and parameters, and the first losses."""
        answer = self._answer()
        self._process.communicate()
        return answer

    def _answer(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a contender ended with exit code {self._process.wait()}")
        return json.loads(line)


class _Watch:
    """A contender's clock: begins a step when the other side has asked for one more."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._left, self._began, self._stopped = 0, 0.0, 0.0

    def tick(self) -> None:
        """Note the time at which a step begins."""
        if self._began:
            self._end()
        if self._left == 0:
            if self._seconds:
                self.answer()
            # With the collector off, the script's recursive closure keeps every graph alive: 10 GB
            # after 1,000 steps. Between turns, where no clock runs, they are let go.
            if not gc.isenabled():
                gc.collect()
            line = sys.stdin.readline()
            if not line:  # whoever asked has ended
                sys.exit(1)
            self._left = int(line)
        self._left -= 1
        self._began = time.process_time()

    def stop(self) -> None:
        """Stop the clock: the rest of the step is not counted."""
        self._stopped = time.process_time()

    def last(self) -> None:
        self._end()
        self.answer()

    def _end(self) -> None:
        self._seconds.append((self._stopped or time.process_time()) - self._began)

    def answer(self) -> None:
        print(json.dumps(self._seconds), flush=True)
        self._seconds.clear()


def contend(name: str, steps: int, names: str = "") -> None:
    """Be a contender: read from stdin how many steps to go, answer with their times.

    `names` is a file of documents for the script; without it the packaged ones are used.
    """
    sys.setrecursionlimit(100_000)  # the script's own sort recurses
    if name.endswith("gc off"):
        gc.disable()
    watch = _Watch()
    try:
        if name == "n-ary":
            losses, parameters = _nary(name, steps, watch)
        else:
            losses, parameters = _scripted(name, steps, watch, names)
    except KeyboardInterrupt:  # Ctrl-C reaches all; one of them says so
        sys.exit(130)
    watch.last()
    bits = b"".join([struct.pack("<d", number) for number in (*losses, *parameters)])
    outcome = {"digest": hashlib.sha256(bits).hexdigest(), "losses": losses[:FIRST]}
    print(json.dumps(outcome), flush=True)


def _scripted(name: str, steps: int, watch: _Watch, file: str) -> tuple[list[float], list[float]]:
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    for loop in [node for node in ast.walk(tree) if isinstance(node, ast.For)]:
        if isinstance(loop.target, ast.Name) and loop.target.id == "step":
            loop.body.insert(0, ast.parse("__watch__.tick()").body[0])
            if name.endswith("walks only"):
                after = [ast.unparse(part) for part in loop.body].index("loss.backward()") + 1
                loop.body.insert(after, ast.parse("__watch__.stop()").body[0])
    if name.startswith("gradwalk"):
        from gradwalk.scripts.replacing import rewritten

        tree = rewritten(tree, str(SCRIPT))
    sys.argv = [str(SCRIPT), str(steps), *([file] if file else [])]
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(SCRIPT), "__watch__": watch}
    names["print"] = _say_nothing
    # Behind its loop the script goes on to print names of its own: not part of the last step.
    loops = [part for part in tree.body if isinstance(part, ast.If)]
    loops[-1].body = [part for part in loops[-1].body if "step" in ast.unparse(part)[:12]]
    exec(compile(ast.fix_missing_locations(tree), str(SCRIPT), "exec"), names)
    assert (names["Value"] is Value) == name.startswith("gradwalk")
    return names["history"], [p.data for p in names["params"]]


def _say_nothing(*_: object) -> None:
    return


def _nary(name: str, steps: int, watch: _Watch) -> tuple[list[float], list[float]]:
    """The same training by gradwalk's own GPT: one node for each dot product, Adam in C."""
    from gradwalk.data import names
    from gradwalk.gpt import Run, Training

    training = Training(names(), run=Run(steps=steps, form="fast"))
    losses: list[float] = []
    for _ in range(steps):
        watch.tick()
        losses.append(training.step().loss)
    return losses, [p.data for p in training.model.parameters()]


def training(steps: int) -> dict[str, dict[str, Any]]:
    """Train with the script's own Value, gc on and off, with gradwalk's, and in n-ary form."""
    contenders = [Contender(name, steps) for name in ("own", "own, gc off", "gradwalk", "n-ary")]
    for begin in range(0, steps, TURN):
        for contender in contenders:
            contender.advance(min(TURN, steps - begin))
    outcomes = [contender.outcome() for contender in contenders]
    on, off, ours, nary = [contender.seconds for contender in contenders]

    def ratio(theirs: list[float], faster: list[float]) -> float:
        turns = range(0, steps, TURN)
        return statistics.median(
            [sum(theirs[i : i + TURN]) / sum(faster[i : i + TURN]) for i in turns]
        )

    pairs = zip(outcomes[0]["losses"], outcomes[3]["losses"], strict=True)
    return {
        "training": {
            "steps": steps,
            "bit-identical": len({outcome["digest"] for outcome in outcomes[:3]}) == 1,
            "ms, Python, gc on": sum(on) / steps * 1e3,
            "ms, Python, gc off": sum(off) / steps * 1e3,
            "ms, gradwalk": sum(ours) / steps * 1e3,
            "ratio, gc on": ratio(on, ours),
            "ratio, gc off": ratio(off, ours),
        },
        "n-ary": {
            "same losses": all(abs(a - b) < 1e-9 for a, b in pairs),
            "ms": sum(nary) / steps * 1e3,
            "ratio, gc on": ratio(on, nary),
            "ratio, gc off": ratio(off, nary),
        },
    }


def endurance(steps: int) -> dict[str, Any]:
    """Compare the last steps of a long run with steps 100 on of a fresh one, taking turns.

    Timed from the head of a step to the end of backward(): the script's own Adam, behind it, slows
    down by itself, on moments that have decayed to denormals.
    """
    old = Contender("gradwalk, walks only", steps)
    for _ in range(0, steps - 1000, 1000):
        old.advance(1000)
    young = Contender("gradwalk, walks only", 1100)
    young.advance(100)
    for _ in range(100):
        old.advance(10)
        young.advance(10)
    late, early = statistics.fmean(old.seconds[-1000:]), statistics.fmean(young.seconds[100:])
    old.outcome()
    young.outcome()
    return {"steps": steps, "late over early": late / early}


# ── The same forward pass on floats and on Values ────────────────────────────────────────────


def _relu(x: float) -> float:
    return x if x > 0.0 else 0.0


FLOATS = Arithmetic(float, math.exp, _relu, math.log)
VALUES = Arithmetic(attrgetter("data"), Value.exp, Value.relu, Value.log)


def eager(turns: int) -> dict[str, Any]:
    """Time the forward pass on floats and on Values, and backward on the Values."""
    plain, tokens = weights_and_tokens(float)
    ours, _ = weights_and_tokens(Value)
    root = loss(ours, tokens, VALUES)
    # sum() compensates on floats, from Python 3.12 on.
    agree = abs(root.data - loss(plain, tokens, FLOATS)) < 1e-12
    nodes = len(topological_order(root))
    del root
    times: dict[str, list[float]] = {"floats": [], "forward": [], "backward": [], "free": []}
    clock = time.process_time
    for _ in range(turns):
        marks = [clock()]
        loss(plain, tokens, FLOATS)
        marks.append(clock())
        root = loss(ours, tokens, VALUES)
        marks.append(clock())
        root.backward()
        marks.append(clock())
        del root
        marks.append(clock())
        for taken, began, ended in zip(times.values(), marks, marks[1:], strict=False):
            taken.append(ended - began)
    least = {name: min(taken) for name, taken in times.items()}
    middle = {name: statistics.median(taken) for name, taken in times.items()}
    figures: dict[str, Any] = {"value equals the floats'": agree, "nodes": nodes}
    if agree:
        figures["forward over floats"] = least["forward"] / least["floats"]
        figures["forward over floats, medians"] = middle["forward"] / middle["floats"]
        for name in ("forward", "backward", "free"):
            figures[f"{name}, ns a node"] = least[name] / nodes * 1e9
            figures[f"{name}, ns a node, median"] = middle[name] / nodes * 1e9
    return figures


# ── In processes of their own ────────────────────────────────────────────────────────────────

MEMORY = """
from gradwalk import Value
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096
x, y = Value(2.0), Value(3.0)
kept = x
for _ in range(1000): kept = kept * y + x
before = resident()
for _ in range(500_000): kept = kept * y + x
print((resident() - before) / 1_000_000)
one = Value(2.0); two = Value(5.0); product = one * two; two.data = 7.0; product.backward()
assert one.grad == 5.0, "the recorded point"
"""

CHAIN = """
import threading, time
from gradwalk import Value
def work():
    began = time.process_time()
    leaf = Value(1.0); node = leaf
    for _ in range(10_000_000): node = node + leaf
    built = time.process_time()
    node.backward()
    walked = time.process_time()
    right = leaf.grad == 10_000_001.0
    del node
    print(float(right), built - began, walked - built, time.process_time() - walked)
threading.stack_size(256 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def apart(script: str, *arguments: str) -> list[float]:
    """Return the numbers that a script prints in a process of its own; none if it fails."""
    answer = subprocess.run(
        [sys.executable, "-P", "-c", script, *arguments],
        capture_output=True,
        check=False,
        text=True,
    )
    return [] if answer.returncode else [float(word) for word in answer.stdout.split()]


def memory() -> dict[str, Any]:
    if not os.path.exists("/proc/self/statm"):
        return {}
    return {"bytes a node": [*apart(MEMORY), math.nan][0]}


def chain() -> dict[str, Any]:
    seconds = apart(CHAIN)
    if len(seconds) != 4:
        return {"works": False}
    right, built, walked, freed = seconds
    return {"works": right == 1.0, "build, s": built, "backward, s": walked, "free, s": freed}
