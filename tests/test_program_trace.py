"""The tape in C and the one in Python are twins: the same programs, lines and errors."""

import gc
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from support import recordings
from support.plain import RUNS_PLAINLY

import gradwalk
from gradwalk import Value, ops
from gradwalk.program import backends, compile, trace  # noqa: A004
from gradwalk.program.recording import Traced

COUNT = int(os.environ.get("GRADWALK_PROGRAMS", "300"))
TESTS = Path(__file__).parent


def by_the_specification(file: Path) -> dict[str, tuple[object, ...]]:
    source = str(Path(gradwalk.__file__).parents[1])
    subprocess.run(
        [sys.executable, "-m", "support.recordings", str(file), str(COUNT)],
        env={**os.environ, "GRADWALK_BACKEND": "python", "PYTHONPATH": f"{source}:{TESTS}"},
        check=True,
    )
    return pickle.loads(file.read_bytes())


@RUNS_PLAINLY
@pytest.mark.skipif(backends.name == "python", reason="one of the two is not built")
def test_both_tapes_record_the_same_to_the_last_byte(tmp_path: Path) -> None:
    wanted = by_the_specification(tmp_path / "recordings")
    found = recordings.outcomes(COUNT)
    assert list(found) == list(wanted)
    different = {name: (found[name], wanted[name]) for name in found if found[name] != wanted[name]}
    assert different == {}
    refused = sum(isinstance(outcome[1], str) for outcome in found.values())
    assert 100 < refused < len(found) / 2  # that is, both kinds are there


def test_constants_are_one_instruction_for_each_number_by_its_bits() -> None:
    quiet, other = math.nan, float("-nan")
    numbers = [1.0, 1, True, 0.0, -0.0, 0, quiet, other, float("nan"), 10**400, math.inf]
    program = compile(lambda x: [x + number for number in numbers]).record(1.0).program
    codes = [i for i, code in enumerate(program.codes) if code == 0]
    assert [repr(program.numbers[i]) for i in codes] == ["1.0", "0.0", "-0.0", "nan", "nan", "inf"]


def test_a_list_that_shrinks_while_it_is_read_is_read_as_it_was() -> None:
    class Odd:
        shape = ()

        def item(self):
            listed.clear()
            return 2.0

    listed: list[object] = []

    def function(x):
        listed.extend([Odd(), x, x])
        return gradwalk.sum(listed)

    assert compile(function).record(1.0)(3.0) == 8.0


def test_an_operand_that_records_by_itself_comes_first() -> None:
    class Odd:
        shape = ()

        def item(self):
            made.append(x_now[0] * 3.0)
            return 2.0

    made: list[object] = []
    x_now: list[object] = []

    def function(x):
        x_now[:] = [x]
        made.clear()
        return x + Odd() + made[0] + gradwalk.dot([x, 1.0], [Odd(), made[-1]])

    assert compile(function).record(1.0)(5.0) == 5.0 + 2.0 + 15.0 + 5.0 * 2.0 + 15.0


@pytest.fixture
def collecting() -> Iterator[None]:
    """Look for garbage whenever there can be any, so that finalisers run in between.

    What survived once is looked through again only where it is a quarter of all that did: so what
    there is from before is taken out.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.collect()
    gc.set_threshold(1, 1, 1)
    yield
    gc.set_threshold(*before)


class Finalised:
    def __init__(self, function, x) -> None:
        self.function, self.x, self.itself = function, x, self

    def __del__(self) -> None:
        self.function(self.x)


def longer(x, beside):
    y = x
    for k in range(200):
        beside(x)
        y = next(y * 0.5 + k for _ in "1")
        y = gradwalk.sum([y, x, float(k)]) if k % 3 else gradwalk.maximum(y, x).tanh()
    return y


def test_what_a_finaliser_records_in_between_does_no_harm(collecting: None) -> None:
    made = []

    def finalised(x):
        return longer(x, lambda x: Finalised(tripled, x))

    def tripled(x):
        with suppress(gradwalk.RecordingError):  # the last may be found after the recording
            made.append(x * 3.0 + Value(1.0))

    program = compile(finalised).record(1.0)
    assert len(made) > 100
    assert program(1.25) == compile(lambda x: longer(x, id)).record(1.0)(1.25)


def test_a_recording_that_a_finaliser_ends_is_refused(collecting: None) -> None:
    for after in range(0, 60, 7):
        closed = []

        def ending(x, closed=closed, after=after):
            closed.append(1)
            if len(closed) == after + 1:
                x._tape.close()

        function = partial(longer, beside=partial(Finalised, ending))
        with pytest.raises(gradwalk.RecordingError, match="has ended"):
            compile(static="function")(lambda x, function=function: function(x)).record(1.0)


@pytest.mark.skipif(backends.name == "python", reason="what C has to guard against")
def test_wrong_calls_of_the_tape_are_refused() -> None:
    native = backends.tape
    with pytest.raises(TypeError):
        Traced()
    with pytest.raises(TypeError):
        object.__new__(Traced)
    with pytest.raises(TypeError):
        type("Sub", (Traced,), {})
    with pytest.raises(TypeError, match="recorded value"):
        Traced._apply(ops.exp, (1.0,))
    with pytest.raises(TypeError):
        Traced._apply(ops.exp)
    with pytest.raises(ValueError, match="row"):
        native.method(SimpleNamespace(name="dot"))
    with pytest.raises(KeyError):
        native.method(SimpleNamespace(name="nothing"))
    for code in (-1, 0, 10**6, gradwalk.program.ir.CODE["add"]):
        with pytest.raises(ValueError, match="code"):
            native.function(code, abs)
    seen = SimpleQueue()  # not a list, which would be seen to change

    def function(x):
        tape = x._tape
        seen.put(tape)
        for wrong, kind in (
            (lambda t: t.emit(0, [x]), ValueError),
            (lambda t: t.emit(10**6, [x]), ValueError),
            (lambda t: t.emit(gradwalk.program.ir.CODE["add"], [x]), ValueError),
            (lambda t: t.emit(gradwalk.program.ir.CODE["add"], 3), TypeError),
            (lambda t: t.source(5, 1.0), ValueError),
            (lambda t: t.constant("1"), TypeError),
            (lambda t: t.traced(10**6), IndexError),
            (lambda t: t.traced(-1), IndexError),
            (lambda t: t.code(10**6), IndexError),
            (lambda t: t.keep(Value(1.0), 10**6), IndexError),
            (lambda t: t.settle("x"), TypeError),
        ):
            with pytest.raises(kind):
                wrong(tape)
        return x * 2.0

    assert compile(function).record(1.0)(3.0) == 6.0
    ended = seen.get()
    assert ended.ended
    assert ended.count == 0
    for late in (ended.arrays, lambda: ended.constant(1.0), lambda: ended.settle(0)):
        with pytest.raises(gradwalk.RecordingError, match="has ended"):
            late()
    with pytest.raises(IndexError):
        ended.keep(Value(1.0), 0)
    with pytest.raises(IndexError):
        ended.traced(0)
    ended.close()


def test_what_backends_has_is_what_was_asked_for() -> None:
    assert (backends.tape is trace) == (backends.name == "python")
    assert backends.tape.Traced is Traced
    assert (Traced.__module__, Traced.__name__) == ("gradwalk.program", "Traced")
