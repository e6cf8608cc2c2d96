"""The same scalar program in gradwalk and in what else differentiates scalars in Python.

Each runs in a process of its own, gives its loss and all gradients, and is timed only when these
are right. What is not installed, here or in the environment that GRADWALK_BENCH_PYTHON names, is
named, and left out. Start reading at PEERS.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import Any, NamedTuple

from gradwalk.bench.program import Arithmetic, loss, weights_and_tokens

__all__ = ["PEERS", "Timed", "measure"]

CLOSE = 1e-9  # relative; the programs differ in the order of their sums


class Step(NamedTuple):
    """One forward and one backward pass: seconds, the loss, all gradients."""

    forward: float
    backward: float
    loss: float
    gradients: list[float]


class Timed(NamedTuple):
    name: str
    forward: float
    backward: float
    is_right: bool
    is_missing: bool = False

    @property
    def step(self) -> float:
        return self.forward + self.backward


def measure(turns: int) -> list[Timed]:
    """Return what each takes for a step, in seconds of CPU time; the fastest turn counts."""
    answers: dict[str, dict[str, Any]] = {}
    for name, (module, _) in PEERS.items():
        python = _python_with(module)
        if python is not None:
            count = turns if name == "gradwalk" else max(2, turns // 10)
            answers[name] = _apart(python, name, count)
    right = answers["gradwalk"]
    return [
        _judged(name, answers[name], right)
        if name in answers
        else Timed(name, math.nan, math.nan, False, is_missing=True)
        for name in PEERS
    ]


def _python_with(module: str) -> str | None:
    """Return a Python that has a module: this one, or that of the peers."""
    if find_spec(module) is not None:
        return sys.executable
    apart = os.environ.get("GRADWALK_BENCH_PYTHON")
    if apart is None:
        return None
    look = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return apart if subprocess.run([apart, "-P", "-c", look], check=False).returncode == 0 else None


def _apart(python: str, name: str, turns: int) -> dict[str, Any]:
    here = Path(__file__).parent
    find = f"import sys; sys.path.insert(0, {str(here)!r})"
    script = f"{find}; from peers import contend; contend({name!r}, {turns})"
    variables = dict(os.environ)
    if python != sys.executable:
        variables["PYTHONPATH"] = str(here.parent / "src")  # gradwalk is not installed there
    answer = subprocess.run(
        [python, "-P", "-c", script], capture_output=True, check=False, text=True, env=variables
    )
    if answer.returncode:
        return {"seconds": [math.nan, math.nan], "loss": math.nan, "gradients": []}
    return json.loads(answer.stdout)


def contend(name: str, turns: int) -> None:
    """Be a contender: print the answer and the times as JSON."""
    sys.setrecursionlimit(100_000)  # micrograd's sort recurses
    step = PEERS[name][1]()
    done = [step() for _ in range(turns)]
    seconds = [min([one.forward for one in done]), min([one.backward for one in done])]
    print(json.dumps({"seconds": seconds, "loss": done[0].loss, "gradients": done[0].gradients}))


def _judged(name: str, answer: dict[str, Any], right: dict[str, Any]) -> Timed:
    forward, backward = answer["seconds"]
    return Timed(name, forward, backward, _agree(right, answer))


def _agree(right: dict[str, Any], other: dict[str, Any]) -> bool:
    expected: list[float] = [right["loss"], *right["gradients"]]
    got: list[float] = [other["loss"], *other["gradients"]]
    allowed = CLOSE * max([abs(number) for number in expected])
    if len(got) != len(expected):
        return False
    return all(abs(a - b) <= allowed for a, b in zip(expected, got, strict=True))


# ── How each does it ─────────────────────────────────────────────────────────────────────────


def _timed(
    forward: Callable[[], Any],
    backward: Callable[[Any], None],
    number: Callable[[Any], float],
    gradients: Callable[[], list[float]],
) -> Step:
    clock = time.process_time
    began = clock()
    root = forward()
    middle = clock()
    backward(root)
    end = clock()
    return Step(middle - began, end - middle, number(root), gradients())


def _of_values(make: Any, arithmetic: Arithmetic) -> Callable[[], Step]:
    """A step for all that has `.backward()` and `.grad`, as gradwalk and micrograd have."""
    weights, tokens = weights_and_tokens(make)
    leaves = [leaf for table in weights.values() for row in table for leaf in row]

    def step() -> Step:
        for leaf in leaves:
            leaf.grad = 0.0
        return _timed(
            lambda: loss(weights, tokens, arithmetic),
            lambda root: root.backward(),
            arithmetic.number,
            lambda: [leaf.grad for leaf in leaves],
        )

    return step


def _gradwalk() -> Callable[[], Step]:
    from gradwalk.engine import Value

    return _of_values(Value, Arithmetic(attrgetter("data"), Value.exp, Value.relu, Value.log))


def _micrograd() -> Callable[[], Step]:
    Value: Any = import_module("micrograd.engine").Value  # noqa: N806

    def exp(x: Any) -> Any:  # micrograd has neither of the two; so does one write them for it
        out: Any = Value(math.exp(x.data), (x,), "exp")

        def push() -> None:
            x.grad += out.data * out.grad

        out._backward = push
        return out

    def log(x: Any) -> Any:
        out: Any = Value(math.log(x.data), (x,), "log")

        def push() -> None:
            x.grad += out.grad / x.data

        out._backward = push
        return out

    return _of_values(Value, Arithmetic(attrgetter("data"), exp, Value.relu, log))


def _xad() -> Callable[[], Step]:
    library: Any = import_module("xad.adj_1st")
    functions: Any = import_module("xad.math")

    def relu(x: Any) -> Any:
        return functions.max(x, 0.0)

    arithmetic = Arithmetic(methodcaller("getValue"), functions.exp, relu, functions.log)
    numbers, tokens = weights_and_tokens(float)

    def step() -> Step:
        with library.Tape() as tape:
            weights = {
                name: [[library.Real(x) for x in row] for row in table]
                for name, table in numbers.items()
            }
            leaves = [leaf for table in weights.values() for row in table for leaf in row]
            tape.registerInputs(leaves)
            tape.newRecording()

            def backward(root: Any) -> None:
                tape.registerOutput(root)
                root.setDerivative(1.0)
                tape.computeAdjoints()

            return _timed(
                lambda: loss(weights, tokens, arithmetic),
                backward,
                arithmetic.number,
                lambda: [leaf.getDerivative() for leaf in leaves],
            )

    return step


def _torch() -> Callable[[], Step]:
    library: Any = import_module("torch")
    library.set_num_threads(1)

    def make(number: float) -> Any:
        return library.tensor(number, dtype=library.float64, requires_grad=True)

    arithmetic = Arithmetic(methodcaller("item"), library.exp, library.relu, library.log)
    weights, tokens = weights_and_tokens(make)
    leaves = [leaf for table in weights.values() for row in table for leaf in row]

    def step() -> Step:
        for leaf in leaves:
            leaf.grad = None
        return _timed(
            lambda: loss(weights, tokens, arithmetic),
            lambda root: root.backward(),
            arithmetic.number,
            lambda: [0.0 if leaf.grad is None else leaf.grad.item() for leaf in leaves],
        )

    return step


# Name: the module that has to be there, and what makes a function that does one step.
PEERS: dict[str, tuple[str, Callable[[], Callable[[], Step]]]] = {
    "gradwalk": ("gradwalk", _gradwalk),
    "micrograd": ("micrograd", _micrograd),
    "XAD": ("xad", _xad),
    "PyTorch scalars": ("torch", _torch),
}
