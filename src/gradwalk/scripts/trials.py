"""The graphs that a script's class and gradwalk's Value are tried on, side by side.

A trial builds a graph with whichever class it is given. `operation` yields those for one operation,
`again` those that are walked more than once, `random_graph` the larger ones.
"""

# Instances of a script's class have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from operator import methodcaller
from typing import Any, NamedTuple

Run = Callable[[Any], tuple[Sequence[Any], Sequence[Any]]]


class Trial(NamedTuple):
    """A graph to build and walk. `run` returns the roots to walk from and the leaves to look at."""

    text: str
    run: Run
    sums: bool = False  # whether a gradient has more than two parts, so that their order shows


_POINTS = [
    *[0.0, 0.5, 1.0, -1.0, 2.0, -3.0, 10.0, 30.0, -30.0, 60.0, -200.0, 700.0, -1e4],
    *[1e-3, 1e-8, 1e-20, 1e-300, 0.1, -0.1, 1 / 3, 1e160, -1e170, 1e200],
]
_INSIDE = [1.3, 0.7, 2.9, -0.6, -1.7]  # where an operation is tried inside graphs
_EXPONENTS = [2, 3, -1, 0.5, -0.5, 0, 1, 2.5, -2.0, 2.0]


def takes(member: Any) -> int:
    """Return how many arguments a method must be given, or -1 for what is no method."""
    if not inspect.isfunction(member):
        return -1
    parameters = list(inspect.signature(member).parameters.values())[1:]
    return len([one for one in parameters if one.default is one.empty and one.kind < 2])


def _graph(numbers: Sequence[float], build: Callable[..., Sequence[Any]]) -> Run:
    """Return what makes a leaf of each number, and of the leaves the roots."""

    def run(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        leaves = [make(number) for number in numbers]
        return build(*leaves), leaves

    return run


def once(name: str, x: float) -> Trial:
    text = f"{_written(name, 'a')} with a={x:g}"
    return Trial(text, _graph([x], lambda a: [getattr(a, name)()]))


def _written(name: str, *operands: Any) -> str:
    signs = {"add": "+", "mul": "*", "sub": "-", "truediv": "/", "pow": "**"}
    bare = name.strip("_")
    if name.startswith("__") and bare in signs:
        return f"{operands[0]} {signs[bare]} {operands[1]}"
    if name.startswith("__r") and bare[1:] in signs:
        return f"{operands[1]} {signs[bare[1:]]} {operands[0]}"
    if bare == "neg":
        return f"-{operands[0]}"
    return f"{bare}({', '.join(map(str, operands))})"


def operation(name: str, member: Any, multiplies: bool) -> Iterator[Trial]:
    """Yield calls of an operation: alone at many points, then inside graphs."""
    rng = random.Random(1)
    points = [*_POINTS, *[rng.gauss(0.0, 2.0) for _ in range(40)]]
    bare = name[2:-2] if name.startswith("__") else name
    needed = takes(member)
    named = {"pow", "add", "sub", "mul", "div", "plus", "minus", "times"}
    if needed < 0 or needed > 1 or (needed == 1 and bare == name and name not in named):
        return
    if needed == 0:
        for x in [*points, *[abs(x) for x in points if x < 0]]:
            yield once(name, x)
        for x in _INSIDE:
            yield from _inside(_written(name, "a"), x, methodcaller(name), multiplies)
        return
    numbers: list[float]
    if bare in ("pow", "rpow"):
        numbers = list(_EXPONENTS) if bare == "pow" else [2, 0.5, 3.0]
        pairs = [(x, n) for x in points[:30] for n in numbers]
        pairs += [(abs(x), n) for x in points[:30] if x < 0 for n in numbers]
        inner = numbers[:4]
    else:
        pairs = list(zip(points, [*points[1:], points[0]], strict=True))
        inner = [2.5, -3]
    reflected = name.startswith("__r")
    for x, y in pairs:
        text = f"{_written(name, 'a', f'{y:g}')} with a={x:g}"
        yield Trial(text, _graph([x], lambda a, y=y: [getattr(a, name)(y)]))
        if not reflected and bare != "pow":
            yield _of_two(_written(name, "a", "b"), name, x, y)
    if bare == "pow":
        for x in points[:12]:
            yield _of_two("a ** b", name, x, 2.5)
    for x in _INSIDE:
        for y in inner:
            text = _written(name, "a", f"{y:g}")
            yield from _inside(text, x, methodcaller(name, y), multiplies)
        if not reflected and bare != "pow":
            yield from _inside(
                _written(name, "a", "a"), x, lambda a, n=name: getattr(a, n)(a), multiplies
            )
            yield from _inside_two(name, x)


def _of_two(text: str, name: str, x: float, y: float) -> Trial:
    run = _graph([x, y], lambda a, b: [getattr(a, name)(b)])
    return Trial(f"{text} with a={x:g}, b={y:g}", run)


def _inside_two(name: str, x: float) -> Iterator[Trial]:
    """Yield an operation of two operands whose result is used twice, or scaled."""

    def call(a: Any, b: Any) -> Any:
        return getattr(a, name)(b)

    text, at = _written(name, "a", "b"), f"with a={x:g}, b=2.9"
    shared = _graph([x, 2.9], lambda a, b: [call(out := call(a, b), out)])
    repeated = _graph([x, 2.9], lambda a, b: [call(call(a, b), a)])
    yield Trial(f"c = {text}; {_written(name, 'c', 'c')} {at}", shared)
    yield Trial(f"c = {text}; {_written(name, 'c', 'a')} {at}", repeated)


def _inside(text: str, x: float, call: Callable[[Any], Any], multiplies: bool) -> Iterator[Trial]:
    """Yield graphs around one operation. A rule that overwrites, or forgets to multiply by the
    incoming gradient, is right alone and wrong here.
    """
    sign = "*" if multiplies else "+"

    def join(a: Any, b: Any) -> Any:
        return a * b if multiplies else a + b

    graphs: dict[str, Callable[[Any, Any], Any]] = {
        f"f {sign} a": lambda a, _: join(call(a), a),
        f"a {sign} f": lambda a, _: join(a, call(a)),
        f"f {sign} c": lambda a, c: join(call(a), c),
        f"f {sign} f": lambda a, _: join(out := call(a), out),
        f"f {sign} g, g = f again": lambda a, _: join(call(a), call(a)),
        f"f(a {sign} c)": lambda a, c: call(join(a, c)),
    }
    for shape, build in graphs.items():
        run = _graph([x, 1.9], lambda a, c, build=build: [build(a, c)])
        yield Trial(f"{shape}, f = {text}, with a={x:g}, c=1.9", run)
    twice = _graph([x, 1.9], lambda a, c: [join(call(a), c)] * 2)
    two_roots = _graph([x, 1.9], lambda a, c: [join(out := call(a), c), join(out, a)])
    yield Trial(f"f {sign} c, walked twice, f = {text}, with a={x:g}, c=1.9", twice, True)
    yield Trial(f"f {sign} c, then f {sign} a, f = {text}, with a={x:g}", two_roots, True)


def again(multiplies: bool) -> Iterator[Trial]:
    """Yield graphs of whole numbers that are walked more than once."""

    def same_root(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, b = make(2.0), make(3.0)
        c = a * b if multiplies else a + b
        d = (c * a if multiplies else c + a) + c
        return [d, d], [a, b, c, d]

    def shared(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, b = make(2.0), make(3.0)
        c = a * b if multiplies else a + b
        return [c + a, c + b], [a, b, c]

    def a_leaf(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a = make(2.0)
        return [a, a], [a]

    if multiplies:
        yield Trial("c = a * b; d = c * a + c, walked twice", same_root)
    yield Trial("c = a * b; c + a, then c + b", shared)
    yield Trial("a alone, walked twice", a_leaf)


def random_graph(
    seed: int,
    joins: list[str],
    unary: list[str],
    numbers: tuple[float, ...] = (2.0, -3.0, 1.0),
) -> Run:
    def run(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        rng = random.Random(seed)
        leaves = [make(number) for number in numbers]
        nodes: list[Any] = list(leaves)
        for _ in range(12 if unary else 9):
            a, b = rng.choice(nodes), rng.choice(nodes[-3:])
            out = getattr(a, rng.choice(joins))(b)
            if unary and rng.random() < 0.5:
                out = getattr(out, rng.choice(unary))()
            nodes.append(out)
        return [nodes[-1]], leaves

    return run
