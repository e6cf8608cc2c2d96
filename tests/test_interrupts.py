"""Ctrl-C or a failed allocation between any two instructions leaves nothing switched on behind.

Two ways to try it. Frames that hold state are stepped through: an error at each of their opcodes,
in turn. Whole entry points are interrupted at random, where Python looks for signals: when a
function begins and when a call into C returns. After each interrupt the process must be as it was,
and compute what it computed before.
"""

from __future__ import annotations

import gc
import inspect
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, cast

import numpy as np
import pytest

from gradwalk import Value, detect_anomaly, grad, nn, no_grad, scope
from gradwalk import compile as compiled
from gradwalk.engine import modes, reference
from gradwalk.gpt import training
from gradwalk.lab import page
from gradwalk.optim import SGD, Adam, Momentum
from gradwalk.program import backends, checking, load, trace
from gradwalk.transforms import functional

ERRORS = (KeyboardInterrupt, MemoryError)


def branching(x: Any, y: Any) -> Any:
    total = 0.0
    for n in range(3):
        total = total + (x * y if x > n else y - x)
    return total


def as_ever() -> None:
    """Fail unless the process holds the state that it had at its start, and computes."""
    assert (modes.current(), modes.recorder()) == (0, None)
    with no_grad():
        pass
    assert not modes.active
    assert not checking.is_plain()
    assert functional._levels.depth == 0
    assert not functional._levels.variables
    assert nn._inside.get() is None
    assert trace._current.tape is None
    assert backends.tape.call(len, "ab") == 2
    assert gc.isenabled()
    assert sys.gettrace() is None
    x = Value(0.5)
    y = (x * 3.0).tanh()
    y.backward()
    assert x.grad == pytest.approx(3.0 * (1.0 - y.data**2), rel=1e-14)
    assert x.data == 0.5


# ── Every opcode of the frames that hold state ───────────────────────────────────────────────


def codes_in(thing: Any) -> Iterator[CodeType]:
    """Yield the code of a function, of all functions of a class or module, and of those inside."""
    if isinstance(thing, CodeType):
        yield thing
        for constant in thing.co_consts:
            if isinstance(constant, CodeType):
                yield from codes_in(constant)
    elif isinstance(thing, FunctionType):
        yield from codes_in(inspect.unwrap(thing).__code__)
    elif inspect.ismodule(thing) or isinstance(thing, type):
        for part in list(vars(thing).values()):
            own = getattr(part, "__module__", None) == getattr(thing, "__module__", thing.__name__)
            if isinstance(part, FunctionType | type) and own:
                yield from codes_in(part)


HOLD_STATE: set[CodeType] = {
    code
    for thing in (
        *(modes.enclosed, modes.recording, modes._tell_of, modes._Mode),
        *(functional.Point._evaluated, checking.plainly, trace.recording),
        *(reference.Buffers, reference.Value.backward, reference._walk_back),
        *(nn._named, training.without_collector),
    )
    for code in codes_in(thing)
}


class Stepped:
    """In a `with` block, the opcode with this number in a frame that holds state raises."""

    def __init__(self, at: int, error: type[BaseException]) -> None:
        self.at, self.error = at, error
        self.fired = False

    def __enter__(self) -> Stepped:
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code not in HOLD_STATE or self.fired:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._stepped

    def _stepped(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "opcode" and not self.fired:
            self.at -= 1
            if self.at < 0:
                self.fired = True
                raise self.error
        return self._stepped


def under_scopes() -> None:
    with scope("model"):
        nn.Linear(2, 1)([Value(1.0), Value(2.0)])


def without_gradients() -> None:
    with no_grad(), detect_anomaly():
        grad(abs)(Value(2.0))


def backward_on_the_reference() -> None:
    buffers = reference.Buffers()
    x = reference.Value(2.0)
    x_squared = x * x
    for _ in range(2):
        x_squared.backward(buffers=buffers)


def without_collector() -> None:
    with training.without_collector():
        pass


BLOCKS: dict[str, Callable[[], object]] = {
    "a recording": lambda: compiled(branching)(2.5, 0.5),
    "scopes": under_scopes,
    "switches": without_gradients,
    "backward": backward_on_the_reference,
    "no collector": without_collector,
    "a recording of the reference's": lambda: trace.recording(None, str),
    "plain Python": lambda: checking.plainly(str),
}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", BLOCKS)
def test_at_every_opcode(name: str, error: type[BaseException]) -> None:
    block, at, fired = BLOCKS[name], 0, True
    while fired:
        stepped = Stepped(at, error)
        try:
            with stepped:
                block()
        except error:
            pass
        as_ever()
        at, fired = at + 1, stepped.fired
    assert at > 20


# ── Entry points, at random ──────────────────────────────────────────────────────────────────

TIMES = 350  # for each of six


class Interrupted:
    """In a `with` block, Ctrl-C comes the `at`-th time that Python could look for signals."""

    def __init__(self, at: float) -> None:
        self.at = at
        self.seen = 0

    def __enter__(self) -> Interrupted:
        # `with` keeps it: Python calls it again behind a callback of the collector that ended it.
        sys.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def __call__(self, _frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "c_return"):
            self.seen += 1
            if self.seen >= self.at:
                sys.setprofile(None)
                raise KeyboardInterrupt


def recorded_and_called(_: Path) -> Callable[[], object]:
    function = compiled(branching)
    return lambda: (function(2.5, 0.5), function.value_and_grad(1.5, 0.25))


def mapped(_: Path) -> Callable[[], object]:
    function, xs = compiled(branching), np.linspace(-1.0, 4.0, 40)

    def run() -> object:
        value, gradients = function.map.value_and_grad(xs, 0.5)
        return [*map(list, (function.map(xs, 0.5), value, gradients["x"]))]

    return run


def walked_back(_: Path) -> Callable[[], object]:
    engines: tuple[Any, ...] = (Value, reference.Value)

    def walk() -> object:
        leaves = [kind(0.5) for kind in engines]
        for leaf in leaves:
            out = (leaf * 3.0).tanh() + leaf.exp() / leaf
            out.backward()
        return [leaf.grad for leaf in leaves]

    return walk


def saved(folder: Path) -> Callable[[], object]:
    file, function = folder / "function.gwp", compiled(branching)
    function(2.5, 0.5)
    function.save(file)

    def save() -> object:
        assert load(file)(2.5, 0.5) == function(2.5, 0.5)  # the old file or the new one, whole
        function.save(file)
        return load(file)(2.5, 0.5), sorted(path.name for path in folder.iterdir())

    return save


def asked(_: Path) -> Callable[[], object]:
    expression = {"expression": "(a + b) * tanh(a)", "values": {"a": 0.5, "b": 2.0}}
    questions = [
        ("answers", "program", {"expression": expression["expression"]}),
        ("jobs", "gradcheck", expression),
    ]
    return lambda: [list(page.ask(one, two, json.dumps(body))) for one, two, body in questions]


def stepped(_: Path) -> Callable[[], object]:
    """A step of an optimiser is whole or was never taken, in C and in Python."""
    optimizers: list[Any] = [
        kind([leaf(0.5), leaf(-1.0)], 0.5)
        for kind in (SGD, Momentum, Adam)
        for leaf in (Value, Half)
    ]
    fresh = [opt.state_dict() for opt in optimizers]

    def state(opt: Any) -> object:
        return opt.steps, [value.data for value in opt.parameters], repr(opt.memory)

    def step() -> object:
        ends: list[object] = []
        for opt, begin, whole in zip(optimizers, fresh, wholes or optimizers, strict=True):
            for value in opt.parameters:
                value.data, value.grad = 0.5, 1.0
            opt.load_state_dict(begin)
            before = state(opt)
            try:
                opt.step()
            finally:
                assert not wholes or state(opt) in (before, whole)
            ends.append(state(opt))
        return ends

    wholes: list[Any] = []
    wholes += cast("list[Any]", step())
    assert all(steps == 1 for steps, *_ in wholes)
    return step


class Half(Value):
    """A kind of Value that C leaves to Python."""


ENTRY_POINTS = (recorded_and_called, mapped, walked_back, saved, asked, stepped)


# Between open() and its `with`, an interrupt leaves the closing of the file to its finaliser.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("make", ENTRY_POINTS)
def test_at_random(
    make: Callable[[Path], Callable[[], object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []  # by Python, in a finaliser or a callback of the collector

    def unraisable(one: Any, hook: Callable[[Any], object] = sys.unraisablehook) -> None:
        lost.append("here") if one.exc_type is KeyboardInterrupt else hook(one)

    monkeypatch.setattr(sys, "unraisablehook", unraisable)
    expected = make(tmp_path)()
    counted = Interrupted(float("inf"))
    fresh = make(tmp_path)
    with counted:
        fresh()
    rng, fired = random.Random(make.__name__), 0
    for _ in range(TIMES):
        at = rng.randint(1, counted.seen)
        enter = make(tmp_path)
        try:
            with Interrupted(at):
                enter()
        except KeyboardInterrupt:
            fired += 1
        assert enter() == expected, at
        as_ever()
    assert fired + len(lost) > TIMES * 0.9
