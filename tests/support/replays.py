"""Random functions to record, from a seed: `random_function(seed)` makes one of any number of them.

A function takes a list of numbers and a list of indices, and returns several outputs. It is run as
it is on plain numbers, on Values and on recorded values, so the eager engine is the oracle of a
replay. Steps are chosen where they are smooth and moderate at the function's own point.
"""

import math
import operator
import random
from collections.abc import Callable
from typing import Any

import gradwalk
from gradwalk import ops
from gradwalk.engine import topological_order
from gradwalk.program import backends, interpreter
from support.programs import _SMOOTH, APPLY

BACKENDS: dict[str, Any] = {"python": interpreter}
if backends.replay is not interpreter:
    BACKENDS["native"] = backends.replay

COMPARE = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]

Step = Callable[[list[Any], list[Any]], Any]  # from the nodes so far and the indices to a node


class RandomFunction:
    """`steps` over nodes, of which the first are the inputs; `outputs` are numbers of nodes."""

    def __init__(self, seed: int, size: int | None = None) -> None:
        rng = random.Random(seed)
        self.seed = seed
        self.x = [round(rng.uniform(-2.5, 2.5), 6) or 0.5 for _ in range(rng.randint(1, 6))]
        self.tables = 5
        self.indices = [rng.randrange(self.tables) for _ in range(2)]
        self.steps: list[Step] = []
        nodes: list[Any] = list(self.x)
        for _ in range(size or rng.randint(3, 40)):
            for _ in range(200):
                step = self._step(rng, nodes)
                if step is None:
                    continue
                number = step(nodes, self.indices)
                if math.isfinite(number) and abs(number) < 1e4:
                    self.steps.append(step)
                    nodes.append(number)
                    break
        last = len(nodes) - 1
        self.outputs = [last, *[rng.randrange(len(nodes)) for _ in range(rng.randint(0, 3))]]

    def __call__(self, x: list[Any], indices: list[Any]) -> list[Any]:
        nodes = list(x)
        for step in self.steps:
            nodes.append(step(nodes, indices))
        return [nodes[i] for i in self.outputs]

    def first(self, x: list[Any], indices: list[Any]) -> Any:
        return self(x, indices)[0]

    def _step(self, rng: random.Random, nodes: list[float]) -> Step | None:
        """Return a random step, or None where it is too near an edge at these numbers."""
        kind = rng.randrange(10)
        # Late nodes are likelier, early ones shared: all kinds of depth and fan-out come up.
        picks = [
            len(nodes) - 1 - min(len(nodes) - 1, int(rng.expovariate(0.3)))
            if rng.random() < 0.6 else rng.randrange(len(nodes))
            for _ in range(8)
        ]  # fmt: skip
        numbers = [nodes[i] for i in picks]
        if kind <= 5:
            row = rng.choice(ops.TABLE)
            operands: list[Any] = picks[: row.arity]
            constants = [rng.random() < 0.25 for _ in operands]
            values = [
                round(rng.uniform(-2, 2), 3) if constant else nodes[i]
                for i, constant in zip(operands, constants, strict=True)
            ]
            smooth = _SMOOTH.get(row.name)
            if smooth and not smooth(*values):
                return None
            if row.name in ("exp", "expm1", "sinh", "cosh") and abs(values[0]) > 8:
                return None
            if all(constants):
                return None
            function = APPLY[row.name]
            fixed = list(zip(operands, constants, values, strict=True))
            return lambda n, _: function(*[v if c else n[i] for i, c, v in fixed])
        if kind == 6:  # a branch
            compare = rng.choice(COMPARE)
            a, b, c, d = picks[:4]
            if abs(numbers[0] - numbers[1]) < 1e-6 and a != b:
                return None
            if rng.random() < 0.5 or abs(numbers[2] - 0.3) < 1e-6:
                return lambda n, _: gradwalk.where(compare(n[a], n[b]), n[c], n[d])
            return lambda n, _: gradwalk.where(
                _both(compare(n[a], n[b]), n[c] > 0.3), n[c], n[d] * 2.0
            )
        if kind == 7:  # a gather, by an index that is given or computed
            which = rng.randrange(2)
            table = picks[: self.tables]
            if rng.random() < 0.5:
                return lambda n, i: gradwalk.take([n[t] for t in table], i[which])
            a = picks[5]
            place = abs(numbers[5])
            if place > 4.5 or abs(place - round(place)) < 1e-6:
                return None
            return lambda n, _: gradwalk.take([n[t] for t in table], gradwalk.floor(abs(n[a])))
        width = rng.randint(1, 4)
        if kind == 8:
            left, right = picks[:width], picks[width : 2 * width]
            return lambda n, _: _dot([n[i] for i in left], [n[i] for i in right])
        return lambda n, _: _sum([n[i] for i in picks[:width]])


def _both(x: Any, y: Any) -> Any:
    return x & y


def _is_plain(numbers: list[Any]) -> bool:
    return all(isinstance(x, float) for x in numbers)


def _dot(w: list[Any], x: list[Any]) -> Any:
    if _is_plain(w + x):
        return float(sum([a * b for a, b in zip(w, x, strict=True)]))
    return gradwalk.dot(w, x)


def _sum(x: list[Any]) -> Any:
    return float(sum(x)) if _is_plain(x) else gradwalk.sum(x)


def eager(function: RandomFunction, x: list[float]) -> tuple[list[float], list[float], float]:
    """Return outputs and the gradient of the first on Values, and the size of what was added up."""
    leaves = [gradwalk.Value(number) for number in x]
    outputs = function(leaves, function.indices)
    root = outputs[0]
    scale = 1.0
    if isinstance(root, gradwalk.Value):
        root.backward()
        for node in topological_order(root):
            for local in node._local_grads or ():
                scale = max(scale, abs(local * node.grad))
    numbers = [v.data if isinstance(v, gradwalk.Value) else float(v) for v in outputs]
    return numbers, [leaf.grad for leaf in leaves], max(scale, *[abs(n) for n in numbers])


def steepness(function: RandomFunction, x: list[float]) -> float:
    """Return how much faster than its inputs anything about the function changes at `x`.

    Where it is steep, or its gradient is, a last bit here is many there, and two right answers
    differ by as much.
    """
    step = 1e-7
    here = eager(function, x)
    there = eager(function, [number * (1 + step) for number in x])
    pairs = zip([*here[0], *here[1]], [*there[0], *there[1]], strict=True)
    return max([abs(a - b) for a, b in pairs]) / step
