"""gradwalk in place of the pure-Python Value of microGPT: not one bit of the training changes."""

import sys
from collections.abc import Iterator

import pytest
from support import engines, microgpt
from support.bits import bits

pytest_generate_tests = engines.on_every_engine

STEPS = 12


@pytest.fixture(autouse=True)
def room_to_recurse() -> Iterator[None]:
    """The teaching's sort recurses as deep as the graph; ours does not need this."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


def trained(kind, backward) -> tuple[list[str], list[str]]:
    """Losses of every step and the parameters after the last, as bits."""
    model = microgpt.GPT(kind, 27, width=8, heads=2, block=8)
    adam = microgpt.Adam(model.parameters)
    losses = []
    for step, name in enumerate(microgpt.names()[:STEPS]):
        loss = model.loss(microgpt.encode(name))
        backward(loss)
        adam.step(step, STEPS)
        losses.append(bits(loss.data))
    return losses, [bits(parameter.data) for parameter in model.parameters]


def test_losses_and_parameters_are_those_of_the_teaching_bit_for_bit(Value, Buffers) -> None:
    buffers = Buffers()
    expected = trained(microgpt.Value, lambda loss: loss.backward())
    assert trained(Value, lambda loss: loss.backward()) == expected
    assert trained(Value, lambda loss: loss.backward(buffers)) == expected


def test_every_gradient_of_one_step_is_that_of_the_teaching_bit_for_bit(Value) -> None:
    gradients = []
    for kind in (microgpt.Value, Value):
        model = microgpt.GPT(kind, 27)
        model.loss(microgpt.encode("emma")).backward()
        gradients.append([bits(parameter.grad) for parameter in model.parameters])
    assert gradients[0] == gradients[1]
