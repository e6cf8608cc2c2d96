"""The models whose graphs the floor plan shows, by name: from one neuron to the whole microGPT.

Each is called once inside `scope()`, so its modules name the nodes they make, and walked backward
from a loss. Operations over lists are written out: the boxes open into scalars.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gradwalk.data import names
from gradwalk.engine import Value, scope
from gradwalk.gpt import GPT, Config, Tokenizer
from gradwalk.gpt.views import document_graph
from gradwalk.graph import Graph, snapshot
from gradwalk.nn import MLP, Block, Module, Neuron, gauss, mse, uniform


def _neuron(rng: random.Random, _document: str) -> Graph:
    neuron = Neuron(3, init=uniform(0.1, 1.0, rng))
    inputs = [Value(x, label=f"x[{i}]") for i, x in enumerate((2.0, -1.0, 0.5))]
    with scope("neuron"):
        out = neuron(inputs)
    return _walked(neuron, mse([out], [1.0]))


def _mlp(rng: random.Random, _document: str) -> Graph:
    mlp = MLP(2, [8, 8, 1], init=uniform(-1.0, 1.0, rng))
    points = [([1.0, 0.5], 1.0), ([-0.5, 0.25], -1.0), ([0.0, -1.0], 1.0)]
    with scope():
        scores = [mlp(x) for x, _ in points]
        with scope("loss"):
            loss = mse(scores, [y for _, y in points])
    return _walked(mlp, loss)


def _block(rng: random.Random, _document: str) -> Graph:
    block = Block(8, 2, init=gauss(0.3, rng))
    tokens = [
        [Value(rng.gauss(0.0, 1.0), label=f"x[{t}][{i}]") for i in range(8)] for t in range(4)
    ]
    with scope():
        outputs = block(tokens)
        with scope("loss"):
            loss = mse([entry for out in outputs for entry in out], [0.0] * 32)
    return _walked(block, loss)


def _gpt(rng: random.Random, document: str) -> Graph:
    tokenizer = Tokenizer("".join(names()))
    return document_graph(
        GPT(Config(vocabulary=len(tokenizer)), rng), tokenizer.encode(document.lower())
    )


MODELS: dict[str, Callable[[random.Random, str], Graph]] = {
    "neuron": _neuron,
    "mlp": _mlp,
    "block": _block,
    "gpt": _gpt,
}


def model_graph(name: str, seed: int, document: str) -> Graph:
    """Return the graph of this model's loss in scalars, walked backward.

    `document` is what the GPT reads; the others have inputs of their own.
    """
    return MODELS[name](random.Random(seed), document)


def _walked(module: Module, loss: Value) -> Graph:
    module.label_parameters()
    loss.label = "loss"
    loss.backward()
    return snapshot(loss, fold=False)
