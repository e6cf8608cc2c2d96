"""Everything that is recorded the same by the tape in C and the one in Python, or refused the same.

`python -m support.recordings FILE COUNT` writes what each case of this process becomes to a file.
"""

import contextlib
import math
import operator
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gradwalk
from gradwalk import Value, ops
from gradwalk.engine import constant
from gradwalk.gpt import Run, Training
from gradwalk.program import compile  # noqa: A004
from support.programs import seeded

Case = tuple[str, Callable[..., Any], tuple[Any, ...]]

_W = [Value(0.25 * k + 0.1) for k in range(6)]
_ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)
_COMPARE = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
# What stands beside a recorded value: each kind has its own way in.
_BESIDE: dict[str, Any] = {
    "float": 2.5,
    "zero": 0.0,
    "minus zero": -0.0,
    "nan": math.nan,
    "another nan": float("-nan"),
    "inf": -math.inf,
    "small": 5e-324,
    "int": 3,
    "int that no double is": 2**53 + 1,
    "int beyond the doubles": -(10**400),
    "bool": True,
    "parameter": _W[0],
    "constant": constant(1.5),
    "computed": _W[1] * _W[2] - 3.0,
    "listed": gradwalk.softmax(_W[:3])[1],
    "str": "3",
    "None": None,
    "list": [1.0],
    "complex": 1j,
}


def _beside(name: str, thing: Any) -> Iterator[Case]:
    for op in (*_ARITHMETIC, *_COMPARE):
        yield f"{op.__name__}, {name}", partial(_right, op, thing), (1.5,)
        yield f"{op.__name__} of {name}", partial(_left, op, thing), (1.5,)
    yield f"maximum, {name}", lambda x: gradwalk.maximum(thing, x), (1.5,)
    yield f"method, {name}", lambda x: x.maximum(thing), (1.5,)
    yield f"list, {name}", lambda x: gradwalk.sum([x, thing, x]), (1.5,)
    yield f"result, {name}", lambda x: [x, thing], (1.5,)


def _right(op: Callable[..., Any], thing: Any, x: Any) -> Any:
    return op(x, thing) + 0.0


def _left(op: Callable[..., Any], thing: Any, x: Any) -> Any:
    return op(thing, x) + 0.0


def _both(op: Callable[..., Any], x: Any, y: Any) -> Any:
    return op(x, y) * op(y, x)


def _method(name: str, x: Any, *y: Any) -> Any:
    return getattr(x, name)(*y)


def _of_math(name: str, x: Any) -> Any:
    return getattr(math, name)(x)


def _operators() -> Iterator[Case]:
    for name, thing in _BESIDE.items():
        yield from _beside(name, thing)
    for op in (*_ARITHMETIC, *_COMPARE):
        yield f"{op.__name__} of two", partial(_both, op), (1.5, 0.5)


def _rows() -> Iterator[Case]:
    for op in ops.TABLE:
        for count in range(1, 5):
            point = (0.5, 0.25, 0.75, 0.125)[:count]
            yield f"{op.name} of {count}", partial(_listed, op), (list(point),)
            for name in (op.name, *op.aliases) if op.is_method else ():
                yield (
                    f".{name} of {count}",
                    partial(_listed, partial(_method, name)),
                    (list(point),),
                )
        if op.arity == 1 and hasattr(math, op.name):
            yield f"math.{op.name}", partial(_of_math, op.name), (0.5,)


def _listed(function: Callable[..., Any], x: list[Any]) -> Any:
    return function(*x)


def _swallows(x: Any) -> Any:
    with contextlib.suppress(Exception):
        int(x)
    return x


def _ended(x: Any) -> Any:
    if not _STALE:
        compile(lambda y: _STALE.append(y * 2.0) or y).record(1.0)
    return x


_STALE: list[Any] = []


def _stale(use: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        _ended(x)
        return use(x, _STALE[0])

    return function


def _rare() -> Iterator[Case]:
    where, take, fori = gradwalk.where, gradwalk.take, gradwalk.fori
    yield "the lines of one statement", lambda x: (x
                                                   + 1.0
                                                   - x.exp()), (1.0,)  # fmt: skip
    yield "take", lambda x, i: take([x, 2.0, _W[0]], i) + take([[x, 1], [2, x]], i)[1], (1.0, 1.0)
    yield "fori", lambda x, n: fori(0, n, lambda i, s: s * x + i, x, limit=4), (1.0, 3.0)
    yield "conditions", lambda x: where((x > 1.0) & ~(x > 2.0) | (x < 0.0), x, -x), (1.0,)
    yield "no condition", lambda x: where((x + 1.0) & (x > 2.0), x, -x), (1.0,)
    yield "branch", lambda x: x if x > 1.0 else -x, (1.0,)
    yield "float", float, (1.0,)
    yield "index", lambda x: [1.0, 2.0][x], (1.0,)
    yield "format", lambda x: f"{x:.2f}", (1.0,)
    yield "number", lambda x: x.data, (1.0,)
    yield "hash", lambda x: {x: 1}, (1.0,)
    yield "//", lambda x: x // 2.0, (1.0,)
    yield "no attribute", lambda x: x.nothing, (1.0,)
    yield "iteration", sum, (1.0,)
    yield "swallowed", _swallows, (1.0,)
    yield "error of its own", lambda x: x + _W[99], (1.0,)
    yield "nothing", lambda x: None, (1.0,)
    yield "rounding", lambda x: math.floor(x) + math.ceil(x) + math.trunc(x) + abs(+x), (1.5,)
    yield (
        "lists",
        lambda x: gradwalk.softmax([x, *_W[:3]])[1] * gradwalk.logsumexp([x, 2.0]),
        (1.0,),
    )
    yield "linear", lambda x: gradwalk.linear([_W[:2], _W[2:4]], [x, _W[5]], [1.0, x]), (1.0,)
    yield "norms", lambda x: gradwalk.rmsnorm([x, 2.0]) + gradwalk.layernorm([x, _W[0]]), (1.0,)
    yield "wrong lists", lambda x: gradwalk.dot([x], [x, x]), (1.0,)
    yield "a list of no numbers", lambda x: gradwalk.dot([x], ["3"]), (1.0,)
    yield "many", lambda x: gradwalk.sum([x * k for k in range(300)]), (1.0,)
    yield "one Value twice", lambda x: (_W[3] * x + _W[3]) * (_W[4] - _W[3]) + _W[5] ** x, (1.0,)
    yield "compared Value", lambda x: where(_W[0] < _W[1], x, _W[0] > x), (1.0,)
    yield "ended, +", _stale(lambda x, old: old + 1.0), (1.0,)
    yield "ended, with another", _stale(lambda x, old: x * old), (1.0,)
    yield "ended, method", _stale(lambda x, old: old.exp()), (1.0,)
    yield "ended, row", _stale(lambda x, old: gradwalk.maximum(old, 1.0)), (1.0,)
    yield "ended, condition", _stale(lambda x, old: (old > 1.0) & (x > 1.0)), (1.0,)
    yield "ended, math", _stale(lambda x, old: math.exp(old)), (1.0,)
    yield "ended, Value", _stale(lambda x, old: old * _W[0]), (1.0,)


def _models() -> Iterator[Case]:
    for form in ("scalar", "fast"):
        training = Training(["anna", "bob", "cleo"], run=Run(steps=3, form=form))
        for document in training.documents[:2]:
            tokens = training.tokenizer.encode(document)
            yield f"GPT, {form}, {document}", training.model.loss, (tokens,)


def cases(count: int) -> Iterator[Case]:
    for seed in range(count):
        program = seeded(seed)
        yield f"random {seed}", program.outputs, (list(program.leaves),)
    yield from _operators()
    yield from _rows()
    yield from _rare()
    yield from _models()


def outcome(function: Callable[..., Any], point: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the program with the line of each instruction, or the error it is refused with."""
    random.seed(1)
    try:
        program = compile(function).record(*point).program
    except Exception as error:  # whatever it is, both give the same
        cause = error.__cause__
        return type(error).__name__, str(error), type(cause).__name__, str(cause)
    arrays = (program.codes, program.starts, program.args, program.numbers, program.outputs)
    return *[bytes(part) for part in arrays], program.slots, list(program.places)


def outcomes(count: int) -> dict[str, tuple[Any, ...]]:
    return {name: outcome(function, point) for name, function, point in cases(count)}


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(pickle.dumps(outcomes(int(sys.argv[2]))))
