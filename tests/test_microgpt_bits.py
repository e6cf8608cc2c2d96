"""gradwalk in place of the pure-Python Value of microGPT: not one bit of the training changes."""

import sys
from collections.abc import Iterator

import pytest
from support import engines, microgpt
from support.bits import bits

pytest_generate_tests = engines.on_every_engine

STEPS = 6


@pytest.fixture(autouse=True)
def room_to_recurse() -> Iterator[None]:
    """The script's sort recurses as deep as the graph; ours does not need this."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


def training(kind=None) -> tuple[list[str], list[str]]:
    """Losses of every step and the parameters after the last, as bits."""
    names = microgpt.trained(kind, STEPS)
    assert len(names["history"]) == STEPS
    return [bits(x) for x in names["history"]], [bits(float(p.data)) for p in names["params"]]


def test_losses_and_parameters_are_those_of_the_script_bit_for_bit(Value) -> None:
    assert training(Value) == training()


def test_every_gradient_of_one_step_is_that_of_the_script_bit_for_bit(Value, Buffers) -> None:
    ways = [
        (None, lambda loss: loss.backward()),
        (Value, lambda loss: loss.backward()),
        (Value, lambda loss: loss.backward(Buffers())),
    ]
    gradients = []
    for kind, backward in ways:
        names = microgpt.loaded(kind)
        backward(names["loss_of"](names["encode"]("emma")))
        gradients.append([bits(float(p.grad)) for p in names["params"]])
    assert gradients[0] == gradients[1] == gradients[2]
    assert any(float(p.grad) != 0.0 for p in names["params"])
