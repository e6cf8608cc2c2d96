"""Recorded programs written down instruction by instruction, for what no recording would make."""

from __future__ import annotations

import random
from array import array
from typing import Any

from gradwalk.program.ir import CODE

__all__ = ["Raw", "everything", "looped"]


class Raw:
    """A program under construction: `add` returns the id of what it adds."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.codes, self.starts = bytearray(), array("i", [0])
        self.args, self.numbers = array("i"), array("d")
        self.outputs = array("i")

    def add(self, name: str, *operands: int, number: float = 0.0) -> int:
        self.codes.append(CODE[name])
        self.args.extend(operands)
        self.starts.append(len(self.args))
        self.numbers.append(number)
        return len(self.codes) - 1

    def inputs(self) -> list[int]:
        return [self.add("input", number=slot) for slot in range(self.slots)]

    def replay(self, kind, wrt=None, seeds=(), **more) -> Any:
        """Return the replay by `kind`, a back end's class; by all slots, of the first output."""
        wanted = range(self.slots) if wrt is None else wrt
        weights = array("d", seeds or [1.0, *[0.0] * (len(self.outputs) - 1)])
        return kind(
            bytes(self.codes), self.starts, self.args, self.numbers, self.outputs, self.slots,
            array("i", wanted), weights, **more,
        )  # fmt: skip


def everything(seed: int = 0, rows: int = 6) -> Raw:
    """Return a program of 2·rows slots with something of all that a plan is made of."""
    rng = random.Random(seed)
    raw = Raw(2 * rows)
    x = raw.inputs()
    left, right = x[:rows], x[rows:]
    two, half = raw.add("const", number=2.0), raw.add("const", number=0.5)
    layer = [
        raw.add("dot", *[n for pair in zip(left, right[k:] + right[:k], strict=True) for n in pair])
        for k in range(rows)
    ]
    bent = [raw.add("tanh", n) for n in layer]
    bent += [raw.add("pow", raw.add("abs", n), half) for n in layer]
    top = layer[0]
    for n in layer[1:]:
        top = raw.add("maximum", top, n)
    flat = raw.add("floor", top)
    bent.append(raw.add("exp", raw.add("mul", raw.add("sub", layer[1], flat), half)))
    index = raw.add("floor", raw.add("mul", raw.add("tanh", raw.add("abs", x[0])), two))
    bent.append(raw.add("take", index, *left))
    bent.append(raw.add("where", raw.add("lt", x[0], x[1]), bent[0], raw.add("atan2", x[1], x[2])))
    bent.append(raw.add("clip", x[2], x[3], x[4]))
    bent.append(raw.add("div", bent[1], raw.add("add", raw.add("mul", x[1], x[1]), two)))
    chain = bent[0]
    for n in rng.sample(bent, len(bent)):
        chain = raw.add(rng.choice(["add", "sub"]), chain, raw.add("mul", n, rng.choice(x)))
    raw.outputs.extend([raw.add("sum", chain, *bent), chain, x[3], two])
    return raw


def looped(rounds: int = 40) -> Raw:
    """Return a program of 4 + rounds slots that is a loop: a value carried over, one from two
    rounds before, inputs and numbers of each round, one that is the same in all, and a take.
    """
    raw = Raw(4 + rounds)
    x = raw.inputs()
    before, now = raw.add("mul", x[0], x[1]), raw.add("add", x[0], x[2])
    total = raw.add("neg", x[3])
    for k in range(rounds):
        share = raw.add("const", number=1.0 / (k + 2))
        same = raw.add("mul", x[1], x[2])
        moved = raw.add("tanh", raw.add("mul", now, x[4 + k]))
        index = raw.add("lt", moved, now)
        taken = raw.add("take", index, moved, before)
        past = raw.add("mul", before, share)
        before, now = now, raw.add("add", raw.add("mul", taken, same), past)
        total = raw.add("add", total, now)
    raw.outputs.extend([raw.add("mul", total, now), before, x[3], x[1]])
    return raw
