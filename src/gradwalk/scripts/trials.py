"""The graphs that a script's class and gradwalk's Value are tried on, side by side.

A trial builds a graph with whichever class it is given. `operation` yields those for one operation,
`again` those that are walked more than once, `random_graph` the larger ones.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from operator import methodcaller
from typing import Any, NamedTuple


class Trial(NamedTuple):
    """A graph to build and walk. `run` returns the roots to walk from and the leaves to look at."""

    text: str
    run: Callable[[Any], tuple[Sequence[Any], Sequence[Any]]]
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


def once(name: str, x: float) -> Trial:
    return Trial(f"{_written(name, 'a')} with a={x:g}", _on_leaf(name, x))


def _on_leaf(name: str, x: float) -> Callable[[Any], tuple[Sequence[Any], Sequence[Any]]]:
    def run(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a = make(x)
        return [getattr(a, name)()], [a]

    return run


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
        yield Trial(f"{_written(name, 'a', f'{y:g}')} with a={x:g}", _with_number(name, x, y))
        if not reflected and bare != "pow":
            yield Trial(f"{_written(name, 'a', 'b')} with a={x:g}, b={y:g}", _of_two(name, x, y))
    if bare == "pow":
        for x in points[:12]:
            yield Trial(f"a ** b with a={x:g}, b=2.5", _of_two(name, x, 2.5))
    for x in _INSIDE:
        for y in inner:
            text = _written(name, "a", f"{y:g}")
            yield from _inside(text, x, methodcaller(name, y), multiplies)
        if not reflected and bare != "pow":
            yield from _inside(
                _written(name, "a", "a"), x, lambda a, n=name: getattr(a, n)(a), multiplies
            )
            yield from _inside_two(name, x)


def _with_number(name: str, x: float, y: float) -> Callable[[Any], Any]:
    def run(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a = make(x)
        return [getattr(a, name)(y)], [a]

    return run


def _of_two(name: str, x: float, y: float) -> Callable[[Any], Any]:
    def run(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, b = make(x), make(y)
        return [getattr(a, name)(b)], [a, b]

    return run


def _inside_two(name: str, x: float) -> Iterator[Trial]:
    """Yield an operation of two operands whose result is used twice, or scaled."""
    text, at = _written(name, "a", "b"), f"with a={x:g}, b=2.9"

    def shared(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, b = make(x), make(2.9)
        out = getattr(a, name)(b)
        return [getattr(out, name)(out)], [a, b]

    def repeated(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, b = make(x), make(2.9)
        return [getattr(getattr(a, name)(b), name)(a)], [a, b]

    yield Trial(f"c = {text}; {_written(name, 'c', 'c')} {at}", shared)
    yield Trial(f"c = {text}; {_written(name, 'c', 'a')} {at}", repeated)


def _inside(text: str, x: float, call: Callable[[Any], Any], multiplies: bool) -> Iterator[Trial]:
    """Yield graphs around one operation. A rule that overwrites, or forgets to multiply by the
    incoming gradient, is right alone and wrong here.
    """
    sign = "*" if multiplies else "+"

    def join(a: Any, b: Any) -> Any:
        return a * b if multiplies else a + b

    def squared(out: Any) -> Any:
        return join(out, out)

    graphs: dict[str, Callable[[Any, Any], Any]] = {
        f"f {sign} a": lambda a, _: join(call(a), a),
        f"a {sign} f": lambda a, _: join(a, call(a)),
        f"f {sign} c": lambda a, c: join(call(a), c),
        f"f {sign} f": lambda a, _: squared(call(a)),
        f"f {sign} g, g = f again": lambda a, _: join(call(a), call(a)),
        f"f(a {sign} c)": lambda a, c: call(join(a, c)),
    }
    for shape, build in graphs.items():

        def run(make: Any, build: Any = build) -> tuple[Sequence[Any], Sequence[Any]]:
            a, c = make(x), make(1.9)
            return [build(a, c)], [a, c]

        yield Trial(f"{shape}, f = {text}, with a={x:g}, c=1.9", run)

    def twice(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, c = make(x), make(1.9)
        out = join(call(a), c)
        return [out, out], [a, c]

    def two_roots(make: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        a, c = make(x), make(1.9)
        middle = call(a)
        return [join(middle, c), join(middle, a)], [a, c]

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
) -> Callable[[Any], Any]:
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
